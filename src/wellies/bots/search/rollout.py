"""One rollout: a game played down the tree and on by quick replies, and what its end says about the moves tried.

Common random numbers: visit number `k` of every candidate has the same hidden cards and the same dice, so two
candidates differ by what they do and not by what they happened to draw.
"""

from __future__ import annotations

from typing import Final

from wellies.bots.search.proof import LEAD_SHARE
from wellies.bots.search.tree import Deviation, Edge, Node
from wellies.core.dice import Stream
from wellies.core.heuristics import Heuristics
from wellies.core.state import CHANCE, GameState

EVERYONE: Final = -3
"""Stands for the seat to move where several choose at once."""

MOST_STEPS: Final = 2000
"""A longer rollout is evaluated where it is."""

PLANNED: Final = 1_000_000_000
"""Added to the prior of a move that continues the candidate's turn."""


class Rollout:
    """Plays rollouts from one root for one seat. What the seat cannot see is resampled for each of them."""

    def __init__(self, state: GameState, seat: int, heuristics: Heuristics, seed: int, root: Node) -> None:
        self.state = state
        self.seat = seat
        self.heuristics = heuristics
        self.seed = seed
        self.root = root
        self.deviation = Deviation()
        """Of the values of all rollouts."""
        self.margin = 0
        """The seat's margin at the end of the last rollout, in hundredths of a point."""

        # Where the rollout under way is.
        self.node = root
        self.in_tree = True
        """False after the first new node: from there on quick replies decide."""
        self.path: list[Edge] = []

    def run(self, move: int, follow: tuple[int, ...], number: int) -> float:
        """Visit number `number` of a candidate; returns the value of its end for the seat, from 0 to 1."""
        heuristics = self.heuristics
        dice = Stream(f"{self.seed} deal {number}")
        reply_rng = Stream(f"{self.seed} replies {number}")
        state = self.state.resample(self.seat, dice)
        heuristics.forget_choices(state, self.seat)
        draws = heuristics.plan_draws(state, dice)
        self.node = self.root
        self.in_tree = True
        self.path = []
        plan = [move, *follow]
        plan.reverse()
        secret = False
        turns = 0
        due = state.due()
        mover = due[0] if len(due) == 1 else EVERYONE
        if self.seat not in due:
            # Acting out of turn: the move comes first, then those for whom the game waits.
            state.step(self.seat, plan.pop())
            self._descend((move,))
            due = state.due()
        for _ in range(MOST_STEPS):
            if not due:
                break
            if due[0] == CHANCE:
                drawn = heuristics.next_draw(state, draws, dice)
                state.step(CHANCE, drawn)
                self._descend((drawn,))
                if len(plan) <= len(follow):
                    plan = []
                due = state.due()
                continue
            now = due[0] if len(due) == 1 else EVERYONE
            if now != mover:
                mover = now
                turns += 1
                if turns > heuristics.horizon:
                    break
            if len(due) == 1:
                taken = self._choose(state, now, plan, reply_rng)
                state.step(now, taken)
                self._descend((taken,))
                due = state.due()
            else:
                secret = self._choose_simultaneously(state, due, plan, secret, reply_rng)
                due = state.due()
        return self._backpropagate(state)

    def _choose_simultaneously(
        self, state: GameState, due: list[int], plan: list[int], secret: bool, reply_rng: Stream
    ) -> bool:
        """Several choose at once: each from what it knows, before any choice is made. Returns whether the choices are
        still secret."""
        taken: list[int] = []
        for each in due:
            if secret and each != self.seat:
                # This node knows what our seat has put face down. The others must not.
                taken.append(self.heuristics.reply(state, each, reply_rng))
            else:
                taken.append(self._choose(state, each, plan, reply_rng))
        mine = -1
        for each, move in zip(due, taken, strict=True):
            state.step(each, move)
            if each == self.seat:
                mine = move
        if len(state.due()) > 1:
            # Nothing is revealed yet: this seat has seen its own choice only.
            self._descend((mine,))
            return True
        self._descend(tuple(taken))
        return False

    def _choose(self, state: GameState, seat: int, plan: list[int], reply_rng: Stream) -> int:
        """A seat's move: by the candidate's turn, by the tree, or by a quick reply."""
        planned = plan.pop() if plan and seat == self.seat else -1
        if planned >= 0 and (self.node is self.root or not self.in_tree):
            return planned
        if not self.in_tree:
            return self.heuristics.reply(state, seat, reply_rng)
        legal = state.legal(seat)
        if len(legal) == 1:
            return legal[0]
        choices = self.node.choices_of(seat)
        missing = choices.missing(legal)
        if missing:
            for index, prior in enumerate(self.heuristics.priors(state, seat, missing)):
                move = missing[index]
                choices.edges[move] = Edge(seat, move, prior + PLANNED if move == planned else prior)
        edge = choices.choose(legal, self.heuristics.widening, self.deviation.value())
        self.path.append(edge)
        if edge.move != planned:
            plan.clear()
        return edge.move

    def _descend(self, key: tuple[int, ...]) -> None:
        """One step down the tree. A step to a child that is not there yet adds it, and is the last one in the tree."""
        if not self.in_tree:
            return
        child = self.node.children.get(key)
        if child is None:
            child = Node()
            self.node.children[key] = child
            self.in_tree = False
        self.node = child

    def _backpropagate(self, state: GameState) -> float:
        """Add the values of the last position to every edge on the path."""
        values = self.values(state)
        for edge in self.path:
            edge.visits += 1
            edge.total += values[edge.seat]
        mine = values[self.seat]
        self.deviation.add(mine)
        return mine

    def values(self, state: GameState) -> list[float]:
        """The value of a position for each seat, from 0 to 1: by the margin, and half by the win once it is decided."""
        margins = self.heuristics.margins(state)
        self.margin = margins[self.seat]
        values = [value_of_margin(margin, self.heuristics.scale) for margin in margins]
        outcome = state.outcome()
        if outcome is not None:
            share = 1 / len(outcome.winners)
            for seat in range(state.seats):
                values[seat] = (values[seat] + (share if seat in outcome.winners else 0.0)) / 2
        return values


def value_of_margin(margin: int, scale: int) -> float:
    """A margin as a number between 0 and 1: steep where games are close, flat where they are decided."""
    return 0.5 + 0.5 * margin / (scale + abs(margin))


def share_of_win(value: float, margin: int, scale: int, proved: bool = False) -> float:
    """What the value of a rollout says of who has won: 1 for the seat, 0 for a rival, a part of 1 if they share the
    win; -1 if the game was not over. `proved` values count the lead hardly at all, and are means over draws."""
    if proved:
        return min(1.0, max(0.0, (value - LEAD_SHARE) / (1.0 - 2.0 * LEAD_SHARE)))
    by_margin = value_of_margin(margin, scale)
    if value == by_margin:
        return -1.0
    return min(1.0, max(0.0, 2 * value - by_margin))
