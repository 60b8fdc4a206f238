"""Set-up, rounds and turns of Good Puppies."""

from __future__ import annotations

from typing import Any

import pytest

import wellies
from wellies import CHANCE, BadOption, Event, GameState, Match, Stream

SPEC = wellies.game("puppies")


def play(state: GameState, *moves: str) -> list[Event]:
    """Moves as "seat text", `*` for chance; returns all that happened."""
    heard: list[Event] = []
    for line in moves:
        who, _, text = line.partition(" ")
        seat = CHANCE if who == "*" else int(who)
        state.apply(seat, SPEC.parse_move(state, seat, text), heard.append)
    return heard


def deal(state: GameState, number: int) -> None:
    """The lowest unseen card, so many times."""
    for _ in range(number):
        state.apply(CHANCE, state.legal(CHANCE)[0])


def two(**more: Any) -> GameState:
    """Two seats about to choose."""
    position = {"park": [12, 45, 60], "seats": [{"hand": [7, 8, 31]}, {"hand": [9, 10, 66]}], **more}
    return SPEC.from_position(position)


@pytest.mark.parametrize(
    ("seats", "options", "deck", "box", "hand", "park"),
    [
        (2, {}, 45, 55, 3, 3),
        (3, {}, 60, 40, 3, 4),
        (4, {}, 75, 25, 3, 5),
        (5, {}, 90, 10, 3, 6),
        (2, {"extended": True}, 60, 40, 3, 3),
        (3, {"extended": True}, 75, 25, 3, 4),
        (4, {"extended": True}, 90, 10, 3, 5),
        (2, {"strategic": True}, 45, 55, 5, 5),
        (2, {"strategic": True, "extended": True}, 60, 40, 5, 5),
    ],
)
def test_deck_hands_and_park_follow_the_number_of_players(
    seats: int, options: dict[str, Any], deck: int, box: int, hand: int, park: int
) -> None:
    state = SPEC.start(seats, options)
    assert (state.position()["deck"], state.position()["box"]) == (deck, box)
    deal(state, seats * hand)
    position = state.position()
    assert [len(seat["hand"]) for seat in position["seats"]] == [hand] * seats
    assert position["phase"] == "park"
    deal(state, park)
    position = state.position()
    assert len(position["park"]) == park
    assert (position["deck"], position["box"]) == (deck - seats * hand - park, box)
    assert state.active() == list(range(seats))


@pytest.mark.parametrize(("name", "seats"), [("extended", 5), ("strategic", 3)])
def test_an_option_is_refused_for_too_many_seats(name: str, seats: int) -> None:
    with pytest.raises(BadOption, match=rf"option {name}: yes is for .* not {seats}"):
        SPEC.start(seats, {name: True})


def test_hands_are_dealt_seat_by_seat_and_seen_by_their_seat_alone() -> None:
    state = SPEC.start(2)
    heard = play(state, "* draw 42")
    assert heard[0].seen_by(0)["data"] == {"card": 42}
    assert "42 Brave Husky" in heard[0].seen_by(0)["text"]
    for stranger in (1, None):
        assert heard[0].seen_by(stranger)["data"] == {}
        assert "42" not in heard[0].seen_by(stranger)["text"]
    assert state.position()["seats"][0]["hand"] == [42]


def test_every_unseen_card_is_equally_likely() -> None:
    state = SPEC.start(2)
    play(state, "* draw 42", "* draw 07")
    assert state.legal(CHANCE) == [card for card in range(100) if card not in (7, 42)]
    assert {state.weight(move) for move in state.legal(CHANCE)} == {1}


def test_the_order_of_choosing_does_not_matter() -> None:
    first, second = two(), two()
    play(first, "0 choose 31", "1 choose 66")
    play(second, "1 choose 66", "0 choose 31")
    assert first.position() == second.position()


def test_in_the_strategic_game_the_order_of_the_two_choices_does_not_matter() -> None:
    start = {
        "options": {"strategic": True},
        "park": [50, 51, 52, 53, 54],
        "seats": [{"hand": [4, 5, 6, 31, 81]}, {"hand": [11, 14, 15, 16, 66]}],
    }
    orders = [
        ("0 choose 31", "0 choose 81", "1 choose 11", "1 choose 66"),
        ("1 choose 66", "0 choose 81", "1 choose 11", "0 choose 31"),
    ]
    ends = []
    for order in orders:
        state = SPEC.from_position(start)
        play(state, *order)
        ends.append(state.position())
    assert ends[0] == ends[1]
    assert ends[0]["turns"] == [
        {"seat": 0, "card": 81},
        {"seat": 1, "card": 66},
        {"seat": 0, "card": 31},
        {"seat": 1, "card": 11},
    ]


def test_the_reveal_is_told_to_all_and_marked_as_revealing() -> None:
    state = two()
    assert [event.reveals for event in play(state, "0 choose 31")] == [False]
    heard = play(state, "1 choose 66")
    shown = next(event for event in heard if event.kind == "reveal")
    assert shown.reveals
    assert shown.data == {"turns": [{"seat": 1, "card": 66}, {"seat": 0, "card": 31}]}


def test_a_choice_may_be_taken_back_until_all_have_chosen() -> None:
    match = Match(SPEC, position=two().position(), seed=1)
    match.play(0, "choose 31")
    match.undo(0)
    assert match.state.position()["seats"][0]["chosen"] is None
    match.play(0, "choose 07")
    match.play(1, "choose 66")
    assert match.undo_refusal(1) is not None


def test_a_round_runs_from_the_park_to_the_leftover_pup() -> None:
    state = two()
    heard = play(
        state,
        *("0 choose 31", "1 choose 66", "1 bury labradors", "1 bury labradors", "1 take 12"),
        *("0 bury dachshunds", "0 take 45"),
    )
    position = state.position()
    assert position["round"] == 2
    assert position["phase"] == "park"
    assert position["park"] == []
    assert position["seats"][0]["hand"] == [7, 8, 45]
    assert position["seats"][0]["open"] == [45]
    assert position["seats"][0]["groups"] == [
        {"breed": "dachshunds", "pups": [31], "bones": [1]},
        {"breed": "labradors", "pups": [60], "bones": []},
    ]
    leftover = [event for event in heard if event.kind == "join" and event.data["how"] == "leftover"]
    assert [(event.seat, event.data["card"]) for event in leftover] == [(0, 60)]
    assert state.active() == [CHANCE]


def test_bones_come_off_the_deck_unseen() -> None:
    state = two()
    before = state.position()["deck"]
    play(state, "0 choose 31", "1 choose 66", "1 bury labradors", "1 bury labradors")
    assert state.position()["deck"] == before - 2


@pytest.mark.parametrize(("deck", "final"), [(3, False), (2, True), (0, True)])
def test_the_final_round_comes_when_the_deck_cannot_fill_the_park(deck: int, final: bool) -> None:
    state = two(deck=deck, box=40)
    play(state, "0 choose 31", "1 choose 66", "1 stop", "1 take 12", "0 stop", "0 take 45")
    assert state.position()["final"] is final
    assert state.position()["phase"] == ("choose" if final else "park")


def test_in_the_final_round_nobody_takes_a_card_and_then_the_game_is_over() -> None:
    state = two(park=[], final=True, deck=2, box=40)
    heard = play(state, "0 choose 31", "1 choose 66", "1 stop", "0 bury dachshunds")
    assert state.active() == []
    outcome = state.outcome()
    assert outcome is not None
    # One bone buried with one Dachshund, whose bonus turns it once: 1 + 1.
    assert outcome.scores == [2, 0]
    assert outcome.winners == [0]
    assert "bark" not in outcome.reason
    bonus = next(event for event in heard if event.kind == "bonus")
    assert bonus.data == {"breed": "dachshunds", "bones": [[1, 2]], "points": 1}
    assert [(seat, line.rule, line.points) for seat, line in bonus.lines] == [(0, "bonus dachshunds", 1)]


def test_a_tie_is_shared_and_calls_for_a_bark_off() -> None:
    state = two(park=[], final=True, deck=2, box=40)
    play(state, "0 choose 31", "1 choose 66", "1 stop", "0 stop")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == [0, 1]
    assert outcome.reason.endswith("bark-off!")


def test_what_is_lost_with_an_empty_box_is_told() -> None:
    state = two(park=[], final=True, deck=0, box=1)
    heard = play(state, "0 choose 31", "1 choose 66", "1 bury labradors")
    assert [event.data for event in heard if event.kind == "lost"] == [{"card": 66}, {"card": 31}]


def test_the_points_of_events_add_up_to_the_scores() -> None:
    for seed in range(4):
        match = Match(SPEC, seats=2 + seed, seed=seed)
        rng = Stream(seed)
        while match.state.active():
            seat = match.state.due()[0]
            moves = match.state.legal(seat)
            match.play_move(seat, moves[rng.randrange(len(moves))])
        totals = [0] * match.state.seats
        for entry in match.log:
            for event in entry.events:
                for seat, line in event.lines:
                    totals[seat] += line.points
        assert totals == match.state.scores()


def test_cards_are_never_lost_or_doubled() -> None:
    rng = Stream("count")
    state = SPEC.start(5)
    while state.active():
        seat = state.due()[0]
        moves = state.legal(seat)
        state.step(seat, moves[rng.randrange(len(moves))])
        position = state.position()
        seen = position["park"] + [turn["card"] for turn in position.get("turns", [])[1:]]
        seen += [position["pup"]] if "pup" in position else []
        bones = 0
        for each in position["seats"]:
            seen += each["hand"]
            for group in each["groups"]:
                seen += group["pups"]
                bones += len(group["bones"])
        assert len(set(seen)) == len(seen)
        assert len(seen) + bones + position["deck"] + position["box"] == 100
