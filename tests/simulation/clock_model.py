"""How the clocks of a table should stand, worked out a second time from its log and docs/protocol.md."""

from __future__ import annotations

from wellies.table import Clock, LogEntry

DAY = 86_400_000
BACK_AGAIN = 30_000
"""A player who takes a seat back has at least so many milliseconds on a clock for the whole game."""
USED_UP = 10_000
"""The same for each decision of a player who has used up that clock."""


class ClockModel:
    """Left and running time of each seat, entry by entry."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self._clock = clock
        self._whole_game = clock.kind == "game"
        per_move = clock.days * DAY if clock.kind == "days" else clock.seconds * 1000
        self._budget = [per_move] * seats
        self._began: list[int | None] = [None] * seats
        self._late: set[int] = set()
        self._vacations: list[tuple[int, int, int]] = []
        """Seat, begin and end of each vacation."""

    def after(self, entry: LogEntry, waited_for: list[int] | None) -> None:
        """An entry was applied, and now the game waits for the people in these seats; None: chance is to move."""
        least = self._clock.increment * 1000
        if entry.kind == "late" and entry.seat is not None:
            self._late.add(entry.seat)
        if entry.kind == "takeback" and entry.seat is not None and self._whole_game:
            self._budget[entry.seat] = max(self._budget[entry.seat], BACK_AGAIN, least)
        if entry.kind in ("away", "back"):
            # A vacation that goes on is over now, and perhaps another one begins.
            self._vacations = [
                (seat, begin, min(end, entry.at) if seat == entry.seat else end) for seat, begin, end in self._vacations
            ]
            if entry.kind == "away" and entry.seat is not None:
                self._vacations.append((entry.seat, entry.at, int(entry.text)))
        for seat, began in enumerate(self._began):
            moved = entry.kind == "move" and entry.seat == seat
            if began is not None and (moved or (waited_for is not None and seat not in waited_for)):
                if self._whole_game:
                    self._budget[seat] = max(0, self._budget[seat] - (entry.at - began)) + (least if moved else 0)
                self._began[seat] = None
        for seat in waited_for or ():
            if self._began[seat] is None:
                self._began[seat] = entry.at
                if self._whole_game and seat in self._late:
                    self._budget[seat] = max(self._budget[seat], USED_UP, least)

    def left(self, seat: int, now: int) -> int:
        began = self._began[seat]
        if began is None:
            return max(0, self._budget[seat])
        ran = now - began
        for away, begin, end in self._vacations:
            if away == seat and end > began and begin < now:
                ran -= min(end, now) - max(begin, began)
        return max(0, self._budget[seat] - ran)

    def _stands_still(self, seat: int, now: int) -> bool:
        return any(away == seat and begin <= now < end for away, begin, end in self._vacations)

    def faces(self, now: int) -> list[tuple[int | None, bool]]:
        """As clients get them."""
        return [
            (self.left(seat, now), began is not None and not self._stands_still(seat, now))
            for seat, began in enumerate(self._began)
        ]
