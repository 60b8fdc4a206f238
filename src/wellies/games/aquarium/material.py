"""The cards, and tables for scoring them quickly. `material_file.py` reads them, `card_text.py` puts them into English.

There are two sets of our own: the standard cards of rules version 1 are in `cards.json`, and `balanced.json` has those
that the balanced cards of rules version 2 change (docs/balance.md says why).
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.native import mypyc_attr
from wellies.games.aquarium.card_text import DIFFERENT_TYPES, HOWS, PLACE, TYPES, bonus_text, kind_of
from wellies.games.aquarium.tank_spaces import areas

STANDARD: Final = "standard"
BALANCED: Final = "balanced"
MOST_CARDS: Final = 64
"""How many different cards there may be; moves have room for no more."""

START: Final = ("Water", "Water", "Water", "Water", "Clownfish", "Water", "Gravel", "Gravel", "Gravel")
"""Every tank at the start, row by row from the top."""

ANY: Final = -1
"""In place of a matcher: any card at all (for bonuses of the card's own place)."""
VARIETY: Final = -2
"""In place of a matcher: the number of different types."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Bonus:
    """One bonus of a card, as the card file has it."""

    def __init__(self, points: int, how: int, relation: str, of: tuple[str, ...], other: bool) -> None:
        self.points = points
        self.how = how
        self.relation = relation
        self.of = of
        self.other = other

    def text(self) -> str:
        """The bonus in English, as a card would print it."""
        return bonus_text(self.points, self.how, self.relation, self.of, self.other)

    def to_json(self) -> dict[str, object]:
        """The bonus as a card file writes it."""
        result: dict[str, object] = {"points": self.points, HOWS[self.how]: self.relation}
        if self.of:
            result["of"] = self.of[0] if len(self.of) == 1 else list(self.of)
        if self.other:
            result["other"] = True
        return result


@mypyc_attr(allow_interpreted_subclasses=True)
class Card:
    """One card of a file."""

    def __init__(
        self,
        name: str,
        copies: int,
        type: str,
        base: int,
        starter: bool,
        bonuses: list[Bonus],
        source: str,
        note: str,
    ) -> None:
        self.name = name
        self.copies = copies
        self.type = type
        self.base = base
        self.starter = starter
        self.bonuses = bonuses
        self.source = source
        self.note = note
        """What of it has another source."""

    def text(self) -> str:
        """All bonuses in English; empty for a plain card."""
        return "; ".join(bonus.text() for bonus in self.bonuses)

    def to_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {"name": self.name, "copies": self.copies, "type": self.type, "base": self.base}
        if self.starter:
            result["starter"] = True
        result["bonuses"] = [bonus.to_json() for bonus in self.bonuses]
        result["source"] = self.source
        if self.note:
            result["note"] = self.note
        return result


def compact_name(text: str) -> str:
    """A name without its spaces, for comparing; a typographer's apostrophe counts as a plain one."""
    return "".join(text.split()).replace("\u2019", "'")


@mypyc_attr(allow_interpreted_subclasses=True)
class Rule:
    """A bonus as scoring uses it: which cards match, by the number of a matcher, and where, by space."""

    def __init__(self, points: int, how: int, matcher: int, where: tuple[int, ...], text: str) -> None:
        self.points = points
        self.how = how
        self.matcher = matcher
        self.where = where
        self.text = text


@mypyc_attr(allow_interpreted_subclasses=True)
class Material:
    """One set of cards. A card is its index in the file; everything here is a table by that index."""

    def __init__(self, cards: list[Card]) -> None:
        self.cards = cards
        self.names: list[str] = [card.name for card in cards]
        self.ids: dict[str, int] = {card.name: index for index, card in enumerate(cards)}
        self.by_compact_name: dict[str, int] = {compact_name(card.name): index for index, card in enumerate(cards)}
        self.types: list[int] = [TYPES.index(card.type) for card in cards]
        self.bases: list[int] = [card.base for card in cards]
        self.in_box: list[int] = [card.copies for card in cards]
        self.in_deck: list[int] = [0 if card.starter else card.copies for card in cards]
        self.starters: list[bool] = [card.starter for card in cards]
        self.start: list[int] = [self.ids[name] for name in START]
        self._index_matchers()

    def _index_matchers(self) -> None:
        """Number the different things that bonuses match, so that scoring tests each card once."""
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
        """The complete card file of this set, so that a record needs no other file."""
        return {"cards": [card.to_json() for card in self.cards]}
