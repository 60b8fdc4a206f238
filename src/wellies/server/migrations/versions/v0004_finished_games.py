"""Finished games as their players see them. The server fills in the games that were finished before."""

import sqlalchemy as sa
from alembic import op

from wellies.table.ids import public_id

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "finished_games",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.BigInteger, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("not_counted", sa.String(12), nullable=False),
    )
    op.create_table(
        "finished_seats",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("identity_id", sa.String(32), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("folded", sa.String(80), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("result", sa.String(8), nullable=False),
        sa.Column("first", sa.Boolean, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("lost", sa.Float),
        sa.Column("judged", sa.Integer),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("finished", sa.BigInteger, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("seats_by_person", "finished_seats", ["identity_id", "first", "finished", "table_id"])
    op.create_index(
        "seats_by_person_and_game",
        "finished_seats",
        ["identity_id", "game", "first", "finished", "table_id", "result", "score", "rank", "lost", "judged"],
    )
    op.create_table(
        "deletions",
        sa.Column("identity_id", sa.String(32), primary_key=True),
        sa.Column("gone", sa.String(32), nullable=False),
        sa.Column("tables", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.add_column("identities", sa.Column("public_id", sa.String(20)))
    _fill_in_public_ids()
    op.create_index("identities_by_public_id", "identities", ["public_id"], unique=True)


def _fill_in_public_ids() -> None:
    identities = sa.table("identities", sa.column("id"), sa.column("public_id"))
    connection = op.get_bind()
    wanted = identities.update().where(identities.c.id == sa.bindparam("who"))
    for rows in connection.execute(sa.select(identities.c.id)).partitions(1000):
        connection.execute(wanted, [{"who": row.id, "public_id": public_id(row.id)} for row in rows])


def downgrade() -> None:
    op.drop_index("identities_by_public_id", "identities")
    op.drop_column("identities", "public_id")
    for name in ("deletions", "finished_seats", "finished_games"):
        op.drop_table(name)
