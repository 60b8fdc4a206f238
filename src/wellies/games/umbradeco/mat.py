"""The mat with its tiles, and where a tile may go.

For each colour the mat keeps three sets of spaces (see `mat_geometry.py`), brought up to date when that colour changes:
the spaces that show it, the spaces that touch it, and the spaces that touch it at least twice. With these the colour
rule is checked for a whole set of spaces at once:

- a tile of a colour may lie on any space that does not touch the colour;
- a tile may be pushed from a space to an empty one that touches its colour once, namely at the space it leaves.
"""

from __future__ import annotations

from wellies.core.native import mypyc_attr
from wellies.games.umbradeco.mat_geometry import MatGeometry
from wellies.games.umbradeco.material import COLOUR_COUNT, NONE, SPACES
from wellies.games.umbradeco.moves import PLACE, PUSH, STACK


@mypyc_attr(allow_interpreted_subclasses=True)
class Mat:
    """Tiles on the spaces of a mat."""

    def __init__(self, geometry: MatGeometry) -> None:
        self.geometry = geometry
        self.top: list[int] = []
        """The colour that each space shows; NONE where it is empty."""
        self.under: dict[int, int] = {}
        """The colour beneath, for each space with a stack."""
        self.occupied = 0
        self.stacked = 0
        self.showing: list[int] = []
        self.touching: list[int] = []
        self.twice: list[int] = []

    def clone(self) -> Mat:
        other = Mat(self.geometry)
        other.top = self.top.copy()
        other.under = self.under.copy()
        other.occupied = self.occupied
        other.stacked = self.stacked
        other.showing = self.showing.copy()
        other.touching = self.touching.copy()
        other.twice = self.twice.copy()
        return other

    # --- laying tiles -------------------------------------------------------------------------------------------------

    def put(self, space: int, colour: int) -> None:
        """Lay a tile on an empty space."""
        bit = self.geometry.bit[space]
        self.top[space] = colour
        self.occupied |= bit
        self.showing[colour] |= bit
        self._refresh(colour)

    def push(self, space: int, direction: int, colour: int) -> None:
        """Push the tile of a space one step, and lay a tile where it was."""
        geometry = self.geometry
        beyond = geometry.beyond[space * 6 + direction]
        pushed = self.top[space]
        bit, far_bit = geometry.bit[space], geometry.bit[beyond]
        self.top[space] = colour
        self.top[beyond] = pushed
        self.occupied |= far_bit
        self.showing[pushed] = self.showing[pushed] & ~bit | far_bit
        self.showing[colour] |= bit
        self._refresh(pushed)
        self._refresh(colour)

    def stack(self, space: int, colour: int) -> None:
        """Lay a tile on the single tile of a space."""
        bit = self.geometry.bit[space]
        below = self.top[space]
        self.under[space] = below
        self.top[space] = colour
        self.stacked |= bit
        self.showing[below] &= ~bit
        self.showing[colour] |= bit
        self._refresh(below)
        self._refresh(colour)

    def _refresh(self, colour: int) -> None:
        """Update which spaces touch this colour, and which do so at least twice."""
        geometry = self.geometry
        width = geometry.width
        slant = width - 1
        shown = self.showing[colour]
        once = shown << 1
        step = shown >> 1
        twice = once & step
        once |= step
        step = shown << width
        twice |= once & step
        once |= step
        step = shown >> width
        twice |= once & step
        once |= step
        step = shown << slant
        twice |= once & step
        once |= step
        step = shown >> slant
        twice |= once & step
        self.touching[colour] = (once | step) & geometry.full
        self.twice[colour] = twice & geometry.full

    # --- where a tile may go ------------------------------------------------------------------------------------------

    def placements(self, colours: list[int]) -> list[int]:
        """All ways to place a tile of one of these colours, as moves: adjacent, push over, stack up."""
        geometry = self.geometry
        at_length = geometry.at_length
        width = geometry.width
        slant = width - 1
        occupied = self.occupied
        showing = self.showing
        touching = self.touching
        empty = geometry.full & ~occupied
        single = occupied & ~self.stacked
        # Empty spaces that touch a tile; single tiles with no empty space beside them.
        edge = empty & (touching[0] | touching[1] | touching[2] | touching[3] | touching[4])
        closed = single & ~geometry.around(empty)
        # Single tiles that may move one step, by direction: the colour of the tile that takes their place is not asked
        # yet. Shifting the free spaces back by a step gives the spaces from which they are reached.
        north = north_east = south_east = south = south_west = north_west = 0
        twice = self.twice
        for pushed in range(COLOUR_COUNT):
            movable = showing[pushed] & single
            if movable:
                free = empty & ~twice[pushed]
                north |= movable & (free << width)
                north_east |= movable & (free << slant)
                south_east |= movable & (free >> 1)
                south |= movable & (free >> width)
                south_west |= movable & (free >> slant)
                north_west |= movable & (free << 1)
        pushes = (north, north_east, south_east, south, south_west, north_west)

        moves: list[int] = []
        for colour in colours:
            base = PLACE + colour * SPACES
            spaces = edge & ~touching[colour]
            while spaces:
                low = spaces & -spaces
                spaces ^= low
                moves.append(base + at_length[low.bit_length()])
            # A pushed or covered tile touches or bears the new one: it must not have the same colour.
            allowed = ~(touching[colour] | showing[colour])
            base = PUSH + colour * SPACES * 6
            for sources in pushes:
                spaces = sources & allowed
                while spaces:
                    low = spaces & -spaces
                    spaces ^= low
                    moves.append(base + at_length[low.bit_length()] * 6)
                base += 1
            spaces = closed & allowed
            base = STACK + colour * SPACES
            while spaces:
                low = spaces & -spaces
                spaces ^= low
                moves.append(base + at_length[low.bit_length()])
        return moves

    def fits(self, colour: int) -> bool:
        """Whether a tile of this colour can be placed anywhere, in any way."""
        return bool(self.placements([colour]))


def empty_mat(geometry: MatGeometry) -> Mat:
    """A mat without a tile."""
    mat = Mat(geometry)
    mat.top = [NONE] * geometry.spaces
    mat.showing = [0] * COLOUR_COUNT
    mat.touching = [0] * COLOUR_COUNT
    mat.twice = [0] * COLOUR_COUNT
    return mat
