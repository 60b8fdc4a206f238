"""Reading a card file, ours or a corrected one: every mistake names the card, the field, the problem and the cure.

A card file is JSON: `{"cards": [...]}`, complete; or `{"extends": "balanced", "cards": [...]}`, only the cards that
differ from those of one of our own sets, "balanced" or "standard" (a card of the same name is replaced, a new name is
added, `"copies": 0` takes it out).
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.errors import BadMaterial, nearest
from wellies.core.native import mypyc_attr
from wellies.games.aquarium.vocabulary import (
    DIFFERENT_TYPES,
    HOLDS_ITSELF,
    HOWS,
    PER,
    PLACE,
    RELATIONS,
    STANDING,
    TYPES,
    Bonus,
    kind_of,
)

MOST_CARDS: Final = 64
"""How many different cards there may be; moves have room for no more."""
SOURCES: Final = ("rulebook", "reconstructed", "box")
STARTERS: Final = {"Water": 20, "Gravel": 12, "Clownfish": 4}
"""The cards that tanks begin with, and how many four tanks need."""
_FIELDS: Final = ("name", "copies", "type", "base", "starter", "bonuses", "source", "note")
_BONUS_FIELDS: Final = ("points", "per", "if", "unless", "of", "other")
_NAME_SIGNS: Final = " '-.!&"


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


def squeeze(text: str) -> str:
    """A name without its spaces, for comparing; a typographer's apostrophe counts as a plain one."""
    return "".join(text.split()).replace("\u2019", "'")


def check(value: Any, known: dict[str, list[Card]]) -> list[Card]:
    """The cards of a file that has been parsed; `known` are the sets that it may extend. BadMaterial names what is
    wrong in it."""
    if not isinstance(value, dict):
        raise BadMaterial(f'cards: a card file is an object such as {{"cards": [...]}}, not {_kind(value)}.')
    for name in value:
        if name not in ("about", "extends", "cards"):
            hint = nearest(str(name), ["about", "extends", "cards"])
            raise BadMaterial(f"cards: {name!r} is not a field of a card file; use about, extends or cards.{hint}")
    entries = value.get("cards")
    if not isinstance(entries, list) or not entries:
        raise BadMaterial('cards: the field "cards" must be a list of cards; put at least one in it.')
    base: list[Card] = []
    if "extends" in value:
        wanted = value["extends"]
        if not isinstance(wanted, str) or wanted not in known:
            sets = " or ".join(f'"{name}"' for name in known)
            raise BadMaterial(f'cards: the field "extends" can only be {sets}; leave it out for a complete file.')
        base = known[wanted]
    cards = _merge(base, [_card(entry, number) for number, entry in enumerate(entries, 1)])
    _check_names(cards)
    return cards


def _merge(base: list[Card], changed: list[Card]) -> list[Card]:
    """The base with its changes. Taken-out cards stay as a name without copies, so that what refers to them stands."""
    seen: dict[str, Card] = {}
    for card in changed:
        key = squeeze(card.name)
        if key in seen:
            raise BadMaterial(f'card "{card.name}", field name: the name is used twice; remove or rename one of them.')
        seen[key] = card
    merged = [seen.pop(squeeze(card.name), card) for card in base]
    return merged + list(seen.values())


def _check_names(cards: list[Card]) -> None:
    """What can only be checked once all cards are known: the starters, and names that bonuses refer to."""
    if len(cards) > MOST_CARDS:
        raise BadMaterial(f"cards: there are {len(cards)} different cards, and room for {MOST_CARDS}; remove some.")
    names = [card.name for card in cards]
    for name, needed in STARTERS.items():
        found = [card for card in cards if card.name == name and card.starter]
        if found and found[0].copies < needed:
            raise BadMaterial(
                f'card "{name}", field copies: four tanks begin with {needed} of it; give at least as many.'
            )
        if not found:
            raise BadMaterial(
                f'card "{name}": the file has no starter card of this name; add it with "starter": true, '
                'or begin the file with "extends": "balanced".'
            )
    for card in cards:
        if card.starter and card.name not in STARTERS:
            raise BadMaterial(
                f'card "{card.name}", field starter: only {", ".join(STARTERS)} are starters; remove the field.'
            )
        for number, bonus in enumerate(card.bonuses):
            for of in bonus.of:
                if of not in names and of not in TYPES and of != DIFFERENT_TYPES:
                    known = [*TYPES, *names, DIFFERENT_TYPES]
                    raise BadMaterial(
                        f'card "{card.name}", field bonuses[{number}].of: {of!r} is neither a type nor a card; '
                        f"use one of {', '.join(TYPES)}, a card's name, or {DIFFERENT_TYPES!r}.{nearest(of, known)}"
                    )
    deck = sum(card.copies for card in cards if not card.starter)
    if deck == 0:
        raise BadMaterial("cards: there is nothing to draw; give some cards that are not starters copies.")


def _card(entry: Any, number: int) -> Card:
    if not isinstance(entry, dict):
        raise BadMaterial(f'card number {number}: must be an object with a "name", not {_kind(entry)}.')
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        raise BadMaterial(f'card number {number}, field name: there is none; give it one, such as "name": "Seahorse".')
    name = " ".join(name.split()).replace("\u2019", "'")
    here = f'card "{name}"'
    if len(name) > 40 or not name[0].isalpha() or any(not (c.isalnum() or c in _NAME_SIGNS) for c in name):
        raise BadMaterial(
            f"{here}, field name: a name begins with a letter and has at most 40 letters, digits, spaces and "
            f"{_NAME_SIGNS.strip()}; shorten it or leave the other signs out."
        )
    if name in TYPES or name == DIFFERENT_TYPES:
        raise BadMaterial(f"{here}, field name: this is a word for a type of card; give the card another name.")
    for field in entry:
        if field not in _FIELDS:
            hint = nearest(str(field), list(_FIELDS))
            raise BadMaterial(f"{here}, field {field}: there is no such field; use {', '.join(_FIELDS)}.{hint}")
    copies = _number(entry, "copies", here, 0, 99)
    type_ = _word(entry.get("type"), here, "type", TYPES)
    base = _number(entry, "base", here, 0, 99)
    starter = _flag(entry, "starter", here)
    source = _word(entry.get("source", "box"), here, "source", SOURCES)
    note = entry.get("note", "")
    if not isinstance(note, str) or len(note) > 100:
        raise BadMaterial(f"{here}, field note: must be a text of up to 100 characters; shorten it or leave it out.")
    bonuses = entry.get("bonuses", [])
    if not isinstance(bonuses, list) or len(bonuses) > 4:
        raise BadMaterial(f"{here}, field bonuses: must be a list of at most four bonuses; use [] for none.")
    read = [_bonus(bonus, f"{here}, field bonuses[{index}]") for index, bonus in enumerate(bonuses)]
    return Card(name, copies, type_, base, starter, read, source, note)


def _bonus(value: Any, here: str) -> Bonus:
    if not isinstance(value, dict):
        raise BadMaterial(
            f'{here}: must be an object such as {{"points": 1, "per": "adjacent", "of": "fish"}}, not {_kind(value)}.'
        )
    for field in value:
        if field not in _BONUS_FIELDS:
            hint = nearest(str(field), list(_BONUS_FIELDS))
            raise BadMaterial(f"{here}.{field}: there is no such field; use {', '.join(_BONUS_FIELDS)}.{hint}")
    points = _number(value, "points", here, -20, 20)
    if points == 0:
        raise BadMaterial(f"{here}.points: a bonus of 0 points does nothing; give it points or remove it.")
    hows = [how for how in HOWS if how in value]
    if len(hows) != 1:
        raise BadMaterial(f'{here}: must have exactly one of per, if and unless, such as "per": "adjacent".')
    how = HOWS.index(hows[0])
    relation = _word(value[hows[0]], here, hows[0], RELATIONS)
    kind = kind_of(relation)
    if how == PER and (kind == PLACE or relation.startswith("directly")):
        raise BadMaterial(f'{here}.per: {relation!r} is true or not, it cannot be counted; write "if" for "per".')
    other = _flag(value, "other", here)
    if other and relation not in HOLDS_ITSELF:
        raise BadMaterial(f"{here}.other: a card is never {relation} itself; leave other out.")
    of = value.get("of", [])
    if isinstance(of, str):
        of = [of]
    if not isinstance(of, list) or not all(isinstance(word, str) for word in of) or len(set(of)) != len(of):
        raise BadMaterial(f'{here}.of: must be a type or a name, or a list of several such as ["plant", "coral"].')
    of = [" ".join(word.split()).replace("\u2019", "'") for word in of]
    if kind == PLACE and of:
        raise BadMaterial(f"{here}.of: {relation!r} speaks of this card's own place; leave of out.")
    if kind != PLACE and not of:
        raise BadMaterial(f'{here}.of: says nothing of which cards count; add one, such as "of": "fish".')
    if DIFFERENT_TYPES in of and (len(of) > 1 or how != PER or (kind == STANDING and relation.startswith("directly"))):
        raise BadMaterial(f'{here}.of: {DIFFERENT_TYPES!r} goes with "per" and stands alone; write it so.')
    return Bonus(points, how, relation, tuple(of), other)


def _number(entry: dict[str, Any], field: str, here: str, low: int, high: int) -> int:
    where = f"{here}.{field}" if "bonuses[" in here else f"{here}, field {field}"
    if field not in entry:
        raise BadMaterial(f"{where}: there is none; add a whole number from {low} to {high}.")
    value = entry[field]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadMaterial(f"{where}: must be a whole number from {low} to {high}, not {_kind(value)}; correct it.")
    return value


def _word(value: Any, here: str, field: str, allowed: tuple[str, ...]) -> str:
    where = f"{here}.{field}" if "bonuses[" in here else f"{here}, field {field}"
    if not isinstance(value, str) or value not in allowed:
        hint = nearest(value, list(allowed)) if isinstance(value, str) else ""
        problem = "there is none" if value is None else f"{_kind(value)} is not known"
        raise BadMaterial(f"{where}: {problem}; use one of {', '.join(allowed)}.{hint}")
    return value


def _flag(entry: dict[str, Any], field: str, here: str) -> bool:
    where = f"{here}.{field}" if "bonuses[" in here else f"{here}, field {field}"
    value = entry.get(field, False)
    if not isinstance(value, bool):
        raise BadMaterial(f"{where}: must be true or false, not {_kind(value)}; correct it or leave it out.")
    return value


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    return "nothing" if value is None else repr(value)[:60]
