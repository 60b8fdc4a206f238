"""Good Puppies for the search: games are imagined to their end, and secret choices are thought about."""

from __future__ import annotations

from wellies.bots.search.heuristics import TO_THE_END, Heuristics
from wellies.bots.search.puppy_replies import WEIGHTS, card_worths, quick_reply
from wellies.core.dice import Rng
from wellies.core.state import GameState
from wellies.games.puppies.phases import CHOOSING, SHOWING, TAKING
from wellies.games.puppies.state import PuppiesState


class PuppiesHeuristics(Heuristics):
    def __init__(self) -> None:
        super().__init__()
        self.width = 8
        self.horizon = TO_THE_END
        self.scale = 2500
        self.nodes = 400
        self.widening = 0.0
        """Beyond the moves that are compared everybody follows the quick replies: between two choices lie so many
        draws that nothing in the tree is met often enough to be learnt from, and trying out costs games."""
        self.weights = list(WEIGHTS)

    def share(self, state: GameState) -> int:
        """Which card to choose or to take decides games; the parts of a trick are mostly plain to see."""
        assert isinstance(state, PuppiesState)
        return 100 if state.phase in (CHOOSING, TAKING) else 25

    def promises(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """Tricks touch one's own yard only, so one's own outlook tells; cards are judged without being played."""
        assert isinstance(state, PuppiesState)
        if state.phase in (CHOOSING, TAKING):
            return card_worths(state, seat, moves, self.weights)
        found: list[int] = []
        for move in moves:
            after = state.clone()
            after.step(seat, move)
            found.append(after.estimate(seat))
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        assert isinstance(state, PuppiesState)
        return quick_reply(state, seat, self.weights)

    def reopen(self, state: GameState, seat: int) -> None:
        """What a rival has chosen is still in its hand: let it choose again."""
        assert isinstance(state, PuppiesState)
        if state.phase == CHOOSING:
            for other in range(state.seats):
                if other != seat:
                    state.chosen[other] = []

    def luck(self, state: GameState, dice: Rng) -> list[int]:
        """The cards that nobody has seen, from which `drawn` takes one after another: tricks draw different numbers of
        them, and the cards that come then should be the same for all moves that are compared."""
        assert isinstance(state, PuppiesState)
        return state.unseen[:]

    def drawn(self, state: GameState, luck: list[int], dice: Rng) -> int:
        assert isinstance(state, PuppiesState)
        if state.phase == SHOWING:
            return state.chance(dice)
        while True:
            index = dice.randrange(len(luck))
            card = luck[index]
            luck[index] = luck[-1]
            luck.pop()
            if card in state.unseen:
                return card
