"""What the search knows of Good Puppies: rollouts to the end of the game, which consider the rivals' secret choices."""

from __future__ import annotations

from wellies.core.dice import Rng
from wellies.core.heuristics import TO_THE_END, Heuristics
from wellies.core.state import GameState
from wellies.games.puppies.phases import CHOOSING, SHOWING, TAKING
from wellies.games.puppies.replies import WEIGHTS, card_priors, quick_reply
from wellies.games.puppies.scoring import all_bonuses
from wellies.games.puppies.state import PuppiesState


class PuppiesHeuristics(Heuristics):
    def __init__(self, deep: bool = False) -> None:
        super().__init__(deep)
        self.width = 8
        self.horizon = TO_THE_END
        self.scale = 2500
        self.nodes = 1200 if deep else 400
        self.widening = 0.0
        """After the first choice everybody plays by quick replies: so many draws lie between two choices that no node
        of the tree is visited often enough to learn from."""
        self.weights = list(WEIGHTS)
        self.swing_each = 380

    def to_come(self, state: GameState) -> int:
        """Cards that are still to be played, about."""
        assert isinstance(state, PuppiesState)
        if state.final:
            return len(state.turns)
        left = state.deck
        for hand in state.hands:
            left += len(hand)
        return left

    def remarks(self, state: GameState, seat: int, move: int) -> list[str]:
        """What the yard's bonuses are worth at the end, as the yard then stands: the score does not show it before."""
        assert isinstance(state, PuppiesState)
        if state.phase == CHOOSING or state.phase == TAKING:
            return []
        before = all_bonuses(state.cards, state.yards[seat])
        after = state.clone()
        after.step(seat, move)
        change = all_bonuses(after.cards, after.yards[seat]) - before
        if change == 0:
            return []
        more = "more" if change > 0 else "less"
        return [f"The bonuses of the yard are then worth {abs(change)} {more} at the end."]

    def budget_share(self, state: GameState) -> int:
        """Which card to choose or to take decides games; the steps of a trick are mostly obvious."""
        assert isinstance(state, PuppiesState)
        return 100 if state.phase in (CHOOSING, TAKING) else 25

    def priors(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """Of a card without playing it; of a step of a trick the seat's own estimate, since tricks change no other
        yard."""
        assert isinstance(state, PuppiesState)
        if state.phase in (CHOOSING, TAKING):
            return card_priors(state, seat, moves, self.weights)
        found: list[int] = []
        for move in moves:
            after = state.clone()
            after.step(seat, move)
            found.append(after.estimate(seat))
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        assert isinstance(state, PuppiesState)
        return quick_reply(state, seat, self.weights)

    def forget_choices(self, state: GameState, seat: int) -> None:
        """What a rival has chosen is still in its hand: it chooses again."""
        assert isinstance(state, PuppiesState)
        if state.phase == CHOOSING:
            for other in range(state.seats):
                if other != seat:
                    state.chosen[other] = []

    def plan_draws(self, state: GameState, dice: Rng) -> list[int]:
        """The cards that nobody has seen; `next_draw` takes one after another. Tricks draw different numbers of cards,
        and the cards after them should be the same for all candidates."""
        assert isinstance(state, PuppiesState)
        return state.unseen[:]

    def next_draw(self, state: GameState, planned: list[int], dice: Rng) -> int:
        assert isinstance(state, PuppiesState)
        if state.phase == SHOWING:
            return state.chance(dice)
        while True:
            index = dice.randrange(len(planned))
            card = planned[index]
            planned[index] = planned[-1]
            planned.pop()
            if card in state.unseen:
                return card
