"""Planning ahead: what a seat may choose from before its turn comes. Laws for every game on the shelf."""

from __future__ import annotations

import json
from typing import Any

import pytest
from helpers import Case, cases, random_play

from wellies import CHANCE, GameState, Stream
from wellies.core.preview import plan_ahead, preview_points

CASES = cases()
every_case = pytest.mark.parametrize("case", CASES, ids=repr)
PLANNED_IN = ("aquarium", "marram", "puppies", "umbradeco")
"""Guppies draws its tile when the turn begins, and the toys of the tests plan nothing."""


def moments(case: Case, seed: str, every: int) -> list[GameState]:
    """About one in `every` states of a random game."""
    rng = Stream(f"{case} {seed}")
    state = case.start()
    return [state.clone() for _ in random_play(state, rng) if rng.randrange(every) == 0]


@every_case
def test_a_plan_is_made_from_what_the_seat_knows_alone(case: Case) -> None:
    """Two states that look the same to a seat let it plan the same, with the same points; and nothing is changed."""
    for state in moments(case, "plans", 25):
        for seat in range(case.seats):
            other = state.resample(seat, Stream("another deal"))
            assert state.can_plan(seat) == other.can_plan(seat)
            before = state.position()
            planned, same = plan_ahead(state, seat), plan_ahead(other, seat)
            assert state.position() == before
            if planned is None or same is None:
                assert planned is same
                continue
            assert planned.view(seat) == same.view(seat)
            assert planned.legal(seat) == same.legal(seat) != []
            some = planned.legal(seat)[:6]
            assert preview_points(planned, seat, some) == preview_points(same, seat, some)


@every_case
def test_a_plan_is_for_a_turn_that_has_not_come(case: Case) -> None:
    for state in moments(case, "turns", 25):
        for seat in [CHANCE, -5, *range(case.seats), case.seats, case.seats + 7]:
            planned = plan_ahead(state, seat)
            if planned is None:
                continue
            assert 0 <= seat < case.seats
            assert seat in planned.active()
            assert json.loads(json.dumps(planned.view(seat)))["seat"] == seat
            for move in planned.legal(seat):
                assert planned.refusal(seat, move) is None
                text = planned.move_text(seat, move)
                assert case.spec.parse_move(planned, seat, text) == move


def depends_on(state: GameState, seat: int) -> Any:
    """What decides which planned moves are still legal, as the rules of each game have it."""
    view = state.view(seat)
    position = view["position"]
    match state.spec.name:
        case "umbradeco":
            return position["mat"], sorted(position["hands"][seat])
        case "marram":
            mine = position["seats"][seat]
            return position["laid"], sorted(mine["hand"]), mine["spades"]
        case "aquarium":
            return position["seats"][seat]["grid"], sorted(position["store"])
        case "puppies":
            return sorted(position["seats"][seat]["hand"])
    raise AssertionError(state)


@pytest.mark.parametrize("case", [case for case in CASES if case.game in PLANNED_IN], ids=repr)
def test_what_was_planned_is_legal_if_nothing_that_it_depends_on_has_changed(case: Case) -> None:
    """Then a planned move is legal, or refused with a reason. If the table is as it was, all are legal."""
    kept = dropped = 0
    for number in range(2):
        state = case.start()
        plans: dict[int, tuple[Any, list[int]]] = {}
        for seat, _move in random_play(state, Stream(f"{case} kept {number}")):
            if seat == CHANCE:
                continue
            for other in range(case.seats):
                # The first game plans as early as it can, the second as late.
                planned = None if number == 0 and other in plans else plan_ahead(state, other)
                if planned is not None:
                    plans[other] = depends_on(state, other), planned.legal(other)
            if seat in state.due() and seat in plans and not state.can_plan(seat):
                before, moves = plans.pop(seat)
                legal = set(state.legal(seat))
                gone = [move for move in moves if move not in legal]
                if depends_on(state, seat) == before or case.game == "puppies":
                    assert not gone
                for move in gone[:4]:
                    assert (state.refusal(seat, move) or "").strip()
                kept += len(moves) - len(gone)
                dropped += len(gone)
    assert kept, "some plan survives"
    assert dropped or case.game == "puppies", "a hand's card can always be chosen; elsewhere others get in the way"


def test_only_games_in_which_the_next_choice_is_known_are_planned() -> None:
    planned = {
        case.game
        for case in CASES
        for state in moments(case, "which", 12)
        if any(state.can_plan(seat) for seat in range(case.seats))
    }
    assert planned == set(PLANNED_IN)
