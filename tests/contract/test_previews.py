"""One preview for all: what a move is said to score is what it scores, and no preview tells a secret.

What the server sends is compared with this in `tests/server/test_previews.py`.
"""

from __future__ import annotations

from typing import Any

import pytest
from helpers import Case, cases, some_states
from toy import ToySpec

import wellies
from wellies import CHANCE, Event, GameState, IllegalMove, Match, MoveError, NotYourTurn, Preview, Stream
from wellies.cli.picker import Picker
from wellies.core.events import lines_json
from wellies.core.preview import preview_move, preview_moves, preview_points

every_case = pytest.mark.parametrize("case", cases(), ids=repr)


def some_moves(case: Case, seed: str, every: int) -> list[tuple[GameState, int, list[int]]]:
    """States of a random game, seats that may act in them, and some of their moves, those that score among them."""
    rng = Stream(f"{case} {seed}")
    found = []
    for state in some_states(case, seed, every):
        for seat in state.active():
            if seat == CHANCE:
                continue
            legal = state.legal(seat)
            points = [each["points"] for each in preview_points(state, seat, legal)]
            best = legal[points.index(max(points))]
            worst = legal[points.index(min(points))]
            picked = {best, worst, *(legal[rng.randrange(len(legal))] for _ in range(4))}
            found.append((state, seat, sorted(picked)))
    assert found
    return found


def as_told(preview: Preview) -> dict[str, Any]:
    """All that a preview tells its seat."""
    return {
        "events": [event.seen_by(preview.seat) for event in preview.events],
        "lines": lines_json(preview.lines),
        "gains": preview.gains,
        "points": preview.points,
        "certain": preview.certain,
        "complete": preview.complete,
        "offers": [(offer.move, offer.text, lines_json(offer.lines)) for offer in preview.offers],
        "best_offer": preview.best_offer,
    }


def play_out(state: GameState, seat: int, move: int) -> tuple[GameState, list[Event]]:
    """The move as it really goes, an optional follow-up declined."""
    after = state.clone()
    heard: list[Event] = []
    after.step(seat, move, heard.append)
    decline = after.decline_move(seat)
    if decline is not None:
        after.step(seat, decline, heard.append)
    return after, heard


@every_case
def test_a_preview_is_what_then_happens_as_far_as_it_is_certain(case: Case) -> None:
    for state, seat, moves in some_moves(case, "previews", 8):
        for preview in preview_moves(state, seat, moves):
            after, heard = play_out(state, seat, preview.move)
            shown = [number for number, event in enumerate(heard) if event.reveals]
            assert preview.complete == (not shown)
            certain = heard[: shown[0]] if shown else heard
            assert [each.seen_by(seat) for each in preview.events] == [each.seen_by(seat) for each in certain]
            assert preview.gains == [
                sum(line.points for event in certain for scorer, line in event.lines if scorer == each)
                for each in range(case.seats)
            ]
            if preview.complete:
                assert preview.gains == [now - then for now, then in zip(after.scores(), state.scores(), strict=True)]
                assert preview.certain == (after.active() != [CHANCE])
            for offer in preview.offers:
                taken = state.clone()
                taken.step(seat, preview.move)
                assert taken.move_text(seat, offer.move) == offer.text
                taken.apply(seat, offer.move)
                added = sum(line.points for scorer, line in offer.lines if scorer == seat)
                assert taken.scores()[seat] - state.scores()[seat] == preview.points + added


@every_case
def test_page_terminal_and_python_are_told_the_same(case: Case) -> None:
    for state, seat, moves in some_moves(case, "agree", 8):
        picker = Picker(case.spec, state, seat)
        by_move = {choice.move: picker.points(choice) for choice in picker.choices if choice.move in moves}
        match = Match(case.spec, position=state.position(), rolls=False)
        for move, badge in zip(moves, preview_points(state, seat, moves), strict=True):
            told = as_told(match.preview(seat, state.move_text(seat, move)))
            assert told == as_told(match.preview_move(seat, move)) == as_told(preview_move(state, seat, move))
            assert told["points"] == badge["points"] == by_move[move]
            assert told["best_offer"] == badge.get("offer", 0)


@every_case
def test_a_preview_tells_nothing_that_its_seat_may_not_know(case: Case) -> None:
    rng = Stream(f"{case} secrets")
    for state, seat, moves in some_moves(case, "secrets", 8):
        other = state.resample(seat, rng)
        for move in moves:
            assert as_told(preview_move(other, seat, move)) == as_told(preview_move(state, seat, move))
            assert other.move_text(seat, move) == state.move_text(seat, move)


@every_case
def test_a_preview_plays_nothing(case: Case) -> None:
    match = Match(case.spec, case.seats, case.options, seed=1)
    before = str(match.record(reveal=True)), match.state.position(), match.decisions()
    seat = match.state.due()[0]
    for move in match.choices(seat):
        match.preview_move(seat, move)
    assert (str(match.record(reveal=True)), match.state.position(), match.decisions()) == before


@pytest.mark.parametrize("name", wellies.list_games())
def test_a_move_that_cannot_be_played_cannot_be_previewed(name: str) -> None:
    match = Match(name, seed=1)
    seat = match.state.due()[0]
    other = next((each for each in range(match.state.seats) if each not in match.state.active()), 99)
    with pytest.raises(MoveError):
        match.preview(seat, "nonsense")
    with pytest.raises(IllegalMove):
        match.preview_move(seat, 1 << 50)
    with pytest.raises(NotYourTurn):
        match.preview_move(other, match.choices(seat)[0])


def test_what_comes_after_something_hidden_is_shown_is_not_certain() -> None:
    match = Match(ToySpec(), seats=2, seed=3)
    card = match.choices(0)[1]
    played = match.preview_move(0, card)
    assert (played.complete, played.certain, played.points) == (False, False, card)
    marked = match.preview(0, "mark")
    assert (marked.complete, marked.certain, marked.gains) == (True, True, [1, 0])
    assert repr(marked) == "<Preview: seat 0 gains 1, certain>"
