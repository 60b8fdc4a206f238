"""The socket: a connection over the network. What it answers and sends is decided in `table.connection`.

A connection has no queue of updates. So a slow client costs the server nothing, and one that takes nothing is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

import msgspec
import structlog
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from wellies.core.events import Json
from wellies.core.sources import monotonic
from wellies.server import messages
from wellies.server.fair_queue import Purpose
from wellies.server.guard import RAW_SEND
from wellies.server.hub import Hub
from wellies.server.identity import COOKIE, Identity, People, address
from wellies.server.limits import Bucket, Limits
from wellies.server.live_table import LiveTable
from wellies.server.messages import encode
from wellies.server.storage import StorageTrouble
from wellies.server.words import sentence
from wellies.table import Refused
from wellies.table.connection import CLOSE_RESTART, Opening, TableConnection, close_code
from wellies.table.names import clean_text

log = structlog.get_logger("wellies.socket")

SEND_TIMEOUT: Final = 15.0
"""Seconds that one message may take to leave; then the client is dropped."""

CLOSE_TOO_MANY: Final = 4429

_ID: Final = re.compile(rb'"id"\s*:\s*"([^"\\]{0,64})"')


class Connection(TableConnection[LiveTable, bytes]):
    """One client at one table."""

    def __init__(
        self,
        hub: Hub,
        live: LiveTable,
        socket: WebSocket[Any, Any, Any],
        identity: Identity | None,
        opening: Opening,
    ) -> None:
        super().__init__(hub, live, identity.id if identity is not None else "", opening)
        self.hub = hub
        self.socket = socket
        self._raw_send: Callable[[dict[str, str]], Awaitable[None]] = cast("dict[str, Any]", socket.scope)[RAW_SEND]
        self.identity = identity
        self._sending_since = 0.0
        self.sender: asyncio.Task[None] | None = None
        self._bucket = Bucket(hub.settings.messages_burst, monotonic())

    def end_session(self) -> None:
        self.close(CLOSE_RESTART, "your cookies were ended; connect again")

    # --- sending ---------------------------------------------------------------------------------------------------

    def _encode(self, kind: str, /, **fields: Any) -> bytes:
        return encode(messages.KINDS[kind](**fields))

    async def _send(self, message: bytes) -> None:
        self._sending_since = monotonic()
        await self._raw_send({"type": "websocket.send", "text": message.decode()})
        self._sending_since = 0.0
        self.hub.metrics.messages_out += 1

    async def _close_now(self, code: int, reason: str) -> None:
        await self.socket.close(code, reason)

    def drop_if_stuck(self, now: float) -> None:
        """Called every second: drop a client that takes nothing."""
        if self._sending_since and now - self._sending_since > SEND_TIMEOUT and self.sender is not None:
            self.hub.metrics.slow_clients += 1
            self.sender.cancel()

    def _on_slow(self) -> None:
        self.hub.metrics.slow_clients += 1

    async def _games_finished(self) -> int:
        return await self.hub.storage.games_finished(self.owner, self.live.table.setup.game)

    async def _chat_so_far(self) -> list[messages.ChatLine]:
        return await self.hub.chat_lines(self.live)

    def _who_is_here(self) -> messages.Presence:
        return self.live.presence()

    # --- receiving -------------------------------------------------------------------------------------------------

    async def receive_all(self) -> None:
        """Answer messages until the client goes."""
        while True:
            event = await self.socket.receive()
            if event["type"] == "websocket.disconnect":
                return
            data: Any = event.get("text") or event.get("bytes") or b""
            raw: bytes = data.encode("utf-8", "replace") if isinstance(data, str) else data
            self.hub.metrics.messages_in += 1
            settings = self.hub.settings
            if settings.messages_per_second and not self._bucket.take(
                settings.messages_per_second, settings.messages_burst, monotonic()
            ):
                self.hub.metrics.rate_limited += 1
                self._fail(_id_of(raw), "too_fast", "You are sending too fast; wait a moment.")
                self._count_bad_message(CLOSE_TOO_MANY)
                # While nothing is read, the sender's own connection slows it down.
                await asyncio.sleep(0.2)
                continue
            await self._receive(raw)

    async def _receive(self, raw: bytes) -> None:
        if len(raw) > self.hub.settings.message_bytes:
            self.refuse_message("", "too_big", f"A message may have {self.hub.settings.message_bytes} bytes at most.")
            return
        try:
            message = messages.decode_client(raw)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            why = (
                sentence(str(error), where="message") if isinstance(error, msgspec.MsgspecError) else "It is not JSON."
            )
            self.refuse_message(_id_of(raw), "bad_message", f"This message makes no sense. {why}")
            return
        await self.handle(messages.kind_of(message), msgspec.structs.asdict(message))

    def _on_bad_message(self) -> None:
        self.hub.metrics.refused_messages += 1

    def _on_bug(self, kind: str) -> str:
        log.exception("a message could not be answered", table=self.live.table.id, kind=kind)
        return "Something went wrong on the server; it has been noted."

    async def play(self, id: str, move: str, decision: str | None = None) -> None:
        started = time.perf_counter()
        await super().play(id, move, decision)
        self.hub.metrics.play_seconds.add(time.perf_counter() - started)

    async def _choose_hint(self, view: msgspec.Raw, seat: int) -> Json:
        purpose = Purpose(self.owner, hint=True)
        return await self.hub.pool.hint(self.hub.settings.hint_level, bytes(view), seat, purpose)

    async def chat(self, id: str, text: str) -> None:
        table = self.live.table
        if self.identity is None:
            raise Refused("chat_refused", "Pick a name first; then you can chat.", 403)
        mine = table.seats_of(self.identity.id)
        if table.private and not mine and self.identity.id != table.setup.host:
            raise Refused("chat_refused", "At a private table only those seated chat.", 403)
        line = clean_text(text)
        if not line:
            raise Refused("chat_refused", "There is nothing to read in that.", 400)
        seat = self.seat if self.seat in mine else None
        name = self.identity.name if seat is None else table.seats[seat].name
        await self.hub.chat(self.live, self.identity, name, seat, line)
        self._answer(self._encode("ack", id=id, version=table.version))


def _id_of(raw: bytes) -> str:
    """The id of a message that cannot be decoded, if it can be found."""
    found = _ID.search(raw[:4096])
    return found.group(1).decode("utf-8", "replace") if found else ""


# --- opening ------------------------------------------------------------------------------------------------------


@websocket("/ws/v1/tables/{table_id:str}")
async def table_socket(socket: WebSocket[Any, Any, Any], table_id: FromPath[str]) -> None:
    """One connection to one table. The guard around the application has checked the origin."""
    hub: Hub = socket.app.state.hub
    people: People = socket.app.state.people
    limits: Limits = socket.app.state.limits
    await socket.accept()
    try:
        identity = await people.recognise(socket.cookies.get(COOKIE))
    except StorageTrouble as error:
        await _reject(socket, CLOSE_RESTART, "storage", str(error))
        return
    who = identity.id if identity is not None else address(socket)
    if not await limits.allows("requests", who):
        await _reject(socket, CLOSE_TOO_MANY, "too_fast", "You open tables too fast; wait a moment.")
        return
    place = await limits.take_socket(who)
    if place is None:
        await _reject(socket, CLOSE_TOO_MANY, "too_many", "You have too many tables open.")
        return
    hub.metrics.sockets += 1
    hub.metrics.sockets_total += 1
    try:
        connection, since = await _open(hub, socket, table_id, identity)
        await _serve(hub, connection, since)
    except Refused as error:
        await _reject(socket, close_code(error), error.code, str(error))
    except StorageTrouble as error:
        await _reject(socket, CLOSE_RESTART, "storage", str(error))
    finally:
        hub.metrics.sockets -= 1
        limits.free_socket(place)


async def _open(
    hub: Hub, socket: WebSocket[Any, Any, Any], table_id: str, identity: Identity | None
) -> tuple[Connection, int]:
    live = await hub.get(table_id, catch_up=True)
    opening = Opening(live.table, identity.id if identity is not None else "", socket.query_params)
    return Connection(hub, live, socket, identity, opening), opening.since


async def _serve(hub: Hub, connection: Connection, since: int) -> None:
    live = connection.live
    hub.presence.enter(live, connection)
    try:
        await connection.hello(since)
        hub.bots.wake(live)
        hub.spawn(hub.return_to_seats(live, connection.owner), "return to seats")
        receiving = asyncio.create_task(connection.receive_all(), name="socket reader")
        sending = asyncio.create_task(connection.send_all(), name="socket writer")
        connection.sender = sending
        try:
            await asyncio.wait((receiving, sending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Also when the server stops and cancels what has not ended.
            receiving.cancel()
            sending.cancel()
            await asyncio.gather(receiving, sending, return_exceptions=True)
        for task in (receiving, sending):
            error = None if task.cancelled() else task.exception()
            if error is not None and not isinstance(error, WebSocketDisconnect | OSError | RuntimeError | TimeoutError):
                log.error("a socket failed", table=live.table.id, exc_info=error)
    except (WebSocketDisconnect, OSError, TimeoutError) as error:
        log.debug("a socket closed before its first message was sent", reason=str(error))
    finally:
        connection.stop()
        hub.presence.leave(live, connection)


async def _reject(socket: WebSocket[Any, Any, Any], close_code: int, code: str, why: str) -> None:
    with contextlib.suppress(WebSocketDisconnect, OSError, RuntimeError):
        message = encode(messages.Failed("", code, why)).decode()
        await socket.send({"type": "websocket.send", "text": message, "bytes": None})
        await socket.close(close_code, why[:100])
