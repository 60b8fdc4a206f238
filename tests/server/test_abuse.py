"""What one person, one crowd or one broken line can do to all others: nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import uvloop
from server import failing_bots
from server.serving import LONGEST, Running, play, postgres_database, running, settings_for, sqlite_file, until
from uvicorn.server import ServerState
from websockets.asyncio.client import connect

import wellies
from wellies.client import Client, ServerRefused
from wellies.match import Record
from wellies.server.fair_queue import ANYONE, FairQueue, Purpose
from wellies.server.identity import Identity
from wellies.server.logs import without_queries
from wellies.server.socket import Connection
from wellies.server.storage import Listing, NewTable, RowRefused, Storage, TableChange
from wellies.server.wire import LimitedConfig, LimitedHttp
from wellies.table import Clock, LogEntry, Seat, Setup, new_table
from wellies.table.fold import TableFold


async def on_loop(server: Running, work: Any) -> Any:
    """Run something on the server's own loop."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, server.loop))


# --- who leaves in the middle ---------------------------------------------------------------------------------------


def test_an_answer_to_a_connection_that_has_just_broken_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """The loop has closed the connection, and uvicorn hears of it one step later."""
    connections: list[LimitedHttp] = []

    class Kept(LimitedHttp):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            connections.append(self)

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        connections[-1].transport.abort()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    async def scenario() -> None:
        config = LimitedConfig(app, settings_for(":memory:"), lifespan="off", log_config=None)
        config.http = Kept
        config.load()
        state = ServerState()
        listening = await asyncio.get_running_loop().create_server(
            lambda: Kept(config, server_state=state, app_state={}), "127.0.0.1", 0
        )
        reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        while state.tasks:
            await asyncio.sleep(0)
        listening.close()
        assert len(connections) == 1
        assert connections[0].cycle.response_started is False

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(asyncio.wait_for(scenario(), LONGEST))
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


class HeldCommits:
    """Keeps commits waiting until they are let go."""

    def __init__(self, server: Running) -> None:
        self._loop = server.loop
        self._go = asyncio.Event()
        self._storage = server.hub.storage
        self._store = self._storage.store
        self.waiting = 0

    async def _held(self, batch: list[TableChange]) -> set[str]:
        self.waiting += 1
        await self._go.wait()
        return await self._store(batch)

    def __enter__(self) -> HeldCommits:
        vars(self._storage)["store"] = self._held
        return self

    def let_go(self) -> None:
        self._loop.call_soon_threadsafe(self._go.set)

    def __exit__(self, *_: object) -> None:
        vars(self._storage).pop("store", None)
        self.let_go()


def socket_of(client: Client, server: Running, table: str, query: str = "") -> Any:
    """A plain socket, which does not come back by itself when it breaks."""
    return connect(
        f"{server.url.replace('http', 'ws')}/ws/v1/tables/{table}?{query}",
        proxy=None,
        additional_headers={"Cookie": f"wellies={client.cookie}"},
        max_size=None,
    )


def test_a_move_whose_sender_goes_while_it_is_stored_reaches_the_others(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            live = server.hub.tables[table]
            async with client.table(table, seat=1) as other:
                before = other.version
                mover = await socket_of(client, server, table, "seat=0")
                await mover.recv()
                with HeldCommits(server) as held:
                    await mover.send(json.dumps({"type": "play", "id": "1", "move": "a0@0,0"}))
                    await until(lambda: held.waiting)
                    # The tab is closed while its move is being stored; then somebody comes to watch, of which the one
                    # who has gone would be told.
                    mover.transport.abort()
                    async with client.table(table):
                        await until(lambda: len(live.viewers) == 2)
                        held.let_go()
                        await other.until(lambda now: now.version > before)

    play(scenario())


def test_a_line_of_chat_whose_sender_goes_while_it_is_stored_reaches_the_others(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            live = server.hub.tables[table]
            lock = server.storage.write_lock
            async with client.table(table, seat=1) as other:
                talker = await socket_of(client, server, table, "seat=0")
                await talker.recv()
                await on_loop(server, lock.acquire())
                try:
                    await talker.send(json.dumps({"type": "chat", "id": "1", "text": "Bye!"}))
                    await until(lambda: lock._waiters)
                    talker.transport.abort()
                    async with client.table(table):
                        await until(lambda: len(live.viewers) == 2)
                finally:
                    server.loop.call_soon_threadsafe(lock.release)
                await other.until(lambda now: [line["text"] for line in now.chat] == ["Bye!"])

    play(scenario())


# --- time to think --------------------------------------------------------------------------------------------------


def test_lines_take_turns_and_tables_of_bots_alone_come_last() -> None:
    async def scenario() -> None:
        queue = FairQueue(2)
        done: list[str] = []

        async def think(name: str, purpose: Purpose) -> None:
            async with queue.slot(purpose):
                done.append(name)
                await asyncio.sleep(0)

        async with queue.slot(ANYONE), queue.slot(ANYONE):
            wishes = [(f"show {number}", Purpose("eve", watched=True)) for number in range(3)]
            wishes += [(f"eve {number}", Purpose("eve")) for number in range(3)]
            wishes += [("ann", Purpose("ann")), ("ben", Purpose("ben"))]
            tasks = [asyncio.create_task(think(*wish)) for wish in wishes]
            given_up = asyncio.create_task(think("nobody", Purpose("carl")))
            await asyncio.sleep(0)
            assert queue.waiting == 9
            given_up.cancel()
            await asyncio.sleep(0)
            assert queue.waiting == 8
        await asyncio.gather(*tasks)
        assert done == ["eve 0", "ann", "ben", "eve 1", "eve 2", "show 0", "show 1", "show 2"]
        assert queue.free == 2

    play(scenario())


def test_one_guests_hundred_thoughts_hold_nobody_up() -> None:
    """Tables of slow bots alone fill every place; somebody else's bot, of any kind, and a hint come soon all the same.
    What counts is how many thoughts of the others are waited for, not how fast the machine is."""
    with sqlite_file() as database, running(database) as server:
        server.hub.pool.think = failing_bots.think_slowly

        async def scenario() -> None:
            async with Client(server.url) as eve, Client(server.url) as ann:
                await eve.guest("Eve")
                for _ in range(12):
                    await eve.create_table("guppies", ["monsoon", "monsoon"], start=True)
                await ann.guest("Ann")
                for level, hints in (("drizzle", False), ("monsoon", False), ("drizzle", True)):
                    waited = []
                    table = await ann.create_table("guppies", ["me", level], start=True)
                    async with ann.table(table["id"], seat=0) as seat:
                        for _ in range(4):
                            await seat.until(lambda now: now.decision is not None)
                            before = server.hub.metrics.bot_moves
                            if hints:
                                await seat.hint()
                            await seat.play(seat.legal[0]["move"])
                            await seat.until(lambda now: now.decision is not None)
                            waited.append(server.hub.metrics.bot_moves - before)
                    # Starting the first process may take as long as many thoughts.
                    assert min(waited) <= 5, (level, hints, waited)

        play(scenario())


def test_one_person_has_so_many_tables_of_bots_alone_only() -> None:
    with sqlite_file() as database, running(database, bot_tables_each=2) as server:
        server.hub.pool.think = failing_bots.think_slowly

        async def scenario() -> None:
            async with Client(server.url) as eve, Client(server.url) as ann:
                await eve.guest("Eve")
                await ann.guest("Ann")
                for _ in range(2):
                    await eve.create_table("umbradeco", ["monsoon", "monsoon"], start=True)
                third = await eve.create_table("umbradeco", ["monsoon", "monsoon"])
                for wish in (
                    eve.create_table("umbradeco", ["monsoon", "monsoon"], start=True),
                    eve.act(third["id"], "start"),
                ):
                    with pytest.raises(ServerRefused) as refused:
                        await wish
                    assert (refused.value.status, refused.value.code) == (429, "too_many")
                await eve.create_table("umbradeco", ["me", "monsoon"], start=True)
                await ann.create_table("umbradeco", ["monsoon", "monsoon"], start=True)

        play(scenario())


# --- what one bad row does to others --------------------------------------------------------------------------------


async def _sqlstate_trouble(storage: Storage) -> None:
    async with storage.writing() as connection:
        await connection.execute(sa.text("SELECT CAST(:given AS jsonb)"), {"given": '"a\\u0000b"'})


@pytest.mark.parametrize("bad", ["a\x00b", "a\ud800b"])
@pytest.mark.parametrize("make", [postgres_database, sqlite_file])
def test_one_bad_row_does_not_fail_the_moves_of_others(make: Any, bad: str) -> None:
    """Rows that the database or the wire refuses share a batch with a good one, which is stored."""
    with make() as database, running(database) as server:

        async def scenario() -> list[Any]:
            changes = []
            for name in ("good", bad, "fine"):
                table = new_table(Setup("guppies", {}, [Seat("person", "ann", name)] * 2, False, Clock(), "ann", "Ann"))
                new = NewTable("guppies", "{}", table.seed.hex(), table.invite, "ann", False, 0)
                listing = Listing("open", False, "{}", name, ["ann"])
                changes.append(TableChange(table.id, [LogEntry(1, "name", 0, name, 0)], 1, "", None, listing, new))
            committer = server.hub.committer
            return await asyncio.gather(*(committer.store(each) for each in changes), return_exceptions=True)

        good, broken, fine = asyncio.run_coroutine_threadsafe(scenario(), server.loop).result(60)
        assert (good, fine) == (None, None)
        if bad == "a\x00b" and make is sqlite_file:
            assert broken is None, "SQLite takes it"
        else:
            assert isinstance(broken, RowRefused), broken


def test_a_database_that_refuses_a_row_is_not_taken_for_one_out_of_reach() -> None:
    with postgres_database() as database, running(database) as server, pytest.raises(RowRefused):
        asyncio.run_coroutine_threadsafe(_sqlstate_trouble(server.storage), server.loop).result(60)


@pytest.mark.parametrize("make", [postgres_database, sqlite_file])
def test_imported_names_are_names(make: Any) -> None:
    """Names in a record from elsewhere are made fit to be shown: no NUL, no codes, no marks that turn text around."""
    with make() as database, running(database) as server:

        async def scenario() -> None:
            async with Client(server.url) as ann:
                await ann.guest("Ann")
                record = finished_record()
                for given, shown in (
                    ("a\x00b", "a b"),
                    ("\x1b[31mred\n\u202eder", "(31mred der"),
                    ("  \u200b ", "Seat 1"),
                    ("Ann {0} [x]", "Ann (0) (x)"),
                    ("x" * 100, "x" * 24),
                ):
                    record.players = [given, "Ben"]
                    answer = await ann.http.post("/api/v1/import", json={"record": str(record)})
                    assert answer.status_code == 201, answer.text
                    assert [seat["name"] for seat in answer.json()["seats"]] == [shown, "Ben"]
                    assert (await ann.get_table(answer.json()["id"]))["seats"][0]["name"] == shown

        play(scenario())


def finished_record() -> Record:
    match = wellies.Match(wellies.game("guppies"), seats=2, options={"tiles": 64}, seed=7)
    while match.state.outcome() is None:
        seat = match.state.active()[0]
        match.play(seat, match.spec.move_text(match.state, seat, match.choices(seat)[0]))
    return match.record()


# --- headers and bodies ---------------------------------------------------------------------------------------------


async def answer_to(server: Running, *pieces: bytes, pause: float = 0.0, keeps: bool = False) -> bytes:
    """All that the server says to these bytes until it closes the connection."""
    port = int(server.url.rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        with contextlib.suppress(ConnectionError):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(reader.readuntil(b"}") if keeps else reader.read(), LONGEST)
        return b""
    finally:
        writer.transport.abort()


BEGIN = b"GET /health HTTP/1.1\r\nHost: x\r\n"


def test_headers_have_a_limit(server: Running) -> None:
    async def scenario() -> None:
        assert b" 200 OK" in await answer_to(server, BEGIN + b"x: " + b"y" * 12_000 + b"\r\n\r\n", keeps=True)
        for pieces in (
            [BEGIN + b"x: " + b"y" * 20_000 + b"\r\n\r\n"],
            [BEGIN, *([b"x: " + b"y" * 50 + b"\r\n"] * 400), b"\r\n"],
            [BEGIN + b"x: ", *([b"y" * 1_000] * 20)],
            [b"GET /" + b"y" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"],
        ):
            answer = await answer_to(server, *pieces)
            assert answer.startswith(b"HTTP/1.1 431 ") or not answer, answer[:100]
        assert (await answer_to(server, BEGIN + b"x: " + b"y" * 20_000)).startswith(b"HTTP/1.1 431 ")

    play(scenario())


def test_headers_and_bodies_have_a_time() -> None:
    """What comes within the limits is answered, also on a busy machine; all that comes too late is tried at once."""
    with sqlite_file() as database, running(database, header_seconds=3, body_seconds=3) as server:
        post = b"POST /api/v1/me HTTP/1.1\r\nHost: x\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n"

        async def only_blanks() -> bytes:
            """One request, then a blank line now and then for as long as the connection stays open."""
            reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
            reading = asyncio.create_task(reader.read())
            writer.write(BEGIN + b"\r\n")
            while not reading.done():
                with contextlib.suppress(ConnectionError):
                    writer.write(b"\r\n")
                    await writer.drain()
                await asyncio.wait([reading], timeout=0.1)
            writer.transport.abort()
            try:
                return reading.result()
            except ConnectionError:  # closed while a blank was on its way
                return b""

        async def scenario() -> None:
            async with Client(server.url) as client:
                table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
                async with client.table(table, seat=0) as seat:
                    silent, header, body, whole, piped, blanks = await asyncio.gather(
                        answer_to(server),
                        answer_to(server, BEGIN),
                        answer_to(server, post, b'{"name"'),
                        answer_to(server, post + b'{"name":"Ann"}', BEGIN + b"\r\n", BEGIN, pause=0.2),
                        answer_to(server, BEGIN + b"\r\n" + BEGIN),
                        only_blanks(),
                    )
                    # A socket is not held to these limits, which are over now.
                    await seat.play("a0@0,0")
            assert silent == b"", "who says nothing is not waited for"
            assert header.startswith(b"HTTP/1.1 408 ")
            assert body.startswith(b"HTTP/1.1 408 ")
            # One that answers in time goes on, and so does the next request on the same connection.
            assert whole.count(b"HTTP/1.1 201 ") == whole.count(b"HTTP/1.1 200 ") == whole.count(b"HTTP/1.1 408 ") == 1
            assert piped.count(b"HTTP/1.1 200 ") == piped.count(b"HTTP/1.1 408 ") == 1
            assert blanks.count(b"HTTP/1.1 200 ") <= 1

        play(scenario())


# --- crowds ---------------------------------------------------------------------------------------------------------


def test_a_crowd_that_comes_and_talks_closes_no_player(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player's line is slow while more people come, go and chat than may wait for it."""
    monkeypatch.setattr("wellies.server.socket.SEND_TIMEOUT", LONGEST)  # the crowd may take its time

    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            live = server.hub.tables[table]
            async with client.table(table, seat=0) as player:
                (connection,) = live.viewers
                assert isinstance(connection, Connection)
                goes = asyncio.Event()
                send = connection._raw_send

                async def slow(message: dict[str, str]) -> None:
                    await goes.wait()
                    await send(message)

                connection._raw_send = slow
                for number in range(10):
                    async with contextlib.AsyncExitStack() as crowd:
                        for _ in range(12):
                            await crowd.enter_async_context(client.table(table))
                        hub, people = server.hub, server.guard.people
                        assert people is not None
                        ann = Identity("ann", "Ann", False, 0)
                        for line in range(8):
                            await on_loop(server, hub.chat(live, ann, "Ann", None, f"{number}.{line}"))
                await until(lambda: len(live.viewers) == 1)
                server.loop.call_soon_threadsafe(goes.set)
                await player.play("a0@0,0")
                await player.until(lambda now: now.presence == {"seats": [0, 1], "watching": 0})
                await player.until(lambda now: now.chat[-1]["text"] == "9.7")
                assert list(live.viewers) == [connection], "the same connection"

    play(scenario())


# --- replays --------------------------------------------------------------------------------------------------------


def test_a_replay_is_made_once_and_rationed(monkeypatch: pytest.MonkeyPatch) -> None:
    applied = [0]
    apply = TableFold.apply

    def counted(table: TableFold, entry: LogEntry) -> None:
        applied[0] += 1
        apply(table, entry)

    with sqlite_file() as database, running(database, records_per_second=0.001, records_burst=12) as server:

        async def scenario() -> None:
            async with Client(server.url) as ann, Client(server.url) as eve:
                await ann.guest("Ann")
                await eve.guest("Eve")
                table = (await ann.request("POST", "/import", {"record": str(finished_record())}))["id"]
                version = (await ann.get_table(table))["version"]
                monkeypatch.setattr(TableFold, "apply", counted)
                where = f"/api/v1/tables/{table}/replay"
                first = (await ann.http.get(where)).json()
                again = (await ann.http.get(where)).json()
                part = (await ann.http.get(where, params={"from": 5, "to": 7})).json()
                assert first == again
                assert [moment["number"] for moment in part["moments"]] == [5, 6, 7]
                assert part["moments"] == first["moments"][4:7]
                assert applied[0] == len(first["moments"]) <= version
                last = (await ann.http.get(where, params={"from": version})).json()
                assert [moment["number"] for moment in last["moments"]] == [version]
                assert applied[0] == version, "each entry was replayed once"
                # Whoever wants more than their share at once waits; others do not.
                answers = [await eve.http.get(where, params={"seat": 0, "from": version}) for _ in range(3)]
                assert {answer.status_code for answer in answers} == {200}
                verdicts = [await eve.http.post("/api/v1/verify", json={"record": ""}) for _ in range(3)]
                assert {answer.status_code for answer in verdicts} <= {200, 400}
                record = str(finished_record())
                statuses = [
                    (await eve.http.post("/api/v1/verify", json={"record": record})).status_code for _ in range(12)
                ]
                assert statuses[-1] == 429
                assert (await ann.http.post("/api/v1/verify", json={"record": record})).status_code == 200

        play(scenario())


# --- what is wrong, in words ----------------------------------------------------------------------------------------

TWO = [{"kind": "me"}, {"kind": "me"}]


@pytest.mark.parametrize(
    ("method", "path", "body", "says"),
    [
        ("POST", "/me", {"name": ""}, "The field `name` must not be empty."),
        ("POST", "/me", {"name": "x" * 101}, "The field `name` may have 100 characters at most."),
        ("POST", "/me", {"name": 5}, "The field `name` must be text, not a whole number."),
        ("POST", "/me", {}, "The field `name` is missing."),
        ("POST", "/me", {"name": "a", "more": 1}, "There is no field `more` here; leave it out."),
        ("POST", "/me", [], "The body must be an object with named fields, not a list."),
        ("POST", "/me", {"name": "Ann [x]"}, "A name has no square or curly brackets; use round ones."),
        ("POST", "/me", {"name": "{0}"}, "A name has no square or curly brackets; use round ones."),
        ("POST", "/tables", {"seats": []}, "The field `seats` must not be empty."),
        ("POST", "/tables", {"seats": TWO * 7}, "The field `seats` may have 12 entries at most."),
        (
            "POST",
            "/tables",
            {"seats": [{"kind": "x"}]},
            "The field `seats[0].kind` cannot be 'x'; that is none of its values.",
        ),
        ("POST", "/tables", {"seats": TWO, "clock": {"seconds": -1}}, "The field `clock.seconds` must be 0 or more."),
        ("POST", "/tables", {"seats": TWO, "from": {"table": "x"}}, "The field `number` in `from` is missing."),
        ("POST", "/tables", {"seats": TWO, "private": "yes"}, "The field `private` must be true or false, not text."),
        ("GET", "/tables?limit=99", None, "The query parameter `limit` must be 50 or less."),
        ("GET", "/tables?limit=x", None, "The query parameter `limit` must be a whole number, not text."),
        ("GET", "/tables?state=x", None, "The query parameter `state` cannot be 'x'; that is none of its values."),
        ("GET", "/nothing", None, "There is nothing at"),
        ("DELETE", "/me", None, "This address does not take that kind of request."),
        ("POST", "/me", b"", "This request needs a body: a JSON object."),
        ("POST", "/me", b"{", "The body is not JSON as it should be: input data was truncated."),
        ("POST", "/me", b"[" * 100_000, "The body is nested deeper than 60 levels."),
        ("POST", "/me", b"[" * 100 + b"]" * 100, "The body is nested deeper than 60 levels."),
        ("POST", "/me", b'{"name": "\xff"}', "The body is not UTF-8."),
        ("PATCH", "/me", b'{"name": "\xff"}', "The body is not UTF-8."),
        ("POST", "/login", b'{"a":' * 5_000, "The body is nested deeper than 60 levels."),
        ("POST", "/verify", {"record": 'Game: guppies\nSeats: 2\nPlayers: ["\\ud800"]\n\n'}, "half a character"),
        ("POST", "/import", {"record": 'Game: guppies\nSeats: 2\nOptions: {"a": "\\ud800"}\n\n'}, "half a character"),
        (
            "POST",
            "/verify",
            {"record": 'Game: guppies\nSeats: 2\nOptions: {"a": ' + "[" * 500 + "]" * 500 + "}\n\n"},
            "nested deeper",
        ),
    ],
)
def test_what_is_wrong_with_a_request_is_said_in_words(
    server: Running, method: str, path: str, body: Any, says: str
) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            await client.guest("Ann")
            content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            headers = {"content-type": "application/json"}
            answer = await client.http.request(method, f"/api/v1{path}", content=content, headers=headers)
            assert answer.status_code in (400, 404, 405), answer.text
            assert says in answer.json()["message"]

    play(scenario())


def test_what_is_wrong_with_a_message_is_said_in_words(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            async with socket_of(client, server, table, "seat=0") as raw:
                await raw.recv()
                for message, says in (
                    ('{"type": "play", "id": "1", "move": 5}', "The message `move` must be text, not a whole number."),
                    ('{"type": "play", "id": "1"}', "The field `move` is missing."),
                    ('{"type": "dance", "id": "1"}', "cannot be 'dance'"),
                    ("{", "is not JSON"),
                ):
                    await raw.send(message)
                    while (answer := json.loads(await raw.recv()))["type"] != "error":
                        pass
                    assert says.replace("message `", "field `") in answer["message"], answer

    play(scenario())


def test_head_is_answered_as_get_without_a_body(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            for path in ("/", "/t/some-table", "/health", "/api/v1/games"):
                answer = await client.http.head(path)
                assert (answer.status_code, answer.content) == (200, b""), path
                assert answer.headers["content-type"] == (await client.http.get(path)).headers["content-type"]
            assert (await client.http.head("/assets/nothing.js")).status_code == 404

    play(scenario())


# --- small things ---------------------------------------------------------------------------------------------------


async def finished_table(client: Client) -> str:
    """The id of a table whose game is over."""
    table: str = (await client.create_table("guppies", ["me", "random"], options={"tiles": 64}, start=True))["id"]
    await client.act(table, "resign")
    async with client.table(table) as view:
        await view.until(lambda now: now.finished)
    return table


def test_four_who_want_another_game_at_once_get_one(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await finished_table(client)
            answers = await asyncio.gather(*(client.act(table, "rematch") for _ in range(4)))
            assert len({answer["id"] for answer in answers}) == 1
            mine = await client.request("GET", "/tables", mine=True)
            assert len(mine["tables"]) == 2

    play(scenario())


def test_a_replay_that_is_known_to_its_end_goes_on_when_another_game_is_asked_for(server: Running) -> None:
    """The rematch is one more entry in the log of a finished game."""

    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await finished_table(client)
            for more in range(2):
                found = (await client.get_table(table))["version"]
                moments: list[Any] = []
                while len(moments) < found:
                    part = await client.request("GET", f"/tables/{table}/replay", **{"from": len(moments) + 1})
                    moments += part["moments"]
                assert [each["number"] for each in moments] == list(range(1, found + 1))
                assert moments[-1]["outcome"] is not None
                if not more:
                    await client.act(table, "rematch")
            assert moments[-1]["entry"]["kind"] == "rematch"

    play(scenario())


def test_another_game_that_a_dead_worker_has_made_is_found(server: Running) -> None:
    """The new table is stored, and the old one does not know it yet: as after a kill between the two."""

    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await finished_table(client)
            hub = server.hub
            live = hub.tables[table]
            made = new_table(live.table.setup, table_id=live.table.rematch_id())
            await on_loop(server, hub.create(made))
            assert (await client.act(table, "rematch"))["id"] == made.id

    play(scenario())


def test_asking_for_tables_that_are_not_there_leaves_nothing_behind(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            for number in range(20):
                assert (await client.http.get(f"/api/v1/tables/{number:012x}")).status_code == 404
        assert not server.hub._loading

    play(scenario())


def test_tables_that_nobody_looks_at_are_let_go(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            seen = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            left = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            async with client.table(seen, seat=0):

                async def let_go() -> None:
                    server.hub.evict(600)
                    assert {seen, left} <= set(server.hub.tables)
                    server.hub.evict(0)

                await on_loop(server, let_go())
                assert seen in server.hub.tables
                assert left not in server.hub.tables
            assert (await client.get_table(left))["state"] == "playing"

    play(scenario())


def test_the_log_leaves_queries_out() -> None:
    record = logging.LogRecord(
        "uvicorn.error",
        logging.INFO,
        "",
        0,
        '%s - "WebSocket %s" [accepted]',
        ("1.2.3.4:5", "/ws/v1/tables/a?invite=b"),
        None,
    )
    assert without_queries(record)
    assert record.getMessage() == '1.2.3.4:5 - "WebSocket /ws/v1/tables/a" [accepted]'


def test_a_database_of_a_newer_version_is_said_to_be_one(tmp_path: Path) -> None:
    database = tmp_path / "wellies.db"
    with running(str(database)):
        pass
    with contextlib.closing(sqlite3.connect(database)) as plain:
        plain.execute("UPDATE alembic_version SET version_num = '9999'")
        plain.commit()
    for more in ([], ["--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "wellies", "serve", "--database", str(database), "--port", "0", *more],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2, done.stderr
        assert "newer version of Wellies" in done.stderr
        assert "report it" not in done.stderr
