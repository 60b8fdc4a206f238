"""What the search knows of Ultimate Aquarium. Rollouts are short: what the cards of a tank will bring is better
estimated than played out a few times."""

from __future__ import annotations

from wellies.core.dice import Rng
from wellies.core.heuristics import Heuristics
from wellies.core.state import GameState
from wellies.core.texts import seat_mark
from wellies.games.aquarium.material import Material
from wellies.games.aquarium.moves import NET, TAKE
from wellies.games.aquarium.phases import TURN
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
        self.swing_each = 145
        self._tanks: TankValues | None = None

    def to_come(self, state: GameState) -> int:
        """Cards that are still to be taken by all players."""
        assert isinstance(state, AquariumState)
        left = 0
        for seat in range(state.seats):
            left += turns_left(state, seat)
        return left

    def remarks(self, state: GameState, seat: int, move: int) -> list[str]:
        """What the best card of the store then brings to the next player of this round."""
        assert isinstance(state, AquariumState)
        rival = (seat + 1) % state.seats
        if state.phase != TURN or state.to_move != seat or rival == state.first or not TAKE <= move < NET:
            return []
        after = state.clone()
        after.step(seat, move)
        if after.phase != TURN or after.to_move != rival:
            return []
        tanks = self.tanks(state.cards)
        tank = after.tanks[rival].copy()
        key = tanks.key(tank)
        now = 100 * after.points[rival]
        best = 0
        which = -1
        for card in after.store:
            points = tanks.best_with(tank, key, card, 0) - now
            if points > best:
                best, which = points, card
        if which < 0:
            return [f"It leaves {seat_mark(rival)} no card that brings points."]
        return [
            f"The best that it leaves {seat_mark(rival)} in the store is {state.cards.names[which]}, for {best // 100}."
        ]

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
