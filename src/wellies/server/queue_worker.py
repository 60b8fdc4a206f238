"""`wellies think`: a process that thinks for the bots of servers elsewhere, from the views that they send it."""

from __future__ import annotations

import os
from collections.abc import Awaitable
from typing import Any, cast

import msgspec
import structlog
from redis.exceptions import RedisError
from saq import Worker
from saq.types import Context, PartialTimersDict

from wellies.server import logs
from wellies.server.botpool import BotPool, BotTrouble
from wellies.server.botqueue import PLACES, Thought, open_queue
from wellies.server.metrics import Metrics
from wellies.server.settings import BadSetting, Settings, mask

log = structlog.get_logger("wellies.thinker")


class Thinker:
    """Takes jobs from the queue and answers on the channel that each names."""

    def __init__(self, settings: Settings) -> None:
        self._pool = BotPool(settings.bot_processes, settings.bot_seconds, Metrics())
        self._queue = open_queue(settings.redis)
        # No more jobs are taken than can be thought about at once: the rest is left to other thinkers.
        self.concurrency = settings.bot_processes or os.cpu_count() or 1

    async def think(self, context: Context, *, level: str, view: str, seat: int, reply: str) -> None:
        job: Any = context["job"]
        try:
            move, words = await self._pool.choose(level, view.encode(), seat)
            thought = Thought(job.key, move, words)
        except BotTrouble as error:
            thought = Thought(job.key, trouble=str(error))
        await self._queue.redis.publish(reply, msgspec.json.encode(thought))

    async def run(self) -> None:
        """Think until told to stop. RedisError if there is no Redis to begin with."""
        await cast("Awaitable[bool]", self._queue.redis.ping())
        worker: Worker[Context] = Worker(
            self._queue,
            [("think", self.think)],
            concurrency=self.concurrency,
            # The servers take a thinker that has not been heard of for a little longer than this to be gone.
            timers=PartialTimersDict(worker_info=3, sweep=20, abort=1, schedule=1),
            shutdown_grace_period_s=1,
            metadata={PLACES: self.concurrency},
        )
        try:
            await worker.start()
        finally:
            await self._queue.disconnect()


async def run(settings: Settings, say: Any) -> None:
    """Work until Ctrl+C. BadSetting says in one line what keeps it from starting."""
    logs.set_up(settings.log, settings.log_format)
    if not settings.redis:
        raise BadSetting("setting redis: thinkers take their work from Redis; give --redis redis://host:6379/0.")
    thinker = Thinker(settings)
    say(
        f"Thinking for the bots of servers at {mask(settings.redis)}, {thinker.concurrency} at a time (Ctrl+C stops it)"
    )
    try:
        await thinker.run()
    except (RedisError, OSError) as error:
        raise BadSetting(f"Redis at {mask(settings.redis)} does not answer: {error}") from error
