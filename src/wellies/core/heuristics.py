"""What a search knows of a game beyond its rules: how wide and how far to search, what a position is worth, which
moves look good at first sight, and what a sensible player replies.

Every answer has a default that uses `GameState` alone, so any game can be searched. A game that has better answers
inherits `Heuristics` in its `heuristics.py`, and `GameSpec.heuristics` returns it.

All values are in hundredths of a point, as in `GameState.estimate`.
"""

from __future__ import annotations

import math
from heapq import nlargest
from typing import Final

from wellies.core.dice import Rng
from wellies.core.native import mypyc_attr
from wellies.core.state import GameState

TO_THE_END: Final = 1_000_000
"""A horizon that no game reaches."""

NODES: Final = 300
DEEP_NODES: Final = 900


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristics:
    """The default, for any game. `deep` is for a player that may think for seconds: it searches more games, or further.

    A game sets other numbers in its own `__init__`.
    """

    def __init__(self, deep: bool = False) -> None:
        self.width = 10
        """How many candidates are compared at the root, at most."""
        self.horizon = 2
        """A rollout stops after so many changes of turn, and its last position is evaluated."""
        self.scale = 2000
        """The lead at which a position counts as 0.75, where 0.5 is even and 1 is won."""
        self.beam_budget = 240
        """How many positions the beam search evaluates for each step of a turn, about."""
        self.reply_sample = 24
        """A reply is the best of so many moves, at most, picked at random."""
        self.reply_looks = 4
        """A reply of `best_after` looks at the positions after so many moves."""
        self.widening = 0.5
        """How quickly a node of the tree opens further moves: 1 + widening x square root of its visits."""
        self.prior_weight = 1.0
        """How many visits the prior of a candidate counts for."""
        self.reuse_tree = True
        """Whether a search may continue the tree of the one before."""
        self.proof_positions = 20_000 if deep else 5_000
        """A search first tries to prove the best move by following all lines to the end, over so many positions at
        most; 0 for never."""
        self.swing_each = 0
        """How far the lead moves with each thing that is still `to_come`, in hundredths of a point (one standard
        deviation, as measured with `bench/chances.py`); 0 where nobody has measured it."""
        self.nodes = DEEP_NODES if deep else NODES
        """How many rollouts a move gets. The quick number takes about a second of plain Python at most."""

    def estimate(self, state: GameState, seat: int) -> int:
        """What this seat's final score will be, about."""
        return state.estimate(seat)

    def estimates(self, state: GameState) -> list[int]:
        """The estimate of every seat."""
        return [self.estimate(state, seat) for seat in range(state.seats)]

    def margins(self, state: GameState) -> list[int]:
        """By seat, how far it is ahead of its strongest rival; negative if it is behind."""
        estimates = self.estimates(state)
        if len(estimates) == 2:
            return [estimates[0] - estimates[1], estimates[1] - estimates[0]]
        margins: list[int] = []
        for seat, mine in enumerate(estimates):
            best = -1_000_000_000
            for other, theirs in enumerate(estimates):
                if other != seat and theirs > best:
                    best = theirs
            margins.append(mine - best if len(estimates) > 1 else mine)
        return margins

    def margin(self, state: GameState, seat: int) -> int:
        """The margin of one seat."""
        return self.margins(state)[seat]

    def priors(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """For each of these moves a first value, before any rollout. Only their order matters."""
        found: list[int] = []
        for move in moves:
            after = state.clone()
            after.step(seat, move)
            found.append(self.margin(after, seat))
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        """What a sensible player would do here, found quickly: rollouts play by it."""
        moves = state.legal(seat)
        if len(moves) == 1:
            return moves[0]
        if len(moves) > self.reply_sample:
            moves = sample_moves(moves, self.reply_sample, rng)
        return best_move(moves, self.priors(state, seat, moves))

    def best_after(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        """Of the few moves with the highest priors, the one after which the seat is furthest ahead; of equal ones any.

        A reply of this kind takes longer than one by priors alone, and plays better where these are blind to what a
        move leaves to the next player."""
        priors = self.priors(state, seat, moves)
        first = rng.randrange(len(moves))
        order = [*range(first, len(moves)), *range(first)]
        best = moves[first]
        best_margin = -1_000_000_000
        for index in nlargest(self.reply_looks, order, key=priors.__getitem__):
            after = state.clone()
            after.step(seat, moves[index])
            margin = self.margin(after, seat)
            if margin > best_margin:
                best, best_margin = moves[index], margin
        return best

    def budget_share(self, state: GameState) -> int:
        """How much of the budget a decision of this kind gets, in percent."""
        return 100

    def sees_everything(self, state: GameState, seat: int) -> bool:
        """Whether this seat knows the whole position, but for what will be drawn."""
        return state.position(seat) == state.position()

    def swing(self, state: GameState) -> int:
        """How far the lead may still move until the end of the game: about one standard deviation. From this and the
        lead comes the winning chance that people are told; the search does without it."""
        return int(self.swing_each * math.sqrt(max(1, self.to_come(state)))) if self.swing_each > 0 else self.scale

    def to_come(self, state: GameState) -> int:
        """How much of the game is left: tiles or cards that are still to be played, or turns."""
        return 1

    def remarks(self, state: GameState, seat: int, move: int) -> list[str]:
        """What there is to say for a move beyond its points: sentences in words of this game, with the marks of
        `texts`, the most telling first. What the seat cannot see is resampled in this state: they say nothing of
        it."""
        return []

    def forget_choices(self, state: GameState, seat: int) -> None:
        """Take back the secret choices of this seat's rivals, if the game can: the search then considers what they
        would choose. By default they keep what `resample` dealt them."""

    def plan_draws(self, state: GameState, dice: Rng) -> list[int]:
        """What a rollout is going to draw, fixed before it begins, if the game can: then a move that draws more than
        another meets the same draws afterwards. By default nothing is fixed."""
        return []

    def next_draw(self, state: GameState, planned: list[int], dice: Rng) -> int:
        """The move that chance makes now; `planned` comes from `plan_draws`."""
        return state.chance(dice)


def best_move(moves: list[int], values: list[int]) -> int:
    """The move of the highest value; of equal ones the first."""
    best = 0
    for index in range(1, len(moves)):
        if values[index] > values[best]:
            best = index
    return moves[best]


def any_best_move(moves: list[int], values: list[int], rng: Rng) -> int:
    """The move of the highest value; of equal ones any."""
    best = max(values)
    equal = [index for index in range(len(moves)) if values[index] == best]
    return moves[equal[rng.randrange(len(equal))]]


def sample_moves(moves: list[int], number: int, rng: Rng) -> list[int]:
    """So many different ones of these moves, at random, in the order of drawing. The list itself is not changed."""
    pool = moves.copy()
    picked: list[int] = []
    for _ in range(number):
        index = rng.randrange(len(pool))
        picked.append(pool[index])
        pool[index] = pool[-1]
        pool.pop()
    return picked
