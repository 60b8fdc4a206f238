"""One screen of a simulated person: a socket at a time, opened again whenever it closes; plays when it can."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from simulation.network import ConnectionLost, Socket

if TYPE_CHECKING:
    from simulation.people import Person


class Entry(msgspec.Struct):
    """An entry of the log: its number, whose it is, and its notation, where it is shown."""

    number: int
    seat: int | None = None
    move: str | None = None


class TableVersion(msgspec.Struct):
    """The version of a table, as its description says it."""

    version: int


class Message(msgspec.Struct):
    """What a client reads of a message; the rest is compared with what it should be when all is over."""

    type: str
    id: str = ""
    version: int = 0
    entries: list[Entry] = []
    decision: dict[str, Any] | None = None
    legal: msgspec.Raw = msgspec.Raw(b"[]")
    asked: dict[str, Any] | None = None
    ack: str | None = None
    code: str = ""
    now: int = 0
    view: msgspec.Raw = msgspec.Raw(b"null")
    table: TableVersion | None = None


read_message = msgspec.json.Decoder(Message).decode


@dataclass
class Received:
    """A message from the server, and when the server sent it: a client that stalls reads it much later."""

    sent: float
    text: str
    message: Message


@dataclass(eq=False)
class Opened:
    """One connection: as whom it was opened, what was asked for, and all that came."""

    person: Person
    table_id: str
    identity: str
    cookie: str
    seat: int | None
    since: int
    invite: str
    legal: str
    socket: Socket
    began: float
    received: list[Received] = field(default_factory=list)
    version: int | None = None
    """The last version that was shown; None before the first message."""


@dataclass
class Sent:
    """A request through a socket, with its answers."""

    opened: Opened
    at: float
    message: dict[str, Any]
    copies: int = 1
    acked: list[int] = field(default_factory=list)
    """Versions with which it was confirmed."""
    refused: list[str] = field(default_factory=list)


class Screen:
    """What one person sees of one table from one seat, or as a spectator (None)."""

    def __init__(self, person: Person, seat: int | None) -> None:
        self.person = person
        self.world = person.world
        self.random = self.world.random(f"screen {person.plan.number} {seat}")
        self.seat = seat
        self.version = 0
        self.decision: dict[str, Any] | None = None
        self._legal_raw = msgspec.Raw(b"[]")
        self._legal: list[str] | None = None
        self.opened: Opened | None = None
        self._sent: dict[str, Sent] = {}
        self._count = 0
        self._planned: str | None = None
        """The decision for which a move is about to be played."""
        self._tried: tuple[str, str] | None = None
        """The last decision and move that were sent."""
        self._answering: int | None = None
        self._stalled_until = 0.0
        self._old_since = False

    async def live(self) -> None:
        while not self.world.over:
            with contextlib.suppress(ConnectionLost):
                await self._connect()
            await asyncio.sleep(self.random.choice((0.02, 0.3, 1.0)) * self.random.uniform(0.5, 1.5))

    # --- the socket ------------------------------------------------------------------------------------------------

    async def _connect(self) -> None:
        person = self.person
        seat = self.seat if person.id == person.identities[0] else None
        since = self.version
        if self.random.random() < 0.3 or self._old_since:
            since = self.random.choice((0, self.version // 2, self.version + 7))
            self._old_since = False
        query = f"since={since}&legal={person.plan.legal}&invite={person.invite}"
        if seat is not None:
            query += f"&seat={seat}"
        await self._use(seat, since, query)

    async def _use(self, seat: int | None, since: int, query: str) -> None:
        person = self.person
        socket = Socket(
            self.world,
            person.worker(),
            person.address,
            f"/ws/v1/tables/{person.table_id}",
            query,
            person.cookie,
            person.plan.capacity,
            self.random,
        )
        opened = Opened(
            person,
            person.table_id,
            person.id,
            person.cookie,
            seat,
            since,
            person.invite,
            person.plan.legal,
            socket,
            self.world.loop.now,
        )
        self.world.connections.append(opened)
        self.opened = opened
        self.decision = None
        self._planned = None
        socket.open()
        while True:
            if self._stalled_until > self.world.loop.now:
                await asyncio.sleep(self._stalled_until - self.world.loop.now)
            read = await socket.read()
            if read is None:
                break
            self._on_message(opened, *read)
        self.decision = None
        if socket.close_code in (4401, 4404):
            await asyncio.sleep(self.random.uniform(0.5, 2.0))

    def _on_message(self, opened: Opened, sent: float, text: str) -> None:
        message = read_message(text)
        opened.received.append(Received(sent, text, message))
        if message.type in ("hello", "update"):
            self._follow(opened, message)
        if message.ack is not None:
            self._note_ack(message.ack, message.version)
        elif message.type == "ack":
            self._note_ack(message.id, message.version)
        elif message.type == "error":
            self._note_refusal(message)

    def _follow(self, opened: Opened, message: Message) -> None:
        """What the message says must follow from what was known."""
        version = message.version
        first = opened.version
        if first is None:
            first = opened.since if opened.since <= version else 0
        elif version <= first:
            self.world.fail("order", f"version {version} after {first} at a screen of {self.person.name}")
        numbers = [entry.number for entry in message.entries]
        if numbers != list(range(first + 1, version + 1)):
            self.world.fail("gap", f"a screen of {self.person.name} at {first} gets entries {numbers} up to {version}")
        opened.version = self.version = version
        self.decision = message.decision
        self._legal_raw, self._legal = message.legal, None
        self._plan_move()
        self._plan_answer(message.asked)

    @property
    def legal(self) -> list[str]:
        """The legal moves of the open decision."""
        if self._legal is None:
            moves = msgspec.json.decode(self._legal_raw)
            self._legal = [move if isinstance(move, str) else move["move"] for move in moves]
        return self._legal

    # --- playing ---------------------------------------------------------------------------------------------------

    def _plan_move(self) -> None:
        decision = self.decision
        if decision is None or self._planned == decision["id"] or not self.world.playing:
            return
        if not decision["due"] and self.random.random() < 0.6:
            return
        self._planned = decision["id"]
        pause = self.person.plan.think * self.random.uniform(0.3, 1.7)
        self.world.call_later(pause, self._play, self.opened, decision["id"])

    def _play(self, opened: Opened, decision: str) -> None:
        current = self.opened is opened and self.decision is not None and self.decision["id"] == decision
        if not current or not self.legal or not self.world.playing:
            return
        move = self.random.choice(self.legal)
        if self._tried is not None and self._tried[0] == decision and self._tried[1] in self.legal:
            # It was sent before, and no answer came: the same again, or another.
            move = self._tried[1] if self.random.random() < 0.7 else move
        elif self.person.plays_left <= 0:
            return
        else:
            self.person.plays_left -= 1
        self._tried = (decision, move)
        self._planned = None
        self.send({"type": "play", "decision": decision, "move": move})

    def _plan_answer(self, asked: dict[str, Any] | None) -> None:
        if asked is None or self.seat not in asked["waiting"] or self._answering == asked["number"]:
            return
        self._answering = asked["number"]
        answer = {"type": "answer_undo", "request": asked["number"], "accept": self.random.random() < 0.7}
        self.world.call_later(self.person.plan.think * self.random.uniform(0.3, 1.7), self.send, answer)

    def send(self, message: dict[str, Any], copies: int = 1) -> None:
        """Send a request, if the socket is open."""
        opened = self.opened
        if opened is None or opened.socket.close_code is not None or opened.version is None:
            return
        self._count += 1
        id = f"{self.person.plan.number}.{self.seat}.{self._count}"
        numbered = {"id": id, **message}
        self._sent[id] = sent = Sent(opened, self.world.loop.now, numbered, copies)
        self.world.sent.append(sent)
        for _ in range(copies):
            opened.socket.send(json.dumps(numbered))

    def _note_ack(self, id: str, version: int) -> None:
        sent = self._sent.get(id)
        if sent is None:
            self.world.fail("foreign ack", f"an answer to {id!r}, which this screen did not send")
        else:
            sent.acked.append(version)
            if sent.message["type"] == "play":
                self.world.acknowledged += 1

    def _note_refusal(self, message: Message) -> None:
        sent = self._sent.get(message.id)
        if sent is not None:
            sent.refused.append(message.code)
        if message.code == "internal":
            self.world.fail("server error", f"an internal error: {message}")
        if (
            sent is not None
            and sent.message["type"] == "play"
            and message.code != "stale"
            and self.random.random() < 0.6
        ):
            # Try again what could not be done; others wait for what comes.
            self._planned = None
            self.world.call_later(0.5 + self.random.random(), self._plan_move)

    # --- odd things ------------------------------------------------------------------------------------------------

    def act(self, kind: str) -> None:
        opened = self.opened
        if opened is None or opened.socket.close_code is not None:
            return
        if kind == "drop":
            self._old_since = self.random.random() < 0.5
            opened.socket.drop()
        elif kind == "vanish":
            opened.socket.vanish()
        elif kind == "stall":
            self._stalled_until = self.world.loop.now + self.random.choice((0.5, 3.0, 25.0))
        elif kind == "garbage":
            opened.socket.send(self.random.choice(GARBAGE))
        elif kind == "foreign seat":
            self.world.spawn(self._open_foreign_seat(), kind)
        else:
            self._send_odd(kind)

    def _send_odd(self, kind: str) -> None:
        move = self.random.choice(self.legal) if self.legal else "a1"
        decision = self.decision["id"] if self.decision is not None else "0.0"
        if kind == "play twice":
            self.send({"type": "play", "decision": decision, "move": move}, copies=self.random.choice((2, 3)))
        elif kind == "play stale":
            seat, _, serial = decision.partition(".")
            self.send({"type": "play", "decision": f"{seat}.{max(0, int(serial) - 1)}", "move": move})
        elif kind == "play for another":
            seat, _, serial = decision.partition(".")
            self.send({"type": "play", "decision": f"{int(seat) + 1}.{serial}", "move": move})
        elif kind == "play nonsense":
            self.send({"type": "play", "decision": decision, "move": self.random.choice(("", "zz", "draw 1", "\x00"))})
        elif kind == "play without decision":
            self.send({"type": "play", "move": move})
        elif kind == "chat":
            self.send({"type": "chat", "text": f"line {self.person.plan.number} {self.seat} {self._count}"})
        elif kind in ("preview", "why"):
            self.send({"type": kind, "move": move})
        else:
            self.send({"type": kind.replace(" ", "_")})

    async def _open_foreign_seat(self) -> None:
        """Try to see the table from a seat of another person."""
        person = self.person
        theirs = [seat for seat, chair in enumerate(person.table_plan.chairs) if chair != person.plan.number]
        if not theirs:
            return
        query = f"since=0&seat={self.random.choice(theirs)}&invite={person.invite}"
        try:
            worker = person.worker()
        except ConnectionLost:
            return
        path = f"/ws/v1/tables/{person.table_id}"
        socket = Socket(self.world, worker, person.address, path, query, person.cookie, 65_536, self.random)
        socket.open()
        while (read := await socket.read()) is not None:
            text = read[1]
            if read_message(text).type != "error":
                self.world.fail("leak", f"{person.name} sees the table from a seat of another: {text[:200]}")
        if socket.close_code not in (1006, 1012, 4401, 4404, 4429):
            self.world.fail("leak", f"a foreign seat is closed with {socket.close_code}")


GARBAGE = (
    "",
    "{",
    "[]",
    '{"type":"play"}',
    '{"type":"play","id":"x","move":5}',
    '{"type":"fly","id":"x"}',
    '{"type":"ping","id":"x","more":1}',
    "\ud7ff" * 10,
    "x" * 5_000,
)
