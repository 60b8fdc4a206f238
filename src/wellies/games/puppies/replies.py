"""Quick replies for Good Puppies: the moves of rollouts, hundreds in each.

The weights were found by trial: `bench/tune.py` changes some, plays thousands of games of the new weights against the
old ones, and keeps what wins.
"""

from __future__ import annotations

from typing import Final

from wellies.core.heuristics import best_move
from wellies.games.puppies.estimate import bones_buried, rounds_left, upgrade_points
from wellies.games.puppies.material import BREEDS, BURY, DRAW, FIRST_DOGGO, GROUPS, HERE, MOVE, TOP, Cards
from wellies.games.puppies.moves import BURY_AT, CHOOSE, JOIN, SHIFT, STOP, TAKE, UP, shift_bone, shift_to, up_bone
from wellies.games.puppies.phases import JOINING, LEFTOVER, TAKING, TRICK
from wellies.games.puppies.scoring import all_bonuses
from wellies.games.puppies.state import PuppiesState
from wellies.games.puppies.yard import Yard

# What each weight is for. In hundredths of a point unless it says percent.
FUTURE: Final = 0  # to 4: how much later gains count with so many rounds left, in percent
PUP: Final = 5  # a pup more
COMPANY: Final = 6  # for each pup that it finds in its group, twice
PUP_BONES: Final = 7  # for each bone that it finds there
BONE: Final = 8  # to 10: a bone of this level
BONE_PUPS: Final = 11  # for each pup of its group
DRAWN: Final = 12  # a pup drawn by a trick
DRAWN_TRICK: Final = 13  # with a trick of its own
MOVED: Final = 14  # a trick that moves bones
UPGRADED: Final = 15  # a point gained by upgrades, which may not come off
NUMBER: Final = 16  # ten more on the card: acting early gets the better card, acting last the pup left over
BONUS_LATER: Final = 17  # how much less bonuses count early in the game, in percent
BREED: Final = 18  # to 26: a pup of this breed, by what the bonus of the balanced cards brings

WEIGHTS: Final = (
    *(46, 64, 110, 144, 172),
    *(19, -6, 3),
    *(69, 136, 124, 7),
    *(98, 289, 104, 66),
    *(-12, 51),
    *(8, 35, -22, -25, 15, 30, -2, -35, 0),
)


def quick_reply(state: PuppiesState, seat: int, weights: list[int]) -> int:
    """A card by its prior; a step of a trick by the estimate of the yard after it."""
    yard = state.yards[seat]
    phase = state.phase
    if phase == TRICK:
        return best_step(state, yard, weights)
    moves = state.legal(seat)
    if len(moves) == 1:
        return moves[0]
    if phase in (JOINING, LEFTOVER):
        return JOIN + yard.largest_group()
    return best_move(moves, card_priors(state, seat, moves, weights))


def card_priors(state: PuppiesState, seat: int, moves: list[int], weights: list[int]) -> list[int]:
    """The prior of each of these cards, when one is to be chosen or taken."""
    yard = state.yards[seat]
    cards = state.cards
    rounds = rounds_left(state)
    base, number = CHOOSE, weights[NUMBER]
    if state.phase == TAKING:
        base, number = TAKE, 0
        rounds = max(0, rounds - 1)
    future = weights[FUTURE + rounds]
    bonuses = all_bonuses(cards, yard)
    priors: list[int] = []
    for move in moves:
        card = move - base
        priors.append(card_prior(cards, yard, card, bonuses, future, weights) + number * card // 10)
    return priors


def best_step(state: PuppiesState, yard: Yard, weights: list[int]) -> int:
    """The next move of a trick, by the estimate of the yard after it. A bone that may be upgraded several times counts
    with its last upgrade."""
    frame = state.frames[-1]
    cards = state.cards
    step = cards.tricks[frame.card].steps[frame.part]
    choices = state.choices
    if step.verb == DRAW or (step.verb == BURY and len(choices) == 2):
        return choices[1]
    future = weights[FUTURE + rounds_left(state)]
    turns = step.number(step.times, frame.pups) - frame.turned
    best = STOP
    best_value = yard_estimate(cards, yard, future, weights) if step.verb != BURY else -1
    for move in choices:
        if move == STOP:
            continue
        after = yard.clone()
        if move >= SHIFT:
            after.move(shift_bone(move), shift_to(move))
        elif move >= UP:
            bone = up_bone(move)
            for _ in range(min(turns, TOP - (bone & 3))):
                after.upgrade(bone)
                bone += 1
        else:
            after.bury(move - BURY_AT)
        value = yard_estimate(cards, after, future, weights)
        if value > best_value:
            best, best_value = move, value
    return best


def yard_estimate(cards: Cards, yard: Yard, future: int, weights: list[int]) -> int:
    """The bones, the bonuses, and what the bones will still gain."""
    value = 100 * yard.value + all_bonuses(cards, yard) * (100 - future * weights[BONUS_LATER] // 100)
    if future:
        bones = yard.bones
        young = 0
        for group in range(GROUPS):
            size = yard.size[group]
            if size:
                for level in range(TOP):
                    number = bones[group * 4 + level]
                    if number:
                        young += number * (weights[BONE + level] + weights[BONE_PUPS] * size)
        value += young * future // 100
    return value


def card_prior(cards: Cards, yard: Yard, card: int, bonuses: int, future: int, weights: list[int]) -> int:
    """About what a card brings when it is played; `bonuses` is what they bring in the yard as it is."""
    group = card // 10 if card < FIRST_DOGGO else yard.largest_group()
    # The pup is added and taken out again: a copy of the yard would take longer than all the rest.
    yard.size[group] += 1
    size = yard.size[group]
    value = (all_bonuses(cards, yard) - bonuses) * (100 - future * weights[BONUS_LATER] // 100)
    pup = weights[PUP] + weights[COMPANY] * (2 * size - 1) + weights[PUP_BONES] * yard.bone_count(group)
    if group < BREEDS:
        pup += weights[BREED + group]
    value += pup * future // 100
    planted = 0
    for step in cards.tricks[card].steps:
        if step.verb == BURY:
            number = bones_buried(yard, step, group, size)
            planted = number if step.where == HERE else 0
            value += number * (100 + (weights[BONE] + weights[BONE_PUPS] * size) * future // 100)
        elif step.verb == DRAW:
            each = weights[DRAWN] * (future + 20) // 100 + (weights[DRAWN_TRICK] if step.tricks else 0)
            value += step.number(step.count, size) * each
        elif step.verb == MOVE:
            value += weights[MOVED]
        else:
            value += weights[UPGRADED] * upgrade_points(yard, step, group, size, planted)
    yard.size[group] -= 1
    return value
