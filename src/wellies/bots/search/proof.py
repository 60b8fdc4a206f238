"""Exact endings: where few moves are left and nothing is hidden, every line of play is followed to the end of the game.

What may be drawn is weighed by its chance. With two seats the other one is taken to play what is worst for us, so the
value of a move is proved. With more seats a position is only proved if nobody else has a choice any more. Nothing is
proved where seats choose in secret at once, or may act out of turn.
"""

from __future__ import annotations

import time
from typing import Final

from wellies.core.heuristics import Heuristics
from wellies.core.state import CHANCE, GameState

LEAD_SHARE: Final = 0.001
"""How much the lead counts beside the win: it decides only between moves that win equally often."""

LIKELY_FACTOR: Final = 20
"""A line with so many times more branches than may be looked at is not begun: pruning does not make up for it."""

FAR: Final = 1_000_000.0
"""Beyond all values."""


class Unprovable(Exception):
    """The rest of the game is too large, or not all of it can be known."""


class ProvedMove:
    """A legal move with its exact value and the lead at the end, on average over what may be drawn."""

    __slots__ = ("margin", "move", "value")

    def __init__(self, move: int, value: float, margin: float) -> None:
        self.move = move
        self.value = value
        """How often the seat wins, from 0 to 1, and a little for the lead."""
        self.margin = margin
        """In hundredths of a point."""


class Prover:
    """Follows all lines from one position for one seat. `left` is how many positions may still be looked at, and until
    `deadline` only."""

    def __init__(self, seat: int, most: int, deadline: float) -> None:
        self.seat = seat
        self.left = most
        self.deadline = deadline

    def value(self, state: GameState, low: float, high: float) -> tuple[float, float]:
        """The value and the margin of a position; exact if the value is between `low` and `high`, else a bound."""
        due = state.due()
        while len(due) == 1:
            moves = state.legal(due[0])
            if len(moves) > 1:
                break
            state.step(due[0], moves[0])
            due = state.due()
        if not due:
            return self.end_value(state)
        if len(due) > 1 or state.active() != due:
            raise Unprovable
        mover = due[0]
        if mover == CHANCE:
            return self.mean_value(state)
        if mover != self.seat and state.seats != 2:
            raise Unprovable
        best = -FAR if mover == self.seat else FAR
        margin = 0.0
        for move in state.legal(mover):
            value, lead = self.value_after(state, mover, move, low, high)
            if mover == self.seat:
                if value > best:
                    best, margin = value, lead
                low = max(low, best)
            else:
                if value < best:
                    best, margin = value, lead
                high = min(high, best)
            if low >= high:
                break
        return (best, margin)

    def mean_value(self, state: GameState) -> tuple[float, float]:
        """Over all that may be drawn, each by its weight."""
        weights = 0
        value = 0.0
        margin = 0.0
        for draw in state.legal(CHANCE):
            weight = state.weight(draw)
            one, lead = self.value_after(state, CHANCE, draw, -FAR, FAR)
            weights += weight
            value += weight * one
            margin += weight * lead
        return (value / weights, margin / weights)

    def value_after(self, state: GameState, mover: int, move: int, low: float, high: float) -> tuple[float, float]:
        self.left -= 1
        if self.left < 0 or time.monotonic() > self.deadline:
            raise Unprovable
        after = state.clone()
        after.step(mover, move)
        return self.value(after, low, high)

    def end_value(self, state: GameState) -> tuple[float, float]:
        outcome = state.outcome()
        if outcome is None:
            raise Unprovable
        share = 1.0 / len(outcome.winners) if self.seat in outcome.winners else 0.0
        lead = outcome.scores[self.seat]
        rivals = [score for other, score in enumerate(outcome.scores) if other != self.seat]
        if rivals:
            lead -= max(rivals)
        value = (1.0 - 2.0 * LEAD_SHARE) * share + LEAD_SHARE * (1.0 + lead / (100 + abs(lead)))
        return (value, 100.0 * lead)


def prove(state: GameState, seat: int, heuristics: Heuristics, deadline: float) -> list[ProvedMove]:
    """Every legal move of this seat with its exact value, the best first. Empty if the positions or the time that are
    allowed do not suffice, or if not everything is known."""
    most = heuristics.proof_positions
    if most <= 0 or state.due() != [seat] or state.active() != [seat]:
        return []
    if not may_end_soon(state, most) or not heuristics.sees_everything(state, seat):
        return []
    prover = Prover(seat, most, deadline)
    found: list[ProvedMove] = []
    try:
        for move in state.legal(seat):
            value, margin = prover.value_after(state, seat, move, -FAR, FAR)
            found.append(ProvedMove(move, value, margin))
    except Unprovable:
        return []
    found.sort(key=_proved_value, reverse=True)
    return found


def may_end_soon(state: GameState, most: int) -> bool:
    """Whether the rest of the game seems small enough: judged by the branches along one line of play."""
    line = state.clone()
    lines = 1
    while due := line.due():
        moves = line.legal(due[0])
        lines *= len(moves)
        if lines > LIKELY_FACTOR * most:
            return False
        line.step(due[0], moves[len(moves) // 2])
    return True


def _proved_value(proved: ProvedMove) -> float:
    return proved.value
