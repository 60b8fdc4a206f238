"""The types of the JSON of Marram: positions, views, moves. The page's types are generated from these."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Ornament = Literal["none", "gold", "silver", "flower"]
PieceName = Literal["boot", "fork"]
Slot = Literal["N", "E", "S", "W", "NW", "NE", "SE", "SW", "bridge"]


class Options(TypedDict):
    variant: Literal["classic", "pitchfork", "animals"]
    length: Literal["short", "long"]
    cards: NotRequired[dict[str, Any]]
    """A tile file, if it is not the standard set."""


class Seat(TypedDict):
    score: int
    boots: int
    forks: int
    spades: int
    hand: list[int]
    retired_boots: NotRequired[int]
    retired_forks: NotRequired[int]


class Claimed(TypedDict):
    seat: int
    piece: PieceName
    on: Slot


class Laid(TypedDict):
    at: list[int]
    tile: NotRequired[int]
    """Left out for a tile that is in no box."""
    turn: int
    bridge: Literal["grass", "sand"]
    segments: list[str]
    """As they lie: "blue body NS"."""
    ornament: NotRequired[Ornament]
    reverse_ornament: NotRequired[Ornament]
    flips: int
    """How many times it may still be flipped now."""
    flipped: NotRequired[bool]
    claim: NotRequired[Claimed]


class Played(TypedDict):
    at: list[int]
    how: Literal["lay", "flip"]


class AnimalShape(TypedDict("_AnimalBase", {"from": list[int] | None})):
    at: list[int]
    hops: int
    guesses: list[int | Literal["escape"] | None]


class Position(TypedDict):
    game: Literal["marram"]
    options: Options
    check: NotRequired[bool]
    phase: Literal[
        "deal",
        "move",
        "claim",
        "fly hops",
        "frog hops",
        "fly appears",
        "fly guess",
        "frog appears",
        "frog guess",
        "refill",
        "fresh tiles",
        "over",
        "who begins",
    ]
    to_move: int
    move: int
    """The first or second move of the turn."""
    seats: list[Seat]
    laid: list[Laid]
    stock: list[int] | int
    out: NotRequired[list[int]]
    """Tiles that left the game."""
    played: NotRequired[Played]
    """The tile of the move under way."""
    flipped: NotRequired[list[list[int]]]
    """Tiles flipped in this turn."""
    fresh: NotRequired[int]
    passes: NotRequired[int]
    fly: NotRequired[AnimalShape]
    frog: NotRequired[AnimalShape]
    ended: NotRequired[Literal["knock-out", "all passed"]]


class Part(TypedDict):
    at: list[int]
    on: Slot


class Beast(TypedDict):
    kind: Literal["blue", "orange", "worm", "any"]
    segments: int
    loose: int
    tiles: list[list[int]]
    parts: list[Part]
    """Its segments: each by its tile and the first edge it touches."""
    pieces: list[int]
    leads: list[int]
    """The seats that would score it now."""
    points: int


class PatchShape(TypedDict):
    ground: Literal["grass", "sand"]
    bulges: int
    open: int
    tiles: list[list[int]]
    corners: list[list[int]]
    """Its bulges: the corner point x,y is the north-west corner of the tile at x,y."""
    pieces: list[int]
    leads: list[int]
    points: int


class TileFace(TypedDict):
    tile: int
    spade: bool
    segments: list[str]
    """In base position; the same on both faces."""
    bridges: list[Literal["grass", "sand"]]
    """Of the front and of the reverse."""
    ornaments: list[Ornament]


class BoxTile(TileFace):
    """A tile of the box."""

    source: Literal["rulebook", "reconstructed"]


class Extra(TypedDict):
    open: list[list[int]]
    """The places beside laid tiles."""
    beasts: list[Beast]
    """Those with pieces on them, with what they are worth now; while a claim is due, also those of the tile played."""
    patches: list[PatchShape]
    hands: list[TileFace]
    """What the tiles in all hands look like."""
    stock: int
    knock_out: int
    """The score that ends the game; 0 in a long one."""


class Lay(TypedDict):
    kind: Literal["lay"]
    tile: int
    face: Literal["a", "b"]
    turn: int
    at: list[int]


class Flip(TypedDict):
    kind: Literal["flip"]
    at: list[int]
    turn: int


class Claim(TypedDict):
    kind: Literal["claim"]
    piece: PieceName
    on: Slot


class NoClaim(TypedDict):
    kind: Literal["no claim"]


class Change(TypedDict):
    kind: Literal["change"]


class Pass(TypedDict):
    kind: Literal["pass"]


class Guess(TypedDict):
    kind: Literal["guess"]
    guess: int | Literal["escape"]


class Draw(TypedDict):
    kind: Literal["draw"]
    tile: int


class First(TypedDict):
    kind: Literal["first"]
    seat: int


class Fly(TypedDict):
    kind: Literal["fly"]
    at: list[int]


class Frog(TypedDict):
    kind: Literal["frog"]
    at: list[int]


MOVES: list[type] = [Lay, Flip, Claim, NoClaim, Change, Pass, Guess, Draw, First, Fly, Frog]
