"""A numbered list of moves that can be filtered by typing part of one. Pure: no input or output.

A move keeps its number whatever the filter, so that a number on the screen always means the same move this turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from wellies.core.preview import preview_moves
from wellies.core.spec import GameSpec
from wellies.core.state import GameState
from wellies.core.types import Move, Seat

PAGE: Final = 30
"""The longest list that is ever printed at once."""

_LEAST: Final = re.compile(r"\+\d{1,4}")


class Choice:
    """One legal move: its number, its notation, and in words."""

    __slots__ = ("move", "number", "text", "words")

    def __init__(self, number: int, move: Move, text: str, words: str) -> None:
        self.number = number
        self.move = move
        self.text = text
        self.words = words


def least_points(word: str) -> int | None:
    """How many points a word such as `+3` asks for; None: it is something else."""
    return int(word) if _LEAST.fullmatch(word) else None


class Picker:
    """The legal moves of one seat at one moment; seats are called by these names in their words."""

    def __init__(self, spec: GameSpec, state: GameState, seat: Seat, names: Sequence[str] | None = None) -> None:
        self.spec = spec
        self.state = state
        self.seat = seat
        self.choices = [
            Choice(number, move, state.move_text(seat, move), state.describe(seat, move, names))
            for number, move in enumerate(state.legal(seat), 1)
        ]
        self.found: list[Choice] = self.choices
        self.shown = 0
        self._points: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.choices)

    def matching(self, filter: str) -> list[Choice]:
        """The moves in whose notation or words every typed word occurs; `+3` stands for 3 points or more."""
        words = filter.casefold().split()
        least = max((int(word) for word in words if _LEAST.fullmatch(word)), default=None)
        words = [word for word in words if not _LEAST.fullmatch(word)]
        found = [
            choice
            for choice in self.choices
            if all(word in choice.text.casefold() or word in choice.words.casefold() for word in words)
        ]
        if least is None:
            return found
        return [choice for choice in found if self.points(choice) >= least]

    def page(self, filter: str, size: int, *, best: bool = False) -> list[Choice]:
        """The first page of a filtered list, those that score most first if `best`; `more` goes on from there."""
        self.found = self.matching(filter)
        if best:
            self.found.sort(key=lambda choice: -self.points(choice))
        self.shown = 0
        return self.more(size)

    def more(self, size: int) -> list[Choice]:
        """The next page."""
        page = self.found[self.shown : self.shown + min(size, PAGE)]
        self.shown += len(page)
        return page

    @property
    def left(self) -> int:
        """How many of the filtered moves have not been shown."""
        return max(0, len(self.found) - self.shown)

    def numbered(self, text: str) -> Choice | None:
        """The move of a typed number, or None."""
        if not (text.isascii() and text.isdigit() and len(text) < 6):
            return None
        number = int(text)
        return self.choices[number - 1] if 1 <= number <= len(self.choices) else None

    def points(self, choice: Choice) -> int:
        """What the move scores at once for its seat, as far as that is certain."""
        if choice.move not in self._points:
            self._points[choice.move] = preview_moves(self.state, self.seat, [choice.move])[0].points
        return self._points[choice.move]

    def marks(self, choices: list[Choice]) -> dict[Any, str]:
        """The numbers of some moves by the places they go to, for a board that is drawn with them."""
        marks: dict[Any, str] = {}
        for choice in choices:
            place = self.spec.move_fields(self.state, self.seat, choice.move).get("at")
            if isinstance(place, list):
                place = tuple(place)
            if isinstance(place, tuple | str):
                marks[place] = f"{marks[place].rstrip('+')}+" if place in marks else f"#{choice.number}"
        return marks

    def complete(self, typed: str) -> list[str]:
        """The notations that begin with what is typed."""
        return [choice.text for choice in self.choices if choice.text.startswith(typed)]
