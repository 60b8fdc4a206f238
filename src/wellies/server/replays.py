"""Replays of games, moment by moment: computed once, cached while there is room, and rationed, so that players do not
notice them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from wellies.server.limits import Limits
from wellies.server.messages import encode
from wellies.table import Refused, Table
from wellies.table.replay import Replayer, ReplayMoment

CACHE_BYTES: Final = 32 * 1024 * 1024
RATION: Final = 50
"""Moments that count as one request against the limit."""

Answer = TypeVar("Answer")


class Replay(msgspec.Struct):
    version: int
    moments: list[ReplayMoment]


class CachedReplay:
    """One table as one seat saw it, encoded as far as somebody has asked."""

    def __init__(self, table: Table, seat: int | None) -> None:
        self._seat = seat
        self._replayer: Replayer | None = Replayer(table, seat)
        """None when the game is over and all is encoded."""
        self.moments: list[bytes] = []
        self.size = 0

    def add(self, table: Table) -> None:
        """Add one moment."""
        if self._replayer is None:
            # A rematch is noted in the log of a game that is over.
            self._replayer = Replayer(table, self._seat, len(self.moments))
        encoded = encode(self._replayer.next(table))
        self.moments.append(encoded)
        self.size += len(encoded)
        if table.state == "finished" and len(self.moments) == table.version:
            self._replayer = None


class Replays:
    """The replays of a worker, and other work that replays a whole game on request."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = asyncio.Lock()
        self._cache: OrderedDict[tuple[str, int | None, bool], CachedReplay] = OrderedDict()

    async def moments(self, table: Table, seat: int | None, start: int, last: int, who: str) -> bytes:
        """The moments of a replay from one number to another, as JSON of `Replay`."""
        key = (table.id, seat, table.state == "finished")
        cached = self._cache.get(key)
        if cached is None or len(cached.moments) < last:
            # One replay at a time; between two moments everybody else has a turn.
            async with self._lock:
                cached = self._cache.setdefault(key, cached or CachedReplay(table, seat))
                while len(cached.moments) < last:
                    if len(cached.moments) % RATION == 0:
                        await self._check_limit(who)
                    cached.add(table)
                    await asyncio.sleep(0)
        self._cache.setdefault(key, cached)
        self._cache.move_to_end(key)
        self._make_room()
        moments = b",".join(cached.moments[max(0, start - 1) : last])
        return b'{"version":%d,"moments":[%s]}' % (table.version, moments)

    async def in_thread(self, who: str, work: Callable[[], Answer]) -> Answer:
        """Replay a whole record in a thread beside the event loop, one at a time."""
        await self._check_limit(who)
        async with self._lock:
            return await asyncio.to_thread(work)

    async def _check_limit(self, who: str) -> None:
        if not await self._limits.allows("records", who):
            raise Refused("too_fast", "You replay too much at once; wait a few seconds.", 429)

    def _make_room(self) -> None:
        size = sum(cached.size for cached in self._cache.values())
        while size > CACHE_BYTES and len(self._cache) > 1:
            _, cached = self._cache.popitem(last=False)
            size -= cached.size
