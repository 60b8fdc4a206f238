"""What the search knows of Good Puppies: quick replies, the same draws for all candidates, and shares of the budget."""

from __future__ import annotations

import pytest
from helpers import Case, cases, play_by

import wellies
from wellies import CHANCE, Stream
from wellies.bots.search.beam import Candidate
from wellies.bots.search.root import Evaluation, beaten
from wellies.games.puppies.heuristics import PuppiesHeuristics
from wellies.games.puppies.material import NONE, TOP
from wellies.games.puppies.moves import STOP, up
from wellies.games.puppies.phases import CHOOSING, TAKING, TRICK
from wellies.games.puppies.replies import WEIGHTS, card_prior, quick_reply
from wellies.games.puppies.scoring import all_bonuses, bonus_bones, bonus_picks, upgrade_gain
from wellies.games.puppies.state import PuppiesState
from wellies.games.puppies.tricks import Frame

PUPPIES = [case for case in cases() if case.game == "puppies"]
HUSKIES = 4
STUBBORN, SLEEPY = 45, 40
"""Huskies: upgrade one bone up to N times; bury a bone, then upgrade one twice."""


def begun() -> PuppiesState:
    state = wellies.game("puppies").start(2, {})
    rng = Stream(3)
    while state.due() == [CHANCE]:
        state.step(CHANCE, state.chance(rng))
    assert isinstance(state, PuppiesState)
    return state


@pytest.mark.parametrize("case", PUPPIES, ids=repr)
def test_quick_replies_are_legal_and_change_nothing(case: Case) -> None:
    state = case.start()
    assert isinstance(state, PuppiesState)
    play_by(state, lambda seat: quick_reply(state, seat, list(WEIGHTS)), Stream(f"replies {case}"))
    assert state.outcome() is not None


def test_a_card_is_evaluated_without_being_played() -> None:
    state = begun()
    yard = state.yards[0]
    yard.add(41, HUSKIES)
    yard.bury(HUSKIES)
    before = (yard.size[:], yard.bones[:], yard.pups[:], yard.value)
    priors = {card: card_prior(state.cards, yard, card, 0, 100, list(WEIGHTS)) for card in range(100)}
    assert before == (yard.size, yard.bones, yard.pups, yard.value)
    assert len(set(priors.values())) > 20


def test_a_bone_turned_several_times_is_judged_by_the_last_turn() -> None:
    """With two turns a bone of 2 brings 8 and one of 5 brings 5; by the first turn alone it would be 3 against 5."""
    state = begun()
    yard = state.yards[0]
    yard.add(STUBBORN, HUSKIES)
    yard.add(SLEEPY, HUSKIES)
    yard.bury(HUSKIES)
    yard.bury(HUSKIES)
    yard.upgrade(HUSKIES * 4)
    yard.upgrade(HUSKIES * 4)
    yard.upgrade(HUSKIES * 4 + 1)
    assert yard.bone_values(HUSKIES) == [2, 5]
    state.final = True
    state.turns = [STUBBORN * 8]
    state.frames = [Frame(STUBBORN, HUSKIES, 2)]
    state.go_on(None)
    assert state.phase == TRICK
    assert state.choices == [STOP, up(HUSKIES * 4 + 1), up(HUSKIES * 4 + 2)]
    assert quick_reply(state, 0, list(WEIGHTS)) == up(HUSKIES * 4 + 1)


def test_the_cards_to_come_are_the_same_however_many_are_drawn() -> None:
    """Two imagined games with the same dice; in one a few cards more are drawn. After them the order is the same."""
    heuristics = PuppiesHeuristics()
    drawn: list[list[int]] = []
    for _ in range(2):
        state = begun()
        dice = Stream("luck")
        planned = heuristics.plan_draws(state, dice)
        cards: list[int] = []
        for _ in range(30):
            card = heuristics.next_draw(state, planned, dice)
            state.unseen.remove(card)
            cards.append(card)
        assert len(set(cards)) == 30
        drawn.append(cards)
    assert drawn[0] == drawn[1]


def test_cards_get_the_budget_and_tricks_a_part_of_it() -> None:
    heuristics = PuppiesHeuristics()
    state = begun()
    shares = {}
    for phase in (CHOOSING, TAKING, TRICK):
        state.phase = phase
        shares[phase] = heuristics.budget_share(state)
    assert shares[CHOOSING] == shares[TAKING] == 100
    assert 0 < shares[TRICK] < 100


def test_bonuses_bring_the_best_gains_and_the_bones_picked_bring_the_same() -> None:
    """What bots count on, the bones that the log names, and the highest gains found by sorting are one number."""
    cards = begun().cards
    rng = Stream("yards")
    seen = set()
    for _ in range(300):
        yard = begun().yards[0]
        for _ in range(1 + rng.randrange(9)):
            card = rng.randrange(90)
            yard.add(card, card // 10)
        for group in yard.groups():
            for level in range(4):
                yard.bones[group * 4 + level] = rng.randrange(4)
        points = best = 0
        for group in yard.groups():
            bonus = cards.breeds[group].bonus
            points += sum(
                number * upgrade_gain(level, bonus.times) for level, number in bonus_picks(cards, yard, group)
            )
            gains = [
                upgrade_gain(level, bonus.times)
                for level in range(TOP)
                if bonus.showing in (NONE, level)
                for _ in range(yard.bones[group * 4 + level])
            ]
            best += sum(sorted(gains, reverse=True)[: bonus_bones(bonus, yard, group)])
        assert all_bonuses(cards, yard) == points == best
        seen.add(points)
    assert len(seen) > 20


def test_moves_that_go_alike_in_every_imagined_game_are_not_compared_for_ever() -> None:
    one, two, three = (Evaluation(Candidate(move, 0), 0.5, 1.0) for move in range(3))
    for value in (0.2, 0.4, 0.1, 0.8):
        one.add(value, 0)
        two.add(value, 0)
        three.add(value + (0.1 if value > 0.3 else -0.1), 0)
    assert beaten(one, two)
    assert not beaten(one, three)
