"""Two plain bots that play every game: one by chance, one by the points at hand."""

from __future__ import annotations

from typing import Final

from wellies.bots.base import Bot, check_settings, whole_setting
from wellies.core.dice import Rng
from wellies.core.state import GameState

LOOKS: Final = 240
"""How many positions the greedy bot looks at, at most, for each further step of its turn: its setting `looks`."""

STEPS: Final = 12
"""How many steps of its own turn it looks ahead; no turn of ours is so long, but one might be endless."""


class RandomBot(Bot):
    name = "random"
    summary = "Plays any legal move, each as likely as the others."

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        return moves[rng.randrange(len(moves))]


class GreedyBot(Bot):
    """Takes the move that promises most at once.

    A turn of several steps is looked through to its end, so that a step which scores nothing by itself (which group,
    which card first, which of two tiles) is judged by what it leads to. Where that is too much, only the most promising
    beginnings are followed. Ties: what leaves the strongest rival with least, then chance.
    """

    name = "greedy"
    summary = "Takes the most points it can see at once."

    def __init__(self, looks: int = LOOKS) -> None:
        self.looks = looks

    def configured(self, settings: dict[str, str]) -> Bot:
        check_settings(self.name, settings, ["looks"])
        return GreedyBot(whole_setting(self.name, settings, "looks", self.looks, 1, 1_000_000))

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        best: list[int] = []
        best_value: tuple[int, int] | None = None
        # Each beginning of a turn that goes on: what it promises so far, its first move, and where it led.
        begun: list[tuple[tuple[int, int], int, GameState]] = [((0, 0), -1, state)]
        for step in range(STEPS):
            longer: list[tuple[tuple[int, int], int, GameState]] = []
            for _, start, before in begun:
                for move in before.legal(seat):
                    after = before.clone()
                    after.step(seat, move)
                    value = _promise(after, seat)
                    begin = move if step == 0 else start
                    if after.due() == [seat] and step < STEPS - 1:
                        longer.append((value, begin, after))
                    elif best_value is None or value > best_value:
                        best, best_value = [begin], value
                    elif value == best_value and begin not in best:
                        best.append(begin)
            if not longer:
                break
            begun = _most_promising(longer, seat, self.looks)
        return best[rng.randrange(len(best))]


def _promise(state: GameState, seat: int) -> tuple[int, int]:
    """My estimate, and the strongest rival's turned round."""
    rival = max([state.estimate(other) for other in range(state.seats) if other != seat], default=0)
    return (state.estimate(seat), -rival)


def _most_promising(
    begun: list[tuple[tuple[int, int], int, GameState]], seat: int, most: int
) -> list[tuple[tuple[int, int], int, GameState]]:
    """The best of these beginnings, as many as can be looked through in one more step; one at least."""
    begun.sort(key=lambda each: each[0], reverse=True)
    looks = 0
    for number, (_, _, state) in enumerate(begun):
        looks += len(state.legal(seat))
        if looks > most and number > 0:
            return begun[:number]
    return begun
