"""A tile as it lies on the table, and whether a tile fits a place.

What a place demands is packed into an int, three bits an edge (N lowest), with the parity of the place above them:
nothing where no tile lies beyond the edge, no beast, blue, orange, worm, or an open Beastly chain. Two edges at which
the two ends of one and the same open Beastly chain wait carry a common label, for they must take the same beast.
"""

from __future__ import annotations

from typing import Final

from wellies.core.native import mypyc_attr
from wellies.games.marram.places import GRASS
from wellies.games.marram.segments import ANY, BLUE, HEAD, NO_BEAST, turned

NO_TILE: Final = -1
"""The number of a tile that was written out in a position and is in no box."""

# Ornaments.
BARE: Final = 0
GOLD: Final = 1
SILVER: Final = 2
FLOWER: Final = 3
ORNAMENT_NAMES: Final = ("none", "gold", "silver", "flower")
ORNAMENT_WORDS: Final = ("", "gold coin", "silver coin", "flower")

# Demands of one edge: the kind of beast plus one; 0 is no neighbour.
FREE: Final = 0
OPEN_CHAIN: Final = ANY + 1
FIRST_LABEL: Final = 6
SECOND_LABEL: Final = 7
PARITY_BIT: Final = 1 << 12


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class PlacedTile:
    """A tile as it lies: nothing in it ever changes, so states share it. A flip or a removal lays another in its place.

    `other` is the ornament of the face below, which a flip shows; an ordinary tile is flipped only when it is bare, and
    then shows none. `flips` is how many times it may still be flipped now; `flipped`, whether it ever was.
    """

    def __init__(
        self,
        tile: int,
        turn: int,
        bridge: int,
        segments: tuple[int, ...],
        ornament: int,
        other: int,
        flips: int,
        flipped: bool,
    ) -> None:
        self.tile = tile
        self.turn = turn
        self.bridge = bridge
        self.segments = segments
        self.ornament = ornament
        self.other = other
        self.flips = flips
        self.flipped = flipped
        kinds = [NO_BEAST, NO_BEAST, NO_BEAST, NO_BEAST]
        firsts = [-1, -1, -1, -1]
        seconds = [-1, -1, -1, -1]
        heads = 0
        for segment in segments:
            touched = [edge for edge in range(4) if segment >> edge & 1]
            for edge in touched:
                kinds[edge] = segment >> 8
                firsts[edge] = touched[0]
            if len(touched) == 2:
                seconds[touched[0]] = touched[1]
                seconds[touched[1]] = touched[0]
            if segment >> 4 == BLUE << 4 | HEAD:
                heads += 1
        self.kinds: tuple[int, ...] = tuple(kinds)
        """The beast at each edge."""
        self.firsts: tuple[int, ...] = tuple(firsts)
        """The first edge of the segment at each edge; -1 where there is none."""
        self.partners: tuple[int, ...] = tuple(seconds)
        """Where the segment at each edge leads to; -1 if nowhere."""
        self.heads = heads
        self.symmetric = turned(segments, 2) == segments
        self.flip_faces: list[tuple[int, ...]] = []
        """The segments after a flip to each quarter turn, computed when first needed."""

    def segment_at(self, edge: int) -> int:
        """The segment that touches this edge; -1 if none does."""
        for segment in self.segments:
            if segment >> edge & 1:
                return segment
        return -1

    def flip_turns(self) -> tuple[int, ...]:
        """The quarter turns in which the other face suits the place; of two that look the same, the lower."""
        low = 1 - (self.turn & 1)
        return (low,) if self.symmetric else (low, low + 2)

    def segments_turned(self, turn: int) -> tuple[int, ...]:
        """The segments with the tile flipped to this quarter turn."""
        if not self.flip_faces:
            self.flip_faces = [turned(self.segments, each - self.turn) for each in range(4)]
        return self.flip_faces[turn]

    def turned_over(self, turn: int) -> PlacedTile:
        """The tile flipped to this quarter turn: the same beasts turned with it, grass and sand swapped."""
        return PlacedTile(
            self.tile,
            turn,
            1 - self.bridge,
            self.segments_turned(turn),
            self.other,
            self.ornament,
            self.flips - 1,
            True,
        )

    def without(self, edges: int, flips: int) -> PlacedTile:
        """The tile without the segments at these edges (a mask)."""
        left = tuple([segment for segment in self.segments if not segment & edges])
        return PlacedTile(self.tile, self.turn, self.bridge, left, self.ornament, self.other, flips, self.flipped)

    def settled(self, edge: int, kind: int) -> PlacedTile:
        """The tile with the Beastly body at this edge become a body of this beast."""
        bodies = [
            segment & 255 | kind << 8 if segment >> edge & 1 and segment >> 8 == ANY else segment
            for segment in self.segments
        ]
        return PlacedTile(
            self.tile, self.turn, self.bridge, tuple(bodies), self.ornament, self.other, self.flips, self.flipped
        )


def bridge_corners(bridge: int, place_parity: int) -> tuple[int, int]:
    """The corners (0 NW to 3 SW) that the bridge joins at a place of this parity."""
    return (0, 2) if bridge ^ place_parity == GRASS else (1, 3)


def demand_of(code: int, edge: int) -> int:
    return code >> 3 * edge & 7


_FITS: Final[dict[tuple[tuple[int, ...], int], bool]] = {}


def fits(segments: tuple[int, ...], code: int) -> bool:
    """Whether these segments match all that a place demands. Pure, so answers are remembered."""
    key = (segments, code & ~PARITY_BIT)
    known = _FITS.get(key)
    if known is None:
        known = all(edge_fits(segments, code, edge) for edge in range(4)) and joins_one_kind_each(segments, code)
        _FITS[key] = known
    return known


def kind_at(segments: tuple[int, ...], edge: int) -> int:
    """The kind of beast that these segments carry at an edge."""
    for segment in segments:
        if segment >> edge & 1:
            return segment >> 8
    return NO_BEAST


def edge_fits(segments: tuple[int, ...], code: int, edge: int) -> bool:
    """Whether one edge matches its neighbour: both without a beast, or both with one and the same."""
    demand = code >> 3 * edge & 7
    if demand == FREE:
        return True
    kind = kind_at(segments, edge)
    if demand >= OPEN_CHAIN:
        return kind != NO_BEAST
    return kind == demand - 1 or (kind == ANY and demand - 1 != NO_BEAST)


def joins_one_kind_each(segments: tuple[int, ...], code: int) -> bool:
    """Whether nothing Beastly, of this tile or of the chains it meets, would join two different beasts."""
    # Things that take one kind of beast each: every Beastly segment of the tile, and the two labelled chains around.
    taken: dict[int, int] = {}
    while True:
        before = dict(taken)
        for segment in segments:
            kind = segment >> 8
            for edge in range(4):
                if not segment >> edge & 1:
                    continue
                demand = code >> 3 * edge & 7
                waiting = demand - 1 if NO_BEAST < demand - 1 < ANY else taken.get(demand, ANY)
                carried = taken.get(~segment, ANY) if kind == ANY else kind
                if carried == ANY:
                    carried = waiting
                elif waiting not in (ANY, carried):
                    return False
                if carried != ANY:
                    if kind == ANY:
                        taken[~segment] = carried
                    if demand >= FIRST_LABEL:
                        taken[demand] = carried
        if taken == before:
            return True
