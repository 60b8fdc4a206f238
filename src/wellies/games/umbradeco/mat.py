"""The mat with its tiles: where a tile may go, and what stands in its way.

For each colour the mat keeps three sets of spaces (see `ground.py`), brought up to date when that colour changes:
the spaces that show it, the spaces that touch it, and the spaces that touch it at least twice. With these the colour
rule is one look for a whole set of spaces at once:

- a tile of a colour may lie on any space that does not touch the colour;
- a tile may be pushed from a space to an empty one that touches its colour once, namely at the space it leaves.
"""

from __future__ import annotations

from wellies.core.native import mypyc_attr
from wellies.games.umbradeco.ground import DIRECTION_WORDS, Ground, at_space
from wellies.games.umbradeco.material import COLOUR_COUNT, COLOURS, NONE, SPACES
from wellies.games.umbradeco.moves import PLACE, PUSH, STACK


@mypyc_attr(allow_interpreted_subclasses=True)
class Mat:
    """Tiles on the spaces of a ground."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
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
        other = Mat(self.ground)
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
        bit = self.ground.bit[space]
        self.top[space] = colour
        self.occupied |= bit
        self.showing[colour] |= bit
        self._refresh(colour)

    def push(self, space: int, direction: int, colour: int) -> None:
        """Push the tile of a space one step, and lay a tile where it was."""
        ground = self.ground
        beyond = ground.beyond[space * 6 + direction]
        pushed = self.top[space]
        bit, far_bit = ground.bit[space], ground.bit[beyond]
        self.top[space] = colour
        self.top[beyond] = pushed
        self.occupied |= far_bit
        self.showing[pushed] = self.showing[pushed] & ~bit | far_bit
        self.showing[colour] |= bit
        self._refresh(pushed)
        self._refresh(colour)

    def stack(self, space: int, colour: int) -> None:
        """Lay a tile on the single tile of a space."""
        bit = self.ground.bit[space]
        below = self.top[space]
        self.under[space] = below
        self.top[space] = colour
        self.stacked |= bit
        self.showing[below] &= ~bit
        self.showing[colour] |= bit
        self._refresh(below)
        self._refresh(colour)

    def _refresh(self, colour: int) -> None:
        """Find anew which spaces touch this colour, and which do so at least twice."""
        ground = self.ground
        width = ground.width
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
        self.touching[colour] = (once | step) & ground.full
        self.twice[colour] = twice & ground.full

    # --- where a tile may go ------------------------------------------------------------------------------------------

    def placements(self, colours: list[int]) -> list[int]:
        """All ways to place a tile of one of these colours, as moves: adjacent, push over, stack up."""
        ground = self.ground
        at_length = ground.at_length
        width = ground.width
        slant = width - 1
        occupied = self.occupied
        showing = self.showing
        touching = self.touching
        empty = ground.full & ~occupied
        single = occupied & ~self.stacked
        # Empty spaces that touch a tile; single tiles with no empty space beside them.
        edge = empty & (touching[0] | touching[1] | touching[2] | touching[3] | touching[4])
        closed = single & ~ground.around(empty)
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

    # --- what stands in the way of a tile, in words -------------------------------------------------------------------

    def against_placing(self, colour: int, space: int) -> str | None:
        """Why this colour may not be laid on an empty space here; None if it may."""
        if self.top[space] != NONE:
            return (
                f"A tile lies there already {at_space(space)}. Put yours on an empty space beside a tile, push that "
                f"tile over, or stack on it."
            )
        if not self.ground.near[space] & self.occupied:
            return f"That space {at_space(space)} touches no tile; a tile goes beside one that lies on the mat."
        return self._clash(colour, space, NONE)

    def against_pushing(self, colour: int, space: int, direction: int) -> str | None:
        """Why the tile of this space may not be pushed that way to make room for this colour; None if it may."""
        if self.top[space] == NONE:
            return f"There is no tile {at_space(space)} to push over."
        if space in self.under:
            return f"A stack lies there {at_space(space)}, and a stack is never pushed; only a single tile is."
        beyond = self.ground.beyond[space * 6 + direction]
        if beyond == NONE:
            return f"The tile {at_space(space)} would leave the mat; push it to an empty space on the mat."
        if self.top[beyond] != NONE:
            return f"The space beyond it {at_space(beyond)} is taken; a tile is pushed to an empty space beside it."
        pushed = self.top[space]
        if pushed == colour:
            return (
                f"The pushed tile would touch yours, and both are {COLOURS[colour]}; two touching spaces never show "
                f"the same colour."
            )
        why = self._clash(colour, space, NONE)
        if why is not None:
            return why
        why = self._clash(pushed, beyond, space)
        return None if why is None else f"The pushed tile cannot lie there: {why[0].lower()}{why[1:]}"

    def against_stacking(self, colour: int, space: int) -> str | None:
        """Why this colour may not be stacked on this space; None if it may."""
        if self.top[space] == NONE:
            return f"There is no tile {at_space(space)} to stack on."
        if space in self.under:
            return f"The stack {at_space(space)} is two tiles high already, and that is the limit."
        gaps = self.ground.listed(self.ground.near[space] & ~self.occupied)
        if gaps:
            return (
                f"A tile can be stacked on only when all spaces around it are taken; the one to the "
                f"{self._way(space, gaps[0])} {at_space(gaps[0])} is empty."
            )
        if self.top[space] == colour:
            return f"The tile {at_space(space)} is {COLOURS[colour]} too; stack on a tile of another colour."
        return self._clash(colour, space, NONE)

    def _clash(self, colour: int, space: int, leaving: int) -> str | None:
        """The colour rule for a tile on this space, when the tile at `leaving` (or NONE) is no longer there."""
        clashes = self.ground.near[space] & self.showing[colour]
        if leaving != NONE:
            clashes &= ~self.ground.bit[leaving]
        if not clashes:
            return None
        other = self.ground.listed(clashes)[0]
        return (
            f"{COLOURS[colour].capitalize()} {at_space(space)} would touch {COLOURS[colour]} to the "
            f"{self._way(space, other)} {at_space(other)}; two touching spaces never show the same colour."
        )

    def _way(self, space: int, beside: int) -> str:
        """In which direction of a space another one lies."""
        return DIRECTION_WORDS[self.ground.beyond[space * 6 : space * 6 + 6].index(beside)]


def empty_mat(ground: Ground) -> Mat:
    """A mat without a tile."""
    mat = Mat(ground)
    mat.top = [NONE] * ground.spaces
    mat.showing = [0] * COLOUR_COUNT
    mat.touching = [0] * COLOUR_COUNT
    mat.twice = [0] * COLOUR_COUNT
    return mat
