"""Bots think in processes of their own: they cannot hold up the server, and they get a seat's view and nothing else."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from typing import Final, TypeVar, TypeVarTuple, Unpack

import anyio
import anyio.to_process
import structlog
from anyio import BrokenWorkerProcess

from wellies.core.errors import WelliesError
from wellies.core.events import Json
from wellies.server import bot_process
from wellies.server.metrics import Metrics
from wellies.server.turns import SOMEBODY, Purpose, Turns, is_instant

TRIES: Final = 3
AFTERTHOUGHTS: Final = 2
"""As often a move of a finished game is tried to be judged."""
STARTS: Final = 5
"""As often a process is tried to be started: a busy machine may take longer for one than anyio waits."""
GIVE_WAY_SECONDS: Final = 5.0
"""Seconds that a thought about a finished game waits at most for bots whose games are going on."""
log = structlog.get_logger("wellies.bots")

Answer = TypeVar("Answer")
Given = TypeVarTuple("Given")


class BotTrouble(WelliesError):
    """A bot could not find a move, again and again."""


class BotPool:
    """So many bots at the same time; the others queue.

    Bots that think for a while share `processes` places. Hints and bots that take no time have places of their own:
    nobody waits for an answer that takes a moment behind one that takes many seconds.
    """

    def __init__(self, processes: int, seconds: float, metrics: Metrics) -> None:
        places = processes or os.cpu_count() or 1
        self._deep = Turns(places)
        self._hints = Turns(max(1, places // 2))
        self._instant = Turns(places)
        self._seconds = seconds
        self._metrics = metrics
        self.think: Callable[[str, bytes, int, int], tuple[str, str]] = bot_process.choose
        """What runs in the process; the fault tests put something worse here."""
        self.reflect: Callable[[bytes, int, str, int, int], Json] = bot_process.judge
        """The same for moves of finished games."""
        self._afterthoughts = anyio.CapacityLimiter(1)
        self._starting: set[asyncio.Task[None]] = set()
        self._lost = ""
        """Why the last process was lost."""

    async def start(self) -> None:
        """Be ready to think."""

    async def stop(self) -> None:
        """Let go of what was opened; the processes end with the server."""

    async def choose(self, level: str, view: bytes, seat: int, purpose: Purpose = SOMEBODY) -> tuple[str, str]:
        """The bot's move as notation and in words. A process that dies or dawdles is replaced; at last BotTrouble."""
        started = time.monotonic()
        for attempt in range(TRIES):
            seed = secrets.randbits(62)
            async with self._turns(level, purpose).turn(purpose):
                found = await self._apart(f"The bot {level}", attempt, self.think, level, view, seat, seed)
            if found is not None:
                self._metrics.bot_moves += 1
                self._metrics.bot_seconds.add(time.monotonic() - started)
                return found
        raise BotTrouble(f"The bot {level} was lost {TRIES} times: {self._lost}.")

    def _turns(self, level: str, purpose: Purpose) -> Turns:
        if purpose.hint:
            return self._hints
        return self._instant if is_instant(level) else self._deep

    async def judge(self, view: bytes, seat: int, move: str, number: int, nodes: int) -> Json:
        """What is thought of a move of a finished game; see `bot_process.judge`. BotTrouble if nothing comes.

        One at a time, in a process beside those of the bots, and begun when one of these is free: nobody at a table
        waits for it.
        """
        async with self._afterthoughts:
            for attempt in range(AFTERTHOUGHTS):
                await self._give_way()
                found = await self._apart("The analysis", attempt, self.reflect, view, seat, move, number, nodes)
                if found is not None:
                    return found
        raise BotTrouble(f"The analysis was lost {AFTERTHOUGHTS} times: {self._lost}.")

    async def _apart(
        self, who: str, attempt: int, work: Callable[[Unpack[Given]], Answer], *given: *Given
    ) -> Answer | None:
        """What the work comes to in a process of its own; None if the process was lost or took too long. A mistake in
        the work is BotTrouble: it must not end the table, and whoever asked gets a move from somewhere else."""
        try:
            await self._process()
            # A machine that is busy with other things makes bots slower. It does not make them fail.
            with anyio.fail_after(self._seconds * business() * 2**attempt):
                return await anyio.to_process.run_sync(work, *given, cancellable=True, limiter=anyio.CapacityLimiter(1))
        except (BrokenWorkerProcess, TimeoutError, OSError) as error:
            self._metrics.bot_crashes += 1
            self._lost = str(error) or type(error).__name__
            log.warning("a process was lost", who=who, attempt=attempt + 1, reason=self._lost)
            return None
        except Exception as error:
            self._metrics.bot_crashes += 1
            log.exception("a mistake in a process", who=who)
            raise BotTrouble(f"{who} made a mistake: {error}") from error

    async def _process(self) -> None:
        """See to it that a process is there, with all that it imports. That takes a while and is not thinking time; it
        goes on to its end, for one that is given up half way stays behind."""
        starting = asyncio.create_task(self._start_process(), name="starting a process")
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        await asyncio.shield(starting)

    async def _start_process(self) -> None:
        for attempt in range(STARTS):
            try:
                await anyio.to_process.run_sync(bot_process.ready, limiter=anyio.CapacityLimiter(1))
            except BrokenWorkerProcess as error:
                log.info("a process did not start", attempt=attempt + 1, reason=str(error))
                if attempt == STARTS - 1:
                    raise
            else:
                return

    async def _give_way(self) -> None:
        """Wait until a bot could think too, for a while."""
        end = time.monotonic() + GIVE_WAY_SECONDS
        while not self._deep.free and time.monotonic() < end:
            await anyio.sleep(0.05)


def business() -> float:
    """How many times longer than on a quiet machine something may take now; 1 where that is not known."""
    try:
        waiting = os.getloadavg()[0]
    except (AttributeError, OSError):
        return 1.0
    return max(1.0, waiting / (os.cpu_count() or 1))
