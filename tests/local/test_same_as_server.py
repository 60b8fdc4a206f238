"""A table on a device answers as a server does: the same refusals, the same shapes, the same messages."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args, get_origin

import msgspec
import pytest
from litestar import HttpMethod, Response
from litestar.handlers import HTTPRouteHandler
from local.hosts import Disk, Page, Tab, play_out, run, run_in_real_time
from server.serving import LONGEST, Running, running, sqlite_file
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import wellies
from wellies.client import Client
from wellies.local import bodies
from wellies.local import messages as local_messages
from wellies.local.hub import DEVICE
from wellies.local.routes import LocalRoutes
from wellies.local.settings import LocalSettings
from wellies.puzzles.puzzle import ROTATION
from wellies.server import messages
from wellies.server.http import general_routes
from wellies.server.http_analysis import analysis_routes
from wellies.server.http_puzzles import puzzle_routes
from wellies.server.http_tables import table_routes
from wellies.server.settings import Settings
from wellies.table import Seat, Table, new_table
from wellies.table.connection import TableConnection
from wellies.table.create import new_setup
from wellies.table.ids import LOCAL, new_id


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with sqlite_file() as database, running(database) as server:
        yield server


# --- refusals ------------------------------------------------------------------------------------------------------

ME_AND_BOT = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
TABLE = {"game": "guppies", "seats": ME_AND_BOT}
DEEP = "[" * 70 + "]" * 70
OPEN, PLAYING = "OPEN", "PLAYING"
"""In a path: a table before the game, and one where it has begun."""


def new(**wrong: Any) -> dict[str, Any]:
    return {**TABLE, **wrong}


BAD_REQUESTS: list[tuple[str, str, Any]] = [
    ("GET", "/nothing", None),
    ("GET", "/tables/OPEN/nothing", None),
    ("PUT", "/games", None),
    ("POST", "/games", {}),
    ("PATCH", "/tables/OPEN/start", {}),
    ("GET", "/games/chess", None),
    ("GET", "/tables/chess", None),
    ("GET", f"/tables/{'a' * 26}", None),
    ("GET", "/puzzles/chess", None),
    ("GET", "/puzzles/umbradeco?date=2026-11-17", None),
    ("GET", "/puzzles/umbradeco?date=9999-12-31", None),
    ("GET", "/puzzles/umbradeco?date=yesterday", None),
    ("GET", "/puzzles/umbradeco/try", None),
    ("POST", "/puzzles/umbradeco/try", None),
    ("POST", "/puzzles/umbradeco/try", {}),
    ("POST", "/puzzles/umbradeco/try", {"move": 7}),
    ("POST", "/puzzles/umbradeco/try", {"move": "nonsense"}),
    ("POST", "/puzzles/umbradeco/preview", {"move": "nonsense"}),
    ("POST", "/puzzles/umbradeco/preview?date=9999-12-31", {"move": "x"}),
    ("GET", "/tables?limit=0", None),
    ("GET", "/tables?limit=51", None),
    ("GET", "/tables?limit=some", None),
    ("GET", "/tables?before=-1", None),
    ("GET", "/tables?before=99999999999999999999", None),
    ("GET", "/tables?state=asleep", None),
    # A name.
    ("POST", "/me", None),
    ("POST", "/me", {}),
    ("POST", "/me", {"name": ""}),
    ("POST", "/me", {"name": 7}),
    ("POST", "/me", {"name": None}),
    ("POST", "/me", {"name": "a" * 25}),
    ("POST", "/me", {"name": "a" * 101}),
    ("POST", "/me", {"name": "[Ann]"}),
    ("PATCH", "/me", {"name": "\u200b"}),
    ("PATCH", "/me", {"nom": "Ann"}),
    # A table: its body.
    ("POST", "/tables", None),
    ("POST", "/tables", b""),
    ("POST", "/tables", b"{"),
    ("POST", "/tables", b"[]"),
    ("POST", "/tables", b"null"),
    ("POST", "/tables", b'"seats"'),
    ("POST", "/tables", b'{"game": "guppies", "seats": [{"kind": "me"}, {"kind": "me"}], "options": {"tiles": NaN}}'),
    ("POST", "/tables", b'{"seats": [1e999]}'),
    ("POST", "/tables", b'{"name": "\\ud800", "seats": [{"kind": "me"}]}'),
    ("POST", "/tables", b'{"options": ' + DEEP.encode() + b"}"),
    ("POST", "/tables", b'{"options": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    ("POST", "/tables", b'{"record": "' + b"x" * 600_000 + b'"}'),
    ("POST", "/tables", {}),
    ("POST", "/tables", new(colour="red")),
    # Its seats.
    ("POST", "/tables", new(seats=[])),
    ("POST", "/tables", new(seats={})),
    ("POST", "/tables", new(seats=None)),
    ("POST", "/tables", new(seats=["me"])),
    ("POST", "/tables", new(seats=ME_AND_BOT * 7)),
    ("POST", "/tables", new(seats=ME_AND_BOT * 4)),
    ("POST", "/tables", new(seats=ME_AND_BOT[:1])),
    ("POST", "/tables", new(seats=[{"kind": "me"}, {}])),
    ("POST", "/tables", new(seats=[{"kind": "me"}, {"kind": "cat"}])),
    ("POST", "/tables", new(seats=[{"kind": "me"}, {"kind": "bot", "level": "nobody"}])),
    ("POST", "/tables", new(seats=[{"kind": "me"}, {"kind": "bot", "level": 3}])),
    ("POST", "/tables", new(seats=[{"kind": "me"}, {"kind": "bot", "level": "x" * 41}])),
    ("POST", "/tables", new(seats=[{"kind": "me", "name": ""}, {"kind": "me"}])),
    ("POST", "/tables", new(seats=[{"kind": "me", "name": "{0}"}, {"kind": "me"}])),
    ("POST", "/tables", new(seats=[{"kind": "me", "hat": 1}, {"kind": "me"}])),
    # Its game and options.
    ("POST", "/tables", new(game="chess")),
    ("POST", "/tables", new(game=None)),
    ("POST", "/tables", new(game="x" * 41)),
    ("POST", "/tables", new(options=[])),
    ("POST", "/tables", new(options=None)),
    ("POST", "/tables", new(options={"tiles": 3})),
    ("POST", "/tables", new(options={"stones": 3})),
    ("POST", "/tables", new(options={"cards": "/etc/passwd"})),
    ("POST", "/tables", new(private="yes")),
    ("POST", "/tables", new(private=None)),
    ("POST", "/tables", new(start="at once")),
    ("POST", "/tables", new(hints="some")),
    ("POST", "/tables", new(badges="no")),
    ("POST", "/tables", new(takebacks=True)),
    # Its clock.
    ("POST", "/tables", new(clock=None)),
    ("POST", "/tables", new(clock=5)),
    ("POST", "/tables", new(clock={"kind": "sand"})),
    ("POST", "/tables", new(clock={"kind": "move", "seconds": -1})),
    ("POST", "/tables", new(clock={"kind": "move", "seconds": 1})),
    ("POST", "/tables", new(clock={"kind": "move"})),
    ("POST", "/tables", new(clock={"kind": "game", "seconds": 86_401})),
    ("POST", "/tables", new(clock={"kind": "game", "seconds": "long"})),
    ("POST", "/tables", new(clock={"kind": "game", "seconds": 60, "increment": True})),
    ("POST", "/tables", new(clock={"kind": "days", "days": 0})),
    ("POST", "/tables", new(clock={"kind": "days", "days": 61})),
    ("POST", "/tables", new(clock={"kind": "days", "weeks": 1})),
    # From another game.
    ("POST", "/tables", new(**{"from": {"table": "OPEN"}})),
    ("POST", "/tables", new(**{"from": {"table": "OPEN", "number": -1}})),
    ("POST", "/tables", new(**{"from": {"table": "nowhere", "number": 1}})),
    ("POST", "/tables", new(**{"from": {"table": "PLAYING", "number": 1}})),
    ("POST", "/tables", new(record="Once upon a time")),
    ("POST", "/tables", new(record="Game: guppies\nSeats: 3\n")),
    ("POST", "/tables", new(record=["Game: guppies"])),
    ("POST", "/tables", new(record="x" * 400_001)),
    # Before the game.
    ("PATCH", "/tables/OPEN", {"options": {"tiles": "many"}}),
    ("PATCH", "/tables/OPEN", {"clock": {"kind": "move", "seconds": 2}}),
    ("PATCH", "/tables/OPEN", {"private": "no"}),
    ("PATCH", "/tables/OPEN", {"rated": "no"}),
    ("PATCH", "/tables/OPEN", {"start": True}),
    ("PATCH", "/tables/OPEN", None),
    ("PATCH", "/tables/PLAYING", {"hints": "all"}),
    ("POST", "/tables/OPEN/join", {}),
    ("POST", "/tables/OPEN/join", {"seat": 16}),
    ("POST", "/tables/OPEN/join", {"seat": "first"}),
    ("POST", "/tables/OPEN/join", None),
    ("POST", "/tables/PLAYING/join", {}),
    ("POST", "/tables/OPEN/leave", {"seat": 1}),
    ("POST", "/tables/OPEN/leave", {"seat": 9}),
    ("POST", "/tables/OPEN/seats", {"seat": 9, "kind": "bot"}),
    ("POST", "/tables/OPEN/seats", {"seat": 1, "kind": "me"}),
    ("POST", "/tables/OPEN/seats", {"seat": 1}),
    ("POST", "/tables/OPEN/seats", {"kind": "bot"}),
    ("POST", "/tables/OPEN/seats", {"seat": 1, "kind": "bot", "level": "nobody"}),
    ("POST", "/tables/PLAYING/seats", {"seat": 1, "kind": "open"}),
    ("POST", "/tables/OPEN/chairs/remove", {"seat": 0}),
    ("POST", "/tables/OPEN/chairs/remove", {"seat": None}),
    ("POST", "/tables/PLAYING/chairs/add", None),
    ("POST", "/tables/OPEN/chairs/name", {"seat": 0}),
    ("POST", "/tables/OPEN/chairs/name", {"seat": 0, "name": "]["}),
    ("POST", "/tables/OPEN/chairs/name", {"seat": 1, "name": "Ben"}),
    ("POST", "/tables/PLAYING/chairs/name", {"seat": 0, "name": "Ben"}),
    ("POST", "/tables/PLAYING/start", None),
    # During it.
    ("POST", "/tables/OPEN/handover", {}),
    ("POST", "/tables/PLAYING/handover", {"level": "nobody"}),
    ("POST", "/tables/PLAYING/handover", {"seat": 1}),
    ("POST", "/tables/PLAYING/takeback", {}),
    ("POST", "/tables/PLAYING/takeback", {"seat": 1.5}),
    ("POST", "/tables/OPEN/resign", {}),
    ("POST", "/tables/PLAYING/resign", {"seat": 1}),
    # Afterwards.
    ("POST", "/tables/PLAYING/rematch", None),
    ("GET", "/tables/OPEN/record", None),
    ("GET", "/tables/PLAYING/record", None),
    ("GET", "/tables/PLAYING/verify", None),
    ("GET", "/tables/PLAYING/analysis", None),
    ("POST", "/tables/PLAYING/analysis", None),
    ("GET", "/tables/PLAYING/replay?seat=16", None),
    ("GET", "/tables/PLAYING/replay?seat=9", None),
    ("GET", "/tables/PLAYING/replay?seat=1", None),
    ("GET", "/tables/PLAYING/replay?from=-1", None),
    ("GET", "/tables/PLAYING/replay?to=soon", None),
    ("GET", "/tables/PLAYING/log?seat=1", None),
    ("POST", "/verify", {}),
    ("POST", "/verify", {"record": 1}),
    ("POST", "/verify", {"record": ""}),
    ("POST", "/verify", {"record": "Seats: 2\n"}),
    ("POST", "/import", {"record": "Game: guppies\nSeats: 2\n"}),
    ("POST", "/import", {"record": "nonsense"}),
    ("POST", "/import", {"record": "Game: guppies\nSeats: 2\n\n0 nonsense\n"}),
    ("POST", "/import", {}),
]


def test_what_a_server_refuses_a_device_refuses_with_the_same_code(server: Running) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        async with Client(server.url) as client:
            await client.guest("Ann")
            await tab.done("POST", "/me", {"name": "Ann"})
            here = {OPEN: (await tab.done("POST", "/tables", TABLE))["id"]}
            there = {OPEN: (await client.request("POST", "/tables", TABLE))["id"]}
            here[PLAYING] = (await tab.done("POST", "/tables", {**TABLE, "start": True}))["id"]
            there[PLAYING] = (await client.request("POST", "/tables", {**TABLE, "start": True}))["id"]
            differing = []
            for method, path, body in BAD_REQUESTS:
                raw = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
                expected = await refused_by_server(client, method, path, raw, there)
                text = None if raw is None else placed(raw.decode(), here)
                status, answer = await tab.ask(method, placed(path, here), raw=text)
                found = status, answer.get("code")
                if found == expected:
                    assert answer["message"].endswith((".", "?")), answer
                else:
                    differing.append(f"{method} {path} {str(body)[:100]}: {found}, and at the server {expected}")
            assert not differing, "\n".join(differing)
            assert len(disk.rows) == 2, "nothing was made of all that"

    run_in_real_time(scenario)


def placed(text: str, tables: dict[str, str]) -> str:
    for name, table in tables.items():
        text = text.replace(name, table)
    return text


async def refused_by_server(
    client: Client, method: str, path: str, raw: bytes | None, tables: dict[str, str]
) -> tuple[int, str]:
    headers = {} if raw is None else {"content-type": "application/json"}
    content = None if raw is None else placed(raw.decode(), tables).encode()
    address = f"/api/v1{placed(path, tables)}"
    answer = await client.http.request(method, address, content=content, headers=headers)
    assert answer.status_code >= 400, (method, path, raw, answer.text)
    return answer.status_code, answer.json()["code"]


BAD_MESSAGES = [
    "",
    "x",
    "[]",
    "null",
    "{}",
    '{"type": "play"}',
    '{"type": 7, "id": "a"}',
    '{"type": "dance", "id": "a"}',
    '{"type": "ping", "id": 7}',
    '{"type": "ping", "id": "a", "more": 1}',
    '{"type": "ping", "id": "' + "a" * 65 + '"}',
    '{"type": "play", "id": "a"}',
    '{"type": "play", "id": "a", "move": 7}',
    '{"type": "play", "id": "a", "move": "' + "x" * 201 + '"}',
    '{"type": "play", "id": "a", "move": "x", "decision": 7}',
    '{"type": "play", "id": "a", "move": "\\ud800"}',
    '{"type": "play", "id": "a", "move": "x", "decision": "9.9"}',
    '{"type": "play", "id": "a", "move": "x"}',
    '{"type": "preview", "id": "a", "move": "x"}',
    '{"type": "answer_undo", "id": "a", "request": "1", "accept": true}',
    '{"type": "answer_undo", "id": "a", "request": 1, "accept": 1}',
    '{"type": "answer_undo", "id": "a", "request": -1, "accept": true}',
    '{"type": "answer_undo", "id": "a", "request": 1, "accept": true}',
    '{"type": "undo", "id": "a"}',
    '{"type": "ask_undo", "id": "a"}',
    '{"type": "chat", "id": "a"}',
    '{"type": "chat", "id": "a", "text": "' + "x" * 501 + '"}',
    '{"type": "chat", "id": "a", "text": "' + "x" * 5_000 + '"}',
    '{"type": "ping", "id": "a"' + " " * 5_000 + "}",
    '{"type": "hint", "id": "a", "level": "monsoon"}',
    '{"type": "ping", "id": NaN}',
    '{"id": ' + DEEP + "}",
]
BAD_OPENINGS = ["seat=9", "seat=1", "seat=x", "legal=some", "seat=0&legal="]


def test_messages_that_make_no_sense_are_refused_with_the_same_code(server: Running) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        async with Client(server.url) as client:
            await client.guest("Ann")
            here = (await tab.done("POST", "/tables", {**TABLE, "start": True}))["id"]
            there = (await client.request("POST", "/tables", {**TABLE, "start": True}))["id"]
            differing = []
            for query in [*BAD_OPENINGS, *(f"seat=0 {number}" for number in range(len(BAD_MESSAGES)))]:
                opening, _, number = query.partition(" ")
                text = BAD_MESSAGES[int(number)] if number else None
                expected = await answered_by_server(client, there, opening, text)
                found = await answered_by_device(tab, here, opening, text)
                if found != expected:
                    differing.append(f"{opening} {(text or '')[:80]}: {found}, and at the server {expected}")
            assert not differing, "\n".join(differing)

    run_in_real_time(scenario)


async def answered_by_server(client: Client, table: str, query: str, text: str | None) -> tuple[Any, ...]:
    address = client.url.replace("http", "ws", 1) + f"/ws/v1/tables/{table}?{query}"
    cookie = {"Cookie": f"wellies={client.cookie}"}
    async with connect(address, additional_headers=cookie, proxy=None, max_size=None) as socket:
        try:
            if text is not None:
                assert json.loads(await socket.recv())["type"] == "hello"
                await socket.send(text)
            while (answer := json.loads(await socket.recv()))["type"] != "error":
                assert answer["type"] in ("presence", "update")
            if text is not None:
                return answer["id"], answer["code"]
            await socket.recv()
        except ConnectionClosed:
            return answer["id"], answer["code"], socket.close_code
    raise AssertionError("the opening was not refused")


async def answered_by_device(tab: Tab, table: str, query: str, text: str | None) -> tuple[Any, ...]:
    page = Page(tab, table, **dict(pair.split("=") for pair in query.split("&")))  # type: ignore[arg-type]
    if text is None:
        await page.until(lambda: page.closed)
        assert page.closed is not None
        [error] = page.errors
        return error["id"], error["code"], page.closed[0]
    await page.until(lambda: page.hello)
    page.say(text)
    await page.until(lambda: page.errors)
    page.leave()
    return page.errors[0]["id"], page.errors[0]["code"]


def test_both_know_the_same_requests() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(messages.FromClient)}
    assert kinds == set(TableConnection.REQUESTS) == set(local_messages._FIELDS)
    for kind in get_args(messages.FromClient):
        fields = local_messages._FIELDS[kind.__struct_config__.tag]
        assert set(kind.__struct_fields__) == {"id", *fields}
    assert Settings().message_bytes == local_messages.MESSAGE_BYTES
    assert Settings().body_bytes == bodies.BODY_BYTES
    assert local_messages.MOST_CHAT == messages.MOST_CHAT
    assert local_messages.MOST_MOVE == messages.MOST_MOVE
    assert local_messages.MOST_ID == messages.MOST_ID


# --- shapes --------------------------------------------------------------------------------------------------------


def server_routes() -> dict[tuple[str, str], Any]:
    """What each route of the server answers: its type, by method and pattern."""
    found = {}
    for router in (general_routes(), table_routes(), analysis_routes(), puzzle_routes()):
        for route in router.routes:
            for handler in route.route_handlers:  # type: ignore[union-attr]
                assert isinstance(handler, HTTPRouteHandler)
                parts = [part if isinstance(part, str) else "*" for part in route.path_components]
                kind = handler.parsed_fn_signature.return_type.annotation
                for method in handler.http_methods - {HttpMethod.OPTIONS}:
                    answer = get_args(kind)[0] if get_origin(kind) is Response else kind
                    found[str(method), "/".join(parts[2:])] = answer
    return found


NOT_HERE = {("POST", "login"), ("POST", "logout"), ("POST", "me/password")}
"""Routes that a device refuses: they need a server."""
ONLY_HERE = {("DELETE", "tables/*")}


def test_a_device_has_the_routes_of_a_server() -> None:
    async def scenario(disk: Disk) -> None:
        known = set(Tab(disk).app._routes._routes)
        assert known - ONLY_HERE == set(server_routes())

    run(scenario)


def test_every_answer_has_the_shape_of_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer is read as the type that the server's route has, and nothing is missing or too much."""
    types = server_routes()
    checked: set[tuple[str, str]] = set()
    request = LocalRoutes.request

    async def check(self: LocalRoutes, method: str, path: str, body: str | None) -> Any:
        answer = await request(self, method, path, body)
        parts = path.partition("?")[0].removeprefix("/api/v1/").split("/")
        named = parts[0] in ("games", "tables", "puzzles") and parts[1:]
        pattern = "/".join([parts[0], "*", *parts[2:]] if named else parts)
        if answer.status < 400 and (method, pattern) not in ONLY_HERE:
            checked.add((method, pattern))
            kind = types[method, pattern]
            if kind is str:
                assert isinstance(answer.text, str)
            else:
                given = json.loads(msgspec.json.encode(answer.body))
                assert msgspec.to_builtins(msgspec.convert(given, kind)) == given, (method, pattern)
        return answer

    monkeypatch.setattr(LocalRoutes, "request", check)

    async def scenario(disk: Disk) -> None:
        tab = Tab(disk, settings=LocalSettings(analysis_seconds=2.0))
        tab.thinking_seconds = 0.01
        for path in ("/games", "/bots", "/session", "/tables"):
            await tab.done("GET", path)
        await tab.done("GET", "/puzzles")
        for game in ROTATION:
            puzzle = await tab.done("GET", f"/puzzles/{game}")
            move = {"move": puzzle["legal"][0]["move"]}
            for what in ("preview", "why", "try"):
                await tab.done("POST", f"/puzzles/{game}/{what}?date={puzzle['date']}", move)
        for game in wellies.list_games():
            await tab.done("GET", f"/games/{game}")
        await tab.done("POST", "/me", {"name": "Ann"})
        await tab.done("PATCH", "/me", {"name": "Ben"})
        await tab.done("GET", "/me")
        await tab.done("GET", "/session")
        body = {"game": "umbradeco", "seats": ME_AND_BOT, "options": {"mat": "small"}}
        table = f"/tables/{(await tab.done('POST', '/tables', body))['id']}"
        await tab.done("PATCH", table, {"clock": {"kind": "game", "seconds": 600}})
        await tab.done("POST", f"{table}/chairs/add")
        await tab.done("POST", f"{table}/join", {})
        await tab.done("POST", f"{table}/chairs/name", {"seat": 2, "name": "Cem"})
        await tab.done("POST", f"{table}/leave", {"seat": 2})
        await tab.done("POST", f"{table}/seats", {"seat": 2, "kind": "bot"})
        await tab.done("POST", f"{table}/chairs/remove", {"seat": 2})
        await tab.done("POST", f"{table}/start")
        await tab.done("POST", f"{table}/handover", {})
        await tab.done("POST", f"{table}/takeback", {})
        await tab.done("GET", f"{table}/replay?seat=0")
        await tab.done("GET", f"{table}/log")
        page = await tab.open(table.removeprefix("/tables/"), 0)
        await page.my_turn()
        await page.play(page.moves()[0])
        await page.ask("undo")
        await play_out(page, random.Random(1).choice)
        for path in ("", "/record", "/verify", "/replay?seat=1", "/log?seat=0", "/analysis"):
            await tab.done("GET", f"{table}{path}")
        record = await tab.done("GET", f"{table}/record")
        await tab.done("POST", "/verify", {"record": record})
        await tab.done("POST", "/import", {"record": record})
        await tab.done("POST", f"{table}/analysis")
        while (await tab.done("GET", f"{table}/analysis"))["state"] != "done":
            await asyncio.sleep(0.1)
        again = await tab.done("POST", f"{table}/rematch")
        await tab.done("POST", f"/tables/{again['id']}/resign", {})
        await tab.done("GET", "/tables")

    run(scenario)
    assert checked == set(types) - NOT_HERE


# --- messages ------------------------------------------------------------------------------------------------------


class ServerPage:
    """A connection to the server. It has what `Page` has, as far as it is used here."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.got: list[Any] = []
        self._requests = 0

    async def _next(self) -> Any:
        async with asyncio.timeout(LONGEST):
            message = json.loads(await self.socket.recv())
        self.got.append(message)
        return message

    async def ask(self, kind: str, **fields: Any) -> Any:
        self._requests += 1
        number = str(self._requests)
        await self.socket.send(json.dumps({"type": kind, "id": number, **fields}))
        while True:
            message = await self._next()
            if number in (message.get("ack"), message.get("id")):
                return message

    async def reach(self, version: int) -> None:
        while max((message.get("version", 0) for message in self.got), default=-1) < version:
            await self._next()


def plain(message: Any) -> Any:
    """A message without what must differ: times, ids and invitations."""
    if isinstance(message, dict):
        differing = (
            "person",
            "id",
            "ack",
            "invite",
            "now",
            "at",
            "created",
            "updated",
            "started",
            "finished",
            "left",
            "rematch",
        )
        return {key: plain(value) for key, value in message.items() if key not in differing}
    return [plain(each) for each in message] if isinstance(message, list) else message


def listed(got: list[Any]) -> list[Any]:
    """The messages in their order. Presence comes when it comes, and so do answers to `ping`."""
    return [plain(message) for message in got if message["type"] not in ("presence", "pong")]


def begun(game: str, seed: bytes, identity: str, table_id: str) -> Table:
    """A table of two people on one device, whose draws follow from this seed."""
    seats = [Seat("person", identity, "Ann"), Seat("person", identity, "Ben")]
    setup = replace(new_setup(game, {}, 2), seats=seats, host=identity, host_name="Ann")
    table = new_table(setup, seed=seed, table_id=table_id)
    table.start(identity, table.created)
    return table


@pytest.mark.parametrize("game", wellies.list_games())
def test_the_same_game_gives_the_same_messages(server: Running, game: str) -> None:
    """The same seed and the same requests: every message to both seats and to a spectator is the same."""

    async def scenario(disk: Disk) -> None:
        rng = random.Random(game)
        seed = rng.randbytes(16)
        tab = Tab(disk)
        async with Client(server.url) as client:
            me = (await client.guest("Ann"))["id"]
            here, there = LOCAL + new_id(), new_id()
            await tab.app.hub.create(begun(game, seed, DEVICE, here))
            created = server.hub.create(begun(game, seed, me, there))
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(created, server.loop))
            here_pages = [await tab.open(here, seat) for seat in (0, 1, None)]
            address = client.url.replace("http", "ws", 1) + f"/ws/v1/tables/{there}"
            cookie = {"Cookie": f"wellies={client.cookie}"}
            sockets = [
                await connect(f"{address}{query}", additional_headers=cookie, proxy=None, max_size=None)
                for query in ("?seat=0", "?seat=1", "")
            ]
            there_pages = [ServerPage(socket) for socket in sockets]
            for page in there_pages:
                await page.reach(0)
            moves = 0
            while not here_pages[0].over and moves < 60:
                [seat, *_] = here_pages[0].state["view"]["due"]
                mine, its = here_pages[seat], there_pages[seat]
                move = rng.choice(mine.moves())
                decision = mine.state["decision"]["id"]
                requests: list[tuple[str, dict[str, Any]]] = [
                    ("preview", {"move": move}),
                    ("why", {"move": move}),
                    ("why", {"move": "x"}),
                    ("play", {"move": "x", "decision": decision}),
                    ("play", {"move": move, "decision": decision}),
                    ("play", {"move": move, "decision": decision}),
                ]
                if moves % 5 == 4:
                    requests += [("undo", {}), ("ask_undo", {}), ("undo", {})]
                for kind, fields in requests:
                    answers = await asyncio.gather(mine.ask(kind, **fields), its.ask(kind, **fields))
                    assert plain(answers[0]) == plain(answers[1]), (kind, fields)
                version = mine.state["version"]
                for one, other in zip(here_pages, there_pages, strict=True):
                    await one.reach(version)
                    await other.reach(version)
                moves += 1
            assert moves > 15
            for one, other in zip(here_pages, there_pages, strict=True):
                await one.ask("ping")
                await other.ask("ping")
                assert listed(one.got) == listed(other.got)
            for socket in sockets:
                await socket.close()

    run_in_real_time(scenario)
