"""What the search knows of Ultimate Aquarium: quick replies that look ahead, deny and restock, and cached tanks."""

from __future__ import annotations

import pytest
from helpers import Case, cases, play_by

import wellies
from wellies import CHANCE, Stream
from wellies.games.aquarium.heuristics import AquariumHeuristics
from wellies.games.aquarium.material import Material
from wellies.games.aquarium.material_file import STANDARD_CARDS
from wellies.games.aquarium.moves import NET, RESTOCK, TAKE
from wellies.games.aquarium.phases import SETUP, TURN
from wellies.games.aquarium.replies import (
    CARDS,
    DENIED,
    FUTURE,
    MOST_TANKS,
    POOR,
    WEIGHTS,
    TankValues,
    move_priors,
    quick_reply,
    turns_left,
)
from wellies.games.aquarium.scoring import tank_points
from wellies.games.aquarium.state import AquariumState
from wellies.games.aquarium.tank_spaces import SPACES

AQUARIUM = [case for case in cases() if case.game == "aquarium"]
NEVER = -1_000_000
PLAIN = [0, NEVER, *[0] * len(CARDS)]
"""Weights of somebody who takes what brings most at once."""


def at_turn(number: int = 1, seed: int = 3) -> AquariumState:
    """The first turn of a round, reached by quick replies."""
    state = wellies.game("aquarium").start(2, {})
    assert isinstance(state, AquariumState)
    heuristics = AquariumHeuristics()
    rng = Stream(seed)
    while not (state.phase == TURN and state.round == number):
        seat = state.due()[0]
        state.step(seat, state.chance(rng) if seat == CHANCE else heuristics.reply(state, seat, rng))
    return state


def with_weight(index: int, value: int) -> list[int]:
    weights = list(WEIGHTS)
    weights[index] = value
    return weights


@pytest.mark.parametrize("case", AQUARIUM, ids=repr)
def test_quick_replies_are_legal_and_change_nothing(case: Case) -> None:
    state = case.start()
    assert isinstance(state, AquariumState)
    tanks = TankValues(state.cards, list(WEIGHTS))
    play_by(state, lambda seat: quick_reply(state, seat, tanks, list(WEIGHTS)), Stream(f"replies {case}"))
    assert state.outcome() is not None


def test_every_card_of_the_box_has_a_future() -> None:
    assert sorted(CARDS) == sorted(STANDARD_CARDS.names)
    assert len(WEIGHTS) == FUTURE + len(CARDS)


def test_cached_tanks_have_the_points_that_they_score() -> None:
    tanks = TankValues(STANDARD_CARDS, list(WEIGHTS))
    rng = Stream(5)
    for _ in range(300):
        tank = [rng.randrange(len(STANDARD_CARDS.names)) for _ in range(SPACES)]
        space, card = rng.randrange(SPACES), rng.randrange(len(STANDARD_CARDS.names))
        changed = tank.copy()
        changed[space] = card
        before = tank.copy()
        for _ in range(2):  # computed, then cached
            assert tanks.with_card(tank, tanks.key(tank), space, card) == 100 * tank_points(STANDARD_CARDS, changed)
        assert tank == before
    assert 0 < len(tanks.known) <= 300 < MOST_TANKS


def test_the_turns_left_run_out() -> None:
    state = at_turn()
    first, second = state.first, 1 - state.first
    assert [turns_left(state, first), turns_left(state, second)] == [8, 8]
    state.step(first, next(move for move in state.legal(first) if move < NET))
    assert [turns_left(state, first), turns_left(state, second)] == [7, 8]
    last = at_turn(8)
    assert [turns_left(last, last.first), turns_left(last, 1 - last.first)] == [1, 1]


def test_what_is_put_down_in_secret_counts_for_its_owner() -> None:
    state = wellies.game("aquarium").start(2, {})
    assert isinstance(state, AquariumState)
    rng = Stream(1)
    while state.phase != SETUP:
        state.step(CHANCE, state.chance(rng))
    move = state.legal(0)[0]
    state.step(0, move)
    assert state.planned_tank(0)[move % SPACES] == move // SPACES
    assert state.planned_tank(1) == state.tanks[1]


def test_in_the_last_round_only_points_count() -> None:
    state = at_turn(8)
    seat = state.to_move
    takes = [move for move in state.legal(seat) if move < NET]
    valued = move_priors(state, seat, takes, TankValues(state.cards, list(WEIGHTS)))
    assert valued == move_priors(state, seat, takes, TankValues(state.cards, PLAIN))
    early = at_turn(1)
    takes = [move for move in early.legal(early.to_move) if move < NET]
    valued = move_priors(early, early.to_move, takes, TankValues(early.cards, list(WEIGHTS)))
    assert valued != move_priors(early, early.to_move, takes, TankValues(early.cards, PLAIN))


def test_a_poor_store_is_restocked() -> None:
    state = at_turn()
    seat = state.to_move
    tanks = TankValues(state.cards, list(WEIGHTS))
    assert quick_reply(state, seat, tanks, with_weight(POOR, 100_000)) == RESTOCK
    assert quick_reply(state, seat, tanks, with_weight(POOR, NEVER)) != RESTOCK
    state.restocks[seat] = False
    assert quick_reply(state, seat, tanks, with_weight(POOR, 100_000)) != RESTOCK


def test_the_last_of_a_round_denies_nobody_and_the_first_may() -> None:
    """A take that leaves the rival less is preferred only by those after whom somebody comes."""
    weights, selfish = with_weight(POOR, NEVER), with_weight(POOR, NEVER)
    weights[DENIED], selfish[DENIED] = 1000, 0
    denied = 0
    for seed in range(12):
        state = at_turn(4, seed)
        tanks = TankValues(state.cards, weights)
        first = state.to_move
        mine = quick_reply(state, first, tanks, weights)
        denied += mine != quick_reply(state, first, tanks, selfish)
        state.step(first, mine)
        last = state.to_move
        assert last != first
        assert quick_reply(state, last, tanks, weights) == quick_reply(state, last, tanks, selfish)
    assert denied > 0


def test_denial_leaves_the_rival_less() -> None:
    weights, selfish = with_weight(POOR, NEVER), with_weight(POOR, NEVER)
    weights[DENIED], selfish[DENIED] = 1000, 0
    for seed in range(12):
        state = at_turn(8, seed)
        tanks = TankValues(state.cards, weights)
        seat = state.to_move
        offers: list[int] = []
        for each in (weights, selfish):
            after = state.clone()
            after.step(seat, quick_reply(state, seat, tanks, each))
            rival = after.to_move
            takes = [move for move in after.legal(rival) if TAKE <= move < NET]
            offers.append(max(move_priors(after, rival, takes, tanks)))
        assert offers[0] <= offers[1]


@pytest.mark.parametrize(("cards", "least"), [("balanced", 56), ("standard", 66)])
def test_quick_replies_beat_those_who_only_see_points(cards: str, least: int) -> None:
    """The seeds are fixed, so this fails only when the game or the weights change. Over 1,000 games with the compiled
    engine they win 66 % with the balanced cards and 71 % with the standard ones."""
    good, plain = AquariumHeuristics(), AquariumHeuristics()
    plain.weights = list(PLAIN)
    won = 0.0
    for number in range(100):
        state = wellies.game("aquarium").start(2, {"cards": cards})
        rng = Stream(f"quick {number // 2}")
        seat = number % 2
        while due := state.due():
            player = good if due[0] == seat else plain
            state.step(due[0], state.chance(rng) if due[0] == CHANCE else player.reply(state, due[0], rng))
        outcome = state.outcome()
        assert outcome is not None
        won += 1 / len(outcome.winners) if seat in outcome.winners else 0
    assert won >= least


def test_other_cards_have_a_cache_of_their_own() -> None:
    heuristics = AquariumHeuristics()
    standard = heuristics.tanks(STANDARD_CARDS)
    assert heuristics.tanks(STANDARD_CARDS) is standard
    other = Material(STANDARD_CARDS.cards)
    assert heuristics.tanks(other) is not standard
    assert heuristics.tanks(other).cards is other
