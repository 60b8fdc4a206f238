"""The time of each seat, computed from the log alone, so that every process that has the log computes the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from wellies.table.settings import Clock

DAY: Final = 86_400_000
GRACE: Final = 30_000
"""Milliseconds that a player has left at least after taking a seat back whose time ran out."""
RESPITE: Final = 10_000
"""Milliseconds for each further decision of a player who has used up the time for a whole game."""


@dataclass(frozen=True, slots=True)
class ClockFace:
    """One seat's time: `left` when the message was made, and whether it is running down."""

    left: int | None
    running: bool


class Clocks:
    """The time of all seats. It runs for a seat while the game waits for the person who plays it."""

    def __init__(self, setting: Clock, seats: int) -> None:
        self.setting = setting
        self.ticks = setting.kind != "none"
        self._limit = setting.days * DAY if setting.kind == "days" else setting.seconds * 1000
        self._left = [self._limit] * seats
        self._since: dict[int, int] = {}
        """When the clock of each running seat was started."""
        self._spent: set[int] = set()
        """The seats that have used up the time for the whole game."""
        self._away: dict[int, list[tuple[int, int]]] = {}
        """The vacations of each seat: from when until when its clock of days stands still."""

    def copy(self) -> Clocks:
        other = Clocks.__new__(Clocks)
        other.setting = self.setting
        other.ticks = self.ticks
        other._limit = self._limit
        other._left = self._left.copy()
        other._since = self._since.copy()
        other._spent = self._spent.copy()
        other._away = {seat: spans.copy() for seat, spans in self._away.items()}
        return other

    def moved(self, seat: int, at: int) -> None:
        """A seat has answered its decision."""
        if seat in self._since:
            self._charge(seat, at)
            if self.setting.kind == "game":
                self._left[seat] += self.setting.increment * 1000

    def wait_for(self, seats: list[int], at: int) -> None:
        """From now on the game waits for the people in these seats, and for no others."""
        for seat in list(self._since):
            if seat not in seats:
                self._charge(seat, at)
        for seat in seats:
            if seat in self._spent and seat not in self._since:
                self._left[seat] = max(self._left[seat], RESPITE, self.setting.increment * 1000)
            self._since.setdefault(seat, at)

    def late(self, seat: int) -> None:
        """The seat's time is over, and a bot makes this one move. A clock for the whole game leaves a little time for
        each decision from now on: a missed move must not cost the game."""
        if self.setting.kind == "game":
            self._spent.add(seat)

    def returned(self, seat: int) -> None:
        """The owner takes the seat back."""
        if self.setting.kind == "game":
            self._left[seat] = max(self._left[seat], GRACE, self.setting.increment * 1000)

    def leave(self, seat: int, at: int, until: int) -> None:
        """The person goes on vacation: a clock of days stands still until then."""
        self.come_back(seat, at)
        if until > at:
            self._away.setdefault(seat, []).append((at, until))

    def come_back(self, seat: int, at: int) -> None:
        """The person's vacation is over, if they were on one."""
        spans = self._away.get(seat)
        if spans and spans[-1][1] > at:
            spans[-1] = (spans[-1][0], at)

    def is_away(self, seat: int, now: int) -> bool:
        """Whether the clock of a seat stands still at this moment."""
        return any(begin <= now < end for begin, end in self._away.get(seat, ()))

    def _charge(self, seat: int, at: int) -> None:
        since = self._since.pop(seat)
        if self.setting.kind == "game":
            self._left[seat] = max(0, self._left[seat] - max(0, at - since))

    def left(self, seat: int, now: int) -> int:
        """The milliseconds that a seat has left; 0 when its time is over."""
        base = self._left[seat] if self.setting.kind == "game" else self._limit
        since = self._since.get(seat)
        if since is None:
            return max(0, base)
        stood = sum(max(0, min(now, end) - max(since, begin)) for begin, end in self._away.get(seat, ()))
        return max(0, base - max(0, now - since - stood))

    def deadline(self) -> int | None:
        """When the next seat runs out of time."""
        if not self.ticks or not self._since:
            return None
        return min(self.deadline_of(seat, since) for seat, since in self._since.items())

    def deadline_of(self, seat: int, now: int) -> int:
        """When a seat whose clock runs, or stands still for a while, is out of time."""
        end = now + self.left(seat, now)
        for begin, until in self._away.get(seat, ()):
            if until > now and begin < end:
                end += until - max(begin, now)
        return end

    def run_out(self, now: int) -> list[int]:
        """The seats whose time is over."""
        if not self.ticks:
            return []
        return [seat for seat in sorted(self._since) if self.left(seat, now) == 0]

    def faces(self, now: int) -> list[ClockFace]:
        """The clocks as clients show them; empty without a clock."""
        if not self.ticks:
            return []
        return [
            ClockFace(self.left(seat, now), seat in self._since and not self.is_away(seat, now))
            for seat in range(len(self._left))
        ]
