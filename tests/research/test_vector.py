"""Many games at once as arrays: `wellies.research.vector`."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed (pip install 'wellies[research]')")

import toy  # noqa: E402

import wellies  # noqa: E402
from wellies import BadGame, BadOption, IllegalMove, Outcome, WelliesError  # noqa: E402
from wellies.bots.process_pool import WorkerLost  # noqa: E402
from wellies.games import unregister  # noqa: E402
from wellies.research.rewards import differences, rank_rewards  # noqa: E402
from wellies.research.vector import VectorEnv  # noqa: E402

GAMES = ["aquarium", "guppies", "marram", "puppies", "umbradeco"]


def play(env: VectorEnv, steps: int) -> list[list[Any]]:
    """Random games: copies of all arrays after each step."""
    observations, masks, infos = env.reset()
    shown = [[observations.copy(), masks.copy(), infos["seat"].copy()]]
    for _ in range(steps):
        observations, masks, rewards, dones, infos = env.step(env.sample_actions())
        shown.append([np.copy(each) for each in (observations, masks, rewards, dones, *infos.values())])
    return shown


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_games_whatever_the_number_of_processes(game: str) -> None:
    with VectorEnv(game, 5, seed=7) as alone, VectorEnv(game, 5, seed=7, processes=2) as shared:
        for one, other in zip(play(alone, 30), play(shared, 30), strict=True):
            assert all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))
    with VectorEnv(game, 5, seed=8) as another:
        assert not np.array_equal(play(another, 30)[-1][0], one[0])


@pytest.mark.parametrize("game", GAMES)
def test_each_row_shows_what_the_seat_to_act_sees_and_may_do(game: str) -> None:
    with VectorEnv(game, 3, seats=3, seed=1) as env:
        env.reset()
        cells, mask = bytearray(env.encoding.size), bytearray(env.encoding.actions)
        for _ in range(40):
            env.step(env.sample_actions())
            for row, state in enumerate(env.states()):
                seat = int(env.infos["seat"][row])
                assert seat in state.due()
                env.encoding.observe(state, seat, cells)
                env.encoding.write_mask(state, seat, mask)
                assert env.observations[row].tobytes() == cells
                assert env.masks[row].tobytes() == mask


def test_a_game_that_ends_is_followed_by_a_new_one_and_the_winner_is_rewarded() -> None:
    ended = 0
    with VectorEnv("aquarium", 8, seats=3, seed=2) as env:
        env.reset()
        for _ in range(120):
            _, masks, rewards, dones, infos = env.step(env.sample_actions())
            assert masks.any(axis=1).all()
            assert not rewards[dones == 0].any()
            for row in np.flatnonzero(dones):
                ended += 1
                scores = infos["final_scores"][row]
                winners = scores == scores.max()
                assert rewards[row].sum() == pytest.approx(0)
                assert rewards[row][winners] == pytest.approx((3 / winners.sum() - 1) / 2)
                assert rewards[row][~winners] == pytest.approx(-0.5)
                assert 20 < infos["length"][row] < 60
    assert ended > 16


def test_rewards_are_those_of_the_rewards_module() -> None:
    """Points and their difference by the move; rank and difference at the end."""
    kinds = ["points", "moves", "rank", "difference"]
    envs = [VectorEnv("umbradeco", 2, seats=3, seed=5, rewards=kind) for kind in kinds]
    points, moves, rank, difference = envs
    for env in envs:
        env.reset()
    points_sum, moves_sum = np.zeros((2, 3)), np.zeros((2, 3))
    while not points.dones.any():
        actions = points.sample_actions()
        for env in envs:
            env.step(actions)
        points_sum += points.rewards
        moves_sum += moves.rewards
        assert moves.rewards.sum(axis=1) == pytest.approx(0, abs=1e-5)
        assert rank.rewards.any() == difference.rewards.any() == points.dones.any()
    row = int(np.argmax(points.dones))
    scores = points.infos["final_scores"][row].tolist()
    assert points_sum[row].tolist() == scores
    assert moves_sum[row] == pytest.approx(differences(scores), abs=1e-3)
    assert difference.rewards[row] == pytest.approx(differences(scores))
    assert rank.rewards[row] == pytest.approx(rank_rewards(Outcome(scores, "")))


def test_arrays_are_made_once_and_cannot_be_written_to() -> None:
    with VectorEnv("puppies", 2, seed=1) as env:
        first, masks, _infos = env.reset()
        second = env.step(env.sample_actions())[0]
        assert first is second
        with pytest.raises(ValueError, match="read-only"):
            masks[0, 0] = 1


def test_observations_can_be_left_out() -> None:
    with VectorEnv("guppies", 2, seed=1, observations="none") as env:
        assert env.reset()[0].shape == (2, 0)
        assert env.step(env.sample_actions())[1].any()


def test_a_bad_action_is_refused_with_the_game_the_action_and_the_legal_ones() -> None:
    with VectorEnv("puppies", 4, seed=1) as env:
        with pytest.raises(BadOption, match=r"call reset\(\) once first"):
            env.step([0, 0, 0, 0])
        env.reset()
        before = env.observations.copy()
        actions = env.sample_actions()
        illegal = int(np.argmin(env.masks[2]))
        legal = np.flatnonzero(env.masks[2])
        wrong = actions.copy()
        wrong[2] = illegal
        with pytest.raises(IllegalMove) as caught:
            env.step(wrong)
        assert f"game 2: action {illegal} (" in str(caught.value)
        assert "Legal are: " + ", ".join(map(str, legal)) in str(caught.value)
        wrong[2] = env.encoding.actions
        with pytest.raises(IllegalMove, match=f"game 2: there is no action {env.encoding.actions}; puppies has"):
            env.step(wrong)
        with pytest.raises(BadOption, match=r"4 whole numbers, one action for each game; this is .* \(3,\)"):
            env.step(actions[:3])
        with pytest.raises(BadOption, match=r"whole numbers.*float64"):
            env.step(actions + 0.5)
        assert np.array_equal(env.observations, before)
        env.step(actions)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_envs": 0}, "num_envs=0: give a whole number from 1"),
        ({"processes": 0}, "processes=0: give a whole number"),
        ({"seed": -1}, "seed=-1"),
        ({"rewards": "wins"}, 'choose one of win, rank, difference, moves, points. Did you mean "win"?'),
        ({"observations": "planes"}, "give one of flat, none"),
        ({"seats": 9}, "is for 2"),
        ({"options": {"colour": "red"}}, "colour"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption) as caught:
        VectorEnv(**{"game": "puppies", "num_envs": 2, **arguments})
    assert words in str(caught.value)


def test_a_game_without_an_encoding_says_so() -> None:
    wellies.register(toy.ToySpec())
    try:
        with pytest.raises(BadGame, match="the game 'toy' brings no encoding"):
            VectorEnv("toy", 2)
    finally:
        unregister("toy")


def mappings() -> int:
    """How many pieces of shared memory of multiprocessing this process has."""
    return sum("pym-" in line for line in Path("/proc/self/maps").read_text().splitlines())


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux lists the memory of a process")
def test_a_lost_worker_is_an_error_that_ends_the_others_and_frees_the_memory() -> None:
    gc.collect()
    before = mappings()
    # Python keeps pieces of less than 4 MB for the next that needs one; this is more.
    env = VectorEnv("guppies", 256, seed=1, processes=2)
    env.reset()
    actions = env.sample_actions()
    assert mappings() > before
    workers = [worker for worker, _link in env._workers]
    assert workers[1].pid is not None
    os.kill(workers[1].pid, signal.SIGKILL)
    with pytest.raises(WorkerLost, match=r"worker process 1 of 2 has ended by itself \(exit code -9\)"):
        env.step(actions)
    assert not any(worker.is_alive() for worker in workers)
    with pytest.raises(WelliesError, match="is closed: worker process 1 of 2 has ended"):
        env.reset()
    env.close()
    del env
    gc.collect()
    assert mappings() <= before


def test_workers_end_with_the_program_that_started_them(tmp_path: Path) -> None:
    """Even if it is killed: nothing is left running, and no shared memory has a name that could stay behind."""
    code = """
import time
from wellies.games import unregister  # noqa: E402
from wellies.research.rewards import differences, rank_rewards  # noqa: E402
from wellies.research.vector import VectorEnv
if __name__ == "__main__":
    env = VectorEnv("puppies", 4, seed=1, processes=2)
    env.reset()
    print(*[worker.pid for worker, _link in env._workers], flush=True)
    time.sleep(600)
"""
    script = tmp_path / "program.py"
    script.write_text(code)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        pids = [int(word) for word in program.stdout.readline().split()]
        assert len(pids) == 2
        program.kill()
        # The workers hold the pipe too: its end means that all of them are gone.
        assert program.stdout.read() == ""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers_can_be_started_by_every_method(method: str) -> None:
    with VectorEnv("aquarium", 2, seed=1, processes=2, method=method) as env, VectorEnv("aquarium", 2, seed=1) as alone:
        assert np.array_equal(env.reset()[0], alone.reset()[0])
