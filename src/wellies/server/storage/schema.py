"""The tables of the database. `migrations` makes and changes them; a test compares the two."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

META: Final = sa.MetaData()

identities = sa.Table(
    "identities",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("login", sa.String(80), unique=True),
    sa.Column("password", sa.String(200)),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
ended_sessions = sa.Table(
    "ended_sessions",
    META,
    sa.Column("session", sa.String(32), primary_key=True),
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("ended_by_identity", "identity_id"),
)
kept_secrets = sa.Table(
    "kept_secrets",
    META,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)
tables = sa.Table(
    "tables",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("invite", sa.String(64), nullable=False),
    sa.Column("host", sa.String(32), nullable=False),
    sa.Column("imported", sa.Boolean, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    # What follows can be worked out from the log; it is kept for lists and searches.
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("private", sa.Boolean, nullable=False),
    sa.Column("summary", sa.Text, nullable=False),
    sa.Column("names", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("waiting", sa.String(60), nullable=False),
    sa.Column("wake_at", sa.BigInteger),
    sa.Index("tables_by_state", "state", "created"),
    sa.Index("tables_by_wake", "wake_at"),
)
entries = sa.Table(
    "entries",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
held = sa.Table(
    "held_seats",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Index("held_by_table", "table_id"),
    sqlite_with_rowid=False,
)
chat = sa.Table(
    "chat",
    META,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("text", sa.String(1000), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("chat_by_table", "table_id", "id"),
)
analyses = sa.Table(
    "analyses",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("worker", sa.String(32), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    # What was found, when it is done.
    sa.Column("found", sa.Text, nullable=False),
)
