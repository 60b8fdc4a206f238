"""The simulation can fail: each test breaks the server in one way, and the simulation must notice within some seeds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from simulation.history import Fault, History, make_history
from simulation.shrink import as_test, shrink
from simulation.world import run
from wellies.core.sources import now_millis
from wellies.match import Match
from wellies.server.clock import ServerClock
from wellies.server.commits import Committer
from wellies.server.health import Health
from wellies.server.hub import Hub
from wellies.server.limits import Limits
from wellies.server.live_table import LiveTable
from wellies.server.presence import PresenceTracker
from wellies.server.socket import Connection
from wellies.server.storage import TableChange
from wellies.table import Clocks, Table

SEEDS = 60
"""Within so many seeds everything here is noticed."""


def first_failure(
    change: Callable[[History], History] = lambda history: history, seeds: int = SEEDS
) -> tuple[int, str]:
    """The first seed that fails, and how; its history may be changed."""
    for seed in range(seeds):
        failures = run(change(make_history(seed)), noted=False).failures
        if failures:
            return seed, failures[0].kind
    return seeds, ""


def test_a_move_that_is_confirmed_before_it_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Committer.store
    under_way: set[asyncio.Task[None]] = set()

    async def hasty(self: Committer, change: TableChange) -> None:
        task = asyncio.get_running_loop().create_task(store(self, change))
        under_way.add(task)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    monkeypatch.setattr(Committer, "store", hasty)
    assert first_failure()[1]


def test_a_conflict_that_is_taken_for_success(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Committer.store

    async def blind(self: Committer, change: TableChange) -> None:
        try:
            await store(self, change)
        except Exception as error:
            if type(error).__name__ != "Conflict":
                raise

    monkeypatch.setattr(Committer, "store", blind)
    assert first_failure()[1]


def test_a_worker_that_never_catches_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lazy(*_: object) -> bool:
        return False

    monkeypatch.setattr(Hub, "catch_up", lazy)
    assert first_failure()[1]


def test_a_failed_commit_after_which_the_table_counts_as_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveTable, "may_be_stale", property(lambda _: False, lambda *_: None), raising=False)
    monkeypatch.setattr(LiveTable, "in_doubt_until", property(lambda _: 0.0, lambda *_: None), raising=False)
    unanswered = Fault(1.0, "unanswered", -1, 6.0, 0.6)

    def alone(history: History) -> History:
        return replace(history, workers=1, shared=False, skews=(0,), faults=(unanswered,))

    assert first_failure(alone)[1] in ("stale client", "overdue")


def test_a_view_of_another_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    update = LiveTable.view
    monkeypatch.setattr(LiveTable, "view", lambda live, seat: update(live, 0 if seat is None else seat))
    assert first_failure()[1] in ("leak", "leak or lie")


def test_a_seat_that_anybody_may_look_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "seats_of", lambda table, _: list(range(len(table.seats))))
    monkeypatch.setattr(Connection, "_holds_seat", lambda _: True)
    assert first_failure()[1] in ("leak", "leak or lie")


def test_moves_whose_notation_everybody_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "entry_for", lambda _table, entry, _seat: entry.seen_by(entry.seat, True))
    assert first_failure()[1] == "leak"


def test_a_table_that_stays_open_to_those_who_were_there_when_it_became_private(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Connection, "_close_if_not_allowed", lambda _: None)
    assert first_failure(_goes_private)[1] == "leak"


def _goes_private(history: History) -> History:
    tables = tuple(replace(table, private=False, goes_private=True) for table in history.tables)
    return replace(history, tables=tables)


def test_a_move_for_a_decision_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    play_one = Match.play_one
    monkeypatch.setattr(Match, "play_one", lambda match, seat, text, _=None: play_one(match, seat, text))
    assert first_failure()[1] in ("unasked", "twice", "lost")


def test_a_player_who_pays_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def free(clocks: Any, seat: int, _at: int) -> None:
        clocks._since.pop(seat, None)

    monkeypatch.setattr(Clocks, "moved", free)
    assert first_failure()[1] == "clocks"


def test_a_clock_that_jumps_with_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ServerClock, "now", lambda _: now_millis())
    jump = Fault(2.0, "clock jump", 0, 3.0)
    assert first_failure(lambda history: replace(history, faults=(jump,)))[1] in ("time", "clocks", "overdue")


def test_a_viewer_that_stays_when_the_client_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PresenceTracker, "leave", lambda *_: None)
    assert first_failure()[1] == "left behind"


def test_a_socket_that_is_counted_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Limits, "free_socket", lambda *_: None)
    assert first_failure()[1] in ("left behind", "stale client")


def test_tables_that_nobody_looks_after(monkeypatch: pytest.MonkeyPatch) -> None:
    async def care_for(*_: object) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(Health, "_care_for", care_for)
    assert first_failure()[1] == "overdue"


def test_a_failing_seed_becomes_a_short_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PresenceTracker, "leave", lambda *_: None)
    seed, kind = first_failure()
    smaller = shrink(make_history(seed))
    assert len(smaller.faults) == 0
    assert not any(client.actions for client in smaller.clients)
    text = as_test(smaller, kind)
    names: dict[str, Any] = {}
    exec(f"from simulation.history import *\ndef check(history): found.append(history)\nfound = []\n{text}", names)
    names[f"test_seed_{seed}"]()
    assert names["found"] == [smaller], "the text is the history"
