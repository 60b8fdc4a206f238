"""What earlier versions wrote still loads, and still means the same (see `tests/old_files/write.py`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import HERE
from old_files.write import GAMES, digest, facts, write_game

import wellies
from wellies import Match, Record, Stream

OLD = sorted((HERE / "old_files").glob("*/*.wellies"))
POSITIONS = [
    pytest.param(path.stem, each, id=f"{path.parent.name}-{path.stem}-{number}")
    for path in sorted((HERE / "old_files").glob("*/*.json"))
    for number, each in enumerate(json.loads(path.read_text(encoding="utf-8")).get("positions", []), 1)
]


def written_with(path: Path) -> dict[str, Any]:
    """What was true of a record when it was written."""
    game = path.stem.partition("-")[0]
    told: dict[str, Any] = json.loads((path.parent / f"{game}.json").read_text(encoding="utf-8"))["records"][path.name]
    return told


def check_record(path: Path) -> None:
    text, told = path.read_text(encoding="utf-8"), written_with(path)
    record = Record.parse(text)
    match = record.replay()
    assert {**facts(match.state), "position": digest(match.state.position())} == told
    again = match.record(reveal=bool(record.seed))
    assert str(again) == text
    assert bool(record.seed) == bool(match.seed_hash)
    assert record.verify() > 0


def check_position(game: str, told: dict[str, Any]) -> None:
    spec = wellies.game(game)
    state = spec.from_position(told["position"])
    if told["viewer"] == "all":
        assert state.position() == told["position"]
        assert facts(state) == {name: told[name] for name in facts(state)}
        Match(spec, position=told["position"], seed=1)
    else:
        assert state.position(told["viewer"]) == told["position"]
        assert state.scores() == told["scores"]
        assert state.resample(told["viewer"], Stream(1)).position(told["viewer"]) == told["position"]


@pytest.mark.parametrize("path", OLD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_old_record_replays_to_the_same_end(path: Path) -> None:
    check_record(path)


@pytest.mark.parametrize(("game", "told"), POSITIONS)
def test_an_old_position_is_set_up_as_it_was(game: str, told: dict[str, Any]) -> None:
    check_position(game, told)


def test_every_version_has_files_of_every_game() -> None:
    folders = {path.parent for path in OLD}
    assert folders
    for folder in folders:
        for game in GAMES:
            assert len(list(folder.glob(f"{game}-*.wellies"))) == 3
            assert len(json.loads((folder / f"{game}.json").read_text(encoding="utf-8"))["positions"]) >= 10


def test_the_files_of_this_version_can_be_written_and_read(tmp_path: Path) -> None:
    write_game(tmp_path, "aquarium")
    for path in tmp_path.glob("*.wellies"):
        check_record(path)
    for told in json.loads((tmp_path / "aquarium.json").read_text(encoding="utf-8"))["positions"]:
        check_position("aquarium", told)
