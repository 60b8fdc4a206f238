"""The server that is fuzzed: a process of its own, its log, and a game of two others that must not notice anything."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from server.fuzz.answers import Problem, check_http, check_socket, frames_in
from server.fuzz.inputs import Input, World
from server.fuzz.socket_grammar import CLOSE, TEXT, frame
from server.serving import Worker

import wellies
from wellies.client import Client
from wellies.table.ids import public_id

SETTINGS: dict[str, Any] = {
    "header_seconds": 1.0,
    "body_seconds": 1.0,
    "bot_seconds": 2.0,
    "bot_tables_each": 2,
    "hint_level": "greedy",
    "stand_in_level": "random",
    "analysis_seconds": 1.0,
    "tables_in_memory": 60,
}
MOST_MEGABYTES = 450
"""More memory than the server may take, however much it was sent."""
READ_AT_MOST = 8_000_000
ANSWER_WITHIN = 100.0
"""Seconds after which a server that neither answers nor closes the connection counts as hung."""
TIMES = 5
"""How often an input is sent to see whether it fails: some do so only if the server is busy."""
LEFT_OPEN = 0.3
"""Seconds after which the fuzzer leaves a socket that it has left in the middle of a frame."""


class Canary:
    """Ann and Ben play at a private table, one move after another."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.moves = 0
        self.games = 0
        self.secrets: dict[str, bytes] = {}
        self._stack = contextlib.AsyncExitStack()

    async def begin(self) -> None:
        """A new game."""
        await self._stack.aclose()
        ann, ben = [await self._stack.enter_async_context(Client(self._url)) for _ in range(2)]
        people = [await ann.guest("Ann"), await ben.guest("Ben")]
        made = await ann.create_table("guppies", ["me", "open"], options={"tiles": 64}, private=True)
        await ben.join(made["id"], 1, made["invite"])
        await ann.act(made["id"], "start")
        self.seats = [
            await self._stack.enter_async_context(client.table(made["id"], seat=seat))
            for seat, client in enumerate((ann, ben))
        ]
        self.table = str(made["id"])
        self.secrets = {"the invitation to a private table": made["invite"].encode()}
        self.secrets |= {f"the id of {person['name']}": person["id"].encode() for person in people}
        self.games += 1

    async def move(self) -> None:
        """One more move. It is stored, and the other one sees it."""
        if not self.games or any(seat.finished for seat in self.seats):
            await self.begin()
        one, other = self.seats
        mover = one if one.decision is not None else other
        await mover.until(lambda now: now.decision is not None or now.finished)
        await mover.play(mover.legal[0]["move"])
        for seat in self.seats:
            await seat.until(lambda now: now.version >= mover.version)
            if seat.gone is not None or seat.chat:
                raise Problem(f"the game of others is disturbed: {seat.gone} {seat.chat}")
        self.moves += 1

    async def close(self) -> None:
        await self._stack.aclose()


class Line:
    """One connection to the server, and all that came over it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.heard = bytearray()
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        with contextlib.suppress(ConnectionError):
            while len(self.heard) < READ_AT_MOST and (more := await self._reader.read(65_536)):
                self.heard += more
                self._news.set()
        self._news.set()

    async def _send(self, piece: bytes) -> None:
        with contextlib.suppress(ConnectionError):
            self._writer.write(piece)
            await self._writer.drain()

    async def _until(self, happened: Callable[[], bool]) -> None:
        """Wait until this is so, or the server has closed the connection."""
        while not happened() and not self._task.done():
            await self._news.wait()
            self._news.clear()

    def _has(self, head: int, part: bytes) -> bool:
        """Whether a message with this in it has come, or a close frame."""
        return any(opcode == CLOSE or part in content for opcode, content in frames_in(self.heard, head))

    async def ask(self, given: Input) -> None:
        """Send requests, and read until the server closes the connection."""
        for piece in given.pieces:
            await self._send(piece)
        await self._task

    async def talk(self, given: Input) -> None:
        """Open a socket and send messages; after the last one, wait for the answer to a ping and close."""
        await self._send(given.pieces[0])
        await self._until(lambda: b"\r\n\r\n" in self.heard)
        if self.heard.startswith(b"HTTP/1.1 101"):
            head = self.heard.index(b"\r\n\r\n") + 4
            await self._until(lambda: self._has(head, b"{"))
            for piece in given.pieces[1:]:
                await self._send(piece)
            if not given.ends:
                await asyncio.wait({self._task}, timeout=LEFT_OPEN)
                return
            await self._send(frame(TEXT, b'{"type":"ping","id":"the end"}'))
            await self._until(lambda: self._has(head, b'"id":"the end"'))
            await self._send(frame(CLOSE, b"\x03\xe8"))
        await self._task

    async def close(self) -> None:
        self._writer.transport.abort()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


class Target:
    """A running server, and what may be sent to it."""

    def __init__(self, **more: Any) -> None:
        self._settings = {**SETTINGS, **more}
        self._folder = tempfile.TemporaryDirectory(prefix="wellies-fuzz-")
        self._database = Path(self._folder.name) / "wellies.db"
        self._log = Path(self._folder.name) / "log"
        self.seen: Counter[str] = Counter()
        self._start()

    def _start(self) -> None:
        with self._log.open("ab") as errors:
            self._worker = Worker(str(self._database), errors=errors, **self._settings).wait_ready()
        self._read = self._log.stat().st_size
        self.canary = Canary(self._worker.url)
        self.world = World()

    async def close(self) -> None:
        await self.canary.close()
        await asyncio.to_thread(self._worker.stop)
        self._folder.cleanup()

    # --- what the fuzzer knows -------------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Eve, the fuzzer, has a cookie that works, and tables of all kinds."""
        if not self.canary.games:
            await self.canary.begin()
        world = self.world
        if world.cookies:
            async with Client(self._worker.url, cookie=world.cookies[0].decode()) as eve:
                if (await eve.http.get("/api/v1/me")).status_code == 200:
                    return
        async with Client(self._worker.url) as eve, Client(self._worker.url) as mallory:
            # Each time under another name, for the fuzzer makes accounts of the names it has.
            people = [
                await eve.guest(f"Eve {uuid.uuid4().hex[:8]}"),
                await mallory.guest(f"Mallory {uuid.uuid4().hex[:8]}"),
            ]
            record = _finished_record()
            made = [
                await eve.create_table("guppies", ["me", "me"], start=True),
                await eve.create_table("guppies", ["me", "random"], options={"tiles": 64}, start=True),
                await eve.create_table("marram", ["me", "open"], private=True),
                await eve.create_table("puppies", ["me", "random"], start=True),
                await mallory.create_table("umbradeco", ["me", "open"]),
                await eve.request("POST", "/import", {"record": record}),
            ]
            world.cookies[:] = [(client.cookie or "").encode() for client in (eve, mallory)]
            world.tables[:] = [str(table["id"]).encode() for table in made] + [self.canary.table.encode()]
            world.people[:] = [(public_id(person["id"]) or "").encode() for person in people]
            world.invites[:] = [made[0]["invite"].encode(), made[2]["invite"].encode(), b"wrongWrongWrongWrongWr"]
            world.records[:] = [record, record[: len(record) // 2], record.replace("Game: guppies", "Game: marram")]

    # --- sending ---------------------------------------------------------------------------------------------------

    async def send(self, given: Input) -> None:
        """Send an input and look at all answers. Problem if one of them is not clean."""
        line = Line(*await asyncio.open_connection("127.0.0.1", self._worker.port))
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                await (line.talk(given) if given.kind == "socket" else line.ask(given))
        except TimeoutError as error:
            raise Problem("the server neither answers nor closes the connection") from error
        finally:
            await line.close()
        self._check(given, bytes(line.heard))

    def _check(self, given: Input, data: bytes) -> None:
        (check_http if given.kind == "http" else check_socket)(data, self.seen)
        for what, secret in self.canary.secrets.items():
            if secret in data:
                raise Problem(f"{what} is told: {data[:2_000]!r}")

    # --- how the server is -----------------------------------------------------------------------------------------

    def check_process(self) -> None:
        """The process lives, has logged no error, and takes no more memory than it should."""
        if not self._worker.alive:
            raise Problem(f"the server has died: {self._new_log()}")
        text = self._new_log()
        if text:
            raise Problem(f"the log says: {text}")
        if self.megabytes() > MOST_MEGABYTES:
            raise Problem(f"the server takes {self.megabytes()} MB")

    def _new_log(self) -> str:
        with self._log.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        self._read += len(new)
        text = new.decode("utf-8", "replace").replace("\\n", "\n")
        return text if len(text) < 3_000 else f"{text[:1_000]}\n...\n{text[-2_000:]}"

    def megabytes(self) -> int:
        """The memory of the server process, or of the largest one if there are several."""
        children = Path(f"/proc/{self._worker.pid}/task/{self._worker.pid}/children").read_text(encoding="ascii")
        return max(_megabytes(pid) for pid in [self._worker.pid, *map(int, children.split())])

    async def fails(self, given: Input) -> str | None:
        """What goes wrong with this input alone, on a server that is started anew if the last one has died."""
        if not self._worker.alive:
            self._start()
        await self.refresh()
        try:
            await asyncio.gather(*(self.send(self.world.fill(given)) for _ in range(TIMES)))
            await self.canary.move()
            self.check_process()
        except Problem as problem:
            return str(problem)
        return None

    def seeds(self) -> list[bytes]:
        """The seeds of running games, which nobody may know."""
        with contextlib.closing(sqlite3.connect(self._database)) as plain:
            rows = plain.execute("SELECT seed FROM tables WHERE id = ?", (self.canary.table,)).fetchall()
        return [str(row[0]).encode() for row in rows]


def _megabytes(pid: int) -> int:
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return next((int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0)
    return 0  # it has ended meanwhile


def _finished_record() -> str:
    match = wellies.Match(wellies.game("guppies"), seats=2, options={"tiles": 64}, seed=7)
    while match.state.outcome() is None:
        seat = match.state.active()[0]
        match.play(seat, match.spec.move_text(match.state, seat, match.choices(seat)[0]))
    return str(match.record())
