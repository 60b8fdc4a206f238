"""Reading card files: those that come with the game, and corrected ones.

A card file is JSON: `{"cards": [...]}`, complete; or `{"extends": "balanced", "cards": [...]}`, only the cards that
differ from those of one of our own sets, "balanced" or "standard" (a card of the same name is replaced, a new name is
added, `"copies": 0` takes it out). BadMaterial names the card, the field, what is wrong and the cure.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from wellies.core.errors import BadMaterial, nearest
from wellies.core.events import Json
from wellies.core.fields import Fields, show
from wellies.core.files import material_from
from wellies.games.aquarium.card_text import (
    DIFFERENT_TYPES,
    HOLDS_ITSELF,
    HOWS,
    PER,
    PLACE,
    RELATIONS,
    STANDING,
    TYPES,
    kind_of,
)
from wellies.games.aquarium.material import BALANCED, MOST_CARDS, STANDARD, Bonus, Card, Material, compact_name

FILE_FIELDS: Final = ("about", "extends", "cards")
CARD_FIELDS: Final = ("name", "copies", "type", "base", "starter", "bonuses", "source", "note")
BONUS_FIELDS: Final = ("points", "per", "if", "unless", "of", "other")
SOURCES: Final = ["rulebook", "reconstructed", "box"]
STARTERS: Final = {"Water": 20, "Gravel": 12, "Clownfish": 4}
"""The cards that tanks begin with, and how many four tanks need."""
MOST_BONUSES: Final = 4
_NAME_SIGNS: Final = " '-.!&"


def read_cards(value: Any, known: dict[str, list[Card]]) -> list[Card]:
    """The cards of a parsed file; `known` are the sets that it may extend."""
    file = Fields(value, "", FILE_FIELDS, BadMaterial, "the card file")
    entries = file.items("cards")
    if not entries:
        raise file.wrong("cards", "must be a list of cards; put at least one in it")
    base = known[file.word("extends", None, list(known))] if file.has("extends") else []
    cards = _merge(base, [_read_card(entry, f"cards[{index}]") for index, entry in enumerate(entries)])
    _check_names(cards)
    return cards


def _merge(base: list[Card], changed: list[Card]) -> list[Card]:
    """The base with its changes. A card that is taken out stays without copies, since bonuses may name it."""
    seen: dict[str, Card] = {}
    for card in changed:
        key = compact_name(card.name)
        if key in seen:
            raise BadMaterial(f"{_path(card.name)}.name: is used twice; remove or rename one of the two cards.")
        seen[key] = card
    merged = [seen.pop(compact_name(card.name), card) for card in base]
    return merged + list(seen.values())


def _check_names(cards: list[Card]) -> None:
    """What can only be checked once all cards are known: the starters, and names that bonuses refer to."""
    if len(cards) > MOST_CARDS:
        raise BadMaterial(f"cards: there are {len(cards)} different cards, and room for {MOST_CARDS}; remove some.")
    names = [card.name for card in cards]
    for name, needed in STARTERS.items():
        found = [card for card in cards if card.name == name and card.starter]
        if found and found[0].copies < needed:
            raise BadMaterial(f"{_path(name)}.copies: four tanks begin with {needed} of it; give at least as many.")
        if not found:
            raise BadMaterial(
                f'{_path(name)}: the file has no starter card of this name; add it with "starter": true, '
                'or begin the file with "extends": "balanced".'
            )
    for card in cards:
        if card.starter and card.name not in STARTERS:
            raise BadMaterial(f"{_path(card.name)}.starter: only {', '.join(STARTERS)} are starters; remove the field.")
        for number, bonus in enumerate(card.bonuses):
            for of in bonus.of:
                if of not in names and of not in TYPES and of != DIFFERENT_TYPES:
                    known = [*TYPES, *names, DIFFERENT_TYPES]
                    raise BadMaterial(
                        f"{_path(card.name)}.bonuses[{number}].of: {of!r} is neither a type nor a card; "
                        f"use one of {', '.join(TYPES)}, a card's name, or {DIFFERENT_TYPES!r}.{nearest(of, known)}"
                    )
    if sum(card.copies for card in cards if not card.starter) == 0:
        raise BadMaterial("cards: there is nothing to draw; give some cards that are not starters copies.")


def _path(name: str) -> str:
    """How errors name a card."""
    return f'card "{name}"'


def _read_card(entry: Any, path: str) -> Card:
    name = _read_name(entry, path)
    fields = Fields(entry, _path(name), CARD_FIELDS, BadMaterial)
    bonuses = fields.items("bonuses")
    if len(bonuses) > MOST_BONUSES:
        raise fields.wrong("bonuses", f"a card has at most {MOST_BONUSES} bonuses; remove some")
    return Card(
        name,
        fields.integer("copies", None, 0, 99),
        fields.word("type", None, list(TYPES)),
        fields.integer("base", None, 0, 99),
        fields.boolean("starter", False),
        [_read_bonus(bonus, fields.at(f"bonuses[{index}]")) for index, bonus in enumerate(bonuses)],
        fields.word("source", "box", SOURCES),
        fields.text("note", "", 100),
    )


def _read_name(entry: Any, path: str) -> str:
    """The name of a card, which errors name the card by from then on."""
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, str) or not name.strip():
        fields = Fields(entry, path, CARD_FIELDS, BadMaterial)
        raise fields.missing("name", 'give the card one, such as "name": "Seahorse"')
    name = _plain(name)
    if len(name) > 40 or not name[0].isalpha() or any(not (c.isalnum() or c in _NAME_SIGNS) for c in name):
        raise BadMaterial(
            f"{path}.name: a name begins with a letter and has at most 40 letters, digits, spaces and "
            f"{_NAME_SIGNS.strip()}, not {show(name)}; shorten it or leave the other signs out."
        )
    if name in TYPES or name == DIFFERENT_TYPES:
        raise BadMaterial(f"{path}.name: {name!r} is a word for a type of card; give the card another name.")
    return name


def _plain(name: str) -> str:
    """A name with single spaces and plain apostrophes."""
    return " ".join(name.split()).replace("\u2019", "'")


def _read_bonus(value: Any, path: str) -> Bonus:
    fields = Fields(value, path, BONUS_FIELDS, BadMaterial)
    points = fields.integer("points", None, -20, 20)
    if points == 0:
        raise fields.wrong("points", "a bonus of 0 points does nothing; give it points or remove it")
    hows = [how for how in HOWS if fields.has(how)]
    if len(hows) != 1:
        raise BadMaterial(f'{path} must have exactly one of per, if and unless, such as "per": "adjacent".')
    how = HOWS.index(hows[0])
    relation = fields.word(hows[0], None, list(RELATIONS))
    kind = kind_of(relation)
    if how == PER and (kind == PLACE or relation.startswith("directly")):
        raise fields.wrong("per", f'{relation!r} is true or not, it cannot be counted; write "if" for "per"')
    other = fields.boolean("other", False)
    if other and relation not in HOLDS_ITSELF:
        raise fields.wrong("other", f"a card is never {relation} itself; leave other out")
    of = _read_of(fields)
    if kind == PLACE and of:
        raise fields.wrong("of", f"{relation!r} is about this card's own place; leave of out")
    if kind != PLACE and not of:
        raise fields.missing("of", 'say which cards count, such as "of": "fish"')
    if DIFFERENT_TYPES in of and (len(of) > 1 or how != PER or (kind == STANDING and relation.startswith("directly"))):
        raise fields.wrong("of", f'{DIFFERENT_TYPES!r} goes with "per" and stands alone; write it so')
    return Bonus(points, how, relation, of, other)


def _read_of(fields: Fields) -> tuple[str, ...]:
    """Types or names of cards: one, or a list of several."""
    of = fields.get("of") if fields.has("of") else []
    if isinstance(of, str):
        of = [of]
    if not isinstance(of, list) or not all(isinstance(word, str) for word in of) or len(set(of)) != len(of):
        expected = 'a type or a name, or a list of several such as ["plant", "coral"]'
        raise BadMaterial(f"{fields.at('of')} must be {expected}, not {show(fields.get('of'))}.")
    return tuple(_plain(word) for word in of)


# --- the sets of cards ------------------------------------------------------------------------------------------------


def _own_cards(name: str, known: dict[str, list[Card]]) -> Material:
    text = resources.files("wellies.games.aquarium").joinpath(name).read_text(encoding="utf-8")
    return Material(read_cards(json.loads(text), known))


STANDARD_CARDS: Final = _own_cards("cards.json", {})
BALANCED_CARDS: Final = _own_cards("balanced.json", {STANDARD: STANDARD_CARDS.cards})
CARD_SETS: Final[dict[str, Material]] = {BALANCED: BALANCED_CARDS, STANDARD: STANDARD_CARDS}
"""By the value of the option `cards`, the default first."""
_KNOWN: Final[dict[str, list[Card]]] = {BALANCED: BALANCED_CARDS.cards, STANDARD: STANDARD_CARDS.cards}
_CACHE: Final[dict[str, Material]] = {}


def load_material(value: Any) -> Material:
    """The cards that a value of the option `cards` means: "balanced" (also None), "standard", a path to a card file, or
    what is in one."""
    if value is None:
        return BALANCED_CARDS
    if isinstance(value, str):
        found = CARD_SETS.get(value)
        if found is not None:
            return found
    cards: Material = material_from(value, "card file", _CACHE, _corrected)
    return cards


def _corrected(data: Any) -> Material:
    return Material(read_cards(data, _KNOWN))


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


def box_entries(cards: Material) -> list[Json]:
    """Every card with its text and its number of copies, for the encyclopaedia."""
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
