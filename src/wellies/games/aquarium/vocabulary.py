"""The few words that card texts are made of. A bonus is `points`, `per`/`if`/`unless`, a relation, and what it is of.

What a bonus scores (`scoring.py`) and how it reads in English both come from here, so they cannot disagree.
"""

from __future__ import annotations

from typing import Final

from wellies.core.native import mypyc_attr

TYPES: Final = ("fish", "crustacean", "gravel", "coral", "water", "decor", "plant", "starfish")
DIFFERENT_TYPES: Final = "different types"
"""In place of a type: count how many different types there are."""

PER: Final = 0
IF: Final = 1
UNLESS: Final = 2
HOWS: Final = ("per", "if", "unless")

SPACES: Final = 9
SPACE_NAMES: Final = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
"""Columns a to c from the left, rows 1 to 3 from the top."""

# What a relation speaks of: cards within an area; cards that this one stands by; or this card's own place.
AREA: Final = 0
STANDING: Final = 1
PLACE: Final = 2


def _mask(spaces: list[int]) -> int:
    mask = 0
    for space in spaces:
        mask |= 1 << space
    return mask


def _beside(space: int) -> list[int]:
    return [other for other in (space - 1, space + 1) if 0 <= other < SPACES and other // 3 == space // 3]


def _upright(space: int) -> list[int]:
    return [other for other in (space - 3, space + 3) if 0 <= other < SPACES]


def _where(relation: str, space: int) -> list[int]:
    """The spaces that a relation means for a card that lies on this space."""
    row = space // 3
    if relation == "adjacent":
        return _beside(space) + _upright(space)
    if relation == "beside":
        return _beside(space)
    if relation == "directly above":  # this card is above the other, so the other lies below
        return [space + 3] if row < 2 else []
    if relation == "directly below":
        return [space - 3] if row > 0 else []
    if relation == "above this row":
        return [other for other in range(SPACES) if other // 3 < row]
    if relation == "below this row":
        return [other for other in range(SPACES) if other // 3 > row]
    if relation == "in this row":
        return [other for other in range(SPACES) if other // 3 == row]
    if relation == "in this column":
        return [other for other in range(SPACES) if other % 3 == space % 3]
    if relation == "in the aquarium":
        return list(range(SPACES))
    here = (
        (relation == "in the top row" and row == 0)
        or (relation == "in the middle row" and row == 1)
        or (relation == "in the bottom row" and row == 2)
        or (relation == "in a corner" and space in (0, 2, 6, 8))
        or (relation == "in the centre" and space == 4)
    )
    return [space] if here else []


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


def areas(relation: str, other: bool) -> tuple[int, ...]:
    """For each space, the spaces that the relation means, as bits; "other" leaves the card's own space out."""
    masks: list[int] = []
    for space in range(SPACES):
        mask = _mask(_where(relation, space))
        masks.append(mask & ~(1 << space) if other else mask)
    return tuple(masks)


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
        """The bonus in English, as it would be printed on the card."""
        kind = kind_of(self.relation)
        head = f"{self.points:+d} {'per' if self.how == PER else 'if'} "
        if self.how == PER:
            noun = "different type" if DIFFERENT_TYPES in self.of else " or ".join(self.of)
            if self.relation == "adjacent":
                return f"{head}adjacent {noun}"
            if self.relation == "beside":
                return f"{head}{noun} beside this card"
            return f"{head}{'other ' if self.other else ''}{noun} {self.relation}"
        if kind == PLACE:
            return f"{head}{'not ' if self.how == UNLESS else ''}{self.relation}"
        if kind == STANDING:
            relation = "adjacent to" if self.relation == "adjacent" else self.relation
            return f"{head}{'not ' if self.how == UNLESS else ''}{relation} {_one_of(self.of)}"
        if self.how == UNLESS:
            return f"{head}there is no {'other ' if self.other else ''}{' or '.join(self.of)} {self.relation}"
        noun = f"another {' or '.join(self.of)}" if self.other else _one_of(self.of)
        return f"{head}there is {noun} {self.relation}"

    def to_json(self) -> dict[str, object]:
        """The bonus as a card file writes it."""
        result: dict[str, object] = {"points": self.points, HOWS[self.how]: self.relation}
        if self.of:
            result["of"] = self.of[0] if len(self.of) == 1 else list(self.of)
        if self.other:
            result["other"] = True
        return result


def with_article(noun: str) -> str:
    """ "a fish", "an Anthias"."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _one_of(nouns: tuple[str, ...]) -> str:
    return " or ".join(with_article(noun) for noun in nouns)
