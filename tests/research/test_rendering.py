"""Tables as text. Pictures are in tests/page/test_research_pictures.py."""

from __future__ import annotations

import pytest

from wellies import BadOption, Stream
from wellies.research import pettingzoo
from wellies.research.gymnasium import GameEnv
from wellies.research.rendering import Renderer


def test_a_table_is_drawn_as_a_terminal_draws_it_for_a_spectator() -> None:
    environment = pettingzoo.raw_env("umbradeco", render_mode="ansi")
    environment.reset(seed=1)
    state = environment.table.episode.state
    assert environment.render() == str(state)
    assert environment.render() == str(state.resample(0, Stream(1)))


def test_people_see_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    environment = GameEnv("umbradeco", opponents="random", render_mode="human")
    _, info = environment.reset(seed=2)
    assert capsys.readouterr().out == f"{environment.episode.state}\n"
    environment.step(int(info["action_mask"].argmax()))
    assert capsys.readouterr().out == f"{environment.episode.state}\n"
    assert environment.render() is None


def test_nothing_is_drawn_unless_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    environment = pettingzoo.parallel_env("puppies")
    environment.reset(seed=3)
    assert environment.render() is None
    assert capsys.readouterr().out == ""


def test_an_unknown_mode_is_refused_in_words() -> None:
    with pytest.raises(BadOption, match="ansi, human, rgb_array"):
        Renderer("rgb")
