"""The headers that every answer carries, so that a browser does nothing with it that we do not mean."""

from __future__ import annotations

from typing import Final

# 'wasm-unsafe-eval' allows WebAssembly, for games on the device, and nothing else: not `eval`.
ANSWER: Final = (
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; manifest-src 'self'; "
        b"style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
        b"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
REQUESTS_RETRY: Final = 1
LIMITS_RETRY: Final = 60
TROUBLE_RETRY: Final = 2
"""Seconds after which it is worth asking again (`Retry-After`): requests are counted by the second, guests and log-ins
by the minute, and a database is soon back."""
STAY_WITH_TLS: Final = (b"strict-transport-security", b"max-age=31536000")
"""For answers over TLS only: a browser that has seen the page over TLS asks for it in no other way for a year."""
KEEP_NOTHING: Final = (b"cache-control", b"no-store")
"""For answers that say nothing else: what the server tells one person is stored nowhere on the way."""


def answer_headers(given: list[tuple[bytes, bytes]], scheme: str) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those that every answer has."""
    names = {name.lower() for name, _ in given}
    more = [KEEP_NOTHING] if b"cache-control" not in names else []
    if scheme in ("https", "wss"):
        more.append(STAY_WITH_TLS)
    return [*given, *ANSWER, *more]


def plain_answer(status: int, reason: str, body: bytes, scheme: str) -> bytes:
    """A whole answer in JSON as it goes over the wire, after which the connection is closed."""
    given = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    lines = [f"HTTP/1.1 {status} {reason}".encode()]
    lines += [b"%s: %s" % header for header in answer_headers(given, scheme)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
