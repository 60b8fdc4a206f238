"""Bots think in worker processes: they cannot block the server, and they get a seat's view and nothing else."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, Protocol, TypeVar, TypeVarTuple, Unpack

import structlog

from wellies.bots.process_pool import ProcessPool, WorkerLost
from wellies.core.events import Json
from wellies.core.sources import monotonic, random_below
from wellies.match import bot_tasks
from wellies.server.fair_queue import ANYONE, FairQueue, Purpose, is_instant
from wellies.server.metrics import Metrics
from wellies.table.errors import BotTrouble

TRIES: Final = 3
"""How often a bot is asked for a move if its process is lost or takes too long."""
ANALYSIS_TRIES: Final = 2
"""The same for the analysis of a move."""
IDLE_SECONDS: Final = 300.0
"""Worker processes end after this time without work."""
GIVE_WAY_SECONDS: Final = 5.0
"""How long the analysis of a move waits at most for bots of games that are going on."""
log = structlog.get_logger("wellies.bots")

Answer = TypeVar("Answer")
Args = TypeVarTuple("Args")


class WorkerProcesses(Protocol):
    """What runs functions in other processes: a `ProcessPool`, or a simulation of one."""

    def submit(
        self, function: Callable[[Unpack[Args]], Answer], *args: *Args, timeout: float | None = None
    ) -> Future[Answer]:
        """Run a function. Its future fails with TimeoutError or WorkerLost."""

    def close(self) -> None:
        """End all processes."""


class BotPool:
    """Runs a limited number of bots at the same time; the others wait in a fair queue.

    Bots that think for a while share `processes` slots. Hints and instant bots have slots of their own, so that a quick
    answer never waits for a slow one.
    """

    def __init__(
        self, processes: int, seconds: float, metrics: Metrics, workers: WorkerProcesses | None = None
    ) -> None:
        slots = processes or os.cpu_count() or 1
        hint_slots = max(1, slots // 2)
        self._slow = FairQueue(slots)
        self._hints = FairQueue(hint_slots)
        self._instant = FairQueue(slots)
        self._analysis = asyncio.Lock()
        # The server has threads, so its workers are not forked. One more worker is for the analysis.
        self._workers = workers or ProcessPool(2 * slots + hint_slots + 1, "spawn", bot_tasks.load, IDLE_SECONDS)
        self._seconds = seconds
        self._metrics = metrics
        self.think: Callable[[str, bytes, int, int], tuple[str, str]] = bot_tasks.choose
        """The function that runs in the process; tests put failing ones here."""
        self.explain: Callable[[str, bytes, int, int], Json] = bot_tasks.hint
        """The same for hints."""
        self.analyse: Callable[[bytes, int, str, int, int], Json] = bot_tasks.judge
        """The same for the analysis of moves."""
        self._last_loss = ""
        """Why the last process was lost."""

    async def start(self) -> None:
        """Open connections; here there are none."""

    async def stop(self) -> None:
        """End all processes."""
        await asyncio.to_thread(self._workers.close)

    async def choose(self, level: str, view: bytes, seat: int, purpose: Purpose = ANYONE) -> tuple[str, str]:
        """The bot's move in notation and in words. If its process is lost or takes too long, it is asked again, and at
        last this is BotTrouble."""
        return await self._ask_bot(self.think, level, view, seat, purpose)

    async def hint(self, level: str, view: bytes, seat: int, purpose: Purpose) -> Json:
        """The move that a bot would choose, and why; see `bot_tasks.hint`. It fails like `choose`."""
        return await self._ask_bot(self.explain, level, view, seat, purpose)

    async def _ask_bot(
        self, function: Callable[[str, bytes, int, int], Answer], level: str, view: bytes, seat: int, purpose: Purpose
    ) -> Answer:
        started = monotonic()
        for attempt in range(TRIES):
            seed = random_below(1 << 62)
            async with self._queue_for(level, purpose).slot(purpose):
                found = await self._run(f"The bot {level}", attempt, function, level, view, seat, seed)
            if found is not None:
                self._metrics.bot_moves += 1
                self._metrics.bot_seconds.add(monotonic() - started)
                return found
        raise BotTrouble(f"The bot {level} was lost {TRIES} times: {self._last_loss}")

    def _queue_for(self, level: str, purpose: Purpose) -> FairQueue:
        if purpose.hint:
            return self._hints
        return self._instant if is_instant(level) else self._slow

    async def judge(self, view: bytes, seat: int, move: str, number: int, nodes: int) -> Json:
        """The analysis of a move of a finished game; see `bot_tasks.judge`. BotTrouble if it fails.

        One at a time, in a process of its own, and begun when a slot for slow bots is free: no table waits for it.
        """
        async with self._analysis:
            for attempt in range(ANALYSIS_TRIES):
                await self._give_way()
                found = await self._run("The analysis", attempt, self.analyse, view, seat, move, number, nodes)
                if found is not None:
                    return found
        raise BotTrouble(f"The analysis was lost {ANALYSIS_TRIES} times: {self._last_loss}")

    async def _run(
        self, who: str, attempt: int, function: Callable[[Unpack[Args]], Answer], *args: *Args
    ) -> Answer | None:
        """The result of a function in a worker process; None if the process was lost or took too long. An error of the
        function is BotTrouble: the table goes on, with a move of another bot. Cancelling this kills the process."""
        # Time in which the process waits for a processor does not count: on a busy machine bots take longer.
        timeout = self._seconds * 2**attempt
        try:
            return await asyncio.wrap_future(self._workers.submit(function, *args, timeout=timeout))
        except (WorkerLost, TimeoutError) as error:
            self._metrics.bot_crashes += 1
            self._last_loss = str(error)
            log.warning("a bot process was lost", who=who, attempt=attempt + 1, reason=self._last_loss)
            return None
        except Exception as error:
            self._metrics.bot_crashes += 1
            log.exception("an error in a bot process", who=who)
            raise BotTrouble(f"{who} made a mistake: {error}") from error

    async def _give_way(self) -> None:
        """Wait for a free slot for slow bots, for a limited time."""
        end = monotonic() + GIVE_WAY_SECONDS
        while not self._slow.free and monotonic() < end:
            await asyncio.sleep(0.05)
