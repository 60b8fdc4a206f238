"""The types of the JSON of Good Puppies: positions, views, moves. The page's types are generated from these."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Hidden = Literal["?"]
"""A card that the viewer may not see."""


class Options(TypedDict):
    extended: bool
    strategic: bool
    cards: Literal["balanced", "standard"] | dict[str, Any]
    """One of our sets of cards, or a whole corrected card file."""


class Group(TypedDict):
    breed: str
    """In small letters without spaces; `doggos` while it has no breed."""
    pups: list[int]
    bones: list[int]
    """Their values, the smallest first."""


class Seat(TypedDict):
    hand: list[int | Hidden]
    open: list[int]
    """The cards of the hand that were taken from the park, which everyone saw."""
    chosen: int | Hidden | list[int | Hidden] | None
    """Chosen and not yet shown; such a card still counts among the hand."""
    groups: list[Group]


class Turn(TypedDict):
    seat: int
    card: int


class Bone(TypedDict):
    group: str
    value: int


TrickUnderWay = TypedDict(
    "TrickUnderWay",
    {
        "card": int,
        "here": str,
        "n": int,
        "part": int,
        "done": int,
        "served": NotRequired[list[str]],
        "touched": NotRequired[list[Bone]],
        "bone": NotRequired[Bone],
        "turned": NotRequired[int],
        "from": NotRequired[str],
    },
)
"""A trick of which something is still to decide: its card and group, N, the part it is at and what is done of it."""


class Position(TypedDict):
    game: Literal["puppies"]
    options: Options
    round: int
    final: bool
    phase: Literal["deal", "park", "choose", "reveal", "join", "trick", "draw", "take", "leftover", "over"]
    park: list[int]
    deck: int
    box: int
    seats: list[Seat]
    turns: NotRequired[list[Turn]]
    """The turn being taken and those to come."""
    tricks: NotRequired[list[TrickUnderWay]]
    """Tricks under way, the innermost last."""
    pup: NotRequired[int]
    """The Doggo that is to be placed."""
    check: NotRequired[bool]


class BreedBonus(TypedDict):
    breed: str
    points: int
    bones: list[list[int]]
    """Each bone that is upgraded: its value before and after."""


class CardTexts(TypedDict):
    """What the cards do, in words: tricks by ones digit, Doggos by ones digit, bonuses by breed."""

    tricks: list[str]
    doggos: list[str]
    bonuses: list[str]


class BoxCard(TypedDict):
    """A trick (`card` is x0 to x9), a Doggo (90 to 99) or a breed (0x to 8x), and what it does."""

    card: str
    kind: Literal["trick", "Doggo", "breed"]
    name: str
    text: str
    source: str


class Extra(TypedDict):
    bonuses: list[list[BreedBonus]]
    """By seat: what each group would gain if the game ended now; at the end, what it gains."""
    asks: str
    """The part of a trick that is to be decided, in words."""
    most: NotRequired[int]
    """How many moves of that part may still follow one another, `stop` not counted."""
    groups: NotRequired[Literal["each", "one"]]
    """What binds those moves: a group has its share once, or all of them take from one group."""
    plain: NotRequired[str]
    """The only move beside `stop`, if it brings points, the bonuses of the end included: nothing is to ask."""
    texts: NotRequired[CardTexts]
    """The words of cards that are not the default ones; those are known by heart."""


class Draw(TypedDict):
    kind: Literal["draw"]
    card: int


class Choose(TypedDict):
    kind: Literal["choose"]
    at: int
    card: int


class Take(TypedDict):
    kind: Literal["take"]
    at: int
    card: int


class Join(TypedDict):
    kind: Literal["join"]
    at: str
    group: str


class Bury(TypedDict):
    kind: Literal["bury"]
    at: str
    group: str


class Up(TypedDict):
    kind: Literal["up"]
    at: str
    group: str
    value: int
    becomes: int


Move = TypedDict("Move", {"kind": Literal["move"], "at": str, "value": int, "from": str, "to": str})


class Dig(TypedDict):
    kind: Literal["dig"]


class Stop(TypedDict):
    kind: Literal["stop"]


MOVES: list[type] = [Draw, Choose, Take, Join, Bury, Up, Move, Dig, Stop]
