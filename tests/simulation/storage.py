"""The simulated store: a disk in memory that all workers share and that outlives them, behind a slow, faulty link.

An operation is handed to the disk, is done there at some moment, and is answered at a later one. So it may be done
though its worker died or gave up meanwhile, or though its answer never arrives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

from simulation.disk import Disk
from simulation.history import STORAGE_FAULTS
from simulation.sources import EPOCH
from wellies.server.storage import Row, StorageTrouble, TableChange
from wellies.table import LogEntry, Table, TableInfo
from wellies.table.settings import State

if TYPE_CHECKING:
    from simulation.worker import Worker

Answer = TypeVar("Answer")

TIMEOUT: Final = 10.0
"""Seconds after which an operation that hangs fails, as PostgreSQL's driver has it."""
PING_TIMEOUT: Final = 5.0


class SimulatedStorage:
    """One worker's link to the disk: a `Store`."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._world = worker.world
        self._disk: Disk = worker.world.disk
        self._random: Random = worker.world.random(f"storage {worker.number} {worker.life}")
        self.under_way: dict[asyncio.TimerHandle, None] = {}
        """What was handed to the disk and is not done yet."""

    def lose_some(self) -> None:
        """The worker has died: some of what it handed over never arrives."""
        for handle in self.under_way:
            if self._random.random() < 0.5:
                handle.cancel()

    async def _do(
        self, name: str, work: Callable[[Disk], Answer], *, writes: bool = False, timeout: float = TIMEOUT
    ) -> Answer:
        """Have something done by the disk, with whatever goes wrong now."""
        world, random = self._world, self._random
        done_after = random.uniform(0.0001, 0.003)
        answered_after = done_after + random.uniform(0.0001, 0.002)
        fault = world.faults.strikes(STORAGE_FAULTS, self._worker.number, random)
        fails = False
        if fault is not None and (fault != "full" or writes) and (fault != "unanswered" or writes):
            world.faults.count(f"storage {fault}")
            if fault == "slow":
                done_after += random.uniform(0.05, 3.0)
                answered_after = done_after + random.uniform(0.001, 0.5)
            elif fault == "hanging":
                # It may be done before this is noticed, afterwards, or never.
                done_after = random.uniform(0.0, timeout + 3.0)
                answered_after, fails = timeout, True
            else:
                fails = True
            done = {"failing": 0.0, "full": 0.0, "hanging": 0.7}.get(fault, 1.0)
            if random.random() >= done:
                done_after = -1.0
        if fails:
            world.faults.storage_failed = True
        answer: asyncio.Future[Answer] = world.loop.create_future()
        if done_after >= 0:
            self._hand_over(name, done_after, answered_after, work, None if fails else answer)
        if fails:
            world.call_later(answered_after, _fail, answer, fault)
        return await answer

    def _hand_over(
        self,
        name: str,
        done_after: float,
        answered_after: float,
        work: Callable[[Disk], Answer],
        answer: asyncio.Future[Answer] | None,
    ) -> None:
        def do() -> None:
            del self.under_way[handle]
            try:
                result = work(self._disk)
            except Exception as error:
                self._world.trace("store", self._worker.number, name, repr(error))
                if answer is not None:
                    self._world.call_later(answered_after - done_after, _settle, answer, None, error)
                return
            self._world.trace("store", self._worker.number, name, result)
            if answer is not None:
                self._world.call_later(answered_after - done_after, _settle, answer, result, None)

        handle = self._world.call_later(done_after, do)
        self.under_way[handle] = None

    # --- the interface ---------------------------------------------------------------------------------------------

    async def migrate(self) -> None:
        await self._do("migrate", lambda _: None)

    async def close(self) -> None: ...

    async def ping(self) -> int | None:
        """The time of the store: one for all workers, as PostgreSQL has it. With one worker alone there is none, as
        with SQLite."""
        world = self._world

        def read_clock(_disk: Disk) -> int | None:
            return EPOCH + int(1000 * world.loop.now) if world.history.shared else None

        asked = world.loop.now
        read = await self._do("ping", read_clock, timeout=PING_TIMEOUT)
        return None if read is None else read + int((world.loop.now - asked) * 500)

    async def secret(self) -> str:
        return await self._do("secret", lambda disk: disk.secret)

    async def store(self, batch: list[TableChange]) -> set[str]:
        world = self._world
        return await self._do("batch", lambda disk: disk.store(batch, world.loop.now), writes=True)

    async def table(self, table_id: str) -> Table | None:
        return await self._do("table", lambda disk: disk.table(table_id))

    async def entries(self, table_id: str, after: int) -> list[LogEntry]:
        return await self._do("entries", lambda disk: disk.entries(table_id, after))

    async def versions(self, table_ids: list[str]) -> dict[str, int]:
        return await self._do("versions", lambda disk: disk.versions(table_ids))

    async def list_tables(
        self,
        owner: str,
        *,
        mine: bool = False,
        state: State | None = None,
        game: str | None = None,
        player: str | None = None,
        before: int | None = None,
        limit: int = 20,
    ) -> list[TableInfo]:
        wanted: dict[str, Any] = {"mine": mine, "state": state, "game": game, "player": player, "before": before}
        return await self._do("list", lambda disk: disk.list_tables(owner, limit=limit, **wanted))

    async def due_tables(self, now: int, limit: int) -> list[tuple[str, int]]:
        return await self._do("due", lambda disk: disk.due_tables(now, limit))

    async def claim(self, table_id: str, wake_at: int, until: int) -> bool:
        return await self._do("claim", lambda disk: disk.claim(table_id, wake_at, until), writes=True)

    async def bot_tables(self, host: str) -> int:
        return await self._do("bot tables", lambda disk: disk.bot_tables(host))

    async def games_finished(self, identity_id: str, game: str) -> int:
        return await self._do("games", lambda disk: disk.games_finished(identity_id, game))

    async def identity(self, identity_id: str) -> Row | None:
        return await self._do("identity", lambda disk: disk.identity(identity_id))

    async def account(self, login: str) -> Row | None:
        return await self._do("account", lambda disk: disk.account(login))

    async def add_identity(self, row: Row) -> None:
        await self._do("add identity", lambda disk: disk.add_identity(row), writes=True)

    async def change_identity(self, identity_id: str, values: Row) -> Row:
        return await self._do("change", lambda disk: disk.change_identity(identity_id, values), writes=True)

    async def epochs(self, identity_ids: list[str]) -> dict[str, int]:
        return await self._do("epochs", lambda disk: disk.epochs(identity_ids))

    async def ended(self, identity_ids: list[str]) -> set[str]:
        return await self._do("ended", lambda disk: disk.ended(identity_ids))

    async def end_session(self, session: str, identity_id: str, now: int, forget: int) -> None:
        await self._do("end", lambda disk: disk.end_session(session, identity_id, now, forget), writes=True)

    async def add_chat(self, row: Row) -> int:
        return await self._do("chat", lambda disk: disk.add_chat(row), writes=True)

    async def chat_lines(self, table_id: str, limit: int) -> list[Row]:
        return await self._do("chat lines", lambda disk: disk.chat_lines(table_id, limit))

    async def analysis(self, table_id: str) -> Row | None:
        return await self._do("analysis", lambda disk: disk.analysis(table_id))

    async def claim_analysis(self, table_id: str, worker: str, now: int, stale: int) -> bool:
        return await self._do(
            "claim analysis", lambda disk: disk.claim_analysis(table_id, worker, now, stale), writes=True
        )

    async def update_analysis(self, table_id: str, worker: str, values: Row) -> None:
        await self._do("analysis", lambda disk: disk.update_analysis(table_id, worker, values), writes=True)

    async def drop_analysis(self, table_id: str, worker: str) -> None:
        await self._do("drop analysis", lambda disk: disk.drop_analysis(table_id, worker), writes=True)


def _fail(answer: asyncio.Future[Any], fault: str) -> None:
    if not answer.done():
        answer.set_exception(StorageTrouble(f"The simulated store is {fault}."))


def _settle(answer: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(result)
    else:
        answer.set_exception(error)
