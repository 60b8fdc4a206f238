"""Which sessions were ended by logging out."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ended_sessions",
        sa.Column("session", sa.String(32), primary_key=True),
        sa.Column("identity_id", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ended_by_identity", "ended_sessions", ["identity_id"])


def downgrade() -> None:
    op.drop_table("ended_sessions")
