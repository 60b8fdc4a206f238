"""What happens when things break: what was acknowledged is there, nothing is there twice, and tables go on."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from server import failing_bots
from server.faults import Cable
from server.load import check_log
from server.serving import (
    LONGEST,
    Running,
    _administer,
    postgres_database,
    running,
    sqlite_file,
    until,
)
from services import redis_url

from wellies.client import Client, ServerRefused
from wellies.server.storage import sqlite
from wellies.server.storage.database import SQLITE_PRAGMAS, begin_writing


def _cabled(address: str) -> tuple[Cable, str]:
    parts = urlsplit(address)
    cable = Cable(parts.hostname or "", parts.port or 0)
    return cable, address.replace(f"{parts.hostname}:{parts.port}", f"127.0.0.1:{cable.port}")


@pytest.fixture
def far_postgres() -> Iterator[tuple[Running, Cable, str]]:
    """A server whose PostgreSQL is at the end of a cable."""
    with postgres_database() as database:
        cable, through = _cabled(database)
        with running(through, rescue_seconds=1) as server:
            yield server, cable, database
        cable.close()


def test_postgres_gone_for_a_while(far_postgres: tuple[Running, Cable, str]) -> None:
    server, cable, database = far_postgres

    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("guppies", ["me", "me"], start=True)
            bots = await client.create_table("guppies", ["random", "random"], options={"tiles": 64}, start=True)
            async with client.table(table["id"], seat=0) as one, client.table(table["id"], seat=1) as two:
                await one.play("a0@0,0")
                await two.until(lambda now: now.decision is not None)
                cable.cut()
                for _ in range(2):
                    with pytest.raises(ServerRefused) as refused:
                        await two.play(two.legal[0]["move"])
                    assert refused.value.code == "storage"
                    assert "may not have been stored" in str(refused.value)
                with pytest.raises(ServerRefused) as refused:
                    await client.create_table("guppies", ["me", "me"], start=True)
                assert refused.value.status == 503
                assert (await client.http.get("/ready")).status_code == 503
                assert (await client.http.get("/health")).status_code == 200
                assert two.gone is None, "the sockets stay"
                tried = cable.refused
                await until(lambda: cable.refused >= tried + 3)  # the server looks whether it is back
                cable.mend()
                end = time.monotonic() + LONGEST
                while True:
                    try:
                        await two.play(two.legal[0]["move"])
                        break
                    except ServerRefused as error:
                        assert error.code == "storage", error
                        assert time.monotonic() < end, "no recovery"
                        await asyncio.sleep(0.1)
                await one.until(lambda now: now.version == two.version)
                assert (await client.http.get("/ready")).status_code == 200
                while (await client.get_table(bots["id"]))["state"] != "finished":
                    await asyncio.sleep(0.1)
                    assert time.monotonic() < end, "the bots did not go on"
        await check_log(database, [], [table["id"], bots["id"]])

    asyncio.run(scenario())


def test_redis_gone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers: moves go on without Redis, the other worker finds them in the store, and all is live again after."""

    async def no_versions(*_: Any) -> dict[str, int]:
        return {}

    with postgres_database() as database, contextlib.ExitStack() as stack:
        cable, through = _cabled(redis_url())
        stack.callback(cable.close)
        one = stack.enter_context(running(database, redis=through))
        two = stack.enter_context(running(database, redis=through))

        async def scenario() -> None:
            async with Client(one.url) as ann, Client(two.url) as bob:
                await ann.guest("Ann")
                await bob.guest("Bob")
                table = (await ann.create_table("guppies", ["me", "open"]))["id"]
                await bob.join(table)
                await ann.act(table, "start")
                async with ann.table(table, seat=0) as first, bob.table(table, seat=1) as second:
                    await first.play("a0@0,0")
                    await second.until(lambda now: now.decision is not None)
                    cable.cut()
                    await until(lambda: not (one.hub.channels.healthy or two.hub.channels.healthy))
                    await second.play(second.legal[0]["move"])
                    await first.until(lambda now: now.decision is not None)
                    assert (await ann.http.get("/ready")).status_code == 503
                    heard = [message async for message in _until_notice(first, "channel_trouble")]
                    assert heard
                    cable.mend()
                    await until(lambda: one.hub.channels.healthy and two.hub.channels.healthy)
                    assert (await ann.http.get("/ready")).status_code == 200
                    # Live again: the other worker hears of the move although it no longer looks into the store.
                    monkeypatch.setattr(two.hub.storage, "versions", no_versions)
                    await first.play(first.legal[0]["move"])
                    await second.until(lambda now: now.decision is not None)

        asyncio.run(scenario())


def test_a_redis_that_hangs_is_noticed_and_waited_for_by_nobody() -> None:
    """It takes what it is given and answers nothing. The other worker finds the move in the store, people are told that
    updates are slow, and when Redis goes on they are told that too."""
    with postgres_database() as database, contextlib.ExitStack() as stack:
        cable, through = _cabled(redis_url())
        stack.callback(cable.close)
        one = stack.enter_context(running(database, redis=through))
        two = stack.enter_context(running(database, redis=through))

        async def scenario() -> None:
            async with Client(one.url) as ann, Client(two.url) as bob:
                await ann.guest("Ann")
                await bob.guest("Bob")
                table = (await ann.create_table("guppies", ["me", "open"]))["id"]
                await bob.join(table)
                await ann.act(table, "start")
                async with ann.table(table, seat=0) as first, bob.table(table, seat=1) as second:
                    cable.hang()
                    # Nothing here waits for Redis, which answers only after `mend`.
                    await first.play("a0@0,0")
                    await second.until(lambda now: now.decision is not None)
                    assert [message async for message in _until_notice(first, "channel_trouble")]
                    cable.mend()
                    assert [message async for message in _until_notice(first, "all_well")]
                    assert one.hub.channels.healthy

        asyncio.run(scenario())


def test_a_message_between_workers_that_is_lost_is_made_good_by_the_store() -> None:
    """As when a worker is killed between storing a move and telling of it."""
    with sqlite_file() as database, contextlib.ExitStack() as stack:
        one = stack.enter_context(running(database, redis=redis_url()))
        two = stack.enter_context(running(database, redis=redis_url()))
        vars(one.hub.channels)["publish"] = lambda *_: None

        async def scenario() -> None:
            async with Client(one.url) as ann, Client(two.url) as bob:
                table = (await ann.create_table("guppies", ["me", "me"], start=True))["id"]
                async with ann.table(table, seat=0) as first, bob.table(table) as watcher:
                    before = watcher.version
                    await first.play("a0@0,0")
                    await watcher.until(lambda now: now.version > before)

        asyncio.run(scenario())


async def _until_notice(view: Any, code: str) -> Any:
    async with asyncio.timeout(LONGEST):
        async for message in view:
            yield message
            if message["type"] == "notice" and message["code"] == code:
                return


async def _on_begin(server: Running, pragma: str, patch: pytest.MonkeyPatch) -> Any:
    """Make every transaction of the server's SQLite start with this, on whichever connection, new ones too."""
    writer = server.storage.writer
    assert writer is not None
    await writer.execute(pragma)
    patch.setattr(sqlite, "SQLITE_PRAGMAS", (*SQLITE_PRAGMAS, pragma))

    def before(connection: Any) -> None:
        connection.exec_driver_sql(pragma)

    engine = server.storage.engine.sync_engine
    sa.event.listen(engine, "begin", before, insert=True)
    return lambda: sa.event.remove(engine, "begin", before)


@pytest.mark.parametrize(
    ("pragma", "mend", "says"),
    [
        ("PRAGMA query_only = ON", "PRAGMA query_only = OFF", "read-only"),
        ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1073741823", "disk is full"),
    ],
)
def test_a_full_or_read_only_sqlite_gets_a_clear_error(
    pragma: str, mend: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite_file() as database, running(database) as server:

        async def scenario() -> None:
            async with Client(server.url) as client:
                table = await client.create_table("guppies", ["me", "me"], start=True)
                async with client.table(table["id"], seat=0) as one, client.table(table["id"], seat=1) as two:
                    undo = await _on_begin(server, pragma, monkeypatch)
                    refusals = 0
                    seats = [one, two]
                    for number in range(400):
                        # A page that has room still takes a move or two; then it must be refused.
                        mover = seats[number % 2]
                        await mover.until(lambda now: now.decision is not None)
                        try:
                            await mover.play(mover.legal[0]["move"])
                        except ServerRefused as error:
                            assert error.code == "storage"
                            assert says in str(error)
                            refusals += 1
                            break
                    assert refusals
                    version = one.version
                    with pytest.raises(ServerRefused) as refused:
                        await _make_many_tables(client)
                    assert refused.value.status == 503
                    undo()
                    restore = await _on_begin(server, mend, monkeypatch)
                    await mover.play(mover.legal[0]["move"])
                    await one.until(lambda now: now.version > version)
                    restore()
            await check_log(database, [], [table["id"]])

        asyncio.run(scenario())


async def _make_many_tables(client: Client) -> None:
    for _ in range(50):
        await client.create_table("guppies", ["me", "me"], start=True)


def test_who_writes_to_sqlite_goes_on_asking_whether_it_is_free() -> None:
    """Another process that writes all the time leaves the file free for moments only, which must not be missed."""
    asked = []

    def execute(command: str) -> None:
        asked.append(command)
        if len(asked) < 5:
            raise sqlite3.OperationalError("database is locked")

    begin_writing(execute)
    assert asked == ["BEGIN IMMEDIATE"] * 5

    def full(_command: str) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(sqlite3.OperationalError, match="full"):
        begin_writing(full)


def test_what_another_process_writes_for_long_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most for `TIMEOUT`; then it is said that the database is busy."""
    with sqlite_file() as database, running(database) as server:

        async def scenario() -> None:
            other = sqlite3.connect(database, isolation_level=None)
            async with Client(server.url) as client:
                table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
                async with client.table(table, seat=0) as seat:
                    other.execute("BEGIN IMMEDIATE")
                    playing = asyncio.create_task(seat.play("a0@0,0"))
                    await until(lambda: server.hub.committer._busy)
                    other.execute("ROLLBACK")
                    await playing
                    monkeypatch.setattr("wellies.server.storage.database.TIMEOUT", 0.1)
                    other.execute("BEGIN IMMEDIATE")
                    with pytest.raises(ServerRefused, match="busy"):
                        await client.request("PATCH", "/me", {"name": "Anna"})
                    other.execute("ROLLBACK")
            other.close()

        asyncio.run(asyncio.wait_for(scenario(), LONGEST))


def test_a_read_only_postgres_gets_a_clear_error() -> None:
    with postgres_database() as database, running(database) as server:
        name = database.rsplit("/", 1)[1]

        async def scenario() -> None:
            async with Client(server.url) as client:
                table = await client.create_table("guppies", ["me", "me"], start=True)
                async with client.table(table["id"], seat=0) as one:
                    await _administer(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
                    await _administer(
                        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
                    )
                    for _ in range(2):
                        with pytest.raises(ServerRefused) as refused:
                            await one.play("a0@0,0")
                        assert refused.value.code == "storage"
                    assert "read-only" in str(refused.value)
                    await _administer(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
                    await _administer(
                        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
                    )
                    end = time.monotonic() + LONGEST
                    while True:
                        try:
                            await one.play("a0@0,0")
                            break
                        except ServerRefused as error:
                            assert error.code == "storage", error
                            assert time.monotonic() < end
                            await asyncio.sleep(0.1)
            await check_log(database, [], [table["id"]])

        asyncio.run(scenario())


@pytest.mark.parametrize("trouble", ["die", "fail"])
def test_a_lost_bot_is_replaced_and_shown_and_the_table_goes_on(trouble: str) -> None:
    with sqlite_file() as database, running(database) as server:
        healthy = server.hub.pool.think

        async def scenario() -> None:
            async with Client(server.url) as client:
                server.hub.pool.think = server.hub.pool.explain = getattr(failing_bots, trouble)
                table = await client.create_table("guppies", ["me", "greedy"], start=True)
                async with client.table(table["id"], seat=0) as seat:
                    await seat.play("a0@0,0")
                    heard = [message async for message in _until_notice(seat, "bot_trouble")]
                    assert heard
                    await seat.until(lambda now: now.decision is not None)
                    with pytest.raises(ServerRefused) as refused:
                        await seat.hint()
                    assert refused.value.code == "bot_trouble"
                    server.hub.pool.think = healthy
                    await seat.play(seat.legal[0]["move"])
                    await seat.until(lambda now: now.decision is not None)
            assert "wellies_bot_crashes_total 0" not in server.hub.metrics.text()

        asyncio.run(scenario())


MIGRATE = """
import asyncio, sys
from wellies.server.settings import load
from wellies.server.storage import Storage
storage = Storage(load({"database": sys.argv[1]}, environment={}).settings.database)
asyncio.run(storage.migrate())
"""


@pytest.mark.parametrize("make", [postgres_database, sqlite_file])
def test_several_workers_may_start_at_once_on_an_empty_database(make: Any) -> None:
    with make() as database:
        starting = [subprocess.Popen([sys.executable, "-c", MIGRATE, database]) for _ in range(3)]
        assert [process.wait(60) for process in starting] == [0, 0, 0]
        with running(database):
            pass


def test_the_bots_of_a_dead_worker_are_taken_over() -> None:
    """The only trace of a bot's turn is in the store, and another worker finds it there."""
    with sqlite_file() as database:
        with running(database, rescue_seconds=1) as server:
            # This worker never lets its bots move.
            vars(server.hub.bots)["wake"] = lambda _live: None

            async def begin() -> str:
                async with Client(server.url) as client:
                    await client.guest("Ann")
                    return str((await client.create_table("guppies", ["random", "me"], start=True))["id"])

            table = asyncio.run(begin())
        with running(database, rescue_seconds=1) as server:

            async def wait() -> None:
                async with Client(server.url) as client, client.table(table) as view:
                    await view.until(lambda now: now.view["active"] == [1])

            asyncio.run(wait())
