"""The ratings of people and bots, and how each rated game changed them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ratings",
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("player", sa.String(60), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("provisional", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ratings_by_rank", "ratings", ["game", "provisional", sa.text("shown DESC"), "player"])
    op.create_index("ratings_by_player", "ratings", ["player"])
    op.create_table(
        "rating_changes",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("player", sa.String(60), nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("mu_before", sa.Float, nullable=False),
        sa.Column("sigma_before", sa.Float, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("rating_changes_by_table", "rating_changes", ["table_id"])
    op.create_index("rating_changes_by_player", "rating_changes", ["player", "game", "number"])


def downgrade() -> None:
    for name in ("rating_changes", "ratings"):
        op.drop_table(name)
