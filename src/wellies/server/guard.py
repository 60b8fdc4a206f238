"""What every request and every socket passes first: foreign pages are turned away, nobody asks too much, every
answer carries the headers that keep a browser safe. It stands around the whole application, so nothing slips by."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, cast
from urllib.parse import urlsplit

from litestar import Litestar
from litestar.types import Message, Receive, Scope, Send

from wellies.server.identity import COOKIE, People
from wellies.server.limits import Limit
from wellies.server.messages import encode
from wellies.server.metrics import Metrics
from wellies.server.settings import Settings

SAFE: Final = ("GET", "HEAD", "OPTIONS")
HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        b"img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


RAW_SEND: Final = "wellies.send"
"""Where a socket's scope keeps the way to the protocol itself."""


class Guard:
    """The outermost layer."""

    def __init__(self, app: Litestar, settings: Settings, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics
        self._origins = {_place(origin) for origin in settings.origins.split(",") if origin.strip()}
        self._requests = Limit(settings.requests_per_second, settings.requests_burst)
        self.people: People | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = str(scope["type"])
        if kind not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        if kind == "websocket":
            if self._is_foreign(headers):
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": "foreign origin"})
                return
            # A table's updates are most of what the server does: they are handed to the protocol without a detour.
            cast("dict[str, Any]", scope)[RAW_SEND] = send
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.request(message["status"])
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        method = str(scope.get("method", "GET"))
        if method not in SAFE and self._is_foreign(headers):
            await _refuse(guarded, 403, "foreign_origin", "This request comes from another site's page.")
        elif not self._requests.allows(self._asker(scope, headers)):
            self._metrics.rate_limited += 1
            await _refuse(guarded, 429, "too_fast", "You are asking too fast; wait a moment.")
        elif method == "HEAD":
            # As GET; the server leaves the body out.
            await self.app(cast("Scope", {**scope, "method": "GET"}), receive, guarded)
        else:
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
        where = client[0] if client else "local"
        cookie = headers.get("cookie")
        if cookie is None or self.people is None:
            return str(where)
        try:
            morsel = SimpleCookie(cookie).get(COOKIE)
        except CookieError:
            return str(where)
        read = self.people.read_cookie(morsel.value) if morsel is not None else None
        return read[0] if read is not None else str(where)


def _place(origin: str) -> str:
    try:
        return urlsplit(origin.strip()).netloc.lower()
    except ValueError:
        return ""


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


async def _refuse(send: Any, status: int, code: str, message: str) -> None:
    body = encode({"code": code, "message": message})
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())],
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})
