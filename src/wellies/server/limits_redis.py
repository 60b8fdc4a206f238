"""Limits that all workers count together, in Redis.

All questions of a worker go through one connection, those that come at the same time in one round trip. A request waits
for the answer for `PATIENCE` at most. If none comes, this worker counts alone from then on, until Redis answers again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable
from typing import Any, Final, cast

import redis.asyncio
import structlog
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from wellies.server.limits import Limits, Place, Rule
from wellies.server.redis_connection import open_redis
from wellies.server.settings import Settings

PATIENCE: Final = 0.05
"""Seconds that a request may wait for Redis."""
PROBE_SECONDS: Final = 0.5
"""Seconds between two attempts to reach Redis while it is away."""
PROBE_PATIENCE: Final = 1.0
LEASE_SECONDS: Final = 60.0
"""For so long a socket counts without being renewed: the sockets of a worker that died are forgotten after this."""
RENEW_SECONDS: Final = 20.0
MOST_WAITING: Final = 10_000
"""Questions that may wait for Redis; more are answered by this worker alone."""
MOST_AT_ONCE: Final = 500
PREFIX: Final = "wellies:limit:"

# One number for each person: when all they have asked for is paid off. It grows by 1/rate with each request, and may be
# `burst` such steps ahead of the clock. That is a token bucket in one key, which expires when the bucket is full again.
# The clock is that of Redis, so that the clocks of workers need not agree.
_SPEND: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local step, most = tonumber(ARGV[1]), tonumber(ARGV[1]) * tonumber(ARGV[2])
local paid = tonumber(redis.call('GET', KEYS[1]) or now)
paid = math.min(math.max(paid, now), now + most)
if paid + step > now + most + 1 then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', paid + step), 'PX', math.ceil((paid + step - now) / 1000) + 1)
return 1
"""
# The sockets of one person, each with the time until which it counts. With ARGV[2] = 0 it is added in any case.
_LEASE: Final = """
local now = redis.call('TIME')[1] + 0
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local most = tonumber(ARGV[2])
if most > 0 and redis.call('ZCARD', KEYS[1]) >= most then return 0 end
for place = 3, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[place]) end
redis.call('EXPIRE', KEYS[1], tonumber(ARGV[1]))
return 1
"""
_FREE: Final = "return redis.call('ZREM', KEYS[1], ARGV[1])"
_SHA: Final = {text: hashlib.sha1(text.encode()).hexdigest() for text in (_SPEND, _LEASE, _FREE)}

log = structlog.get_logger("wellies.limits")


class Question:
    """One run of a script. `answer` is what it returned, or None if nobody knows."""

    __slots__ = ("answer", "arguments", "script")

    def __init__(self, script: str, *arguments: object) -> None:
        self.script = script
        self.arguments = arguments
        self.answer: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

    def settle(self, answer: int | None) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


class RedisLimits(Limits):
    """Counts with all other workers on the same Redis."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._redis: redis.asyncio.Redis = open_redis(settings.redis, retry=Retry(NoBackoff(), 0))
        self._questions: asyncio.Queue[Question] = asyncio.Queue(MOST_WAITING)
        self._away = True
        self._lost = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def shared(self) -> bool:
        """Whether all workers count together at present."""
        return not self._away

    async def start(self) -> None:
        await self._probe()
        if self._away:
            self._lost.set()
        self._tasks = [
            asyncio.create_task(self._ask_all(), name="limits in redis"),
            asyncio.create_task(self._come_back(), name="limits without redis"),
            asyncio.create_task(self._renew_all(), name="limits of sockets"),
        ]

    async def stop(self) -> None:
        if not self._away:
            # The sockets that were just closed are given back.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._questions.join(), PATIENCE)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._drop_questions()
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()

    # --- counting --------------------------------------------------------------------------------------------------

    async def allows(self, rule: Rule, key: str) -> bool:
        buckets = self._buckets.get(rule)
        if buckets is None:
            return True
        # What is too much for this worker alone is too much for all. So a flood costs Redis nothing, and this worker
        # knows who has asked much when Redis goes away.
        if not buckets.take(key):
            return False
        step = 1_000_000 / buckets.rate
        return await self._ask(_SPEND, _name(rule, key), f"{step:.3f}", f"{buckets.burst:.3f}") != 0

    async def take_socket(self, key: str) -> Place | None:
        place = await super().take_socket(key)
        if place is None or not self._most_sockets:
            return place
        try:
            answer = await self._ask(_LEASE, _name("sockets", key), LEASE_SECONDS, self._most_sockets, place.id)
        except BaseException:
            self.free_socket(place)
            raise
        if answer == 0:
            super().free_socket(place)
            return None
        return place

    def free_socket(self, place: Place) -> None:
        super().free_socket(place)
        if self._most_sockets:
            self._send(Question(_FREE, _name("sockets", place.key), place.id))

    # --- asking ----------------------------------------------------------------------------------------------------

    async def _ask(self, script: str, *arguments: object) -> int | None:
        """The answer of a script; None if Redis gives none."""
        question = Question(script, *arguments)
        if not self._send(question):
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                return await question.answer
        except TimeoutError:
            return None

    def _send(self, question: Question) -> bool:
        """Put a question into the queue; False if it is not worth it."""
        if self._away:
            return False
        try:
            self._questions.put_nowait(question)
        except asyncio.QueueFull:
            return False
        return True

    async def _ask_all(self) -> None:
        """Ask what is in the queue, many at a time where there are many."""
        while True:
            batch = [await self._questions.get()]
            while not self._questions.empty() and len(batch) < MOST_AT_ONCE:
                batch.append(self._questions.get_nowait())
            answers: list[Any] = [None] * len(batch)
            try:
                async with asyncio.timeout(PATIENCE):
                    answers = await self._run(batch)
            except (RedisError, OSError, TimeoutError) as error:
                self._lose(error)
            finally:
                for question, answer in zip(batch, answers, strict=True):
                    question.settle(answer if isinstance(answer, int) else None)
                    self._questions.task_done()

    async def _run(self, batch: list[Question]) -> list[Any]:
        async with self._redis.pipeline(transaction=False) as pipe:
            for question in batch:
                pipe.evalsha(_SHA[question.script], 1, *cast("tuple[str, ...]", question.arguments))
            answers = await pipe.execute(raise_on_error=False)
        for answer in answers:
            if isinstance(answer, RedisError):
                raise answer  # such as: Redis has started anew and does not know the scripts, which a probe loads
        return answers

    # --- while Redis is away ---------------------------------------------------------------------------------------

    def _lose(self, error: BaseException) -> None:
        """Redis does not answer: all that waits is answered by this worker alone."""
        if not self._away:
            log.warning("limits are counted in this worker alone: redis is away", error=str(error) or "it hangs")
            self._away = True
        self._drop_questions()
        self._lost.set()

    def _drop_questions(self) -> None:
        while not self._questions.empty():
            self._questions.get_nowait().settle(None)
            self._questions.task_done()

    async def _come_back(self) -> None:
        """While Redis is away, try to reach it, and nobody waits for that."""
        while True:
            await self._lost.wait()
            await asyncio.sleep(PROBE_SECONDS)
            await self._probe()
            if not self._away:
                self._lost.clear()
                log.info("limits are counted by all workers together again")
                await self._renew()

    async def _probe(self) -> None:
        try:
            async with asyncio.timeout(PROBE_PATIENCE):
                for script in _SHA:
                    await cast("Awaitable[str]", self._redis.script_load(script))
        except (RedisError, OSError, TimeoutError):
            return
        self._away = False

    async def _renew_all(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            await self._renew()

    async def _renew(self) -> None:
        """Say which sockets are open here. Those that Redis has forgotten count again."""
        for key in list(self._places):
            ids = sorted(place.id for place in self._places.get(key, ()))
            if self._away:
                return
            if ids:
                await self._questions.put(Question(_LEASE, _name("sockets", key), LEASE_SECONDS, 0, *ids))


def _name(rule: str, key: str) -> str:
    """A key of Redis. It names nobody: ids of people are secret, and addresses are nobody else's business."""
    return f"{PREFIX}{rule}:{hashlib.blake2b(key.encode(), digest_size=12).hexdigest()}"
