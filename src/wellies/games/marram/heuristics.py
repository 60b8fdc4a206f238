"""What the search knows of Marram. There are many moves and an estimate takes long: few candidates, a short horizon."""

from __future__ import annotations

from typing import Final

from wellies.core.heuristics import Heuristics
from wellies.core.state import GameState
from wellies.core.texts import seat_mark, some
from wellies.games.marram.estimate import estimates
from wellies.games.marram.state import MarramState

LEAST_LATER: Final = 150
"""Smaller changes of what is still to come, in hundredths of a point, are not worth a sentence."""


class MarramHeuristics(Heuristics):
    def __init__(self, deep: bool = False) -> None:
        super().__init__(deep)
        self.width = 8 if deep else 6
        self.horizon = 1
        self.scale = 2500
        self.reply_sample = 12
        self.prior_weight = 2.0
        self.widening = 0.25
        self.nodes = 160 if deep else 40
        self.reuse_tree = False
        """Quick replies come from a sample of the moves, and choices in the tree do not: a candidate with an old tree
        would meet a stronger rival than those it is compared with."""
        self.swing_each = 300

    def to_come(self, state: GameState) -> int:
        """Tiles that are still to be laid."""
        assert isinstance(state, MarramState)
        left = state.stock_count
        for hand in state.hands:
            left += len(hand)
        return left

    def remarks(self, state: GameState, seat: int, move: int) -> list[str]:
        """What the move is worth beyond its points, for what is not finished yet: to the seat and to its rivals."""
        assert isinstance(state, MarramState)
        if state.numbers.knock_out > 0:
            return []
        before = estimates(state)
        after = state.clone()
        after.step(seat, move)
        values = estimates(after)
        told: list[str] = []
        for each in range(state.seats):
            later = values[each] - before[each] - 100 * (after.points[each] - state.points[each])
            if abs(later) >= LEAST_LATER:
                points = some(abs(later) // 100, "point")
                more = "more" if later > 0 else "less"
                whose = "to come" if each == seat else f"to come for {seat_mark(each)}"
                told.append(f"What stands on the board is then worth about {points} {more} {whose}.")
                if each == seat and len(told) > 1:
                    told.insert(0, told.pop())
        return told

    def estimates(self, state: GameState) -> list[int]:
        """Of all seats at once, which costs as much as that of one."""
        assert isinstance(state, MarramState)
        return estimates(state)
