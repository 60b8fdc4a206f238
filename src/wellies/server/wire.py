"""HTTP as it comes over the wire: uvicorn's own protocol, with limits on the size and the time of headers and bodies.

uvicorn takes headers of any size for any time. A parser that gets one header in many pieces works with the square of
its size, and a connection on which next to nothing is said costs a file all the same.
"""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from wellies.server.settings import Settings


class LimitedConfig(uvicorn.Config):
    """How uvicorn is to run us, with these limits. It is handed to worker processes as it is."""

    def __init__(self, app: Any, settings: Settings, **more: Any) -> None:
        super().__init__(app, http=LimitedHttp, **more)
        self.head_bytes = settings.header_bytes
        self.head_seconds = settings.header_seconds
        self.body_seconds = settings.body_seconds


class HeadTooBig(Exception):
    """The first line and the headers are more than is taken."""


class LimitedHttp(HttpToolsProtocol):
    """One connection."""

    def __init__(self, config: LimitedConfig, *args: Any, **kwargs: Any) -> None:
        super().__init__(config, *args, **kwargs)
        self.head_bytes = config.head_bytes
        self.head_seconds = config.head_seconds
        self.body_seconds = config.body_seconds
        self._reads_head = True
        self._head = 0
        """Bytes of this request's first line and headers, as far as they are read."""
        self._pieces = 0
        """Bytes that have arrived since the head began."""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._allow(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._timer is None:
            # The next request on this connection.
            self._begin_head()
            self._allow(self.head_seconds)
        if self._reads_head:
            self._pieces += len(data)
        super().data_received(data)
        if self._reads_head and self._pieces > self.head_bytes and not self.transport.is_closing():
            self._refuse_head()

    def _begin_head(self) -> None:
        self._reads_head = True
        self._head = self._pieces = 0

    def on_message_begin(self) -> None:
        if not self._reads_head:
            # It came in one piece with the request before it.
            self._begin_head()
            self._pieces = 1
            self._allow(self.head_seconds)
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value) + 4)
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > self.head_bytes:
            raise HeadTooBig

    def on_headers_complete(self) -> None:
        self._reads_head = False
        self._allow(self.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self._head > self.head_bytes:
            self._refuse_head()
        else:
            super().send_400_response(msg)

    def _refuse_head(self) -> None:
        self._close(431, "Request Header Fields Too Large", "too_big", f"Headers have {self.head_bytes} bytes at most.")

    def _allow(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._too_late)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_late(self) -> None:
        answered = self.cycle is not None and self.cycle.response_started and not self._reads_head
        if answered or (self._reads_head and not self._pieces):
            self.transport.close()
        else:
            self._close(408, "Request Timeout", "too_slow", "The request took too long to arrive; send it again.")

    def _close(self, status: int, reason: str, code: str, message: str) -> None:
        body = f'{{"code":"{code}","message":"{message}"}}'.encode()
        head = f"HTTP/1.1 {status} {reason}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()
