"""The example players in `examples/`, run as a person runs them."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import HERE

import wellies

EXAMPLES = HERE.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

import ismcts  # noqa: E402


@pytest.mark.parametrize("game", ["aquarium", "guppies", "marram", "puppies", "umbradeco"])
def test_ismcts_plays_every_game_and_sees_no_more_than_its_seat(game: str) -> None:
    """States that a seat cannot tell apart get the same move for the same random numbers."""
    rng = random.Random(3)
    state = wellies.game(game).start(2)
    decided = 0
    while decided < 6:
        seat = state.due()[0]
        if seat == wellies.CHANCE:
            state.step(wellies.CHANCE, state.chance(rng))
            continue
        move = ismcts.ismcts(state, seat, random.Random(decided), iterations=3)
        assert move in state.legal(seat)
        other = state.resample(seat, random.Random(99))
        assert ismcts.ismcts(other, seat, random.Random(decided), iterations=3) == move
        state.step(seat, move)
        decided += 1


def test_ismcts_beats_random_play_with_few_iterations() -> None:
    assert sum(ismcts.play("aquarium", "random", 20, number) for number in range(3)) >= 2


def test_ismcts_names_a_mistake() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "ismcts.py", "gupies"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert 'Did you mean "guppies"?' in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed (pip install torch)")
def test_ppo_learns_a_little_and_saves_what_it_has_learned(tmp_path: Path) -> None:
    words = "--imitate 1 --minutes 0.01 --rows 4 --steps 8 --games 1 --save".split()
    done = subprocess.run(
        [sys.executable, EXAMPLES / "ppo.py", *words, tmp_path / "agent.pt"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("against greedy:") == 2
    import ppo

    agent, encoding = ppo.load(str(tmp_path / "agent.pt"))
    state = wellies.game("puppies").start(2)
    dice = wellies.Stream(1)
    while state.due() == [wellies.CHANCE]:
        state.step(wellies.CHANCE, state.chance(dice))
    seat = state.due()[0]
    assert ppo.choose(agent, encoding, state, seat) in state.legal(seat)
