"""How a batch of changes is stored in PostgreSQL: moves alone with one statement, anything with a few statements in one
transaction."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from wellies.server.storage import finishing
from wellies.server.storage.batch import TableChange, conflicts, entry_rows, listing_row, new_row, version_rows
from wellies.server.storage.schema import entries, held, tables

_INSERT: Final = sa.text("""
INSERT INTO entries (table_id, number, kind, seat, text, at)
SELECT value->>0, (value->>1)::int, value->>2, (value->>3)::int, value->>4, (value->>5)::bigint
FROM jsonb_array_elements(CAST(:rows AS jsonb)) ON CONFLICT DO NOTHING RETURNING table_id, number
""")
_VERSIONS: Final = sa.text("""
UPDATE tables SET version = r.version, waiting = r.waiting, wake_at = r.wake_at
FROM (SELECT value->>0 AS id, (value->>1)::int AS version, value->>2 AS waiting, (value->>3)::bigint AS wake_at
      FROM jsonb_array_elements(CAST(:rows AS jsonb))) r
WHERE tables.id = r.id
""")

# The count makes PostgreSQL insert all entries before it updates a table: so two workers never wait for each other in a
# circle.
_MOVES: Final = """
WITH stored AS (
  INSERT INTO entries (table_id, number, kind, seat, text, at)
  SELECT value->>0, (value->>1)::int, value->>2, (value->>3)::int, value->>4, (value->>5)::bigint
  FROM jsonb_array_elements($1::jsonb) RETURNING 1
)
UPDATE tables SET version = r.version, waiting = r.waiting, wake_at = r.wake_at
FROM (SELECT value->>0 AS id, (value->>1)::int AS version, value->>2 AS waiting, (value->>3)::bigint AS wake_at
      FROM jsonb_array_elements($2::jsonb)) r, (SELECT count(*) AS entries FROM stored) s
WHERE tables.id = r.id AND s.entries > 0
"""


class MoveWriter:
    """A connection on which moves are stored, each batch with one statement in one round trip.

    The general way, through SQLAlchemy, makes four round trips and takes six times the processor time. Where several
    workers share the moves, batches are small, so that this is a large part of all work.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._lock = asyncio.Lock()

    async def store(self, batch: list[TableChange]) -> bool:
        """Store changes that are moves and nothing else. False if another worker has appended to one of the tables
        first: then nothing is stored."""
        async with self._lock:
            return await self._store(batch)

    async def _store(self, batch: list[TableChange]) -> bool:
        import asyncpg  # it is not installed where SQLite is used

        try:
            driver = await self._open()
            await driver.execute(_MOVES, entry_rows(batch), version_rows(batch))
        except asyncpg.UniqueViolationError:
            return False
        except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
            await self.close()
            raise DBAPIError("a batch of moves", None, error) from error
        except BaseException:
            await self.close()
            raise
        return True

    async def _open(self) -> Any:
        """The connection of the driver, which is made anew if it was lost."""
        if self._driver is not None and self._driver.is_closed():
            await self.close()
        if self._driver is None:
            self._connection = await self._engine.connect()
            self._driver = (await self._connection.get_raw_connection()).driver_connection
        return self._driver

    async def close(self) -> None:
        """Close the connection at once, without waiting for PostgreSQL. Another one is made when it is needed."""
        connection, driver = self._connection, self._driver
        self._connection = self._driver = None
        if driver is not None:
            driver.terminate()
        if connection is not None:
            await connection.invalidate()
            await connection.close()


def only_moves(batch: list[TableChange]) -> bool:
    return all(change.listing is None and change.new is None for change in batch)


async def store_batch(connection: AsyncConnection, batch: list[TableChange]) -> set[str]:
    """Store a batch; returns the tables to which another worker appended first."""
    new = [new_row(change) for change in batch if change.new is not None]
    if new:
        await connection.execute(tables.insert(), new)
    stored: dict[str, list[int]] = {}
    for table_id, number in await connection.execute(_INSERT, {"rows": entry_rows(batch)}):
        stored.setdefault(table_id, []).append(number)
    lost = conflicts(batch, stored)
    for table_id in sorted(lost):
        if table_id in stored:
            await connection.execute(
                entries.delete().where(entries.c.table_id == table_id, entries.c.number.in_(stored[table_id]))
            )
    kept = [change for change in batch if change.table_id not in lost]
    moved = [change for change in kept if change.listing is None]
    if moved:
        await connection.execute(_VERSIONS, {"rows": version_rows(moved)})
    for change in kept:
        await _store_listing(connection, change)
    await finishing.run(connection, [change.finished for change in kept if change.finished is not None])
    return lost


async def _store_listing(connection: AsyncConnection, change: TableChange) -> None:
    if change.listing is None:
        return
    if change.new is None:
        await connection.execute(tables.update().where(tables.c.id == change.table_id).values(**listing_row(change)))
    await connection.execute(held.delete().where(held.c.table_id == change.table_id))
    rows = [{"identity_id": holder, "table_id": change.table_id} for holder in change.listing.holders]
    if rows:
        await connection.execute(held.insert(), rows)
