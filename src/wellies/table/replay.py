"""A table moment by moment, from its log."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from wellies.core.errors import BadRecord
from wellies.match import Record
from wellies.table.errors import Refused
from wellies.table.log import EntryInfo, LogEntry
from wellies.table.table import Table

MOMENTS: Final = 100
"""Moments in one answer, at most."""


@dataclass(frozen=True, slots=True)
class ReplayMoment:
    """The table after one entry of its log."""

    number: int
    entry: EntryInfo
    view: Mapping[str, Any] | None
    scores: list[int]
    outcome: Mapping[str, Any] | None


class Replayer:
    """Goes through the log of a table as one seat (None: a spectator) saw it."""

    def __init__(self, table: Table, seat: int | None, skipped: int = 0) -> None:
        """It begins after so many entries."""
        self._seat = seat
        self._now = table.initial()
        for entry in table.log[:skipped]:
            self._now.apply(LogEntry(*entry.stored()))

    def next(self, table: Table) -> ReplayMoment:
        """The next moment. `table` is the table of today: whether its game is over decides what may be shown."""
        now = self._now
        entry = table.log[now.version]
        now.apply(LogEntry(*entry.stored()))
        return ReplayMoment(
            entry.number, table.entry_for(entry, self._seat), now.view_for(self._seat), now.scores(), now.outcome()
        )


class CachedReplay:
    """One table as one seat saw it, encoded as far as somebody has asked."""

    def __init__(self, table: Table, seat: int | None, encode: Callable[[ReplayMoment], bytes]) -> None:
        self._seat = seat
        self._encode = encode
        self._replayer: Replayer | None = Replayer(table, seat)
        """None when the game is over and all is encoded."""
        self.moments: list[bytes] = []
        self.size = 0

    def add(self, table: Table) -> None:
        """Add one moment."""
        if self._replayer is None:
            # A rematch is noted in the log of a game that is over.
            self._replayer = Replayer(table, self._seat, len(self.moments))
        encoded = self._encode(self._replayer.next(table))
        self.moments.append(encoded)
        self.size += len(encoded)
        if table.state == "finished" and len(self.moments) == table.version:
            self._replayer = None


class ReplayCache:
    """Replays of tables, moment by moment: computed once, and cached while there is room."""

    def __init__(self, encode: Callable[[ReplayMoment], bytes], cache_bytes: int) -> None:
        self._encode = encode
        self._cache_bytes = cache_bytes
        self._cache: OrderedDict[tuple[str, int | None, bool], CachedReplay] = OrderedDict()
        self.lock = asyncio.Lock()
        """Held by whatever replays a whole game: one at a time."""

    async def moments(
        self,
        table: Table,
        seat: int | None,
        start: int,
        stop: int | None,
        before_each: Callable[[int], Awaitable[None]] | None = None,
    ) -> bytes:
        """Up to `MOMENTS` moments of a replay from one number to another, as JSON. `before_each` gets the number of
        moments that are there before each one that must be computed."""
        last = min(table.version, start + MOMENTS - 1, table.version if stop is None else stop)
        key = (table.id, seat, table.state == "finished")
        cached = self._cache.get(key)
        if cached is None or len(cached.moments) < last:
            # One replay at a time; between two moments everybody else has a turn.
            async with self.lock:
                cached = self._cache.setdefault(key, cached or CachedReplay(table, seat, self._encode))
                while len(cached.moments) < last:
                    if before_each is not None:
                        await before_each(len(cached.moments))
                    cached.add(table)
                    await asyncio.sleep(0)
        self._cache.setdefault(key, cached)
        self._cache.move_to_end(key)
        self._make_room()
        moments = b",".join(cached.moments[max(0, start - 1) : last])
        return b'{"version":%d,"moments":[%s]}' % (table.version, moments)

    def _make_room(self) -> None:
        size = sum(cached.size for cached in self._cache.values())
        while size > self._cache_bytes and len(self._cache) > 1:
            _, cached = self._cache.popitem(last=False)
            size -= cached.size


def check_may_look_from(table: Table, seat: int | None, identity: str) -> None:
    """Refused unless this person may look from a seat: while the game goes on, from their own seats only, or as a
    spectator."""
    if seat is None:
        return
    if seat >= len(table.seats):
        raise Refused("no_seat", f"There is no seat {seat} at this table.", 400)
    if table.state != "finished" and seat not in table.seats_of(identity):
        raise Refused("not_seated", "That seat is not yours, and the game is not over.", 403)


@dataclass(frozen=True, slots=True)
class Verdict:
    ok: bool
    draws: int
    message: str


def verdict_of(record: Record) -> Verdict:
    """Whether every draw of a game came from the seed whose hash was published before it."""
    try:
        draws = record.verify()
    except BadRecord as error:
        return Verdict(False, 0, str(error))
    return Verdict(True, draws, f"The seed belongs to its hash, and all {draws} draws came from it.")


def record_at(table: Table, number: int) -> Record:
    """The game up to an entry of the log, without what was taken back. Refused while the game goes on."""
    if table.state != "finished":
        raise Refused("not_finished", "Only a finished game can be gone on with from a moment of it.")
    then = table.initial()
    for entry in table.log[:number]:
        then.apply(LogEntry(*entry.stored()))
    if then.match is None:
        return Record(table.setup.game, len(table.seats), options=table.options, position=table.setup.position)
    return then.match.record()
