"""The box."""

from __future__ import annotations

from wellies.games.umbradeco.material import COLOURS, EMBLEMS, MAT_SIDES, TILES


def test_there_are_five_colours_of_eight_tiles() -> None:
    assert COLOURS == ("red", "yellow", "green", "blue", "violet")
    assert TILES == (8, 8, 8, 8, 8)


def test_every_colour_has_an_emblem_of_its_own() -> None:
    assert len(set(EMBLEMS)) == 5


def test_the_mats_have_three_four_and_five_spaces_to_a_side() -> None:
    assert MAT_SIDES == {"small": 3, "standard": 4, "large": 5}
