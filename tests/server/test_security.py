"""Nobody acts, sees or chats where they do not belong, and nonsense gets nothing but a clean refusal."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from server.serving import LONGEST, SOAK, Running, play, running, sqlite_file
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import wellies
from wellies.client import Client, Disconnected, ServerRefused, TableView
from wellies.core.dice import seed_hash
from wellies.server.identity import Identity, People


def refusal_of(error: pytest.ExceptionInfo[ServerRefused]) -> tuple[int, str]:
    return error.value.status, error.value.code


# --- files of the server --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["aquarium", "puppies"])
def test_nothing_that_is_posted_makes_the_server_open_a_file(server: Running, tmp_path: Path, game: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    there = tmp_path / "cards.json"
    there.write_text("{}")

    async def scenario() -> None:
        async with Client(server.url) as eve, Client(server.url) as nobody:
            await eve.guest("Eve")
            table = (await eve.create_table(game, ["me", "me"]))["id"]
            answers: set[str] = set()
            for path in (str(pipe), str(there), str(tmp_path / "nowhere.json"), "cards.json", "/dev/zero"):
                named = json.dumps({"cards": path})
                seed = f"Seed: {'00' * 32}\nSeed hash: {seed_hash(bytes(32))}"
                record = f"Game: {game}\nRules: 1\nSeats: 2\n{seed}\n"
                position = json.dumps({"game": game, "options": {"cards": path}, "seats": [{}, {}]})
                for header in (f"Options: {named}", f"Position: {position}"):
                    text = f"{record}{header}\n\n"
                    for where, body in (
                        ("/verify", {"record": text}),
                        ("/import", {"record": text}),
                        ("/tables", {"record": text, "seats": [{"kind": "me"}, {"kind": "me"}]}),
                    ):
                        answer = await eve.http.post(f"/api/v1{where}", json=body)
                        assert answer.status_code == (200 if where == "/verify" else 400), (where, answer.text)
                        answers.add(answer.json()["message"])
                        if where == "/verify":
                            told = await nobody.http.post("/api/v1/verify", json=body)
                            assert told.json() == answer.json(), "a cookie makes no difference"
                answer = await eve.http.patch(f"/api/v1/tables/{table}", json={"options": {"cards": path}})
                assert answer.status_code == 400, answer.text
                answers.add(answer.json()["message"])
                wish = {"game": game, "options": {"cards": path}, "seats": [{"kind": "me"}, {"kind": "me"}]}
                answer = await eve.http.post("/api/v1/tables", json=wish)
                assert answer.status_code == 400, answer.text
                answers.add(answer.json()["message"])
            # Whether a file is there or not makes no difference to what is answered.
            assert all("never names a file" in answer for answer in answers), answers

    play(scenario())


# --- seats, views and tables of others ------------------------------------------------------------------------------


def test_other_peoples_seats(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as eve, Client(server.url) as nobody:
            await ann.guest("Ann")
            await eve.guest("Eve")
            table = (await ann.create_table("guppies", ["me", "random"], start=True))["id"]
            for client in (eve, nobody):
                for seat in (0, 1, 7):
                    with pytest.raises(Disconnected) as gone:
                        async with client.table(table, seat=seat):
                            pass
                    assert gone.value.code == 4401
            with pytest.raises(Disconnected):
                async with ann.table(table, seat=1):
                    pass
            for what in ("handover", "takeback", "resign", "leave"):
                with pytest.raises(ServerRefused) as refused:
                    await eve.act(table, what, seat=0)
                assert refusal_of(refused) == (403, "not_seated")
                with pytest.raises(ServerRefused) as refused:
                    await nobody.act(table, what, seat=0)
                assert refused.value.status == 401
            with pytest.raises(ServerRefused) as refused:
                await eve.request("PATCH", f"/tables/{table}", {"private": True})
            assert refused.value.status == 403
            with pytest.raises(ServerRefused) as refused:
                await eve.request("GET", f"/tables/{table}/replay", seat=0)
            assert refused.value.status == 403
            with pytest.raises(ServerRefused) as refused:
                await eve.request("GET", f"/tables/{table}/log", seat=0)
            assert refused.value.status == 403
            with pytest.raises(ServerRefused) as refused:
                await eve.request("GET", f"/tables/{table}/record")
            assert refusal_of(refused) == (409, "not_finished")
            seen = await eve.get_table(table)
            assert seen["invite"] is None
            assert seen["seed"] is None
            assert not any(seat["mine"] for seat in seen["seats"])

    play(scenario())


def test_a_private_table_is_not_there_for_others(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as eve:
            await ann.guest("Ann")
            await eve.guest("Eve")
            made = await ann.create_table("guppies", ["me", "open"], private=True)
            table = made["id"]
            for path in ("", "/replay", "/log", "/record", "/verify"):
                with pytest.raises(ServerRefused) as refused:
                    await eve.request("GET", f"/tables/{table}{path}", invite="wrong")
                assert refused.value.status == 404
            with pytest.raises(Disconnected) as gone:
                async with eve.table(table, invite="wrong"):
                    pass
            assert gone.value.code == 4404
            listed = await eve.request("GET", "/tables")
            assert table not in [each["id"] for each in listed["tables"]]
            seen = await eve.get_table(table, made["invite"])
            assert seen["invite"] is None, "the secret is not passed on"

    play(scenario())


def _words(value: Any) -> str:
    return json.dumps(value)


@pytest.mark.parametrize("game", wellies.list_games())
def test_what_a_connection_hears_is_what_its_seat_may_know(server: Running, game: str) -> None:
    """Every message to every seat and to a watcher, against the engine's own redaction."""

    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as eve:
            await ann.guest("Ann")
            seats = wellies.game(game).min_seats
            table = (await ann.create_table(game, ["me"] * seats, start=True))["id"]
            views = [ann.table(table, seat=seat) for seat in range(seats)]
            watcher = eve.table(table)
            for view in (*views, watcher):
                await view.__aenter__()
            rng = random.Random(3)
            for _ in range(10):
                live = server.hub.tables[table].table
                if live.state == "finished":
                    break
                seat = rng.choice(live.waiting())
                await views[seat].until(lambda now, live=live: now.version == live.version)
                await views[seat].play(rng.choice(views[seat].legal)["move"])
            table_now = server.hub.tables[table].table
            match = table_now.match
            assert match is not None
            for view, who in [*zip(views, range(seats), strict=True), (watcher, None)]:
                await view.until(lambda now: now.version == table_now.version)
                assert _words(view.view) == _words(match.view_for(who))
                heard = [event for entry in view.entries for event in entry["events"]]
                assert _words(heard) == _words(match.events_for(who))
                if table_now.state == "playing":
                    told = [entry for entry in view.entries if entry["move"] is not None]
                    assert all(entry["seat"] == who for entry in told)
                if who is None:
                    assert view.legal == []
            for view in (*views, watcher):
                await view.__aexit__(None, None, None)

    play(scenario())


# --- cookies and origins ----------------------------------------------------------------------------------------------


def test_forged_and_stale_cookies(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            me = await ann.guest("Annabel")
            cookie = ann.cookie or ""
            people: People = server.guard.app.state.people
            identity = Identity(me["id"], "Annabel", False, 0)
            stale = people.cookie(identity, now=time.time() - 500 * 86_400)
            future = people.cookie(identity, now=time.time() + 500 * 86_400)
            ghost = people.cookie(Identity("f" * 24, "Ghost", False, 0))
            body, _, signature = cookie.rpartition(".")
            forged = [
                "",
                "x",
                "." * 50,
                "a" * 5000,
                body,
                f"{body}.{signature[:-1]}0" if signature[-1] != "0" else f"{body}.{signature[:-1]}1",
                f"{'0' * 24}.0.{int(time.time())}.{signature}",
                f"{body}.{signature}.extra",
                stale,
                future,
                ghost,
            ]
            for bad in forged:
                async with Client(server.url, cookie=bad) as client:
                    with pytest.raises(ServerRefused) as refused:
                        await client.request("GET", "/me")
                    assert refused.value.status == 401
            await ann.request("POST", "/me/password", {"password": "correct horse"})
            async with Client(server.url, cookie=cookie) as old:
                with pytest.raises(ServerRefused) as refused:
                    await old.request("GET", "/me")
                assert refused.value.status == 401, "a new password ends the old cookies"
            async with Client(server.url) as elsewhere:
                with pytest.raises(ServerRefused) as refused:
                    await elsewhere.log_in("Annabel", "wrong horse")
                assert refusal_of(refused) == (403, "wrong_password")
                with pytest.raises(ServerRefused):
                    await elsewhere.log_in("Nobody at all", "wrong horse")
                again = await elsewhere.log_in("ANNABEL", "correct horse")
                assert again["id"] == me["id"]
                assert again["account"]
                await elsewhere.request("POST", "/logout", {"everywhere": True})
                assert elsewhere.cookie is None
            with pytest.raises(ServerRefused) as refused:
                await ann.request("GET", "/me")
            assert refused.value.status == 401
            async with Client(server.url) as other:
                await other.guest("Ben")
                for wish in (
                    other.request("POST", "/me", {"name": "annabel"}),
                    other.request("PATCH", "/me", {"name": "ANNABEL"}),
                    other.request(
                        "POST", "/tables", {"game": "guppies", "seats": [{"kind": "me", "name": "Annabel"}] * 2}
                    ),
                ):
                    with pytest.raises(ServerRefused) as refused:
                        await wish
                    assert refusal_of(refused) == (409, "name_taken")

    play(scenario())


def test_logging_out_ends_the_cookie_of_this_device_and_no_other(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as here, Client(server.url) as there:
            await here.guest("Dora")
            await here.request("POST", "/me/password", {"password": "correct horse"})
            await there.log_in("Dora", "correct horse")
            first = here.cookie
            await here.request("GET", "/me")
            kept = [first, here.cookie]
            table = (await here.create_table("guppies", ["me", "me"], start=True))["id"]
            async with there.table(table, seat=1) as stays:
                raw = connect(
                    f"{server.url.replace('http', 'ws')}/ws/v1/tables/{table}",
                    proxy=None,
                    additional_headers={"Cookie": f"wellies={first}"},
                )
                async with raw as goes:
                    await goes.recv()
                    await here.request("POST", "/logout", {})
                    await asyncio.wait_for(goes.wait_closed(), LONGEST)
                for cookie in kept:
                    async with Client(server.url, cookie=cookie) as again:
                        with pytest.raises(ServerRefused) as refused:
                            await again.request("GET", "/me")
                        assert refused.value.status == 401
                assert (await there.request("GET", "/me"))["name"] == "Dora"
                await stays.ping()

    play(scenario())


def test_a_cookie_of_before_there_were_sessions_is_still_good(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            me = await ann.guest("Emma")
            people: People = server.guard.app.state.people
            body = f"{me['id']}.0.{int(time.time())}"
            async with Client(server.url, cookie=f"{body}.{people._sign(body)}") as old:
                answer = await old.http.get("/api/v1/session")
                assert answer.json()["me"]["name"] == "Emma"
                assert answer.headers["set-cookie"].split(";")[0].count(".") == 4

    play(scenario())


async def ping_for_a_second(seat: TableView) -> None:
    for _ in range(20):
        await seat.ping()
        await asyncio.sleep(0.05)


def test_logging_out_everywhere_ends_open_connections(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann who leaves")
            await ann.request("POST", "/me/password", {"password": "correct horse"})
            table = (await ann.create_table("guppies", ["me", "me"], start=True))["id"]
            async with Client(server.url) as elsewhere:
                await elsewhere.log_in("Ann who leaves", "correct horse")
                async with ann.table(table, seat=0) as seat:
                    await seat.play("a0@0,0")
                    await elsewhere.request("POST", "/logout", {"everywhere": True})
                    with pytest.raises((Disconnected, ServerRefused)):
                        await ping_for_a_second(seat)
                with pytest.raises(Disconnected) as gone:
                    async with ann.table(table, seat=0):
                        pass
                assert gone.value.code == 4401

    play(scenario())


def test_the_cookie_is_kept_from_scripts_and_other_sites(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            answer = await client.http.post("/api/v1/me", json={"name": "Ann"})
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=lax" in cookie
            for name, part in {
                "content-security-policy": "frame-ancestors 'none'",
                "x-content-type-options": "nosniff",
                "referrer-policy": "same-origin",
            }.items():
                for path in ("/", "/api/v1/games", "/api/v1/nothing", "/health"):
                    assert part in (await client.http.get(path)).headers[name], path
            assert (await client.http.get("/t/some-table")).text == (await client.http.get("/")).text

    play(scenario())


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_foreign_origins(server: Running, headers: dict[str, str]) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            await client.guest("Ann")
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            for path in ("/api/v1/me", f"/api/v1/tables/{table}/resign", "/api/v1/logout"):
                answer = await client.http.post(path, json={"name": "Eve"}, headers=headers)
                assert answer.status_code == 403
                assert answer.json()["code"] == "foreign_origin"
            with pytest.raises(InvalidStatus) as refused:
                async with connect(
                    f"{server.url.replace('http', 'ws')}/ws/v1/tables/{table}?seat=0",
                    additional_headers={"Cookie": f"wellies={client.cookie}", **headers},
                    proxy=None,
                ):
                    pass
            assert refused.value.response.status_code == 403
            own = {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
            assert (await client.http.patch("/api/v1/me", json={"name": "Anna"}, headers=own)).status_code == 200

    play(scenario())


def test_options_cannot_name_files(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            await client.guest("Eve")
            for game in wellies.list_games():
                spec = wellies.game(game)
                for option in spec.options:
                    for value in ("/etc/passwd", "../../etc/passwd", "pyproject.toml", "C:\\x", "~/x", "README"):
                        with pytest.raises(ServerRefused) as refused:
                            await client.create_table(game, ["me"] * spec.min_seats, options={option.name: value})
                        assert refused.value.status == 400
                        assert "root:" not in str(refused.value)

    play(scenario())


# --- nonsense ---------------------------------------------------------------------------------------------------------


def test_replayed_and_foreign_decisions_change_nothing(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            async with client.table(table, seat=0) as one, client.table(table, seat=1) as two:
                decision = one.decision
                assert decision is not None
                message = json.dumps({"type": "play", "id": "x", "move": "a0@0,0", "decision": decision["id"]})
                for _ in range(5):
                    await one.send_raw(message)
                await two.until(lambda now: now.decision is not None)
                await one.ping()
                assert len([entry for entry in one.entries if entry["kind"] == "move" and entry["seat"] == 0]) == 1
                with pytest.raises(ServerRefused) as refused:
                    await two.play(two.legal[0]["move"], decision["id"])
                assert refused.value.code == "stale"

    play(scenario())


def _nonsense(rng: random.Random) -> str | bytes:
    """Something that a client should not say."""
    good: dict[str, Any] = {
        "type": rng.choice(
            ["play", "preview", "why", "undo", "ask_undo", "answer_undo", "hint", "chat", "ping", "hello", "x", ""]
        ),
        "id": rng.choice(["1", "", "x" * 100, None, 7]),
        "move": rng.choice(["a0@0,0", "draw 1", "\x00", "🦆" * 50, "", "x" * 300, None, ["a"], "{0}"]),
        "decision": rng.choice(["0.1", None, "", 5, "9" * 70]),
        "text": rng.choice(["hello", "", " ", "\u202e", "<b>", "x" * 600, None]),
    }
    keys = rng.sample(sorted(good), rng.randrange(6))
    text = json.dumps({key: good[key] for key in keys})
    kind = rng.randrange(6)
    if kind == 0:
        place = rng.randrange(len(text))
        return text[:place] + rng.choice(['"', "}", "\\", "\x00", "[" * 50, ""]) + text[place + 1 :]
    if kind == 1:
        return rng.randbytes(rng.randrange(60))
    if kind == 2:
        return rng.choice(["", "null", "[]", "[" * 2000, "1e999", '"play"', "{}", "x" * 5000, "{" * 3000, "NaN"])
    return text


def test_a_fuzzer_on_the_socket_gets_only_clean_errors(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            await client.guest("Eve")
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            version = server.hub.tables[table].table.version
            rng = random.Random(7)
            closed = 0
            for _ in range(30 + 10 * SOAK):
                query = rng.choice(["", "?seat=0", "?seat=1&since=999999", "?since=-1", "?legal=text&seat=0"])
                address = f"{server.url.replace('http', 'ws')}/ws/v1/tables/{table}{query}"
                headers = {"Cookie": f"wellies={client.cookie}"}
                try:
                    async with connect(address, additional_headers=headers, proxy=None) as socket:
                        for _ in range(40):
                            await socket.send(_nonsense(rng))
                        await socket.send('{"type": "ping", "id": "end"}')
                        async for raw in socket:
                            message = json.loads(raw)
                            assert message.get("code") != "internal", message
                            if message.get("id") == "end":
                                break
                except ConnectionClosed as gone:
                    assert gone.rcvd is not None
                    assert gone.rcvd.code in (4400, 4408), gone.rcvd
                    closed += 1
            assert closed, "much nonsense ends a connection"
            entries = server.hub.tables[table].table.log[version:]
            assert all(entry.kind == "move" for entry in entries), "only legal moves among the nonsense are played"
            async with client.table(table, seat=0) as seat:
                await seat.ping()

    play(scenario())


def test_oversized_bodies_and_messages(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            await client.guest("Eve")
            answer = await client.http.post("/api/v1/verify", content=b'{"record": "' + b"x" * 600_000 + b'"}')
            assert answer.status_code == 413
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            async with client.table(table, seat=0) as seat:
                await seat.send_raw(json.dumps({"type": "chat", "id": "1", "text": "x" * 10_000}))
                await seat.ping()
                await seat.send_raw("x" * 200_000)
                await seat.until(lambda now: now.gone is not None)
            async with client.table(table, seat=0) as seat:
                await seat.ping()

    play(scenario())


async def many_guests(url: str) -> None:
    for number in range(5):
        async with Client(url) as client:
            await client.guest(f"Guest {number}")


async def many_pings(view: TableView) -> None:
    await asyncio.gather(*(view.ping() for _ in range(14)))


def test_limits_on_requests_messages_guests_and_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine so much time passes between two requests that nobody would ask too fast.
    monkeypatch.setattr("wellies.server.limits.monotonic", lambda: 1_000.0)
    limits: dict[str, Any] = {
        "requests_per_second": 5,
        "requests_burst": 30,
        "messages_per_second": 0.01,
        "messages_burst": 10,
        "guests_per_minute": 3,
        "logins_per_minute": 2,
        "sockets_each": 2,
    }
    with sqlite_file() as database, running(database, **limits) as server:

        async def scenario() -> None:
            async with Client(server.url) as client, Client(server.url) as other:
                await client.guest("Ann")
                await other.guest("Bob")
                with pytest.raises(ServerRefused) as refused:
                    await many_guests(server.url)
                assert refusal_of(refused) == (429, "too_fast")
                for _ in range(2):
                    with pytest.raises(ServerRefused) as refused:
                        await other.log_in("Ann", "guessing")
                    assert refused.value.status == 403
                with pytest.raises(ServerRefused) as refused:
                    await other.log_in("Ann", "guessing")
                assert refused.value.status == 429
                again = await other.http.post("/api/v1/login", json={"name": "Ann", "password": "guessing"})
                assert (again.status_code, again.headers["retry-after"]) == (429, "60")
                table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
                async with client.table(table, seat=0) as one, client.table(table, seat=1):
                    with pytest.raises(Disconnected) as gone:
                        async with client.table(table):
                            pass
                    assert gone.value.code == 4429
                    with pytest.raises(ServerRefused) as refused:
                        await many_pings(one)
                    assert refused.value.code == "too_fast"
                answers = [(await client.http.get("/api/v1/games")).status_code for _ in range(40)]
                assert 429 in answers
                assert (await other.http.get("/api/v1/games")).status_code == 200, "others are not held up"

        play(scenario())


def test_a_slow_client_hurts_nobody() -> None:
    """One watcher reads nothing; the players do not notice, and it hears of everything when it reads again."""
    with sqlite_file() as database, running(database) as server:

        async def scenario() -> None:
            async with Client(server.url) as client:
                table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
                address = f"{server.url.replace('http', 'ws')}/ws/v1/tables/{table}"
                async with (
                    connect(address, proxy=None, max_queue=1, max_size=None, compression=None) as lazy,
                    client.table(table, seat=0, legal="text") as one,
                    client.table(table, seat=1, legal="text") as two,
                ):
                    await lazy.recv()
                    for number in range(100):
                        mover = (one, two)[number % 2]
                        await mover.until(lambda now: now.decision is not None)
                        await mover.play(mover.legal[0])  # would never be acknowledged if it waited for the watcher
                    version, heard = 0, 0
                    async with asyncio.timeout(LONGEST):
                        while version < one.version:
                            message = json.loads(await lazy.recv())
                            version = message.get("version", version)
                            heard += len(message.get("entries", []))
                    assert heard >= 200, "nothing was left out"

        play(scenario())


# --- the whole HTTP interface -----------------------------------------------------------------------------------------


def test_schemathesis_finds_only_clean_refusals(server: Running) -> None:
    async def prepare() -> tuple[str, str]:
        async with Client(server.url) as client:
            await client.guest("Ann")
            table = await client.create_table("guppies", ["me", "me"], options={"tiles": 64}, start=True)
            return client.cookie or "", str(table["id"])

    schema = schemathesis.openapi.from_url(f"{server.url}/api/v1/schema/openapi.json")
    checks = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
    wrong = []
    found: Any
    for found in schema.get_all_operations():
        operation = found.ok()
        cookie, table = asyncio.run(prepare())
        try:
            for mode in GenerationMode:
                _try(operation, mode, server.url, cookie, table, checks)
        except Unsatisfiable:
            continue  # where nothing is asked for, nothing can be asked wrongly
        except Exception as error:
            wrong.append(f"{operation.label}: {error}")
    assert not wrong, "\n\n".join(wrong)


def _try(operation: Any, mode: GenerationMode, url: str, cookie: str, table: str, checks: list[Any]) -> None:
    @settings(
        max_examples=2 + 7 * SOAK,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def attempt(case: Any) -> None:
        if "table_id" in (case.path_parameters or {}) and len(str(case.path_parameters["table_id"])) % 2:
            case.path_parameters["table_id"] = table
        case.call_and_validate(checks=checks, cookies={"wellies": cookie}, base_url=url)

    attempt()
