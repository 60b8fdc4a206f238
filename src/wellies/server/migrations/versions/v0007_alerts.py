"""Alerts: what people want, where it goes, what was sent; and vacations."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alert_settings",
        sa.Column("identity_id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(40), nullable=False, unique=True),
        sa.Column("choices", sa.Text, nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
        sa.Column("webhook", sa.String(500), nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
    )
    op.create_index("alerts_by_active", "alert_settings", ["active"])
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("identity_id", sa.String(32), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(120), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("push_by_identity", "push_subscriptions", ["identity_id"])
    op.create_table(
        "sent_alerts",
        sa.Column("identity_id", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("about", sa.String(80), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("sent_by_time", "sent_alerts", ["at"])
    op.create_table(
        "vacations",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("identity_id", sa.String(32), nullable=False),
        sa.Column("begins", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False),
    )
    op.create_index("vacations_by_identity", "vacations", ["identity_id", "begins"])
    op.create_index("vacations_by_settled", "vacations", ["settled"])


def downgrade() -> None:
    for name in ("vacations", "sent_alerts", "push_subscriptions", "alert_settings"):
        op.drop_table(name)
