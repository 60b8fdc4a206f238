"""Marram for the search: wide, and dear to look at, so few moves are compared, and not far."""

from __future__ import annotations

from wellies.bots.search.heuristics import Heuristics
from wellies.core.state import GameState
from wellies.games.marram.estimate import estimates
from wellies.games.marram.state import MarramState


class MarramHeuristics(Heuristics):
    def __init__(self) -> None:
        super().__init__()
        self.width = 6
        self.horizon = 1
        self.scale = 2500
        self.looks = 240
        self.sampled = 12
        self.trust = 2.0
        self.widening = 0.25
        self.nodes = 40
        self.reuse = False
        """Quick replies come from a sample of the moves, and those in the tree do not: a move with an old tree would
        meet a stronger rival than the moves it is compared with."""

    def deepen(self) -> None:
        """Some more moves, and much more often: what the next tile brings differs widely."""
        self.width = 8
        self.nodes = 160

    def worths(self, state: GameState) -> list[int]:
        assert isinstance(state, MarramState)
        return estimates(state)
