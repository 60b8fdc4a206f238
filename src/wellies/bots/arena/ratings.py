"""Elo ratings by maximum likelihood (the Bradley-Terry model), with 95 % confidence intervals.

A game gives one comparison for each pair of participants at its table: 1 if the first was placed above the second, 0.5
if they shared the place, else 0; with several seats each, the mean over the seats. The ratings maximise the likelihood
of all comparisons. A difference of 400 means ten wins to one.

The comparisons of one game depend on each other, so the variance comes from the sandwich estimator, or from the model
(the inverse Fisher information) where that is larger: with few games, or with draws only, the sandwich is too small.
If a participant has won or lost everything, the likelihood has no maximum. Then one drawn game is added for each pair
that has played, and the ratings say so. Participants that never played each other, not even through others, cannot be
compared: each such group has ratings of its own with mean 0.
"""

from __future__ import annotations

import math
from typing import Final

from wellies.bots.simulate import Z95

SCALE: Final = 400 / math.log(10)
"""Elo points for one unit of log-odds."""

Comparison = tuple[int, int, float]
"""Two participants, the lower index first, and the first one's score from 0 to 1."""

Matrix = list[list[float]]


class Rating:
    """A participant's rating, half the width of its interval, its group, and whether draws were added."""

    def __init__(self, value: float, margin: float, group: int, imagined: bool) -> None:
        self.value = value
        self.margin = margin
        self.group = group
        self.imagined = imagined


def rate(count: int, games: list[list[Comparison]], anchor: int | None = None) -> list[Rating]:
    """The ratings of participants 0 to count - 1. The anchor has rating 0; without one, the mean of each group is 0."""
    ratings: list[Rating] = [Rating(0.0, math.inf, 0, False)] * count
    for group, members in enumerate(_groups(count, games)):
        for member, rating in zip(members, _rate_group(members, games, anchor, group), strict=True):
            ratings[member] = rating
    return ratings


def _groups(count: int, games: list[list[Comparison]]) -> list[list[int]]:
    """The connected components of the graph of who played whom."""
    root = list(range(count))
    for game in games:
        for first, second, _ in game:
            if root[first] != root[second]:
                old, new = root[second], root[first]
                root = [new if each == old else each for each in root]
    return [[one for one in range(count) if root[one] == each] for each in dict.fromkeys(root)]


def _rate_group(members: list[int], games: list[list[Comparison]], anchor: int | None, group: int) -> list[Rating]:
    place = {member: index for index, member in enumerate(members)}
    mine = [
        [(place[first], place[second], score) for first, second, score in game if first in place]
        for game in games
        if any(first in place for first, _, _ in game)
    ]
    size = len(members)
    if size == 1:
        return [Rating(0.0, math.inf, group, False)]
    wins = _wins(size, mine)
    imagined = not _all_reach_all(wins)
    if imagined:
        for first in range(size):
            for second in range(first):
                if wins[first][second] + wins[second][first] > 0:
                    wins[first][second] += 0.5
                    wins[second][first] += 0.5
    strengths = _most_likely(wins)
    spread = _covariances(strengths, wins, mine)
    fixed = place.get(anchor) if anchor is not None else None
    ratings = []
    for one in range(size):
        value = strengths[one] - (strengths[fixed] if fixed is not None else 0.0)
        variance = max(_variance(matrix, one, fixed) for matrix in spread)
        ratings.append(Rating(SCALE * value, SCALE * Z95 * math.sqrt(max(0.0, variance)), group, imagined))
    return ratings


def _wins(size: int, games: list[list[Comparison]]) -> Matrix:
    wins = [[0.0] * size for _ in range(size)]
    for game in games:
        for first, second, score in game:
            wins[first][second] += score
            wins[second][first] += 1 - score
    return wins


def _all_reach_all(wins: Matrix) -> bool:
    """Whether the graph of wins is strongly connected: then, and only then, the likelihood has a maximum."""

    def reaches_all(beats: Matrix) -> bool:
        seen = {0}
        pending = [0]
        while pending:
            one = pending.pop()
            for other, won in enumerate(beats[one]):
                if won > 0 and other not in seen:
                    seen.add(other)
                    pending.append(other)
        return len(seen) == len(beats)

    return reaches_all(wins) and reaches_all([list(column) for column in zip(*wins, strict=True)])


def _chance(strengths: list[float], first: int, second: int) -> float:
    return 1 / (1 + math.exp(strengths[second] - strengths[first]))


def _most_likely(wins: Matrix) -> list[float]:
    """The strengths of maximum likelihood, with mean 0, by Newton's method with bounded steps."""
    size = len(wins)
    strengths = [0.0] * size
    for _ in range(200):
        slope = [
            sum(
                wins[one][other] - (wins[one][other] + wins[other][one]) * _chance(strengths, one, other)
                for other in range(size)
                if other != one
            )
            for one in range(size)
        ]
        inverse = _inverse(_curvature(strengths, wins))
        step = [sum(inverse[one][other] * slope[other] for other in range(size)) for one in range(size)]
        longest = max(abs(each) for each in step)
        shorten = min(1.0, 1.0 / longest) if longest > 0 else 0.0
        strengths = [strength + shorten * each for strength, each in zip(strengths, step, strict=True)]
        if longest < 1e-12:
            break
    mean = sum(strengths) / size
    return [strength - mean for strength in strengths]


def _curvature(strengths: list[float], wins: Matrix) -> Matrix:
    """The negative Hessian of the log-likelihood, plus 1 / size in every entry: a common shift of all strengths does
    not change the likelihood, so the Hessian alone is singular."""
    size = len(strengths)
    matrix = [[1.0 / size] * size for _ in range(size)]
    for one in range(size):
        for other in range(size):
            if other != one:
                chance = _chance(strengths, one, other)
                weight = (wins[one][other] + wins[other][one]) * chance * (1 - chance)
                matrix[one][one] += weight
                matrix[one][other] -= weight
    return matrix


def _covariances(strengths: list[float], wins: Matrix, games: list[list[Comparison]]) -> tuple[Matrix, Matrix]:
    """The covariances of the strengths: from the model, and by the sandwich estimator."""
    size = len(strengths)
    inverse = _inverse(_curvature(strengths, wins))
    model = [[inverse[one][other] - 1.0 / size for other in range(size)] for one in range(size)]
    middle = [[0.0] * size for _ in range(size)]
    for game in games:
        gradient = [0.0] * size
        for first, second, score in game:
            residual = score - _chance(strengths, first, second)
            gradient[first] += residual
            gradient[second] -= residual
        moved = [one for one in range(size) if gradient[one] != 0.0]
        for one in moved:
            for other in moved:
                middle[one][other] += gradient[one] * gradient[other]
    return model, _product(_product(model, middle), model)


def _variance(matrix: Matrix, one: int, fixed: int | None) -> float:
    if fixed is None:
        return matrix[one][one]
    return matrix[one][one] + matrix[fixed][fixed] - 2 * matrix[one][fixed]


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse by Gauss-Jordan elimination with partial pivoting."""
    size = len(matrix)
    rows = [[*row, *(1.0 if place == one else 0.0 for place in range(size))] for one, row in enumerate(matrix)]
    for column in range(size):
        best = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        pivot = rows[column][column]
        rows[column] = [value / pivot for value in rows[column]]
        for row in range(size):
            factor = rows[row][column]
            if row != column and factor != 0.0:
                rows[row] = [value - factor * pivoted for value, pivoted in zip(rows[row], rows[column], strict=True)]
    return [row[size:] for row in rows]
