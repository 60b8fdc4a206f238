"""Two plain bots that play every game: one at random, one by the points it can see."""

from __future__ import annotations

from typing import Final

from wellies.bots.base import Bot, check_settings, whole_setting
from wellies.bots.search.beam import beam_search
from wellies.core.dice import Rng
from wellies.core.state import GameState

LOOKS: Final = 240
"""The default of the setting `looks`: how many positions the greedy bot evaluates for each step of its turn, about."""

ESTIMATE_BITS: Final = 32
"""No estimate has more bits, its sign included."""


class RandomBot(Bot):
    name = "random"
    summary = "Plays any legal move, each as likely as the others."

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        return moves[rng.randrange(len(moves))]


class GreedyBot(Bot):
    """Takes the turn with the highest estimate, by beam search over its own turn. Ties: what leaves the strongest rival
    with least, then chance."""

    name = "greedy"
    summary = "Takes the most points it can see at once."

    def __init__(self, looks: int = LOOKS) -> None:
        self.looks = looks

    def configured(self, settings: dict[str, str]) -> Bot:
        check_settings(self.name, settings, ["looks"])
        return type(self)(whole_setting(self.name, settings, "looks", self.looks, 1, 1_000_000))

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        candidates = beam_search(state, seat, greedy_value, self.looks)
        best = [each for each in candidates if each.complete and each.value == candidates[0].value]
        best.sort(key=lambda each: each.order)  # the order decides which one a random number means
        return best[rng.randrange(len(best))].move


def greedy_value(state: GameState, seat: int) -> int:
    """The estimate of the seat, and for equal ones that of its strongest rival, the lower the better: as one number."""
    rival = max([state.estimate(other) for other in range(state.seats) if other != seat], default=0)
    return (state.estimate(seat) << ESTIMATE_BITS) - rival
