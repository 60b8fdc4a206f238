"""How a batch of changes is stored in PostgreSQL: a few statements for the whole batch, in one transaction."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

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
