"""`wellies think`: a queue worker, which runs the bots of servers on other machines."""

from __future__ import annotations

import os
from collections.abc import Awaitable
from typing import Any, cast

import msgspec
from redis.exceptions import RedisError
from saq import Worker
from saq.types import Context, PartialTimersDict

from wellies.server import logs
from wellies.server.botpool import BotPool
from wellies.server.botqueue import SLOTS_KEY, BotAnswer, open_queue
from wellies.server.fair_queue import Purpose
from wellies.server.metrics import Metrics
from wellies.server.settings import BadSetting, Settings, mask
from wellies.table.errors import BotTrouble


class QueueWorker:
    """Takes jobs from the queue and answers on the channel that each names."""

    def __init__(self, settings: Settings) -> None:
        self._pool = BotPool(settings.bot_processes, settings.bot_seconds, Metrics())
        self._queue = open_queue(settings.redis)
        # It takes as many jobs as it can run at the same time, and leaves the rest to other queue workers.
        self.concurrency = settings.bot_processes or os.cpu_count() or 1

    async def think(
        self, context: Context, *, level: str, view: str, seat: int, reply: str, hint: bool = False
    ) -> None:
        job: Any = context["job"]
        try:
            if hint:
                found = await self._pool.hint(level, view.encode(), seat, Purpose("", hint=True))
                answer = BotAnswer(job.key, found["move"], found["words"], hint=found)
            else:
                move, words = await self._pool.choose(level, view.encode(), seat)
                answer = BotAnswer(job.key, move, words)
        except BotTrouble as error:
            answer = BotAnswer(job.key, trouble=str(error))
        await self._queue.redis.publish(reply, msgspec.json.encode(answer))

    async def run(self) -> None:
        """Process jobs until stopped. RedisError if Redis does not answer at the start."""
        await cast("Awaitable[bool]", self._queue.redis.ping())
        worker: Worker[Context] = Worker(
            self._queue,
            [("think", self.think)],
            concurrency=self.concurrency,
            # Servers drop a queue worker from their list if it has not reported for a little longer than this.
            timers=PartialTimersDict(worker_info=3, sweep=20, abort=1, schedule=1),
            shutdown_grace_period_s=1,
            metadata={SLOTS_KEY: self.concurrency},
        )
        try:
            await worker.start()
        finally:
            await self._queue.disconnect()
            await self._pool.stop()


async def run(settings: Settings, say: Any) -> None:
    """Process jobs until Ctrl+C. BadSetting if it cannot start."""
    logs.set_up(settings.log, settings.log_format)
    if not settings.redis:
        raise BadSetting("setting redis: `wellies think` takes its jobs from Redis; give --redis redis://host:6379/0.")
    worker = QueueWorker(settings)
    say(f"Thinking for the bots of servers at {mask(settings.redis)}, {worker.concurrency} at a time (Ctrl+C stops)")
    try:
        await worker.run()
    except (RedisError, OSError) as error:
        raise BadSetting(f"Redis at {mask(settings.redis)} does not answer: {error}") from error
