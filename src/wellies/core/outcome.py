"""How a game ended."""

from __future__ import annotations

from typing import Any

from wellies.core.events import Json
from wellies.core.native import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Outcome:
    """Scores, ranks (1 is best, equal scores share a rank), the winning seats and the reason the game ended."""

    __slots__ = ("ranks", "reason", "scores", "winners")

    def __init__(self, scores: list[int], reason: str) -> None:
        self.scores = scores
        self.reason = reason
        self.ranks = [1 + sum(1 for other in scores if other > mine) for mine in scores]
        self.winners = [seat for seat, rank in enumerate(self.ranks) if rank == 1]

    def to_json(self) -> Json:
        return {"scores": self.scores, "ranks": self.ranks, "winners": self.winners, "reason": self.reason}

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle made by either engine can be read by the other."""
        return (Outcome, (self.scores, self.reason))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((tuple(self.scores), self.reason))

    def __repr__(self) -> str:
        return f"Outcome({self.scores}, {self.reason!r})"
