"""The numbers in which Classic, Pitchfork and Animals differ."""

from __future__ import annotations

from typing import Final

from wellies.core.native import mypyc_attr

CLASSIC: Final = 0
PITCHFORK: Final = 1
ANIMALS: Final = 2
VARIANT_NAMES: Final = ("classic", "pitchfork", "animals")

HAND: Final = 3
MOVES_A_TURN: Final = 2
FLY_AFTER: Final = 20
FROG_AFTER: Final = 30


@mypyc_attr(allow_interpreted_subclasses=True)
class Numbers:
    """What one game is played with: pieces and cards of a seat, flips of a tile, points, and the knock-out score."""

    def __init__(
        self,
        variant: int,
        boots: int,
        forks: int,
        spades: int,
        flips: int,
        points: tuple[int, int, int, int],
        knock_out: int,
    ) -> None:
        self.variant = variant
        self.boots = boots
        self.forks = forks
        self.spades = spades
        self.flips = flips
        self.bulge, self.gold, self.flower, self.silver = points
        self.knock_out = knock_out
        """The score that ends a short game; 0 in a long one."""


_KNOWN: Final[dict[tuple[str, str, int], Numbers]] = {}


def numbers_for(variant: str, length: str, seats: int) -> Numbers:
    """The numbers of a game. Animals is always long."""
    key = (variant, length, seats)
    known = _KNOWN.get(key)
    if known is None:
        known = _work_out(variant, length, seats)
        _KNOWN[key] = known
    return known


def _work_out(variant: str, length: str, seats: int) -> Numbers:
    by_seats = seats - 2
    short = length == "short"
    if variant == "classic":
        return Numbers(CLASSIC, 7, 0, (4, 3, 2)[by_seats], 3, (5, 5, 4, 3), (80, 60, 50)[by_seats] if short else 0)
    if variant == "pitchfork" and short:
        return Numbers(PITCHFORK, 3, 5, (8, 5, 4)[by_seats], 1, (3, 4, 3, 2), (120, 80, 60)[by_seats])
    number = PITCHFORK if variant == "pitchfork" else ANIMALS
    return Numbers(number, 5, 5, (10, 7, 5)[by_seats], 1, (3, 4, 3, 2), 0)
