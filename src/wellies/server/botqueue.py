"""Bots on other machines: a queue of jobs on Redis, which the queue workers (`wellies think`) process.

The answer comes back on a channel of this server process. If anything goes wrong on the way (Redis is down, there is no
queue worker, or one is killed), the bot runs here: a table never waits for a machine that does not answer.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Any, Final, cast

import msgspec
import structlog
from redis.exceptions import RedisError
from saq.job import Job
from saq.queue.redis import RedisQueue

from wellies.bots.processor_time import load_factor
from wellies.core.events import Json
from wellies.core.sources import monotonic, random_hex
from wellies.server.botpool import BotPool
from wellies.server.fair_queue import ANYONE, FairQueue, Purpose, is_instant
from wellies.server.metrics import Metrics
from wellies.server.redis_connection import open_redis
from wellies.table.errors import BotTrouble

QUEUE: Final = "wellies-bots"
ANSWERS: Final = "wellies:thought:"
REFRESH_SECONDS: Final = 5.0
"""How long the number of queue workers is cached."""
QUEUE_SECONDS: Final = 5.0
"""How long a job may wait in the queue, beyond the time of the bot itself."""
QUICK_SECONDS: Final = 2.0
"""How long a hint or an instant bot may take there. After that it runs here: the queue workers are busy."""
REDIS_SECONDS: Final = 1.5
"""How long Redis may take to answer. It may hang without closing the connection."""
SLOTS_KEY: Final = "places"
"""The key, in the metadata of a queue worker, of the number of bots that it runs at the same time."""

log = structlog.get_logger("wellies.bots")


class BotAnswer(msgspec.Struct, omit_defaults=True):
    """The answer of a queue worker: a move in notation and in words, or in `trouble` why there is none. The answer to a
    hint has all of it in `hint`, with the reasons."""

    job: str
    move: str = ""
    words: str = ""
    trouble: str = ""
    hint: Json | None = None


_decode_answer = msgspec.json.Decoder(BotAnswer).decode


def open_queue(url: str) -> RedisQueue:
    """The queue of bot jobs on this Redis."""
    # Queue workers wait for a job in one long call, so this connection has no timeout for answers.
    return RedisQueue(open_redis(url, socket_connect_timeout=3, health_check_interval=10), name=QUEUE)


class BotQueue(BotPool):
    """A pool that gives its work to queue workers if there are any."""

    def __init__(self, url: str, processes: int, seconds: float, metrics: Metrics) -> None:
        super().__init__(processes, seconds, metrics)
        self._queue = open_queue(url)
        self._redis = open_redis(url, socket_connect_timeout=REDIS_SECONDS)
        self._remote = FairQueue(1)
        """As many slots as the queue workers have. Slow bots wait for one here, so that the order is fair."""
        self._answers = ANSWERS + random_hex(8)
        self._waiting: dict[str, asyncio.Future[BotAnswer]] = {}
        self._listener: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()
        self._aborting: set[asyncio.Task[None]] = set()
        self._worker_count = 0
        self._counted_at = -REFRESH_SECONDS

    async def start(self) -> None:
        self._listener = asyncio.create_task(self._listen(), name="bot queue")

    async def stop(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        with contextlib.suppress(RedisError, OSError):
            await self._queue.disconnect()
            await self._redis.aclose()
        await super().stop()

    async def choose(self, level: str, view: bytes, seat: int, purpose: Purpose = ANYONE) -> tuple[str, str]:
        found = await self._elsewhere(level, view, seat, purpose)
        if found is None:
            return await super().choose(level, view, seat, purpose)
        return found.move, found.words

    async def hint(self, level: str, view: bytes, seat: int, purpose: Purpose) -> Json:
        found = await self._elsewhere(level, view, seat, purpose)
        if found is None or found.hint is None:
            return await super().hint(level, view, seat, purpose)
        return found.hint

    async def _elsewhere(self, level: str, view: bytes, seat: int, purpose: Purpose) -> BotAnswer | None:
        """The answer of a queue worker; None if the bot has to run here."""
        started = monotonic()
        quick = purpose.hint or is_instant(level)
        try:
            if await self.worker_count():
                if quick:
                    found = await self._ask(level, view, seat, QUICK_SECONDS, purpose.hint)
                else:
                    async with self._remote.slot(purpose):
                        found = await self._ask(level, view, seat, self._seconds * load_factor() + QUEUE_SECONDS)
                self._metrics.bot_moves += 1
                self._metrics.bot_moves_elsewhere += 1
                self._metrics.bot_seconds.add(monotonic() - started)
                return found
        except (RedisError, OSError, TimeoutError) as error:
            self._counted_at = -REFRESH_SECONDS
            report = log.info if quick else log.warning
            report("no queue worker has answered; the bot runs here", level=level, reason=str(error) or "timeout")
        return None

    async def worker_count(self) -> int:
        """The number of queue workers, cached for a short time."""
        if not self._listening.is_set():
            return 0
        if monotonic() - self._counted_at >= REFRESH_SECONDS:
            before = self._worker_count
            async with asyncio.timeout(REDIS_SECONDS):
                workers = (await self._queue.info())["workers"]
            self._worker_count = len(workers)
            self._remote.resize(sum(_slots(worker) for worker in workers.values()))
            self._counted_at = monotonic()
            if bool(before) != bool(self._worker_count):
                where = "on queue workers" if self._worker_count else "here"
                log.info(f"bots run {where}", queue_workers=self._worker_count)
        return self._worker_count

    async def _ask(self, level: str, view: bytes, seat: int, timeout: float, hint: bool = False) -> BotAnswer:
        """The answer of a queue worker. TimeoutError if none comes, or if Redis hangs meanwhile."""
        key = random_hex(12)
        answer: asyncio.Future[BotAnswer] = asyncio.get_running_loop().create_future()
        self._waiting[key] = answer
        arguments: dict[str, Any] = {"level": level, "view": view.decode(), "seat": seat, "reply": self._answers}
        if hint:
            arguments["hint"] = True
        job = Job("think", kwargs=arguments, key=key, timeout=int(timeout) + 1, retries=1, ttl=30)
        try:
            async with asyncio.timeout(REDIS_SECONDS):
                await self._queue.enqueue(job)
            found = await self._wait_for(answer, timeout)
        except (TimeoutError, asyncio.CancelledError):
            self._abort_soon(job)
            raise
        finally:
            del self._waiting[key]
        if found.trouble:
            raise BotTrouble(found.trouble)
        return found

    async def _wait_for(self, answer: asyncio.Future[BotAnswer], timeout: float) -> BotAnswer:
        end = monotonic() + timeout
        while not answer.done():
            left = end - monotonic()
            if left <= 0:
                raise TimeoutError
            await asyncio.wait({answer}, timeout=min(left, REDIS_SECONDS))
            if not answer.done():
                async with asyncio.timeout(REDIS_SECONDS):
                    await cast("Awaitable[bool]", self._redis.ping())
        return answer.result()

    def _abort_soon(self, job: Job) -> None:
        """Tell the queue workers, if possible, that nobody waits for this job any more."""
        task = asyncio.create_task(self._abort(job), name="abort a bot job")
        self._aborting.add(task)
        task.add_done_callback(self._aborting.discard)

    async def _abort(self, job: Job) -> None:
        with contextlib.suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(REDIS_SECONDS):
                await self._queue.abort(job, "too late")

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(self._answers)
                    self._listening.set()
                    while True:
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=5.0)
                        if message is not None:
                            self._receive(message["data"])
            except (RedisError, OSError, TimeoutError) as error:
                self._listening.clear()
                log.warning("the bot queue cannot be reached; bots run here", reason=str(error))
                await asyncio.sleep(0.5)

    def _receive(self, data: bytes) -> None:
        try:
            found = _decode_answer(data)
        except msgspec.MsgspecError:
            log.warning("the answer of a queue worker cannot be read")
            return
        answer = self._waiting.get(found.job)
        if answer is not None and not answer.done():
            answer.set_result(found)


def _slots(worker: Any) -> int:
    """How many bots a queue worker runs at the same time; 1 if it does not say."""
    slots = (worker.get("metadata") or {}).get(SLOTS_KEY)
    return slots if isinstance(slots, int) and slots > 0 else 1
