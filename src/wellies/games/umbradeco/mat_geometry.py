"""The geometry of the mats: hexagons of hexagonal spaces, with precomputed neighbours and lines.

A space is a number. Spaces are counted in rings from the centre, so that the small mat is the first 19 spaces of the
standard mat and that the first 37 of the large one: a space has the same number on every mat.

Sets of spaces are ints with one bit for each space. The bits lie row by row, with one unused bit at the end of each
row: a step in a direction is then the same shift for every space, and a step off the mat falls on an unused bit. All
six neighbours of any number of spaces are found with six shifts.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.games.umbradeco.material import MAT_SIDES, NONE, SPACES

DIRECTIONS: Final[tuple[str, ...]] = ("N", "NE", "SE", "S", "SW", "NW")
"""Clockwise from the north; the mat lies with flat sides at the top and bottom of each space."""

DIRECTION_WORDS: Final[tuple[str, ...]] = ("north", "north-east", "south-east", "south", "south-west", "north-west")

STEPS: Final[tuple[tuple[int, int], ...]] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def _rings(count: int) -> tuple[tuple[int, int], ...]:
    """The first spaces in rings from the centre, each ring clockwise from the north."""
    places = [(0, 0)]
    ring = 0
    while len(places) < count:
        ring += 1
        q, r = 0, -ring
        for side in range(6):
            step = STEPS[(side + 2) % 6]
            for _ in range(ring):
                places.append((q, r))
                q, r = q + step[0], r + step[1]
    return tuple(places)


COORDINATES: Final[tuple[tuple[int, int], ...]] = _rings(SPACES)
"""Axial (q, r) of every space of the largest mat."""

SPACE_AT: Final[dict[tuple[int, int], int]] = {place: space for space, place in enumerate(COORDINATES)}


class MatGeometry:
    """One mat without tiles. Nothing in it ever changes, so all states share it."""

    def __init__(self, name: str, side: int) -> None:
        radius = side - 1
        width = 2 * radius + 2
        self.name: Final = name
        self.side: Final = side
        self.spaces: Final = 3 * side * radius + 1
        self.width: Final = width
        numbers = [(r + radius) * width + q + radius for q, r in COORDINATES[: self.spaces]]
        self.bit: Final[tuple[int, ...]] = tuple(1 << number for number in numbers)
        """The set of one space, by space."""
        self.full: Final[int] = sum(self.bit)
        at_length = [NONE] * (width * width)
        for space, number in enumerate(numbers):
            at_length[number + 1] = space
        self.at_length: Final[tuple[int, ...]] = tuple(at_length)
        """The space whose bit is the highest in an int of this bit length."""
        beyond: list[int] = []
        for q, r in COORDINATES[: self.spaces]:
            for dq, dr in STEPS:
                space = SPACE_AT.get((q + dq, r + dr), NONE)
                beyond.append(space if space < self.spaces else NONE)
        self.beyond: Final[tuple[int, ...]] = tuple(beyond)
        """The space one step from `space` in `direction`, at `space * 6 + direction`; NONE off the mat."""
        self.near: Final[tuple[int, ...]] = tuple(self.around(bit) for bit in self.bit)
        """The neighbours of a space, as a set."""
        self.lines: Final[tuple[tuple[int, ...], ...]] = tuple(
            tuple(self._ray(space, axis) | self._ray(space, axis + 3) for axis in range(3))
            for space in range(self.spaces)
        )
        """The three straight lines through a space from edge to edge, without the space itself, as sets."""

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle has only its name, so that states share it there too."""
        return (geometry_named, (self.name,))

    def around(self, spaces: int) -> int:
        """All spaces that touch one of these."""
        width = self.width
        slant = width - 1
        return (
            (spaces << 1)
            | (spaces >> 1)
            | (spaces << width)
            | (spaces >> width)
            | (spaces << slant)
            | (spaces >> slant)
        ) & self.full

    def _ray(self, space: int, direction: int) -> int:
        found = 0
        space = self.beyond[space * 6 + direction]
        while space != NONE:
            found |= self.bit[space]
            space = self.beyond[space * 6 + direction]
        return found

    def listed(self, spaces: int) -> list[int]:
        """The spaces of a set, in the order of their bits."""
        found: list[int] = []
        while spaces:
            low = spaces & -spaces
            found.append(self.at_length[low.bit_length()])
            spaces ^= low
        return found


GEOMETRIES: Final[dict[str, MatGeometry]] = {name: MatGeometry(name, side) for name, side in MAT_SIDES.items()}


def geometry_named(name: str) -> MatGeometry:
    """The mat of this name."""
    return GEOMETRIES[name]


def place_name(space: int) -> str:
    """A space as it is typed: `1,-1`."""
    q, r = COORDINATES[space]
    return f"{q},{r}"


def at_space(space: int) -> str:
    """A space in a text for people."""
    return f"[at {place_name(space)}]"
