"""Points: the bones as they lie, and at the end the bonus of each breed.

Every bonus reads the yard as it stood before any bonus, and touches only bones of its own group, each at most once. So
the bonuses do not disturb each other, and the best bones for each are simply those that gain most.
"""

from __future__ import annotations

from typing import Final

from wellies.core.events import ScoreLine
from wellies.games.puppies.material import (
    BONE_HERE,
    BREED_IN_YARD,
    BREEDS,
    EVERY_BONE,
    IF_BIGGEST,
    IF_FEW_GROUPS,
    NONE,
    POORER_GROUP,
    PUP_HERE,
    TOP,
    VALUES,
    Bonus,
    Cards,
)
from wellies.games.puppies.yard import Yard


def _best_first(times: int) -> tuple[int, ...]:
    """The levels below 10, those first whose bones gain most by so many upgrades."""
    return tuple(sorted(range(TOP), key=lambda level: -upgrade_gain(level, times)))


def upgrade_gain(level: int, times: int) -> int:
    """What a bone of this level gains by being upgraded so often; never beyond 10."""
    return VALUES[min(level + times, TOP)] - VALUES[level]


_ORDER: Final[tuple[tuple[int, ...], ...]] = tuple(_best_first(times) for times in range(4))
_GAINS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(upgrade_gain(level, times) for level in range(TOP)) for times in range(4)
)


def bonus_bones(bonus: Bonus, yard: Yard, group: int) -> int:
    """How many bones the bonus of a group may upgrade, as the yard stands (perhaps more than there are)."""
    if bonus.condition == IF_BIGGEST and max(yard.size) > yard.size[group]:
        return 0
    if bonus.condition == IF_FEW_GROUPS and len(yard.groups()) > bonus.limit:
        return 0
    counted = bonus.counted
    if counted == EVERY_BONE:
        return yard.bone_count(group)
    if counted == PUP_HERE:
        number = yard.size[group]
    elif counted == BONE_HERE:
        number = yard.bone_count(group)
    elif counted == BREED_IN_YARD:
        number = 0
        for breed in range(BREEDS):
            if yard.size[breed]:
                number += 1
    elif counted == POORER_GROUP:
        mine = yard.bone_count(group)
        number = 0
        for other in yard.groups():
            if other != group and yard.bone_count(other) < mine:
                number += 1
    else:
        number = yard.size[bonus.of]
    return number // bonus.per


def _picked(bonus: Bonus, yard: Yard, group: int) -> list[int]:
    """By level, how many bones of its group a bonus upgrades, at their best."""
    picked = [0, 0, 0]
    left = bonus_bones(bonus, yard, group)
    showing = bonus.showing
    for level in _ORDER[bonus.times]:
        if left > 0 and showing in (NONE, level):
            picked[level] = min(left, yard.bones[group * 4 + level])
            left -= picked[level]
    return picked


def bonus_picks(cards: Cards, yard: Yard, group: int) -> list[tuple[int, int]]:
    """The bones that the bonus of a group upgrades, as (level, how many), those first that gain most; empty without a
    breed."""
    if group >= BREEDS or not yard.size[group]:
        return []
    bonus = cards.breeds[group].bonus
    picked = _picked(bonus, yard, group)
    return [(level, picked[level]) for level in _ORDER[bonus.times] if picked[level]]


def bonus_points(cards: Cards, yard: Yard, group: int) -> int:
    """What the bonus of a group brings as the yard stands."""
    if group >= BREEDS or not yard.size[group]:
        return 0
    bonus = cards.breeds[group].bonus
    picked = _picked(bonus, yard, group)
    gains = _GAINS[bonus.times]
    return picked[0] * gains[0] + picked[1] * gains[1] + picked[2] * gains[2]


def all_bonuses(cards: Cards, yard: Yard) -> int:
    """What all bonuses bring together as the yard stands."""
    points = 0
    for group in range(BREEDS):
        if yard.size[group]:
            points += bonus_points(cards, yard, group)
    return points


def bones_line(cards: Cards, yard: Yard, group: int) -> ScoreLine:
    """The bones of one group as they lie."""
    values = " + ".join(map(str, yard.bone_values(group)))
    return ScoreLine("bones", yard.group_points(group), [cards.keys[group]], f"{cards.names[group]}: {values}")


def bonus_line(cards: Cards, yard: Yard, group: int) -> ScoreLine:
    """The bonus of one group, with the bones it upgrades."""
    key = cards.keys[group]
    return ScoreLine(
        f"bonus {key}",
        bonus_points(cards, yard, group),
        [key],
        f"{cards.names[group]}: {upgrades_in_words(cards, yard, group)}",
    )


def upgrades(cards: Cards, yard: Yard, group: int) -> list[list[int]]:
    """Each bone that the bonus upgrades, as [value before, value after], in the order in which it takes them."""
    times = cards.breeds[group].bonus.times if group < BREEDS else 0
    return [
        [VALUES[level], VALUES[min(level + times, TOP)]]
        for level, number in bonus_picks(cards, yard, group)
        for _ in range(number)
    ]


def upgrades_in_words(cards: Cards, yard: Yard, group: int) -> str:
    """The same in words: "2 becomes 10, 1 becomes 5"."""
    return ", ".join(f"{before} becomes {after}" for before, after in upgrades(cards, yard, group))


def score_lines(cards: Cards, yard: Yard, over: bool) -> list[ScoreLine]:
    """The bones of each group and, once the game is over, the bonuses."""
    groups = yard.groups_by_age()
    lines = [bones_line(cards, yard, group) for group in groups if yard.bone_count(group)]
    if over:
        lines += [bonus_line(cards, yard, group) for group in groups if bonus_points(cards, yard, group)]
    return lines
