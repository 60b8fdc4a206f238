"""The socket: one connection shows one table from one seat, or to a spectator.

A connection has no queue of updates: when the log has grown and the client can take a message, all that is new is sent
in one. So a slow client costs the server nothing, and one that takes nothing is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast, get_args

import msgspec
import structlog
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from wellies.core.errors import (
    BadNotation,
    IllegalMove,
    MoveError,
    NotYourTurn,
    StaleDecision,
    UndoRefused,
    UnknownPiece,
    WelliesError,
)
from wellies.core.sources import monotonic
from wellies.server import messages
from wellies.server.botpool import BotTrouble
from wellies.server.fair_queue import Purpose
from wellies.server.guard import RAW_SEND
from wellies.server.hub import Hub
from wellies.server.identity import COOKIE, Identity, People, address, clean_text
from wellies.server.limits import Bucket, Limits
from wellies.server.live_table import LiveTable
from wellies.server.messages import PROTOCOL, encode
from wellies.server.storage import StorageTrouble
from wellies.server.words import sentence
from wellies.table import Refused, Table, preview, standing, why_not
from wellies.table.view import LegalMode

log = structlog.get_logger("wellies.socket")

MOST_ANSWERS: Final = 64
"""Answers that may wait for a client that sends requests and does not read."""
CHAT_BACKLOG: Final = 100
"""Lines of chat and notices that may wait for a slow client; of more, the newest are kept."""
SEND_TIMEOUT: Final = 15.0
"""Seconds that one message may take to leave; then the client is dropped."""
MOST_BAD_MESSAGES: Final = 20
"""Messages that cannot be understood, or come too fast, before the connection is closed."""

CLOSE_BAD_MESSAGES: Final = 4400
CLOSE_NOT_YOURS: Final = 4401
CLOSE_NO_TABLE: Final = 4404
CLOSE_SLOW: Final = 4408
CLOSE_TOO_MANY: Final = 4429
CLOSE_RESTART: Final = 1012

CODES: Final[tuple[tuple[type[WelliesError], str], ...]] = (
    (StaleDecision, "stale"),
    (NotYourTurn, "not_your_turn"),
    (IllegalMove, "illegal"),
    (UnknownPiece, "unknown_piece"),
    (BadNotation, "bad_notation"),
    (UndoRefused, "undo_refused"),
    (StorageTrouble, "storage"),
    (BotTrouble, "bot_trouble"),
)
_ID: Final = re.compile(rb'"id"\s*:\s*"([^"\\]{0,64})"')


def code_of(error: WelliesError) -> str:
    """The stable code of an error, for programs."""
    if isinstance(error, Refused):
        return error.code
    for kind, code in CODES:
        if isinstance(error, kind):
            return code
    return "illegal" if isinstance(error, MoveError) else "refused"


class Connection:
    """One client at one table."""

    def __init__(
        self,
        hub: Hub,
        live: LiveTable,
        socket: WebSocket[Any, Any, Any],
        identity: Identity | None,
        seat: int | None,
        invite: str | None,
    ) -> None:
        self.hub = hub
        self.live = live
        self.socket = socket
        self._raw_send: Callable[[dict[str, str]], Awaitable[None]] = cast("dict[str, Any]", socket.scope)[RAW_SEND]
        self.identity = identity
        self._owner = identity.id if identity is not None else ""
        self.seat = seat
        self.invite = invite
        self.legal: LegalMode = "full"
        self.version = 0
        self._acks: deque[tuple[int, str]] = deque()
        self._answers: deque[bytes] = deque()
        self._chat_lines: deque[bytes] = deque(maxlen=CHAT_BACKLOG)
        self._presence: bytes | None = None
        self._info_changed = False
        self._to_send = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._sending_since = 0.0
        self.sender: asyncio.Task[None] | None = None
        self._bad_messages = 0
        self._hints: set[asyncio.Task[None]] = set()
        self._games: int | None = None
        """How many games of this game this person has finished; None: not looked up."""
        self._bucket = Bucket(hub.settings.messages_burst, monotonic())

    # --- called by the table ---------------------------------------------------------------------------------------

    def on_entries(self) -> None:
        self._to_send.set()

    def on_info(self) -> None:
        self._info_changed = True
        self._to_send.set()

    def on_message(self, message: bytes) -> None:
        self._chat_lines.append(message)
        self._to_send.set()

    def on_presence(self, message: bytes) -> None:
        self._presence = message
        self._to_send.set()

    def _answer(self, message: bytes) -> None:
        """Queue an answer to the client."""
        if len(self._answers) >= MOST_ANSWERS:
            self.hub.metrics.slow_clients += 1
            self.close(CLOSE_SLOW, "too slow; connect again with since")
            return
        self._answers.append(message)
        self._to_send.set()

    def close(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closing = (code, reason)
            self._to_send.set()

    def end_session(self) -> None:
        self.close(CLOSE_RESTART, "your cookies were ended; connect again")

    # --- sending ---------------------------------------------------------------------------------------------------

    async def send_all(self) -> None:
        """Send whatever there is to send, until the connection closes."""
        while self._closing is None:
            await self._to_send.wait()
            self._to_send.clear()
            while (message := await self._next()) is not None:
                await self._send(message)
        await self.socket.close(*self._closing)

    async def _next(self) -> bytes | None:
        """The next message, made just before it is sent: what the client may know can change while an earlier one
        leaves. None if there is nothing to send, or if the connection is to be closed."""
        if self._info_changed:
            await self._count_games()
        self._close_if_not_allowed()
        if self._closing is not None:
            return None
        if self._info_changed:
            self._info_changed = False
            return encode(messages.TableChanged(self.live.table.info_for(self._owner)))
        if self.version < self.live.table.version:
            return self._update()
        for waiting in (self._answers, self._chat_lines):
            if waiting:
                return waiting.popleft()
        message, self._presence = self._presence, None
        return message

    def _close_if_not_allowed(self) -> None:
        """Before the game a seat may be left or moved, and a table may become private."""
        if not self._holds_seat():
            self.close(CLOSE_NOT_YOURS, "that seat is no longer yours")
        elif not self.live.table.visible_to(self._owner, self.invite):
            self.close(CLOSE_NO_TABLE, "this table is private now")

    async def _send(self, message: bytes) -> None:
        self._sending_since = monotonic()
        await self._raw_send({"type": "websocket.send", "text": message.decode()})
        self._sending_since = 0.0
        self.hub.metrics.messages_out += 1

    def drop_if_stuck(self, now: float) -> None:
        """Called every second: drop a client that takes nothing."""
        if self._sending_since and now - self._sending_since > SEND_TIMEOUT and self.sender is not None:
            self.hub.metrics.slow_clients += 1
            self.sender.cancel()

    def _holds_seat(self) -> bool:
        """Whether this connection's seat is its owner's: before the game one may leave it, or chairs may move up."""
        seats = self.live.table.seats
        if self.seat is None:
            return True
        return self.seat < len(seats) and self.identity is not None and seats[self.seat].identity == self.identity.id

    def _update(self) -> bytes:
        """All that is new since the last time, and how the table stands."""
        table = self.live.table
        acks = []
        while self._acks and self._acks[0][0] <= table.version:
            acks.append(self._acks.popleft())
        update = messages.Update(
            **standing(table, self.seat, self.version, self.hub.clock.now(), self._games or 0),
            view=self.live.view(self.seat),
            legal=self.live.legal(self.seat, self.legal),
            ack=acks[0][1] if acks else None,
        )
        self.version = table.version
        # One update acknowledges one request; further ones are acknowledged right after it.
        self._answers.extendleft(encode(messages.Ack(id, version)) for version, id in reversed(acks[1:]))
        return encode(update)

    async def hello(self, since: int) -> None:
        """The first message. What follows it are updates from this version on."""
        chat = await self.hub.chat_lines(self.live)
        await self._count_games()
        table = self.live.table
        if not self._holds_seat():
            raise Refused("not_seated", "That seat is no longer yours.", 403)
        if not table.visible_to(self._owner, self.invite):
            raise Refused("no_table", "There is no such table.", 404)
        since = since if 0 <= since <= table.version else 0
        self.version = table.version
        hello = messages.Hello(
            **standing(table, self.seat, since, self.hub.clock.now(), self._games or 0),
            protocol=PROTOCOL,
            table=table.info_for(self._owner),
            seat=self.seat,
            view=self.live.view(self.seat),
            legal=self.live.legal(self.seat, self.legal),
            chat=chat,
            presence=self.live.presence(),
        )
        await self._send(encode(hello))

    async def _count_games(self) -> None:
        """Count the games that this person has finished, where hints are for beginners. If the store fails, it is 0."""
        table = self.live.table
        if self._games is None and self.identity is not None and table.aids.hints == "beginners":
            with contextlib.suppress(StorageTrouble):
                self._games = await self.hub.storage.games_finished(self.identity.id, table.setup.game)

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
            self._refuse_message("", "too_big", f"A message may have {self.hub.settings.message_bytes} bytes at most.")
            return
        try:
            message = messages.decode_client(raw)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            why = (
                sentence(str(error), where="message") if isinstance(error, msgspec.MsgspecError) else "It is not JSON."
            )
            self._refuse_message(_id_of(raw), "bad_message", f"This message makes no sense. {why}")
            return
        try:
            await self._handle(message)
        except WelliesError as error:
            self._fail(message.id, code_of(error), str(error))
        except Exception:
            # A bug: the client is told, the log has the details, and the table goes on.
            log.exception("a message could not be answered", table=self.live.table.id, kind=type(message).__name__)
            self._fail(message.id, "internal", "Something went wrong on the server; it has been noted.")

    def _refuse_message(self, id: str, code: str, why: str) -> None:
        self.hub.metrics.refused_messages += 1
        self._fail(id, code, why)
        self._count_bad_message(CLOSE_BAD_MESSAGES)

    def _count_bad_message(self, code: int) -> None:
        self._bad_messages += 1
        if self._bad_messages >= MOST_BAD_MESSAGES:
            self.close(code, "too much of that")

    def _fail(self, id: str, code: str, why: str) -> None:
        self._answer(encode(messages.Failed(id, code, why)))

    async def _handle(self, message: messages.FromClient) -> None:
        if isinstance(message, messages.Play):
            await self._play(message)
        elif isinstance(message, messages.Ping):
            self._answer(encode(messages.Pong(message.id, self.live.table.version, self.hub.clock.now())))
        elif isinstance(message, messages.Preview):
            self._preview(message)
        elif isinstance(message, messages.AskWhy):
            refusal = why_not(self.live.table, self._own_seat(), message.move)
            self._answer(encode(messages.WhyNot(message.id, message.move, refusal)))
        elif isinstance(message, messages.Undo):
            await self._undo(message)
        elif isinstance(message, messages.AskUndo):
            await self._ask_undo(message)
        elif isinstance(message, messages.AnswerUndo):
            await self._answer_undo(message)
        elif isinstance(message, messages.AskHint):
            self._hint(message)
        else:
            await self._chat(message)

    def _preview(self, message: messages.Preview) -> None:
        found = preview(self.live.table, self._own_seat(), message.move)
        answer = messages.Previewed(
            message.id, found.move, found.certain, found.events, found.gains, found.lines, found.offers
        )
        self._answer(encode(answer))

    def _own_seat(self) -> int:
        """This connection's seat, if it is still its own."""
        seat, table = self.seat, self.live.table
        if seat is None or not self._holds_seat():
            raise Refused("not_seated", "You are watching; only those seated can do that.", 403)
        if table.match is None:
            raise Refused("not_playing", "The game has not begun.")
        return seat

    async def _play(self, message: messages.Play) -> None:
        started = time.perf_counter()
        seat = self._own_seat()
        await self._change(
            message.id, lambda trial: trial.play(seat, message.move, message.decision, self.hub.clock.now())
        )
        self.hub.metrics.play_seconds.add(time.perf_counter() - started)

    async def _undo(self, message: messages.Undo) -> None:
        seat = self._own_seat()
        await self._change(message.id, lambda trial: trial.undo(seat, self.hub.clock.now()))

    async def _ask_undo(self, message: messages.AskUndo) -> None:
        seat = self._own_seat()
        await self._change(message.id, lambda trial: trial.ask_undo(seat, self.hub.clock.now()))

    async def _answer_undo(self, message: messages.AnswerUndo) -> None:
        seat = self._own_seat()
        await self._change(
            message.id, lambda trial: trial.answer_undo(seat, message.request, message.accept, self.hub.clock.now())
        )

    async def _change(self, id: str, act: Callable[[Table], None]) -> None:
        """Change the table. The update that shows the change carries the acknowledgement, so this is noted once the
        change is stored and before the update is made; if nothing had to be changed, it is sent by itself."""

        def changes(trial: Table) -> bool:
            act(trial)
            return bool(trial.uncommitted)

        if not await self.hub.change(self.live, changes, lambda version: self._acks.append((version, id))):
            self._answer(encode(messages.Ack(id, self.live.table.version)))

    def _hint(self, message: messages.AskHint) -> None:
        seat = self._own_seat()
        offer = self.live.table.hint_for(seat, self._games or 0)
        if not offer.allowed:
            raise Refused("hints_off", offer.why, 403)
        if self.live.table.decision_for(seat) is None:
            raise NotYourTurn("You have nothing to decide now.")
        if self._hints:
            raise Refused("busy", "A hint is on its way already.")
        task = asyncio.create_task(self._send_hint(message.id, seat), name="hint")
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _send_hint(self, id: str, seat: int) -> None:
        view = self.live.view(seat)
        try:
            if view is None:
                raise NotYourTurn("The game has not begun.")
            purpose = Purpose(self._owner, hint=True)
            move, words = await self.hub.pool.choose(self.hub.settings.hint_level, bytes(view), seat, purpose)
            self._answer(encode(messages.Hint(id, move, words)))
        except WelliesError as error:
            self._fail(id, code_of(error), str(error))

    async def _chat(self, message: messages.Say) -> None:
        table = self.live.table
        if self.identity is None:
            raise Refused("chat_refused", "Pick a name first; then you can chat.", 403)
        mine = table.seats_of(self.identity.id)
        if table.private and not mine and self.identity.id != table.setup.host:
            raise Refused("chat_refused", "At a private table only those seated chat.", 403)
        text = clean_text(message.text)
        if not text:
            raise Refused("chat_refused", "There is nothing to read in that.", 400)
        seat = self.seat if self.seat in mine else None
        name = self.identity.name if seat is None else table.seats[seat].name
        await self.hub.chat(self.live, self.identity, name, seat, text)
        self._answer(encode(messages.Ack(message.id, table.version)))

    def stop(self) -> None:
        for task in self._hints:
            task.cancel()


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
        await _reject(socket, CLOSE_NO_TABLE if error.status == 404 else CLOSE_NOT_YOURS, error.code, str(error))
    except StorageTrouble as error:
        await _reject(socket, CLOSE_RESTART, "storage", str(error))
    finally:
        hub.metrics.sockets -= 1
        limits.free_socket(place)


async def _open(
    hub: Hub, socket: WebSocket[Any, Any, Any], table_id: str, identity: Identity | None
) -> tuple[Connection, int]:
    query = socket.query_params
    live = await hub.get(table_id, catch_up=True)
    owner = identity.id if identity is not None else ""
    invite = query.get("invite")
    if not live.table.visible_to(owner, invite):
        raise Refused("no_table", "There is no such table.", 404)
    seat = _number(query.get("seat"))
    if query.get("seat") and (seat is None or seat not in live.table.seats_of(owner)):
        raise Refused("not_seated", "That seat is not yours.", 403)
    connection = Connection(hub, live, socket, identity, seat, invite)
    mode: Any = query.get("legal", "full")
    if mode not in get_args(LegalMode):
        raise Refused("bad_query", f"legal must be one of {', '.join(get_args(LegalMode))}.", 400)
    connection.legal = mode
    return connection, _number(query.get("since")) or 0


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 9 else None


async def _serve(hub: Hub, connection: Connection, since: int) -> None:
    live = connection.live
    hub.presence.enter(live, connection)
    try:
        await connection.hello(since)
        hub.bots.wake(live)
        hub.spawn(hub.return_to_seats(live, connection.identity), "return to seats")
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
