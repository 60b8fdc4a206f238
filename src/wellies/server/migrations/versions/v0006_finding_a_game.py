"""People who look for a game, friends, invitations, and who was here last."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game_requests",
        sa.Column("identity_id", sa.String(32), primary_key=True),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("pace", sa.String(20), nullable=False),
        sa.Column("seats", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.String(32)),
        sa.Column("people", sa.Text, nullable=False),
    )
    op.create_index("requests_by_game", "game_requests", ["game", "pace", "created"])
    op.create_index("requests_by_table", "game_requests", ["table_id"])
    op.create_table(
        "friendships",
        sa.Column("identity_id", sa.String(32), primary_key=True),
        sa.Column("friend_id", sa.String(32), primary_key=True),
        sa.Column("handle", sa.String(32), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "friend_codes",
        sa.Column("identity_id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(40), nullable=False, unique=True),
    )
    op.create_table(
        "invitations",
        sa.Column("identity_id", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("from_id", sa.String(32), nullable=False),
        sa.Column("from_name", sa.String(40), nullable=False),
        sa.Column("again", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("invitations_by_table", "invitations", ["table_id"])
    op.create_table(
        "last_seen",
        sa.Column("identity_id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    for name in ("last_seen", "invitations", "friend_codes", "friendships", "game_requests"):
        op.drop_table(name)
