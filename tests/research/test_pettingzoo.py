"""The environments of PettingZoo pass PettingZoo's own tests, and do what they say."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers import SOAK, Case
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    seed_test,
)
from research_cases import CASES, FEWEST, late_position

import wellies
from wellies import BadOption, IllegalMove
from wellies.research import pettingzoo

every_case = pytest.mark.parametrize("case", CASES, ids=repr)
every_game = pytest.mark.parametrize("case", FEWEST, ids=repr)
CYCLES = 500 if SOAK else 12

EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
)
"""Warnings that every environment with a mask beside its observation gets, but for those PettingZoo knows by name."""


@pytest.fixture(autouse=True)
def _no_other_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in EXPECTED:
            warnings.filterwarnings("ignore", text)
        yield


@every_case
def test_the_turn_based_environment_passes_the_api_and_seed_tests(case: Case) -> None:
    make = partial(pettingzoo.env, case.game, seats=case.seats, options=case.options)
    api_test(make(), num_cycles=CYCLES)
    seed_test(make, num_cycles=CYCLES)


@every_case
def test_the_parallel_environment_passes_the_api_and_seed_tests(case: Case) -> None:
    make = partial(pettingzoo.parallel_env, case.game, seats=case.seats, options=case.options)
    parallel_api_test(make(), num_cycles=CYCLES)
    parallel_seed_test(make, num_cycles=CYCLES)


@every_case
def test_games_are_cut_off_after_the_most_cycles(case: Case) -> None:
    module = SimpleNamespace(
        env=partial(pettingzoo.env, case.game, case.seats, case.options),
        parallel_env=partial(pettingzoo.parallel_env, case.game, case.seats, case.options),
    )
    max_cycles_test(module)


@pytest.mark.parametrize("form", ["dict", "floats", "planes"])
@every_game
def test_all_forms_of_observations_pass_the_api_test(case: Case, form: str) -> None:
    if form == "planes" and case.game == "puppies":
        with pytest.raises(BadOption, match="no board"):
            pettingzoo.env(case.game, observations=form)
        return
    api_test(pettingzoo.env(case.game, observations=form, rewards="moves"), num_cycles=6)


@pytest.mark.parametrize("case", FEWEST if SOAK else FEWEST[-1:], ids=repr)
def test_the_benchmark_runs(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    """It takes five seconds of its own."""
    performance_benchmark(pettingzoo.env(case.game))
    assert "turns per second" in capsys.readouterr().out


def played(environment: Any, seed: int) -> tuple[list[Any], dict[str, float]]:
    """Play a game of legal actions, always the one in the middle; returns all that happened, and the rewards."""
    environment.reset(seed=seed)
    total = dict.fromkeys(environment.possible_agents, 0.0)
    happened: list[Any] = []
    for agent in environment.agent_iter():
        seen, reward, over, cut, _ = environment.last()
        total[agent] += reward
        if over or cut:
            environment.step(None)
            continue
        legal = np.flatnonzero(seen["action_mask"])
        action = int(legal[len(legal) // 2])
        happened.append((agent, action))
        environment.step(action)
    return happened, total


@every_game
def test_a_game_is_played_to_its_end_and_rewards_are_those_of_the_result(case: Case) -> None:
    position = late_position(case, 12)
    environment = pettingzoo.raw_env(case.game, position=position) if position else pettingzoo.raw_env(case.game)
    happened, total = played(environment, 5)
    outcome = environment.table.episode.state.outcome()
    assert outcome is not None
    assert sum(total.values()) == pytest.approx(0)
    winners = {f"seat_{seat}" for seat in outcome.winners}
    assert {agent for agent, reward in total.items() if reward == max(total.values())} == winners
    assert played(environment, 5) == (happened, total)


def test_a_seed_leads_to_a_series_of_games() -> None:
    environment = pettingzoo.raw_env("umbradeco")

    def series() -> list[bytes]:
        environment.reset(seed=3)
        first = environment.state().tobytes()
        environment.reset()
        return [first, environment.state().tobytes()]

    assert series() == series()
    assert len(set(series())) == 2


def test_an_illegal_action_changes_nothing_and_names_the_rule() -> None:
    environment = pettingzoo.raw_env("guppies", 2)
    environment.reset(seed=1)
    before = environment.state().tobytes()
    agent = environment.agent_selection
    illegal = int(np.flatnonzero(environment.observe(agent)["action_mask"] == 0)[0])
    environment.step(illegal)
    assert environment.agent_selection == agent
    assert environment.state().tobytes() == before
    assert environment.infos[agent]["refused"]
    environment.step(10**6)
    assert "no action 1000000" in environment.infos[agent]["refused"]
    strict = pettingzoo.raw_env("guppies", 2, illegal="error")
    strict.reset(seed=1)
    with pytest.raises(IllegalMove):
        strict.step(illegal)


@pytest.mark.parametrize("action", ["3", 1.5, None, [1]])
def test_an_action_that_is_no_number_is_refused_in_words(action: Any) -> None:
    environment = pettingzoo.raw_env("umbradeco", 2)
    environment.reset(seed=1)
    with pytest.raises(BadOption, match="an action is a whole number, and this is"):
        environment.step(action)
    together = pettingzoo.parallel_env("puppies", 2)
    together.reset(seed=1)
    with pytest.raises(BadOption, match="an action is a whole number"):
        together.step({"seat_0": action})
    for actions in ({"seat_7": 1}, [1, 2]):
        with pytest.raises(BadOption, match=r"the agents are seat_0, seat_1"):
            together.step(actions)


def test_seats_that_choose_at_once_step_together_and_the_others_wait() -> None:
    environment = pettingzoo.parallel_env("puppies", 3)
    seen, _ = environment.reset(seed=2)
    wait = environment.action_space("seat_0").n - 1
    assert all(not seen[agent]["action_mask"][wait] for agent in environment.agents), "all choose a card"
    seen, *_ = environment.step({agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in seen})
    state = environment.table.episode.state
    due = {f"seat_{seat}" for seat in state.due()}
    assert len(due) == 1
    for agent in environment.agents:
        assert bool(seen[agent]["action_mask"][wait]) == (agent not in due)
    _, _, _, _, infos = environment.step(dict.fromkeys(environment.agents, wait))
    assert {agent for agent, info in infos.items() if "refused" in info} == due


def test_a_net_may_be_used_out_of_turn_in_place_of_waiting() -> None:
    environment = pettingzoo.parallel_env("aquarium", 2)
    seen, _ = environment.reset(seed=4)
    state = environment.table.episode.state
    while len(state.due()) > 1 or len(state.active()) == 1:
        seen, *_ = environment.step({agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in seen})
    (mover,) = state.due()
    other = f"seat_{1 - mover}"
    wait = environment.action_space(other).n - 1
    offered = np.flatnonzero(seen[other]["action_mask"])
    assert offered[-1] == wait
    assert len(offered) > 1
    mine = int(np.flatnonzero(seen[f"seat_{mover}"]["action_mask"])[0])
    *_, infos = environment.step({f"seat_{mover}": mine, other: int(offered[0])})
    assert infos == {"seat_0": {}, "seat_1": {}}
    assert not state.nets[1 - mover]


def test_an_environment_can_be_pickled_in_the_middle_of_a_game() -> None:
    environment = pettingzoo.raw_env("aquarium", 2)
    environment.reset(seed=8)
    again = pickle.loads(pickle.dumps(environment))
    for each in (environment, again):
        each.step(int(np.flatnonzero(each.observe(each.agent_selection)["action_mask"])[3]))
    assert again.state().tobytes() == environment.state().tobytes()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"rewards": "winn"}, "win, rank"),
        ({"observations": "pixels"}, "flat, dict"),
        ({"illegal": "maybe"}, "refuse, error"),
        ({"render_mode": "svg"}, "ansi, human"),
        ({"seats": 9}, "2 to 6 seats"),
        ({"options": {"tables": 1}}, "has no option 'tables'"),
        ({"position": {"game": "guppies"}, "seats": 3}, "for 2 seats"),
    ],
)
def test_wrong_settings_are_refused_in_words(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(BadOption, match=text):
        pettingzoo.env("guppies", **settings)


def test_a_game_without_an_encoding_is_refused_in_words() -> None:
    from toy import ToySpec

    with pytest.raises(wellies.BadGame, match="brings no encoding"):
        pettingzoo.env(ToySpec())
