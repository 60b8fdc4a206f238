"""Sockets are handed over to the worker that owns their table: two workers on one event loop, with an application that
says which of them answers. Each worker has a port of its own, so that a test knows who has accepted a connection."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import uvloop
from server.serving import LONGEST, settings_for, until

from wellies.server import hand_over
from wellies.server.hand_over import HandOver
from wellies.server.metrics import Metrics
from wellies.server.run import address_of, listen, uvicorn_options
from wellies.server.worker import WorkerConfig

LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "asyncio": asyncio.new_event_loop,
    "uvloop": uvloop.new_event_loop,
}


class SayingConfig(WorkerConfig):
    """A worker whose sockets first say who serves them, and then send back what they get."""

    def __init__(self, folder: Path, **more: Any) -> None:
        settings = settings_for("unused.db", **more)
        super().__init__(settings, folder, interface="asgi3", **uvicorn_options(settings))
        self.counters = Metrics()

    def load_app(self) -> Any:
        def make() -> Any:
            assert self.folder is not None
            self.hand_over = HandOver(self.folder, self.counters)
            return self.answer

        return make

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            while (await receive())["type"] != "lifespan.shutdown":
                await send({"type": "lifespan.startup.complete"})
            await send({"type": "lifespan.shutdown.complete"})
        elif scope["type"] == "http":
            await receive()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})
        else:
            await receive()
            await send({"type": "websocket.accept"})
            said = {"slot": self.counters.slot, "client": scope["client"], "path": scope["path"]}
            await send({"type": "websocket.send", "text": json.dumps(said)})
            while (event := await receive())["type"] == "websocket.receive":
                await send({"type": "websocket.send", "text": event["text"]})


class Saying:
    """One worker that runs."""

    def __init__(self, config: SayingConfig) -> None:
        self.config = config
        self.metrics = config.counters
        self.server = uvicorn.Server(config)
        listening = listen(config.settings)
        self.port = int(address_of(listening).rsplit(":", 1)[1])
        self.task = asyncio.create_task(self.server.serve(sockets=[listening]))

    @property
    def hand_over(self) -> HandOver:
        assert self.config.hand_over is not None
        return self.config.hand_over

    def a_table(self) -> str:
        """A table of which this worker is the owner."""
        return next(str(number) for number in range(1000) if not self.hand_over.takers(str(number)))

    async def has_started(self) -> None:
        await until(lambda: self.server.started or self.task.done())

    async def stop(self) -> None:
        self.server.should_exit = True
        await self.task


@contextlib.asynccontextmanager
async def two_workers(folder: Path, **more: Any) -> AsyncIterator[tuple[Saying, Saying]]:
    both = []
    for slot in range(2):
        worker = Saying(SayingConfig(folder, **more))
        both.append(worker)
        await worker.has_started()
        assert worker.metrics.slot == slot
    try:
        yield both[0], both[1]
    finally:
        for worker in both:
            await worker.stop()


@pytest.fixture(params=list(LOOPS))
def play(request: pytest.FixtureRequest) -> Callable[[Awaitable[None]], None]:
    """Runs a scenario on an event loop of each kind, in a thread: in the main one, uvicorn would handle signals."""

    def run(scenario: Awaitable[None]) -> None:
        failed: list[BaseException] = []

        async def whole() -> None:
            async with asyncio.timeout(LONGEST):
                await scenario

        def work() -> None:
            try:
                with asyncio.Runner(loop_factory=LOOPS[request.param]) as runner:
                    runner.run(whole())
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]

    return run


# --- a client that sends exactly the bytes it is told to --------------------------------------------------------------


class RawClient:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @property
    def address(self) -> list[Any]:
        return list(self.writer.get_extra_info("sockname")[:2])

    def send(self, *pieces: bytes) -> None:
        self.writer.write(b"".join(pieces))

    async def head(self) -> bytes:
        return await self.reader.readuntil(b"\r\n\r\n")

    async def opened(self) -> Any:
        """What the first message says."""
        assert b" 101 " in await self.head()
        return json.loads(await self.message())

    async def message(self) -> bytes:
        """The next text, or the code with which the socket is closed."""
        head = await self.reader.readexactly(2)
        size = head[1]
        if size == 126:
            size = int.from_bytes(await self.reader.readexactly(2), "big")
        body = await self.reader.readexactly(size)
        return body if head[0] & 15 == 1 else str(int.from_bytes(body[:2], "big")).encode()

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()


@contextlib.asynccontextmanager
async def connected(worker: Saying) -> AsyncIterator[RawClient]:
    client = RawClient(*await asyncio.open_connection("127.0.0.1", worker.port))
    try:
        yield client
    finally:
        await client.close()


def request_for(table: str, *more: str) -> bytes:
    lines = [
        f"GET /ws/v1/tables/{table}?seat=0 HTTP/1.1",
        "Host: here",
        "Upgrade: websocket",
        "Connection: keep-alive, Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *more,
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def text(words: bytes) -> bytes:
    return bytes([0x81, 0x80 | len(words)]) + bytes(4) + words


# --- what happens -----------------------------------------------------------------------------------------------------


def test_a_socket_is_served_by_the_owner_of_its_table(play: Any, tmp_path: Path) -> None:
    """Whoever has accepted it. Its address stays the client's, and a trusted proxy may name another one."""

    async def scenario() -> None:
        async with two_workers(tmp_path, trusted_proxies="127.0.0.1") as both:
            for owner in both:
                for accepting in both:
                    async with connected(accepting) as client:
                        client.send(request_for(owner.a_table()))
                        said = await client.opened()
                        assert said["slot"] == owner.metrics.slot
                        assert said["client"] == client.address
                        client.send(text(b"one"), text(b"two"))
                        assert [await client.message(), await client.message()] == [b"one", b"two"]
            one, two = both
            assert (one.metrics.sockets_handed_over, one.metrics.sockets_received) == (1, 1)
            assert (two.metrics.sockets_handed_over, two.metrics.sockets_received) == (1, 1)
            async with connected(one) as client:
                client.send(request_for(two.a_table(), "X-Forwarded-For: 192.0.2.7"))
                assert (await client.opened())["client"][0] == "192.0.2.7"

    play(scenario())


@pytest.mark.parametrize("handed_over", [True, False])
def test_no_byte_is_lost(play: Any, tmp_path: Path, handed_over: bool) -> None:
    """Messages in one piece with the head; a head that comes byte by byte; a socket after other requests."""

    async def scenario() -> None:
        async with two_workers(tmp_path) as (one, two):
            table = (two if handed_over else one).a_table()
            async with connected(one) as client:
                client.send(request_for(table), text(b"early"), text(b"later"))
                assert (await client.opened())["slot"] == int(handed_over)
                assert [await client.message(), await client.message()] == [b"early", b"later"]
            async with connected(one) as client:
                for byte in request_for(table) + text(b"slow"):
                    client.send(bytes([byte]))
                    await client.writer.drain()
                    await asyncio.sleep(0)
                assert (await client.opened())["slot"] == int(handed_over)
                assert await client.message() == b"slow"
            async with connected(one) as client:
                for _ in range(2):
                    client.send(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n")
                    assert b" 200 " in await client.head()
                    assert await client.reader.readexactly(2) == b"ok"
                client.send(request_for(table), text(b"kept alive"))
                assert (await client.opened())["slot"] == int(handed_over)
                assert await client.message() == b"kept alive"
            assert one.metrics.sockets_handed_over == 3 * handed_over

    play(scenario())


def test_limits_hold_before_and_after(play: Any, tmp_path: Path) -> None:
    """A head that is too big is refused, one that just fits is handed over; and a bad one is refused by the owner."""

    async def scenario() -> None:
        async with two_workers(tmp_path, header_bytes=2048) as (one, two):
            table = two.a_table()
            async with connected(one) as client:
                client.send(request_for(table, f"X-Long: {'x' * 3000}"))
                assert b" 431 " in await client.head()
            async with connected(one) as client:
                client.send(request_for(table, f"X-Long: {'x' * 1500}"))
                assert (await client.opened())["slot"] == 1
            async with connected(one) as client:
                client.send(request_for(table).replace(b"Version: 13", b"Version: 12"))
                assert b" 400 " in await client.head()
            async with connected(one) as client:
                client.send(request_for(table, "Content-Length: 3"), b"abc")
                assert b" 101 " not in await client.reader.read(100)
            assert one.metrics.sockets_handed_over == 2, "a request with a body stays"

    play(scenario())


def test_without_the_owner_every_worker_serves_the_table(play: Any, tmp_path: Path) -> None:
    """It is gone, with and without saying so; later another worker has its slot."""

    async def scenario() -> None:
        async with two_workers(tmp_path) as (one, two):
            table = two.a_table()
            path = tmp_path / "1.socket"
            await two.stop()
            assert not path.exists()
            assert one.hand_over.takers(table) == []
            with socket.socket(socket.AF_UNIX) as killed:
                killed.bind(str(path))
            assert one.hand_over.takers(table) == [1], "what a killed worker leaves looks alive"
            async with connected(one) as client:
                client.send(request_for(table), text(b"here"))
                assert (await client.opened())["slot"] == 0
                assert await client.message() == b"here"
            assert one.metrics.sockets_not_taken == 1
            successor = Saying(SayingConfig(tmp_path))
            await successor.has_started()
            async with connected(one) as client:
                client.send(request_for(table))
                assert (await client.opened())["slot"] == 1
            await successor.stop()

    play(scenario())


def test_an_owner_that_hangs_is_not_waited_for_twice(
    play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection that was offered to it is served here, and never by it: its answer comes too late."""
    monkeypatch.setattr(hand_over, "ANSWER_SECONDS", 0.2)

    async def scenario() -> None:
        async with two_workers(tmp_path) as (one, two):
            table = two.a_table()
            await two.stop()
            with socket.socket(socket.AF_UNIX) as hanging:
                hanging.bind(str(tmp_path / "1.socket"))
                hanging.listen()
                async with connected(one) as client:
                    client.send(request_for(table))
                    assert (await client.opened())["slot"] == 0
                    giver, _ = hanging.accept()
                    with giver:
                        data, files, _, _ = socket.recv_fds(giver, 4, 1)
                        assert len(files) == 1
                        os.close(files[0])
                        giver.recv(int.from_bytes(data, "big"))
                        with contextlib.suppress(OSError):
                            giver.send(hand_over.READY)
                        assert giver.recv(1) == b"", "it is not told to take the connection"
                    client.send(text(b"here"))
                    assert await client.message() == b"here"
                assert one.hand_over.takers(table) == []

    play(scenario())


def test_a_giver_that_does_not_let_go_is_not_robbed(play: Any, tmp_path: Path) -> None:
    """A worker dies, or serves the client itself, after the other one has said that it is ready."""

    async def scenario() -> None:
        async with two_workers(tmp_path) as (one, _):
            ours, theirs = socket.socketpair()
            loop = asyncio.get_running_loop()
            for last in (b"", b"x"):
                with socket.socket(socket.AF_UNIX) as giver:
                    giver.setblocking(False)
                    giver.connect(str(tmp_path / "0.socket"))
                    data = request_for(one.a_table())
                    socket.send_fds(giver, [len(data).to_bytes(4, "big")], [theirs.fileno()])
                    await loop.sock_sendall(giver, data)
                    assert await loop.sock_recv(giver, 1) == hand_over.READY
                    if last:
                        await loop.sock_sendall(giver, last)
                        assert await loop.sock_recv(giver, 1) == b""
            theirs.close()
            ours.setblocking(False)
            assert await loop.sock_recv(ours, 1) == b"", "nothing was written, and no copy of the file is left open"
            ours.close()
            assert one.metrics.sockets_received == 0

    play(scenario())


def test_a_worker_that_stops_closes_received_sockets(play: Any, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_workers(tmp_path) as (one, two), connected(one) as client:
            client.send(request_for(two.a_table()))
            assert (await client.opened())["slot"] == 1
            await two.stop()
            assert await client.message() == b"1012"
            assert await client.reader.read() == b""

    play(scenario())


def test_a_thousand_quick_clients_leave_no_open_file(play: Any, tmp_path: Path) -> None:
    """They go at any moment: before, during and after the hand-over."""

    async def quick(number: int, worker: Saying, table: str) -> None:
        async with connected(worker) as client:
            if number % 4 == 0:
                return
            client.send(request_for(table))
            if number % 4 == 1:
                return
            if number % 4 == 2:
                client.writer.transport.abort()
                return
            await client.opened()

    async def scenario() -> None:
        async with two_workers(tmp_path) as (one, two):
            tables = [one.a_table(), two.a_table()]
            before = len(os.listdir("/dev/fd"))
            for start in range(0, 1000, 100):
                numbers = range(start, start + 100)
                await asyncio.gather(
                    *(quick(number, (one, two)[number % 8 < 4], tables[number % 2]) for number in numbers)
                )
            await until(lambda: len(os.listdir("/dev/fd")) <= before)
            assert one.metrics.sockets_received + two.metrics.sockets_received > 100

    play(scenario())


def test_only_this_user_can_hand_sockets_over() -> None:
    from wellies.server.run import meeting_folder

    with meeting_folder() as folder:
        assert folder is not None
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()


def test_the_folder_of_a_server_that_was_killed_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wellies.server.run import FOLDER_PREFIX, meeting_folder

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, new, other = tmp_path / f"{FOLDER_PREFIX}left", tmp_path / f"{FOLDER_PREFIX}new", tmp_path / "wellies-notes"
    for folder in (left, new, other):
        folder.mkdir()
    (left / "0.socket").touch()
    for folder in (left, other):
        os.utime(folder, (0, 0))
    with meeting_folder() as running:
        assert running is not None
        os.utime(running, (0, 0))
        assert {new, other, running} == set(tmp_path.iterdir())
        with meeting_folder() as second:
            assert second is not None
            assert {new, other, running, second} == set(tmp_path.iterdir())


def test_tables_are_spread_and_stay_when_a_worker_goes(tmp_path: Path) -> None:
    """Of four workers each owns a fair share, and only the tables of one that is gone change their owner."""
    for slot in range(4):
        (tmp_path / f"{slot}.socket").touch()
    each = HandOver(tmp_path, Metrics())
    tables = [f"{number:012x}" for number in range(2000)]

    def owner(table: str) -> int:
        each.slot = next(slot for slot in range(4) if (tmp_path / f"{slot}.socket").exists())
        found = each.takers(table)
        return found[0] if found else each.slot

    before = {table: owner(table) for table in tables}
    assert all(400 < list(before.values()).count(slot) < 600 for slot in range(4))
    (tmp_path / "2.socket").unlink()
    after = {table: owner(table) for table in tables}
    moved = [table for table in tables if before[table] != after[table]]
    assert moved == [table for table in tables if before[table] == 2]
    assert {after[table] for table in moved} == {0, 1, 3}
