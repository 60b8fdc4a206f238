"""Every error that Wellies raises on purpose, under one base.

Each message says what is wrong and what to do about it. `text` has the marks of `texts`, which front ends fill in;
`str()` of an error has none left: seats are called `seat 0` and so on.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from wellies.core.texts import default_names, with_notation


class WelliesError(Exception):
    """The base of all errors that are the caller's to mend, never ours."""

    @property
    def text(self) -> str:
        """The message as it was raised. That of a move or an undo may have the marks of `texts`."""
        return super().__str__()


class UnknownGame(WelliesError):
    """No game of that name is on the shelf."""


class BadGame(WelliesError):
    """A game that cannot be loaded or registered; the message names its package and what is wrong."""


class UnknownBot(WelliesError):
    """No bot of that name plays here."""


class BadOption(WelliesError):
    """A game option, or the number of seats, is not one of those allowed."""


class BadPosition(WelliesError):
    """A position that cannot be set up: malformed, or against the rules of its game."""


class BadRecord(WelliesError):
    """A record file that cannot be read or replayed."""


class BadMaterial(WelliesError):
    """A file of tiles or cards with a mistake in it."""


class UnknownSeat(WelliesError):
    """There is no seat of that number at the table."""


class _MarkedError(WelliesError):
    """An error whose text has the marks of `texts`."""

    def __str__(self) -> str:
        text = self.text
        named = [int(seat) for seat in re.findall(r"\{(\d{1,3})\}", text)]
        return with_notation(text, default_names(max(named, default=-1) + 1))


class MoveError(_MarkedError):
    """A move that was not made; the state is as it was."""


class BadNotation(MoveError):
    """The text is not a move of this game in form."""


class UnknownPiece(MoveError):
    """The form is right, but it names a piece or a place that does not exist."""


class IllegalMove(MoveError):
    """A well-formed move that the rules forbid here; the message is the rule."""


class NotYourTurn(IllegalMove):
    """The seat has nothing to decide now."""


class StaleDecision(MoveError):
    """The decision that this move answers is no longer open."""


class UndoRefused(_MarkedError):
    """The last move cannot be taken back; the message says what stands in the way."""


def not_a_move(move: int, title: str) -> BadNotation:
    """The error for a number that is no move of a game."""
    return BadNotation(f"{move} is not a move of {title}.")


def nearest(word: str, known: list[str]) -> str:
    """A hint such as ` Did you mean "guppies"?`, or nothing."""
    close = get_close_matches(word.lower(), [name.lower() for name in known], n=1, cutoff=0.6)
    if not close:
        return ""
    for name in known:
        if name.lower() == close[0]:
            return f' Did you mean "{name}"?'
    return ""
