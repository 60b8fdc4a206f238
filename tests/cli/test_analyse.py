"""`wellies analyse`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wellies import Match, Stream, bot, game
from wellies.cli import app


@pytest.fixture
def record(tmp_path: Path) -> Path:
    match = Match(game("umbradeco"), 2, {}, 3, players=["Ann", "bot:random"])
    rng = Stream(1)
    for _ in range(12):
        seat = match.state.due()[0]
        match.play_move(seat, bot("random").choose(match.state, seat, rng))
    path = tmp_path / "game.wellies"
    path.write_text(str(match.record()), encoding="utf-8")
    return path


def test_tables(record: Path) -> None:
    result = CliRunner().invoke(app.app, ["analyse", str(record), "--nodes", "20", "--top", "3"])
    assert result.exit_code == 0, result.output
    for word in ("Umbradeco: ", "better moves", "points lost", "Ann", "bot:random", "mistakes"):
        assert word in result.output
    assert result.output.count("±") == 3
    for word in ("It scores ", "winning chance", "Ann's game", "bot:random's game", "found the best move in ", "next:"):
        assert word in result.output
    ends = [line.split() for line in result.output.splitlines() if line.startswith("Ann ") and "%" in line]
    assert len(ends) == 1, "a line of characters for each player"
    assert set(ends[0][3]) <= set("▁▂▃▄▅▆▇█")
    assert len(ends[0][3]) == 6


def test_the_chances_are_digits_where_there_are_no_blocks(record: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "wellies", "analyse", str(record), "--nodes", "12", "--seat", "0"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    line = next(line for line in found.stdout.decode("ascii").splitlines() if line.startswith("Ann ") and "%" in line)
    assert line.split()[3].isdecimal()


def test_json(record: Path) -> None:
    result = CliRunner().invoke(app.app, ["analyse", str(record), "--nodes", "20", "--seat", "1", "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.output)
    assert report["game"] == "umbradeco"
    assert {each["seat"] for each in report["decisions"]} == {1}
    assert report["by_seat"][0]["decisions"] == 0
    assert [each["seat"] for each in report["review"]] == [1]
    assert report["review"][0]["sentences"][0].startswith("{1} found the best move in ")
    for each in report["decisions"]:
        assert each["reasons"]
        assert each["line"]
        assert each["others"]
        assert 0 <= each["chance"] <= 1
    assert report["by_seat"][1]["lost"] == pytest.approx(sum(each["lost"] for each in report["decisions"]), abs=0.1)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--seat", "2"], "give 0 to 1"),
        (["--level", "greedy"], "does not search"),
        (["--level", "strom"], 'Did you mean "storm"?'),
        (["--nodes", "0"], "from 1 to"),
        (["--top", "0"], "from 1 up"),
    ],
)
def test_bad_input(record: Path, more: list[str], words: str) -> None:
    result = CliRunner().invoke(app.app, ["analyse", str(record), *more])
    assert result.exit_code != 0
    assert words in str(result.exception)


def test_a_record_with_a_wrong_move(record: Path) -> None:
    record.write_text(record.read_text(encoding="utf-8") + "0 fly away\n", encoding="utf-8")
    result = CliRunner().invoke(app.app, ["analyse", str(record)])
    assert "fly away" in str(result.exception)
