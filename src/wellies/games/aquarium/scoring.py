"""The points of a tank: for each card its base and its bonuses, never below 0."""

from __future__ import annotations

from wellies.core.events import ScoreLine
from wellies.games.aquarium.card_text import IF, PER
from wellies.games.aquarium.material import VARIETY, Material, Rule
from wellies.games.aquarium.tank_spaces import SPACE_NAMES, SPACES

_WHOLE_TANK = (1 << SPACES) - 1


def _columns(cards: Material, tank: list[int]) -> list[int]:
    """For each thing that bonuses look for, the spaces of this tank that have it, as bits; any card comes last, so
    that the index `ANY` (-1) finds it."""
    found = [0] * (cards.matchers + 1)
    matches = cards.matches
    bit = 1
    for card in tank:
        for matcher in matches[card]:
            found[matcher] |= bit
        bit <<= 1
    found[cards.matchers] = _WHOLE_TANK
    return found


def _variety(cards: Material, tank: list[int], area: int) -> int:
    """How many different types lie in an area."""
    types = 0
    for space in range(SPACES):
        if area >> space & 1:
            types |= 1 << cards.types[tank[space]]
    return types.bit_count()


def _bonus(cards: Material, tank: list[int], space: int, rule: Rule, found: list[int]) -> int:
    """The points that one bonus brings the card on this space."""
    if rule.matcher == VARIETY:
        return rule.points * _variety(cards, tank, rule.where[space])
    hits = rule.where[space] & found[rule.matcher]
    if rule.how == PER:
        return rule.points * hits.bit_count()
    return rule.points if (hits != 0) == (rule.how == IF) else 0


def tank_points(cards: Material, tank: list[int]) -> int:
    """The score of a tank."""
    found = _columns(cards, tank)
    total = 0
    for space, card in enumerate(tank):
        points = cards.bases[card]
        for rule in cards.rules[card]:
            points += _bonus(cards, tank, space, rule, found)
        if points > 0:
            total += points
    return total


def card_points(cards: Material, tank: list[int]) -> list[int]:
    """The points of each card of a tank, row by row from the top."""
    found = _columns(cards, tank)
    values: list[int] = []
    for space, card in enumerate(tank):
        points = cards.bases[card]
        for rule in cards.rules[card]:
            points += _bonus(cards, tank, space, rule, found)
        values.append(max(0, points))
    return values


def tank_lines(cards: Material, tank: list[int]) -> list[ScoreLine]:
    """Why each point: a line for each card's base, one for each bonus that counts, with the spaces that caused it, and
    one that lifts a card from below 0 to 0. The card's own space comes first in `where`."""
    found = _columns(cards, tank)
    lines: list[ScoreLine] = []
    for space, card in enumerate(tank):
        name = cards.names[card]
        here = SPACE_NAMES[space]
        points = cards.bases[card]
        lines.append(ScoreLine("base", points, [here], f"{name}: base"))
        for rule in cards.rules[card]:
            bonus = _bonus(cards, tank, space, rule, found)
            if bonus:
                points += bonus
                lines.append(ScoreLine("bonus", bonus, [here, *_causes(rule, space, found)], f"{name}: {rule.text}"))
        if points < 0:
            lines.append(ScoreLine("floor", -points, [here], f"{name}: a card never scores below 0"))
    return lines


def _causes(rule: Rule, space: int, found: list[int]) -> list[str]:
    """The spaces that made a bonus count, other than the card's own."""
    hits = rule.where[space]
    if rule.matcher != VARIETY:
        hits &= found[rule.matcher]
    hits &= ~(1 << space)
    return [SPACE_NAMES[other] for other in range(SPACES) if hits >> other & 1]
