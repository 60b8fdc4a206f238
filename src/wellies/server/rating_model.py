"""Ratings by the Plackett-Luce model of Weng and Lin ("A Bayesian Approximation Method for Online Ranking", 2011), with
the numbers that the package OpenSkill uses; the tests compare the two.

A player's strength is a normal distribution, with the mean `mu` and the deviation `sigma`. It is shown on the scale of
the arena: a difference of 400 means ten wins to one, and whoever is new has 1500.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA / 2
"""How much luck a game has."""
TAU_SQUARED: Final = (MU / 300) ** 2
"""How much strength may change from game to game."""
KAPPA: Final = 0.0001
"""No game makes a variance smaller than this share of it."""

NEW: Final = 1500
SCALE: Final = 400 / math.log(10) / (BETA * math.sqrt(2))
"""Points of the shown scale for one unit of `mu`."""
PROVISIONAL: Final = 140
"""A rating is provisional while its shown deviation is larger than this."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> int:
        return round(NEW + SCALE * (self.mu - MU))

    @property
    def deviation(self) -> int:
        """How uncertain the shown rating is: two times of three the strength is within this."""
        return round(SCALE * self.sigma)

    @property
    def provisional(self) -> bool:
        return self.deviation > PROVISIONAL


def rate(before: list[Rating], ranks: list[int]) -> list[Rating]:
    """The ratings after a game in which the players had these ranks; 1 is best, and equal ranks are a tie."""
    variances = [rating.sigma**2 + TAU_SQUARED for rating in before]
    c = math.sqrt(sum(variance + BETA**2 for variance in variances))
    strengths = [math.exp(rating.mu / c) for rating in before]
    # Of each player: the strengths of all that were not placed above, and how many share the place.
    sums = [sum(s for s, rank in zip(strengths, ranks, strict=True) if rank >= own) for own in ranks]
    shares = [ranks.count(rank) for rank in ranks]
    after = []
    for one, rating in enumerate(before):
        omega = delta = 0.0
        for other, rank in enumerate(ranks):
            if rank <= ranks[one]:
                chance = strengths[one] / sums[other]
                omega += ((other == one) - chance) / shares[other]
                delta += chance * (1 - chance) / shares[other]
        variance = variances[one]
        omega *= variance / c
        delta *= variance / c**2 * math.sqrt(variance) / c
        after.append(Rating(rating.mu + omega, math.sqrt(variance * max(1 - delta, KAPPA))))
    return after


def rate_players(before: dict[str, Rating], places: list[tuple[str, int]]) -> dict[str, Rating]:
    """The ratings of the players after a game with these players and ranks, seat by seat. A bot may sit at several
    seats: it gets the mean of what they would get."""
    found = rate([before[player] for player, _ in places], [rank for _, rank in places])
    after: dict[str, Rating] = {}
    for player in before:
        own = [rating for (name, _), rating in zip(places, found, strict=True) if name == player]
        after[player] = Rating(
            sum(each.mu for each in own) / len(own), math.sqrt(sum(each.sigma**2 for each in own) / len(own))
        )
    return after
