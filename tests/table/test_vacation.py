"""Vacations: clocks of days stand still, as a pure function of the log."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulation.clock_model import ClockModel
from table.tables import ANN, ANN_SITS, BOB, BOB_SITS, begun, play_any, rebuilt

from wellies.table import Clock, LogEntry
from wellies.table.clocks import Clocks

DAY = 86_400_000
THREE_DAYS = Clock("days", days=3)


def test_the_clock_of_somebody_on_vacation_stands_still_and_goes_on_by_itself() -> None:
    table = begun("umbradeco", [ANN_SITS, BOB_SITS], THREE_DAYS)
    start = table.log[-1].at
    seat = table.waiting()[0]
    who = table.seats[seat].identity
    table.go_on_vacation(who, start + 11 * DAY, start + DAY)
    (face,) = [face for face in table.clocks.faces(start + 5 * DAY) if face.left != 3 * DAY]
    assert (face.left, face.running) == (2 * DAY, False)
    assert table.info_for(ANN).seats[seat].away == start + 11 * DAY
    assert table.clocks.deadline() == start + 13 * DAY == table.wake_at(start, 1000)
    assert not table.run_out(start + 13 * DAY - 1)
    assert table.run_out(start + 13 * DAY) == [seat]
    assert table.clocks.faces(start + 12 * DAY)[seat].running, "nobody has to say that it is over"
    again = rebuilt(table)
    assert again.clocks.faces(start + 12 * DAY) == table.clocks.faces(start + 12 * DAY)


def test_whoever_comes_back_early_has_the_time_that_was_left() -> None:
    table = begun("umbradeco", [ANN_SITS, BOB_SITS], THREE_DAYS)
    start, seat = table.log[-1].at, table.waiting()[0]
    who = table.seats[seat].identity
    table.go_on_vacation(who, start + 11 * DAY, start + DAY)
    table.go_on_vacation(who, start + 11 * DAY, start + 2 * DAY)
    assert [entry.kind for entry in table.log].count("away") == 1, "the same vacation is not noted twice"
    table.go_on_vacation(who, start + 4 * DAY, start + 4 * DAY)
    assert table.clocks.deadline() == start + 6 * DAY
    assert table.seats[seat].away == 0
    name = table.seats[seat].name
    assert [entry.sentence for entry in table.log[-2:]] == [
        f"{{{seat}}} is on vacation; their clock stands still.",
        f"{{{seat}}} is back from vacation.",
    ], name


@pytest.mark.parametrize("clock", [Clock(), Clock("game", 60, 5), Clock("move", 60)])
def test_no_other_clock_stands_still(clock: Clock) -> None:
    table = begun("umbradeco", [ANN_SITS, BOB_SITS], clock)
    version = table.version
    table.go_on_vacation(ANN, table.log[-1].at + DAY, table.log[-1].at)
    assert table.version == version


def test_a_vacation_does_not_undo_that_time_is_over_and_one_may_move_on_it() -> None:
    table = begun("umbradeco", [ANN_SITS, BOB_SITS], THREE_DAYS)
    start, seat = table.log[-1].at, table.waiting()[0]
    who = table.seats[seat].identity
    late = table.fork()
    late.go_on_vacation(who, start + 20 * DAY, start + 3 * DAY)
    assert late.run_out(start + 4 * DAY) == [seat]
    table.go_on_vacation(who, start + 20 * DAY, start + DAY)
    while (other := table.waiting()[0]) == seat:
        play_any(table, seat, random.Random(1), start + 2 * DAY)
    assert {table.seats[other].identity, who} == {ANN, BOB}
    assert table.clocks.deadline() == start + 5 * DAY, "the other one's clock runs"


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["move", "away", "back", "wait", "none"]),
        st.integers(0, 2),
        st.integers(0, 3 * DAY),
        st.integers(0, 9 * DAY),
    ),
    max_size=25,
)


@given(kind=st.sampled_from(["days", "move", "game"]), steps=STEPS)
@settings(max_examples=150, deadline=None)
def test_clocks_agree_with_a_second_way_of_working_them_out(kind: str, steps: list[tuple[str, int, int, int]]) -> None:
    setting = {"days": THREE_DAYS, "move": Clock("move", 3600), "game": Clock("game", 7200, 60)}[kind]
    clocks, model, now = Clocks(setting, 3), ClockModel(setting, 3), 1_000
    waited: list[int] = []
    for number, (what, seat, pause, span) in enumerate(steps, 1):
        now += pause
        if what in ("away", "back") and kind != "days":
            continue  # no table writes that
        entry = LogEntry(number, what if what in ("move", "away", "back") else "ask", seat, str(now + span), now)
        if what == "move":
            clocks.moved(seat, now)
            waited = [each for each in waited if each != seat]
        elif what == "away":
            clocks.leave(seat, now, now + span)
        elif what == "back":
            clocks.come_back(seat, now)
        elif what == "wait":
            waited = sorted({*waited, seat})
        else:
            waited = []
        clocks.wait_for(waited, now)
        model.after(entry, waited)
        for later in (now, now + DAY // 2, now + 4 * DAY):
            faces = [(face.left, face.running) for face in clocks.faces(later)]
            assert faces == model.faces(later)
        deadline = clocks.deadline()
        if deadline is not None:
            assert clocks.run_out(max(now, deadline))
            assert deadline <= now or not clocks.run_out(max(now, deadline - 1))
