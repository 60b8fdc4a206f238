"""The open spaces beside laid tiles, and what each of them demands."""

from __future__ import annotations

from wellies.core.native import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
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
