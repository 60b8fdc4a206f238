"""The types of the JSON of Umbradeco: positions, views, moves. The page's types are generated from these."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Colour = Literal["red", "yellow", "green", "blue", "violet"]
Tile = Literal["red", "yellow", "green", "blue", "violet", "?"]
"""`?` is a tile not seen."""

Direction = Literal["N", "NE", "SE", "S", "SW", "NW"]


class Options(TypedDict):
    mat: Literal["small", "standard", "large"]
    rows: Literal["open", "unbroken"]


class Space(TypedDict):
    at: list[int]
    tiles: list[Colour]
    """One tile, or the two of a stack, the lower one first."""


class Position(TypedDict):
    game: Literal["umbradeco"]
    options: Options
    phase: Literal["setup", "place", "take", "refill", "over"]
    to_move: NotRequired[int]
    """Left out during the set-up and when the game is over."""
    scores: list[int]
    mat: list[Space]
    hands: list[list[Tile]]
    shown: list[int]
    """How many tiles of each hand, those listed first, everyone knows."""
    market: list[Colour]
    deck: int
    out: NotRequired[list[Tile]]
    """Tiles that left the game unseen."""
    discarded: NotRequired[list[Colour]]
    excluded: NotRequired[list[list[Colour]]]
    """For each seat, the colours that its last hidden tile cannot have, as a discard has proved."""
    check: NotRequired[bool]
    """False for a position that was not checked."""


class Unseen(TypedDict):
    red: int
    yellow: int
    green: int
    blue: int
    violet: int


class Extra(TypedDict):
    unseen: Unseen
    """How many tiles of each colour lie where the viewer cannot see them."""


class BoxColour(TypedDict):
    """A colour of the box, and how many tiles it has."""

    colour: Colour
    tiles: int
    emblem: str
    source: Literal["rulebook", "reconstructed"]


class Place(TypedDict):
    kind: Literal["place"]
    colour: Colour
    at: list[int]


class Push(TypedDict):
    kind: Literal["push"]
    colour: Colour
    at: list[int]
    direction: Direction


class Stack(TypedDict):
    kind: Literal["stack"]
    colour: Colour
    at: list[int]


class Drop(TypedDict):
    kind: Literal["drop"]
    colour: Colour


class Take(TypedDict):
    kind: Literal["take"]
    colour: Colour


class Draw(TypedDict):
    kind: Literal["draw"]
    colour: Colour


class First(TypedDict):
    kind: Literal["first"]
    seat: int


MOVES: list[type] = [Place, Push, Stack, Drop, Take, Draw, First]
