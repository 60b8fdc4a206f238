"""Inserting a row, or changing the one that has its key, in one statement."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


async def upsert(connection: AsyncConnection, table: sa.Table, row: dict[str, Any]) -> None:
    """Insert a row; if its primary key exists, change the other columns that it gives."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    keys = [column.name for column in table.primary_key.columns]
    values = {name: value for name, value in row.items() if name not in keys}
    await connection.execute(insert(table).values(row).on_conflict_do_update(index_elements=keys, set_=values))


async def insert_new(connection: AsyncConnection, table: sa.Table, row: dict[str, Any]) -> bool:
    """Insert a row; False if there is one with its primary key already."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    done = await connection.execute(insert(table).values(row).on_conflict_do_nothing())
    return done.rowcount == 1


async def lock(connection: AsyncConnection, what: str) -> None:
    """Until the end of the transaction nobody else holds the lock of this name. SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(sa.text("SELECT pg_advisory_xact_lock(hashtextextended(:what, 0))"), {"what": what})
