"""Ultimate Aquarium for the search: a turn or two of each, since what the cards of a tank may yet bring is known better
than a few imagined ends of the game can tell."""

from __future__ import annotations

from wellies.bots.search.aquarium_replies import WEIGHTS, Tanks, move_worths, quick_reply, turns_to_come
from wellies.bots.search.heuristics import Heuristics
from wellies.core.dice import Rng
from wellies.core.state import GameState
from wellies.games.aquarium.material import Material
from wellies.games.aquarium.state import AquariumState


class AquariumHeuristics(Heuristics):
    def __init__(self) -> None:
        super().__init__()
        self.width = 12
        self.horizon = 2
        self.scale = 800
        self.nodes = 300
        self.trust = 2.0
        self.weights = list(WEIGHTS)
        self._tanks: Tanks | None = None

    def deepen(self) -> None:
        """Two turns of each."""
        self.horizon = 4
        self.nodes = 600

    def tanks(self, cards: Material) -> Tanks:
        """What is remembered of tanks of these cards; other cards start anew."""
        tanks = self._tanks
        if tanks is None or tanks.cards is not cards:
            tanks = Tanks(cards, self.weights)
            self._tanks = tanks
        return tanks

    def worth(self, state: GameState, seat: int) -> int:
        assert isinstance(state, AquariumState)
        turns = turns_to_come(state, seat)
        value = state.estimate(seat)
        return value + self.tanks(state.cards).hopes(state.laid_out(seat), turns) if turns else value

    def promises(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        assert isinstance(state, AquariumState)
        return move_worths(state, seat, moves, self.tanks(state.cards))

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        assert isinstance(state, AquariumState)
        return quick_reply(state, seat, self.tanks(state.cards), self.weights)
