"""What the search knows of Ultimate Aquarium. Rollouts are short: what the cards of a tank will bring is better
estimated than played out a few times."""

from __future__ import annotations

from wellies.core.dice import Rng
from wellies.core.heuristics import Heuristics
from wellies.core.state import GameState
from wellies.games.aquarium.material import Material
from wellies.games.aquarium.replies import WEIGHTS, TankValues, move_priors, quick_reply, turns_left
from wellies.games.aquarium.state import AquariumState


class AquariumHeuristics(Heuristics):
    def __init__(self, deep: bool = False) -> None:
        super().__init__(deep)
        self.width = 12
        self.horizon = 4 if deep else 2
        self.scale = 800
        self.nodes = 600 if deep else 300
        self.prior_weight = 2.0
        self.weights = list(WEIGHTS)
        self._tanks: TankValues | None = None

    def tanks(self, cards: Material) -> TankValues:
        """The cached values of tanks of these cards; for other cards the cache starts empty."""
        tanks = self._tanks
        if tanks is None or tanks.cards is not cards:
            tanks = TankValues(cards, self.weights)
            self._tanks = tanks
        return tanks

    def estimate(self, state: GameState, seat: int) -> int:
        """The game's estimate, and what the cards of the tank will bring in the turns that are left."""
        assert isinstance(state, AquariumState)
        turns = turns_left(state, seat)
        value = state.estimate(seat)
        return value + self.tanks(state.cards).future_value(state.planned_tank(seat), turns) if turns else value

    def priors(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        assert isinstance(state, AquariumState)
        return move_priors(state, seat, moves, self.tanks(state.cards))

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        assert isinstance(state, AquariumState)
        return quick_reply(state, seat, self.tanks(state.cards), self.weights)
