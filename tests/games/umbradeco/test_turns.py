"""Set-up, the steps of a turn, and how moves are written."""

from __future__ import annotations

import pytest

import wellies
from wellies import CHANCE, BadNotation, BadOption, Event, GameState, IllegalMove, NotYourTurn, UnknownPiece
from wellies.games.umbradeco import moves

SPEC = wellies.game("umbradeco")


def play(state: GameState, *texts: str) -> GameState:
    for text in texts:
        seat = state.active()[0]
        state.apply(seat, SPEC.parse_move(state, seat, text))
    return state


def texts(state: GameState) -> list[str]:
    seat = state.active()[0]
    return [SPEC.move_text(state, seat, move) for move in state.legal(seat)]


READY = ("draw red", "draw blue", "draw green", "draw green", "draw violet", "draw red", "draw yellow", "draw blue")


def test_two_players_use_all_tiles() -> None:
    state = play(SPEC.start(2), *READY)
    assert texts(state) == ["first 0", "first 1"]
    play(state, "first 1")
    assert state.active() == [1]
    assert state.position() == {
        "game": "umbradeco",
        "options": {"mat": "standard", "rows": "open"},
        "phase": "place",
        "to_move": 1,
        "scores": [0, 0],
        "mat": [{"at": [0, 0], "tiles": ["red"]}, {"at": [0, 1], "tiles": ["blue"]}],
        "hands": [["green", "green"], ["red", "violet"]],
        "shown": [0, 0],
        "market": ["yellow", "blue"],
        "deck": 32,
    }


@pytest.mark.parametrize(("seats", "deck"), [(3, 28), (4, 26)])
def test_with_more_players_two_tiles_leave_the_game(seats: int, deck: int) -> None:
    state = SPEC.start(seats)
    while state.position()["phase"] == "setup":
        assert state.active() == [CHANCE]
        state.apply(CHANCE, state.legal(CHANCE)[-1])
    assert state.position()["deck"] == deck
    assert len(state.position()["out"]) == 2


def test_draws_weigh_as_many_as_there_are() -> None:
    state = SPEC.start(2)
    assert [state.weight(move) for move in state.legal(CHANCE)] == [8, 8, 8, 8, 8]
    play(state, "draw red")
    assert texts(state) == ["draw yellow", "draw green", "draw blue", "draw violet"]
    play(state, "draw blue", "draw red")
    assert [state.weight(move) for move in state.legal(CHANCE)] == [6, 8, 8, 7, 8]


def test_a_market_of_one_colour_leaves_one_move_that_is_still_asked() -> None:
    state = play(SPEC.start(2), *READY[:6], "draw yellow", "draw yellow", "first 0", "green@0,2")
    assert state.active() == [0]
    assert texts(state) == ["take yellow"]


def test_events_tell_a_turn_in_words() -> None:
    state = play(SPEC.start(2), *READY, "first 1")
    told: list[Event] = []
    for text in ("violet>0,1:S", "take yellow", "draw red"):
        seat = state.active()[0]
        state.apply(seat, SPEC.parse_move(state, seat, text), told.append)
    assert [event.text for event in told] == [
        "{1} pushes blue to the south and opens violet in its place [at 0,1] for 1 point (push).",
        "{1} takes yellow from the market.",
        "Red comes to the market.",
    ]
    assert told[0].data == {
        "kind": "push",
        "colour": "violet",
        "at": [0, 1],
        "direction": "S",
        "points": 1,
        "pushed": "blue",
        "to": [0, 2],
    }
    assert not any(event.reveals for event in told)


def test_a_placing_can_be_taken_back_until_chance_acts() -> None:
    match = wellies.Match(SPEC, 2, seed=4)
    seat = match.state.active()[0]
    match.play_move(seat, match.state.legal(seat)[0])
    match.undo(seat)
    match.play_move(seat, match.state.legal(seat)[0])
    match.play_move(seat, match.state.legal(seat)[0])
    assert match.undo_refusal(seat) is not None


def test_the_end_is_told() -> None:
    state = SPEC.from_position(
        {"mat": [{"at": [0, 0], "tiles": ["red"]}], "hands": [["red"], []], "deck": 0, "check": False}
    )
    told: list[Event] = []
    state.apply(0, SPEC.parse_move(state, 0, "drop red"), told.append)
    assert [event.kind for event in told] == ["drop", "end"]
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "Every hand is empty."


# --- notation ---------------------------------------------------------------------------------------------------------


def test_every_number_that_is_a_move_has_a_text_of_its_own_that_reads_back() -> None:
    state = SPEC.start(4, {"mat": "large"})
    seen = {}
    for move in range(moves.END):
        text = SPEC.move_text(state, 0, move)
        assert text not in seen
        seen[text] = move
        assert SPEC.read_move(state, 0, text) == move
        assert SPEC.move_fields(state, 0, move)["kind"]
    assert len(seen) == 2459


@pytest.mark.parametrize(
    ("loose", "text"),
    [
        (" red @ 1 , -1 ", "red@1,-1"),
        ("red>0,1 : SE", "red>0,1:SE"),
        ("red ^0,1", "red^0,1"),
        ("dropred", "drop red"),
        ("take   blue", "take blue"),
        ("draw green", "draw green"),
        ("first1", "first 1"),
    ],
)
def test_spaces_are_free(loose: str, text: str) -> None:
    state = SPEC.start(2)
    assert SPEC.move_text(state, 0, SPEC.read_move(state, 0, loose)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a move"),
        ("red", "is not a move"),
        ("red@1", "is not a move"),
        ("red@1,-1,2", "is not a move"),
        ("red@１,1", "is not a move"),
        ("red>0,1", "add a direction"),
        ("red@0,1:SE", "only a push has one"),
        ("first x", "is not a move"),
        ("Drop red", "is not a move"),
    ],
)
def test_malformed_moves_say_what_is_expected(text: str, words: str) -> None:
    with pytest.raises(BadNotation, match=words):
        SPEC.read_move(SPEC.start(2), 0, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rad@0,1", "no colour 'rad'.*Did you mean \"red\""),
        ("Red@0,1", 'Did you mean "red"'),
        ("take orange", "no colour"),
        ("red@4,0", "no space 4,0 on the standard mat"),
        ("red^2,2", "no space 2,2 on the standard mat"),
        ("red>0,1:se", 'Did you mean "SE"'),
        ("red>0,1:E", "there are: N, NE, SE, S, SW, NW"),
        ("first 2", "no seat 2"),
    ],
)
def test_pieces_and_places_that_do_not_exist_are_named(text: str, words: str) -> None:
    with pytest.raises(UnknownPiece, match=words):
        SPEC.read_move(SPEC.start(2), 0, text)


def test_a_space_beyond_a_smaller_mat_is_refused_as_a_number_too() -> None:
    large = SPEC.start(2, {"mat": "large"})
    state = play(SPEC.start(2), *READY, "first 0")
    for text in ("green@4,0", "green>4,0:N", "green^4,0"):
        why = state.refusal(0, SPEC.read_move(large, 0, text))
        assert why == "That space [at 4,0] lies outside the mat."


def test_a_move_out_of_turn_is_told_so() -> None:
    state = play(SPEC.start(2), *READY, "first 0")
    with pytest.raises(NotYourTurn):
        SPEC.parse_move(state, 1, "red@0,2")
    with pytest.raises(IllegalMove, match="no red tile in your hand"):
        SPEC.parse_move(state, 0, "red@0,2")


def test_moves_are_told_in_words() -> None:
    state = play(SPEC.start(2), *READY, "first 1")
    assert SPEC.move_words(state, 1, SPEC.parse_move(state, 1, "red@0,2")) == "open a red umbrella [at 0,2]"
    assert SPEC.move_words(state, 1, SPEC.parse_move(state, 1, "violet@0,2")) == "open a violet umbrella [at 0,2]"
    assert SPEC.move_words(state, 1, SPEC.parse_move(state, 1, "violet>0,1:S")).endswith("open violet in its place")
    for text in ("red^0,1", "drop red", "take red", "draw red", "first 0"):
        assert SPEC.move_words(state, 1, SPEC.read_move(state, 1, text))


def test_options_are_checked() -> None:
    with pytest.raises(BadOption, match="mat"):
        SPEC.start(2, {"mat": "huge"})
    with pytest.raises(BadOption, match="2 to 4 seats"):
        SPEC.start(5)


def test_the_terminal_shows_every_coordinate_and_no_hidden_tile() -> None:
    state = play(SPEC.start(2), *READY, "first 0")
    page = SPEC.draw(state.view(0), {(0, -1): "7"}).plain()
    assert "-3,3" in page
    assert page.count("♣ green") == 3  # two in hand, one in the list of what is not seen
    assert "♣ green" not in SPEC.draw(state.view(1)).plain().split("not seen")[0]
    assert " 7 " in page
    assert max(len(line) for line in page.splitlines()) <= 80


def test_a_stack_is_drawn_with_what_lies_beneath() -> None:
    state = SPEC.from_position(
        {
            "check": False,
            "mat": [{"at": [0, 0], "tiles": ["red", "blue"]}],
            "hands": [["green"], []],
            "market": [],
            "deck": 0,
        }
    )
    assert "◆ on ♥" in SPEC.draw(state.view(None)).plain()
