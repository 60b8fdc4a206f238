"""Channels between any number of workers, through Redis.

Redis is used as it is, not through a framework's channels: a table is subscribed to while somebody here looks at it, a
connection that breaks is made again, and whoever listens is told so that it can look up in the store what it missed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Any, Final, cast

import redis.asyncio
import structlog
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from wellies.server.channels import Again, Channels, ChannelTrouble, Hear

PREFIX: Final = "wellies:table:"
QUIET: Final = "wellies:quiet"
"""A channel on which nothing is said, so that there is always one to listen to."""
QUEUE: Final = 10_000

log = structlog.get_logger("wellies.channels")


class RedisChannels(Channels):
    """Between any number of workers."""

    shared = True

    def __init__(self, url: str) -> None:
        self._redis: redis.asyncio.Redis = redis.asyncio.from_url(
            url,
            socket_timeout=5,
            socket_connect_timeout=3,
            health_check_interval=10,
            retry=Retry(ExponentialBackoff(cap=1, base=0.05), 2),
        )
        self.well = True
        self._followed: set[str] = set()
        self._wish = asyncio.Event()
        self._out: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(QUEUE)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, hear: Hear, again: Again) -> None:
        self._tasks = [
            asyncio.create_task(self._listen(hear, again), name="redis listener"),
            asyncio.create_task(self._speak(), name="redis speaker"),
        ]

    async def stop(self) -> None:
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
            await cast("Awaitable[bool]", self._redis.ping())
        except (RedisError, OSError, TimeoutError) as error:
            raise ChannelTrouble(f"Redis does not answer: {error}") from error

    async def _speak(self) -> None:
        """Send what was published, many at a time where there are many."""
        while True:
            batch = [await self._out.get()]
            while not self._out.empty() and len(batch) < 200:
                batch.append(self._out.get_nowait())
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    for table_id, message in batch:
                        pipe.publish(PREFIX + table_id, message)
                    await pipe.execute()
            except (RedisError, OSError, TimeoutError) as error:
                # The others will look into the store once they hear that there was trouble.
                self._trouble(error)
                await asyncio.sleep(0.2)

    def _trouble(self, error: BaseException) -> None:
        if self.well:
            log.warning("redis is out of reach", error=str(error))
        self.well = False

    async def _listen(self, hear: Hear, again: Again) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(QUIET, *(PREFIX + table_id for table_id in self._followed))
                    subscribed = set(self._followed)
                    await self.ping()
                    if not self.well:
                        log.info("redis is back")
                    self.well = True
                    await again()
                    await asyncio.gather(self._follow_wishes(pubsub, subscribed), self._hear_all(pubsub, hear))
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

    async def _hear_all(self, pubsub: Any, hear: Hear) -> None:
        while True:
            message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=5.0)
            if message is not None and message["type"] == "message":
                channel: bytes = message["channel"]
                await hear(channel.decode()[len(PREFIX) :], message["data"])
