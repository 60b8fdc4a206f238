"""A cable that can be cut, or that lets nothing through: a TCP proxy before a server, a database or Redis."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable


class Cable:
    """Forwards a port of its own to a service. `cut` breaks all connections, with all that hangs in them, and refuses
    new ones; `hang` leaves them open and lets nothing through; `mend` ends both."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._whole = True
        self._flows = asyncio.Event()
        self._flows.set()
        self.port = 0
        self.refused = 0
        """How many connections were tried while it was cut."""
        self.held = 0
        """How many pieces of data have come since it hangs."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(120)
        self.url = f"http://127.0.0.1:{self.port}"

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole:
            self.refused += 1
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection(*self._target)
        except OSError:  # the service is not there
            writer.transport.abort()
            return
        ends = {writer, back}
        self._writers |= ends
        await asyncio.gather(self._pump(reader, back), self._pump(there, writer), return_exceptions=True)
        for end in ends:
            end.transport.abort()
        self._writers -= ends

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65_536):
                self.held += not self._flows.is_set()
                await self._flows.wait()
                target.write(data)
                await target.drain()
        target.transport.abort()

    def cut(self) -> None:
        self._whole = False
        self._do(self._abort)

    def hang(self) -> None:
        self.held = 0
        self._do(self._flows.clear)

    def mend(self) -> None:
        self._whole = True
        self._do(self._flows.set)

    def _abort(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    def _do(self, what: Callable[[], None]) -> None:
        """Do something on the loop of the cable, and wait until it is done."""
        done = threading.Event()
        self._loop.call_soon_threadsafe(what)
        self._loop.call_soon_threadsafe(done.set)
        assert done.wait(120)

    def close(self) -> None:
        self.mend()
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(120)
