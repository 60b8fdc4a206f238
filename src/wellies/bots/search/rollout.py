"""One imagined game: down the tree, on by sensible replies, and what it says about the moves that were tried.

Fair comparison. Visit number `k` of every root move imagines the same hidden cards and the same dice, so two moves are
told apart by what they do and not by what they happened to draw.
"""

from __future__ import annotations

from typing import Final

from wellies.bots.search.heuristics import Heuristics
from wellies.bots.search.tree import Edge, Node, Spread
from wellies.core.dice import Stream
from wellies.core.state import CHANCE, GameState

EVERYONE: Final = -3
"""Stands for the seat to move where several choose at once."""

MOST_STEPS: Final = 2000
"""An imagined game longer than this is judged where it stands."""

PLANNED: Final = 1_000_000_000
"""Added to the first impression of a move that belongs to the plan of the turn."""


class Rollout:
    """Imagines games from one root for one seat. The root state is never trusted for what the seat cannot see: each
    visit deals that afresh."""

    def __init__(self, state: GameState, seat: int, heuristics: Heuristics, seed: int, root: Node) -> None:
        self.state = state
        self.seat = seat
        self.heuristics = heuristics
        self.seed = seed
        self.root = root
        self.spread = Spread()
        self.lead = 0
        """The seat's margin at the end of the last walk, in hundredths of a point."""

        # Where the walk under way has got to.
        self.node = root
        self.growing = True
        """Still in the tree. After the first new node, replies take over."""
        self.path: list[Edge] = []

    def walk(self, move: int, follow: tuple[int, ...], number: int) -> float:
        """Visit number `number` of a root move; returns how good it turned out for the seat, from 0 to 1."""
        heuristics = self.heuristics
        dice = Stream(f"{self.seed} deal {number}")
        reply_rng = Stream(f"{self.seed} replies {number}")
        state = self.state.resample(self.seat, dice)
        heuristics.reopen(state, self.seat)
        luck = heuristics.luck(state, dice)
        self.node = self.root
        self.growing = True
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
            self._go((move,))
            due = state.due()
        for _ in range(MOST_STEPS):
            if not due:
                break
            if due[0] == CHANCE:
                drawn = heuristics.drawn(state, luck, dice)
                state.step(CHANCE, drawn)
                self._go((drawn,))
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
                taken = self._decide(state, now, plan, reply_rng)
                state.step(now, taken)
                self._go((taken,))
                due = state.due()
            else:
                secret = self._together(state, due, plan, secret, reply_rng)
                due = state.due()
        return self._judge(state)

    def _together(self, state: GameState, due: list[int], plan: list[int], secret: bool, reply_rng: Stream) -> bool:
        """Several choose at once: each from what it knows, before any choice is made. Whether it stays secret."""
        taken: list[int] = []
        for each in due:
            if secret and each != self.seat:
                # Here the tree knows what this seat has put down face down, and the others must not.
                taken.append(self.heuristics.reply(state, each, reply_rng))
            else:
                taken.append(self._decide(state, each, plan, reply_rng))
        mine = -1
        for each, move in zip(due, taken, strict=True):
            state.step(each, move)
            if each == self.seat:
                mine = move
        if len(state.due()) > 1:
            # Nothing is revealed yet: this seat has seen its own choice only.
            self._go((mine,))
            return True
        self._go(tuple(taken))
        return False

    def _decide(self, state: GameState, seat: int, plan: list[int], reply_rng: Stream) -> int:
        """A seat's move: by the plan of the turn, by the tree, or by a quick reply."""
        hint = plan.pop() if plan and seat == self.seat else -1
        if hint >= 0 and (self.node is self.root or not self.growing):
            return hint
        if not self.growing:
            return self.heuristics.reply(state, seat, reply_rng)
        legal = state.legal(seat)
        if len(legal) == 1:
            return legal[0]
        table = self.node.table(seat)
        missing = table.missing(legal)
        if missing:
            for index, promise in enumerate(self.heuristics.promises(state, seat, missing)):
                move = missing[index]
                table.edges[move] = Edge(seat, move, promise + PLANNED if move == hint else promise)
        edge = table.choose(legal, self.heuristics.widening, self.spread.value())
        self.path.append(edge)
        if edge.move != hint:
            plan.clear()
        return edge.move

    def _go(self, key: tuple[int, ...]) -> None:
        """One step down the tree; a step off it is its newest node."""
        if not self.growing:
            return
        child = self.node.children.get(key)
        if child is None:
            child = Node()
            self.node.children[key] = child
            self.growing = False
        self.node = child

    def _judge(self, state: GameState) -> float:
        """Tell every move on the path how it went for the seat that chose it."""
        values = self.values(state)
        for edge in self.path:
            edge.visits += 1
            edge.total += values[edge.seat]
        mine = values[self.seat]
        self.spread.add(mine)
        return mine

    def values(self, state: GameState) -> list[float]:
        """How good a position is for each seat, from 0 to 1: half by the margin, half by the win if it is decided."""
        margins = self.heuristics.margins(state)
        self.lead = margins[self.seat]
        values = [squashed(margin, self.heuristics.scale) for margin in margins]
        outcome = state.outcome()
        if outcome is not None:
            share = 1 / len(outcome.winners)
            for seat in range(state.seats):
                values[seat] = (values[seat] + (share if seat in outcome.winners else 0.0)) / 2
        return values


def squashed(margin: int, scale: int) -> float:
    """A margin as a number between 0 and 1; steep where games are close, flat where they are decided."""
    return 0.5 + 0.5 * margin / (scale + abs(margin))
