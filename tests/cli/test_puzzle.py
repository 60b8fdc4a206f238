"""The puzzle of the day at a terminal: a script types, and what was shown is read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from importlib import resources
from pathlib import Path

import pytest
from cli.test_session import Script

from wellies.cli.files import FileTrouble
from wellies.cli.puzzle import list_days, load_results, results_file, run_puzzle, save_results
from wellies.puzzles.collect import Plan, journal_of
from wellies.puzzles.puzzle import EPOCH, game_of_day, puzzle_on
from wellies.puzzles.results import Result, streak

Command = Callable[..., tuple[int, str, str]]
GAME = "umbradeco"
PUZZLE = puzzle_on(GAME, EPOCH)


def play(*lines: str, day: date = EPOCH) -> str:
    script = Script(*lines)
    assert run_puzzle(GAME, EPOCH, day, script) == 0
    return "".join(script.pages)


def test_the_best_move_is_praised_and_the_result_can_be_shared() -> None:
    shown = play(PUZZLE.best.move)
    assert "Yes: " in shown
    assert "Wellies puzzle 1 · Umbradeco · 2026-11-18\n👢👢👢" in shown
    assert load_results(results_file())[GAME, EPOCH] == Result(PUZZLE.best.move, 3, EPOCH)


def test_the_first_try_counts_and_the_obvious_move_is_explained() -> None:
    shown = play("hint", "undo", "nonsense", PUZZLE.obvious[0])
    assert "There is no hint in a puzzle" in shown
    assert "There is no undo in a puzzle" in shown
    assert "That move loses" in shown
    assert "Best is: " in shown
    assert "👢👢👢" not in shown
    again = play(PUZZLE.best.move)
    assert "Yes: " in again
    assert "Your first try is the one that counts." in again
    assert "👢👢👢" not in again
    assert load_results(results_file())[GAME, EPOCH].move == PUZZLE.obvious[0]


def test_a_shared_result_tells_nothing_about_the_move() -> None:
    shared = play(PUZZLE.best.move).partition("To share:")[2]
    assert PUZZLE.best.move not in shared


def test_whoever_quits_has_not_tried() -> None:
    play("moves", "quit")
    play()  # the input ends
    assert not results_file().exists()


def test_nothing_before_the_answer_names_the_best_move_first() -> None:
    shown = play("?", "quit")
    assert "undo" not in shown
    assert "the verdict" not in shown


def test_a_streak_is_kept_by_days() -> None:
    tries = {
        (game_of_day(day), day): Result("x", 3, day) for day in (EPOCH + timedelta(days=number) for number in range(3))
    }
    assert [streak(tries, EPOCH + timedelta(days=number)) for number in range(5)] == [1, 2, 3, 3, 0]
    late = {(GAME, EPOCH): Result("x", 3, EPOCH + timedelta(days=1))}
    assert streak(late, EPOCH + timedelta(days=1)) == 0
    save_results(results_file(), tries)
    script = Script()
    list_days(EPOCH + timedelta(days=2), script)
    assert "3 days in a row" in script.pages[-1]
    assert script.pages[-1].count("3 of 3") == 3


def test_damaged_results_are_named_and_not_overwritten() -> None:
    path = results_file()
    path.parent.mkdir(parents=True)
    path.write_text('{"first_tries": {"umbradeco never": {}}}')
    with pytest.raises(FileTrouble, match="no list of puzzle results"):
        play(PUZZLE.best.move)
    assert "never" in path.read_text()


def test_the_command_names_what_is_wrong(wellies: Command, tmp_path: Path) -> None:
    for words, says in (
        (["puzzle", "snakes"], "There are no puzzles of 'snakes'"),
        (["puzzle", GAME, "--date", "2026-11-17"], "The first puzzles are those of 2026-11-18"),
        (["puzzle", GAME, "--date", "soon"], "'soon' is not a date"),
        (["puzzles", "make", GAME, "--count", "0", "--out", str(tmp_path / "new.json")], "--count 0"),
        (["puzzles", "make", GAME, "--from", "soon", "--out", str(tmp_path / "new.json")], "--from 'soon'"),
        (["puzzles", "make", GAME, "--out", str(tmp_path)], "is a folder"),
    ):
        code, _, err = wellies(*words)
        assert code == 2, words
        assert says in err, err
        assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_making_puzzles_goes_on_from_its_journal_and_writes_a_file_that_can_be_read(
    wellies: Command, tmp_path: Path
) -> None:
    out = tmp_path / "puppies.json"
    shipped = json.loads(
        resources.files("wellies.puzzles").joinpath("data", "puppies.json").read_text(encoding="utf-8")
    )
    plan = Plan("puppies", 2, {}, 1, 2, 40, 1)
    done = {"key": plan.key(), "game": 0, "puzzles": shipped["puzzles"][:1]}
    journal_of(out).write_text(json.dumps(done) + "\n")
    code, said, err = wellies(
        "puzzles", "make", "puppies", "--count", "1", "--games", "2", "--rollouts", "40", "--out", out
    )
    assert code == 0, err
    content = json.loads(out.read_text())
    assert content["game"] == "puppies"
    assert len(content["puzzles"]) == 1
    assert content["made"][0]["puzzles"] == 1
    assert "1 new puzzle, 1 in all." in " ".join(said.split())
    assert [each.name for each in tmp_path.iterdir()] == ["puppies.json"]
