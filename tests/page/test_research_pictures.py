"""Environments draw with the page's own boards. A process of its own drives the browser, so no fixture is needed."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from helpers import Case
from research_cases import FEWEST, play_on
from services import skip_without

import wellies.research
from wellies import Stream
from wellies.research import pettingzoo
from wellies.research.page_pictures import NoPicture, picture


@pytest.fixture(scope="module", autouse=True)
def _a_browser() -> None:
    assert wellies.research
    try:
        picture(wellies.game("umbradeco").start(2))
    except NoPicture as error:
        if "the browser" not in str(error):
            raise
        skip_without("a browser", str(error))


@pytest.mark.parametrize("case", FEWEST, ids=repr)
def test_the_page_draws_the_board_of_every_game(case: Case) -> None:
    state = case.start()
    play_on(state, Stream(f"{case} picture"), 4)
    before = picture(state)
    assert before.dtype == np.uint8
    assert before.ndim == 3
    assert before.shape[2] == 3
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 50, "there is something to see"
    assert (picture(state) == before).all(), "a table is always drawn alike"
    assert (picture(state.resample(0, Stream(1))) == before).all(), "and shows nothing that a seat hides"
    play_on(state, Stream(f"{case} picture on"), 6)
    assert (picture(state) != before).any()


def test_an_environment_returns_the_picture() -> None:
    environment = pettingzoo.raw_env("guppies", render_mode="rgb_array")
    environment.reset(seed=1)
    assert (environment.render() == picture(environment.table.episode.state)).all()


def test_gymnasium_accepts_all_ways_of_drawing(capsys: pytest.CaptureFixture[str]) -> None:
    made = gymnasium.make("wellies/Umbradeco-v0", opponents="random", render_mode="rgb_array")
    check_env(made.unwrapped)
    assert "WARN" not in capsys.readouterr().err
