"""Requests that a table refuses, what else can go wrong with one, and the codes of all errors."""

from __future__ import annotations

from typing import Final

from wellies.core.errors import (
    BadNotation,
    IllegalMove,
    MoveError,
    NotYourTurn,
    StaleDecision,
    UndoRefused,
    UnknownGame,
    UnknownPiece,
    WelliesError,
)


class Refused(WelliesError):
    """A request that a table does not grant. `code` is for programs and never changes, the message is for people,
    `status` is the matching HTTP status."""

    def __init__(self, code: str, message: str, status: int = 409) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class StorageTrouble(WelliesError):
    """The store did not do what was asked; nothing was acknowledged."""


class RowRefused(StorageTrouble):
    """The store works but refuses this row. Other rows are not affected."""


class Conflict(Exception):
    """Another worker has appended to the table first: catch up and decide again."""


class BotTrouble(WelliesError):
    """A bot could not find a move, after several tries."""


_CODES: Final[tuple[tuple[type[WelliesError], str], ...]] = (
    (StaleDecision, "stale"),
    (NotYourTurn, "not_your_turn"),
    (IllegalMove, "illegal"),
    (UnknownPiece, "unknown_piece"),
    (BadNotation, "bad_notation"),
    (UndoRefused, "undo_refused"),
    (StorageTrouble, "storage"),
    (BotTrouble, "bot_trouble"),
)


def code_of(error: WelliesError) -> str:
    """The stable code of an error, for programs."""
    if isinstance(error, Refused):
        return error.code
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code
    return "illegal" if isinstance(error, MoveError) else "refused"


def http_error(error: WelliesError) -> tuple[int, str]:
    """The HTTP status and the code of an error that ends a request."""
    if isinstance(error, Refused):
        return error.status, error.code
    if isinstance(error, RowRefused):
        return 400, "bad_text"
    if isinstance(error, StorageTrouble):
        return 503, "storage"
    if isinstance(error, UnknownGame):
        return 404, "unknown_game"
    return 400, code_of(error)
