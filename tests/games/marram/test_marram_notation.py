"""Moves as text, their refusals, and positions that cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marram_tables import SPEC, START, play, table, texts, tile

from wellies import CHANCE, BadNotation, BadPosition, IllegalMove, NotYourTurn, UnknownPiece
from wellies.games.marram import moves
from wellies.games.marram.material_file import BOX
from wellies.games.marram.places import cell_at

PLACES = st.integers(-500, 500)


@given(st.integers(1, 95), st.integers(0, 1), st.integers(0, 3), PLACES, PLACES)
def test_lays_round_trip(tile_number: int, face: int, turn: int, x: int, y: int) -> None:
    move = moves.lay_move(tile_number, face, turn, cell_at(x, y))
    assert moves.move_text(move) == f"{tile_number}{'ab'[face]}{turn}@{x},{y}"
    assert moves.read_move(0, moves.move_text(move), 95) == move


@given(PLACES, PLACES, st.integers(0, 3))
def test_flips_and_hops_round_trip(x: int, y: int, turn: int) -> None:
    cell = cell_at(x, y)
    for move in (moves.flip_move(cell, turn), moves.animal_move(moves.FLY, cell), moves.animal_move(moves.FROG, cell)):
        assert moves.read_move(CHANCE, moves.move_text(move), 95) == move


def test_every_other_text_round_trips() -> None:
    words = ["no claim", "change", "pass", "guess 1", "guess 30", "guess escape", "draw 95"]
    words += [f"{piece} {slot}" for piece in ("boot", "fork") for slot in moves.SLOT_NAMES]
    packed = [moves.read_move(0, text, 95) for text in words]
    assert [moves.move_text(move) for move in packed] == words
    assert len(set(packed)) == len(packed)


@given(st.integers(-(1 << 70), 1 << 70))
def test_every_int_has_a_text_or_is_no_move(number: int) -> None:
    try:
        assert moves.move_text(number)
    except BadNotation as error:
        assert str(error) == f"{number} is not a move of Marram."


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (" 12 a 1 @ 1 , 0 ", "12a1@1,0"),
        ("12a3@1,0", "12a1@1,0"),
        ("12b2@1,0", "12b0@1,0"),
        ("79b2@1,0", "79b0@1,0"),
    ],
)
def test_texts_that_come_to_the_same_are_read_as_the_listed_one(typed: str, meant: str) -> None:
    state = table(START, hands=[[12, 79], []])
    assert SPEC.move_text(state, 0, SPEC.parse_move(state, 0, typed)) == meant


def test_claims_by_another_name_are_read_as_the_listed_one() -> None:
    state = table(START, hands=[[32], []])
    play(state, 0, "32b0@0,-1")
    # A grass bridge at an odd place joins NE and SW.
    for typed, meant in (("boot S", "boot N"), ("boot NE", "boot bridge"), ("boot SW", "boot bridge")):
        assert SPEC.move_text(state, 0, SPEC.parse_move(state, 0, typed)) == meant


@pytest.mark.parametrize(
    "typed",
    "|lay|17c1@0,1|17a4@0,1|17a1@0|17a1@0,1,2|flip 1,0|flip 1,0 4|boot|guess|guess -1|draw x|fly 1"
    "|17A1@0,1|Pass|١٢a1@1,0|noclaims|fork  |12a1@1.0,0".split("|"),
)
def test_malformed_text_is_called_so_with_an_example(typed: str) -> None:
    state = table(START, hands=[[12], []])
    with pytest.raises(BadNotation) as caught:
        SPEC.parse_move(state, 0, typed)
    assert "17a1@2,-1" in caught.value.text


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("96a0@1,0", "There is no tile 96"),
        ("0a0@1,0", "There is no tile 0"),
        ("12a0@9999,0", "no place 9999,0"),
        ("flip 0,-600 1", "no place 0,-600"),
        ("boot middle", "A tile has no 'middle'"),
        ("boot brigde", 'Did you mean "bridge"?'),
        ("draw 99", "There is no tile 99"),
    ],
)
def test_what_does_not_exist_is_called_unknown(typed: str, words: str) -> None:
    state = table(START, hands=[[12], []])
    with pytest.raises(UnknownPiece) as caught:
        SPEC.parse_move(state, 0, typed)
    assert words in caught.value.text


def test_a_seat_out_of_turn_is_told_whose_turn_it_is() -> None:
    state = table(START, hands=[[12], [13]])
    with pytest.raises(NotYourTurn, match=r"seat 0 is to move"):
        SPEC.parse_move(state, 1, "13a1@1,0")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("guess 3", "when an animal appears"),
        ("draw 3", "not a move for a seat"),
        ("fly 0,0", "not a move for a seat"),
        ("change", "12a1@1,0"),
    ],
)
def test_moves_of_other_moments_are_refused_in_words(typed: str, words: str) -> None:
    state = table(START, hands=[[12], []])
    if typed == "change":
        words = texts(state, 0)[0]
    with pytest.raises(IllegalMove) as caught:
        SPEC.parse_move(state, 0, typed)
    assert words in caught.value.text


def test_half_turns_are_pointed_to_the_listed_move() -> None:
    state = table(START, tile(1, 0, "grass", spade=True), hands=[[12], []])
    why = state.refusal(0, moves.lay_move(12, 0, 3, cell_at(-1, 0)))
    assert why is not None
    assert "12a1@-1,0" in why
    why = state.refusal(0, moves.flip_move(cell_at(1, 0), 2))
    assert why is not None
    assert "flip 1,0 0" in why


@settings(max_examples=40)
@given(st.integers(0, 2**33))
def test_any_int_is_legal_exactly_when_not_refused(number: int) -> None:
    state = table(START, tile(1, 0, "grass", spade=True), hands=[[12, 46, 18], []])
    legal = state.legal(0)
    for move in (number, -number, legal[number % len(legal)] ^ 1 << number % 34):
        assert (move in legal) == (state.refusal(0, move) is None)


# --- positions ------------------------------------------------------------------------------------------------------


def test_nothing_said_is_the_start_of_a_game() -> None:
    assert SPEC.from_position({}).position() == SPEC.start(2, {}).position()


def test_the_example_of_the_positions_page_can_be_set_up() -> None:
    position = {
        "game": "marram",
        "options": {"variant": "pitchfork", "length": "long"},
        "to_move": 0,
        "move": 1,
        "seats": [
            {"score": 0, "boots": 5, "forks": 4, "spades": 10, "hand": [17, 3, 88]},
            {"score": 4, "boots": 5, "forks": 5, "spades": 9, "hand": []},
        ],
        "laid": [
            {"at": [0, 0], "bridge": "sand", "segments": ["blue head N"], "flips": 0},
            {
                "at": [0, -1],
                "bridge": "grass",
                "segments": ["blue body NS"],
                "ornament": "gold",
                "claim": {"seat": 0, "piece": "fork", "on": "S"},
            },
        ],
        "stock": 60,
    }
    state = SPEC.from_position(position)
    assert state.active() == [0]
    assert state.scores() == [0, 4]
    assert [line.rule for line in state.score_lines(1)] == ["before"]
    assert SPEC.from_position(state.position()).position() == state.position()
    assert state.position()["stock"] == 60


def test_a_tile_may_be_given_by_number_and_turn_alone() -> None:
    state = table(START, {"at": [1, 0], "tile": 7, "turn": 0})
    # Place 1,0 is odd, so turn 0 shows the reverse: a sand bridge with the flower.
    laid = state.position()["laid"][1]
    assert (laid["bridge"], laid["ornament"], laid["flips"]) == ("sand", "flower", 3)
    assert BOX[7].spade


def test_pieces_not_mentioned_are_those_not_on_the_table() -> None:
    state = table(START, tile(1, 0, claim={"seat": 1, "on": "bridge"}), hands=[[], [12]], to_move=1)
    assert state.boots == [7, 6]


def test_an_unknown_stock_gives_any_tile_not_seen_until_it_is_empty() -> None:
    state = table(START, hands=[[12, 13, 14], [1]], stock=1, move=2)
    play(state, 0, texts(state, 0)[0], "no claim")
    assert len(state.legal(CHANCE)) == 91
    play(state, CHANCE, "draw 95")
    assert (state.stock_count, state.active()) == (0, [1])
    assert SPEC.from_position(state.position()).position() == state.position()


def base() -> dict[str, Any]:
    return {
        "options": {"variant": "animals"},
        "seats": [{"hand": [12, 13]}, {"hand": [14]}],
        "laid": [
            dict(START),
            {"at": [0, 1], "bridge": "sand"},
            {"at": [0, -1], "bridge": "grass", "segments": ["blue body NS"]},
        ],
    }


def put(position: dict[str, Any], path: str, value: Any) -> None:
    *walk, last = path.split(".")
    here: Any = position
    for step in walk:
        here = here[int(step)] if step.isdigit() else here[step]
    here[int(last) if last.isdigit() else last] = value


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("options.variant", "classical", "option variant"),
        ("seats", [{}], "seats lists 1"),
        ("seats.0.hand", [12, 12], "tile 12 is in two places"),
        ("seats.0.hand", [14], "tile 14 is in two places: seats[0].hand and seats[1].hand"),
        ("seats.0.hand", [1, 2, 3, 4], "at most 3"),
        ("seats.0.hand", [96], "seats[0].hand[0] must be from 1 to 95"),
        ("seats.0.boots", 6, "5 boots in all"),
        ("seats.0.forks", 6, "5 forks in all"),
        ("seats.0.spades", 11, "gets 10 spade cards"),
        ("seats.0.score", -1, "seats[0].score must be from 0"),
        ("seats.0.colour", "red", "seats[0].colour is not a field"),
        ("stock", [12], "tile 12 is in two places"),
        ("stock", "empty", "stock must be"),
        ("stock", 93, "stock must be from 0 to 92"),
        ("laid", [], "laid is empty"),
        ("laid.1.at", [0, 0], "two tiles lie at 0,0"),
        ("laid.1.at", [3, 3], "not joined to the others"),
        ("laid.1.at", [0], "laid[1].at must be two whole numbers"),
        ("laid.1.bridge", "mud", "laid[1].bridge must be one of"),
        ("laid.1.segments", ["orange end N"], "does not match its neighbour"),
        ("laid.2.segments", ["orange body NS"], "does not match its neighbour"),
        ("laid.2.segments", ["blue neck NS"], "no part of a beast"),
        ("laid.2.segments", ["blue head NS"], "a head touches one edge"),
        ("laid.2.segments", ["green head N"], "is not a beast"),
        ("laid.2.segments", ["blue body"], "is not a segment"),
        ("laid.2.segments", ["blue body NN"], "names no edges"),
        ("laid.2.segments", ["blue body NS", "worm end N"], "two segments touch the same edge"),
        ("laid.1.claim", {"seat": 0, "on": "N"}, "nothing at N to claim"),
        ("laid.1.claim", {"seat": 2, "on": "bridge"}, "laid[1].claim.seat must be from 0 to 1"),
        ("laid.1.claim", {"seat": 0, "on": "bridge", "piece": "fork"}, "claimed with a boot, not a fork"),
        ("laid.2.claim", {"seat": 0, "on": "N", "piece": "boot"}, "claimed with a fork, not a boot"),
        ("laid.1.claim", {"seat": 0}, "laid[1].claim.on is missing"),
        ("laid.1", {"bridge": "sand"}, "laid[1].at is missing"),
        ("laid.1", {"at": [0, 1]}, "laid[1].bridge is missing"),
        ("laid.1", {"at": [0, 1], "tile": 12, "turn": 0, "bridge": "grass"}, "tile 12 in turn 0 shows no beasts"),
        ("laid.1", {"at": [0, 1], "tile": 46, "segments": ["worm end S"]}, "shows orange end"),
        ("laid.1", {"at": [0, 1], "tile": 46, "turn": 2, "spade": True}, "tile 46 has no spade"),
        ("laid.1", {"at": [0, 1], "tile": 13, "turn": 0}, "tile 13 is in two places"),
        ("phase", "claim", "needs played"),
        ("phase", "fly hops", "needs played"),
        ("phase", "fresh tiles", "fresh is how many"),
        ("phase", "over", "go together"),
        ("phase", "dinner", "phase must be one of"),
        ("played", {"at": [0, 1]}, "a move under way"),
        ("played", {"at": [5, 5]}, "no tile lies at 5,5"),
        ("fly", {"at": [5, 5]}, "fly.at: no tile lies at 5,5"),
        ("fly", {"from": None}, "fly.at is missing"),
        ("fly", {"at": [0, 1], "hops": 30}, "fly.hops must be from 0 to 29"),
        ("fly", {"at": [0, 1], "guesses": [1, None]}, "all seats have guessed"),
        ("fly", {"at": [0, 1], "guesses": [1, 31]}, "fly.guesses[1] must be from 1 to 30"),
        ("fly", {"at": [0, 1], "guesses": [1, "never"]}, "fly.guesses[1] must be one of escape"),
        ("frog", {"at": [0, 1], "guesses": [1, 2, 3]}, "3 guesses for 2 seats"),
        ("to_move", 2, "to_move must be from 0 to 1"),
        ("move", 3, "move must be from 1 to 2"),
        ("flipped", [[4, 4]], "flipped[0]: no tile lies at 4,4"),
        ("passed", 1, "passed is not a field"),
    ],
)
def test_a_position_that_cannot_be_is_refused_by_name(path: str, value: Any, words: str) -> None:
    position = base()
    SPEC.from_position(base())
    put(position, path, value)
    with pytest.raises(BadPosition) as caught:
        SPEC.from_position(position)
    assert words in caught.value.text


def test_animals_live_in_their_variant_only() -> None:
    with pytest.raises(BadPosition, match="no animals in this variant"):
        table(START, fly={"at": [0, 0], "guesses": [1, 2]})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("seats.0.hand", [12, 14]),
        ("seats.0.spades", 20),
        ("laid.1.at", [3, 3]),
        ("laid.2.segments", ["orange body NS"]),
    ],
)
def test_unchecked_positions_pass_and_stay_unchecked(path: str, value: Any) -> None:
    position = base()
    position["check"] = False
    put(position, path, value)
    state = SPEC.from_position(position)
    assert state.position()["check"] is False
    assert SPEC.from_position(state.position()).position() == state.position()
