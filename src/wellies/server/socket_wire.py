"""WebSockets as they come over the wire: uvicorn's own protocol, where it trusts the client too much.

It keeps any number of empty fragments of one message, answers pings of a client that reads nothing without end, never
closes a connection whose opening cannot be read, and writes errors into the log for what clients do wrong.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from wellies.server.headers import plain_answer

MOST_FRAGMENTS: Final = 64
"""Pieces that one message may come in."""
MOST_UNREAD_PINGS: Final = 100
"""Pings that are answered while the client reads nothing."""
NOT_A_SOCKET: Final = b'{"code":"bad_request","message":"This request cannot become a WebSocket."}'


class LimitedSocket(WebSocketsSansIOProtocol):
    """One connection."""

    _unread_pings = 0
    """Pings that were answered while the client read nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # It would log every header and message: cookies, invitations, hidden cards.
        self.conn.debug = False
        self._inner = self.app
        self.app = self._run_app

    async def _run_app(self, scope: Any, receive: Any, send: Any) -> None:
        await self._inner(scope, receive, send)
        if self.initial_response is not None:
            # uvicorn does not know that a refusal completes the handshake, and logs an error.
            self.handshake_complete = True

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except UnicodeError:
            self._refuse()
        if self.conn.handshake_exc is not None and not self.handshake_initiated and not self.close_sent:
            # uvicorn would wait for more, for as long as the client stays.
            self._refuse()

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:
            self._refuse()
        else:
            super().handle_parser_exception()

    def _refuse(self) -> None:
        """The request is HTTP, and not one that opens a socket."""
        self.handshake_complete = self.close_sent = True
        self.transport.write(plain_answer(400, "Bad Request", NOT_A_SOCKET, self.scheme))
        self.transport.close()

    def handle_connect(self, event: Request) -> None:
        if self.conn.accept(event).status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            super().handle_connect(event)
        else:
            self._refuse()

    def handle_ping(self) -> None:
        self._unread_pings = 0 if self.writable.is_set() else self._unread_pings + 1
        if self._unread_pings > MOST_UNREAD_PINGS:
            self.transport.abort()
        else:
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_FRAGMENTS:
            self._fail(CloseCode.MESSAGE_TOO_BIG, f"a message comes in {MOST_FRAGMENTS} pieces at most")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._fail(CloseCode.INVALID_DATA, "text must be UTF-8")
                return
        super().send_receive_event_to_app()

    def _fail(self, code: CloseCode, reason: str) -> None:
        """End the connection, for the client has broken the protocol."""
        self.frames = []
        if not self.close_sent:
            self.conn.fail(code, reason)
            super().handle_parser_exception()
