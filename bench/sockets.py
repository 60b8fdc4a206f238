"""A WebSocket client as thin as can be, so that a benchmark measures the server and not its own client."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

Hear = Callable[["ThinSocket", bytes], None]


class ThinSocket(asyncio.Protocol):
    """Sends and receives whole text messages; answers pings; knows no extensions and no fragments."""

    def __init__(self, request: bytes, hear: Hear) -> None:
        self._request = request
        self._hear = hear
        self._buffer = b""
        self._open = False
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("closed before it was open"))

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        if not self._open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                if self.opened.done():
                    return
                self.opened.set_exception(ConnectionError(head.split(b"\r\n", 1)[0].decode()))
                self.close()
                return
            self._open = True
            self._buffer = rest
            if not self.opened.done():
                self.opened.set_result(None)
        while self._take_frame():
            pass

    def _take_frame(self) -> bool:
        data = self._buffer
        if len(data) < 2:
            return False
        size, start = data[1] & 127, 2
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(data[2:10], "big"), 10
        if len(data) < start + size:
            return False
        kind = data[0] & 15
        body = data[start : start + size]
        self._buffer = data[start + size :]
        if kind == 1:
            self._hear(self, body)
        elif kind == 9:
            self._write(0x8A, body)
        elif kind == 8:
            self.close()
        return True

    def send(self, text: bytes) -> None:
        self._write(0x81, text)

    def _write(self, head: int, body: bytes) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        size = len(body)
        length = bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")
        # A mask of zeros is a mask: the protocol asks for one, and loopback needs no other.
        self._transport.write(bytes([head]) + length + b"\0\0\0\0" + body)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def open_socket(host: str, port: int, path: str, hear: Hear, cookie: str = "") -> ThinSocket:
    """Connect and wait until the socket is open."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
    ]
    if cookie:
        lines.append(f"Cookie: wellies={cookie}")
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    _, socket = await asyncio.get_running_loop().create_connection(lambda: ThinSocket(request, hear), host, port)
    await socket.opened
    return socket
