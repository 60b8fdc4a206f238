"""What is convenient about a state, a match and an outcome, told by examples. The laws are in `tests/contract`."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from toy import ToySpec

import wellies
from wellies import Ending, Match, Outcome


def test_a_state_writes_and_describes_moves() -> None:
    state = Match("umbradeco", seats=2, seed=1).state
    seat = state.due()[0]
    move = state.legal(seat)[0]
    assert state.move_text(seat, move) == state.spec.move_text(state, seat, move)
    assert state.describe(seat, move).startswith("open ")
    start = wellies.game("marram").start(2)
    first = start.legal(wellies.CHANCE)[0]
    assert start.describe(wellies.CHANCE, first) == "seat 0 begins"
    assert start.describe(wellies.CHANCE, first, ["Ann", "Ben"]) == "Ann begins"
    assert start.spec.move_words(start, wellies.CHANCE, first) == "{0} begins"


def test_a_state_and_a_match_are_told_in_one_line() -> None:
    match = Match("guppies", seats=2, seed=7)
    assert repr(match.state) == "<guppies, 2 seats, seat 0 to move, scores 0 0>"
    assert repr(match) == "<Match of guppies, 2 seats, seat 0 to move, scores 0 0, 1 moves>"
    assert repr(wellies.game("guppies").start(2)) == "<guppies, 2 seats, chance to move, scores 0 0>"
    assert "seats 0, 1 and 2 to move" in repr(Match("puppies", seats=3, seed=1))


def test_a_printed_match_has_the_names_of_its_players() -> None:
    match = Match(ToySpec(), seats=2, seed=3)
    assert str(match) == str(match.state) == "hand 0: <?> <?>\nhand 1: <?> <?>"
    named = Match("guppies", seats=2, seed=7, players=["Ann", "Ben"])
    assert "Ann" in str(named)
    assert "seat 0" in str(named.state)


@pytest.mark.parametrize("name", wellies.list_games())
def test_a_match_can_be_copied_and_pickled(name: str) -> None:
    match = Match(name, seed=2)
    for _ in range(5):
        seat = match.state.due()[0]
        match.play_move(seat, match.choices(seat)[0])
    before = str(match.record(reveal=True))
    for other in (pickle.loads(pickle.dumps(match)), copy.deepcopy(match), match.fork()):
        assert other.state == match.state
        assert str(other.record(reveal=True)) == before
        assert other.decisions() == match.decisions()
        seat = other.state.due()[0]
        other.play_move(seat, other.choices(seat)[0])
        assert str(match.record(reveal=True)) == before


def test_an_outcome_says_how_the_game_ended() -> None:
    outcome = Outcome([3, 5, 5], "All tiles are laid.", Ending.SUPPLY_EMPTY)
    assert (outcome.ranks, outcome.winners) == ([3, 1, 1], [1, 2])
    assert outcome.ending == "supply_empty"
    assert json.loads(json.dumps(outcome.to_json())) == {
        "scores": [3, 5, 5],
        "ranks": [3, 1, 1],
        "winners": [1, 2],
        "reason": "All tiles are laid.",
        "ending": "supply_empty",
    }
    assert repr(outcome) == "Outcome([3, 5, 5], 'All tiles are laid.', supply_empty)"
    assert pickle.loads(pickle.dumps(outcome)) == outcome == copy.copy(outcome)
    assert outcome != Outcome([3, 5, 5], "All tiles are laid.")


def test_a_game_that_gives_no_ending_has_one_all_the_same() -> None:
    assert Outcome([1], "Over.").ending is Ending.OTHER


@pytest.mark.parametrize(
    ("position", "ending"),
    [
        ({"round": 8}, Ending.ROUNDS_PLAYED),
        ({"round": 3, "deck": 0, "check": False}, Ending.SUPPLY_EMPTY),
        ({"round": 3, "check": False}, Ending.STOPPED),
    ],
)
def test_one_game_can_end_in_several_ways(position: dict[str, object], ending: Ending) -> None:
    state = wellies.game("aquarium").from_position({"phase": "over", "seats": [{}, {}], **position})
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.ending is ending
    assert repr(state).startswith("<aquarium, 2 seats, over, scores ")
