"""What a seat gets of a table: views, legal moves, previews and entries."""

from __future__ import annotations

import pytest

import wellies
from wellies.table import Clock, Seat, Setup, new_table, preview


@pytest.mark.parametrize("game", wellies.list_games())
def test_a_preview_tells_nothing_that_the_seat_does_not_know(game: str) -> None:
    """It is the same for two tables that the seat cannot tell apart."""
    spec = wellies.game(game)
    seats = spec.min_seats
    chairs = [Seat("person", "ann", "Ann")] * seats
    table = new_table(Setup(game, spec.start(seats).options, chairs, False, Clock(), "ann", "Ann"), seed=b"s" * 32)
    table.start("ann", 0)
    rng = wellies.Stream(game)
    for _ in range(12):
        assert table.match is not None
        state = table.match.state
        if not state.due():
            break
        for seat in state.due():
            for move in state.legal(seat)[:6]:
                text = spec.move_text(state, seat, move)
                seen = preview(table, seat, text)
                other = table.fork()
                assert other.match is not None
                other.match.state = state.resample(seat, rng)
                assert preview(other, seat, text) == seen
        seat = state.due()[0]
        moves = state.legal(seat)
        table.match.play_move(seat, moves[rng.randrange(len(moves))])
