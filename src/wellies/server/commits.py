"""Group commit: appends of many tables that arrive while the database is busy go into one transaction.

Nobody waits for company: the first append starts a commit at once, and those that arrive meanwhile make the next one.
Each append is answered only after COMMIT. A conflict on one table leaves the others of the batch alone.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec
import sqlalchemy as sa
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from wellies.server.metrics import Metrics
from wellies.server.storage import (
    PATIENCE,
    SQLITE_PRAGMAS,
    Conflict,
    Row,
    RowRefused,
    Storage,
    StorageTrouble,
    entries,
    held,
    tables,
)

log = structlog.get_logger("wellies.commits")

MOST: Final = 500
"""Appends in one transaction, at most."""

EntryRow = tuple[str, int, str, int | None, str, int]
"""table, number, kind, seat, text, at."""


class TableRow(msgspec.Struct, array_like=True):
    """What lists and searches know of a table; kept in step with its log by the same transaction."""

    id: str
    state: str
    private: bool
    summary: str
    names: str
    version: int
    waiting: str
    wake_at: int | None


class QuickRow(msgspec.Struct, array_like=True):
    """The part of it that a plain move changes."""

    id: str
    version: int
    waiting: str
    wake_at: int | None


class Append:
    """New entries of one table, numbered from where it stood; `row` and `holders` if more than a move was made, `new`
    if the table itself is new."""

    __slots__ = ("done", "holders", "new", "quick", "row", "rows")

    def __init__(
        self,
        rows: list[EntryRow],
        quick: QuickRow,
        row: TableRow | None = None,
        holders: list[str] | None = None,
        new: Row | None = None,
    ) -> None:
        self.new = new
        self.rows = rows
        self.quick = quick
        self.row = row
        self.holders = holders
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


_SQLITE_INSERT: Final = """
INSERT INTO entries (table_id, number, kind, seat, text, at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]')
FROM json_each(:rows) WHERE true
ON CONFLICT DO NOTHING RETURNING table_id, number
"""
_SQLITE_QUICK: Final = """
UPDATE tables SET version = r.version, waiting = r.waiting, wake_at = r.wake_at
FROM (SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS version,
             json_extract(value, '$[2]') AS waiting, json_extract(value, '$[3]') AS wake_at
      FROM json_each(:rows)) r
WHERE tables.id = r.id
"""
_COLUMNS: Final = [column.name for column in tables.columns]
_SQLITE_NEW: Final = f"INSERT INTO tables ({', '.join(_COLUMNS)}) VALUES (:{', :'.join(_COLUMNS)})"
_POSTGRES_INSERT: Final = """
INSERT INTO entries (table_id, number, kind, seat, text, at)
SELECT value->>0, (value->>1)::int, value->>2, (value->>3)::int, value->>4, (value->>5)::bigint
FROM jsonb_array_elements(CAST(:rows AS jsonb)) ON CONFLICT DO NOTHING RETURNING table_id, number
"""
_POSTGRES_QUICK: Final = """
UPDATE tables SET version = r.version, waiting = r.waiting, wake_at = r.wake_at
FROM (SELECT value->>0 AS id, (value->>1)::int AS version, value->>2 AS waiting, (value->>3)::bigint AS wake_at
      FROM jsonb_array_elements(CAST(:rows AS jsonb))) r
WHERE tables.id = r.id
"""
_FULL: Final = """
UPDATE tables SET state = :state, private = :private, summary = :summary, names = :names, version = :version,
waiting = :waiting, wake_at = :wake_at WHERE id = :id
"""


class Committer:
    """Takes appends and stores them, one transaction at a time."""

    def __init__(self, storage: Storage, metrics: Metrics) -> None:
        self._storage = storage
        self._metrics = metrics
        self._queue: deque[Append] = deque()
        self._news = asyncio.Event()
        self._busy = False
        self._task: asyncio.Task[None] | None = None
        self._insert = sa.text(_SQLITE_INSERT if storage.is_sqlite else _POSTGRES_INSERT)
        self._quick = sa.text(_SQLITE_QUICK if storage.is_sqlite else _POSTGRES_QUICK)
        self._full = sa.text(_FULL)
        self.writer = SqliteWriter(str(storage.url.database)) if storage.is_sqlite else None

    async def append(self, append: Append) -> None:
        """Returns when it is stored for good. `Conflict`: another worker was first; `StorageTrouble`: ask again."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name="group commit")
        self._queue.append(append)
        self._news.set()
        await append.done

    async def close(self) -> None:
        """Store what is queued and under way, then stop."""
        while self._queue or self._busy:
            await asyncio.sleep(0.01)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self.writer is not None:
            await self.writer.close()

    async def _work(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._queue:
                batch = [self._queue.popleft() for _ in range(min(MOST, len(self._queue)))]
                self._busy = True
                try:
                    await self._store(batch)
                finally:
                    self._busy = False

    async def _store(self, batch: list[Append]) -> None:
        started = asyncio.get_running_loop().time()
        try:
            lost = await self._transaction(batch)
        except StorageTrouble as error:
            if not isinstance(error, RowRefused):
                self._metrics.storage_errors += 1
                self._fail(batch, error, error)
            else:
                await self._store_each(batch, error)
            return
        except Exception as error:
            # A row that cannot even be written down.
            await self._store_each(batch, error)
            return
        except BaseException as error:
            # Whatever it is, those who wait must hear of it; a cancelled commit may or may not have happened.
            self._fail(batch, StorageTrouble("The server stopped while storing; look at the table again."), error)
            raise
        self._metrics.commit(len(batch), asyncio.get_running_loop().time() - started)
        for append in batch:
            if append.done.cancelled():
                continue
            if append.quick.id in lost:
                append.done.set_exception(Conflict())
            else:
                append.done.set_result(None)

    async def _store_each(self, batch: list[Append], error: Exception) -> None:
        """Something in a batch cannot be stored: find out what it is, and store the rest."""
        if len(batch) == 1:
            self._fail(batch, RowRefused("The database refused this entry; nothing was stored."), error)
            return
        for append in batch:
            await self._store([append])

    def _fail(self, batch: list[Append], trouble: StorageTrouble, cause: BaseException) -> None:
        log.error("a commit failed", appends=len(batch), reason=str(trouble), cause=repr(cause.__cause__ or cause))
        for append in batch:
            if not append.done.done():
                told = type(trouble)(str(trouble))
                told.__cause__ = cause
                append.done.set_exception(told)

    async def _transaction(self, batch: list[Append]) -> set[str]:
        """Store a batch; returns the tables on which somebody else was first."""
        # In the order of keys, so that two workers never wait for each other in a circle.
        rows = sorted((row for append in batch for row in append.rows), key=lambda row: (row[0], row[1]))
        if self.writer is not None:
            async with self._storage.troubles(), self._storage.write_lock:
                return await self.writer.store(batch, _json(rows))
        async with self._storage.writing() as connection:
            new = [append.new for append in batch if append.new is not None]
            if new:
                await connection.execute(tables.insert(), new)
            done = await connection.execute(self._insert, {"rows": _json(rows)})
            stored: dict[str, list[int]] = {}
            for table_id, number in done:
                stored.setdefault(table_id, []).append(number)
            lost = _lost(batch, stored)
            for table_id in sorted(lost):
                if table_id in stored:
                    await connection.execute(
                        entries.delete().where(entries.c.table_id == table_id, entries.c.number.in_(stored[table_id]))
                    )
            kept = [append for append in batch if append.quick.id not in lost]
            quick = [append.quick for append in kept if append.row is None]
            if quick:
                await connection.execute(self._quick, {"rows": _json(quick)})
            for append in kept:
                await self._rest(connection, append)
        return lost

    async def _rest(self, connection: AsyncConnection, append: Append) -> None:
        if append.row is not None:
            await connection.execute(self._full, msgspec.structs.asdict(append.row))
        if append.holders is not None:
            table_id = append.quick.id
            await connection.execute(held.delete().where(held.c.table_id == table_id))
            if append.holders:
                await connection.execute(
                    held.insert(), [{"identity_id": holder, "table_id": table_id} for holder in append.holders]
                )


class SqliteWriter:
    """SQLite's own way for the hot path: a whole batch in one trip to one thread, where the general way takes a trip
    for every statement. It costs a fifth of the processor time."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._thread = ThreadPoolExecutor(1, "sqlite writer")
        self._connection: sqlite3.Connection | None = None

    async def store(self, batch: list[Append], rows: str) -> set[str]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._store, batch, rows)

    async def do(self, command: str) -> None:
        """Run one command on the writer's connection."""
        await asyncio.get_running_loop().run_in_executor(self._thread, lambda: self._open().execute(command))

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, timeout=PATIENCE, isolation_level=None)
            for pragma in SQLITE_PRAGMAS:
                self._connection.execute(pragma)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _store(self, batch: list[Append], rows: str) -> set[str]:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            lost = self._statements(connection, batch, rows)
            connection.execute("COMMIT")
        except BaseException:
            # Whatever the connection was in the middle of ends with it.
            self._close()
            raise
        return lost

    def _statements(self, connection: sqlite3.Connection, batch: list[Append], rows: str) -> set[str]:
        for append in batch:
            if append.new is not None:
                connection.execute(_SQLITE_NEW, append.new)
        stored: dict[str, list[int]] = {}
        for table_id, number in connection.execute(_SQLITE_INSERT, {"rows": rows}).fetchall():
            stored.setdefault(table_id, []).append(number)
        lost = _lost(batch, stored)
        for table_id in lost:
            for number in stored.get(table_id, ()):
                connection.execute("DELETE FROM entries WHERE table_id = ? AND number = ?", (table_id, number))
        kept = [append for append in batch if append.quick.id not in lost]
        quick = [append.quick for append in kept if append.row is None]
        if quick:
            connection.execute(_SQLITE_QUICK, {"rows": _json(quick)})
        for append in kept:
            if append.row is not None:
                connection.execute(_FULL, msgspec.structs.asdict(append.row))
            if append.holders is not None:
                connection.execute("DELETE FROM held_seats WHERE table_id = ?", (append.quick.id,))
                connection.executemany(
                    "INSERT INTO held_seats (identity_id, table_id) VALUES (?, ?)",
                    [(holder, append.quick.id) for holder in append.holders],
                )
        return lost


def _lost(batch: list[Append], stored: dict[str, list[int]]) -> set[str]:
    """The tables of which not every entry found its number free."""
    return {append.quick.id for append in batch if len(stored.get(append.quick.id, ())) != len(append.rows)}


def _json(rows: object) -> str:
    return msgspec.json.encode(rows).decode()
