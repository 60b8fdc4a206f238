"""Many random games, with every law held in each: a few in the ordinary tests, 2,000 for each case in `make soak`."""

from __future__ import annotations

import os

import pytest
from helpers import Case, cases, facts, random_play

from wellies import CHANCE, GameState, Stream

GAMES = int(os.environ.get("WELLIES_SOAK", "3"))
CHUNK = 100
CHUNKS = [range(start, min(start + CHUNK, GAMES)) for start in range(0, GAMES, CHUNK)]
LOOKS = 3
"""At about so many moments of each game everything is checked; the rest is checked at every move."""


@pytest.mark.parametrize("case", cases(), ids=repr)
@pytest.mark.parametrize("games", CHUNKS, ids=lambda games: f"{games.start}-{games.stop - 1}")
def test_random_games_hold_every_law(case: Case, games: range) -> None:
    for number in games:
        _one_game(case, number)


def _one_game(case: Case, number: int) -> None:
    rng = Stream(f"soak {case} {number}")
    spec = case.spec
    state = case.start()
    replayed = case.start()
    kept: list[tuple[GameState, object]] = []
    for seat, move in random_play(state, rng):
        assert state.refusal(seat, move) is None
        if rng.randrange(200) < LOOKS:
            assert facts(replayed) == facts(state)
            kept.append((state.clone(), facts(state)))
            _look(case, state, rng)
        replayed.apply(seat, spec.parse_move(replayed, seat, spec.move_text(state, seat, move)))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores == state.scores()
    assert facts(replayed) == facts(state)
    for clone, before in kept:
        assert facts(clone) == before


def _look(case: Case, state: GameState, rng: Stream) -> None:
    assert facts(case.spec.from_position(state.position())) == facts(state)
    for seat in range(case.seats):
        assert sum(line.points for line in state.score_lines(seat)) == state.scores()[seat]
        dealt = state.resample(seat, rng)
        assert dealt.view(seat) == state.view(seat)
        assert dealt.view(None) == state.view(None)
        assert dealt.legal(seat) == state.legal(seat)
        assert dealt.resample(seat, Stream(1)).position() == state.resample(seat, Stream(1)).position()
    for seat in [CHANCE, *range(case.seats)]:
        legal = state.legal(seat)
        for move in legal[:: max(1, len(legal) // 8)]:
            for other in (move, move ^ 1 << rng.randrange(24), move + rng.randrange(31) - 15):
                assert (other in legal) == (state.refusal(seat, other) is None)
