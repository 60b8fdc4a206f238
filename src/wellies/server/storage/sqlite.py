"""How a batch of changes is stored in SQLite: in one trip to one thread with one connection.

The general way through SQLAlchemy makes a trip for every statement and takes five times the processor time.
"""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from wellies.server.storage.batch import TableChange, conflicts, entry_rows, listing_row, new_row, version_rows
from wellies.server.storage.database import ASK_AGAIN, SQLITE_PRAGMAS, TIMEOUT, begin_writing
from wellies.server.storage.finishing import run_in_sqlite
from wellies.server.storage.schema import tables

_INSERT: Final = """
INSERT INTO entries (table_id, number, kind, seat, text, at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]')
FROM json_each(:rows) WHERE true
ON CONFLICT DO NOTHING RETURNING table_id, number
"""
_VERSIONS: Final = """
UPDATE tables SET version = r.version, waiting = r.waiting, wake_at = r.wake_at
FROM (SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS version,
             json_extract(value, '$[2]') AS waiting, json_extract(value, '$[3]') AS wake_at
      FROM json_each(:rows)) r
WHERE tables.id = r.id
"""
_LISTING: Final = """
UPDATE tables SET state = :state, private = :private, summary = :summary, names = :names, version = :version,
waiting = :waiting, wake_at = :wake_at WHERE id = :id
"""
_COLUMNS: Final = [column.name for column in tables.columns]
_NEW: Final = f"INSERT INTO tables ({', '.join(_COLUMNS)}) VALUES (:{', :'.join(_COLUMNS)})"


class SqliteWriter:
    """A connection in a thread of its own that stores batches."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._thread = ThreadPoolExecutor(1, "sqlite writer")
        self._connection: sqlite3.Connection | None = None

    async def store(self, batch: list[TableChange]) -> set[str]:
        """Store a batch; returns the tables to which another worker appended first."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._store, batch, entry_rows(batch))

    async def execute(self, command: str) -> None:
        """Run one command on the writer's connection."""
        await asyncio.get_running_loop().run_in_executor(self._thread, lambda: self._open().execute(command))

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, timeout=TIMEOUT, isolation_level=None)
            for pragma in (*SQLITE_PRAGMAS, ASK_AGAIN):
                self._connection.execute(pragma)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _store(self, batch: list[TableChange], rows: str) -> set[str]:
        connection = self._open()
        try:
            begin_writing(connection.execute)
            lost = _statements(connection, batch, rows)
            connection.execute("COMMIT")
        except BaseException:
            # Closing the connection ends its transaction.
            self._close()
            raise
        return lost


def _statements(connection: sqlite3.Connection, batch: list[TableChange], rows: str) -> set[str]:
    for change in batch:
        if change.new is not None:
            connection.execute(_NEW, new_row(change))
    stored: dict[str, list[int]] = {}
    for table_id, number in connection.execute(_INSERT, {"rows": rows}).fetchall():
        stored.setdefault(table_id, []).append(number)
    lost = conflicts(batch, stored)
    for table_id in lost:
        for number in stored.get(table_id, ()):
            connection.execute("DELETE FROM entries WHERE table_id = ? AND number = ?", (table_id, number))
    kept = [change for change in batch if change.table_id not in lost]
    moved = [change for change in kept if change.listing is None]
    if moved:
        connection.execute(_VERSIONS, {"rows": version_rows(moved)})
    for change in kept:
        if change.listing is None:
            continue
        if change.new is None:
            connection.execute(_LISTING, listing_row(change))
        connection.execute("DELETE FROM held_seats WHERE table_id = ?", (change.table_id,))
        connection.executemany(
            "INSERT INTO held_seats (identity_id, table_id) VALUES (?, ?)",
            [(holder, change.table_id) for holder in change.listing.holders],
        )
    run_in_sqlite(connection, [change.finished for change in kept if change.finished is not None])
    return lost
