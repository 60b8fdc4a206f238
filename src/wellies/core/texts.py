"""Texts for people, and the two marks in them that every front end fills in.

`{0}`, `{1}`... stand for the names of the seats. What stands in square brackets is notation: a place, `[at 1,-1]`, or
a move as it is typed, `[such as choose 25]`. The terminal shows notation; the page, where one points at places, leaves
it out, and every sentence reads well without it. Texts of events, refusals, score lines and moves have these marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_NOTATION: Final = re.compile(r"\[([^\[\]]*)\]")
_MARKS: Final = re.compile(r"\[([^\[\]]*)\]|\{(\d+)\}")


def seat_mark(seat: int) -> str:
    """What stands for the name of a seat."""
    return f"{{{seat}}}"


def seat_marks(seats: Sequence[int]) -> str:
    """Several of them, as one says it: `{0}, {1} and {2}`."""
    return listed([seat_mark(seat) for seat in seats])


def default_names(seats: int) -> list[str]:
    """What the seats are called where no names are known: `seat 0`, `seat 1`... as in notation and records."""
    return [f"seat {seat}" for seat in range(seats)]


def listed(words: Sequence[str]) -> str:
    """One after the other, with "and" before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def some(number: int, thing: str) -> str:
    """A number of things: `1 point`, `2 points`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def capital(text: str) -> str:
    """A sentence begins with a capital."""
    return text[:1].upper() + text[1:]


def with_notation(text: str, names: Sequence[str] | None = None) -> str:
    """The text where moves are typed; with names, those of the seats are put in."""

    def fill(mark: re.Match[str]) -> str:
        if mark[2] is None:
            return mark[1]
        return names[int(mark[2])] if names is not None and int(mark[2]) < len(names) else mark[0]

    return _MARKS.sub(fill, text)


def without_notation(text: str) -> str:
    """The text where one points at places."""
    return re.sub(rf" ?{_NOTATION.pattern}", "", text)
