"""Replays of games, moment by moment: made once, kept while there is room, and never so much at once that players
notice it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from wellies.server.limits import Limit
from wellies.server.messages import EntryInfo, Json, encode
from wellies.server.tables import Refused, Table

MOST_BYTES: Final = 32 * 1024 * 1024
"""How much of replays is kept."""
PORTION: Final = 50
"""Moments that count as one piece of work."""

Answer = TypeVar("Answer")


class ReplayMoment(msgspec.Struct):
    """The table after one entry of its log."""

    number: int
    entry: EntryInfo
    view: Json | None
    scores: list[int]
    outcome: Json | None


class Replay(msgspec.Struct):
    version: int
    moments: list[ReplayMoment]


class Track:
    """One table as one seat saw it, as far as somebody has asked."""

    def __init__(self, table: Table) -> None:
        self.again: Table | None = table.initial()
        self.moments: list[bytes] = []
        self.size = 0

    def grow(self, table: Table, seat: int | None) -> None:
        """Add one moment."""
        assert self.again is not None
        line = table.lines[len(self.moments)]
        again = self.again
        again.apply(line.number, line.kind, line.seat, line.text, line.at)
        scores = [] if again.match is None else again.match.state.scores()
        entry = table.entry_for(line, seat)
        made = encode(ReplayMoment(line.number, entry, again.view_for(seat), scores, again.outcome()))
        self.moments.append(made)
        self.size += len(made)
        if table.state == "finished" and len(self.moments) == table.version:
            self.again = None


class Replays:
    """The replays of a worker, and whatever else replays a whole game when somebody asks."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._limit = Limit(per_second, burst)
        self._turn = asyncio.Lock()
        self._tracks: OrderedDict[tuple[str, int | None, bool], Track] = OrderedDict()

    async def moments(self, table: Table, seat: int | None, start: int, last: int, who: str) -> bytes:
        """The moments of a replay from one number to another, as JSON of `Replay`."""
        key = (table.id, seat, table.state == "finished")
        track = self._tracks.get(key)
        if track is None or len(track.moments) < last:
            # One at a time, moment by moment: between two of them everybody else has a turn.
            async with self._turn:
                track = self._tracks.setdefault(key, track or Track(table))
                while len(track.moments) < last:
                    if len(track.moments) % PORTION == 0:
                        self._ration(who)
                    track.grow(table, seat)
                    await asyncio.sleep(0)
        self._tracks.setdefault(key, track)
        self._tracks.move_to_end(key)
        self._make_room()
        told = b",".join(track.moments[max(0, start - 1) : last])
        return b'{"version":%d,"moments":[%s]}' % (table.version, told)

    async def apart(self, who: str, work: Callable[[], Answer]) -> Answer:
        """Replay a whole record beside the event loop, one at a time."""
        self._ration(who)
        async with self._turn:
            return await asyncio.to_thread(work)

    def _ration(self, who: str) -> None:
        if not self._limit.allows(who):
            raise Refused("too_fast", "You replay too much at once; wait a few seconds.", 429)

    def _make_room(self) -> None:
        size = sum(track.size for track in self._tracks.values())
        while size > MOST_BYTES and len(self._tracks) > 1:
            _, track = self._tracks.popitem(last=False)
            size -= track.size
