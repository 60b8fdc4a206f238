"""Every error that Wellies raises on purpose, under one base.

Each message says what is wrong and what to do about it. Front ends fill in the marks of `texts` and print it.
"""

from __future__ import annotations

from difflib import get_close_matches


class WelliesError(Exception):
    """The base of all errors that are the caller's to mend, never ours."""


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


class MoveError(WelliesError):
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


class UndoRefused(WelliesError):
    """The last move cannot be taken back; the message says what stands in the way."""


def nearest(word: str, known: list[str]) -> str:
    """A hint such as ` Did you mean "guppies"?`, or nothing."""
    close = get_close_matches(word.lower(), [name.lower() for name in known], n=1, cutoff=0.6)
    if not close:
        return ""
    for name in known:
        if name.lower() == close[0]:
            return f' Did you mean "{name}"?'
    return ""
