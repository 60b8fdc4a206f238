"""An estimate of a seat's final score, for bots. A rule of thumb, not a rule of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.games.puppies.material import BURY, DRAW, EACH, FIRST_DOGGO, HERE, MOVE, OTHERS, TOP, Cards, Step
from wellies.games.puppies.phases import DRAWING, JOINING, LEFTOVER, OVER, UNKNOWN
from wellies.games.puppies.scoring import all_bonuses, upgrade_gain
from wellies.games.puppies.yard import Yard

if TYPE_CHECKING:
    from wellies.games.puppies.state import PuppiesState

# All in hundredths of a point.
_YOUNG_BONE: Final[tuple[int, ...]] = (60, 90, 80, 0)
"""What a bone still gains by later tricks, by its level, at the start of a game."""
_PUP: Final = 45
_COMPANY: Final = 12
"""What each pup makes later tricks of its group better, for each pup in the group."""
_DRAWN_PUP: Final = 110
_DRAWN_TRICK: Final = 250


def estimate(state: PuppiesState, seat: int) -> int:
    """The bones, the bonuses of the yard as it is, and something for what bones, pups and cards will still bring."""
    if state.phase == OVER:
        return 100 * state.scores()[seat]
    yard = state.yards[seat]
    cards = state.cards
    future = rounds_left(state) * 25  # in percent
    value = 100 * yard.value + all_bonuses(cards, yard) * (100 - future // 5)
    if future:
        bones = yard.bones
        company = 0
        for group in yard.groups():
            size = yard.size[group]
            company += size * (_PUP + _COMPANY * size)
            for level in range(TOP):
                if bones[group * 4 + level]:
                    company += bones[group * 4 + level] * _YOUNG_BONE[level]
        value += company * future // 100
    chosen = state.chosen[seat]
    for card in chosen:
        if card != UNKNOWN:
            value += card_estimate(cards, yard, card, future)
    first = 0 if state.phase == JOINING and not state.frames else 1
    for turn in state.turns[first:]:
        if turn & 7 == seat:
            value += card_estimate(cards, yard, turn >> 3, future)
    if future:
        value += _hand_estimate(state, seat, chosen, future)
    if state.phase == DRAWING and state.turns[0] & 7 == seat:
        value += _draws_estimate(state, future)
    return value


def rounds_left(state: PuppiesState) -> int:
    """How many rounds follow this one, about; 4 for more."""
    return 0 if state.final else min(4, 1 + state.deck // (state.park_size + 2 * state.seats))


def _hand_estimate(state: PuppiesState, seat: int, chosen: list[int], future: int) -> int:
    """The best card in the hand counts half, since it will be played soon, and all cards a tenth.

    A seat that is still to take a card in this turn is credited with the best of the park, so that a trick which waits
    for a draw does not look worse than one that is over.
    """
    yard = state.yards[seat]
    best = 0
    total = 0
    for card in state.hands[seat]:
        if card != UNKNOWN and card not in chosen:
            value = card_estimate(state.cards, yard, card, future)
            total += value
            best = max(best, value)
    if state.park and state.turns and state.turns[0] & 7 == seat and state.phase != LEFTOVER:
        value = max(card_estimate(state.cards, yard, card, future) for card in state.park)
        total += value
        best = max(best, value)
    return best // 2 + total // 10


def _draws_estimate(state: PuppiesState, future: int) -> int:
    """The pup that is being drawn, and those that may follow."""
    frame = state.frames[-1]
    step = state.cards.tricks[frame.card].steps[frame.part]
    pups = 1 + step.number(step.count, frame.pups) - frame.done
    return pups * _drawn_pup_value(step, future)


def _drawn_pup_value(step: Step, future: int) -> int:
    return _DRAWN_PUP * (future + 20) // 100 + (_DRAWN_TRICK if step.tricks else 0)


def card_estimate(cards: Cards, yard: Yard, card: int, future: int) -> int:
    """About what playing a card brings in the yard as it is."""
    group = card // 10 if card < FIRST_DOGGO else yard.largest_group()
    size = yard.size[group] + 1
    value = (_PUP + _COMPANY * (2 * size - 1)) * future // 100
    planted = 0
    for step in cards.tricks[card].steps:
        if step.verb == BURY:
            number = bones_buried(yard, step, group, size)
            planted = number if step.where == HERE else 0
            value += number * (100 + _YOUNG_BONE[0] * future // 100)
        elif step.verb == DRAW:
            value += step.number(step.count, size) * _drawn_pup_value(step, future)
        elif step.verb == MOVE:
            value += 40
        else:
            value += 100 * upgrade_points(yard, step, group, size, planted)
    return value


def bones_buried(yard: Yard, step: Step, group: int, size: int) -> int:
    """How many bones a step of a trick buries, for a pup that makes its group so large."""
    groups = yard.groups()
    if step.where == EACH:
        number = 0
        limit = step.number(step.fewer_than, size)
        for other in groups:
            if limit < 0 or yard.bone_count(other) < limit:
                number += 1
        return number + (0 if yard.size[group] else 1)
    if step.where == OTHERS and groups in ([], [group]):
        return 0
    return step.number(step.count, size)


def upgrade_points(yard: Yard, step: Step, group: int, size: int, planted: int) -> int:
    """The points of the best upgrades of a step, about; `planted` bones are buried by the step before."""
    times = min(step.number(step.times, size), TOP)
    left = step.number(step.count, size)
    if step.where == EACH:
        left = len(yard.groups()) if step.groups < -1 else step.number(step.groups, size)
    places = [group] if step.where == HERE else yard.groups()
    gain = 0
    for level in (1, 2, 0) if times > 1 else (2, 1, 0):
        if step.showing >= 0 and step.showing != level:
            continue
        number = sum(yard.bones[place * 4 + level] for place in places) + (planted if level == 0 else 0)
        number = min(number, left)
        gain += number * upgrade_gain(level, times)
        left -= number
    return gain
