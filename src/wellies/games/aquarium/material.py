"""The cards, as tables that the rules can use quickly.

There are two sets of our own: the standard cards of rules version 1 are in `cards.json`, and `balanced.json` has those
that the balanced cards of rules version 2 change (docs/balance.md says why).
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from wellies.core.events import Json
from wellies.core.files import made_from
from wellies.core.native import mypyc_attr
from wellies.games.aquarium import cardfile
from wellies.games.aquarium.cardfile import Card
from wellies.games.aquarium.vocabulary import DIFFERENT_TYPES, PLACE, TYPES, areas, kind_of

STANDARD: Final = "standard"
BALANCED: Final = "balanced"
START: Final = ("Water", "Water", "Water", "Water", "Clownfish", "Water", "Gravel", "Gravel", "Gravel")
"""Every tank at the start, row by row from the top."""

ANY: Final = -1
"""In place of a matcher: any card at all (for bonuses of the card's own place)."""
VARIETY: Final = -2
"""In place of a matcher: the number of different types."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Rule:
    """A bonus ready for counting: which cards match (a column of bits kept while scoring), and where, per space."""

    def __init__(self, points: int, how: int, matcher: int, where: tuple[int, ...], text: str) -> None:
        self.points = points
        self.how = how
        self.matcher = matcher
        self.where = where
        self.text = text


@mypyc_attr(allow_interpreted_subclasses=True)
class Material:
    """One set of cards. A card is known by its index in the file; everything here is a table by that index."""

    def __init__(self, cards: list[Card]) -> None:
        self.cards = cards
        self.names: list[str] = [card.name for card in cards]
        self.ids: dict[str, int] = {card.name: index for index, card in enumerate(cards)}
        self.compact: dict[str, int] = {cardfile.squeeze(card.name): index for index, card in enumerate(cards)}
        self.types: list[int] = [TYPES.index(card.type) for card in cards]
        self.bases: list[int] = [card.base for card in cards]
        self.in_box: list[int] = [card.copies for card in cards]
        self.in_deck: list[int] = [0 if card.starter else card.copies for card in cards]
        self.starters: list[bool] = [card.starter for card in cards]
        self.start: list[int] = [self.ids[name] for name in START]
        self._index_matchers()

    def _index_matchers(self) -> None:
        """Number the different things that bonuses look for, so that scoring asks each card once what it counts as."""
        wanted: list[tuple[str, ...]] = []
        self.rules: list[tuple[Rule, ...]] = []
        for card in self.cards:
            rules: list[Rule] = []
            for bonus in card.bonuses:
                matcher = ANY
                if DIFFERENT_TYPES in bonus.of:
                    matcher = VARIETY
                elif kind_of(bonus.relation) != PLACE:
                    if bonus.of not in wanted:
                        wanted.append(bonus.of)
                    matcher = wanted.index(bonus.of)
                where = areas(bonus.relation, bonus.other)
                rules.append(Rule(bonus.points, bonus.how, matcher, where, bonus.text()))
            self.rules.append(tuple(rules))
        self.matchers = len(wanted)
        self.matches: list[tuple[int, ...]] = [
            tuple(index for index, of in enumerate(wanted) if card.type in of or card.name in of) for card in self.cards
        ]

    def text(self, card: int) -> str:
        """The card's bonus in English; empty for a plain card."""
        return self.cards[card].text()

    def to_json(self) -> dict[str, Any]:
        """The card file of this material, complete, so that a record with it stands alone."""
        return {"cards": [card.to_json() for card in self.cards]}


def _load(name: str, known: dict[str, list[Card]]) -> Material:
    text = resources.files("wellies.games.aquarium").joinpath(name).read_text(encoding="utf-8")
    return Material(cardfile.check(json.loads(text), known))


STANDARD_CARDS: Final = _load("cards.json", {})
BALANCED_CARDS: Final = _load("balanced.json", {STANDARD: STANDARD_CARDS.cards})
CARD_SETS: Final[dict[str, Material]] = {BALANCED: BALANCED_CARDS, STANDARD: STANDARD_CARDS}
"""By the value of the option `cards`, the usual set first."""
_KNOWN: Final[dict[str, list[Card]]] = {BALANCED: BALANCED_CARDS.cards, STANDARD: STANDARD_CARDS.cards}
_BY_TEXT: Final[dict[str, Material]] = {}


def material(value: Any) -> Material:
    """The cards that a value of the option `cards` means: "balanced" (also if there is no value), "standard", a path to
    a card file, or what is in one.

    BadMaterial names the card, the field, what is wrong with it and how to mend it.
    """
    if value is None:
        return BALANCED_CARDS
    if isinstance(value, str):
        found = CARD_SETS.get(value)
        if found is not None:
            return found
    known: Material = made_from(value, "card file", _BY_TEXT, _checked)
    return known


def _checked(data: Any) -> Material:
    return Material(cardfile.check(data, _KNOWN))


def card_rows(cards: Material) -> list[Json]:
    """The cards as rows of a table for people."""
    return [
        {
            "name": card.name,
            "copies": card.copies,
            "type": card.type,
            "base": card.base,
            "text": card.text() or ("starter card, no bonus" if card.starter else "no bonus"),
            "source": f"{card.source} ({card.note})" if card.note else card.source,
        }
        for card in cards.cards
    ]
