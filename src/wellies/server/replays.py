"""Replays of games, rationed so that players do not notice them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from wellies.server.limits import Limits
from wellies.server.messages import encode
from wellies.table import Refused, Table
from wellies.table.replay import ReplayCache, ReplayMoment

CACHE_BYTES: Final = 32 * 1024 * 1024
RATION: Final = 50
"""Moments that count as one request against the limit."""

Answer = TypeVar("Answer")


class Replay(msgspec.Struct):
    version: int
    moments: list[ReplayMoment]


class Replays:
    """The replays of a worker, and other work that replays a whole game on request."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._cache = ReplayCache(encode, CACHE_BYTES)

    async def moments(self, table: Table, seat: int | None, start: int, stop: int | None, who: str) -> bytes:
        """The moments of a replay from one number to another, as JSON of `Replay`."""

        async def ration(count: int) -> None:
            if count % RATION == 0:
                await self._check_limit(who)

        return await self._cache.moments(table, seat, start, stop, ration)

    async def in_thread(self, who: str, work: Callable[[], Answer]) -> Answer:
        """Replay a whole record in a thread beside the event loop, one at a time."""
        await self._check_limit(who)
        async with self._cache.lock:
            return await asyncio.to_thread(work)

    async def _check_limit(self, who: str) -> None:
        if not await self._limits.allows("records", who):
            raise Refused("too_fast", "You replay too much at once; wait a few seconds.", 429)
