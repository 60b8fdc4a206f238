"""What a view has beside the position. Nothing in Guppies is hidden, so all viewers get the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Json
from wellies.games.guppies.faces import LETTERS
from wellies.games.guppies.moves import place_q, place_r

if TYPE_CHECKING:
    from wellies.games.guppies.state import GuppiesState


def extra(state: GuppiesState) -> Json:
    """What may be in the bag, the number of the drawn tile, and the open spaces."""
    return {
        "bag": state.bag_size,
        "may_be_in_bag": state.bag.copy(),
        "halves": _halves_left(state),
        "tile": state.tile_number,
        "open": [[place_q(space.place), place_r(space.place)] for space in state.spaces],
    }


def _halves_left(state: GuppiesState) -> Json:
    """How many heads (G O P) and tails (g o p) are on the faces of the tiles that may be in the bag."""
    halves = state.box.halves
    return {letter: sum(halves[number][letter] for number in state.bag) for letter in LETTERS[1:]}
