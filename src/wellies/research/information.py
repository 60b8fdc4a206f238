"""What a seat has seen from the beginning, as a text: the same for two games that the seat cannot tell apart, and
different otherwise. The seat remembers everything (perfect recall): its own moves, and all that it was told.

Each line is one thing that happened, as an event tells it to this seat. A line of the seat's own begins with its move.
The text ends with what the seat sees on the table now.
"""

from __future__ import annotations

import json
from typing import Any

from wellies.core.events import Event
from wellies.core.state import CHANCE, GameState
from wellies.core.texts import default_names, with_notation
from wellies.core.types import Move, Seat


class History:
    """The moves of a game, and what each seat was told of them. Events are built only when a text is asked for."""

    def __init__(self, start: GameState) -> None:
        self._told: GameState = start.clone()
        """The game as far as it has been told."""
        self._lines: list[tuple[str, ...]] = []
        """For each move that has been told: its line for each seat, and last that for a spectator."""
        self._moves: list[tuple[Seat, Move]] = []
        """All moves."""

    def note(self, seat: Seat, move: Move) -> None:
        """A move is made."""
        self._moves.append((seat, move))

    def clone(self) -> History:
        other = History.__new__(History)
        other._told = self._told.clone()
        other._lines = self._lines.copy()
        other._moves = self._moves.copy()
        return other

    def __deepcopy__(self, _memo: object) -> History:
        return self.clone()

    def lines(self, seat: Seat) -> list[str]:
        """What this seat was told, a line for each move that told it something."""
        self._tell()
        return [each[seat] for each in self._lines if each[seat]]

    def public_lines(self) -> list[str]:
        """What a spectator was told."""
        self._tell()
        return [each[-1] for each in self._lines if each[-1]]

    def _tell(self) -> None:
        for mover, move in self._moves[len(self._lines) :]:
            self._lines.append(told_lines(self._told, mover, move))

    def resampled(self, seat: Seat, state: GameState) -> History:
        """The history of a state that was resampled for a seat. What only others were told is not known in it: they are
        left with what a spectator was told."""
        self._tell()
        other = History(state)
        other._moves = self._moves.copy()
        for each in self._lines:
            other._lines.append(tuple(line if index == seat else each[-1] for index, line in enumerate(each)))
        return other


def told_lines(state: GameState, mover: Seat, move: Move) -> tuple[str, ...]:
    """Make a move, and return what each seat is told of it, and last a spectator."""
    text = "" if mover == CHANCE else state.move_text(mover, move)
    heard: list[Event] = []
    state.step(mover, move, heard.append)
    found: list[str] = []
    names = default_names(state.seats)
    for seat in [*range(state.seats), None]:
        told = " ".join([_told(event, seat, names) for event in heard])
        found.append(f"{text}: {told}" if seat == mover else told)
    return tuple(found)


def _told(event: Event, seat: Seat | None, names: list[str]) -> str:
    """What an event tells a seat. The data have all of it; the words alone would not do."""
    seen = event.seen_by(seat)
    return f"{with_notation(seen['text'], names)} {_compact(seen['data'])}"


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def table_text(state: GameState, seat: Seat) -> str:
    """What a seat sees on the table now."""
    seen = {"position": state.position(seat), "active": state.active(), "scores": state.scores()}
    return _compact(seen)


def information_text(state: GameState, seat: Seat, history: History) -> str:
    """All that a seat knows."""
    return "\n".join([f"seat {seat} of {state.seats}", *history.lines(seat), table_text(state, seat)])
