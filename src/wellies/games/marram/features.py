"""What can be claimed: patches of ground and beasts. Both are values: a change makes a new one, so states share them.

Pieces on a feature are packed eight bits a seat; `count_of` takes one out.
"""

from __future__ import annotations

from typing import Final

from wellies.core.native import mypyc_attr
from wellies.games.marram.placed_tile import FLOWER, GOLD, SILVER
from wellies.games.marram.segments import ANY, BLUE, BODY, END, HEAD, ORANGE, SADDLE, TAIL, WORM

SEAT_BITS: Final = 8


def one_piece(seat: int) -> int:
    return 1 << SEAT_BITS * seat


def count_of(pieces: int, seat: int) -> int:
    """How many pieces this seat has on a feature."""
    return pieces >> SEAT_BITS * seat & 255


def leaders(pieces: int, seats: int) -> list[int]:
    """The seats with most pieces on a feature; none if nobody has any."""
    if pieces == 0:
        return []
    counts = [count_of(pieces, seat) for seat in range(seats)]
    most = max(counts)
    return [seat for seat in range(seats) if counts[seat] == most]


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Patch:
    """Vertices of one ground joined by bridges; `open` of them still lack a tile. Each vertex is a bulge."""

    def __init__(self, members: tuple[int, ...], open: int, gold: int, silver: int, flowers: int, pieces: int) -> None:
        self.members = members
        self.open = open
        self.gold = gold
        self.silver = silver
        self.flowers = flowers
        self.pieces = pieces

    def joined(self, other: Patch) -> Patch:
        return Patch(
            self.members + other.members,
            self.open + other.open,
            self.gold + other.gold,
            self.silver + other.silver,
            self.flowers + other.flowers,
            self.pieces + other.pieces,
        )

    def with_open(self, change: int) -> Patch:
        return Patch(self.members, self.open + change, self.gold, self.silver, self.flowers, self.pieces)

    def with_pieces(self, change: int) -> Patch:
        return Patch(self.members, self.open, self.gold, self.silver, self.flowers, self.pieces + change)

    def with_ornament(self, ornament: int, change: int) -> Patch:
        return Patch(
            self.members,
            self.open,
            self.gold + (change if ornament == GOLD else 0),
            self.silver + (change if ornament == SILVER else 0),
            self.flowers + (change if ornament == FLOWER else 0),
            self.pieces,
        )


# Parts of a chain are counted ten bits each in one int.
_PART_BITS: Final = 10
ONE_OF_ROLE: Final[tuple[int, ...]] = tuple([1 << _PART_BITS * role for role in range(5)])


def parts(counts: int, role: int) -> int:
    """How many heads, tails, ends, bodies or saddles."""
    return counts >> _PART_BITS * role & (1 << _PART_BITS) - 1


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Chain:
    """A beast: its segments (each named by tile and first edge), its loose ends (tile and edge) and its parts.

    A tile and edge are packed as cell * 4 + edge. The kind stays ANY while only Beastly bodies are in it.
    """

    def __init__(self, members: tuple[int, ...], loose: tuple[int, ...], kind: int, counts: int, pieces: int) -> None:
        self.members = members
        self.loose = loose
        self.kind = kind
        self.counts = counts
        self.pieces = pieces

    def joined(self, other: Chain) -> Chain:
        return Chain(
            self.members + other.members,
            self.loose + other.loose,
            self.kind if self.kind != ANY else other.kind,
            self.counts + other.counts,
            self.pieces + other.pieces,
        )

    def without_end(self, end: int) -> Chain:
        loose = tuple([each for each in self.loose if each != end])
        return Chain(self.members, loose, self.kind, self.counts, self.pieces)

    def with_pieces(self, change: int) -> Chain:
        return Chain(self.members, self.loose, self.kind, self.counts, self.pieces + change)

    def heads(self) -> int:
        """Blue heads in it."""
        return parts(self.counts, HEAD)

    def regular(self) -> bool:
        """Whether it is a proper beast once complete; otherwise it is a freak."""
        counts = self.counts
        if self.kind == BLUE:
            return parts(counts, HEAD) == 1 and parts(counts, TAIL) == 1 and parts(counts, BODY) >= 1
        if self.kind == ORANGE:
            return parts(counts, END) == 2
        if self.kind == WORM:
            return parts(counts, END) == 2 and parts(counts, SADDLE) == 1
        return False
