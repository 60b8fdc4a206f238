"""Moves of Guppies as text: round trips, the three kinds of errors, spaces and case."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wellies
from wellies import CHANCE, BadNotation, GameState, IllegalMove, MoveError, NotYourTurn, Stream, UnknownPiece

SPEC = wellies.game("guppies")
POSITION: dict[str, Any] = {
    "laid": [{"at": [0, 0], "face": "GoP..g"}],
    "tile": ["oG.pP.", "SQUID"],
    "bag": [1, 2, 3],
}
LAYING = SPEC.from_position(POSITION)
DRAWING = SPEC.from_position({"laid": POSITION["laid"], "bag": [1, 2, 30]})


def read(state: GameState, seat: int, text: str) -> str:
    """The text as the engine would write it, if the move is legal."""
    return SPEC.move_text(state, seat, SPEC.parse_move(state, seat, text))


def test_every_legal_move_round_trips() -> None:
    for seed in range(2):
        rng = Stream(seed)
        state = SPEC.start(3, {"table": "one", "tiles": 64})
        while state.active():
            seat = state.active()[0]
            moves = state.legal(seat)
            for move in moves:
                text = SPEC.move_text(state, seat, move)
                assert SPEC.parse_move(state, seat, text) == move
                assert text == text.strip()
                if seat == CHANCE:
                    assert text.startswith("draw ")
                else:
                    assert text[0] in "ab"
                    assert text[1] in "012345"
                    assert text[2] == "@"
            state.apply(seat, moves[rng.randrange(len(moves))])


def test_a_text_means_what_the_page_says() -> None:
    """a2@1,-1: face a, turned two steps clockwise, at q=1 r=-1."""
    state = SPEC.from_position({"laid": [{"at": [0, 0], "face": ".....G"}], "tile": ["gOPp.o", "SQUID"], "bag": []})
    state.apply(0, SPEC.parse_move(state, 0, "a2@1,-1"))
    assert {"at": [1, -1], "face": ".ogOPp"} in state.position()["laid"]


@pytest.mark.parametrize(
    "text", ["a1@-1,0", " a1@-1,0", "a1@-1,0  ", "a1 @-1,0", "a1@ -1,0", "a1@-1, 0", "a1@-1 ,0", " a 1 @ -1 , 0 "]
)
def test_spaces_are_optional_around_the_parts(text: str) -> None:
    assert read(LAYING, 0, text) == "a1@-1,0"


@pytest.mark.parametrize("text", ["draw 30", " draw 30 ", "draw  30", "draw30"])
def test_spaces_are_optional_in_draws(text: str) -> None:
    assert read(DRAWING, CHANCE, text) == "draw 30"


@pytest.mark.parametrize("text", ["A1@-1,0", "B0@-1,0", "Draw 30", "DRAW 30", "dRaw 30"])
def test_case_is_as_shown(text: str) -> None:
    for state, seat in ((LAYING, 0), (DRAWING, CHANCE)):
        with pytest.raises(BadNotation):
            SPEC.parse_move(state, seat, text)


@pytest.mark.parametrize("turn", range(6))
def test_turns_that_look_the_same_are_one_move(turn: int) -> None:
    assert read(LAYING, 0, f"b{turn}@-1,0") == "b0@-1,0"
    first = SPEC.from_position({"tile": ["oG.pP.", "SQUID"]})
    assert read(first, 0, f"a{turn}@0,0") == "a0@0,0"


MALFORMED = [
    "", " ", "a", "a1", "a1@", "a1@1", "a1@1,", "a1@,1", "@1,1", "1@1,1", "c1@1,0", "ab1@1,0", "a1@1,0,0", "a1@1.5,0",
    "a1@1e1,0", "a1@x,0", "a1@(1,0)", "a1 1 0", "aa@1,0", "a-1@1,0", "a1@--1,0", "a1@1 0", "1 3@0,0", "a1@1 2,0",
    "draw", "draw ", "draw x", "draw -1", "draw 1 2", "draw 1,2", "draw 3 0", "draw 1.0", "drawn 1", "dr aw 1", "57",
    "take 3", "pass", "a1@-1,0#", "a1@-1,0;", "a1@-1,0 b", "0 a1@-1,0", "* draw 1", "a1@-1,0 a1@-1,0", "é", "a１@-1,0",
    "a1@−1,0", "draw ３", "\x00", "a1@-1,0\x00",
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed(text: str) -> None:
    for state, seat in ((LAYING, 0), (LAYING, 1), (DRAWING, CHANCE), (DRAWING, 0)):
        with pytest.raises(BadNotation) as caught:
            SPEC.parse_move(state, seat, text)
        assert str(caught.value)


@pytest.mark.parametrize("text", ["draw 0", "draw 129", "draw 999", "a0@5000,0", "a0@0,-5000", "b3@-5000,5000"])
def test_unknown_pieces_and_places(text: str) -> None:
    for state, seat in ((LAYING, 0), (DRAWING, CHANCE)):
        with pytest.raises(UnknownPiece):
            SPEC.parse_move(state, seat, text)


@pytest.mark.parametrize("text", ["a6@-1,0", "a7@-1,0", "b9@0,0"])
def test_a_hexagon_has_six_turns(text: str) -> None:
    with pytest.raises((BadNotation, UnknownPiece)):
        SPEC.parse_move(LAYING, 0, text)


@pytest.mark.parametrize("text", ["a0@-1,0", "a1@0,0", "a1@5,5", "b0@1,0", "draw 1"])
def test_illegal_here(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        SPEC.parse_move(LAYING, 0, text)
    assert not isinstance(caught.value, NotYourTurn)
    assert len(str(caught.value)) > 10


@pytest.mark.parametrize("text", ["draw 4", "draw 128", "a0@1,0"])
def test_chance_cannot_draw_what_is_not_in_the_bag(text: str) -> None:
    with pytest.raises(IllegalMove):
        SPEC.parse_move(DRAWING, CHANCE, text)


@pytest.mark.parametrize("seat", [1, CHANCE])
def test_not_your_turn(seat: int) -> None:
    with pytest.raises(NotYourTurn):
        SPEC.parse_move(LAYING, seat, "a1@-1,0")


def check_any_text(text: str) -> None:
    for state, seat in ((LAYING, 0), (DRAWING, CHANCE)):
        move: int | None = None
        why = ""
        try:
            move = SPEC.parse_move(state, seat, text)
        except MoveError as error:
            why = str(error).strip()
        if move is None:
            assert why
        else:
            assert move in state.legal(seat)
            assert SPEC.parse_move(state, seat, SPEC.move_text(state, seat, move)) == move


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.one_of(st.text(max_size=20), st.text(alphabet="abdrw@,- 0123456789", max_size=14)))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    check_any_text(text)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(
    st.sampled_from("ab"), st.integers(-2, 8), st.integers(-3, 3), st.integers(-300, 300), st.sampled_from(["", " "])
)
def test_any_lay_is_a_move_or_refused(side: str, turn: int, q: int, r: int, gap: str) -> None:
    check_any_text(f"{side}{gap}{turn}{gap}@{gap}{q}{gap},{gap}{r}")


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.integers(-5, 10**30))
def test_any_draw_is_a_move_or_refused(number: int) -> None:
    check_any_text(f"draw {number}")
