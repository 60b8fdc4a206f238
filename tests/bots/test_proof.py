"""Exact endings: a proof agrees with trying out every line, and is never claimed where something is not known."""

from __future__ import annotations

import math

import pytest

import wellies
from wellies import CHANCE, GameSpec, GameState, Stream
from wellies.bots.analysis import judge
from wellies.bots.search.proof import FAR, Prover, Unprovable, prove
from wellies.bots.search.root import Budget, heuristics_of, search
from wellies.core.heuristics import Heuristics

FEW = 600
"""So many positions are looked at here: enough to check a proof, and quickly done."""


def quick(spec: GameSpec) -> Heuristics:
    heuristics = spec.heuristics()
    heuristics.proof_positions = FEW
    return heuristics


def ending(game: str, seed: int, options: dict[str, object] | None = None) -> tuple[GameState, int] | None:
    """The last decision of a game at which something is proved, counted back from the end, with more than one move."""
    spec = wellies.game(game)
    state, rng, greedy = spec.start(2, options or {}), Stream(f"ending {seed}"), wellies.bot("greedy")
    moments: list[tuple[GameState, int]] = []
    while due := state.due():
        seat = due[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        if len(state.legal(seat)) > 1:
            moments.append((state.clone(), seat))
        moves = state.legal(seat)
        few = len(moves) < 30
        state.step(seat, greedy.choose(state, seat, rng) if few else moves[rng.randrange(len(moves))])
    found = None
    for moment in moments[:-5:-1]:
        if not prove(*moment, quick(spec), math.inf):
            break
        found = moment
    return found


def plain_value(state: GameState, seat: int) -> float:
    """The value of a position by trying everything, without any pruning."""
    prover = Prover(seat, 0, math.inf)
    due = state.due()
    if not due:
        return prover.end_value(state)[0]
    after: list[tuple[int, float]] = []
    for move in state.legal(due[0]):
        other = state.clone()
        other.step(due[0], move)
        after.append((state.weight(move) if due[0] == CHANCE else 1, plain_value(other, seat)))
    if due[0] == CHANCE:
        return sum([weight * value for weight, value in after]) / sum([weight for weight, _ in after])
    values = [value for _, value in after]
    return max(values) if due[0] == seat else min(values)


@pytest.mark.parametrize("game", ["umbradeco", "guppies", "puppies"])
def test_a_proof_agrees_with_trying_out_every_line(game: str) -> None:
    checked = 0
    for seed in range(4):
        moment = ending(game, seed)
        if moment is None:
            continue
        state, seat = moment
        for world in range(5):
            assert state.resample(seat, Stream(f"world {world}")) == state, "nothing is hidden from this seat"
        for proved in prove(state, seat, quick(state.spec), math.inf):
            after = state.clone()
            after.step(seat, proved.move)
            assert proved.value == pytest.approx(plain_value(after, seat))
            checked += 1
    assert checked


def test_the_search_says_what_is_proved_and_plays_it() -> None:
    moment = next(found for seed in range(20) if (found := ending("umbradeco", seed)) is not None)
    state, seat = moment
    heuristics = heuristics_of(state.spec)
    result = search(state, seat, heuristics, Budget(20), 1)
    exact = prove(state, seat, heuristics, math.inf)
    assert result.proved
    assert result.best.move == exact[0].move
    assert {each.move for each in result.evaluations} == set(state.legal(seat))
    session = wellies.bot("storm").session()
    assert session.choose(state, seat, Stream("hint")) == exact[0].move
    assert session.proved
    worst = exact[-1]
    finding = judge(state.spec, state, 1, seat, worst.move, len(exact), 20, 1)
    assert finding.proved
    assert finding.error == 0
    assert finding.lost == pytest.approx((exact[0].margin - worst.margin) / 100)


def test_nothing_is_proved_early_or_where_something_is_hidden() -> None:
    state, rng = wellies.game("umbradeco").start(2, {}), Stream("early")
    while state.due() == [CHANCE]:
        state.step(CHANCE, state.chance(rng))
    seat = state.due()[0]
    heuristics = heuristics_of(state.spec)
    assert not heuristics.sees_everything(state, seat)
    assert prove(state, seat, heuristics, math.inf) == []
    assert not search(state, seat, heuristics, Budget(10), 1).proved


def test_a_proof_gives_up_in_time() -> None:
    moment = next(found for seed in range(20) if (found := ending("umbradeco", seed)) is not None)
    state, seat = moment
    assert prove(state, seat, heuristics_of(state.spec), 0.0) == []
    with pytest.raises(Unprovable):
        Prover(seat, 1, math.inf).value(state, -FAR, FAR)
