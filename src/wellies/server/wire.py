"""HTTP as it comes over the wire: uvicorn's own protocol, with limits on the size and the time of headers and bodies.

uvicorn takes headers of any size for any time. A parser that gets one header in many pieces works with the square of
its size, and a connection on which next to nothing is said costs a file all the same.

Where there are several workers, a socket for a table goes to the worker that owns the table (see `hand_over`).
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable, Coroutine
from typing import Any, Final

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from wellies.server.hand_over import HandOver
from wellies.server.headers import plain_answer
from wellies.server.settings import Settings

TABLE_SOCKET: Final = re.compile(rb"/ws/v1/tables/([^/?#]+)")
BODY_HEADERS: Final = (b"content-length", b"transfer-encoding")


class LimitedConfig(uvicorn.Config):
    """How uvicorn is to run us, with these limits."""

    hand_over: HandOver | None = None
    """How sockets get to other workers, if there are any."""

    def __init__(self, app: Any, settings: Settings, **more: Any) -> None:
        super().__init__(app, http=LimitedHttp, **more)
        self.settings = settings


class HeadTooBig(Exception):
    """The first line and the headers are more than is taken."""


class LimitedHttp(HttpToolsProtocol):
    """One connection. If another worker has handed it over, `received` is what it has read from it."""

    def __init__(self, config: LimitedConfig, *args: Any, received: bytes = b"", **kwargs: Any) -> None:
        super().__init__(config, *args, **kwargs)
        self.head_bytes = config.settings.header_bytes
        self.head_seconds = config.settings.header_seconds
        self.body_seconds = config.settings.body_seconds
        self._hand_over = None if received else config.hand_over
        self._received = received
        self._data = b""
        """The bytes that are being read."""
        self._reads_head = True
        self._head = 0
        """Bytes of this request's first line and headers, as far as they are read."""
        self._pieces = 0
        """Bytes that have arrived since the head began."""
        self._timer: asyncio.TimerHandle | None = None
        self._unanswered: list[RequestResponseCycle] = []
        """The requests of this connection whose answers are not complete: several, if they came without waiting."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._allow(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._drop_answers()
        super().connection_lost(exc)

    def read_received(self) -> None:
        """Read what another worker has read from this connection, unless that has happened."""
        if self._received and not self.transport.is_closing():
            self.data_received(b"")

    def data_received(self, data: bytes) -> None:
        if self._received:
            data, self._received = self._received + data, b""
        self._data = data
        if self._timer is None:
            # The next request on this connection.
            self._begin_head()
            self._allow(self.head_seconds)
        if self._reads_head:
            self._pieces += len(data)
        super().data_received(data)
        self._data = b""
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
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:
            self._unanswered = [each for each in self._unanswered if not each.response_complete] + [self.cycle]
            self.cycle.send = self._sender(self.cycle)  # type: ignore[method-assign, assignment]

    def _sender(self, cycle: RequestResponseCycle) -> Callable[[Any], Coroutine[Any, Any, None]]:
        """Sends an answer, but not on a connection that has broken: uvicorn hears of that a little later, and would log
        an error until then."""
        send = cycle.send

        async def send_if_open(message: Any) -> None:
            if self.transport.is_closing():
                cycle.disconnected = True
            await send(message)

        return send_if_open

    def _drop_answers(self) -> None:
        """The connection closes: what is still to be answered is not sent. uvicorn knows of the last request only, and
        logs an error for every other one."""
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()

    # --- sockets ---------------------------------------------------------------------------------------------------

    def handle_websocket_upgrade(self) -> None:
        """Begin a socket, here or at the worker that owns its table."""
        found = sys.exception()
        assert isinstance(found, httptools.HttpParserUpgrade)
        rest = self._data[found.args[0] :]
        takers = self._takers()
        if not takers:
            self._upgrade(rest)
            return
        # Nothing more is read until it is known who reads it.
        self.flow.pause_reading()
        client = os.dup(self.transport.get_extra_info("socket").fileno())
        task = self.loop.create_task(self._give(takers, client, rest))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _takers(self) -> list[int]:
        """The workers that should rather have this connection. None if something is still to be sent on it, or more
        than a head belongs to the request."""
        found = TABLE_SOCKET.match(self.url)
        if self._hand_over is None or found is None or self.scope["method"] != "GET" or self.scheme != "http":
            return []
        busy = self.cycle is not None and not self.cycle.response_complete
        has_body = any(name in BODY_HEADERS for name, _ in self.headers)
        if busy or has_body or self.transport.get_write_buffer_size():
            return []
        return self._hand_over.takers(found.group(1).decode("latin-1"))

    async def _give(self, takers: list[int], client: int, rest: bytes) -> None:
        """Hand the connection over; if nobody takes it, begin the socket here."""
        assert self._hand_over is not None
        lines = [b"GET " + self.url + b" HTTP/1.1", *(name + b": " + value for name, value in self.headers), b"", b""]
        try:
            given = await self._hand_over.give(takers, client, b"\r\n".join(lines) + rest)
        finally:
            os.close(client)
        if given:
            # This closes our own file only; nothing was written that could still be sent.
            self.transport.close()
        elif not self.transport.is_closing():
            self.flow.resume_reading()
            self._upgrade(rest)

    def _upgrade(self, rest: bytes) -> None:
        super().handle_websocket_upgrade()
        if rest and not self.transport.is_closing():
            # A message that came in one piece with the head. uvicorn itself would lose it.
            self.transport.get_protocol().data_received(rest)  # type: ignore[attr-defined]

    # --- refusals --------------------------------------------------------------------------------------------------

    def send_400_response(self, msg: str) -> None:
        if self._head > self.head_bytes:
            self._refuse_head()
        else:
            self._close(400, "Bad Request", "bad_request", "This is not HTTP.")

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
        self._drop_answers()
        self.transport.write(plain_answer(status, reason, body, self.scheme or "http"))
        self.transport.close()
