"""What a page or a terminal wants beside the position: points by card, card texts, and one's own secret plan.

Below it, the shapes of all that the game tells the world; the page's types are made from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

from wellies.core.events import Json
from wellies.games.aquarium.material import BALANCED, Material
from wellies.games.aquarium.phases import EMPTY, KEPT, NETS, SETUP
from wellies.games.aquarium.scoring import card_points, tank_lines, tank_points
from wellies.games.aquarium.vocabulary import SPACE_NAMES

if TYPE_CHECKING:
    from wellies.games.aquarium.state import AquariumState


def rows(items: list[Any]) -> list[list[Any]]:
    """Nine things as three rows of three."""
    return [items[0:3], items[3:6], items[6:9]]


def reasons(state: AquariumState, tank: list[int]) -> list[Json]:
    """The bonuses that count in a tank: whose they are, and the cards that bring them."""
    return [
        {"space": line.where[0], "points": line.points, "of": line.where[1:], "why": line.why}
        for line in tank_lines(state.cards, tank)
        if line.rule == "bonus"
    ]


def extra(state: AquariumState, viewer: int | None) -> Json:
    """Only what lies open, and what the viewer holds itself."""
    result: Json = {
        "rounds": state.rounds,
        "due": state.due(),
        "store_size": state.store_size,
        "values": [rows(card_points(state.cards, tank)) for tank in state.tanks],
        "reasons": [reasons(state, tank) for tank in state.tanks],
        "plan": None,
    }
    seen = {card for tank in state.tanks for card in tank} | set(state.store)
    if state.options["cards"] != BALANCED:
        seen = set(range(len(state.cards.cards)))  # nobody can know other cards than the usual ones by heart
    if viewer is not None and 0 <= viewer < state.seats:
        seen |= {card for card in state.hands[viewer] + state.placed[viewer] + state.aside[viewer] if card >= 0}
        if state.phase == SETUP:
            result["plan"] = _plan(state, viewer)
    if state.phase == SETUP:
        result["placed"] = [state.placed_count(seat) for seat in range(state.seats)]
        result["to_place"] = KEPT
    if state.phase == NETS:
        result["asked"] = [state.asked(seat) for seat in range(state.seats)]
    result["cards"] = {
        state.cards.names[card]: {
            "type": state.cards.cards[card].type,
            "base": state.cards.bases[card],
            "text": state.cards.text(card),
        }
        for card in sorted(seen)
    }
    return result


def box(cards: Material) -> list[Json]:
    """Every card with its text and how many there are."""
    return [
        {
            "name": card.name,
            "type": card.type,
            "base": card.base,
            "text": card.text(),
            "copies": card.copies,
            "starter": card.starter,
            "source": card.source,
        }
        for card in cards.cards
    ]


def _plan(state: AquariumState, seat: int) -> Json:
    """The viewer's own tank as it will be when all is revealed, as far as it is laid."""
    tank = state.tanks[seat].copy()
    for space, card in enumerate(state.placed[seat]):
        if card != EMPTY:
            tank[space] = card
    values = card_points(state.cards, tank)
    return {
        "grid": rows([state.cards.names[card] for card in tank]),
        "values": rows(values),
        "points": sum(values),
        "reasons": reasons(state, tank),
        "gains": {
            state.cards.names[card]: _gains(state, tank, card) for card in sorted(set(state.hands[seat])) if card >= 0
        },
    }


def _gains(state: AquariumState, tank: list[int], card: int) -> dict[str, int]:
    """What a card of the hand would change on each space."""
    now = tank_points(state.cards, tank)
    gains: dict[str, int] = {}
    for space, name in enumerate(SPACE_NAMES):
        changed = tank.copy()
        changed[space] = card
        gains[name] = tank_points(state.cards, changed) - now
    return gains


# --- shapes ---------------------------------------------------------------------------------------------------------

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
    due: list[int]
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
    """The cards that the viewer sees anywhere; all of them where other cards than the usual ones are played."""


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
