"""What happened, with who may know it; and why every point was scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wellies.core.native import mypyc_attr

Json = dict[str, Any]


@mypyc_attr(allow_interpreted_subclasses=True)
class ScoreLine:
    """One reason for some points. A seat's lines always sum to its score.

    `rule` is a short stable name ("fish", "row", "push") that charts group by; `where` lists the places to light up, in
    the game's own coordinates; `why` says it in words (see `texts`).
    """

    __slots__ = ("points", "rule", "where", "why")

    def __init__(self, rule: str, points: int, where: list[Any] | None = None, why: str = "") -> None:
        self.rule = rule
        self.points = points
        self.where: list[Any] = [] if where is None else where
        self.why = why

    def to_json(self) -> Json:
        return {"rule": self.rule, "points": self.points, "where": self.where, "why": self.why}

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle made by either engine can be read by the other."""
        return (ScoreLine, (self.rule, self.points, self.where, self.why))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScoreLine) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.rule, self.points, self.why))

    def __repr__(self) -> str:
        return f"ScoreLine({self.rule!r}, {self.points}, {self.where}, {self.why!r})"


def lines_json(lines: list[tuple[int, ScoreLine]]) -> list[Json]:
    """Score lines as JSON, each with the `seat` that scores."""
    return [{"seat": scorer, **line.to_json()} for scorer, line in lines]


@mypyc_attr(allow_interpreted_subclasses=True)
class Event:
    """One thing that happened, with who may know what of it.

    `text` and `data` are for everyone. `secret_text` and `secret` replace and extend them for the seats in `audience`
    only (an empty audience: nobody at the table, as when a tile leaves the game unseen). Names of seats and notation
    are marked in texts as `texts` says.

    `reveals` marks an event that showed what another seat had hidden, as when choices are turned over together. A move
    with such an event cannot be taken back, and a preview ends before it. Showing something of one's own needs no mark,
    nor does chance, after which nothing can be taken back anyway.

    The points of `lines` sum to the change of each seat's score by this event.
    """

    __slots__ = ("audience", "data", "kind", "lines", "reveals", "seat", "secret", "secret_text", "text")

    def __init__(
        self,
        kind: str,
        seat: int,
        text: str,
        data: Json | None = None,
        *,
        secret_text: str | None = None,
        secret: Json | None = None,
        audience: tuple[int, ...] = (),
        reveals: bool = False,
        lines: list[tuple[int, ScoreLine]] | None = None,
    ) -> None:
        self.kind = kind
        self.seat = seat
        self.text = text
        self.data: Json = {} if data is None else data
        self.secret_text = secret_text
        self.secret: Json = {} if secret is None else secret
        self.audience = audience
        self.reveals = reveals
        self.lines: list[tuple[int, ScoreLine]] = [] if lines is None else lines

    def seen_by(self, seat: int | None) -> Json:
        """The event as this seat may see it (None: a spectator), as JSON. The only way out for an event."""
        text = self.text
        data = dict(self.data)
        if seat is not None and seat in self.audience:
            data.update(self.secret)
            if self.secret_text is not None:
                text = self.secret_text
        return {
            "kind": self.kind,
            "seat": self.seat,
            "text": text,
            "data": data,
            "lines": lines_json(self.lines),
        }

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.seat}, {self.text!r})"


Sink = Callable[[Event], None]
