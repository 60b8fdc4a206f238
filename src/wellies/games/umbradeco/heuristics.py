"""What the search knows of Umbradeco: priors computed from the mat without making the moves, and replies that look at
what the best of them leave to the next player."""

from __future__ import annotations

from wellies.core.dice import Rng
from wellies.core.heuristics import Heuristics
from wellies.core.state import GameState
from wellies.games.umbradeco.material import COLOURS
from wellies.games.umbradeco.moves import DROP, TAKE
from wellies.games.umbradeco.scoring import best_points, placement_points
from wellies.games.umbradeco.state import UmbradecoState


class UmbradecoHeuristics(Heuristics):
    def __init__(self, deep: bool = False) -> None:
        super().__init__(deep)
        self.width = 16
        self.horizon = 5 if deep else 3
        self.scale = 1000
        self.nodes = 1500 if deep else 300
        self.swing_each = 205

    def to_come(self, state: GameState) -> int:
        """Tiles that are still to be placed, about."""
        assert isinstance(state, UmbradecoState)
        left = state.deck + len(state.market)
        for seat in range(state.seats):
            left += len(state.shown[seat]) + len(state.hidden[seat])
        return left

    def remarks(self, state: GameState, seat: int, move: int) -> list[str]:
        """How much the mat then offers at most, whatever a rival holds: its hidden tile plays no part in this."""
        assert isinstance(state, UmbradecoState)
        if move >= DROP:
            return []
        colours = list(range(len(COLOURS)))
        before = best_points(state.mat, colours, state.unbroken)
        after = state.clone()
        after.step(seat, move)
        offered = best_points(after.mat, colours, state.unbroken)
        if offered > before:
            return [f"It opens a place for {offered} to whoever has the colour; there was none for more than {before}."]
        if offered < before:
            return [f"It closes the best place of the mat, for {before}; the best that is left is for {offered}."]
        return []

    def priors(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """The points of placing a tile. Of taking a tile, the most points that the hand could then make."""
        assert isinstance(state, UmbradecoState)
        mat = state.mat
        found: list[int] = []
        for move in moves:
            if move >= TAKE:
                colours = sorted({*state.hand_colours(seat), move - TAKE})
                found.append(10 * best_points(mat, colours, state.unbroken) + len(colours))
            elif move >= DROP:
                found.append(0)
            else:
                found.append(10 * placement_points(mat, move, state.unbroken))
        return found

    def sees_everything(self, state: GameState, seat: int) -> bool:
        """With the deck gone and no tile out of the game, all tiles not seen are in the hand of the only rival."""
        assert isinstance(state, UmbradecoState)
        return state.seats == 2 and state.deck == 0 and not state.out

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        moves = state.legal(seat)
        if len(moves) == 1:
            return moves[0]
        return self.best_after(state, seat, moves, rng)
