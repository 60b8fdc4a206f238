"""The maker, on tiny runs."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from wellies.core.dice import Stream
from wellies.core.errors import BadOption
from wellies.games import game
from wellies.puzzles import collect, maker
from wellies.puzzles.collect import Plan, Progress, appended, journal_of, select, set_text
from wellies.puzzles.puzzle import EPOCH, puzzle_set, read_set

PLAN = Plan("umbradeco", 2, {"mat": "small"}, 1, 1, 40, 6)
"""A short game, and a seed that gives puzzles; when the estimates of the game change, look for another."""


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any], list[Progress]]:
    """One game of Umbradeco, checked by few rollouts."""
    out = tmp_path_factory.mktemp("made") / "umbradeco.json"
    told: list[Progress] = []
    return out, collect.collect(PLAN, out, 1, set(), told.append), told


def test_a_run_finds_puzzles_and_tells_how_far_it_is(first: tuple[Path, list[Any], list[Progress]]) -> None:
    _, found, told = first
    assert [each.games for each in told] == [0, 1]
    assert told[-1].found >= len(found) == PLAN.count
    for puzzle in found:
        assert puzzle["moves"][0]["lost"] == 0 < puzzle["moves"][1]["lost"]
        assert puzzle["moves"][0]["move"] not in puzzle["obvious"]


def test_a_run_that_was_stopped_goes_on_without_playing_again(
    first: tuple[Path, list[Any], list[Progress]], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, found, _ = first
    with journal_of(out).open("a") as lines:
        lines.write('{"key": "cut o')  # it was stopped in the middle of a line
    monkeypatch.setattr(collect, "ProcessPool", _no_games)
    told: list[Progress] = []
    assert collect.collect(replace(PLAN, games=0), out, 1, set(), told.append) == found
    other = replace(PLAN, rollouts=50)
    with pytest.raises(BadOption, match="belongs to a run with another game"):
        collect.collect(other, out, 1, set(), told.append)


def _no_games(*_: object) -> None:
    raise AssertionError("a game was played again")


def test_a_shipped_puzzle_passes_the_check_again_with_other_dice() -> None:
    puzzle = puzzle_set("puppies").puzzles[0]
    made = maker.check(game("puppies"), puzzle.position, puzzle.seat, 240, 4711)
    assert made is not None
    assert made["moves"][0]["move"] == puzzle.best.move


def test_a_position_where_the_obvious_move_is_the_best_is_no_puzzle() -> None:
    spec = game("puppies")
    dice = Stream(3)
    state = spec.start(2)
    while state.due():
        seat = state.due()[0]
        if seat < 0:
            state.step(seat, state.chance(dice))
        elif len(state.legal(seat)) >= 3:
            break
        else:
            state.step(seat, state.legal(seat)[0])
    puzzle = maker.check(spec, state.position(seat), seat, 40, 1)
    assert puzzle is None or puzzle["moves"][0]["move"] not in puzzle["obvious"]


def _puzzle(number: int, part: int) -> dict[str, Any]:
    return {"position": {"number": number}, "seat": 0, "part": part}


def test_a_set_is_spread_over_the_parts_of_games_and_has_nothing_twice() -> None:
    found = {0: [_puzzle(each, 2) for each in range(8)], 1: [_puzzle(0, 2), _puzzle(20, 0), _puzzle(21, 1)]}
    strict = select(found, 6, set(), True)
    assert [each["part"] for each in strict] == [2, 2, 2, 0, 1]
    assert len(select(found, 6, set(), False)) == 6
    known = {collect.position_key(_puzzle(20, 0))}
    assert all(each["position"]["number"] != 20 for each in select(found, 6, known, False))


def test_a_file_can_be_read_again_and_refuses_an_earlier_beginning(
    first: tuple[Path, list[Any], list[Progress]],
) -> None:
    puzzles = puzzle_set("puppies")
    assert puzzles.puzzles
    new = appended(None, "puppies", [{"x": 1}], {"puzzles": 1}, EPOCH)
    assert json.loads(set_text(new)) == new
    more = appended(new, "puppies", [{"x": 2}], {"puzzles": 1}, EPOCH + timedelta(days=3))
    assert [each["count"] for each in more["schedule"]] == [1, 2]
    with pytest.raises(BadOption, match="later day"):
        appended(more, "puppies", [{"x": 3}], {"puzzles": 1}, EPOCH + timedelta(days=3))
    found = first[1]
    assert read_set(appended(None, "umbradeco", found, {"puzzles": 1}, EPOCH)).on(EPOCH).number == 1
