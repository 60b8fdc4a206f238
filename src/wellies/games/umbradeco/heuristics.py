"""What the search knows of Umbradeco: priors and replies, computed from the mat without making the moves."""

from __future__ import annotations

from wellies.core.dice import Rng
from wellies.core.heuristics import Heuristics, any_best_move
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
    def __init__(self, deep: bool = False) -> None:
        super().__init__(deep)
        self.width = 16
        self.horizon = 5 if deep else 3
        self.scale = 1000
        self.nodes = 1500 if deep else 300

    def priors(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """The points of placing a tile, where a push is counted on the mat before the push. Of taking a tile, the most
        points that the hand could then make."""
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
        return any_best_move(moves, self.priors(state, seat, moves), rng)
