"""Bots think in processes of their own: they cannot hold up the server, and they get a seat's view and nothing else."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from typing import Final

import anyio
import anyio.to_process
import structlog
from anyio import BrokenWorkerProcess

from wellies.core.errors import WelliesError
from wellies.server import thinking
from wellies.server.metrics import Metrics

TRIES: Final = 3
log = structlog.get_logger("wellies.bots")


class BotTrouble(WelliesError):
    """A bot could not find a move, again and again."""


class BotPool:
    """So many bots at the same time; the others queue."""

    def __init__(self, processes: int, seconds: float, metrics: Metrics) -> None:
        self._limiter = anyio.CapacityLimiter(processes or os.cpu_count() or 1)
        self._seconds = seconds
        self._metrics = metrics
        self.think: Callable[[str, bytes, int, int], tuple[str, str]] = thinking.choose
        """What runs in the process; the fault tests put something worse here."""

    async def start(self) -> None:
        """Be ready to think."""

    async def stop(self) -> None:
        """Let go of what was opened; the processes end with the server."""

    async def choose(self, level: str, view: bytes, seat: int) -> tuple[str, str]:
        """The bot's move as notation and in words. A process that dies or dawdles is replaced; at last BotTrouble."""
        started = time.monotonic()
        reason = ""
        for attempt in range(TRIES):
            try:
                async with self._limiter:
                    with anyio.fail_after(self._seconds):
                        found = await anyio.to_process.run_sync(
                            self.think,
                            level,
                            view,
                            seat,
                            secrets.randbits(62),
                            cancellable=True,
                            limiter=anyio.CapacityLimiter(1),
                        )
            except (BrokenWorkerProcess, TimeoutError, OSError) as error:
                self._metrics.bot_crashes += 1
                reason = str(error) or type(error).__name__
                log.warning("a bot's process was lost", level=level, attempt=attempt + 1, reason=reason)
            except Exception as error:
                # A mistake in a bot must not end the table: whoever asked gets a move from somewhere else.
                self._metrics.bot_crashes += 1
                log.exception("a bot made a mistake", level=level)
                raise BotTrouble(f"The bot {level} made a mistake: {error}") from error
            else:
                self._metrics.bot_moves += 1
                self._metrics.bot_seconds.add(time.monotonic() - started)
                return found
        raise BotTrouble(f"The bot {level} was lost {TRIES} times: {reason}")
