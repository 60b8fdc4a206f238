"""Channels between any number of workers, through Redis.

Redis is used as it is, not through a framework's channels: a table is subscribed to while somebody here looks at it, a
connection that breaks is made anew, and then the listener is called, so that it can read from the store what it missed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Any, Final, cast

import structlog
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from wellies.core.sources import monotonic, random_hex
from wellies.server.channels import Channels, ChannelTrouble, OnHealth, OnMessage, OnReconnect
from wellies.server.redis_connection import open_redis

PREFIX: Final = "wellies:table:"
ECHO: Final = "wellies:echo:"
"""Prefix of a channel on which a worker receives its own messages: so it knows that messages arrive."""
ECHO_SECONDS: Final = 0.25
"""Seconds between two messages to itself."""
MOST_MISSED: Final = 4
"""So many of these lost in a row, and Redis counts as out of reach: it may hang without closing the connection."""
TIMEOUT: Final = 1.0
"""Seconds that one call may take."""
LONGEST_STEP: Final = 5 * TIMEOUT
"""Seconds after which a step of the listener is given up, whatever redis-py waits for."""
REMIND_SECONDS: Final = 30.0
"""Seconds between two lines of the log while Redis is out of reach."""
QUEUE: Final = 10_000

log = structlog.get_logger("wellies.channels")


class RedisChannels(Channels):
    """Between any number of workers."""

    shared = True

    def __init__(self, url: str) -> None:
        self._redis = open_redis(
            url,
            socket_timeout=TIMEOUT,
            socket_connect_timeout=TIMEOUT,
            retry=Retry(ExponentialBackoff(cap=0.1, base=0.05), 1),
        )
        self.healthy = True
        self._told = 0.0
        """When the log last said that Redis is out of reach."""
        self._echo = ECHO + random_hex(8)
        self._on_health: OnHealth = lambda: None
        self._followed: set[str] = set()
        self._subscribed: set[str] = set()
        """The tables that Redis has been told of."""
        self._confirmed: set[str] = set()
        """Those of which Redis has said that their messages arrive here."""
        self._alone: set[str] = set()
        self._follow_changed = asyncio.Event()
        self._out: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(QUEUE)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, on_message: OnMessage, on_reconnect: OnReconnect, on_health: OnHealth) -> None:
        self._on_health = on_health
        self._tasks = [
            asyncio.create_task(self._send_echoes(), name="redis echoes"),
            asyncio.create_task(self._listen(on_message, on_reconnect), name="redis listener"),
            asyncio.create_task(self._send_all(), name="redis sender"),
        ]

    async def stop(self) -> None:
        if self._tasks and self.healthy:
            # What was just stored is still sent.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._out.join(), TIMEOUT)
        await asyncio.gather(*(_end(task) for task in self._tasks))
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()

    def publish(self, table_id: str, message: bytes) -> None:
        # If the queue is full the message is dropped; other workers find the change in the store.
        with contextlib.suppress(asyncio.QueueFull):
            self._out.put_nowait((table_id, message))

    def follow(self, table_id: str) -> None:
        self._followed.add(table_id)
        self._follow_changed.set()

    def leave(self, table_id: str) -> None:
        self._followed.discard(table_id)
        self._forget(table_id)
        self._follow_changed.set()

    def alone(self, table_id: str) -> bool:
        return table_id in self._alone

    def _forget(self, table_id: str) -> None:
        self._confirmed.discard(table_id)
        self._alone.discard(table_id)

    async def ping(self) -> None:
        try:
            async with asyncio.timeout(TIMEOUT):
                await cast("Awaitable[bool]", self._redis.ping())
        except (RedisError, OSError, TimeoutError) as error:
            raise ChannelTrouble(f"Redis does not answer: {error or 'it hangs'}") from error

    async def followers(self, table_id: str) -> int | None:
        try:
            async with asyncio.timeout(TIMEOUT):
                counts: Any = await self._redis.pubsub_numsub(PREFIX + table_id)
        except (RedisError, OSError, TimeoutError):
            return None
        return int(counts[0][1]) - (table_id in self._subscribed)

    async def _send_all(self) -> None:
        """Send what was published, many at a time where there are many."""
        while True:
            batch = [await self._out.get()]
            while not self._out.empty() and len(batch) < 200:
                batch.append(self._out.get_nowait())
            confirmed = [table_id in self._confirmed for table_id, _ in batch]
            try:
                async with asyncio.timeout(2 * TIMEOUT), self._redis.pipeline(transaction=False) as pipe:
                    for table_id, message in batch:
                        pipe.publish(PREFIX + table_id, message)
                    self._count_receivers(batch, confirmed, await pipe.execute())
            except (RedisError, OSError, TimeoutError) as error:
                # The others find the change in the store.
                self._trouble(error)
                await asyncio.sleep(0.2)
            except Exception as error:
                self._unexpected(error)
                await asyncio.sleep(0.2)
            finally:
                for _ in batch:
                    self._out.task_done()

    def _count_receivers(self, batch: list[tuple[str, bytes]], confirmed: list[bool], receivers: list[int]) -> None:
        """Redis has said how many workers a message went to. This one is among them if that was confirmed before."""
        for (table_id, _), here, count in zip(batch, confirmed, receivers, strict=True):
            if here and count == 1 and table_id in self._confirmed:
                self._alone.add(table_id)
            else:
                self._alone.discard(table_id)

    async def _send_echoes(self) -> None:
        """Send messages to oneself."""
        while True:
            await asyncio.sleep(ECHO_SECONDS)
            try:
                async with asyncio.timeout(TIMEOUT):
                    await self._redis.publish(self._echo, b"")
            except (RedisError, OSError, TimeoutError) as error:
                self._trouble(error)
            except Exception as error:
                self._unexpected(error)

    def _trouble(self, error: BaseException) -> None:
        now = monotonic()
        if self.healthy or now - self._told > REMIND_SECONDS:
            log.warning("redis is out of reach", error=str(error) or "it hangs")
            self._told = now
        if self.healthy:
            self.healthy = False
            self._on_health()

    def _unexpected(self, error: Exception) -> None:
        """A bug, here or in redis-py: it is in the log, and the task goes on all the same."""
        log.error("a task for redis failed", exc_info=error)
        self._trouble(error)

    async def _listen(self, on_message: OnMessage, on_reconnect: OnReconnect) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    # Other tables may be followed meanwhile: `_update_subscriptions` subscribes to those.
                    self._subscribed = set(self._followed)
                    self._confirmed.clear()
                    self._alone.clear()
                    async with asyncio.timeout(LONGEST_STEP):
                        await pubsub.subscribe(self._echo, *(PREFIX + table_id for table_id in self._subscribed))
                    self._follow_changed.set()
                    updates = asyncio.create_task(self._update_subscriptions(pubsub), name="redis updates")
                    try:
                        await self._receive_all(pubsub, on_message, on_reconnect, updates)
                    finally:
                        await _end(updates)
            except (RedisError, OSError, TimeoutError, ChannelTrouble) as error:
                self._trouble(error)
                await asyncio.sleep(0.3)
            except Exception as error:
                self._unexpected(error)
                await asyncio.sleep(0.3)

    async def _update_subscriptions(self, pubsub: Any) -> None:
        subscribed = self._subscribed
        while True:
            await self._follow_changed.wait()
            self._follow_changed.clear()
            more = self._followed - subscribed
            less = subscribed - self._followed
            if more:
                await pubsub.subscribe(*(PREFIX + table_id for table_id in more))
            if less:
                await pubsub.unsubscribe(*(PREFIX + table_id for table_id in less))
            subscribed.update(more)
            subscribed.difference_update(less)

    async def _receive_all(
        self, pubsub: Any, on_message: OnMessage, on_reconnect: OnReconnect, updates: asyncio.Task[None]
    ) -> None:
        missed = 0
        # Until a message arrives on this connection.
        silent = True
        while missed < MOST_MISSED:
            if updates.done():
                await updates
            async with asyncio.timeout(LONGEST_STEP):
                message = await pubsub.get_message(timeout=2 * ECHO_SECONDS if silent else ECHO_SECONDS)
            # Confirmed subscriptions are neither silence nor an echo. redis-py would turn them into None.
            if message is None:
                missed += 1
            elif message["type"] in ("subscribe", "unsubscribe"):
                self._on_confirmed(message["type"], message["channel"].decode().removeprefix(PREFIX))
            elif message["type"] == "message" and message["channel"].decode() == self._echo:
                missed = 0
                if silent or not self.healthy:
                    silent = False
                    await self._reconnected(on_reconnect)
            elif message["type"] == "message":
                await on_message(message["channel"].decode()[len(PREFIX) :], message["data"])
        raise ChannelTrouble("Redis hangs.")

    def _on_confirmed(self, what: str, table_id: str) -> None:
        if what == "subscribe" and table_id in self._followed:
            self._confirmed.add(table_id)
        else:
            self._forget(table_id)

    async def _reconnected(self, on_reconnect: OnReconnect) -> None:
        """Messages arrive, for the first time or after trouble."""
        if not self.healthy:
            log.info("redis is back")
            self.healthy = True
            self._on_health()
        await on_reconnect()


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait for its end. It is cancelled again until it does end: redis-py sometimes loses the first
    time while it reconnects."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=0.1)
    if not task.cancelled():
        # Its failure has been met on the way that ended it.
        task.exception()
