"""Rewards: what a result is worth to each seat, at the end or by the move.

At the end:

- `win`: 1 for the only winner. The others lose equally much, so that all rewards sum to 0: with two seats, 1 and -1.
  Several winners share; if all share the win, everyone gets 0.
- `rank`: from 1 for the first to -1 for the last in equal steps; equal scores share the mean of their steps.
- `difference`: the own score less the mean of the others'.

By the move:

- `moves`: how that difference has changed. Over a game it sums to the difference at the end, less that at the start.
- `points`: how the own score has changed.

All but `points` sum to 0 over the seats at any time.
"""

from __future__ import annotations

from typing import Final

from wellies.core.errors import BadOption, nearest
from wellies.core.outcome import Outcome

AT_THE_END: Final = ("win", "rank", "difference")
BY_THE_MOVE: Final = ("moves", "points")
REWARDS: Final = (*AT_THE_END, *BY_THE_MOVE)


def check_rewards(name: object) -> str:
    """The name of a kind of reward; BadOption lists them all."""
    if name not in REWARDS:
        known = list(REWARDS)
        raise BadOption(f"rewards: {name!r} is not known; choose one of {', '.join(known)}.{nearest(str(name), known)}")
    return str(name)


def win_rewards(outcome: Outcome) -> list[float]:
    seats, winners = len(outcome.scores), len(outcome.winners)
    if seats < 2:
        return [0.0] * seats
    scale = seats / (seats - 1)
    return [scale * ((seat in outcome.winners) / winners - 1 / seats) for seat in range(seats)]


def rank_rewards(outcome: Outcome) -> list[float]:
    seats = len(outcome.scores)
    if seats < 2:
        return [0.0] * seats
    found: list[float] = []
    for rank in outcome.ranks:
        last = rank + outcome.ranks.count(rank) - 1
        found.append(1 - 2 * ((rank + last) / 2 - 1) / (seats - 1))
    return found


def differences(scores: list[int]) -> list[float]:
    """For each seat, its score less the mean of the others'."""
    seats, total = len(scores), sum(scores)
    if seats < 2:
        return [0.0] * seats
    return [score - (total - score) / (seats - 1) for score in scores]


class Scorer:
    """The rewards of one game after another. Call `begin` at the start and `rewards` after each step."""

    def __init__(self, name: str) -> None:
        self.name = check_rewards(name)
        self._before: list[float] = []

    def begin(self, scores: list[int]) -> None:
        self._before = self._running(scores)

    def _running(self, scores: list[int]) -> list[float]:
        return [float(score) for score in scores] if self.name == "points" else differences(scores)

    def rewards(self, scores: list[int], outcome: Outcome | None) -> list[float]:
        """What each seat gets for what has happened since the last call. `outcome` is None while the game goes on."""
        if self.name in BY_THE_MOVE:
            now = self._running(scores)
            gained = [new - old for new, old in zip(now, self._before, strict=True)]
            self._before = now
            return gained
        if outcome is None:
            return [0.0] * len(scores)
        if self.name == "win":
            return win_rewards(outcome)
        return rank_rewards(outcome) if self.name == "rank" else differences(outcome.scores)
