"""Corrected card and tile files: games take them, keep them in their records, and write their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import random_move

import wellies
from wellies import BadOption, BadPosition, BadRecord, Match, Record, Stream

GAMES = [name for name in wellies.list_games() if any(option.name == "cards" for option in wellies.game(name).options)]


def test_all_games_of_cards_or_tiles_take_a_file() -> None:
    assert GAMES == ["aquarium", "guppies", "marram", "puppies"]


@pytest.mark.parametrize("name", GAMES)
def test_the_complete_file_is_what_the_game_is_played_with(name: str, tmp_path: Path) -> None:
    spec = wellies.game(name)
    data = spec.card_file()
    option = next(each for each in spec.options if each.name == "cards")
    assert data
    assert json.loads(json.dumps(data)) == data
    path = tmp_path / "file.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert spec.card_table(str(path)) == spec.card_table() == spec.card_table(data)
    for given in (data, str(path)):
        usual, filed = spec.start(2), spec.start(2, {"cards": given})
        assert filed.options["cards"] == data
        assert usual.options.get("cards", option.default) == option.default
        rng, again = Stream("file"), Stream("file")
        for _ in range(60):
            if not usual.active():
                break
            move = random_move(usual, rng)
            assert random_move(filed, again) == move
            usual.step(*move)
            filed.step(*move)
        assert usual.scores() == filed.scores()


@pytest.mark.parametrize("name", GAMES)
def test_a_path_never_comes_from_a_record_or_a_position(name: str, tmp_path: Path) -> None:
    spec = wellies.game(name)
    path = tmp_path / "file.json"
    path.write_text(json.dumps(spec.card_file()), encoding="utf-8")
    with pytest.raises(BadPosition, match="never names a file"):
        spec.from_position({"options": {"cards": str(path)}})
    with pytest.raises(BadRecord, match="never names a file"):
        Record.parse(f"Game: {name}\nSeats: 2\nOptions: {json.dumps({'cards': str(path)})}\n\n").start()


CORRECTED: dict[str, dict[str, Any]] = {
    "guppies": {"extends": "standard", "tiles": [{"tile": 1, "a": "GGGGGG", "b": "gggggg"}]},
    "marram": {
        "extends": "standard",
        "tiles": [
            {
                "tile": 1,
                "segments": ["worm saddle NS"],
                "spade": True,
                "bridge": "grass",
                "front": "silver",
                "reverse": "flower",
                "provenance": "box",
            }
        ],
    },
}


@pytest.mark.parametrize("name", CORRECTED)
def test_a_corrected_tile_is_drawn_laid_recorded_and_set_up_again(name: str) -> None:
    spec = wellies.game(name)
    match = Match(name, 2, {"cards": CORRECTED[name]}, rolls=False)
    rng = Stream("corrected")
    if name == "marram":
        match.play(-1, "first 0")
    match.play(-1, "draw 1")
    assert match.state.options["cards"]["tiles"][0 if name == "guppies" else 1] != spec.card_file()["tiles"][1]
    while match.state.active() and len(match.log) < 120:
        match.play_move(*random_move(match.state, rng))
        position = match.state.position()
        again = spec.from_position(json.loads(json.dumps(position)))
        assert again.position() == position
        assert again.options["cards"] == match.state.options["cards"]
    record = Record.parse(str(match.record()))
    assert list(record.states())[-1] == match.state
    if name == "guppies":
        assert match.log[0].events[0].data["faces"] == ["GGGGGG", "gggggg"]
    else:
        shown = match.log[1].events[0].text
        assert "a worm saddle, a silver coin and a spade" in shown


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("guppies", [1], "option cards"),
        ("guppies", {"tiles": []}, "numbered 1 to 128"),
        ("guppies", {"extends": "old", "tiles": []}, "extends"),
        ("guppies", {"extends": "standard", "tiles": [{"tile": 200}]}, r"tiles\[0\].tile"),
        ("guppies", {"extends": "standard", "tiles": [{"tile": 2, "a": "G"}]}, r"tiles\[0\].a"),
        ("guppies", {"extends": "standard", "tiles": [{"tile": 2, "a": "GGGGGG", "b": "GGGGGG"}]}, "is the same as"),
        ("guppies", {"extends": "standard", "tiles": [{"tile": 2, "a": "GGGGGG", "b": "SQUID"}]}, "2 faces|same as"),
        ("guppies", {"extends": "standard", "tiles": [{"tile": 2, "side": 1}]}, "not a field"),
        ("marram", {"tiles": []}, "has 0 tiles"),
        ("marram", {"extends": "standard", "tiles": [{"tile": 96}]}, r"tiles\[0\].tile"),
        ("marram", {"extends": "standard", "tiles": [{"tile": 5, "spade": True}]}, r"tiles\[5\].segments is missing"),
        ("marram", {"tiles": [], "more": 1}, "more is not a field"),
        ("marram", 5, "option cards"),
    ],
)
def test_a_mistake_in_a_tile_file_is_named(name: str, data: Any, says: str) -> None:
    with pytest.raises(BadOption, match=says):
        wellies.game(name).start(2, {"cards": data})
