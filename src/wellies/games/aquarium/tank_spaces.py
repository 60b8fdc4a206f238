"""The nine spaces of a tank, and which of them a relation on a card means ("adjacent", "in this row")."""

from __future__ import annotations

from typing import Any, Final

SPACES: Final = 9
SPACE_NAMES: Final = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
"""Columns a to c from the left, rows 1 to 3 from the top."""


def rows(items: list[Any]) -> list[list[Any]]:
    """Nine things as three rows of three."""
    return [items[0:3], items[3:6], items[6:9]]


def areas(relation: str, other: bool) -> tuple[int, ...]:
    """For each space, the spaces that a relation means there, as bits; `other` leaves the card's own space out."""
    masks: list[int] = []
    for space in range(SPACES):
        mask = _mask(_where(relation, space))
        masks.append(mask & ~(1 << space) if other else mask)
    return tuple(masks)


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
