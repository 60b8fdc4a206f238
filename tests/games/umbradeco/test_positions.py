"""Positions: what may be left out, what is refused, and in which words."""

from __future__ import annotations

from typing import Any

import pytest

import wellies
from wellies import CHANCE, BadPosition

SPEC = wellies.game("umbradeco")
PAIR = [{"at": [0, 0], "tiles": ["red"]}, {"at": [0, 1], "tiles": ["blue"]}]


def test_an_empty_position_is_the_start_of_a_game() -> None:
    assert SPEC.from_position({}).position() == SPEC.start(2).position()
    assert SPEC.from_position({"scores": [0, 0, 0]}).position() == SPEC.start(3).position()


def test_what_is_given_comes_back() -> None:
    given: dict[str, Any] = {
        "game": "umbradeco",
        "options": {"mat": "standard", "rows": "open"},
        "to_move": 1,
        "scores": [7, 4],
        "mat": PAIR,
        "hands": [["red", "blue"], ["green", "?"]],
        "market": ["violet", "yellow"],
        "deck": 20,
        "check": False,
    }
    state = SPEC.from_position(given)
    position = state.position()
    for name, value in given.items():
        assert position[name] == value
    assert position["phase"] == "place"
    assert position["shown"] == [0, 1]
    assert state.active() == [1]
    # 40 tiles: 2 on the mat, 4 in hands, 2 in the market, 20 in the deck. The other 12 are out of the game unseen.
    assert position["out"] == ["?"] * 12
    assert SPEC.from_position(position).position() == position


def test_tiles_in_the_deck_and_tiles_out_of_the_game_are_equally_unknown() -> None:
    state = SPEC.from_position(
        {"phase": "refill", "mat": PAIR, "hands": [["red"], ["green"]], "deck": 5, "check": False}
    )
    assert [state.weight(move) for move in state.legal(CHANCE)] == [6, 8, 7, 7, 8]


def test_a_deck_left_out_is_all_that_is_left() -> None:
    assert SPEC.from_position({"mat": PAIR, "hands": [["red"], ["green"]]}).position()["deck"] == 36
    three = SPEC.from_position({"mat": PAIR, "hands": [["red"], ["green"], ["blue"]]}).position()
    assert (three["deck"], three["out"]) == (33, ["?", "?"])


def test_a_seat_with_an_empty_hand_is_passed_over() -> None:
    state = SPEC.from_position({"mat": PAIR, "hands": [[], ["green"]], "to_move": 0})
    assert state.position()["to_move"] == 1


def test_a_position_with_empty_hands_is_over() -> None:
    state = SPEC.from_position({"mat": PAIR, "hands": [[], []], "scores": [3, 3]})
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == [0, 1]
    assert state.position()["phase"] == "over"
    assert SPEC.from_position(state.position()).position() == state.position()


def test_taking_from_an_empty_market_is_passed_over() -> None:
    state = SPEC.from_position({"phase": "take", "mat": PAIR, "hands": [["red"], ["green"]], "deck": 0, "check": False})
    assert state.active() == [1]


def test_the_market_is_refilled_to_two() -> None:
    state = SPEC.from_position({"phase": "refill", "mat": PAIR, "hands": [["red"], ["green"]]})
    for _ in range(2):
        assert state.active() == [CHANCE]
        state.apply(CHANCE, state.legal(CHANCE)[0])
    assert state.active() == [1]
    assert len(state.position()["market"]) == 2


def test_without_checks_the_impossible_can_be_set_up_and_played() -> None:
    mat = [{"at": [0, 0], "tiles": ["red"]}, {"at": [0, 1], "tiles": ["red", "red"]}]
    state = SPEC.from_position(
        {"mat": mat, "hands": [["red", "red"], ["red", "red"]], "discarded": ["red"] * 4, "deck": 40, "check": False}
    )
    position = state.position()
    assert position["check"] is False
    assert position["mat"] == mat
    assert position["deck"] == 32
    assert SPEC.from_position(position).position() == position
    # Every space beside a tile touches red, so no red tile can be placed.
    assert [SPEC.move_text(state, 0, move) for move in state.legal(0)] == ["drop red"]


def around(*spaces: tuple[int, int]) -> list[dict[str, Any]]:
    """Tiles on these spaces that show nothing twice side by side."""
    colours = ["yellow", "green", "blue", "violet"]
    return [{"at": list(at), "tiles": [colours[number % 4]]} for number, at in enumerate(spaces)]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mat": around((0, 1), (0, 2))}, "0,0 is empty"),
        ({"mat": [*PAIR, {"at": [0, -3], "tiles": ["red"]}]}, "the tile at 0,-3 hangs together with 0,0 by no tiles"),
        ({"mat": [PAIR[0], {"at": [0, 1], "tiles": ["red", "blue"]}]}, "the stack at 0,1 has an empty neighbour"),
        ({"mat": PAIR, "deck": 20}, "deck: 20 leaves 12 tiles out of the game unseen, and with 2 seats it is 0"),
        ({"mat": PAIR, "out": ["red"]}, "leaves 1 tiles out"),
    ],
)
def test_a_position_that_no_game_reaches_is_refused_unless_unchecked(changes: dict[str, Any], words: str) -> None:
    position = {"hands": [["violet", "blue"], ["green", "?"]], "market": ["yellow", "violet"], **changes}
    with pytest.raises(BadPosition, match=words):
        SPEC.from_position(position)
    assert SPEC.from_position({**position, "check": False}).position()["check"] is False


def test_a_position_from_the_middle_of_a_small_game_is_accepted() -> None:
    mat = [
        {"at": [0, 0], "tiles": ["red"]},
        {"at": [0, 1], "tiles": ["blue"]},
        {"at": [1, 1], "tiles": ["green"]},
        {"at": [0, 2], "tiles": ["violet", "red"]},
        {"at": [-1, 2], "tiles": ["yellow"]},
    ]
    position = {"options": {"mat": "small"}, "to_move": 1, "scores": [6, 0], "mat": mat, "deck": 28, "shown": [1, 1]}
    state = SPEC.from_position(
        {**position, "hands": [["violet", "blue"], ["green", "?"]], "market": ["yellow", "violet"]}
    )
    assert state.active() == [1]
    assert SPEC.from_position(state.position()).position() == state.position()


NINE = [[q, r] for q, r in [(0, -3), (2, -3), (-2, -1), (0, -1), (2, -1), (-3, 2), (-1, 1), (1, 1), (-1, 3)]]


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ([], "a position is a JSON object"),
        ({"game": "guppies"}, "of the game 'guppies'"),
        ({"mats": []}, 'mats is not a field.*Did you mean "mat"'),
        ({"options": {"mat": "huge"}}, "option mat"),
        ({"hands": [["red"]]}, "2 to 4 seats"),
        ({"hands": [["red"], ["red"]], "scores": [1, 2, 3]}, "scores has 3 entries for 2 seats"),
        ({"hands": [["red"], ["red"]], "scores": [1, -2]}, "scores.1. must be from 0"),
        ({"hands": [["red", "red", "red"], []]}, "hands.0. has 3 tiles"),
        ({"hands": ["red", []]}, "hands.0. must be a list"),
        ({"hands": [["rot"], []]}, "hands.0..0. must be one of red"),
        ({"hands": [["gren"], []]}, 'Did you mean "green"'),
        ({"hands": [["red"], []], "shown": [2, 0]}, "shown.0. must be from 0 to 1"),
        ({"hands": [["?", "red"], []], "shown": [1, 0]}, "known to all"),
        ({"hands": [["red"], []], "shown": [1]}, "shown has 1 entries"),
        ({"hands": [["red"], []], "market": ["?"]}, "seen by all"),
        ({"hands": [["red"], []], "market": ["red", "red", "red"]}, "market has 3 tiles"),
        ({"hands": [["red"], []], "to_move": 2}, "to_move must be from 0 to 1"),
        ({"hands": [["red"], []], "phase": "sleep"}, "phase must be one of"),
        ({"hands": [["red"], []], "phase": "over"}, "every hand is empty"),
        ({"hands": [["red", "blue"], []], "phase": "take", "market": ["red"]}, "has two tiles"),
        ({"hands": [["red"], []], "deck": 40}, "deck: 40 tiles, and only 39"),
        ({"hands": [["red"], []], "deck": "many"}, "deck must be a whole number"),
        ({"hands": [["red"], []], "mat": [{"at": [0, 0]}]}, "a space with 0 tiles"),
        ({"hands": [["red"], []], "mat": [{"at": [0, 0], "tiles": ["red"] * 3}]}, "a space with 3 tiles"),
        ({"hands": [["red"], []], "mat": [{"at": [0, 4], "tiles": ["red"]}]}, "no space 0,4 on the standard mat"),
        ({"hands": [["red"], []], "mat": [{"at": [0], "tiles": ["red"]}]}, "two whole numbers"),
        ({"hands": [["red"], []], "mat": [*PAIR, PAIR[0]]}, "0,0 is given twice"),
        ({"hands": [["red"], []], "mat": [{"at": [0, 0], "tiles": ["red", "red"]}]}, "red on red"),
        (
            {
                "hands": [["red"], []],
                "mat": [{"at": [0, 0], "tiles": ["red"]}, {"at": [0, 1], "tiles": ["blue", "red"]}],
            },
            "0,1 and 0,0 touch and both show red",
        ),
        (
            {"hands": [["blue"], []], "mat": [{"at": at, "tiles": ["red"]} for at in NINE]},
            "9 red tiles here, and the box has 8",
        ),
        ({"hands": [["red"], []], "excluded": [["red"], []]}, "is red, which is excluded"),
        ({"hands": [["red"], []], "excluded": [[], ["red"]]}, "no single hidden tile"),
        ({"hands": [["red"], []], "excluded": ["red", []]}, "must be a list of colours"),
        ({"hands": [["red"], []], "check": 1}, "check must be true or false"),
        (
            {"hands": [["?", "?"], ["?", "?"]], "discarded": ["red"] * 8 + ["blue"] * 8, "out": ["?"] * 21},
            '25 tiles are "?"',
        ),
        ({"to_move": 1}, "chance decides who begins"),
        ({"phase": "setup", "deck": 30}, "leave deck out"),
        ({"phase": "setup", "discarded": ["red"]}, "during the set-up nothing is discarded"),
        ({"phase": "setup", "mat": [{"at": [1, 1], "tiles": ["red"]}]}, "only 0,0 and 0,1"),
        ({"phase": "setup", "mat": [PAIR[1]]}, "the set-up goes in order"),
        ({"phase": "setup", "market": ["red"]}, "the set-up goes in order"),
        ({"phase": "setup", "mat": PAIR, "hands": [[], ["red"]]}, "the set-up goes in order"),
        ({"phase": "setup", "mat": PAIR, "hands": [[], [], []], "deck": 38}, "the set-up goes in order"),
    ],
)
def test_a_bad_position_is_refused_in_words(position: Any, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        SPEC.from_position(position)
