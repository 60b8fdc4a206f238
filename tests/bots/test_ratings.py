"""Ratings: right where the answer is known, and honest about how sure they are."""

from __future__ import annotations

import math

import pytest

from wellies.bots.arena.ratings import Comparison, rate
from wellies.core.dice import Stream


def games(wins: int, losses: int, draws: int = 0, pair: tuple[int, int] = (0, 1)) -> list[list[Comparison]]:
    first, second = pair
    scores = [1.0] * wins + [0.0] * losses + [0.5] * draws
    return [[(first, second, score)] for score in scores]


def elo(rate: float) -> float:
    return 400 * math.log10(rate / (1 - rate))


def test_two_participants_stand_as_far_apart_as_their_win_rate_says() -> None:
    strong, weak = rate(2, games(76, 24))
    assert strong.value - weak.value == pytest.approx(elo(0.76))
    assert strong.value + weak.value == pytest.approx(0)
    assert not strong.imagined


def test_a_draw_counts_as_half_a_win() -> None:
    with_draws, _ = rate(2, games(60, 20, 20))
    without, _ = rate(2, games(70, 30))
    assert with_draws.value == pytest.approx(without.value)


def test_the_anchor_is_zero_and_the_interval_is_that_of_the_difference() -> None:
    strong, anchor = rate(2, games(76, 24), anchor=1)
    assert (anchor.value, anchor.margin) == (0, 0)
    assert strong.value == pytest.approx(elo(0.76))
    # The spread of a log-odds is known: 1 / (n p q).
    assert strong.margin == pytest.approx(1.96 * math.sqrt(1 / (100 * 0.76 * 0.24)) * 400 / math.log(10), rel=1e-3)


def test_three_whose_results_fit_the_model_exactly_get_back_their_strengths() -> None:
    strengths = [120.0, 0.0, -120.0]
    played: list[list[Comparison]] = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        chance = 1 / (1 + 10 ** ((strengths[second] - strengths[first]) / 400))
        played += [[(first, second, chance)]] * 50
    found = [rating.value for rating in rate(3, played)]
    assert found == pytest.approx(strengths, abs=1e-6)


def test_who_won_everything_gets_a_finite_rating_that_says_so() -> None:
    few = rate(2, games(10, 0))
    many = rate(2, games(100, 0))
    assert all(rating.imagined for rating in few + many)
    assert few[0].value - few[1].value == pytest.approx(elo(10.5 / 11))
    assert many[0].value > few[0].value
    # A cycle has a summit, though each won all games against one.
    cycle = games(5, 0) + games(5, 0, pair=(1, 2)) + games(0, 5, pair=(0, 2))
    assert [rating.value for rating in rate(3, cycle)] == pytest.approx([0, 0, 0])
    assert not rate(3, cycle)[0].imagined


def test_only_draws_leave_doubt() -> None:
    one, _ = rate(2, games(0, 0, 10))
    assert one.value == pytest.approx(0)
    assert one.margin > 50


def test_those_that_never_met_are_in_groups_of_their_own() -> None:
    ratings = rate(5, games(6, 4) + games(3, 7, pair=(2, 3)))
    assert [rating.group for rating in ratings] == [0, 0, 1, 1, 2]
    assert ratings[2].value == pytest.approx(-ratings[3].value)
    assert math.isinf(ratings[4].margin)


def test_who_met_only_by_way_of_others_is_compared_all_the_same() -> None:
    ratings = rate(3, games(3, 1) + games(3, 1, pair=(1, 2)), anchor=2)
    assert ratings[1].value == pytest.approx(elo(0.75))
    assert ratings[0].value == pytest.approx(2 * elo(0.75))


@pytest.mark.parametrize("seats", [2, 4])
def test_ninety_five_of_a_hundred_intervals_hold_the_truth(seats: int) -> None:
    """Games from known strengths; at four seats all comparisons of a game hang together."""
    strengths = [0.6, 0.1, -0.2, -0.5]
    truth = [400 / math.log(10) * each for each in strengths]
    stream = Stream(f"coverage {seats}")
    held = 0
    tries = 150
    for _ in range(tries):
        played: list[list[Comparison]] = []
        for _ in range(60):
            table = list(range(4))
            while len(table) > seats:
                table.pop(stream.randrange(len(table)))
            order = _finish(table, strengths, stream)
            played.append(
                [(a, b, 1.0 if order.index(a) < order.index(b) else 0.0) for a in table for b in table if a < b]
            )
        held += sum(
            abs(rating.value - true) <= rating.margin for rating, true in zip(rate(4, played), truth, strict=True)
        )
    assert 0.92 <= held / (4 * tries) <= 0.995


def _finish(table: list[int], strengths: list[float], stream: Stream) -> list[int]:
    """An order of arrival after Plackett and Luce: the first by strength, then the next among the others."""
    left, order = list(table), []
    while left:
        weights = [math.exp(strengths[each]) for each in left]
        mark = stream.randrange(1 << 40) / (1 << 40) * sum(weights)
        for each, weight in zip(list(left), weights, strict=True):
            mark -= weight
            if mark < 0 or each == left[-1]:
                order.append(each)
                left.remove(each)
                break
    return order
