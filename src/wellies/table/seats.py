"""One seat of a table: who holds it, and which bot plays it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from wellies.core.events import Json
from wellies.table.codec import decode, known_fields

SeatKind = Literal["open", "person", "bot"]
Why = Literal["", "handover", "timeout", "resigned"]

_MARKS: Final = str.maketrans("[]{}", "()()")
_WHY: Final[dict[str, Why]] = {"handover": "handover", "late": "timeout", "timeout": "timeout", "resign": "resigned"}
"""Why a bot plays a person's seat, by the kind of the entry that put it there."""


def unmarked(name: str) -> str:
    """A name without the characters that texts use as marks: `{0}` stands for a seat, `[...]` for notation."""
    return name.translate(_MARKS)


SOMEONE: Final = "Someone"
"""The name of whoever has deleted their account."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who holds a seat, and which bot plays it now, if one does. The name never contains marks (`unmarked`)."""

    kind: SeatKind = "open"
    identity: str = ""
    name: str = ""
    bot: str | None = None
    why: Why = ""
    """Why a bot plays the seat of a person."""
    once: bool = False
    """Whether the bot makes one move only; then the person plays again."""
    away: int = 0
    """Until when the person is on vacation, so that a clock of days stands still; 0: they are not."""

    def __post_init__(self) -> None:
        plain = unmarked(self.name)
        if plain != self.name:
            object.__setattr__(self, "name", plain)

    @classmethod
    def from_json(cls, given: Json) -> Seat:
        return cls(**known_fields(cls, given))

    @property
    def stand_in(self) -> bool:
        """Whether a bot plays this seat for a person who may come back."""
        return self.kind == "person" and self.bot is not None and self.why != "resigned"

    @property
    def timed_out(self) -> bool:
        """Whether a bot plays on because the person's time ran out."""
        return self.why == "timeout" and not self.once

    def without_bot(self) -> Seat:
        """The seat when its person plays again."""
        return replace(self, bot=None, why="", once=False)


def seat_after(kind: str, seat: Seat, text: str) -> Seat:
    """The seat after an entry of this kind with this text."""
    if kind == "name":
        return replace(seat, name=text)
    if kind in ("join", "seat"):
        return Seat.from_json(decode(text))
    if kind == "leave":
        return Seat()
    if kind in ("away", "back"):
        return replace(seat, away=int(text) if kind == "away" else 0)
    if kind == "takeback":
        return seat.without_bot()
    if kind == "forget":
        return replace(seat, identity="", name=SOMEONE)
    return replace(seat, bot=text, why=_WHY[kind], once=kind == "late")
