"""A table is the fold of its log: rebuilt from it, it is the same table, clocks and decisions included."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import Any

import pytest

import wellies
from wellies import UndoRefused, WelliesError
from wellies.server.clocks import GRACE, Clocks
from wellies.server.live import new_table
from wellies.server.messages import Clock
from wellies.server.page import Page
from wellies.server.tables import Refused, Seat, Setup, Table

ANN, BOB = "ann", "bob"


def table_of(game: str, seats: list[Seat], clock: Clock | None = None) -> Table:
    options = wellies.game(game).start(len(seats)).options
    return new_table(Setup(game, options, seats, False, clock or Clock(), ANN, "Ann"), seed=b"s" * 32)


def rebuilt(table: Table) -> Table:
    again = Table(table.id, table.setup, table.seed, table.invite, table.created, table.imported)
    for line in table.lines:
        again.apply(line.number, line.kind, line.seat, line.text, line.at)
    return again


def facts(table: Table, now: int) -> dict[str, Any]:
    seats = range(len(table.seats))
    return {
        "info": table.info_for(ANN),
        "faces": table.clocks.faces(now),
        "deadline": table.clocks.deadline(),
        "decisions": [table.decision_for(seat) for seat in seats],
        "views": [table.view_for(seat) for seat in (*seats, None)],
        "entries": [table.entry_for(line, seat) for seat in (*seats, None) for line in table.lines],
        "wake": table.wake_at(now, 1000),
    }


CLOCKS = [Clock(), Clock("move", 30), Clock("game", 60, 5), Clock("days", 0, 0, 2)]


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
@pytest.mark.parametrize("game", wellies.games())
def test_a_table_rebuilt_from_its_log_is_the_same_table(game: str, clock: Clock) -> None:
    rng = random.Random(f"{game} {clock.kind}")
    seats = max(3, wellies.game(game).min_seats)
    chairs = [Seat("person", ANN, "Ann"), Seat("person", BOB, "Bob"), *[Seat()] * (seats - 2)]
    table = table_of(game, chairs, clock)
    at = 1_000
    for number in range(2, seats):
        table.set_seat(ANN, number, "bot", "random", at)
    table.start(ANN, at)
    for _ in range(40):
        at += rng.randrange(4_000)
        before = facts(table, at)
        trial = table.fork()
        with contextlib.suppress(WelliesError):
            _something(trial, rng, at)
        assert facts(table, at) == before, "a fork goes its own way"
        table = trial
        if rng.randrange(4) == 0:
            assert facts(rebuilt(table), at) == facts(table, at)
    assert facts(rebuilt(table), at) == facts(table, at)


def _something(table: Table, rng: random.Random, at: int) -> None:
    """One wish of somebody, sensible or not."""
    table.time_out("random", at)
    match rng.randrange(12):
        case 0:
            table.hand_over(rng.choice([ANN, BOB]), None, "random", at)
        case 1:
            table.take_back(rng.choice([ANN, BOB]), None, at)
        case 2:
            table.undo(rng.randrange(2), at)
        case 3:
            table.join("eve", "Eve", None, at)
        case _:
            waiting = table.waiting()
            if waiting and table.match is not None:
                seat = rng.choice(waiting)
                move = rng.choice(table.match.choices(seat))
                text = table.spec.move_text(table.match.state, seat, move)
                table.play(seat, text, None, at, by_bot=table.seats[seat].bot is not None)


def test_a_move_can_be_taken_back_until_something_new_is_known() -> None:
    for game in wellies.games():
        table = table_of(game, [Seat("person", ANN, "Ann")] * wellies.game(game).min_seats)
        table.start(ANN, 0)
        rng = random.Random(game)
        undone = 0
        for _ in range(60):
            if table.match is None or not table.waiting():
                break
            seat = table.waiting()[0]
            before = table.view_for(seat)
            move = rng.choice(table.match.choices(seat))
            table.play(seat, table.spec.move_text(table.match.state, seat, move), None, 0)
            if table.match.undo_refusal(seat) is None and table.state == "playing":
                table.undo(seat, 0)
                undone += 1
                assert table.view_for(seat) == before
                assert facts(rebuilt(table), 0) == facts(table, 0)
                table.play(seat, table.spec.move_text(table.match.state, seat, move), None, 0)
            else:
                with pytest.raises(UndoRefused):
                    table.undo(seat, 0)


def test_the_clock_of_a_game_counts_down_and_adds() -> None:
    clocks = Clocks(Clock("game", 60, 5), 2)
    clocks.wait_for([0], 0)
    assert clocks.deadline() == 60_000
    clocks.moved(0, 20_000)
    clocks.wait_for([1], 20_000)
    assert [face.left for face in clocks.faces(30_000)] == [45_000, 50_000]
    assert [face.running for face in clocks.faces(30_000)] == [False, True]
    assert clocks.run_out(79_999) == []
    assert clocks.run_out(80_000) == [1]
    clocks.wait_for([], 80_000)
    clocks.returned(1)
    assert clocks.left(1, 80_000) == GRACE


def test_a_clock_of_days_starts_anew_with_each_decision() -> None:
    clocks = Clocks(Clock("days", 0, 0, 2), 2)
    clocks.wait_for([0, 1], 0)
    clocks.moved(0, 86_400_000)
    clocks.wait_for([1], 86_400_000)
    assert clocks.deadline() == 2 * 86_400_000
    clocks.wait_for([0], 100_000_000)
    assert clocks.left(0, 100_000_000) == 2 * 86_400_000


def test_only_owners_and_hosts_get_their_wishes() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Ann"), Seat("person", BOB, "Bob")])
    wishes: list[Callable[[], None]] = [
        lambda: table.start(BOB, 0),
        lambda: table.set_seat(BOB, 0, "open", "greedy", 0),
        lambda: table.change(BOB, {}, None, True, 0),
        lambda: table.leave("eve", None, "greedy", 0),
        lambda: table.leave(ANN, 1, "greedy", 0),
        lambda: table.leave("", None, "greedy", 0),
    ]
    for wish in wishes:
        with pytest.raises(Refused) as refused:
            wish()
        assert refused.value.status == 403
    assert table.fresh == []


def test_the_page_is_served_with_the_right_caching(tmp_path: Any) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>" + "x" * 1000)
    (tmp_path / "assets" / "app-1234.js").write_text("let x = 1;" * 100)
    page = Page(str(tmp_path))
    assert "immutable" in page.find("/assets/app-1234.js").caching
    assert page.find("/t/some-table") is page.find("/index.html")
    assert page.find("/index.html").caching == "no-cache"
    assert page.find("/index.html").squeezed is not None
    assert page.find("/../../etc/passwd") is page.find("/index.html")
