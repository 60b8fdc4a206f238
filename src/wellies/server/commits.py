"""Group commit: changes of many tables that arrive while the database is busy are stored in one transaction.

No time is waited to fill a batch: the first change is stored at once, and those that arrive meanwhile are the next
batch, with those that wait in the sockets by then. A change is acknowledged only after COMMIT. A conflict on one table
leaves the others of the batch alone.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

import structlog

from wellies.server.metrics import Metrics
from wellies.server.storage import Conflict, RowRefused, StorageTrouble, Store, TableChange

log = structlog.get_logger("wellies.commits")

LARGEST_BATCH: Final = 500
"""Changes in one transaction, at most."""


READ_STEPS: Final = 4
"""Steps of the event loop in which what waits in the sockets becomes changes to be stored: it is read, given to the
task of its socket, and made in a task of its own."""


class Pending:
    """A change that waits to be stored."""

    __slots__ = ("change", "stored")

    def __init__(self, change: TableChange) -> None:
        self.change = change
        self.stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Committer:
    """Queues changes and stores them, one transaction at a time."""

    def __init__(self, storage: Store, metrics: Metrics) -> None:
        self._storage = storage
        self._metrics = metrics
        self._queue: deque[Pending] = deque()
        self._queued = asyncio.Event()
        self._busy = False
        self._task: asyncio.Task[None] | None = None

    async def store(self, change: TableChange) -> None:
        """Returns when the change is stored for good. `Conflict`: another worker was first; `StorageTrouble`: try
        again."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name="group commit")
        pending = Pending(change)
        self._queue.append(pending)
        self._queued.set()
        await pending.stored

    async def close(self) -> None:
        """Store what is queued and under way, then stop."""
        while self._queue or self._busy:
            await asyncio.sleep(0.01)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _work(self) -> None:
        while True:
            await self._queued.wait()
            self._queued.clear()
            while self._queue:
                for _ in range(READ_STEPS):
                    await asyncio.sleep(0)
                batch = [self._queue.popleft() for _ in range(min(LARGEST_BATCH, len(self._queue)))]
                self._busy = True
                try:
                    await self._store(batch)
                finally:
                    self._busy = False
                    batch.clear()  # else those who asked stay in memory until the next batch, also if they are gone

    async def _store(self, batch: list[Pending]) -> None:
        started = asyncio.get_running_loop().time()
        try:
            lost = await self._storage.store([pending.change for pending in batch])
        except StorageTrouble as error:
            if not isinstance(error, RowRefused):
                self._metrics.storage_errors += 1
                self._fail(batch, error, error)
            else:
                await self._store_each(batch, error)
            return
        except Exception as error:
            # A row that cannot be encoded.
            await self._store_each(batch, error)
            return
        except BaseException as error:
            # Those who wait must be told; a cancelled commit may or may not have happened.
            self._fail(batch, StorageTrouble("The server stopped while storing; look at the table again."), error)
            raise
        self._metrics.commit(len(batch), asyncio.get_running_loop().time() - started)
        for pending in batch:
            if pending.stored.cancelled():
                continue
            if pending.change.table_id in lost:
                pending.stored.set_exception(Conflict())
            else:
                pending.stored.set_result(None)

    async def _store_each(self, batch: list[Pending], error: Exception) -> None:
        """Something in a batch cannot be stored: store each change alone, so that only that one fails."""
        if len(batch) == 1:
            self._fail(batch, RowRefused("The database refused this entry; nothing was stored."), error)
            return
        for pending in batch:
            await self._store([pending])

    def _fail(self, batch: list[Pending], trouble: StorageTrouble, cause: BaseException) -> None:
        log.error("a commit failed", changes=len(batch), reason=str(trouble), cause=repr(cause.__cause__ or cause))
        for pending in batch:
            if not pending.stored.done():
                error = type(trouble)(str(trouble))
                error.__cause__ = cause
                pending.stored.set_exception(error)
