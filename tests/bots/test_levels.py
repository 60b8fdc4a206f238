"""The levels: what they promise, and that each step up is one."""

from __future__ import annotations

import os

import pytest

import wellies
from wellies import CHANCE, Stream
from wellies.bots import bot, list_bots, make_bot
from wellies.bots.base import think_time
from wellies.bots.search.bot import SearchBot
from wellies.bots.simulate import make_plan, run

LEVELS = ["drizzle", "shower", "storm", "monsoon"]


def test_levels_come_first_and_say_what_they_are() -> None:
    assert list_bots()[:4] == LEVELS
    assert set(list_bots()) > {"greedy", "random"}
    for name in LEVELS:
        each = bot(name)
        assert each.name == name
        assert each.summary.endswith(".")
        assert each.strength
        assert think_time(each)
    assert [bot(name).strength for name in ("greedy", "random")] == ["", ""]
    assert think_time(bot("drizzle")) == "at once"
    assert think_time(bot("storm")) == "about a second"
    assert think_time(bot("monsoon")) == "up to 6 seconds"


@pytest.mark.parametrize("game", wellies.list_games())
def test_budgets_grow_and_are_capped(game: str) -> None:
    storm, monsoon = bot("storm"), bot("monsoon")
    assert isinstance(storm, SearchBot)
    assert isinstance(monsoon, SearchBot)
    further = monsoon.heuristics(game).horizon > storm.heuristics(game).horizon
    assert monsoon.budget(game).nodes >= (2 if further else 3) * storm.budget(game).nodes
    assert 0 < storm.budget(game).seconds <= storm.seconds
    assert 0 < monsoon.budget(game).seconds <= monsoon.seconds
    assert monsoon.heuristics(game) is not storm.heuristics(game)
    assert monsoon.heuristics(game).horizon >= storm.heuristics(game).horizon
    assert monsoon.heuristics(game).width >= storm.heuristics(game).width


def wins(game: str, one: str, two: str, games: int) -> float:
    plan = make_plan(game, [one, two], games=games, seed=11)
    return sum(
        1 / len(result.winners)
        for result in run(plan)
        for seat, index in enumerate(plan.seated(result.number))
        if index == 0 and seat in result.winners
    )


@pytest.mark.parametrize(
    "game", ["aquarium", "puppies", "umbradeco"] if os.environ.get("WELLIES_SOAK") else ["puppies"]
)
def test_drizzle_beats_chance_and_loses_to_shower(game: str) -> None:
    """The seed is fixed, so this fails only when a bot or a game changes. `make soak` plays more games."""
    games = 20 if os.environ.get("WELLIES_SOAK") else 10
    assert wins(game, "drizzle", "random", games) >= 0.6 * games
    assert wins(game, "drizzle", "shower", games) <= 0.6 * games


def test_shower_is_greedy() -> None:
    state = wellies.game("guppies").start(2, {})
    dice = Stream(1)
    for _ in range(12):
        seat = state.due()[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(dice))
            continue
        moves = {bot(name).choose(state, seat, Stream(3)) for name in ("greedy", "shower")}
        assert len(moves) == 1
        state.step(seat, moves.pop())
    assert make_bot("shower:looks=60").name == "shower"
