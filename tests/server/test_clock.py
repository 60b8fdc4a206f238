"""Clocks of machines that jump by hours, or differ: nobody loses on time by that, and no log runs back."""

from __future__ import annotations

import asyncio
import contextlib
import glob
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import services
from server.load import check_log
from server.parts import Server
from server.serving import postgres_database, running, sqlite_file, until
from services import redis_url

from wellies.client import Client, TableView
from wellies.core.sources import Sources, replace_sources
from wellies.server.clock import APPROACH, ServerClock
from wellies.server.identity import AGE, Identity, People
from wellies.server.storage import Storage

HOUR = 3_600_000
MINUTE = {"kind": "move", "seconds": 60}


class SetByHand(Sources):
    """A machine on which both clocks stand still until they are set."""

    def __init__(self, wall: int) -> None:
        self.wall = wall
        self.passed = 1000.0

    def monotonic(self) -> float:
        return self.passed

    def now_millis(self) -> int:
        return self.wall

    def wait(self, seconds: float) -> None:
        self.passed += seconds
        self.wall += int(seconds * 1000)


@contextlib.contextmanager
def machine(sources: Sources) -> Iterator[None]:
    before = replace_sources(sources)
    try:
        yield
    finally:
        replace_sources(before)


@pytest.mark.parametrize("seconds", [3 * 3600, -3 * 3600, 40, -40])
def test_the_time_of_a_server_approaches_that_of_its_machine_and_never_jumps(seconds: int) -> None:
    hand = SetByHand(1_000 * HOUR)
    with machine(hand):
        clock = ServerClock()
        assert clock.now() == hand.wall
        hand.wall += seconds * 1000
        before = clock.now()
        for _ in range(600):
            hand.wait(1)
            clock.follow(None)
            passed, before = clock.now() - before, clock.now()
            assert abs(passed - 1000 * (1 + APPROACH * seconds / abs(seconds))) <= 1
        for _ in range(800):
            hand.wait(5)
            clock.follow(None)
        assert (abs(clock.now() - hand.wall) <= 1) == (abs(seconds) == 40), "it arrives in its time"


def test_a_server_takes_the_time_of_its_database_at_the_start_and_follows_it() -> None:
    hand = SetByHand(1_000 * HOUR)
    with machine(hand):
        clock = ServerClock()
        clock.set(500 * HOUR)
        assert clock.now() == 500 * HOUR
        hand.wait(60)
        clock.follow(500 * HOUR + 61_000)
        assert clock.now() == 500 * HOUR + 60_000 + int(APPROACH * 5_000), "one late look counts for five seconds"


def test_a_time_that_was_long_on_its_way_is_taken_once_more_and_then_no_more() -> None:
    hand = SetByHand(1_000 * HOUR)
    with machine(hand):
        clock = ServerClock()
        clock.set(500 * HOUR + 1_200, took=2.5)
        was_accurate = clock.is_accurate
        assert not was_accurate
        ahead = clock.now()
        hand.wait(1)
        clock.follow(500 * HOUR + 1_900, took=1.5)
        assert clock.now() == ahead + 1_000, "this took too long as well"
        clock.follow(500 * HOUR + 1_000, took=0.01)
        assert clock.is_accurate
        assert clock.now() == ahead + 1_000, "it never goes back, and stands until the right time has caught up"
        hand.wait(10)
        assert clock.now() == 500 * HOUR + 11_000
        clock.follow(500 * HOUR + 12_000, took=0.01)
        assert clock.now() == 500 * HOUR + 11_000 + int(APPROACH * 5_000), "from then on it only approaches"


class HoursAhead(Sources):
    def now_millis(self) -> int:
        return super().now_millis() + 3 * HOUR


def test_workers_of_one_postgres_have_its_time_whatever_their_machines_say() -> None:
    with postgres_database() as database, machine(HoursAhead()), running(database) as server:
        assert abs(server.hub.clock.now() - time.time() * 1000) < HOUR
    with sqlite_file() as file, machine(HoursAhead()), running(file) as server:
        assert abs(server.hub.clock.now() - time.time() * 1000 - 3 * HOUR) < HOUR


def test_a_cookie_from_before_the_clock_was_set_back_is_still_good() -> None:
    with sqlite_file() as database:
        people = People(Storage(f"sqlite+aiosqlite:///{database}"), "secret")
        ann = Identity("ann", "Ann", False, 0)
        now = time.time()
        assert people.read_cookie(people.cookie(ann, now + 10 * 3600)) is not None
        assert people.read_cookie(people.cookie(ann, now - 10 * 3600)) is not None
        assert people.read_cookie(people.cookie(ann, now - AGE - 3600)) is None
        assert people.read_cookie(people.cookie(ann, now + AGE + 3600)) is None


class JumpingServer(Server):
    """A server on whose machine the clock can be set, by libfaketime. Only the time of day: no clock of the system that
    counts from its start is changed when one sets the time."""

    def __init__(self, folder: Path, database: str, **more: Any) -> None:
        places = ("/usr/lib", "/usr/lib64", "/usr/lib/*-linux-gnu")
        found = [path for place in places for path in glob.glob(f"{place}/faketime/libfaketimeMT.so.1")]
        if not found:
            services.skip_without("libfaketime")
        self._file = folder / "offset"
        self._log = folder / "log"
        self._output = self._log.open("wb")
        self.jump(0)
        faked = {
            "LD_PRELOAD": found[0],
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }
        super().__init__(database, environment=faked, output=self._output, log="warning", log_format="json", **more)

    def jump(self, hours: int) -> None:
        """Set the clock of its machine to so many hours from now."""
        self._file.write_text(f"{hours:+d}h", encoding="ascii")

    def warnings(self) -> int:
        """How often it has noticed that."""
        return self._log.read_bytes().count(b"was changed")

    def stop(self) -> None:
        super().stop()
        self._output.close()


async def play_in_turn(seats: list[TableView], count: int) -> None:
    for number in range(count):
        mover = seats[number % 2]
        await mover.until(lambda now: now.decision is not None)
        await mover.play(mover.legal[0]["move"])


def test_the_clock_of_the_only_server_jumps_by_hours(tmp_path: Path) -> None:
    """With SQLite a server goes by the clock of its machine."""
    with sqlite_file() as database, contextlib.ExitStack() as stack:
        server = JumpingServer(tmp_path, database)
        stack.callback(server.stop)
        server.start()

        async def scenario() -> None:
            async with Client(server.url) as ann:
                await ann.guest("Ann")
                table = (await ann.create_table("guppies", ["me", "me"], clock=MINUTE, start=True))["id"]
                async with ann.table(table, seat=0) as one, ann.table(table, seat=1) as two:
                    for hours in (3, -2, 0):
                        await play_in_turn([one, two], 2)
                        server.jump(hours)
                        await until(server.warnings)
                        await play_in_turn([one, two], 2)
                        assert (await ann.request("GET", "/me"))["name"] == "Ann"
                        assert all(face["left"] > 0 for face in two.clocks)
            await check_clocks(database, table)

        asyncio.run(scenario())


def test_the_clocks_of_two_workers_differ_by_hours(tmp_path: Path) -> None:
    """Both go by the clock of PostgreSQL, and one of them is on a machine whose clock jumps as well."""
    with postgres_database() as database, contextlib.ExitStack() as stack:
        wrong = JumpingServer(tmp_path, database, redis=redis_url())
        wrong.jump(5)
        stack.callback(wrong.stop)
        wrong.start()
        right = stack.enter_context(running(database, redis=redis_url()))

        async def scenario() -> None:
            async with Client(right.url) as ann, Client(wrong.url) as bob:
                await ann.guest("Ann")
                await bob.guest("Bob")
                assert (await ann.request("GET", "/me"))["name"] == "Ann"
                table = (await ann.create_table("guppies", ["me", "open"], clock=MINUTE))["id"]
                await bob.join(table)
                await ann.act(table, "start")
                async with ann.table(table, seat=0) as one, bob.table(table, seat=1) as two:
                    for hours in (5, -4, 0):
                        wrong.jump(hours)
                        await play_in_turn([one, two], 2)
                        assert all(face["left"] > 0 for face in (*one.clocks, *two.clocks))
            await check_clocks(database, table)

        asyncio.run(scenario())


async def check_clocks(database: str, table: str) -> None:
    """Nobody ran out of time, and the log is of one time."""
    rows = [row for row in await check_log(database, [], [table]) if row[0] == table]
    assert {row[2] for row in rows} <= {"join", "start", "move"}
    assert rows[-1][5] - rows[0][5] < HOUR
