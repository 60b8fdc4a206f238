"""The types of the JSON of Ultimate Aquarium: positions, views, moves. The page's types are generated from these."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

CardType = Literal["fish", "crustacean", "gravel", "coral", "water", "decor", "plant", "starfish"]
Phase = Literal["token", "deal", "setup", "stock", "turn", "nets", "over"]

BonusEntry = TypedDict(
    "BonusEntry",
    {
        "points": int,
        "per": NotRequired[str],
        "if": NotRequired[str],
        "unless": NotRequired[str],
        "of": NotRequired[str | list[str]],
        "other": NotRequired[bool],
    },
)


class CardEntry(TypedDict):
    name: str
    copies: int
    type: CardType
    base: int
    starter: NotRequired[bool]
    bonuses: list[BonusEntry]
    source: Literal["rulebook", "reconstructed", "box"]


class CardFile(TypedDict):
    cards: list[CardEntry]


class Options(TypedDict):
    cards: Literal["balanced", "standard"] | CardFile


class Seat(TypedDict):
    grid: list[list[str]]
    """Row by row from the top."""
    net: bool
    restock: bool
    hand: NotRequired[list[str]]
    """In the set-up; `?` is a card the viewer may not see."""
    placed: NotRequired[dict[str, str] | int]
    """In the set-up: the cards put down by space, or how many where that is secret."""
    aside: NotRequired[list[str]]
    """The two cards not kept in the set-up; `?` for other seats."""
    answer: NotRequired[str]
    """To the last net question; `?` while it is secret."""


class Position(TypedDict):
    game: Literal["aquarium"]
    options: Options
    phase: Phase
    round: int
    """0 before the first round."""
    first: NotRequired[int]
    """The holder of the fish token."""
    to_move: NotRequired[int]
    store: NotRequired[list[str]]
    seats: list[Seat]
    deck: int
    discards: list[str]
    """All cards openly discarded, in the order of the card list."""
    check: NotRequired[bool]


class Reason(TypedDict):
    space: str
    points: int
    of: list[str]
    """The spaces of the other cards that bring the bonus."""
    why: str


class Plan(TypedDict):
    grid: list[list[str]]
    values: list[list[int]]
    points: int
    reasons: list[Reason]
    gains: dict[str, dict[str, int]]
    """What each card of the hand would change, by space: the score itself changes when all is revealed."""


class CardFacts(TypedDict):
    type: CardType
    base: int
    text: str


class BoxCard(CardFacts):
    """A card of the box."""

    name: str
    copies: int
    starter: bool
    source: Literal["rulebook", "reconstructed", "box"]


class Extra(TypedDict):
    rounds: int
    """The seats the game waits for; others that are active may use their net."""
    store_size: int
    values: list[list[list[int]]]
    """For each seat, the points of each card of its tank."""
    reasons: list[list[Reason]]
    """For each seat, the bonuses that count, so that they can be drawn as lines between cards."""
    plan: Plan | None
    """In the set-up, the viewer's own tank with its secret cards."""
    placed: NotRequired[list[int]]
    to_place: NotRequired[int]
    asked: NotRequired[list[bool]]
    cards: dict[str, CardFacts]
    """The cards that the viewer sees anywhere; all of them where other cards than the default ones are played."""


class Put(TypedDict):
    kind: Literal["put"]
    card: str
    space: str
    replaces: str


class Take(TypedDict):
    kind: Literal["take"]
    card: str
    space: str
    replaces: str


class Net(TypedDict):
    kind: Literal["net"]
    spaces: list[str]


class Restock(TypedDict):
    kind: Literal["restock"]


class KeepNet(TypedDict):
    kind: Literal["keep net"]


class Draw(TypedDict):
    kind: Literal["draw"]
    card: str


class First(TypedDict):
    kind: Literal["first"]
    seat: int


MOVES: list[type] = [Put, Take, Net, Restock, KeepNet, Draw, First]
