"""Moves as text, and why some are refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wellies
from wellies import BadNotation, IllegalMove, UnknownPiece
from wellies.games.puppies.material_file import STANDARD_CARDS
from wellies.games.puppies.moves import END, kind_of, move_text, move_words, read_move

SPEC = wellies.game("puppies")
STATE = SPEC.start(2)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("choose 83", "choose 83"),
        ("choose83", "choose 83"),
        ("take 7", "take 07"),
        ("draw 007", "draw 07"),
        ("  draw  ", "draw"),
        ("join huskies", "join huskies"),
        ("bury pit bulls", "bury pitbulls"),
        ("bury pit-bulls", "bury pitbulls"),
        ("up2huskies", "up 2 huskies"),
        ("up 10 doggos", "up 10 doggos"),
        ("move 5 pugs huskies", "move 5 pugs huskies"),
        ("move5pugshuskies", "move 5 pugs huskies"),
        ("move 5 pit bulls pugs", "move 5 pitbulls pugs"),
        ("stop", "stop"),
    ],
)
def test_spaces_do_not_matter(text: str, canonical: str) -> None:
    assert move_text(STANDARD_CARDS, SPEC.read_move(STATE, 0, text)) == canonical


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("", BadNotation, "choose 83"),
        ("Choose 83", BadNotation, "is not a move"),
        ("chose 83", BadNotation, 'Did you mean "choose"?'),
        ("choose", BadNotation, "is not a move"),
        ("choose ８３", BadNotation, "is not a move"),
        ("choose -1", BadNotation, "is not a move"),
        ("stop 1", BadNotation, "is not a move"),
        ("move 5 pugs", BadNotation, "where the bone goes"),
        ("choose 100", UnknownPiece, "00 to 99"),
        ("up 3 pugs", UnknownPiece, "1, 2, 5 or 10"),
        ("bury husky", UnknownPiece, 'Did you mean "huskies"?'),
        ("bury Huskies", UnknownPiece, 'Did you mean "huskies"?'),
        ("move 5 pugs poodles", UnknownPiece, "poodles"),
        ("move 5 a b c", UnknownPiece, "two groups"),
    ],
)
def test_mistakes_are_named(text: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        SPEC.read_move(STATE, 0, text)
    assert type(caught.value) is kind
    assert words in str(caught.value)


def test_every_move_has_a_text_of_its_own_that_reads_back() -> None:
    moves = [move for move in range(-5, END + 5) if kind_of(move)]
    texts = [move_text(STANDARD_CARDS, move) for move in moves]
    assert len(moves) == 100 + 100 + 100 + 10 + 2 + 10 + 40 + 400
    assert len(set(texts)) == len(texts)
    assert [read_move(STANDARD_CARDS, text) for text in texts] == moves
    assert all(move_words(STANDARD_CARDS, move) for move in moves)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="abchoseupmvtkj drwinylgqf0123456789-'", max_size=20))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        move = SPEC.read_move(STATE, 0, text)
    except (BadNotation, UnknownPiece):
        return
    assert read_move(STANDARD_CARDS, move_text(STANDARD_CARDS, move)) == move


CHOOSING = {"park": [12, 45, 60], "seats": [{"hand": [7, 8, 31]}, {"hand": [9, 10, 66]}]}
JOINING = {
    "final": True,
    "turns": [{"seat": 0, "card": 90}],
    "seats": [{"groups": [{"breed": "pugs", "pups": [2]}, {"breed": "corgis", "pups": [11]}]}, {}],
}
CRAFTY = {
    "final": True,
    "turns": [{"seat": 0, "card": 14}],
    "seats": [
        {"groups": [{"breed": "pugs", "pups": [2], "bones": [1]}, {"breed": "corgis", "pups": [11], "bones": [5]}]},
        {},
    ],
}
TAKING = {
    "phase": "take",
    "park": [12, 45, 60],
    "turns": [{"seat": 0, "card": 31}, {"seat": 1, "card": 6}],
    "seats": [{"hand": [7, 8], "groups": [{"breed": "dachshunds", "pups": [31]}]}, {"hand": [9, 10]}],
}


@pytest.mark.parametrize(
    ("position", "text", "words"),
    [
        (CHOOSING, "choose 66", "not in your hand"),
        (CHOOSING, "draw 13", "matter of chance"),
        (CHOOSING, "draw", "choose a card from your hand first [choose 07"),
        (CHOOSING, "stop", "nothing to stop"),
        (CHOOSING, "join pugs", "No Doggo is waiting"),
        (CHOOSING, "take 12", "at the end of your turn"),
        (CHOOSING, "up 1 pugs", "No trick of yours"),
        (JOINING, "join shibas", "no Shibas"),
        (JOINING, "bury pugs", "[join pugs"),
        (JOINING, "choose 7", "start of a round"),
        (CRAFTY, "move 1 pugs corgis", ""),
        (CRAFTY, "move 5 corgis corgis", "already"),
        (CRAFTY, "move 1 pugs shibas", "own group only"),
        (CRAFTY, "move 1 shibas corgis", "no Shibas"),
        (CRAFTY, "move 2 pugs corgis", "no bone worth 2"),
        (CRAFTY, "bury corgis", "another part"),
        (CRAFTY, "take 12", "the trick comes first"),
        (TAKING, "take 13", "not in the park"),
        (TAKING, "choose 7", "take a card from the park now [take 12"),
    ],
)
def test_a_refusal_teaches_the_rule(position: dict[str, object], text: str, words: str) -> None:
    state = SPEC.from_position(position)
    if not words:
        assert SPEC.parse_move(state, 0, text) in state.legal(0)
        return
    with pytest.raises(IllegalMove) as caught:
        SPEC.parse_move(state, 0, text)
    assert words in caught.value.text


def test_chance_is_told_why_it_may_not_draw_a_card() -> None:
    state = SPEC.start(2)
    state.apply(-1, 42)
    assert "has been seen already" in (state.rule_against(-1, 42) or "")
    assert "only draws cards" in (state.rule_against(-1, 310) or "")
    assert "No draw is due" in (SPEC.from_position(CHOOSING).rule_against(-1, 42) or "")


@pytest.mark.parametrize("position", [CHOOSING, JOINING, CRAFTY, TAKING])
def test_every_number_is_legal_or_refused(position: dict[str, object]) -> None:
    state = SPEC.from_position(position)
    for seat in (-1, 0, 1):
        legal = state.legal(seat)
        for move in range(-3, END + 3):
            assert (state.rule_against(seat, move) is None) == (move in legal)
