"""Reading card files: those that come with the game, and corrected ones.

A corrected file has the form of `cards.json` and needs only the entries that differ from the set that it `extends`,
"balanced" or "standard" (the default). BadMaterial names the card, the field, what is wrong and the cure.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from wellies.core.errors import BadMaterial
from wellies.core.events import Json
from wellies.core.fields import Fields, integer, show
from wellies.core.files import material_from
from wellies.games.puppies.card_text import bonus_text, trick_text
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

FILE_FIELDS: Final = ("about", "extends", "breeds", "tricks", "doggos")
TRICK_FIELDS: Final = ("digit", "name", "does", "source", "name_source", "note")
DOGGO_FIELDS: Final = ("card", "name", "does", "source", "name_source", "note")
BREED_FIELDS: Final = ("digit", "name", "one", "bonus", "source", "name_source", "note")
BONUS_FIELDS: Final = ("if", "groups", "bones", "each", "of", "per", "times", "showing")
STEP_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "bury": ("do", "bones", "where", "fewer_than"),
    "upgrade": ("do", "bones", "times", "where", "groups", "showing"),
    "move": ("do", "bones", "from"),
    "draw": ("do", "pups", "tricks"),
}
"""The fields of each kind of step."""
ALL_STEP_FIELDS: Final[tuple[str, ...]] = tuple({name: 0 for names in STEP_FIELDS.values() for name in names})

SOURCES: Final = ["rulebook", "reconstructed"]
WHERE: Final[dict[str, int]] = {"here": HERE, "others": OTHERS, "each": EACH, "anywhere": ANYWHERE}
COUNTED: Final[dict[str, int]] = {
    "pup here": PUP_HERE,
    "bone here": BONE_HERE,
    "breed": BREED_IN_YARD,
    "other group with fewer bones": POORER_GROUP,
    "pup of": PUP_OF,
}
MOST: Final = 20
"""No number in a trick or bonus may be larger: a mistyped one would make a turn endless."""
MOST_STEPS: Final = 5
LONGEST_NAME: Final = 20


def read_cards(data: Any) -> Cards:
    """The cards of a parsed file; entries that it leaves out are those of the set that it extends."""
    file = Fields(data, "", FILE_FIELDS, BadMaterial, "the card file")
    known = own_file("cards.json")
    if file.word("extends", STANDARD, [BALANCED, STANDARD]) == BALANCED:
        known = BALANCED_CARDS.data
    breeds = _entries(file, known, "breeds", "digit", 0, BREEDS)
    tricks = _entries(file, known, "tricks", "digit", 0, 10)
    doggos = _entries(file, known, "doggos", "card", FIRST_DOGGO, 10)
    fields = [Fields(entry, _path("breed", entry["digit"], entry), BREED_FIELDS, BadMaterial) for entry in breeds]
    keys: list[str] = []
    for breed in fields:
        key = breed_key(_read_name(breed, "name"))
        if key in keys or key == "doggos":
            raise breed.wrong("name", f"{breed.get('name')!r} is taken; give it a name of its own")
        keys.append(key)
    ones = [_read_name(breed, "one") for breed in fields]
    return Cards(
        [_read_breed(breed, keys[index], keys, ones) for index, breed in enumerate(fields)],
        [_read_trick(entry, _path("trick", entry["digit"], entry), TRICK_FIELDS) for entry in tricks],
        [_read_trick(entry, _path("Doggo", entry["card"], entry), DOGGO_FIELDS) for entry in doggos],
        {"breeds": breeds, "tricks": tricks, "doggos": doggos},
    )


def breed_key(name: str) -> str:
    """How moves write a breed: small letters without spaces."""
    return "".join(char for char in name.lower() if char.isalpha())


def _entries(file: Fields, known: Json, kind: str, number: str, first: int, count: int) -> list[Json]:
    """The entries of a list in order of their number, the missing ones from the cards known."""
    entries: list[Json] = list(known[kind])
    seen: set[int] = set()
    for index, entry in enumerate(file.items(kind)):
        path = f"{kind}[{index}]"
        if not isinstance(entry, dict):
            raise BadMaterial(f"{path} must be an object with {number}, name and so on, not {show(entry)}.")
        if number not in entry:
            raise BadMaterial(f"{path}.{number} is missing; add a whole number from {first} to {first + count - 1}.")
        value = integer(entry[number], f"{path}.{number}", first, first + count - 1, BadMaterial)
        if value in seen:
            raise BadMaterial(f"{path}.{number}: {value} is given twice; keep one of the two entries.")
        seen.add(value)
        entries[value - first] = entry
    return entries


def _path(kind: str, number: int, entry: Json) -> str:
    """How errors name an entry: by its number and its name."""
    name = entry.get("name")
    return f"{kind} {number} ({name})" if isinstance(name, str) else f"{kind} {number}"


# --- entries ----------------------------------------------------------------------------------------------------------


def _read_trick(entry: Json, path: str, known: tuple[str, ...]) -> Trick:
    fields = Fields(entry, path, known, BadMaterial)
    name = _read_name(fields, "name")
    does = fields.items("does")
    if not 1 <= len(does) <= MOST_STEPS:
        raise fields.wrong("does", f'must be a list of 1 to {MOST_STEPS} steps, such as [{{"do": "bury", ...}}]')
    steps = [_read_step(part, fields.at(f"does[{index}]")) for index, part in enumerate(does)]
    return Trick(name, steps, trick_text(steps), _read_source(fields))


def _read_breed(fields: Fields, key: str, keys: list[str], ones: list[str]) -> Breed:
    bonus = _read_bonus(fields.object("bonus", BONUS_FIELDS), keys)
    text = bonus_text(bonus, ones)
    return Breed(key, fields.get("name"), fields.get("one"), bonus, text, _read_source(fields))


def _read_name(fields: Fields, name: str) -> str:
    value = fields.text(name, None, LONGEST_NAME)
    if not value.isascii() or not breed_key(value) or not all(char.isalpha() or char in " -'" for char in value):
        raise fields.wrong(name, f"{value!r} is not a name; write plain letters, at most {LONGEST_NAME}")
    return value


def _read_source(fields: Fields) -> str:
    """Where an entry comes from, as the table of cards shows it."""
    source = fields.word("source", None, SOURCES)
    name_source = fields.word("name_source", source, SOURCES)
    note = fields.text("note", "", 100)
    notes = ([f"name: {name_source}"] if name_source != source else []) + ([note] if note else [])
    return source + (f" ({'; '.join(notes)})" if notes else "")


def _read_step(part: Any, path: str) -> Step:
    fields = Fields(part, path, ALL_STEP_FIELDS, BadMaterial)
    verb = fields.word("do", None, list(STEP_FIELDS))
    fields.leave_out([name for name in ALL_STEP_FIELDS if name not in STEP_FIELDS[verb]], f'"do": "{verb}"')
    if verb == "bury":
        step = Step(BURY, _read_number(fields, "bones"), WHERE[fields.word("where", None, list(WHERE))])
        _check_each(fields, step)
        if fields.has("fewer_than"):
            step.fewer_than = _read_number(fields, "fewer_than")
        return step
    if verb == "upgrade":
        step = Step(UPGRADE, _read_number(fields, "bones", "every"), WHERE[fields.word("where", None, list(WHERE))])
        _check_each(fields, step)
        step.times = _read_number(fields, "times", most=3)
        if fields.has("groups"):
            step.groups = _read_number(fields, "groups")
        if fields.has("showing"):
            step.showing = _read_level(fields)
        return step
    if verb == "move":
        source = fields.word("from", None, ["others", "one other"])
        return Step(MOVE, _read_number(fields, "bones", "any"), EACH if source == "one other" else OTHERS)
    step = Step(DRAW, _read_number(fields, "pups"))
    step.tricks = fields.boolean("tricks", None)
    return step


def _check_each(fields: Fields, step: Step) -> None:
    """With "where": "each", every group gets one bone; elsewhere nothing is said of groups."""
    if step.where != EACH:
        fields.leave_out(["fewer_than", "groups"], f'"where": "{fields.get("where")}"')
    elif step.count != 1:
        raise fields.wrong("bones", f'{show(fields.get("bones"))} does not go with "where": "each"; write 1')


def _read_bonus(fields: Fields, keys: list[str]) -> Bonus:
    bonus = Bonus(EVERY_BONE, fields.integer("times", None, 1, 3))
    if fields.word("bones", None, ["every", "for each"]) == "for each":
        bonus.counted = COUNTED[fields.word("each", None, list(COUNTED))]
        bonus.per = fields.integer("per", 1, 1, MOST)
    else:
        fields.leave_out(["each", "per"], '"bones": "every"')
    if bonus.counted == PUP_OF:
        bonus.of = keys.index(fields.word("of", None, keys))
    else:
        fields.leave_out(["of"], 'anything but "each": "pup of"')
    if fields.has("showing"):
        bonus.showing = _read_level(fields)
    if fields.has("if"):
        condition = fields.word("if", None, ["biggest group", "few groups"])
        bonus.condition = IF_BIGGEST if condition == "biggest group" else IF_FEW_GROUPS
    if bonus.condition == IF_FEW_GROUPS:
        bonus.limit = fields.integer("groups", None, 1, BREEDS)
    else:
        fields.leave_out(["groups"], 'anything but "if": "few groups"')
    return bonus


def _read_number(fields: Fields, name: str, all_word: str = "", most: int = MOST) -> int:
    """A number of a step: a whole number, "N" for the pups of the group, or the word that means all."""
    value = fields.get(name)
    if value == "N":
        return N
    if all_word and value == all_word:
        return ALL
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        expected = f'a whole number from 1 to {most}, "N"' + (f', "{all_word}"' if all_word else "")
        if not fields.has(name):
            raise fields.missing(name, f"add {expected}")
        raise BadMaterial(f"{fields.at(name)} must be {expected}, not {show(value)}.")
    return value


def _read_level(fields: Fields) -> int:
    """The level of the bones that are upgraded, by their value."""
    value = fields.get("showing")
    if isinstance(value, bool) or not isinstance(value, int) or value not in VALUES[:3]:
        raise fields.wrong("showing", f"must be 1, 2 or 5, a bone that can be upgraded, not {show(value)}")
    return VALUES.index(value)


# --- the sets of cards ------------------------------------------------------------------------------------------------


def own_file(name: str) -> Json:
    """A card file that comes with the game."""
    text = resources.files("wellies.games.puppies").joinpath(name).read_text(encoding="utf-8")
    data: Json = json.loads(text)
    return data


STANDARD_CARDS: Final = read_cards(own_file("cards.json"))
BALANCED_CARDS: Final = read_cards(own_file("balanced.json"))
CARD_SETS: Final[dict[str, Cards]] = {BALANCED: BALANCED_CARDS, STANDARD: STANDARD_CARDS}
"""By the value of the option `cards`, the default first."""
_CACHE: Final[dict[str, Cards]] = {}


def load_material(value: Any) -> Cards:
    """The cards that a value of the option `cards` means: "balanced" (also None), "standard", a path to a card file, or
    what is in one."""
    if value is None:
        return BALANCED_CARDS
    if isinstance(value, str):
        found = CARD_SETS.get(value)
        if found is not None:
            return found
    cards: Cards = material_from(value, "card file", _CACHE, read_cards)
    return cards
