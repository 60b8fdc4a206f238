"""The environments of Gymnasium pass Gymnasium's own checks, and play against bots."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from helpers import Case
from research_cases import CASES, FEWEST, late_position

from wellies import BadOption, IllegalMove, UnknownBot
from wellies.research.gymnasium import GameEnv
from wellies.research.registration import environment_id


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_every_environment_passes_the_checks(case: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make(
            environment_id(case.game), seats=case.seats, options=case.options, opponents="random", illegal_reward=-0.5
        )
        check_env(made.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("form", ["dict", "floats", "planes"])
def test_all_forms_of_observations_pass_the_checks(form: str) -> None:
    check_env(GameEnv("umbradeco", observations=form, opponents="random"), skip_render_check=True)


def test_the_environments_are_known_by_name() -> None:
    made = gymnasium.make("wellies/Guppies-v0", seats=2, opponents="greedy").unwrapped
    assert isinstance(made, GameEnv)
    assert made.episode.spec.name == "guppies"
    assert [environment_id(case.game) for case in FEWEST] == [
        "wellies/Aquarium-v0",
        "wellies/Guppies-v0",
        "wellies/Marram-v0",
        "wellies/Puppies-v0",
        "wellies/Umbradeco-v0",
    ]


def play(environment: GameEnv, seed: int) -> tuple[list[float], dict[str, Any]]:
    """A game of the first legal actions: the rewards, and the last info."""
    _, info = environment.reset(seed=seed)
    rewards: list[float] = []
    over = False
    while not over:
        assert info["action_mask"].any()
        assert (environment.action_masks() == info["action_mask"].astype(bool)).all()
        _, reward, over, _, info = environment.step(int(np.flatnonzero(info["action_mask"])[0]))
        rewards.append(reward)
    return rewards, info


@pytest.mark.parametrize("case", FEWEST, ids=repr)
def test_a_game_against_a_bot_comes_to_its_end(case: Case) -> None:
    environment = GameEnv(case.game, opponents="greedy:looks=4", position=late_position(case, 10))
    rewards, info = play(environment, 2)
    outcome = environment.episode.state.outcome()
    assert outcome is not None
    assert not any(rewards[:-1])
    assert rewards[-1] == {(0,): 1.0, (1,): -1.0, (0, 1): 0.0}[tuple(outcome.winners)]
    assert not info["action_mask"].any()
    assert play(environment, 2)[0] == rewards, "a seed determines the game, the bots' moves too"


def test_rewards_by_the_move_sum_to_the_difference() -> None:
    environment = GameEnv("umbradeco", 3, rewards="moves", opponents="random")
    rewards, _ = play(environment, 3)
    scores = environment.episode.state.scores()
    assert sum(rewards) == pytest.approx(scores[0] - (scores[1] + scores[2]) / 2)


def test_the_agent_may_have_another_seat_in_each_game() -> None:
    environment = GameEnv("umbradeco", 3, seat="random", opponents=["random", "greedy:looks=2"])
    seats = set()
    for seed in range(12):
        environment.reset(seed=seed)
        assert environment.seat in environment.episode.state.due()
        seats.add(environment.seat)
    assert seats == {0, 1, 2}


def test_an_illegal_action_changes_nothing_and_costs_what_was_agreed() -> None:
    environment = GameEnv("guppies", opponents="random", illegal_reward=-2.0)
    before, info = environment.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, over, cut, told = environment.step(illegal)
    assert (after == before).all()
    assert (reward, over, cut) == (-2.0, False, False)
    assert told["refused"]
    strict = GameEnv("guppies", illegal="error")
    strict.reset(seed=1)
    with pytest.raises(IllegalMove):
        strict.step(illegal)


def test_wrong_settings_are_refused_in_words() -> None:
    with pytest.raises(BadOption, match="2 bots for 1 other seats"):
        GameEnv("guppies", opponents=["random", "random"])
    with pytest.raises(BadOption, match="is not a seat"):
        GameEnv("guppies", seat=2)
    with pytest.raises(BadOption, match="5 is no bot; give the name"):
        GameEnv("guppies", opponents=5)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="5 is no bot; give a name such as"):
        GameEnv("guppies", opponents=[5])  # type: ignore[list-item]
    with pytest.raises(BadOption, match=r"call reset\(\) once first"):
        GameEnv("guppies").step(0)
    with pytest.raises(UnknownBot, match="greedy"):
        GameEnv("guppies", opponents="gredy")
