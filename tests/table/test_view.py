"""What a seat gets of a table: views, legal moves, previews and entries."""

from __future__ import annotations

import random

import pytest
from table.tables import ANN, ANN_SITS, BOB_SITS, begun, play_any

import wellies
from wellies.table import Clock, Seat, Setup, legal_moves, new_table, preview, standing, why_not
from wellies.table.replay import Replayer


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


@pytest.mark.parametrize("game", wellies.list_games())
def test_live_and_replayed_views_have_the_same_outcome_with_resignations(game: str) -> None:
    """A seat resigns, the bot in its place plays on, and the seat ranks last whatever the bot scores."""
    table = begun(game, [ANN_SITS, BOB_SITS])
    rng = random.Random(game)
    for _ in range(6):
        if table.waiting():
            play_any(table, table.waiting()[0], rng)
    table.resign(ANN, 0, "random", 0)
    assert table.entry_for(table.log[-1], 1)["text"] == "{0} resigns; a bot plays on."
    while table.waiting():
        play_any(table, table.waiting()[0], rng)
    outcome = table.outcome()
    assert outcome is not None
    assert outcome["resigned"] == [0]
    assert outcome["ranks"][0] == len(table.seats)
    assert 0 not in outcome["winners"]
    for seat in (0, 1, None):
        replayer = Replayer(table, seat)
        moments = [replayer.next(table) for _ in table.log]
        view = table.view_for(seat)
        assert view is not None
        assert view["outcome"] == moments[-1].outcome == outcome
        assert view["due"] == []
        assert moments[-1].view == view
        assert [moment.entry for moment in moments] == [table.entry_for(entry, seat) for entry in table.log]


def test_a_seat_gets_what_is_new_and_its_own_moves_alone() -> None:
    table = begun("guppies", [ANN_SITS, BOB_SITS])
    rng = random.Random(1)
    play_any(table, 0, rng)
    before = table.version
    play_any(table, 1, rng)
    mine, theirs = standing(table, 1, before, 0, 0), standing(table, 0, before, 0, 0)
    assert [entry["number"] for entry in mine["entries"]] == list(range(before + 1, table.version + 1))
    assert mine["entries"][0]["move"] == table.log[before].text
    assert theirs["entries"][0]["move"] is None, "a move's notation may name what is hidden"
    decision = table.decision_for(0)
    assert decision is not None
    assert (mine["decision"], theirs["decision"]) == (None, {"id": decision.id, "due": True})
    assert legal_moves(table, 1) == []
    assert [move["move"] for move in legal_moves(table, 0)] == legal_moves(table, 0, "text")
    assert legal_moves(table, 0, "none") == legal_moves(table, None) == []


def test_a_table_without_badges_shows_no_points_before_a_move() -> None:
    table = begun("guppies", [ANN_SITS, BOB_SITS], badges=False)
    assert {move["points"] for move in legal_moves(table, 0)} == {None}
    text = legal_moves(table, 0, "text")[0]
    shown = preview(table, 0, text)
    assert (shown.move, shown.events, shown.gains, shown.lines, shown.offers) == (text, [], [], [], [])
    assert why_not(table, 0, text) is None
    assert why_not(table, 1, text) == "It is not your turn; {0} is to move."
