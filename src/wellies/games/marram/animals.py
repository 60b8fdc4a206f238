"""The fly and the frog: where they appear, where they hop to, and what was guessed."""

from __future__ import annotations

from typing import Final

from wellies.core.native import mypyc_attr
from wellies.games.marram.board import Board
from wellies.games.marram.moves import FLY
from wellies.games.marram.places import STRIDE

FLY_HOPS_TO: Final[tuple[int, ...]] = (-STRIDE, -1, 1, STRIDE)
FROG_HOPS_TO: Final[tuple[int, ...]] = (-STRIDE - 1, -STRIDE, -STRIDE + 1, -1, 1, STRIDE - 1, STRIDE, STRIDE + 1)

NOWHERE: Final = -1
NO_GUESS: Final = 0


@mypyc_attr(allow_interpreted_subclasses=True)
class Animal:
    """One animal on the table: where it is, where it came from, how often it has hopped, and the guesses by seat."""

    def __init__(self, at: int, came_from: int, hops: int, guesses: list[int]) -> None:
        self.at = at
        self.came_from = came_from
        self.hops = hops
        self.guesses = guesses

    def clone(self) -> Animal:
        return Animal(self.at, self.came_from, self.hops, self.guesses.copy())


def steps_of(kind: int) -> tuple[int, ...]:
    """The fly hops over edges, the frog over corners too."""
    return FLY_HOPS_TO if kind == FLY else FROG_HOPS_TO


def hops_from(board: Board, kind: int, cell: int) -> list[int]:
    """The tiles an animal can hop to, in order."""
    return [cell + step for step in steps_of(kind) if cell + step in board.tiles]


def farthest_tiles(board: Board, kind: int) -> list[int]:
    """The tiles as many hops as possible from the nearest blue head, in order: where an animal may appear."""
    reached: dict[int, int] = {}
    ring = [cell for cell, tile in board.tiles.items() if tile.heads > 0]
    distance = 0
    while ring:
        for cell in ring:
            reached[cell] = distance
        distance += 1
        nearby = {other for cell in ring for other in hops_from(board, kind, cell) if other not in reached}
        ring = sorted(nearby)
    if len(reached) < len(board.tiles):
        # No hop leads from a head to these: there is no head, or a position was set up in several parts.
        return sorted([cell for cell in board.tiles if cell not in reached])
    return sorted([cell for cell, far in reached.items() if far == distance - 1])
