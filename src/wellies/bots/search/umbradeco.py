"""Umbradeco for the search: quick replies, read off the mat without making the moves."""

from __future__ import annotations

from wellies.bots.search.heuristics import Heuristics
from wellies.core.dice import Rng
from wellies.core.state import GameState
from wellies.games.umbradeco.material import SPACES
from wellies.games.umbradeco.moves import DROP, PLACE, PUSH, STACK, TAKE
from wellies.games.umbradeco.scoring import (
    PLACED,
    PUSHED,
    STACKED,
    best_points,
    four_colours,
    points_of,
    rows_through,
)
from wellies.games.umbradeco.state import UmbradecoState


class UmbradecoHeuristics(Heuristics):
    def __init__(self) -> None:
        super().__init__()
        self.width = 16
        self.horizon = 3
        self.scale = 1000
        self.nodes = 300

    def deepen(self) -> None:
        """Two turns further."""
        self.horizon = 5
        self.nodes = 1500

    def promises(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """The points at once; a push is counted on the mat as it is before the push. Of the market, the tile with the
        best place for it."""
        assert isinstance(state, UmbradecoState)
        mat = state.mat
        found: list[int] = []
        for move in moves:
            if move >= TAKE:
                colours = sorted({*state.hand_colours(seat), move - TAKE})
                found.append(10 * best_points(mat, colours, state.unbroken) + len(colours))
                continue
            if move < PUSH:
                way, tile = PLACED, move - PLACE
            elif move < STACK:
                way, tile = PUSHED, (move - PUSH) // 6
            elif move < DROP:
                way, tile = STACKED, move - STACK
            else:
                found.append(0)
                continue
            space = tile % SPACES
            rows = rows_through(mat, space, tile // SPACES, state.unbroken)
            found.append(10 * points_of(way, rows, four_colours(mat, space)))
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        moves = state.legal(seat)
        if len(moves) == 1:
            return moves[0]
        promises = self.promises(state, seat, moves)
        best = max(promises)
        equal = [index for index in range(len(moves)) if promises[index] == best]
        return moves[equal[rng.randrange(len(equal))]]
