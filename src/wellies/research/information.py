"""What a seat has seen from the beginning, as a text: the same for two games that the seat cannot tell apart, and
different otherwise. The seat remembers everything (perfect recall): its own moves, and all that it was told.

Each line is one thing that happened, as an event tells it to this seat. A line of the seat's own begins with its move.
The text ends with what the seat sees on the table now.
"""

from __future__ import annotations

import json

from wellies.core.events import Event
from wellies.core.state import CHANCE, GameState
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
    for seat in [*range(state.seats), None]:
        told = " ".join([str(event.seen_by(seat)["text"]) for event in heard])
        found.append(f"{text}: {told}" if seat == mover else told)
    return tuple(found)


def table_text(state: GameState, seat: Seat) -> str:
    """What a seat sees on the table now."""
    seen = {"position": state.position(seat), "active": state.active(), "scores": state.scores()}
    return json.dumps(seen, sort_keys=True, separators=(",", ":"))


def information_text(state: GameState, seat: Seat, history: History) -> str:
    """All that a seat knows."""
    return "\n".join([f"seat {seat} of {state.seats}", *history.lines(seat), table_text(state, seat)])
