"""The box: 95 tiles and the starter, row by row as the rules page lists them."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from typing import Any

import pytest

from wellies import BadMaterial
from wellies.games.marram.material_file import BOX, read_tiles
from wellies.games.marram.segments import text_of

ROWS = {
    "spade": 14,
    "orange body NE, orange body SW, spade": 2,
    "worm body NE, worm body SW, spade": 1,
    "any body NS": 4,
    "blue head N": 5,
    "blue tail N": 5,
    "blue body NS": 4,
    "blue body NE": 5,
    "orange end N": 7,
    "orange body NS": 3,
    "orange body NE": 3,
    "worm end N": 7,
    "worm saddle NS": 3,
    "worm saddle NE": 2,
    "worm body NE": 2,
    "worm body NS": 1,
    "blue head N, orange end S": 2,
    "blue tail N, orange end S": 2,
    "blue head N, worm end S": 2,
    "blue tail N, worm end S": 2,
    "orange end N, worm end E": 2,
    "orange end N, orange end S": 1,
    "worm end N, worm end S": 1,
    "blue body NE, blue body SW": 1,
    "blue body NE, orange body SW": 2,
    "orange body NE, worm body SW": 1,
    "blue body NS, worm end E": 2,
    "orange body NS, blue tail E": 1,
    "orange body NS, blue head E": 1,
    "worm saddle NS, orange end E": 2,
    "blue body NE, orange end S, worm end W": 2,
    "worm body NE, orange end S, blue tail W": 1,
    "blue head N, orange end E, worm end S": 1,
    "worm saddle NE, blue head S, orange end W": 1,
}
NAMES = ("none", "gold", "silver", "flower")


def row_of(number: int) -> str:
    box = BOX[number]
    parts = [text_of(segment) for segment in box.segments] + (["spade"] if box.spade else [])
    return ", ".join(parts)


def canonical(row: str) -> str:
    return ", ".join(sorted(row.split(", ")))


def test_there_are_so_many_tiles_of_each_row() -> None:
    found = Counter(canonical(row_of(number)) for number in range(1, 96))
    assert found == {canonical(row): copies for row, copies in ROWS.items()}
    assert sum(ROWS.values()) == 95


def test_the_starter_is_a_blue_head_on_a_sand_bridge_without_a_spade() -> None:
    assert (row_of(0), BOX[0].bridge, BOX[0].spade) == ("blue head N", 1, False)


def test_copies_of_an_ordinary_kind_alternate_grass_and_sand_bridges() -> None:
    seen: Counter[str] = Counter()
    for number in range(1, 96):
        if BOX[number].spade:
            assert BOX[number].bridge == 0
        else:
            assert BOX[number].bridge == seen[row_of(number)] % 2
        seen[row_of(number)] += 1


def test_coins_and_flowers_are_as_many_as_the_page_says() -> None:
    plain = [box for box in BOX[1:] if box.spade and not box.segments]
    assert Counter(NAMES[box.ornaments[0]] for box in plain) == {"none": 8, "gold": 3, "silver": 3}
    assert Counter(NAMES[box.ornaments[1]] for box in plain) == {"none": 9, "flower": 5}
    single = [box for box in BOX[1:] if not box.spade and any(box.ornaments)]
    assert all(box.ornaments[0] == box.ornaments[1] for box in single)
    assert all(len(box.segments) == 1 and row_of(box.number).split()[1] in ("end", "head", "tail") for box in single)
    found = Counter((NAMES[box.ornaments[0]], box.bridge) for box in single)
    assert found == {("gold", 0): 2, ("silver", 0): 4, ("flower", 1): 5}
    specials = [box for box in BOX[1:] if box.spade and box.segments]
    assert not any(any(box.ornaments) for box in specials)


def test_every_tile_says_where_it_comes_from() -> None:
    assert {box.provenance for box in BOX} == {"rulebook", "reconstructed"}
    assert [box.number for box in BOX if box.provenance == "rulebook"] == [15, 16, 17]


def shipped() -> Any:
    return json.loads(resources.files("wellies.games.marram").joinpath("tiles.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("number", "field", "value", "words"),
    [
        (5, "bridge", "mud", "tiles[5].bridge must be one of grass, sand"),
        (5, "tile", 6, "tiles[5].tile must be 5"),
        (5, "spade", 1, "tiles[5].spade must be true or false"),
        (5, "segments", ["blue head"], "tiles[5].segments: 'blue head' is not a segment"),
        (5, "segments", ["blue head N", "worm end N"], "two segments touch the same edge"),
        (5, "segments", "blue head N", "tiles[5].segments must be a list"),
        (5, "front", "flower", "coins lie on grass and flowers on sand"),
        (5, "reverse", "gold", "coins lie on grass and flowers on sand"),
        (5, "provenance", "hearsay", "tiles[5].provenance must be one of"),
        (5, "colour", "red", "tiles[5].colour is not a field"),
    ],
)
def test_a_mistake_in_the_tile_file_is_named(number: int, field: str, value: Any, words: str) -> None:
    data = shipped()
    data["tiles"][number][field] = value
    with pytest.raises(BadMaterial) as caught:
        read_tiles(data)
    assert words in str(caught.value)


def test_a_tile_file_must_be_whole() -> None:
    data = shipped()
    del data["tiles"][95]
    with pytest.raises(BadMaterial, match="95 tiles; there must be"):
        read_tiles(data)
    with pytest.raises(BadMaterial, match="the tile file must be an object with about, extends, tiles, not a list"):
        read_tiles([])
    with pytest.raises(BadMaterial, match="tiles is missing; add a list"):
        read_tiles({})
    data = shipped()
    del data["tiles"][3]["spade"]
    with pytest.raises(BadMaterial, match=r"tiles\[3\].spade is missing; add true or false"):
        read_tiles(data)
