"""Rewards at the end and by the move."""

from __future__ import annotations

import pytest
from helpers import Case
from research_cases import FEWEST, play_on

from wellies import BadOption, Outcome, Stream
from wellies.research.rewards import REWARDS, Scorer, differences, rank_rewards, win_rewards


@pytest.mark.parametrize(
    ("scores", "win", "rank"),
    [
        ([3, 1], [1, -1], [1, -1]),
        ([2, 2], [0, 0], [0, 0]),
        ([5, 1, 1], [1, -0.5, -0.5], [1, -0.5, -0.5]),
        ([5, 5, 1], [0.25, 0.25, -0.5], [0.5, 0.5, -1]),
        ([4, 3, 2, 1], [1, -1 / 3, -1 / 3, -1 / 3], [1, 1 / 3, -1 / 3, -1]),
    ],
)
def test_wins_and_ranks_are_shared_and_sum_to_nothing(scores: list[int], win: list[float], rank: list[float]) -> None:
    outcome = Outcome(scores, "It is over.")
    assert win_rewards(outcome) == pytest.approx(win)
    assert rank_rewards(outcome) == pytest.approx(rank)
    assert sum(differences(scores)) == pytest.approx(0)


@pytest.mark.parametrize("name", REWARDS)
@pytest.mark.parametrize("case", FEWEST[3:], ids=repr)
def test_rewards_over_a_game_are_those_of_its_result(case: Case, name: str) -> None:
    state = case.start()
    rng = Stream(f"{case} rewards")
    scorer = Scorer(name)
    scorer.begin(state.scores())
    first = state.scores()
    total = [0.0] * case.seats
    while state.due():
        play_on(state, rng, 1)
        gained = scorer.rewards(state.scores(), state.outcome())
        total = [old + new for old, new in zip(total, gained, strict=True)]
    outcome = state.outcome()
    assert outcome is not None
    wanted = {
        "win": win_rewards(outcome),
        "rank": rank_rewards(outcome),
        "difference": differences(outcome.scores),
        "moves": [end - start for end, start in zip(differences(outcome.scores), differences(first), strict=True)],
        "points": [end - start for end, start in zip(outcome.scores, first, strict=True)],
    }
    assert total == pytest.approx(wanted[name])


def test_an_unknown_reward_is_refused_in_words() -> None:
    with pytest.raises(BadOption, match="win, rank, difference, moves, points"):
        Scorer("money")
