"""What happens when things break: what was acknowledged is there, nothing is there twice, and tables go on."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest
import sqlalchemy as sa
from server import failing_bots
from server.faults import Cable
from server.serving import (
    LONGEST,
    SOAK,
    Running,
    Worker,
    _administer,
    postgres_database,
    running,
    sqlite_file,
    until,
)
from services import redis_url

from wellies.client import Client, Disconnected, ServerRefused
from wellies.server.storage import sqlite
from wellies.server.storage.database import SQLITE_PRAGMAS

Acked = list[tuple[str, int, int, str]]
"""table, version, seat, move."""


class Player:
    """Plays one seat at random for as long as it is let, whatever happens to the servers; remembers what was
    acknowledged."""

    def __init__(self, urls: list[str], cookie: str, table: str, seat: int, acked: Acked, seed: int) -> None:
        self._urls = urls
        self._cookie = cookie
        self._table = table
        self._seat = seat
        self._acked = acked
        self._rng = random.Random(seed)
        self.finished = False

    async def run(self) -> None:
        while not self.finished:
            try:
                async with Client(self._rng.choice(self._urls), cookie=self._cookie) as client:
                    await self._play(client)
            except (Disconnected, TimeoutError):
                await asyncio.sleep(0.05)

    async def _play(self, client: Client) -> None:
        async with client.table(self._table, seat=self._seat, legal="text") as view:
            while not view.finished:
                await view.until(lambda now: now.finished or (now.decision is not None and now.legal))
                if view.decision is None:
                    continue
                decision = view.decision["id"]
                move = self._rng.choice(view.legal)
                try:
                    done = await view.play(move, decision)
                except ServerRefused as refused:
                    assert refused.code in ("stale", "storage", "not_your_turn", "busy"), refused
                    await asyncio.sleep(0.02)
                    continue
                mine = [each for each in done["entries"] if each["seat"] == self._seat and each["kind"] == "move"]
                self._acked.append((self._table, mine[-1]["number"], self._seat, mine[-1]["move"]))
                await asyncio.sleep(0)
        self.finished = True


async def stored_entries(database: str) -> list[tuple[str, int, str, int | None, str]]:
    if "postgresql" in database:
        connection = await asyncpg.connect(database)
        rows = await connection.fetch("SELECT table_id, number, kind, seat, text FROM entries ORDER BY 1, 2")
        await connection.close()
        return [tuple(row) for row in rows]
    with contextlib.closing(sqlite3.connect(database)) as plain:
        return list(plain.execute("SELECT table_id, number, kind, seat, text FROM entries ORDER BY 1, 2"))


async def check_log(database: str, acked: Acked, tables: list[str]) -> None:
    """Every acknowledged move is there, once; numbers have no gaps."""
    rows = await stored_entries(database)
    by_place = {(row[0], row[1]): row for row in rows}
    assert len(by_place) == len(rows), "an entry is there twice"
    for table, number, seat, move in acked:
        row = by_place.get((table, number))
        assert row is not None, f"acknowledged move {number} of {table} is lost"
        assert row[2:] == ("move", seat, move)
    assert len({(table, number) for table, number, _, _ in acked}) == len(acked), "one move was acknowledged twice"
    for table in tables:
        numbers = [row[1] for row in rows if row[0] == table]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("store", ["postgres", "sqlite"])
def test_killing_workers_loses_nothing(store: str) -> None:
    """kill -9 in the middle of a load, again and again, two workers serving the same tables. Each is killed once here,
    and more often in `make soak`."""
    rounds = max(2, SOAK)
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgres_database() if store == "postgres" else sqlite_file())
        more: dict[str, Any] = {"redis": redis_url(), "rescue_seconds": 1}
        workers = [Worker(database, **more).wait_ready() for _ in range(2)]
        urls = [worker.url for worker in workers]
        stack.callback(kill_all, workers)

        async def scenario() -> None:
            acked: Acked = []
            tables: list[str] = []
            over = asyncio.Event()
            async with Client(urls[0]) as client:
                await client.guest("Ann")
                cookie = client.cookie or ""
            keepers = [keep_playing(urls, cookie, number, acked, tables, over) for number in range(4)]
            load = asyncio.gather(*keepers)
            rng = random.Random(1)

            async def moves_are_made(count: int) -> None:
                """Wait for so many more acknowledged moves. If a player fails, so does the test, and says how."""
                wanted = len(acked) + count
                await until(lambda: load.done() or len(acked) >= wanted)
                if load.done():
                    load.result()

            for number in range(rounds):
                await moves_are_made(rng.randrange(20, 60))
                victim = number % 2
                workers[victim].kill()
                await moves_are_made(10)  # by the other worker alone
                workers[victim] = await asyncio.to_thread(start_again, database, workers[victim].port, more)
            await moves_are_made(20)
            over.set()
            await asyncio.wait_for(load, LONGEST)
            await check_log(database, acked, tables)
            async with Client(urls[1], cookie=cookie) as other:
                for table in tables:
                    found = await other.get_table(table)
                    assert found["state"] == "finished"
                    assert (await other.request("GET", f"/tables/{table}/verify"))["ok"]

        asyncio.run(scenario())


def kill_all(workers: list[Worker]) -> None:
    for worker in workers:
        worker.kill()


def start_again(database: str, port: int, more: dict[str, Any]) -> Worker:
    return Worker(database, port=port, **more).wait_ready()


async def keep_playing(
    urls: list[str], cookie: str, number: int, acked: Acked, tables: list[str], over: asyncio.Event
) -> None:
    """Play one table after another to its end, until it is enough; table 0 has a bot among the players."""
    rng = random.Random(number)
    while not over.is_set():
        seats = ["me", "me", "random"] if number == 0 else ["me", "me"]
        try:
            async with Client(rng.choice(urls), cookie=cookie) as client:
                table = (await client.create_table("umbradeco", seats, start=True))["id"]
        except (httpx.HTTPError, ServerRefused):
            await asyncio.sleep(0.05)
            continue
        tables.append(table)
        players = [Player(urls, cookie, table, seat, acked, rng.randrange(10**6)) for seat in range(2)]
        await asyncio.gather(*(player.run() for player in players))


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
                    assert "nothing was stored" in str(refused.value)
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
    writer = server.hub.storage.writer
    assert writer is not None
    await writer.execute(pragma)
    patch.setattr(sqlite, "SQLITE_PRAGMAS", (*SQLITE_PRAGMAS, pragma))

    def before(connection: Any) -> None:
        connection.exec_driver_sql(pragma)

    engine = server.hub.storage.engine.sync_engine
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
                server.hub.pool.think = getattr(failing_bots, trouble)
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
