"""The measurement of balance: a row for every card, shares that add up, and a stopped run that goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import HERE

import wellies

SCRIPT = HERE.parent / "bench" / "balance.py"


def _run(*words: str) -> str:
    command = [sys.executable, str(SCRIPT), *words, "--bot", "random", "--seed", "4"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _table(text: str) -> list[dict[str, str]]:
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    return [dict(zip(head, row, strict=True)) for row in rows]


@pytest.mark.parametrize("game", ["aquarium", "puppies"])
def test_a_stopped_measurement_goes_on_and_gives_the_same_table(game: str, tmp_path: Path) -> None:
    whole = _run(game, "--games", "2", "--results", str(tmp_path / "whole.jsonl"))
    lines = (tmp_path / "whole.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + 2 * 3
    half = tmp_path / "half.jsonl"
    half.write_text("".join(lines[:3]) + lines[3][:40], encoding="utf-8")
    assert _run(game, "--games", "2", "--results", str(half)) == whole
    assert half.read_text(encoding="utf-8").splitlines()[1:3] == [line.strip() for line in lines[1:3]]
    rows = _table(whole)
    known = [row["name"] for row in wellies.game(game).card_table() if "starter card" not in row["text"]]
    assert [row.get("name", row["card"]) for row in rows] == known
    assert {row["bounds"] for row in rows if row["source"].startswith("rulebook") and row["taken"]} == {"printed"}


def test_every_turn_takes_one_card_and_every_choice_plays_one(tmp_path: Path) -> None:
    """Two at the table: Aquarium has 8 turns each; in Puppies a deck of 45 gives everyone as many choices."""
    for game, taken in (("aquarium", 3), ("puppies", 1)):
        path = tmp_path / f"{game}.jsonl"
        _run(game, "--games", "1", "--results", str(path))
        two = json.loads(path.read_text(encoding="utf-8").splitlines()[1])
        assert two["seats"] == 2
        found = sum(counts[taken] for name, counts in two["counts"].items() if len(counts) > 3)
        assert found == 16 if game == "aquarium" else found > 0 and found % 2 == 0


def test_results_of_other_games_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    _run("puppies", "--games", "1", "--results", str(path))
    other = [sys.executable, str(SCRIPT), "puppies", "--bot", "random", "--seed", "5", "--results", str(path)]
    told = subprocess.run(other, check=False, capture_output=True, text=True)
    assert told.returncode == 1
    assert "is of other games" in told.stderr
    assert "Traceback" not in told.stderr
