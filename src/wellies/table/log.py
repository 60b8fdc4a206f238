"""The log of a table. Every change is an entry; the table is what the entries amount to.

The same `LogEntry` is made by a request, stored, sent to other workers, replayed and shown to viewers.
"""

from __future__ import annotations

from typing import Any, Final, TypedDict

from wellies.core.events import Json
from wellies.core.texts import seat_mark
from wellies.match import PlayedMove
from wellies.table.codec import decode
from wellies.table.seats import Seat
from wellies.table.undo import BackTo

MINOR_KINDS: Final = ("undo", "ask", "agree", "decline", "withdraw")
"""Entries, besides moves, that change nothing of what lists of tables show."""

_SENTENCES: Final[dict[str, str]] = {
    "chair": "The host adds a chair.",
    "unchair": "The host takes a chair away.",
    "change": "The host changes the settings.",
    "start": "The game begins.",
    "rematch": "There is a new table for another game.",
}
_SEAT_SENTENCES: Final[dict[str, str]] = {
    "ask": "{0} asks to take the last move back.",
    "agree": "{0} agrees.",
    "decline": "{0} would rather let it stand.",
    "withdraw": "{0} lets it stand after all.",
    "handover": "{0} lets a bot play on.",
    "late": "{0}'s time ran out; a bot makes this move.",
    "timeout": "{0} has run out of time; a bot plays on until they are back.",
    "takeback": "{0} is back.",
    "resign": "{0} resigns; a bot plays on.",
    "forget": "{0} has left for good.",
    "away": "{0} is on vacation; their clock stands still.",
    "back": "{0} is back from vacation.",
}
"""As seat 0 would do it; the mark of another seat takes the place of `{0}`."""


class EntryInfo(TypedDict):
    """One line of the table's log. For a move, `events` tell what happened as this viewer may know it; `move` is its
    notation, null where the viewer may not know it. For all else `text` says it; `{0}` is the name of seat 0. `back` is
    there for an undo: the number of the first move that it takes back; all moves from there on are gone."""

    number: int
    at: int
    kind: str
    seat: int | None
    move: str | None
    text: str
    events: list[Json]
    back: int | None


class LogEntry:
    """One entry of a table's log.

    `number`, `kind`, `seat`, `text` and `at` (milliseconds since 1970) are what is stored. `text` is the notation of a
    move, or JSON that the kind of entry needs. The rest is known once the entry is applied to a table: `played` for a
    move, the `sentence` that people read, and for an undo `back`, the number of the first move that it takes back.
    """

    __slots__ = ("at", "back", "kind", "number", "played", "seat", "sentence", "text")

    def __init__(
        self, number: int, kind: str, seat: int | None, text: str, at: int, played: PlayedMove | None = None
    ) -> None:
        self.number = number
        self.kind = kind
        self.seat = seat
        self.text = text
        self.at = at
        self.played = played
        self.sentence = ""
        self.back: int | None = None

    def stored(self) -> tuple[int, str, int | None, str, int]:
        """What is stored of it and sent to other workers; `LogEntry(*entry.stored())` is the entry, not yet applied."""
        return (self.number, self.kind, self.seat, self.text, self.at)

    def seen_by(self, seat: int | None, finished: bool) -> EntryInfo:
        """The entry as this seat (None: a spectator) may see it. A move's notation may name what is hidden: only the
        seat that made it sees it, and everybody when the game is over."""
        played = self.played
        shown = played is not None and (finished or (seat is not None and self.seat == seat))
        return {
            "number": self.number,
            "at": self.at,
            "kind": self.kind,
            "seat": self.seat,
            "move": self.text if shown else None,
            "text": self.sentence,
            "events": [] if played is None else [event.seen_by(seat) for event in played.events],
            "back": self.back,
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LogEntry) and self.stored() == other.stored()

    def __hash__(self) -> int:
        return hash(self.stored())

    def __repr__(self) -> str:
        return f"LogEntry({', '.join(map(repr, self.stored()))})"


def entry_sentence(entry: LogEntry, before: list[Seat], after: list[Seat]) -> str:
    """What an entry other than a move says, given the seats before and after it."""
    kind, seat = entry.kind, entry.seat
    if seat is None or kind in _SENTENCES:
        return _SENTENCES[kind]
    if kind in ("join", "leave", "name", "seat"):
        return _seat_change(kind, seat, before[seat], after[seat])
    return (_undo_sentence(entry.text) if kind == "undo" else _SEAT_SENTENCES[kind]).replace("{0}", seat_mark(seat))


def _seat_change(kind: str, seat: int, was: Seat, now: Seat) -> str:
    """Entries about who sits where name people as they were called then: seats are renumbered when one is removed."""
    if kind == "join":
        return f"{now.name} joins the table."
    if kind == "leave":
        return f"{was.name} leaves the table."
    if kind == "name":
        return f"{was.name} is now called {now.name}."
    if now.kind == "bot":
        return f"The host gives chair {seat + 1} to {now.name.capitalize()}, a bot."
    return f"The host frees chair {seat + 1}."


def _undo_sentence(text: str) -> str:
    # Tables of the first versions wrote no text: they took back one move.
    back = BackTo.from_json(decode(text)) if text else BackTo(0)
    agreed = ", as agreed" if back.agreed else ""
    return f"{{0}} takes the last move back{agreed}{'; the same draws come again' if back.shown else ''}."


def entry_from_json(given: Any) -> LogEntry:
    """An entry from the JSON list of `stored`."""
    number, kind, seat, text, at = given
    return LogEntry(number, kind, seat, text, at)
