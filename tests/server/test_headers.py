"""Every answer of every kind tells the browser what it may do with it, and sockets that flood are cut."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server.fuzz.answers import Answer, answers_in
from server.fuzz.socket_grammar import CONTINUED, PING, TEXT, frame, opening
from server.serving import LONGEST, Running, play, running, sqlite_file, until

from wellies.client import Client
from wellies.server.logs import QUIET, without_queries
from wellies.server.socket_wire import MOST_FRAGMENTS

EXPECTED = {
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=()",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    page = tmp_path_factory.mktemp("page")
    (page / "assets").mkdir()
    (page / "index.html").write_text("<!doctype html><title>Wellies</title>", encoding="utf-8")
    (page / "assets" / "app-1a2b3c.js").write_text("export {}", encoding="utf-8")
    (page / "icon.svg").write_text("<svg/>", encoding="utf-8")
    wish: dict[str, Any] = {"page": str(page), "header_seconds": LONGEST, "trusted_proxies": "127.0.0.1"}
    wish["body_seconds"] = LONGEST
    with sqlite_file() as database, running(database, **wish) as server:
        yield server


async def raw_answer(server: Running, data: bytes) -> Answer:
    """The first answer to these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
    heard = b""
    try:
        writer.write(data)
        async with asyncio.timeout(LONGEST):
            while not any(answer.whole for answer, _ in answers_in(heard)):
                more = await reader.read(65_536)
                heard += more
                if not more:
                    break
    finally:
        writer.transport.abort()
    return next(answer for answer, _ in answers_in(heard))


def request(line: str, *headers: str, body: str = "") -> bytes:
    length = [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([f"{line} HTTP/1.1", "Host: x", *headers, *length, "", body]).encode()


SOCKET = [
    (b"Host", b"x"),
    (b"Upgrade", b"websocket"),
    (b"Connection", b"Upgrade"),
    (b"Sec-WebSocket-Version", b"13"),
    (b"Sec-WebSocket-Key", b"AAAAAAAAAAAAAAAAAAAAAA=="),
]
KINDS: dict[str, tuple[int, str, bytes]] = {
    "page": (200, "no-cache", request("GET /")),
    "address of the page": (200, "no-cache", request("GET /t/abc")),
    "asset": (200, "public, max-age=31536000, immutable", request("GET /assets/app-1a2b3c.js")),
    "file of the page": (200, "no-cache", request("GET /icon.svg")),
    "no such asset": (404, "no-store", request("GET /assets/nothing.js")),
    "api": (200, "no-store", request("GET /api/v1/games")),
    "session": (200, "no-store", request("GET /api/v1/session")),
    "list of tables": (200, "no-store", request("GET /api/v1/tables")),
    "schema": (200, "no-store", request("GET /api/v1/schema/openapi.json")),
    "no such table": (404, "no-store", request("GET /api/v1/tables/abc")),
    "without a cookie": (401, "no-store", request("GET /api/v1/me")),
    "nothing there": (404, "no-store", request("GET /api/v1/nothing")),
    "wrong method": (405, "no-store", request("DELETE /api/v1/me")),
    "options": (204, "no-store", request("OPTIONS /api/v1/me")),
    "head": (200, "no-store", request("HEAD /api/v1/games", "Connection: close")),
    "wrong body": (400, "no-store", request("POST /api/v1/me", "Content-Type: application/json", body="{")),
    "body too big": (413, "no-store", request("POST /api/v1/verify", body="x" * 600_000)),
    "headers too big": (431, "no-store", request("GET /", "X: " + "x" * 20_000)),
    "not http": (400, "no-store", b"nonsense\r\n\r\n"),
    "foreign page": (403, "no-store", request("POST /api/v1/me", "Origin: https://evil.example", body="{}")),
    "health": (200, "no-store", request("GET /health")),
    "ready": (200, "no-store", request("GET /ready")),
    "metrics": (200, "no-store", request("GET /metrics")),
    "socket of a foreign page": (
        403,
        "no-store",
        opening(b"/ws/v1/tables/abc", [*SOCKET, (b"Origin", b"https://evil.example")]),
    ),
    "socket at a wrong address": (404, "no-store", opening(b"/ws/v1/nothing", SOCKET)),
    "socket without a key": (400, "no-store", opening(b"/ws/v1/tables/abc", SOCKET[:-1])),
    "socket of another version": (
        400,
        "no-store",
        opening(b"/ws/v1/tables/abc", [*SOCKET[:3], (b"Sec-WebSocket-Version", b"8"), SOCKET[4]]),
    ),
    "socket with a body": (
        400,
        "no-store",
        opening(b"/ws/v1/tables/abc", [*SOCKET, (b"Content-Length", b"2")]) + b"{}",
    ),
    "socket with many headers": (400, "no-store", opening(b"/ws/v1/tables/abc", [*SOCKET, *[(b"X", b"1")] * 200])),
    "socket at an address that is not ASCII": (400, "no-store", opening(b"/ws/v1/tables/\xff", SOCKET)),
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_answer_has_the_headers_that_protect_its_reader(server: Running, kind: str) -> None:
    check_kind(server, *KINDS[kind])


def test_scripts_come_from_our_own_files_and_webassembly_is_all_that_they_may_make(server: Running) -> None:
    answer = asyncio.run(raw_answer(server, request("GET /")))
    parts = (part.split() for part in answer.headers["content-security-policy"].split(";"))
    policy = {name: sources for name, *sources in parts}
    assert policy["default-src"] == ["'self'"]
    assert policy["script-src"] == ["'self'", "'wasm-unsafe-eval'"], "no eval, nothing inline, nothing from elsewhere"
    assert policy["worker-src"] == policy["connect-src"] == policy["manifest-src"] == ["'self'"]
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == ["'none'"]


def test_so_has_the_answer_to_a_request_that_does_not_arrive() -> None:
    with sqlite_file() as database, running(database, header_seconds=0.2) as server:
        check_kind(server, 408, "no-store", b"GET / HTTP/1.1\r\n")


def check_kind(server: Running, status: int, caching: str, data: bytes) -> None:
    answer = asyncio.run(raw_answer(server, data))
    assert answer.status == status, answer.body
    for name, part in EXPECTED.items():
        assert part in answer.headers.get(name, ""), name
    assert answer.headers["cache-control"] == caching
    assert "strict-transport-security" not in answer.headers, "this is not TLS"
    assert "server" not in answer.headers
    if status >= 400:
        assert answer.headers["content-type"].startswith("application/json")
        assert b'"code"' in answer.body


def test_behind_a_proxy_with_tls_browsers_are_told_to_stay_with_it(server: Running) -> None:
    async def scenario() -> None:
        over_tls = "X-Forwarded-Proto: https"
        answer = await raw_answer(server, request("GET /", over_tls))
        assert "max-age=" in answer.headers["strict-transport-security"]
        made = await raw_answer(server, request("POST /api/v1/me", over_tls, body='{"name": "Ann"}'))
        cookie = made.headers["set-cookie"].lower()
        assert {"httponly", "secure", "samesite=lax", "path=/"} <= {part.strip() for part in cookie.split(";")}
        assert "domain=" not in cookie
        gone = await raw_answer(server, request("POST /api/v1/logout", over_tls, body="{}"))
        assert "secure" in gone.headers["set-cookie"].lower()
        refused = await raw_answer(server, opening(b"/ws/v1/nothing", [*SOCKET, (b"X-Forwarded-Proto", b"https")]))
        assert "max-age=" in refused.headers["strict-transport-security"]

    play(scenario())


def test_only_a_trusted_proxy_says_what_came_over_tls_and_from_where() -> None:
    with sqlite_file() as database, running(database, guests_per_minute=2, trusted_proxies="192.0.2.1") as server:

        async def scenario() -> None:
            answer = await raw_answer(server, request("GET /", "X-Forwarded-Proto: https"))
            assert "strict-transport-security" not in answer.headers
            answers = [
                await raw_answer(
                    server, request("POST /api/v1/me", f"X-Forwarded-For: 198.51.100.{number}", body='{"name": "Ann"}')
                )
                for number in range(4)
            ]
            assert [answer.status for answer in answers].count(429) >= 1, "a forged address does not evade a limit"
            assert all("secure" not in answer.headers.get("set-cookie", "").lower() for answer in answers)

        play(scenario())


def test_the_page_needs_styles_in_attributes_and_scripts_from_files_only() -> None:
    """Why the policy allows `style-src-attr 'unsafe-inline'`, and nothing else inline: if the page stops needing it,
    take it out."""
    web = Path(__file__).parents[2] / "web"
    sources = "".join(path.read_text(encoding="utf-8") for path in (web / "src").rglob("*.svelte"))
    assert "style={" in sources
    assert "{@html" not in sources
    index = (web / "index.html").read_text(encoding="utf-8")
    assert "<style" not in index
    assert "<script>" not in index


# --- sockets that flood ---------------------------------------------------------------------------------------------


async def open_socket(server: Running, client: Client, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
    headers = [*SOCKET, (b"Cookie", f"wellies={client.cookie}".encode())]
    writer.write(opening(f"/ws/v1/tables/{table}".encode(), headers))
    assert b"101" in await reader.readuntil(b"\r\n")
    return reader, writer


def test_a_log_of_everything_tells_no_secret(server: Running, caplog: pytest.LogCaptureFixture) -> None:
    for name in QUIET:
        caplog.set_level(logging.WARNING, name)
    caplog.set_level(logging.DEBUG)
    caplog.handler.addFilter(without_queries)

    async def scenario() -> None:
        async with Client(server.url) as client:
            me = await client.guest("Quinn")
            made = await client.create_table("guppies", ["me", "me"], private=True, start=True)
            async with client.table(made["id"], seat=0, invite=made["invite"]) as seat:
                await seat.play(seat.legal[0]["move"])
            seed = server.hub.tables[made["id"]].table.seed.hex()
            secrets = [client.cookie or "", me["id"], made["invite"], seed]
            text = "\n".join(record.getMessage() for record in caplog.records)
            assert "/ws/v1/tables/" in text, "the opening of the socket is logged"
            assert [secret for secret in secrets if secret in text] == []

    play(scenario())


def test_a_message_in_endless_pieces_is_not_kept(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            reader, writer = await open_socket(server, client, table)
            writer.write(frame(TEXT, b"", fin=False) + frame(CONTINUED, b"", fin=False) * (MOST_FRAGMENTS + 1))
            heard = b""
            while more := await reader.read(65_536):
                heard += more
            assert (1009).to_bytes(2, "big") + b"a message comes in" in heard
            # A message in a few pieces is a message.
            reader, writer = await open_socket(server, client, table)
            writer.write(frame(TEXT, b'{"type":"pi', fin=False) + frame(CONTINUED, b'ng","id":"in pieces"}'))
            await reader.readuntil(b'"id":"in pieces"')
            writer.transport.abort()

    play(scenario())


def test_who_pings_without_reading_is_cut_off(server: Running) -> None:
    """Each ping is answered, and the answers would fill the memory."""

    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            live = server.hub.tables[table]
            _, writer = await open_socket(server, client, table)
            await until(lambda: live.viewers)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            flood = frame(PING, b"x" * 125) * 1000
            with contextlib.suppress(ConnectionError):
                async with asyncio.timeout(LONGEST):
                    while live.viewers:
                        writer.write(flood)
                        await writer.drain()
                        await asyncio.sleep(0)
            await until(lambda: not live.viewers)
            writer.transport.abort()

    play(scenario())


def test_text_that_is_not_utf_8_closes_the_socket_and_is_no_error_of_the_server(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            reader, writer = await open_socket(server, client, table)
            writer.write(frame(TEXT, b"\xff\xfe"))
            heard = b""
            while more := await reader.read(65_536):
                heard += more
            assert (1007).to_bytes(2, "big") in heard

    play(scenario())
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]
