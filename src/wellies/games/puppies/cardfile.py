"""Reading card files: those that come with the game, and corrected ones.

A corrected file has the form of `cards.json` and needs only the entries that differ from the set that it `extends`,
"balanced" or "standard" (which it is if the file names none). Every mistake in it is named by its card, its field, the
problem and the cure.
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any, Final

from wellies.core.errors import BadMaterial, nearest
from wellies.core.events import Json
from wellies.core.files import read_material
from wellies.games.puppies.material import (
    ALL,
    ANYWHERE,
    BALANCED,
    BONE_HERE,
    BREED_IN_YARD,
    BREEDS,
    BURY,
    DRAW,
    EACH,
    EVERY_BONE,
    FIRST_DOGGO,
    HERE,
    IF_BIGGEST,
    IF_FEW_GROUPS,
    MOVE,
    OTHERS,
    POORER_GROUP,
    PUP_HERE,
    PUP_OF,
    STANDARD,
    UPGRADE,
    VALUES,
    Bonus,
    Breed,
    Cards,
    N,
    Step,
    Trick,
)
from wellies.games.puppies.texts import bonus_text, trick_text

_SOURCES: Final = ["rulebook", "reconstructed"]
_TRICK_FIELDS: Final = ["digit", "name", "does", "source", "name_source", "note"]
_DOGGO_FIELDS: Final = ["card", "name", "does", "source", "name_source", "note"]
_BREED_FIELDS: Final = ["digit", "name", "one", "bonus", "source", "name_source", "note"]

_WHERE: Final[dict[str, int]] = {"here": HERE, "others": OTHERS, "each": EACH, "anywhere": ANYWHERE}
_COUNTED: Final[dict[str, int]] = {
    "pup here": PUP_HERE,
    "bone here": BONE_HERE,
    "breed": BREED_IN_YARD,
    "other group with fewer bones": POORER_GROUP,
    "pup of": PUP_OF,
}
_MOST: Final = 20
"""No number in a trick or bonus may be larger: a mistyped one would make a turn endless."""


_READ: Final[dict[str, Cards]] = {}
"""Corrected files read lately: a bot sets the same one up for every move."""
_KEPT: Final = 16


# --- from a file or an object to cards --------------------------------------------------------------------------------


def file_data(name: str) -> Json:
    """A card file that comes with the game."""
    text = resources.files("wellies.games.puppies").joinpath(name).read_text(encoding="utf-8")
    data: Json = json.loads(text)
    return data


def load_cards(source: object) -> Cards:
    """Cards from "balanced" (also for None), "standard", a path, JSON text, or an object already parsed. BadMaterial
    names every mistake."""
    if source is None:
        return BALANCED_CARDS
    if isinstance(source, str):
        known_set = CARD_SETS.get(source)
        if known_set is not None:
            return known_set
    if isinstance(source, str | Path):
        source = _parse(source)
    if not isinstance(source, dict):
        raise BadMaterial(f"a card file is a JSON object with breeds, tricks or doggos, not {_kind(source)}.")
    try:
        key = json.dumps(source, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadMaterial(
            "a card file has texts, numbers, lists and objects only; this one has something else."
        ) from error
    known = _READ.get(key)
    if known is None:
        known = read_cards(json.loads(key))
        if len(_READ) >= _KEPT:
            _READ.clear()
        _READ[key] = known
    return known


def _parse(source: str | Path) -> object:
    text = str(source)
    if not text.lstrip().startswith("{"):
        return read_material(text, "card file")
    try:
        parsed: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BadMaterial(f"the card file is not JSON{where}; check commas, quotes and brackets there.") from error
    return parsed


def read_cards(data: Json) -> Cards:
    """Cards from a parsed file; entries that it leaves out are those of the set that it extends."""
    _only(data, ["about", "extends", "breeds", "tricks", "doggos"], "the card file")
    extends = _word(data, "extends", "the whole file", [BALANCED, STANDARD]) if "extends" in data else STANDARD
    known = file_data("cards.json") if extends == STANDARD else BALANCED_CARDS.data
    breeds = _entries(data, known, "breeds", "digit", 0, BREEDS)
    tricks = _entries(data, known, "tricks", "digit", 0, 10)
    doggos = _entries(data, known, "doggos", "card", FIRST_DOGGO, 10)
    names = [_name(entry, "name", _label("breeds", entry)) for entry in breeds]
    keys = [breed_key(name) for name in names]
    for index, key in enumerate(keys):
        if key in keys[:index] or key == "doggos":
            raise _wrong(_label("breeds", breeds[index]), "name", f"{names[index]!r} is taken", "give it its own name")
    ones = [_name(entry, "one", _label("breeds", entry)) for entry in breeds]
    whole: Json = {"breeds": breeds, "tricks": tricks, "doggos": doggos}
    return Cards(
        [_breed(entry, keys[index], keys, ones) for index, entry in enumerate(breeds)],
        [_trick(entry, _label("tricks", entry)) for entry in tricks],
        [_trick(entry, _label("doggos", entry)) for entry in doggos],
        whole,
    )


def breed_key(name: str) -> str:
    """How moves write a breed: small letters without spaces."""
    return "".join(char for char in name.lower() if char.isalpha())


def _entries(data: Json, known: Json, kind: str, number: str, first: int, count: int) -> list[Json]:
    """The entries of a list in order of their number, the missing ones from the cards known."""
    given = data.get(kind, [])
    if not isinstance(given, list):
        raise BadMaterial(f'card file, field "{kind}": must be a list of objects, not {_kind(given)}.')
    entries: list[Json] = list(known[kind])
    seen: set[int] = set()
    for position, entry in enumerate(given):
        label = f"{kind}, entry {position + 1}"
        if not isinstance(entry, dict):
            raise BadMaterial(f"card file, {label}: must be an object, not {_kind(entry)}.")
        value = entry.get(number)
        if isinstance(value, bool) or not isinstance(value, int) or not first <= value < first + count:
            problem = "is missing" if number not in entry else f"{_kind(value)} is not a card of this kind"
            raise _wrong(label, number, problem, f"write a whole number from {first} to {first + count - 1}")
        if value in seen:
            raise _wrong(label, number, f"{value} is given twice", "keep one of the two entries")
        seen.add(value)
        entries[value - first] = entry
    return entries


def _label(kind: str, entry: Json) -> str:
    name = entry.get("name")
    shown = f" ({name})" if isinstance(name, str) else ""
    if kind == "doggos":
        return f"Doggo {entry['card']}{shown}"
    return f"{'breed' if kind == 'breeds' else 'trick'} {entry['digit']}{shown}"


# --- entries ----------------------------------------------------------------------------------------------------------


def _trick(entry: Json, label: str) -> Trick:
    _only(entry, _DOGGO_FIELDS if "card" in entry else _TRICK_FIELDS, label)
    name = _name(entry, "name", label)
    does = entry.get("does")
    if not isinstance(does, list) or not 1 <= len(does) <= 5:
        raise _wrong(label, "does", f"{_kind(does)} is not a list of 1 to 5 parts", 'write [{"do": "bury", ...}]')
    steps = [_step(part, f"{label}, part {index + 1}") for index, part in enumerate(does)]
    return Trick(name, steps, trick_text(steps), _source(entry, label))


def _breed(entry: Json, key: str, keys: list[str], ones: list[str]) -> Breed:
    label = _label("breeds", entry)
    _only(entry, _BREED_FIELDS, label)
    bonus = _bonus(entry.get("bonus"), f"{label}, bonus", keys)
    text = bonus_text(bonus, ones)
    return Breed(key, entry["name"], entry["one"], bonus, text, _source(entry, label))


def _source(entry: Json, label: str) -> str:
    """Where an entry comes from, as the table of cards shows it."""
    source = _word(entry, "source", label, _SOURCES)
    notes: list[str] = []
    if "name_source" in entry:
        other = _word(entry, "name_source", label, _SOURCES)
        if other != source:
            notes.append(f"name: {other}")
    if "note" in entry:
        note = entry["note"]
        if not isinstance(note, str) or not 0 < len(note) <= 100:
            raise _wrong(label, "note", f"{_kind(note)} is not a short text", "write up to 100 characters")
        notes.append(note)
    return source + (f" ({'; '.join(notes)})" if notes else "")


def _step(part: Any, label: str) -> Step:
    if not isinstance(part, dict):
        raise BadMaterial(f"card file, {label}: must be an object, not {_kind(part)}.")
    verb = _word(part, "do", label, ["bury", "upgrade", "move", "draw"])
    if verb == "bury":
        return _bury(part, label)
    if verb == "upgrade":
        return _upgrade(part, label)
    if verb == "move":
        _only(part, ["do", "bones", "from"], label)
        source = _word(part, "from", label, ["others", "one other"])
        return Step(MOVE, _number(part, "bones", label, "any"), EACH if source == "one other" else OTHERS)
    _only(part, ["do", "pups", "tricks"], label)
    step = Step(DRAW, _number(part, "pups", label))
    tricks = part.get("tricks")
    if not isinstance(tricks, bool):
        raise _wrong(label, "tricks", f"{_kind(tricks)} is not a yes or no", "write true or false")
    step.tricks = tricks
    return step


def _bury(part: Json, label: str) -> Step:
    _only(part, ["do", "bones", "where", "fewer_than"], label)
    where = _word(part, "where", label, list(_WHERE))
    step = Step(BURY, _number(part, "bones", label), _WHERE[where])
    _one_each(part, step, label)
    if "fewer_than" in part:
        if where != "each":
            raise _wrong(label, "fewer_than", f'does not go with "where": "{where}"', 'leave it out, or write "each"')
        step.fewer_than = _number(part, "fewer_than", label)
    return step


def _upgrade(part: Json, label: str) -> Step:
    _only(part, ["do", "bones", "times", "where", "groups", "showing"], label)
    where = _word(part, "where", label, list(_WHERE))
    step = Step(UPGRADE, _number(part, "bones", label, "every"), _WHERE[where])
    _one_each(part, step, label)
    step.times = _number(part, "times", label, most=3)
    if "groups" in part:
        if where != "each":
            raise _wrong(label, "groups", f'does not go with "where": "{where}"', 'leave it out, or write "each"')
        step.groups = _number(part, "groups", label)
    if "showing" in part:
        step.showing = _level(part, label)
    return step


def _one_each(part: Json, step: Step, label: str) -> None:
    if step.where == EACH and step.count != 1:
        raise _wrong(label, "bones", f'{part["bones"]!r} does not go with "where": "each"', "write 1")


def _bonus(entry: Any, label: str, keys: list[str]) -> Bonus:
    if not isinstance(entry, dict):
        raise BadMaterial(f'card file, {label}: must be an object such as {{"bones": "every", "times": 1}}.')
    _only(entry, ["if", "groups", "bones", "each", "of", "per", "times", "showing"], label)
    times = _number(entry, "times", label, most=3, pups=False)
    bonus = Bonus(EVERY_BONE, times)
    if _word(entry, "bones", label, ["every", "for each"]) == "for each":
        bonus.counted = _COUNTED[_word(entry, "each", label, list(_COUNTED))]
        if "per" in entry:
            bonus.per = _number(entry, "per", label, pups=False)
    else:
        _without(entry, ["each", "per"], label, '"bones": "every"')
    if bonus.counted == PUP_OF:
        bonus.of = keys.index(_word(entry, "of", label, keys))
    else:
        _without(entry, ["of"], label, 'anything but "each": "pup of"')
    if "showing" in entry:
        bonus.showing = _level(entry, label)
    if "if" in entry:
        condition = _word(entry, "if", label, ["biggest group", "few groups"])
        bonus.condition = IF_BIGGEST if condition == "biggest group" else IF_FEW_GROUPS
    if bonus.condition == IF_FEW_GROUPS:
        bonus.limit = _number(entry, "groups", label, most=BREEDS, pups=False)
    else:
        _without(entry, ["groups"], label, 'anything but "if": "few groups"')
    return bonus


# --- fields -----------------------------------------------------------------------------------------------------------


def _wrong(label: str, field: str, problem: str, cure: str) -> BadMaterial:
    return BadMaterial(f'card file, {label}, field "{field}": {problem}; {cure}.')


def _only(entry: Json, known: list[str], label: str) -> None:
    for name in entry:
        if name not in known:
            hint = nearest(str(name), known)
            raise BadMaterial(
                f"card file, {label}: {name!r} is not a field here; leave it out, or use one of "
                f"{', '.join(known)}.{hint}"
            )


def _without(entry: Json, names: list[str], label: str, other: str) -> None:
    for name in names:
        if name in entry:
            raise _wrong(label, name, f"does not go with {other}", "leave it out")


def _word(entry: Json, field: str, label: str, allowed: list[str]) -> str:
    value = entry.get(field)
    if not isinstance(value, str) or value not in allowed:
        problem = "is missing" if field not in entry else f"{_kind(value)} is not known"
        hint = nearest(value, allowed) if isinstance(value, str) else ""
        raise BadMaterial(f'card file, {label}, field "{field}": {problem}; write one of {", ".join(allowed)}.{hint}')
    return value


def _name(entry: Json, field: str, label: str) -> str:
    value = entry.get(field)
    if not isinstance(value, str) or not 0 < len(value) <= 20 or not value.isascii() or not breed_key(value):
        problem = "is missing" if field not in entry else f"{_kind(value)} is not a name"
        raise _wrong(label, field, problem, "write plain letters, at most 20")
    if not all(char.isalpha() or char in " -'" for char in value):
        raise _wrong(label, field, f"{value!r} is not a name", "write plain letters, at most 20")
    return value


def _number(entry: Json, field: str, label: str, word: str = "", most: int = _MOST, pups: bool = True) -> int:
    value = entry.get(field)
    if pups and value == "N":
        return N
    if word and value == word:
        return ALL
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        problem = "is missing" if field not in entry else f"{_kind(value)} does not fit"
        others = (', "N"' if pups else "") + (f', "{word}"' if word else "")
        raise _wrong(label, field, problem, f"write a whole number from 1 to {most}{others}")
    return value


def _level(entry: Json, label: str) -> int:
    value = entry["showing"]
    if isinstance(value, bool) or not isinstance(value, int) or value not in VALUES[:3]:
        raise _wrong(label, "showing", f"{_kind(value)} is no bone that can be upgraded", "write 1, 2 or 5")
    return VALUES.index(value)


def _kind(value: object) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return repr(value) if len(repr(value)) <= 40 else repr(value)[:37] + "..."
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else type(value).__name__


STANDARD_CARDS: Final = read_cards(file_data("cards.json"))
BALANCED_CARDS: Final = read_cards(file_data("balanced.json"))
CARD_SETS: Final[dict[str, Cards]] = {BALANCED: BALANCED_CARDS, STANDARD: STANDARD_CARDS}
"""By the value of the option `cards`, the usual set first."""
