"""What a seat knows of the others: tiles from the market, a `?` for the rest, and what a discard proves."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import wellies
from wellies import CHANCE, Event, GameState, Stream

SPEC = wellies.game("umbradeco")
PAIR = [{"at": [0, 0], "tiles": ["red"]}, {"at": [0, 1], "tiles": ["blue"]}]


def play(state: GameState, *moves: str) -> GameState:
    for text in moves:
        seat = state.active()[0]
        state.apply(seat, SPEC.parse_move(state, seat, text))
    return state


def hands(state: GameState, viewer: int | None) -> Any:
    return state.view(viewer)["position"]["hands"]


def set_up(*hand: list[str], **more: Any) -> GameState:
    return SPEC.from_position(
        {"mat": PAIR, "hands": list(hand), "market": ["violet", "green"], "deck": 10, "check": False, **more}
    )


def test_a_seat_sees_its_own_hand_and_question_marks() -> None:
    state = set_up(["red", "yellow"], ["green", "blue"])
    assert hands(state, 0) == [["red", "yellow"], ["?", "?"]]
    assert hands(state, 1) == [["?", "?"], ["green", "blue"]]
    assert hands(state, None) == [["?", "?"], ["?", "?"]]


def test_a_tile_from_the_market_is_known_to_all() -> None:
    state = play(set_up(["red", "yellow"], ["green", "blue"]), "yellow@0,2", "take violet")
    assert hands(state, 1) == [["violet", "?"], ["green", "blue"]]
    assert hands(state, None)[0] == ["violet", "?"]
    assert hands(state, 0)[0] == ["violet", "red"]


def test_playing_a_known_colour_uses_the_known_tile_up() -> None:
    state = set_up(["violet", "violet"], ["green", "blue"], shown=[1, 0])
    assert hands(state, 1)[0] == ["violet", "?"]
    play(state, "violet@0,2")
    assert hands(state, 1)[0] == ["?"]
    assert hands(state, 0)[0] == ["violet"]


def test_playing_another_colour_uses_a_hidden_tile_up() -> None:
    state = play(set_up(["violet", "yellow"], ["green", "blue"], shown=[1, 0]), "yellow@0,2")
    assert hands(state, 1)[0] == ["violet"]


def test_tiles_that_left_the_game_are_seen_by_nobody() -> None:
    state = SPEC.start(3)
    told: list[Event] = []
    for text in ("draw red", "draw blue"):
        state.apply(CHANCE, SPEC.parse_move(state, CHANCE, text), told.append)
    assert state.position()["out"] == ["red", "blue"]
    for viewer in (None, 0, 1, 2):
        assert state.view(viewer)["position"]["out"] == ["?", "?"]
        assert all("red" not in str(event.seen_by(viewer)) for event in told)


def test_only_its_owner_is_told_what_was_drawn_to_a_hand() -> None:
    state = play(SPEC.start(2), "draw red", "draw blue")
    told: list[Event] = []
    state.apply(CHANCE, SPEC.parse_move(state, CHANCE, "draw violet"), told.append)
    assert "violet" in told[0].seen_by(0)["text"]
    assert told[0].seen_by(0)["data"] == {"colour": "violet"}
    for viewer in (None, 1):
        assert told[0].seen_by(viewer)["text"] == "{0} draws a tile."
        assert told[0].seen_by(viewer)["data"] == {}


def test_a_discard_proves_what_the_other_tile_is_not() -> None:
    # Only red fits nowhere beside a single red tile, so a hand that discards red keeps red.
    state = SPEC.from_position(
        {
            "check": False,
            "mat": [{"at": [0, 0], "tiles": ["red"]}],
            "hands": [["red", "red"], ["blue"]],
            "market": ["blue"],
            "deck": 9,
        }
    )
    play(state, "drop red")
    assert state.position(1)["hands"][0] == ["?"]
    assert state.position(1)["excluded"] == [["yellow", "green", "blue", "violet"], []]
    for seed in range(20):
        assert state.resample(1, Stream(seed)).position()["hands"][0] == ["red"]
        seen = SPEC.from_position(state.position(1))
        assert seen.resample(1, Stream(seed)).position() == state.resample(1, Stream(seed)).position()
    play(state, "take blue")
    assert state.position(1)["excluded"][0] == ["yellow", "green", "blue", "violet"]


def test_what_a_discard_proved_is_forgotten_once_the_tile_is_played() -> None:
    state = set_up(["yellow"], ["green", "blue"], excluded=[["red", "blue"], []], market=[], deck=0)
    play(state, "yellow@0,2")
    assert "excluded" not in state.position()


def test_a_discard_of_a_hidden_tile_says_nothing_of_a_known_one() -> None:
    state = SPEC.from_position(
        {
            "check": False,
            "mat": [{"at": [0, 0], "tiles": ["red"]}],
            "hands": [["red", "red"], ["blue"]],
            "shown": [2, 0],
            "market": [],
            "deck": 0,
        }
    )
    play(state, "drop red")
    assert "excluded" not in state.position()
    assert state.position()["discarded"] == ["red"]


def test_a_fresh_deal_keeps_what_is_known_and_is_fair() -> None:
    # Seat 0 sees two red, one yellow, two green (one of them known in the other hand), one blue and one violet.
    state = set_up(["red", "yellow"], ["green", "blue"], shown=[0, 1])
    rng = Stream(1)
    dealt: Counter[str] = Counter()
    for _ in range(3000):
        other = state.resample(0, rng)
        assert other.view(0) == state.view(0)
        shown, hidden = other.position()["hands"][1]
        assert shown == "green"
        dealt[hidden] += 1
    unseen = state.view(0)["extra"]["unseen"]
    assert unseen == {"red": 6, "yellow": 7, "green": 6, "blue": 7, "violet": 7}
    for colour, count in unseen.items():
        assert abs(dealt[colour] / 3000 - count / 33) < 0.035


def test_deals_under_two_discards_are_weighted_by_the_ways_they_come_about() -> None:
    # Seats 1 and 2 hold one tile each that is red or yellow; one red and two yellow are unseen: red+yellow,
    # yellow+red and yellow+yellow are then each as likely as the others (1*2, 2*1 and 2*1 ways).
    mat = [
        {"at": [q, r], "tiles": [colour]}
        for colour, places in {
            "red": [(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2), (2, -2), (-2, 2)],
            "yellow": [(1, 0), (-1, 0), (1, 2), (0, -3), (3, -2), (-3, 3)],
        }.items()
        for q, r in places
    ]
    others = ["green", "blue", "violet"]
    state = SPEC.from_position(
        {
            "check": False,
            "mat": mat,
            "hands": [[], ["red"], ["yellow"]],
            "to_move": 1,
            "excluded": [[], others, others],
            "market": [],
            "out": ["?"],
            "discarded": [colour for colour in others for _ in range(8)],
            "deck": 0,
        }
    )
    rng = Stream(7)
    dealt: Counter[tuple[str, str]] = Counter()
    for _ in range(3000):
        _, (one,), (two,) = state.resample(0, rng).position()["hands"]
        dealt[one, two] += 1
    assert set(dealt) == {("red", "yellow"), ("yellow", "red"), ("yellow", "yellow")}
    assert all(abs(count / 3000 - 1 / 3) < 0.04 for count in dealt.values())


def test_a_state_that_does_not_know_a_hand_offers_all_it_may_hold() -> None:
    state = SPEC.from_position(
        {"check": False, "mat": PAIR, "hands": [["?"], ["green"]], "market": [], "deck": 0, "discarded": ["violet"] * 8}
    )
    texts = [SPEC.move_text(state, 0, move) for move in state.legal(0)]
    assert {text.split("@")[0] for text in texts if "@" in text} == {"red", "yellow", "green", "blue"}
    for text in texts:
        assert SPEC.parse_move(state, 0, text) in state.legal(0)
    play(state, "yellow@0,2")
    assert state.position()["hands"] == [[], ["green"]]
    assert state.active() == [1]


def test_a_hidden_hand_may_discard_where_it_may_be_stuck() -> None:
    state = SPEC.from_position(
        {
            "check": False,
            "mat": [{"at": [0, 0], "tiles": ["red"]}],
            "hands": [["?", "?"], ["green"]],
            "market": [],
            "deck": 0,
        }
    )
    assert [SPEC.move_text(state, 0, move) for move in state.legal(0)][-1] == "drop red"
    known = SPEC.from_position(
        {
            "check": False,
            "mat": [{"at": [0, 0], "tiles": ["red"]}],
            "hands": [["blue", "?"], ["green"]],
            "market": [],
            "deck": 0,
        }
    )
    assert all("drop" not in SPEC.move_text(known, 0, move) for move in known.legal(0))
    stuck = SPEC.from_position(
        {
            "check": False,
            "mat": [{"at": [0, 0], "tiles": ["red"]}],
            "hands": [["red", "?"], ["green"]],
            "market": [],
            "deck": 0,
        }
    )
    play(stuck, "drop red")
    assert stuck.position()["excluded"][0] == ["yellow", "green", "blue", "violet"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_bot_plays_from_its_view_alone(seats: int) -> None:
    match = wellies.Match(SPEC, seats, seed=seats)
    bot = wellies.bot("greedy")
    for turn in range(12):
        seat = match.state.active()[0]
        move = bot.choose(match.view_for(seat), seat, Stream(turn))
        match.play_move(seat, move)


def test_an_estimate_prefers_a_hand_with_somewhere_to_go() -> None:
    # Red has a tile in line to score with; yellow and yellow have none, and no choice either.
    good = set_up(["red", "yellow"], ["green"])
    poor = set_up(["yellow", "yellow"], ["green"])
    assert good.estimate(0) > poor.estimate(0)
