"""The types of the JSON of Guppies: positions, views, moves. The page's types are generated from these."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Colour = Literal["green", "orange", "purple"]


class Options(TypedDict):
    table: Literal["endless", "one"]
    tiles: Literal[128, 64]
    cards: NotRequired[dict[str, Any]]
    """A tile file, if it is not the standard set."""


class Seat(TypedDict):
    colour: Colour
    score: int


class Laid(TypedDict):
    at: list[int]
    face: str
    """Six letters from the east edge clockwise as the tile lies, or SQUID."""


class UnsureBag(TypedDict):
    count: int
    sure: list[int]


class Position(TypedDict):
    game: Literal["guppies"]
    options: Options
    to_move: int
    seats: list[Seat]
    laid: list[Laid]
    tile: NotRequired[list[str]]
    """The two faces of the drawn tile; left out while a draw is due."""
    bag: Literal["full"] | list[int] | int | UnsureBag
    check: NotRequired[bool]


class Halves(TypedDict):
    """Heads in capitals, tails in small letters: green, orange, purple."""

    G: int
    g: int
    O: int  # noqa: E741
    o: int
    P: int
    p: int


class Extra(TypedDict):
    bag: int
    """How many tiles are in the bag."""
    may_be_in_bag: list[int]
    halves: Halves
    """How many halves of each kind are on the faces of the tiles that may be in the bag."""
    tile: int
    """The number of the drawn tile; 0 if there is none, -1 if it is not of the set."""
    open: list[list[int]]
    """The open spaces that touch a tile."""


class BoxTile(TypedDict):
    """A tile of the box with its two faces."""

    tile: int
    a: str
    b: str
    source: Literal["rulebook", "reconstructed"]


class Lay(TypedDict):
    kind: Literal["lay"]
    side: Literal["a", "b"]
    turn: int
    at: list[int]


class Draw(TypedDict):
    kind: Literal["draw"]
    tile: int


MOVES: list[type] = [Lay, Draw]
