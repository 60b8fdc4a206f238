"""Options describe and check themselves; the shelf knows its games."""

from __future__ import annotations

import msgspec
import pytest

import wellies
from wellies.core.options import Choice, Option, check_options, show

SIZE = Option("size", "Size", "How big.", [Choice(64, "Small."), Choice(128, "Big.")], 128)
FAST = Option("fast", "Fast", "How fast.", [Choice(False, "Slow."), Choice(True, "Fast.")], False)


@pytest.mark.parametrize("given", [64, "64", " 64 "])
def test_text_is_understood_as_a_value(given: object) -> None:
    assert SIZE.check(given, 2) == 64


@pytest.mark.parametrize(("given", "meant"), [("yes", True), ("On", True), ("no", False), (True, True)])
def test_yes_and_no_are_understood(given: object, meant: bool) -> None:
    assert FAST.check(given, 2) is meant


@pytest.mark.parametrize("given", [65, "big", None, True, 64.0, [64]])
def test_a_bad_value_names_option_value_and_what_is_allowed(given: object) -> None:
    with pytest.raises(wellies.BadOption) as caught:
        SIZE.check(given, 2)
    assert "size" in str(caught.value)
    assert repr(given) in str(caught.value)
    assert "64, 128" in str(caught.value)


def test_options_left_out_take_their_defaults() -> None:
    assert check_options([SIZE, FAST], {"fast": "yes"}, 2, "Toy") == {"size": 128, "fast": True}
    assert check_options([SIZE, FAST], None, 2, "Toy") == {"size": 128, "fast": False}


def test_an_unknown_option_lists_those_there_are_and_suggests_the_nearest() -> None:
    with pytest.raises(wellies.BadOption, match=r"no option 'sise'; it has: size, fast\. Did you mean \"size\"\?"):
        check_options([SIZE, FAST], {"sise": 64}, 2, "Toy")
    with pytest.raises(wellies.BadOption, match="pairs"):
        check_options([SIZE], ["size"], 2, "Toy")  # type: ignore[arg-type]


def test_values_are_shown_as_one_would_type_them() -> None:
    assert [show(value) for value in (True, 64, ["a", "b"])] == ["yes", "64", "a,b"]


def test_the_shelf_lists_its_games_in_order() -> None:
    names = wellies.list_games()
    assert names == sorted(names)
    assert "guppies" in names
    assert all(wellies.game(name).name == name for name in names)


def test_an_unknown_game_suggests_the_nearest() -> None:
    with pytest.raises(wellies.UnknownGame, match=r'there are: .*guppies.*Did you mean "guppies"\?'):
        wellies.game("gupies")
    with pytest.raises(wellies.UnknownGame):
        wellies.game("core")


def test_an_unknown_bot_suggests_the_nearest() -> None:
    with pytest.raises(wellies.UnknownBot, match=r'greedy.*Did you mean "greedy"\?'):
        wellies.bot("greddy")


@pytest.mark.parametrize("seats", [0, 1, 7, -1, True, "3", 2.0])
def test_a_wrong_number_of_seats_is_refused(seats: object) -> None:
    with pytest.raises(wellies.BadOption, match="2 to 6 seats"):
        wellies.game("guppies").start(seats)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", wellies.list_games())
def test_every_box_lists_what_is_in_it_in_the_shape_it_promises(name: str) -> None:
    spec = wellies.game(name)
    shapes = spec.shapes()
    if shapes is None or shapes.box is None:
        pytest.skip("this game lists nothing")
    shape = shapes.box
    entries = spec.box()
    assert len(entries) >= 5
    assert msgspec.convert(entries, list[shape]) == entries  # type: ignore[valid-type]
