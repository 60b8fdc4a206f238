"""Places of tiles and vertices as ints, so that a neighbour is one addition away.

The tile at (x, y), x to the right and y down, is cell (y + 512) * 1024 + x + 512. Its north-west corner is the vertex
of the same number. Vertices are grass where x + y is even and sand where it is odd.
"""

from __future__ import annotations

from typing import Final

STRIDE: Final = 1024
HALF: Final = 512
LIMIT: Final = 400
"""Positions may be set up this far from the middle; play cannot carry them over the rim from there."""

NEIGHBOUR: Final[tuple[int, ...]] = (-STRIDE, 1, STRIDE, -1)
"""The way to the tile beyond edge N, E, S, W."""

CORNER: Final[tuple[int, ...]] = (0, 1, STRIDE + 1, STRIDE)
"""The way from a tile to its vertex at NW, NE, SE, SW."""

CORNER_NAMES: Final = ("NW", "NE", "SE", "SW")
CORNER_WORDS: Final = ("north-west", "north-east", "south-east", "south-west")

GRASS: Final = 0
SAND: Final = 1
GROUND_NAMES: Final = ("grass", "sand")


def cell_at(x: int, y: int) -> int:
    return (y + HALF) * STRIDE + x + HALF


def x_of(cell: int) -> int:
    return cell % STRIDE - HALF


def y_of(cell: int) -> int:
    return cell // STRIDE - HALF


def parity(cell: int) -> int:
    """0 where the north-west corner is grass, 1 where it is sand."""
    return (cell ^ cell >> 10) & 1


def place_text(cell: int) -> str:
    return f"{x_of(cell)},{y_of(cell)}"


def at_place(cell: int) -> str:
    """A place in a text for people."""
    return f"[at {place_text(cell)}]"


def place_json(cell: int) -> list[int]:
    return [x_of(cell), y_of(cell)]
