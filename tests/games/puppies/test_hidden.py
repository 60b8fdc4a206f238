"""What a seat knows of the other hands, and what it does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wellies
from wellies import CHANCE, GameState, Stream

SPEC = wellies.game("puppies")


def table(**more: Any) -> GameState:
    """Seat 1 holds 45 and 60, which all have seen it take, and 10, which nobody has."""
    position = {
        "park": [12, 22, 33],
        "seats": [{"hand": [7, 8, 31], "open": [8]}, {"hand": [10, 45, 60], "open": [45, 60]}],
        **more,
    }
    return SPEC.from_position(position)


def choose(state: GameState, seat: int, card: int) -> None:
    state.apply(seat, SPEC.parse_move(state, seat, f"choose {card}"))


def test_others_see_of_a_hand_what_was_taken_openly_and_how_many_cards_there_are() -> None:
    seen = table().view(0)["position"]["seats"]
    assert seen[0]["hand"] == [7, 8, 31]
    assert seen[1]["hand"] == [45, 60, "?"]
    assert table().view(None)["position"]["seats"][0]["hand"] == [8, "?", "?"]


@pytest.mark.parametrize("card", [10, 45])
def test_a_chosen_card_is_hidden_even_if_all_know_the_hand(card: int) -> None:
    state = table()
    choose(state, 1, card)
    seen = state.view(0)["position"]["seats"][1]
    assert seen["chosen"] == "?"
    assert seen["hand"] == [45, 60, "?"]
    assert state.view(1)["position"]["seats"][1]["chosen"] == card


@pytest.mark.parametrize("card", [10, 45, 60])
def test_nothing_of_a_choice_can_be_told_from_the_view_of_others(card: int) -> None:
    """Whatever seat 1 chooses, the views of the others are the same, and so are the events they hear."""
    state, other = table(), table()
    heard: list[wellies.Event] = []
    other_heard: list[wellies.Event] = []
    state.apply(1, SPEC.parse_move(state, 1, f"choose {card}"), heard.append)
    other.apply(1, SPEC.parse_move(other, 1, "choose 10"), other_heard.append)
    for viewer in (0, None):
        assert state.view(viewer) == other.view(viewer)
        assert [event.seen_by(viewer) for event in heard] == [event.seen_by(viewer) for event in other_heard]
    assert heard[0].seen_by(1)["data"] == {"card": card}


def test_a_card_played_is_no_longer_known_to_be_in_the_hand() -> None:
    state = table()
    choose(state, 1, 45)
    choose(state, 0, 31)
    assert state.position()["seats"][1]["open"] == [60]
    assert state.view(0)["position"]["seats"][1]["hand"] == [60, "?"]


def test_resampling_keeps_what_was_seen_and_deals_the_rest_afresh() -> None:
    state = table()
    choose(state, 1, 45)
    rng = Stream(3)
    hidden, chosen = set(), set()
    for _ in range(300):
        seat = state.resample(0, rng).position()["seats"][1]
        assert {45, 60} <= set(seat["hand"])
        (card,) = set(seat["hand"]) - {45, 60}
        assert card not in (7, 8, 31, 12, 22, 33)
        hidden.add(card)
        assert seat["chosen"] in seat["hand"]
        chosen.add(seat["chosen"] if seat["chosen"] in (45, 60) else "hidden")
    assert len(hidden) > 60
    assert chosen == {45, 60, "hidden"}


def test_resampling_does_not_touch_the_own_hand_and_choice() -> None:
    state = table()
    choose(state, 0, 8)
    again = state.resample(0, Stream(1)).position()["seats"][0]
    assert again == state.position()["seats"][0]


def test_a_resampled_deck_draws_what_the_seat_has_not_seen() -> None:
    state = table(phase="park", park=[12, 22])
    dealt = state.resample(0, Stream(1))
    assert len(dealt.legal(CHANCE)) == len(state.legal(CHANCE))
    hand = dealt.position()["seats"][1]["hand"]
    assert not set(hand) & set(dealt.legal(CHANCE))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), strategic=st.booleans())
def test_resampling_is_a_function_of_the_view(seed: int, strategic: bool) -> None:
    """Two worlds that look the same to a seat resample to the same world; and from the view alone it is the same."""
    rng = Stream(seed)
    state = SPEC.start(2, {"strategic": strategic})
    for _ in range(20 + rng.randrange(80)):
        due = state.due()
        if not due:
            break
        seat = due[rng.randrange(len(due))]
        moves = state.legal(seat)
        state.step(seat, moves[rng.randrange(len(moves))])
    for seat in range(2):
        other = state.resample(seat, rng)
        assert other.view(seat) == state.view(seat)
        assert other.resample(seat, Stream(1)).position() == state.resample(seat, Stream(1)).position()
        view = json.loads(json.dumps(state.view(seat)["position"]))
        assert (
            SPEC.from_position(view).resample(seat, Stream(1)).position() == other.resample(seat, Stream(1)).position()
        )


def test_a_game_may_go_on_from_what_one_seat_sees_and_chance_then_shows_the_hidden_choice() -> None:
    state = table()
    choose(state, 1, 45)
    seen = SPEC.from_position(state.view(0)["position"])
    choose(seen, 0, 31)
    assert seen.position()["phase"] == "reveal"
    assert seen.active() == [CHANCE]
    moves = seen.legal(CHANCE)
    # It may be either card known to be in the hand, or the third, which may be any of the 92 cards not in sight.
    assert {45, 60} <= set(moves)
    assert len(moves) == 2 + 92
    assert seen.weight(45) == 92
    assert seen.weight(10) == 1
    assert seen.chance(Stream(2)) in moves
    again = SPEC.from_position(seen.position())
    assert again.position() == seen.position()
    seen.apply(CHANCE, 45)
    assert seen.position()["turns"][0] == {"seat": 1, "card": 45}


def test_a_seat_whose_hand_is_not_known_may_choose_any_card_not_in_sight() -> None:
    seen = SPEC.from_position(table().view(0)["position"])
    assert len(seen.legal(1)) == 2 + 92
    choose(seen, 1, 77)
    assert seen.position()["seats"][1]["hand"] == [45, 60, 77]
