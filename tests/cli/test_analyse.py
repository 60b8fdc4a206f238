"""`wellies analyse`."""

from __future__ import annotations

import json
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


def test_json(record: Path) -> None:
    result = CliRunner().invoke(app.app, ["analyse", str(record), "--nodes", "20", "--seat", "1", "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.output)
    assert report["game"] == "umbradeco"
    assert {each["seat"] for each in report["decisions"]} == {1}
    assert report["by_seat"][0]["decisions"] == 0
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
