"""Good Puppies for the search: imagined to the end of a round, and secret choices are thought about."""

from __future__ import annotations

from wellies.bots.search.knowledge import Knowledge
from wellies.core.dice import Rng
from wellies.core.state import GameState
from wellies.games.puppies.moves import CHOOSE, TAKE
from wellies.games.puppies.phases import CHOOSING, TAKING
from wellies.games.puppies.promise import card_promise
from wellies.games.puppies.state import PuppiesState


class PuppiesKnowledge(Knowledge):
    def __init__(self) -> None:
        super().__init__()
        self.width = 8
        self.scale = 2500
        self.nodes = 400
        self.rounds = 2
        """How many rounds are imagined, the one under way among them."""

    def promises(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """Tricks touch one's own yard only, so one's own outlook tells; cards are judged without being played."""
        assert isinstance(state, PuppiesState)
        phase = state.phase
        if phase in (CHOOSING, TAKING):
            base = CHOOSE if phase == CHOOSING else TAKE
            future = 0 if state.final else 75
            yard = state.yards[seat]
            return [card_promise(state.cards, yard, move - base, future) for move in moves]
        found: list[int] = []
        for move in moves:
            after = state.clone()
            after.step(seat, move)
            found.append(after.estimate(seat))
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        moves = state.legal(seat)
        if len(moves) == 1:
            return moves[0]
        promises = self.promises(state, seat, moves)
        best = 0
        for index in range(1, len(moves)):
            if promises[index] > promises[best]:
                best = index
        return moves[best]

    def mark(self, state: GameState) -> int:
        assert isinstance(state, PuppiesState)
        return state.round

    def enough(self, state: GameState, turns: int, mark: int) -> bool:
        """The beginning of a round, when all have had their turns."""
        assert isinstance(state, PuppiesState)
        return state.phase == CHOOSING and state.round >= mark + self.rounds

    def reopen(self, state: GameState, seat: int) -> None:
        """What a rival has chosen is still in its hand: let it choose again."""
        assert isinstance(state, PuppiesState)
        if state.phase == CHOOSING:
            for other in range(state.seats):
                if other != seat:
                    state.chosen[other] = []
