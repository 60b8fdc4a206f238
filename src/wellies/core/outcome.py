"""How a game ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from wellies.core.native import mypyc_attr
from wellies.core.types import OutcomeView


class Ending(StrEnum):
    """Why a game ended, for programs. `Outcome.reason` says it in words."""

    SUPPLY_EMPTY = "supply_empty"
    """The deck, the bag or the store has run out."""
    HANDS_EMPTY = "hands_empty"
    """Nobody holds a piece or a card."""
    BOARD_FULL = "board_full"
    """There is no free place on the board."""
    ROUNDS_PLAYED = "rounds_played"
    """The number of rounds or turns that the rules set has been played."""
    TARGET_REACHED = "target_reached"
    """Somebody has what ends the game: a number of points, or a line."""
    NO_MOVES = "no_moves"
    """No piece that is left fits anywhere, or nobody has a legal move."""
    ALL_PASSED = "all_passed"
    """Everybody has passed."""
    RESIGNED = "resigned"
    """Somebody has given up. A server lets a bot play on instead, so its games end by their own rules."""
    STOPPED = "stopped"
    """The game was ended before its time, as a position that was set up by hand can say."""
    OTHER = "other"
    """For a game that gives no other ending."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Outcome:
    """Scores, ranks (1 is best, equal scores share a rank), the winning seats, and why the game ended: `reason` in
    words for people, `ending` for programs."""

    __slots__ = ("ending", "ranks", "reason", "scores", "winners")

    def __init__(self, scores: list[int], reason: str, ending: Ending = Ending.OTHER) -> None:
        self.scores = scores
        self.reason = reason
        self.ending = ending
        self.ranks = [1 + sum(1 for other in scores if other > mine) for mine in scores]
        self.winners = [seat for seat, rank in enumerate(self.ranks) if rank == 1]

    def to_json(self) -> OutcomeView:
        return {
            "scores": self.scores,
            "ranks": self.ranks,
            "winners": self.winners,
            "reason": self.reason,
            "ending": self.ending.value,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle made by either engine can be read by the other."""
        return (Outcome, (self.scores, self.reason, self.ending))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((tuple(self.scores), self.reason))

    def __repr__(self) -> str:
        return f"Outcome({self.scores}, {self.reason!r}, {self.ending})"
