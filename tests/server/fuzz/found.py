"""Inputs that a server did not stand once. Each is sent again in every run."""

from __future__ import annotations

from server.fuzz.inputs import Input

FOUND: list[Input] = [
    # 404 as a page of Litestar's own.
    Input("http", (b"GET /api/v1/schema/1 HTTP/1.1\r\nHost: fuzz\r\nConnection: close\r\n\r\n",)),
    # An opening with a body left the connection open for as long as the client liked.
    Input(
        "socket",
        (
            b"GET /ws/v1/tables/x HTTP/1.1\r\nHost: fuzz\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            b"Content-Length: 5\r\n\r\nhello",
        ),
    ),
    # Answers to requests before one that is not HTTP were written to a closed connection: a traceback in the log.
    Input(
        "http",
        (
            b"GET /api/v1/tables HTTP/1.1\r\nHost: fuzz\r\n\r\nGET /api/v1/tables HTTP/1.1\r\nHost: fuzz\r\n\r\n"
            b"nonsense\r\n\r\n",
        ),
    ),
]
