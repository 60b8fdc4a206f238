"""What a bot is, and the one door through which it sees a game."""

from __future__ import annotations

from wellies.core.dice import Rng
from wellies.core.errors import NotYourTurn
from wellies.core.events import Json
from wellies.core.state import GameState
from wellies.games import game


class Bot:
    """A player without a body. It keeps nothing between moves, so one bot may sit in many seats of many tables."""

    name: str
    summary: str

    def choose(self, table: GameState | Json, seat: int, rng: Rng) -> int:
        """A legal move for this seat, from a state or from the seat's view.

        Either way the bot thinks about a state dealt afresh: it never learns more than the seat may see.
        """
        if isinstance(table, GameState):
            state = table.resample(seat, rng)
        else:
            state = game(table["game"]).from_position(table["position"]).resample(seat, rng)
        moves = state.legal(seat)
        if not moves:
            raise NotYourTurn(state.turn_refusal(seat) or "There is nothing to decide.")
        return moves[0] if len(moves) == 1 else self.pick(state, seat, moves, rng)

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        """One of these moves; the state is the bot's own, to do with as it likes."""
        raise NotImplementedError
