"""What a seat has seen from the beginning: the same where it cannot tell two games apart, different where it can."""

from __future__ import annotations

import json

import pytest
from helpers import THINNING, Case, random_play
from research_cases import CASES

from wellies import CHANCE, GameState, Stream, game
from wellies.research.information import History, information_text, table_text, told_lines

every_case = pytest.mark.parametrize("case", CASES, ids=repr)


def seen(state: GameState, seat: int) -> str:
    return json.dumps(state.view(seat), sort_keys=True)


@every_case
def test_two_moves_are_told_alike_exactly_when_they_look_alike(case: Case) -> None:
    """From any moment: all that may happen next is tried. A seat is told the same of two moves of others, or of chance,
    exactly when it sees the same afterwards. It always knows its own moves."""
    rng = Stream(f"{case} told")
    state = case.start()
    tried = 0
    while due := state.due():
        mover = due[rng.randrange(len(due))]
        moves = state.legal(mover)
        picked = moves if len(moves) <= 5 else [moves[rng.randrange(len(moves))] for _ in range(5)]
        if rng.randrange(4 * THINNING) == 0 or (len(due) > 1 and rng.randrange(3) == 0):
            for seat in range(case.seats):
                looks: dict[str, set[str]] = {}
                lines: dict[str, set[str]] = {}
                for move in set(picked):
                    after = state.clone()
                    line = told_lines(after, mover, move)[seat] + table_text(after, seat)
                    look = f"{move}" if mover == seat else seen(after, seat)
                    looks.setdefault(line, set()).add(look)
                    lines.setdefault(look, set()).add(line)
                    tried += 1
                assert all(len(each) == 1 for each in looks.values()), "told alike, so it looks alike"
                assert all(len(each) == 1 for each in lines.values()), "looks alike, so it is told alike"
        state.step(mover, state.chance(rng) if mover == CHANCE else picked[rng.randrange(len(picked))])
    assert tried


@every_case
def test_a_resampled_game_is_known_alike_to_the_seat_and_gives_nothing_away(case: Case) -> None:
    rng = Stream(f"{case} known")
    state = case.start()
    history = History(state)
    compared = 0
    while due := state.due():
        seat = due[0]
        move = state.chance(rng) if seat == CHANCE else state.legal(seat)[rng.randrange(len(state.legal(seat)))]
        history.note(seat, move)
        state.step(seat, move)
        if rng.randrange(15 * THINNING) == 0:
            viewer = rng.randrange(case.seats)
            dealt = state.resample(viewer, rng)
            dreamt = history.resampled(viewer, dealt)
            assert information_text(dealt, viewer, dreamt) == information_text(state, viewer, history)
            for other in range(case.seats):
                told = set(dreamt.lines(other))
                assert other == viewer or told <= set(history.public_lines())
            compared += 1
    text = information_text(state, 0, history)
    assert text.startswith("seat 0 of ")
    assert information_text(state, 0, history.clone()) == text
    assert compared or THINNING > 1


def test_what_a_seat_was_told_names_seats_in_words() -> None:
    state = game("puppies").start(2)
    history = History(state)
    for seat, move in random_play(state.clone(), Stream("words")):
        history.note(seat, move)
    words = "\n".join(line.partition(" {")[0] for line in history.lines(0))
    assert "seat 1" in words
    assert "{" not in words


def test_a_seat_remembers_its_own_secret_choices_and_not_those_of_others() -> None:
    from wellies import game

    state = game("puppies").start(2)
    history = History(state)
    rng = Stream(1)
    while state.due() == [CHANCE]:
        draw = state.chance(rng)
        history.note(CHANCE, draw)
        state.step(CHANCE, draw)
    worlds = []
    for pick in (0, 1):
        world, past = state.clone(), history.clone()
        move = world.legal(0)[pick]
        past.note(0, move)
        world.step(0, move)
        worlds.append((information_text(world, 0, past), information_text(world, 1, past)))
    assert worlds[0][0] != worlds[1][0]
    assert worlds[0][1] == worlds[1][1]
