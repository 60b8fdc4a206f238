"""The points of placing a tile, and the record of every placing that scored."""

from __future__ import annotations

from typing import Any, Final

from wellies.core.events import ScoreLine
from wellies.core.native import mypyc_attr
from wellies.games.umbradeco.mat import Mat
from wellies.games.umbradeco.mat_geometry import COORDINATES, place_name
from wellies.games.umbradeco.material import COLOURS, NONE, SPACES
from wellies.games.umbradeco.moves import PLACE, PUSH, STACK

FOUR_COLOURS: Final = 3
PUSH_POINTS: Final = 1
STACK_POINTS: Final = 5

PLACED: Final = 0
PUSHED: Final = 1
STACKED: Final = 2
"""The three ways to place a tile."""

AXES: Final[tuple[str, ...]] = ("north to south", "north-east to south-west", "north-west to south-east")


@mypyc_attr(allow_interpreted_subclasses=True)
class Scored:
    """One placing that scored, with those before it. The chain is never changed, so clones share it."""

    __slots__ = ("before", "colour", "four", "rows", "seat", "space", "way")

    def __init__(
        self, before: Scored | None, seat: int, colour: int, space: int, way: int, rows: tuple[int, ...], four: bool
    ) -> None:
        self.before = before
        self.seat = seat
        self.colour = colour
        self.space = space
        self.way = way
        self.rows = rows
        """For each of the three lines, the set of spaces that score on it."""
        self.four = four

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle made by either engine can be read by the other."""
        return (Scored, (self.before, self.seat, self.colour, self.space, self.way, self.rows, self.four))


def rows_through(mat: Mat, space: int, colour: int, unbroken: bool) -> tuple[int, ...]:
    """The spaces that show this colour on each of the three lines through a space, as sets, without the space itself.

    An empty space does not break a line, unless the game is played so.
    """
    shown = mat.showing[colour]
    lines = mat.geometry.lines[space]
    if not unbroken:
        return (shown & lines[0], shown & lines[1], shown & lines[2])
    reach = _unbroken(mat, space)
    return (shown & lines[0] & reach, shown & lines[1] & reach, shown & lines[2] & reach)


def _unbroken(mat: Mat, space: int) -> int:
    """All spaces that are reached from this one in straight lines over tiles only."""
    geometry = mat.geometry
    reach = 0
    for direction in range(6):
        at = geometry.beyond[space * 6 + direction]
        while at != NONE and mat.top[at] != NONE:
            reach |= geometry.bit[at]
            at = geometry.beyond[at * 6 + direction]
    return reach


def four_colours(mat: Mat, space: int) -> bool:
    """Whether the neighbours of a space show four different colours."""
    near = mat.geometry.near[space]
    count = 0
    for shown in mat.showing:
        if shown & near:
            count += 1
    return count >= 4


def four_after_push(mat: Mat, space: int) -> bool:
    """Whether the neighbours of a space show four different colours once its own tile has been pushed among them."""
    near = mat.geometry.near[space]
    pushed = mat.top[space]
    count = 1
    for colour, shown in enumerate(mat.showing):
        if shown & near and colour != pushed:
            count += 1
    return count >= 4


def points_of(way: int, rows: tuple[int, ...], four: bool) -> int:
    """The points of one placing, all that apply."""
    points = rows[0].bit_count() + rows[1].bit_count() + rows[2].bit_count()
    if four:
        points += FOUR_COLOURS
    if way == PUSHED:
        points += PUSH_POINTS
    elif way == STACKED:
        points += STACK_POINTS
    return points


def placement_points(mat: Mat, move: int, unbroken: bool) -> int:
    """The points of placing a tile, for bots: computed without doing it. Exact, but where rows must be unbroken a
    pushed tile does not yet close the gap that it is pushed into."""
    if move < PUSH:
        tile = move - PLACE
        space = tile % SPACES
        return points_of(PLACED, rows_through(mat, space, tile // SPACES, unbroken), four_colours(mat, space))
    if move < STACK:
        tile = (move - PUSH) // 6
        space = tile % SPACES
        return points_of(PUSHED, rows_through(mat, space, tile // SPACES, unbroken), four_after_push(mat, space))
    tile = move - STACK
    space = tile % SPACES
    return points_of(STACKED, rows_through(mat, space, tile // SPACES, unbroken), four_colours(mat, space))


def best_points(mat: Mat, colours: list[int], unbroken: bool) -> int:
    """The most points that placing a tile of one of these colours could make now; 0 if none can be placed."""
    best = 0
    for move in mat.placements(colours):
        points = placement_points(mat, move, unbroken)
        if points > best:
            best = points
    return best


def lines_of(mat: Mat, scored: Scored) -> list[ScoreLine]:
    """The score lines of one placing; the mat is asked only for its geometry."""
    colour = COLOURS[scored.colour]
    here = list(COORDINATES[scored.space])
    place = place_name(scored.space)
    lines: list[ScoreLine] = []
    for axis in range(3):
        spaces = sorted(mat.geometry.listed(scored.rows[axis]))
        if spaces:
            tiles = f"{len(spaces)} more {colour} umbrella" + ("" if len(spaces) == 1 else "s")
            lines.append(
                ScoreLine(
                    "row",
                    len(spaces),
                    [list(COORDINATES[space]) for space in spaces],
                    f"{tiles} on the line from {AXES[axis]} [through {place}]",
                )
            )
    if scored.four:
        lines.append(ScoreLine("four colours", FOUR_COLOURS, [here], f"Four colours around it [at {place}]"))
    if scored.way == PUSHED:
        lines.append(ScoreLine("push", PUSH_POINTS, [here], f"A push [at {place}]"))
    elif scored.way == STACKED:
        lines.append(ScoreLine("stack", STACK_POINTS, [here], f"Stacked on another umbrella [at {place}]"))
    return lines


def lines_for(mat: Mat, seat: int, before: int, last: Scored | None) -> list[ScoreLine]:
    """Every reason for a seat's points, oldest first; points that came with a position are the line "before"."""
    chain: list[Scored] = []
    while last is not None:
        if last.seat == seat:
            chain.append(last)
        last = last.before
    lines = [ScoreLine("before", before, [], "Scored before this position")] if before else []
    for scored in reversed(chain):
        lines += lines_of(mat, scored)
    return lines
