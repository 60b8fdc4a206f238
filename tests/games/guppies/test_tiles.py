"""Every line of the rules page's paragraph on the tile set, tried on the data file itself."""

from __future__ import annotations

import json
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import wellies

PATH = Path(wellies.__file__).parent / "games" / "guppies" / "tiles.json"
TILES: list[dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
FACES: list[str] = [tile[side] for tile in TILES for side in ("a", "b")]
ORDINARY = [face for face in FACES if face != "SQUID"]


def turns(face: str) -> list[str]:
    return [face[-turn:] + face[:-turn] for turn in range(6)]


def test_there_are_128_tiles_numbered_in_order() -> None:
    assert [tile["tile"] for tile in TILES] == list(range(1, 129))
    assert all(set(tile) == {"tile", "a", "b", "source"} for tile in TILES)


def test_every_tile_says_where_it_comes_from() -> None:
    assert {tile["source"] for tile in TILES} <= {"rulebook", "reconstructed"}


def test_127_are_ordinary_and_one_has_the_squid_on_one_face() -> None:
    assert Counter((tile["a"] == "SQUID") + (tile["b"] == "SQUID") for tile in TILES) == {0: 127, 1: 1}


def test_there_are_255_ordinary_faces_of_six_letters() -> None:
    assert len(ORDINARY) == 255
    assert all(len(face) == 6 and set(face) <= set("GOPgop.") for face in ORDINARY)


def test_510_edges_are_water_and_170_of_each_half_of_a_fish() -> None:
    letters = Counter("".join(ORDINARY))
    assert letters == {".": 510, "G": 170, "O": 170, "P": 170, "g": 170, "o": 170, "p": 170}
    assert letters.total() == 1530


@pytest.mark.parametrize("face", ORDINARY)
def test_a_face_has_up_to_four_water_edges_and_two_colours_or_more(face: str) -> None:
    assert 0 <= face.count(".") <= 4
    assert len(set(face.lower()) - {"."}) >= 2


def test_no_two_faces_are_the_same_under_turning() -> None:
    assert len({min(turns(face)) for face in ORDINARY}) == 255


def test_the_two_faces_of_a_tile_share_at_most_four_letters() -> None:
    for tile in TILES:
        shared = Counter(tile["a"]) & Counter(tile["b"])
        assert shared.total() <= 4, tile


def test_the_generator_makes_the_file_byte_for_byte() -> None:
    made = import_module("wellies.games.guppies.generate_tiles").generate_file()
    assert (made if isinstance(made, bytes) else made.encode("utf-8")) == PATH.read_bytes()


def test_the_game_draws_these_tiles() -> None:
    spec = wellies.game("guppies")
    start = spec.start(2)
    for tile in TILES:
        state = start.clone()
        state.apply(wellies.CHANCE, spec.parse_move(state, wellies.CHANCE, f"draw {tile['tile']}"))
        assert state.position()["tile"] == [tile["a"], tile["b"]]


def test_a_view_counts_the_halves_that_may_still_come() -> None:
    match = wellies.Match("guppies", seats=2, seed=3)
    bot, rng = wellies.bot("greedy"), wellies.Stream(3)
    for _ in range(20):
        extra = match.view_for(None)["extra"]
        left = "".join(TILES[number - 1][side] for number in extra["may_be_in_bag"] for side in ("a", "b"))
        counted = Counter(left.replace("SQUID", ""))
        assert extra["halves"] == {letter: counted[letter] for letter in "GgOoPp"}
        seat = match.state.due()[0]
        match.play_move(seat, bot.choose(match.state, seat, rng))
