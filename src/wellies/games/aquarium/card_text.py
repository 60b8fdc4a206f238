"""The words that card texts are made of, and a bonus in English.

A bonus is `points`, `per`/`if`/`unless`, a relation, and what it is of. Its text is derived from these, as its points
are (`scoring.py`), so the two cannot differ.
"""

from __future__ import annotations

from typing import Final

TYPES: Final = ("fish", "crustacean", "gravel", "coral", "water", "decor", "plant", "starfish")
DIFFERENT_TYPES: Final = "different types"
"""In place of a type: count how many different types there are."""

PER: Final = 0
IF: Final = 1
UNLESS: Final = 2
HOWS: Final = ("per", "if", "unless")

# What a relation is about: the cards in an area; the cards next to this one; or this card's own place.
AREA: Final = 0
STANDING: Final = 1
PLACE: Final = 2

_KINDS: Final = {
    "adjacent": STANDING,
    "beside": STANDING,
    "directly above": STANDING,
    "directly below": STANDING,
    "above this row": AREA,
    "below this row": AREA,
    "in this row": AREA,
    "in this column": AREA,
    "in the aquarium": AREA,
    "in the top row": PLACE,
    "in the middle row": PLACE,
    "in the bottom row": PLACE,
    "in a corner": PLACE,
    "in the centre": PLACE,
}
RELATIONS: Final = tuple(_KINDS)
HOLDS_ITSELF: Final = ("in this row", "in this column", "in the aquarium")
"""The areas that the card itself lies in, where "other" makes a difference."""


def kind_of(relation: str) -> int:
    return _KINDS[relation]


def bonus_text(points: int, how: int, relation: str, of: tuple[str, ...], other: bool) -> str:
    """A bonus in English, as a card would print it."""
    kind = kind_of(relation)
    head = f"{points:+d} {'per' if how == PER else 'if'} "
    if how == PER:
        noun = "different type" if DIFFERENT_TYPES in of else " or ".join(of)
        if relation == "adjacent":
            return f"{head}adjacent {noun}"
        if relation == "beside":
            return f"{head}{noun} beside this card"
        return f"{head}{'other ' if other else ''}{noun} {relation}"
    if kind == PLACE:
        return f"{head}{'not ' if how == UNLESS else ''}{relation}"
    if kind == STANDING:
        to = "adjacent to" if relation == "adjacent" else relation
        return f"{head}{'not ' if how == UNLESS else ''}{to} {_one_of(of)}"
    if how == UNLESS:
        return f"{head}there is no {'other ' if other else ''}{' or '.join(of)} {relation}"
    noun = f"another {' or '.join(of)}" if other else _one_of(of)
    return f"{head}there is {noun} {relation}"


def with_article(noun: str) -> str:
    """ "a fish", "an Anthias"."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _one_of(nouns: tuple[str, ...]) -> str:
    return " or ".join(with_article(noun) for noun in nouns)
