"""Simulated connections between clients and workers: requests and sockets, as an ASGI server hands them over."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from simulation.worker import Worker
    from simulation.world import World

PATIENCE: Final = 30.0
"""Seconds after which a client gives up a request."""
SILENCE: Final = 30.0
"""Seconds after which a server notices that a client has vanished: uvicorn's pings find out."""
HOST: Final = "wellies.test"


class ConnectionLost(Exception):
    """The worker is not there, or died before it answered."""


@dataclass(frozen=True)
class Answered:
    """The answer to a request."""

    status: int
    body: bytes
    cookies: list[str]
    asker: str = ""
    """The identity of who asked, at the time of asking: they may log out before the answer comes."""

    def json(self) -> Any:
        return json.loads(self.body)


def _headers(cookie: str) -> list[tuple[bytes, bytes]]:
    headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
    return [*headers, (b"cookie", cookie.encode())] if cookie else headers


class Request:
    """One request to one worker."""

    def __init__(self, world: World, worker: Worker, address: str) -> None:
        self._world = world
        self._worker = worker
        self._address = address
        self._answer: asyncio.Future[Answered] = world.loop.create_future()
        self._status = 0
        self._cookies: list[str] = []
        self._body = b""

    async def send(self, method: str, path: str, query: str, cookie: str, body: bytes, random: Random) -> Answered:
        """The answer; ConnectionLost if none comes."""
        await asyncio.sleep(random.uniform(0.0002, 0.01))
        worker = self._worker
        if not worker.serving:
            raise ConnectionLost
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": _headers(cookie),
            "client": (self._address, 40_000),
            "server": (HOST, 80),
            "state": {},
        }
        events: deque[dict[str, Any]] = deque([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> dict[str, Any]:
            if events:
                return events.popleft()
            await asyncio.Event().wait()
            raise AssertionError

        self._world.trace("request", worker.number, self._address, method, path, body)
        worker.requests[self] = worker.run(self._serve(scope, receive), "request")
        try:
            answer = await asyncio.wait_for(asyncio.shield(self._answer), PATIENCE)
        except TimeoutError as error:
            raise ConnectionLost from error
        self._world.trace("answer", worker.number, self._address, answer.status, answer.body)
        await asyncio.sleep(random.uniform(0.0002, 0.01))
        return answer

    async def _serve(self, scope: dict[str, Any], receive: Any) -> None:
        try:
            await self._worker.app(scope, receive, self._on_send)  # type: ignore[arg-type]
        finally:
            self._worker.requests.pop(self, None)
            self.lose()

    async def _on_send(self, event: Any) -> None:
        if event["type"] == "http.response.start":
            self._status = event["status"]
            self._cookies = [value.decode() for name, value in event["headers"] if name.lower() == b"set-cookie"]
        else:
            self._body += event.get("body", b"")
            if not event.get("more_body") and not self._answer.done():
                self._answer.set_result(Answered(self._status, self._body, self._cookies))

    def lose(self) -> None:
        """The worker has died, or has given up."""
        if not self._answer.done():
            self._answer.set_exception(ConnectionLost())
            self._answer.exception()  # nobody need ask for it


class Socket:
    """One socket between a client and a worker. Messages keep their order in both directions."""

    def __init__(
        self,
        world: World,
        worker: Worker,
        address: str,
        path: str,
        query: str,
        cookie: str,
        capacity: int,
        random: Random,
    ) -> None:
        self.world = world
        self.worker = worker
        self._random = random
        self._capacity = capacity
        self._address = address
        self._path, self._query, self._cookie = path, query, cookie
        self.close_code: int | None = None
        """Why the client sees it closed; None while it is open."""
        self._to_server: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])
        self._server_waits: asyncio.Future[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._waiting_bytes = 0
        self._server_sees_end = False
        """Whether the server has been told that it is over."""
        self._close_sent = False
        self._shut_down = False
        self._inbox: deque[tuple[float, str]] = deque()
        """Messages, each with the time at which the server wanted to send it."""
        self._arrived = asyncio.Event()
        self._last_arrival = [0.0, 0.0]
        """When the last message arrived at the server, and at the client: the next one does not overtake it."""

    # --- as the client uses it -------------------------------------------------------------------------------------

    def open(self) -> None:
        """Connect."""
        if not self.worker.serving:
            self._end(1006)
            return
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": self._path,
            "raw_path": self._path.encode(),
            "query_string": self._query.encode(),
            "root_path": "",
            "headers": _headers(self._cookie),
            "client": (self._address, 40_000),
            "server": (HOST, 80),
            "subprotocols": [],
            "state": {},
        }
        self.world.trace("connect", self.worker.number, self._address, self._path, self._query)
        self.worker.sockets[self] = self.worker.run(self._serve(scope), "socket")

    def send(self, text: str) -> None:
        """Send a message to the server."""
        if self.close_code is None:
            self.world.trace("sends", self._address, text)
            self._later(0, self._arrive_at_server, {"type": "websocket.receive", "text": text, "bytes": None})

    async def read(self) -> tuple[float, str] | None:
        """The next message, and when the server wanted to send it; None when the socket is closed."""
        while not self._inbox:
            if self.close_code is not None:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        sent, text = self._inbox.popleft()
        self._waiting_bytes -= len(text)
        if self._waiting_bytes <= self._capacity:
            self._writable.set()
        return sent, text

    def drop(self) -> None:
        """The client closes the connection."""
        self._end(1001)
        self._later(0, self._tell_server, 1005)

    def vanish(self) -> None:
        """The client is gone, and nobody tells the server."""
        self._end(1006)
        self.world.call_later(SILENCE, self._tell_server, 1005)

    def lose(self) -> None:
        """The worker has died."""
        self._later(1, self._end, 1006)

    def _later(self, way: int, call: Any, *args: Any) -> None:
        """Do something when it has travelled to the server (0) or to the client (1)."""
        at = max(self._last_arrival[way] + 1e-6, self.world.loop.now + self._random.uniform(0.0002, 0.02))
        self._last_arrival[way] = at
        self.world.call_at(at, call, *args)

    def _end(self, code: int) -> None:
        if self.close_code is None:
            self.close_code = code
            self._arrived.set()

    def _arrive_at_client(self, sent: float, text: str) -> None:
        if self.close_code is None:
            self._inbox.append((sent, text))
            self._arrived.set()

    # --- as the server uses it -------------------------------------------------------------------------------------

    async def _serve(self, scope: dict[str, Any]) -> None:
        try:
            await self.worker.app(scope, self._receive, self._send)  # type: ignore[arg-type]
        except OSError:
            pass  # what an ASGI server does when the client is gone
        finally:
            self.worker.sockets.pop(self, None)
            self._later(1, self._end, 1006)

    def _arrive_at_server(self, event: dict[str, Any]) -> None:
        self._to_server.append(event)
        if self._server_waits is not None and not self._server_waits.done():
            self._server_waits.set_result(None)

    def _tell_server(self, code: int, *, unblock: bool = True) -> None:
        if not self._server_sees_end:
            self._server_sees_end = True
            self._arrive_at_server({"type": "websocket.disconnect", "code": code})
        if unblock:
            self._writable.set()

    async def _receive(self) -> dict[str, Any]:
        while not self._to_server:
            self._server_waits = self.world.loop.create_future()
            await self._server_waits
        return self._to_server.popleft()

    async def _send(self, event: Any) -> None:
        sent = self.world.loop.now
        await self._writable.wait()
        if self._shut_down or (self._server_sees_end and not self._close_sent):
            raise OSError("the client is gone")
        if self._close_sent:
            raise RuntimeError("a message after the close")
        if event["type"] == "websocket.send":
            text = event["text"]
            self.world.trace("sent", self.worker.number, self._address, text)
            self._waiting_bytes += len(text)
            if self._waiting_bytes > self._capacity:
                self._writable.clear()
            self._later(1, self._arrive_at_client, sent, text)
        elif event["type"] == "websocket.close":
            self.world.trace("closed", self.worker.number, self._address, event.get("code"))
            self._close_sent = True
            self._later(1, self._end, event.get("code", 1000))
            self._tell_server(event.get("code", 1000))

    def shut_down(self) -> None:
        """The server stops: it closes its sockets first. A message that waits to be sent goes on waiting."""
        self._shut_down = True
        self._later(1, self._end, 1012)
        self._tell_server(1012, unblock=False)
