"""What every request and every socket passes first: foreign pages are turned away, nobody asks too much, every
answer carries the headers that keep a browser safe. It stands around the whole application, so nothing slips by."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, cast
from urllib.parse import urlsplit

from litestar import Litestar
from litestar.types import Message, Receive, Scope, Send

from wellies.server.headers import REQUESTS_RETRY, answer_headers
from wellies.server.identity import COOKIE, People
from wellies.server.limits import Limits, counted_address
from wellies.server.messages import encode
from wellies.server.metrics import Metrics
from wellies.server.settings import Settings

SAFE: Final = ("GET", "HEAD", "OPTIONS")
RAW_SEND: Final = "wellies.send"
"""Where a socket's scope keeps the way to the protocol itself."""


class Guard:
    """The outermost layer."""

    def __init__(self, app: Litestar, settings: Settings) -> None:
        self.app = app
        self._origins = {_place(origin) for origin in settings.origins.split(",") if origin.strip()}
        self.people: People
        self._metrics: Metrics
        self._limits: Limits

    def open(self, people: People, metrics: Metrics, limits: Limits) -> None:
        """The application starts: from now on requests are taken."""
        self.people = people
        self._metrics = metrics
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = str(scope["type"])
        if kind not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        if kind == "websocket":
            await self._socket(scope, receive, send, headers)
            return
        scheme = str(scope["scheme"])

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.request(message["status"])
                message["headers"] = answer_headers(list(message.get("headers", [])), scheme)
            await send(message)

        method = str(scope.get("method", "GET"))
        if method not in SAFE and self._is_foreign(headers):
            await _refuse(guarded, 403, "foreign_origin", "This request comes from another site's page.")
        elif not await self._limits.allows("requests", self._asker(scope, headers)):
            self._metrics.rate_limited += 1
            await _refuse(guarded, 429, "too_fast", "You are asking too fast; wait a moment.")
        elif method == "HEAD":
            # As GET; the server leaves the body out.
            await self.app(cast("Scope", {**scope, "method": "GET"}), receive, guarded)
        else:
            await self.app(scope, receive, guarded)

    async def _socket(self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        opened = False

        async def guarded(message: Message) -> None:
            """A socket that does not open is answered as any other request is."""
            nonlocal opened
            if message["type"] == "websocket.close" and not opened:
                await _refuse_socket(send, scope, 404, "not_found", "There is no socket at this address.")
                return
            opened = True
            await send(message)

        if self._is_foreign(headers):
            await _refuse_socket(send, scope, 403, "foreign_origin", "This request comes from another site's page.")
            return
        # A table's updates are most of what the server does: they are handed to the protocol without a detour.
        cast("dict[str, Any]", scope)[RAW_SEND] = send
        await self.app(scope, receive, guarded)

    def _is_foreign(self, headers: dict[str, str]) -> bool:
        """Whether a page of another site is behind this. Programs send neither header, and no cookie by accident."""
        origin = headers.get("origin")
        if origin is not None:
            place = _place(origin)
            return not place or (place != headers.get("host", "").lower() and place not in self._origins)
        site = headers.get("sec-fetch-site")
        return site is not None and site not in ("same-origin", "none")

    def _asker(self, scope: Any, headers: dict[str, str]) -> str:
        """The person of a genuine cookie, else the address."""
        client = scope.get("client")
        where = counted_address(client[0]) if client else "local"
        cookie = headers.get("cookie")
        if cookie is None:
            return where
        try:
            morsel = SimpleCookie(cookie).get(COOKIE)
        except CookieError:
            return where
        read = self.people.read_cookie(morsel.value) if morsel is not None else None
        return read[0] if read is not None else where


def _place(origin: str) -> str:
    try:
        return urlsplit(origin.strip()).netloc.lower()
    except ValueError:
        return ""


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


async def _refuse(send: Any, status: int, code: str, message: str) -> None:
    body = encode({"code": code, "message": message})
    wait = [(b"retry-after", str(REQUESTS_RETRY).encode())] if status == 429 else []
    await send({"type": "http.response.start", "status": status, "headers": [*_json_headers(body), *wait]})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse_socket(send: Any, scope: Scope, status: int, code: str, message: str) -> None:
    body = encode({"code": code, "message": message})
    headers = answer_headers(_json_headers(body), str(scope["scheme"]))
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body, "more_body": False})


def _json_headers(body: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
