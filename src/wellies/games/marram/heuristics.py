"""What the search knows of Marram. There are many moves and an estimate takes long: few candidates, a short horizon."""

from __future__ import annotations

from wellies.core.heuristics import Heuristics
from wellies.core.state import GameState
from wellies.games.marram.estimate import estimates
from wellies.games.marram.state import MarramState


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

    def estimates(self, state: GameState) -> list[int]:
        """Of all seats at once, which costs as much as that of one."""
        assert isinstance(state, MarramState)
        return estimates(state)
