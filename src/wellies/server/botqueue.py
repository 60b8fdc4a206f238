"""Bots that think on other machines: a queue of jobs on Redis, which `wellies think` works off.

The queue keeps the jobs; the answer comes back on a channel of this worker's own, at once. Whatever goes wrong on the
way (Redis gone, nobody there to think, a thinker killed in the middle), the worker thinks for itself: a table never
waits for a machine that is not there.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable
from typing import Any, Final, cast

import msgspec
import redis.asyncio
import structlog
from redis.exceptions import RedisError
from saq.job import Job
from saq.queue.redis import RedisQueue

from wellies.server.botpool import BotPool, BotTrouble, business
from wellies.server.metrics import Metrics
from wellies.server.turns import SOMEBODY, Purpose, Turns, is_instant

QUEUE: Final = "wellies-bots"
ANSWERS: Final = "wellies:thought:"
LOOK: Final = 5.0
"""Seconds for which it is believed that somebody, or nobody, is there to think."""
MARGIN: Final = 5.0
"""Seconds beyond a bot's own for waiting in the queue."""
QUICK: Final = 2.0
"""Seconds after which what should take a moment is thought about here: the thinkers are busy with longer thoughts."""
REDIS_SECONDS: Final = 1.5
"""Seconds in which Redis must answer: it may hang without being gone."""
PLACES: Final = "places"
"""How many bots a thinker lets think at the same time, among what it tells of itself."""

log = structlog.get_logger("wellies.bots")


class Thought(msgspec.Struct, omit_defaults=True):
    """What a thinker answers: a move as notation and in words, or why there is none."""

    job: str
    move: str = ""
    words: str = ""
    trouble: str = ""


_read_thought = msgspec.json.Decoder(Thought).decode


def open_queue(url: str) -> RedisQueue:
    """The queue of thinking jobs on this Redis."""
    # Thinkers wait for a job in one long call, so this connection has no limit of time for an answer.
    return RedisQueue(redis.asyncio.from_url(url, socket_connect_timeout=3, health_check_interval=10), name=QUEUE)


class BotQueue(BotPool):
    """A pool whose thinking is done elsewhere where there is an elsewhere."""

    def __init__(self, url: str, processes: int, seconds: float, metrics: Metrics) -> None:
        super().__init__(processes, seconds, metrics)
        self._queue = open_queue(url)
        self._redis: redis.asyncio.Redis = redis.asyncio.from_url(url, socket_connect_timeout=REDIS_SECONDS)
        self._there = Turns(1)
        """As many long thoughts are under way elsewhere as there are places: the rest waits here, in fair lines."""
        self._mine = ANSWERS + secrets.token_hex(8)
        self._waiting: dict[str, asyncio.Future[Thought]] = {}
        self._listener: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()
        self._aborting: set[asyncio.Task[None]] = set()
        self._thinkers = 0
        self._looked = -LOOK

    async def start(self) -> None:
        self._listener = asyncio.create_task(self._listen(), name="bot queue")

    async def stop(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        with contextlib.suppress(RedisError, OSError):
            await self._queue.disconnect()
            await self._redis.aclose()

    async def choose(self, level: str, view: bytes, seat: int, purpose: Purpose = SOMEBODY) -> tuple[str, str]:
        started = time.monotonic()
        quick = purpose.hint or is_instant(level)
        try:
            if await self.thinkers():
                if quick:
                    found = await self._ask(level, view, seat, QUICK)
                else:
                    async with self._there.turn(purpose):
                        found = await self._ask(level, view, seat, self._seconds * business() + MARGIN)
                self._metrics.bot_moves += 1
                self._metrics.bot_moves_elsewhere += 1
                self._metrics.bot_seconds.add(time.monotonic() - started)
                return found
        except (RedisError, OSError, TimeoutError) as error:
            self._looked = -LOOK
            say = log.info if quick else log.warning
            say("no thinker has answered; thinking here", level=level, reason=str(error) or "too late")
        return await super().choose(level, view, seat, purpose)

    async def thinkers(self) -> int:
        """How many processes of `wellies think` are there; looked up from time to time."""
        if not self._listening.is_set():
            return 0
        if time.monotonic() - self._looked >= LOOK:
            before = self._thinkers
            async with asyncio.timeout(REDIS_SECONDS):
                workers = (await self._queue.info())["workers"]
            self._thinkers = len(workers)
            self._there.resize(sum(_places(worker) for worker in workers.values()))
            self._looked = time.monotonic()
            if bool(before) != bool(self._thinkers):
                log.info("thinkers" if self._thinkers else "no thinkers; bots think here", count=self._thinkers)
        return self._thinkers

    async def _ask(self, level: str, view: bytes, seat: int, patience: float) -> tuple[str, str]:
        """What a thinker answers. TimeoutError if none does, or Redis hangs meanwhile."""
        key = secrets.token_hex(12)
        answer: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
        self._waiting[key] = answer
        wishes: dict[str, Any] = {"level": level, "view": view.decode(), "seat": seat, "reply": self._mine}
        job = Job("think", kwargs=wishes, key=key, timeout=int(patience) + 1, retries=1, ttl=30)
        try:
            async with asyncio.timeout(REDIS_SECONDS):
                await self._queue.enqueue(job)
            thought = await self._answer(answer, patience)
        except (TimeoutError, asyncio.CancelledError):
            self._give_up(job)
            raise
        finally:
            del self._waiting[key]
        if thought.trouble:
            raise BotTrouble(thought.trouble)
        return thought.move, thought.words

    async def _answer(self, answer: asyncio.Future[Thought], patience: float) -> Thought:
        end = time.monotonic() + patience
        while not answer.done():
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError
            await asyncio.wait({answer}, timeout=min(left, REDIS_SECONDS))
            if not answer.done():
                async with asyncio.timeout(REDIS_SECONDS):
                    await cast("Awaitable[bool]", self._redis.ping())
        return answer.result()

    def _give_up(self, job: Job) -> None:
        """Tell the thinkers, if they can be told, that nobody waits for this any more."""
        task = asyncio.create_task(self._abort(job), name="giving a thought up")
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
                    await pubsub.subscribe(self._mine)
                    self._listening.set()
                    while True:
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=5.0)
                        if message is not None:
                            self._hear(message["data"])
            except (RedisError, OSError, TimeoutError) as error:
                self._listening.clear()
                log.warning("the queue of bots is out of reach; bots think here", reason=str(error))
                await asyncio.sleep(0.5)

    def _hear(self, data: bytes) -> None:
        try:
            thought = _read_thought(data)
        except msgspec.MsgspecError:
            log.warning("a thinker's answer cannot be read")
            return
        answer = self._waiting.get(thought.job)
        if answer is not None and not answer.done():
            answer.set_result(thought)


def _places(worker: Any) -> int:
    """How many bots a thinker lets think at once; one that does not tell is taken for one."""
    told = (worker.get("metadata") or {}).get(PLACES)
    return told if isinstance(told, int) and told > 0 else 1
