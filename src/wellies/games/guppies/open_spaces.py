"""The open spaces beside laid tiles, what each of them demands, and where the single table ends."""

from __future__ import annotations

from typing import Final

from wellies.core.native import mypyc_attr
from wellies.games.guppies.moves import place_q, place_r

TABLE_ROWS: Final = 7
TABLE_COLUMNS: Final = 8
"""The single table reaches so far from its middle, each way."""


def on_one_table(place: int) -> bool:
    """Whether a place is on the single table of 17 columns and 15 rows."""
    r = place_r(place)
    return abs(r) <= TABLE_ROWS and abs(place_q(place) + r // 2) <= TABLE_COLUMNS


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Space:
    """An open space: its place, and one slot (edge and letter, see `material`) for each tile that it touches.

    A tile may lie here in the ways that meet all slots. A space never changes, so that states can share it; a new
    neighbour makes another.
    """

    def __init__(self, place: int, slots: tuple[int, ...]) -> None:
        self.place = place
        self.slots = slots


def find_space(spaces: list[Space], place: int) -> int:
    """Where a place is, or would be, among spaces in order of place."""
    low = 0
    high = len(spaces)
    while low < high:
        middle = (low + high) >> 1
        if spaces[middle].place < place:
            low = middle + 1
        else:
            high = middle
    return low
