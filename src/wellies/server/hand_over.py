"""Keeps the players of a table together: a worker hands a new socket over to the worker that owns the table.

The workers of one parent accept connections from one listening socket, so the players of a table come to different
workers, and each of these would have to follow every move. Therefore a table has an owner among them: the slots of the
workers are put into an order by a hash of slot and table (rendezvous hashing), and the first one that lives is the
owner. If it dies, the tables of this worker alone move on to others; they come back with its successor.

A worker claims the lowest slot that is free, by a lock that ends with the process. It listens on a Unix socket of that
number, in a folder that the parent has made and that nobody else can open. One socket is handed over like this:

1. The giver sends the open file of the connection, and what the client has sent so far.
2. The taker answers that it is ready.
3. The giver says "yours" and closes its own file. Only then does the taker read from the connection, or write to it.

Up to the last step the giver can serve the client itself, and it does so if no other worker answers. So a client is
never served twice. If one of the two dies in between, the connection closes and the client connects again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import socket
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import IO, Final

import structlog

from wellies.core.sources import monotonic
from wellies.server.metrics import Metrics

SOCKET: Final = ".socket"
"""How the name of a Unix socket ends."""
READY: Final = b"r"
YOURS: Final = b"y"
ANSWER_SECONDS: Final = 3.0
"""How long another worker may take to answer."""
AVOID_SECONDS: Final = 10.0
"""How long a worker that took longer is not asked again."""
MOST_BYTES: Final = 1 << 20
"""What a client may have sent before its connection is handed over, at most. One read from it is less."""
SIZE_BYTES: Final = 4
BACKLOG: Final = 1024

log = structlog.get_logger("wellies.workers")

OnReceived = Callable[[socket.socket, bytes], Awaitable[None]]


def is_possible() -> bool:
    """Whether this system can hand open files from one process to another."""
    return hasattr(socket, "AF_UNIX") and hasattr(socket, "send_fds")


class HandOver:
    """One worker's part in it. Before `start`, and if that has failed, this worker serves all clients itself."""

    def __init__(self, folder: Path, metrics: Metrics) -> None:
        self._folder = folder
        self._metrics = metrics
        self.slot: int | None = None
        self._lock: IO[str] | None = None
        self._listening: socket.socket | None = None
        self._avoided: dict[int, float] = {}
        """Until when a slot is not asked again."""
        self._tasks: set[asyncio.Task[None]] = set()

    # --- starting and stopping -------------------------------------------------------------------------------------

    def start(self, on_received: OnReceived) -> None:
        """Take connections from other workers from now on: each is given to `on_received`, with what was read from it.
        If that is impossible it is logged, and none are taken or given."""
        try:
            slot, self._lock = _claim_slot(self._folder)
            self._listening = _listen(self._path(slot))
        except OSError as error:
            log.warning("sockets are not handed over between workers", reason=str(error))
            self._close()
            return
        self.slot = self._metrics.slot = slot
        self._run(self._accept_all(self._listening, on_received), "hand-over")

    async def stop(self) -> None:
        """Take no more. The other workers find out when they ask."""
        if self.slot is not None:
            self._path(self.slot).unlink(missing_ok=True)
        self.slot = None
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._close()

    def _close(self) -> None:
        for file in (self._listening, self._lock):
            if file is not None:
                file.close()
        self._listening = self._lock = None

    def _path(self, slot: int) -> Path:
        return self._folder / f"{slot}{SOCKET}"

    def _run(self, work: Awaitable[None], name: str) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        task.set_name(name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- giving ----------------------------------------------------------------------------------------------------

    def takers(self, table_id: str) -> list[int]:
        """The slots that are to be asked to serve this table, the best first. None if this worker is the owner."""
        if self.slot is None:
            return []
        order = sorted(self._slots(), key=lambda slot: _weight(slot, table_id), reverse=True)
        return order[: order.index(self.slot)] if self.slot in order else []

    def _slots(self) -> list[int]:
        """The slots of all workers that may live."""
        now = monotonic()
        found = [int(name.removesuffix(SOCKET)) for name in os.listdir(self._folder) if name.endswith(SOCKET)]
        return [slot for slot in found if self._avoided.get(slot, 0.0) <= now]

    async def give(self, takers: list[int], client: int, data: bytes) -> bool:
        """Hand an open connection over, with what was read from it. If this is true, it must be closed here without
        another byte; otherwise no other worker has taken it."""
        for slot in takers:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    taken = await self._offer(self._path(slot), client, data)
            except TimeoutError:
                log.warning("another worker does not answer", slot=slot)
                self._avoided[slot] = monotonic() + AVOID_SECONDS
                taken = False
            except OSError as error:
                log.debug("another worker cannot be asked", slot=slot, reason=str(error))
                taken = False
            if taken:
                self._metrics.sockets_handed_over += 1
                return True
        self._metrics.sockets_not_taken += 1
        return False

    async def _offer(self, taker: Path, client: int, data: bytes) -> bool:
        loop = asyncio.get_running_loop()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.setblocking(False)
            connection.connect(str(taker))
            socket.send_fds(connection, [len(data).to_bytes(SIZE_BYTES, "big")], [client])
            await loop.sock_sendall(connection, data)
            if await loop.sock_recv(connection, 1) != READY:
                return False
            # From here on nothing is waited for: the client is the taker's.
            connection.send(YOURS)
            return True

    # --- taking ----------------------------------------------------------------------------------------------------

    async def _accept_all(self, listening: socket.socket, on_received: OnReceived) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                giver, _ = await loop.sock_accept(listening)
            except OSError as error:
                # Too many open files, for instance.
                log.warning("a socket cannot be taken over", reason=str(error))
                await asyncio.sleep(0.1)
                continue
            self._run(self._take(giver, on_received), "taking a socket over")

    async def _take(self, giver: socket.socket, on_received: OnReceived) -> None:
        with giver, contextlib.ExitStack() as stack:
            giver.setblocking(False)
            try:
                async with asyncio.timeout(2 * ANSWER_SECONDS):
                    found = await _receive(giver)
                    if found is None:
                        return
                    client, data = found
                    stack.callback(client.close)
                    loop = asyncio.get_running_loop()
                    await loop.sock_sendall(giver, READY)
                    if await loop.sock_recv(giver, 1) != YOURS:
                        return
            except (OSError, TimeoutError) as error:
                log.debug("a socket was not taken over", reason=str(error))
                return
            stack.pop_all()
        self._metrics.sockets_received += 1
        await on_received(client, data)


async def _receive(giver: socket.socket) -> tuple[socket.socket, bytes] | None:
    """A connection and what was read from it; None if the giver does not send both."""
    loop = asyncio.get_running_loop()
    readable: asyncio.Future[None] = loop.create_future()
    loop.add_reader(giver, _wake, readable)
    try:
        await readable
    finally:
        loop.remove_reader(giver)
    flags = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
    head, files, _, _ = socket.recv_fds(giver, SIZE_BYTES, 1, flags)
    if not files:
        return None
    os.set_inheritable(files[0], False)
    client = socket.socket(fileno=files[0])
    try:
        client.setblocking(False)
        size = int.from_bytes(head, "big")
        data = b""
        while len(data) < size <= MOST_BYTES:
            piece = await loop.sock_recv(giver, size - len(data))
            if not piece:
                break
            data += piece
    except BaseException:
        client.close()
        raise
    if len(data) < size:
        client.close()
        return None
    return client, data


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


def _weight(slot: int, table_id: str) -> bytes:
    return hashlib.blake2b(f"{slot}/{table_id}".encode(), digest_size=8).digest()


def _claim_slot(folder: Path) -> tuple[int, IO[str]]:
    """The lowest slot that no living worker has, and the locked file that holds it."""
    import fcntl  # not on Windows, where nothing is handed over

    for slot in count():
        file = (folder / f"{slot}.lock").open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
        except BaseException:
            file.close()
            raise
        else:
            return slot, file
    raise AssertionError("there are more slots than workers")


def _listen(path: Path) -> socket.socket:
    """The Unix socket of a slot. What a dead worker has left is removed: the slot is ours."""
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.setblocking(False)
        listening.bind(str(path))
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening
