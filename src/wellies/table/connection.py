"""One connection shows one table from one seat, or to a spectator: what it answers and sends, without the network.

A connection has no queue of updates: when the log has grown and the client can take a message, all that is new is sent
in one.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Generic, TypeVar, get_args

from wellies.core.errors import NotYourTurn, WelliesError
from wellies.core.events import Json
from wellies.table.analysis import expected_steps, other_moves
from wellies.table.errors import Refused, StorageTrouble, code_of
from wellies.table.hub import Shown, TableHub
from wellies.table.table import Table
from wellies.table.view import LegalMode, planned_moves, preview, standing, why_not

PROTOCOL: Final = 1
"""Raised with a change that older clients cannot handle; the address is then /v2."""
MOST_ANSWERS: Final = 64
"""Answers that may wait for a client that sends requests and does not read."""
CHAT_BACKLOG: Final = 100
"""Lines of chat and notices that may wait for a slow client; of more, the newest are kept."""
MOST_BAD_MESSAGES: Final = 20
"""Messages that cannot be understood, or come too fast, before the connection is closed."""

CLOSE_BAD_MESSAGES: Final = 4400
CLOSE_NOT_YOURS: Final = 4401
CLOSE_NO_TABLE: Final = 4404
CLOSE_SLOW: Final = 4408
CLOSE_RESTART: Final = 1012

Message = TypeVar("Message")


class TableConnection(ABC, Generic[Shown, Message]):
    """One client at one table. Its requests are the methods named in `REQUESTS`."""

    REQUESTS: Final = ("play", "preview", "why", "plan", "undo", "ask_undo", "answer_undo", "hint", "chat", "ping")

    def __init__(self, hub: TableHub[Shown], live: Shown, owner: str, opening: Opening) -> None:
        self._tables = hub
        self.live = live
        self.owner = owner
        """The id of the person; empty if nobody knows who it is."""
        self.seat = opening.seat
        self.invite = opening.invite
        self.legal = opening.legal
        self.version = 0
        self._acks: deque[tuple[int, str]] = deque()
        self._answers: deque[Message] = deque()
        self._chat_lines: deque[Message] = deque(maxlen=CHAT_BACKLOG)
        self._presence: Message | None = None
        self._info_changed = False
        self._to_send = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._bad_messages = 0
        self._hints: set[asyncio.Task[None]] = set()
        self._games: int | None = None
        """How many games of this game this person has finished; None: not looked up."""

    # --- what a connection adds ------------------------------------------------------------------------------------

    @abstractmethod
    def _encode(self, kind: str, /, **fields: Any) -> Message:
        """A message of the server."""

    @abstractmethod
    async def _send(self, message: Message) -> None:
        """Send one message."""

    @abstractmethod
    async def _close_now(self, code: int, reason: str) -> None:
        """Close the connection."""

    @abstractmethod
    async def _games_finished(self) -> int:
        """How many games of this game this person has finished."""

    @abstractmethod
    async def _chat_so_far(self) -> list[Any]:
        """The newest lines of chat."""

    @abstractmethod
    def _who_is_here(self) -> Any:
        """Who looks at the table, as it is sent."""

    @abstractmethod
    async def _choose_hint(self, view: Any, seat: int) -> Json:
        """A good move from this view, in notation and in words."""

    @abstractmethod
    async def chat(self, id: str, text: str) -> None:
        """Say something to everybody at the table."""

    @abstractmethod
    def _on_bug(self, kind: str) -> str:
        """A request has failed with an unexpected error, which is being handled; returns what the client is told."""

    def _on_slow(self) -> None:
        """The client does not read its answers."""

    def _on_bad_message(self) -> None:
        """The client has sent something that makes no sense."""

    # --- called by the table ---------------------------------------------------------------------------------------

    def on_entries(self) -> None:
        self._to_send.set()

    def on_info(self) -> None:
        self._info_changed = True
        self._to_send.set()

    def on_message(self, message: Message) -> None:
        self._chat_lines.append(message)
        self._to_send.set()

    def on_presence(self, message: Message) -> None:
        self._presence = message
        self._to_send.set()

    def close(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closing = (code, reason)
            self._to_send.set()

    def stop(self) -> None:
        """The connection is gone: nobody waits for hints any more."""
        for task in self._hints:
            task.cancel()

    # --- sending ---------------------------------------------------------------------------------------------------

    def _answer(self, message: Message) -> None:
        """Queue an answer to the client."""
        if len(self._answers) >= MOST_ANSWERS:
            self._on_slow()
            self.close(CLOSE_SLOW, "too slow; connect again with since")
            return
        self._answers.append(message)
        self._to_send.set()

    def _fail(self, id: str, code: str, why: str) -> None:
        self._answer(self._encode("error", id=id, code=code, message=why))

    async def send_all(self) -> None:
        """Send whatever there is to send, until the connection closes."""
        while self._closing is None:
            await self._to_send.wait()
            self._to_send.clear()
            while (message := await self._next()) is not None:
                await self._send(message)
        await self._close_now(*self._closing)

    async def _next(self) -> Message | None:
        """The next message, made just before it is sent: what the client may know can change while an earlier one
        leaves. None if there is nothing to send, or if the connection is to be closed."""
        if self._info_changed:
            await self._count_games()
        self._close_if_not_allowed()
        if self._closing is not None:
            return None
        if self._info_changed:
            self._info_changed = False
            return self._encode("table", table=self.live.table.info_for(self.owner))
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
        elif not self.live.table.visible_to(self.owner, self.invite):
            self.close(CLOSE_NO_TABLE, "this table is private now")

    def _holds_seat(self) -> bool:
        """Whether this connection's seat is its owner's: before the game one may leave it, or chairs may move up."""
        seats = self.live.table.seats
        if self.seat is None:
            return True
        return self.seat < len(seats) and seats[self.seat].identity == self.owner != ""

    def _update(self) -> Message:
        """All that is new since the last time, and how the table stands."""
        table = self.live.table
        acks = []
        while self._acks and self._acks[0][0] <= table.version:
            acks.append(self._acks.popleft())
        update = self._encode(
            "update",
            **standing(table, self.seat, self.version, self._tables.clock.now(), self._games or 0),
            view=self.live.view(self.seat),
            legal=self.live.legal(self.seat, self.legal),
            ack=acks[0][1] if acks else None,
        )
        self.version = table.version
        # One update acknowledges one request; further ones are acknowledged right after it.
        self._answers.extendleft(self._encode("ack", id=id, version=version) for version, id in reversed(acks[1:]))
        return update

    async def hello(self, since: int) -> None:
        """The first message. What follows it are updates from this version on."""
        chat = await self._chat_so_far()
        await self._count_games()
        table = self.live.table
        if not self._holds_seat():
            raise Refused("not_seated", "That seat is no longer yours.", 403)
        if not table.visible_to(self.owner, self.invite):
            raise Refused("no_table", "There is no such table.", 404)
        since = since if 0 <= since <= table.version else 0
        self.version = table.version
        hello = self._encode(
            "hello",
            **standing(table, self.seat, since, self._tables.clock.now(), self._games or 0),
            protocol=PROTOCOL,
            table=table.info_for(self.owner),
            seat=self.seat,
            view=self.live.view(self.seat),
            legal=self.live.legal(self.seat, self.legal),
            chat=chat,
            presence=self._who_is_here(),
        )
        await self._send(hello)

    async def _count_games(self) -> None:
        """Count the games that this person has finished, where hints are for beginners. If the store fails, it is 0."""
        if self._games is None and self.owner and self.live.table.aids.hints == "beginners":
            with contextlib.suppress(StorageTrouble):
                self._games = await self._games_finished()

    # --- requests --------------------------------------------------------------------------------------------------

    async def handle(self, kind: str, fields: Json) -> None:
        """Answer a request that has been read: one of `REQUESTS`, with its fields."""
        request: Callable[..., Awaitable[None]] = getattr(self, kind)
        try:
            await request(**fields)
        except WelliesError as error:
            self._fail(fields["id"], code_of(error), error.text)
        except Exception:
            # A bug: the client is told, the log has the details, and the table goes on.
            self._fail(fields["id"], "internal", self._on_bug(kind))

    def refuse_message(self, id: str, code: str, why: str) -> None:
        """Refuse something that is no request."""
        self._on_bad_message()
        self._fail(id, code, why)
        self._count_bad_message(CLOSE_BAD_MESSAGES)

    def _count_bad_message(self, code: int) -> None:
        self._bad_messages += 1
        if self._bad_messages >= MOST_BAD_MESSAGES:
            self.close(code, "too much of that")

    def _own_seat(self) -> int:
        """This connection's seat, if it is still its own."""
        seat, table = self.seat, self.live.table
        if seat is None or not self._holds_seat():
            raise Refused("not_seated", "You are watching; only those seated can do that.", 403)
        if table.match is None:
            raise Refused("not_playing", "The game has not begun.")
        return seat

    async def ping(self, id: str) -> None:
        self._answer(self._encode("pong", id=id, version=self.live.table.version, now=self._tables.clock.now()))

    async def preview(self, id: str, move: str, ahead: bool = False) -> None:
        found = preview(self.live.table, self._own_seat(), move, ahead=ahead)
        answer = self._encode(
            "preview",
            id=id,
            move=found.move,
            certain=found.certain,
            events=found.events,
            gains=found.gains,
            lines=found.lines,
            offers=found.offers,
        )
        self._answer(answer)

    async def why(self, id: str, move: str, ahead: bool = False) -> None:
        refusal = why_not(self.live.table, self._own_seat(), move, ahead=ahead)
        self._answer(self._encode("why", id=id, move=move, refusal=refusal))

    async def plan(self, id: str) -> None:
        table = self.live.table
        view, legal = planned_moves(table, self._own_seat())
        self._answer(self._encode("plan", id=id, version=table.version, view=view, legal=legal))

    async def play(self, id: str, move: str, decision: str | None = None) -> None:
        seat = self._own_seat()
        await self._change(id, lambda trial: trial.play(seat, move, decision, self._tables.clock.now()))

    async def undo(self, id: str) -> None:
        seat = self._own_seat()
        await self._change(id, lambda trial: trial.undo(seat, self._tables.clock.now()))

    async def ask_undo(self, id: str) -> None:
        seat = self._own_seat()
        await self._change(id, lambda trial: trial.ask_undo(seat, self._tables.clock.now()))

    async def answer_undo(self, id: str, request: int, accept: bool) -> None:
        seat = self._own_seat()
        await self._change(id, lambda trial: trial.answer_undo(seat, request, accept, self._tables.clock.now()))

    async def _change(self, id: str, act: Callable[[Table], None]) -> None:
        """Change the table. The update that shows the change carries the acknowledgement, so this is noted once the
        change is stored and before the update is made; if nothing had to be changed, it is sent by itself."""

        def changes(trial: Table) -> bool:
            act(trial)
            return bool(trial.uncommitted)

        if not await self._tables.change(self.live, changes, lambda version: self._acks.append((version, id))):
            self._answer(self._encode("ack", id=id, version=self.live.table.version))

    async def hint(self, id: str) -> None:
        seat = self._own_seat()
        offer = self.live.table.hint_for(seat, self._games or 0)
        if not offer.allowed:
            raise Refused("hints_off", offer.why, 403)
        if self.live.table.decision_for(seat) is None:
            raise NotYourTurn("You have nothing to decide now.")
        if self._hints:
            raise Refused("busy", "A hint is on its way already.")
        task = asyncio.create_task(self._send_hint(id, seat), name="hint")
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _send_hint(self, id: str, seat: int) -> None:
        view = self.live.view(seat)
        try:
            if view is None:
                raise NotYourTurn("The game has not begun.")
            found = await self._choose_hint(view, seat)
            found["line"], found["others"] = expected_steps(found["line"]), other_moves(found["others"])
            self._answer(self._encode("hint", id=id, **found))
        except WelliesError as error:
            self._fail(id, code_of(error), error.text)


class Opening:
    """What the address of a connection asks for, checked against the table."""

    def __init__(self, table: Table, owner: str, query: Mapping[str, str]) -> None:
        """Refused says what is wrong."""
        self.invite = query.get("invite")
        if not table.visible_to(owner, self.invite):
            raise Refused("no_table", "There is no such table.", 404)
        self.seat = _number(query.get("seat"))
        if query.get("seat") and (self.seat is None or self.seat not in table.seats_of(owner)):
            raise Refused("not_seated", "That seat is not yours.", 403)
        mode: Any = query.get("legal", "full")
        if mode not in get_args(LegalMode):
            raise Refused("bad_query", f"legal must be one of {', '.join(get_args(LegalMode))}.", 400)
        self.legal: LegalMode = mode
        self.since = _number(query.get("since")) or 0


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 9 else None


def close_code(error: Refused) -> int:
    """The code with which a connection is closed whose opening is refused."""
    return CLOSE_NO_TABLE if error.status == 404 else CLOSE_NOT_YOURS
