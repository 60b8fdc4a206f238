"""Places of an endless table as numbers of fixed range.

A table without an edge has no last place, but an action space and an array of cells have. A `Window` has `columns` by
`rows` cells, and wraps around: the place (x, y) has the cell (x modulo columns, y modulo rows), with the start tile in
the middle. So as long as the tiles span no more than the window, each place has a cell of its own, which never changes
during a game, wherever the tiles grow to; and neighbours are neighbours, if the window is taken as a ring both ways.

Where the tiles span more, two places can have the same cell. Then the place that comes first in the order of places
keeps the cell, and each of the others gets one of the `spare` cells that follow the window, in their order. There are
as many spare cells as a game can ever need, so that no legal move is without an action. The board of an observation has
no spare cells: it leaves such tiles out and says how many.

The size of the window is a trade-off. Indexing the open places by their order alone would need fewer actions, but then
an action would mean another place after every move. A window that no game could outgrow would have as many rows and
columns as there are tiles, since nobody has to lay them in a lump.
"""

from __future__ import annotations

from typing import Final

from wellies.core.errors import BadPosition
from wellies.core.native import mypyc_attr

HALF: Final = 512
"""Coordinates are from -HALF to HALF - 1."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Window:
    """A grid of cells that wraps around, and spare cells after it."""

    def __init__(self, columns: int, rows: int, spare: int) -> None:
        self.columns = columns
        self.rows = rows
        self.spare = spare
        self.size = columns * rows
        self.column_part: list[int] = [(x - HALF + columns // 2) % columns for x in range(2 * HALF)]
        """For each x, with HALF added: what it adds to the number of the cell."""
        self.row_part: list[int] = [(y - HALF + rows // 2) % rows * columns for y in range(2 * HALF)]
        """The same for each y."""

    def cell(self, x: int, y: int) -> int:
        """The cell of a place, as long as no other place in use has the same one."""
        return self.column_part[x + HALF] + self.row_part[y + HALF]

    def nearest_x(self, cell: int) -> int:
        """The x of the place nearest to the start tile that has this cell."""
        return cell % self.columns - self.columns // 2

    def nearest_y(self, cell: int) -> int:
        """The y of the place nearest to the start tile that has this cell."""
        return cell // self.columns - self.rows // 2

    def spread(self, cells: list[int]) -> list[int]:
        """Different cells for different places, given the cells of places in their order: the first place of each cell
        keeps it, and the others get the spare ones. BadPosition if there are not enough of these."""
        used: set[int] = set()
        found: list[int] = []
        spare = self.size
        for cell in cells:
            if cell in used:
                found.append(spare)
                spare += 1
            else:
                used.add(cell)
                found.append(cell)
        if spare > self.size + self.spare:
            raise BadPosition(
                f"the tiles spread too far for actions of fixed range: {spare - self.size} places need a spare cell "
                f"beside the window of {self.columns} by {self.rows}, and there are {self.spare}. No game leads here."
            )
        return found
