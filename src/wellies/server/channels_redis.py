"""Channels between any number of workers, through Redis.

Redis is used as it is, not through a framework's channels: a table is subscribed to while somebody here looks at it, a
connection that breaks is made again, and whoever listens is told so that it can look up in the store what it missed.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable
from typing import Any, Final, cast

import redis.asyncio
import structlog
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from wellies.server.channels import Again, Channels, ChannelTrouble, Hear, Turned

PREFIX: Final = "wellies:table:"
ECHO: Final = "wellies:echo:"
"""Before the name of a channel on which a worker hears itself: so it knows that what is said is heard."""
BEAT: Final = 0.25
"""Seconds between two echoes."""
MISSED: Final = 4
"""So many beats without an echo, and Redis counts as out of reach: it may hang without being gone."""
HANG: Final = 1.0
"""Seconds that one call may take."""
QUEUE: Final = 10_000

log = structlog.get_logger("wellies.channels")


class RedisChannels(Channels):
    """Between any number of workers."""

    shared = True

    def __init__(self, url: str) -> None:
        self._redis: redis.asyncio.Redis = redis.asyncio.from_url(
            url,
            socket_timeout=HANG,
            socket_connect_timeout=HANG,
            retry=Retry(ExponentialBackoff(cap=0.1, base=0.05), 1),
        )
        self.well = True
        self._echo = ECHO + secrets.token_hex(8)
        self._turned: Turned = lambda: None
        self._followed: set[str] = set()
        self._wish = asyncio.Event()
        self._out: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(QUEUE)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, hear: Hear, again: Again, turned: Turned) -> None:
        self._turned = turned
        self._tasks = [
            asyncio.create_task(self._beat(), name="redis beat"),
            asyncio.create_task(self._listen(hear, again), name="redis listener"),
            asyncio.create_task(self._speak(), name="redis speaker"),
        ]

    async def stop(self) -> None:
        if self._tasks and self.well:
            # What was just stored is still told.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._out.join(), HANG)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()

    def publish(self, table_id: str, message: bytes) -> None:
        # When full, what is left out is found in the store by whoever misses it.
        with contextlib.suppress(asyncio.QueueFull):
            self._out.put_nowait((table_id, message))

    def follow(self, table_id: str) -> None:
        self._followed.add(table_id)
        self._wish.set()

    def leave(self, table_id: str) -> None:
        self._followed.discard(table_id)
        self._wish.set()

    async def ping(self) -> None:
        try:
            async with asyncio.timeout(HANG):
                await cast("Awaitable[bool]", self._redis.ping())
        except (RedisError, OSError, TimeoutError) as error:
            raise ChannelTrouble(f"Redis does not answer: {error or 'it hangs'}") from error

    async def _speak(self) -> None:
        """Send what was published, many at a time where there are many."""
        while True:
            batch = [await self._out.get()]
            while not self._out.empty() and len(batch) < 200:
                batch.append(self._out.get_nowait())
            try:
                async with asyncio.timeout(2 * HANG), self._redis.pipeline(transaction=False) as pipe:
                    for table_id, message in batch:
                        pipe.publish(PREFIX + table_id, message)
                    await pipe.execute()
            except (RedisError, OSError, TimeoutError) as error:
                # The others find it in the store.
                self._trouble(error)
                await asyncio.sleep(0.2)
            finally:
                for _ in batch:
                    self._out.task_done()

    async def _beat(self) -> None:
        """Say something to oneself now and then."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                async with asyncio.timeout(HANG):
                    await self._redis.publish(self._echo, b"")
            except (RedisError, OSError, TimeoutError) as error:
                self._trouble(error)

    def _trouble(self, error: BaseException) -> None:
        if self.well:
            log.warning("redis is out of reach", error=str(error) or "it hangs")
            self.well = False
            self._turned()

    async def _listen(self, hear: Hear, again: Again) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(self._echo, *(PREFIX + table_id for table_id in self._followed))
                    subscribed = set(self._followed)
                    wishes = asyncio.create_task(self._follow_wishes(pubsub, subscribed), name="redis wishes")
                    try:
                        await self._hear_all(pubsub, hear, again, wishes)
                    finally:
                        wishes.cancel()
                        await asyncio.gather(wishes, return_exceptions=True)
            except (RedisError, OSError, TimeoutError, ChannelTrouble) as error:
                self._trouble(error)
                await asyncio.sleep(0.3)

    async def _follow_wishes(self, pubsub: Any, subscribed: set[str]) -> None:
        while True:
            await self._wish.wait()
            self._wish.clear()
            more = self._followed - subscribed
            less = subscribed - self._followed
            if more:
                await pubsub.subscribe(*(PREFIX + table_id for table_id in more))
            if less:
                await pubsub.unsubscribe(*(PREFIX + table_id for table_id in less))
            subscribed.update(more)
            subscribed.difference_update(less)

    async def _hear_all(self, pubsub: Any, hear: Hear, again: Again, wishes: asyncio.Task[None]) -> None:
        missed = 0
        # Until something is heard on this connection.
        deaf = True
        while missed < MISSED:
            if wishes.done():
                await wishes
            message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=2 * BEAT if deaf else BEAT)
            if message is None:
                missed += 1
            elif message["type"] == "message" and message["channel"].decode() == self._echo:
                missed = 0
                if deaf or not self.well:
                    deaf = False
                    await self._heard_again(again)
            elif message["type"] == "message":
                await hear(message["channel"].decode()[len(PREFIX) :], message["data"])
        raise ChannelTrouble("Redis hangs.")

    async def _heard_again(self, again: Again) -> None:
        """What is said is heard, for the first time or after trouble."""
        if not self.well:
            log.info("redis is back")
            self.well = True
            self._turned()
        await again()
