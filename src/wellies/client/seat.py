"""The socket part: one view of one table, kept up to date."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Final
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from wellies.core.errors import WelliesError

PING_SECONDS: Final = 10.0
"""Seconds between two questions whether the server is still there; with no answer in twice the time, it is not."""

OPEN_SECONDS: float = 10.0
"""Seconds that opening a connection may take."""

CLOSE_SECONDS: Final = 2.0
"""Seconds to wait for the server to close the connection too."""

Json = dict[str, Any]


class Disconnected(WelliesError):
    """The connection is gone. A move that was not acknowledged may or may not be stored: look, and send it again with
    the same decision. `code` is the closing code, 0 if there was none."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class TableView:
    """What one sees of a table, and what one says there. `view`, `decision`, `legal`... are as of the last message;
    iterating gives each message as it comes."""

    def __init__(
        self,
        url: str,
        table: str,
        *,
        cookie: str | None,
        seat: int | None,
        since: int,
        invite: str | None,
        legal: str,
        patience: float,
    ) -> None:
        self._base = url.replace("http", "ws", 1) + f"/ws/v1/tables/{table}"
        self._cookie = cookie
        self._query: Json = {"seat": seat, "invite": invite, "legal": legal}
        self._patience = patience
        self._connection: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[str, asyncio.Future[Json]] = {}
        self._heard: asyncio.Queue[Json | None] = asyncio.Queue()
        self._changed = asyncio.Condition()
        self._next = 0
        self.gone: Disconnected | None = None
        self.seat = seat
        self.version = since
        self.table: Json = {}
        self.view: Json | None = None
        self.decision: Json | None = None
        self.legal: list[Any] = []
        self.entries: list[Json] = []
        self.chat: list[Json] = []
        self.presence: Json = {}
        self.clocks: list[Json] = []
        self.undo_offer: Json = {}
        self.hint_offer: Json = {}
        self.asked: Json | None = None
        """A takeback that somebody asks the others for."""

    async def __aenter__(self) -> TableView:
        await self._connect()
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        if self._connection is not None:
            await self._connection.close()

    async def _connect(self) -> None:
        query = {key: value for key, value in {**self._query, "since": self.version}.items() if value is not None}
        headers = {"Cookie": f"wellies={self._cookie}"} if self._cookie else {}
        try:
            self._connection = await connect(
                f"{self._base}?{urlencode(query)}",
                additional_headers=headers,
                max_size=None,
                compression=None,
                proxy=None,
                open_timeout=OPEN_SECONDS,
                ping_interval=PING_SECONDS,
                ping_timeout=2 * PING_SECONDS,
                close_timeout=CLOSE_SECONDS,
            )
            first = json.loads(await self._connection.recv())
        except ConnectionClosed as error:
            raise _gone(error) from error
        except (OSError, InvalidHandshake, TimeoutError) as error:
            raise Disconnected(f"Cannot reach the table: {error}") from error
        if first["type"] == "error":
            # Why we are turned away; the closing code follows.
            with contextlib.suppress(ConnectionClosed):
                await self._connection.recv()
            raise Disconnected(first["message"], self._connection.close_code or 0)
        self._take(first)

    async def _read(self) -> None:
        while True:
            assert self._connection is not None
            try:
                async for raw in self._connection:
                    message = json.loads(raw)
                    self._take(message)
                    async with self._changed:
                        self._changed.notify_all()
                gone = Disconnected("The connection was closed.", self._connection.close_code or 0)
            except ConnectionClosed as error:
                gone = _gone(error)
            self._give_up(gone)
            if not await self._again():
                self.gone = gone
                self._heard.put_nowait(None)
                async with self._changed:
                    self._changed.notify_all()
                return

    async def _again(self) -> bool:
        """Connect again while patience lasts."""
        end = time.monotonic() + self._patience
        pause = 0.05
        while time.monotonic() < end:
            try:
                await self._connect()
            except Disconnected as error:
                if 4400 <= error.code < 4429 and error.code != 4408:
                    return False
                await asyncio.sleep(pause)
                pause = min(1.0, pause * 2)
            else:
                async with self._changed:
                    self._changed.notify_all()
                return True
        return False

    def _give_up(self, gone: Disconnected) -> None:
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Disconnected(str(gone), gone.code))
        self._waiting.clear()

    def _take(self, message: Json) -> None:
        kind = message["type"]
        if kind in ("hello", "update"):
            self.version = message["version"]
            for name in ("view", "decision", "legal", "clocks", "asked"):
                setattr(self, name, message[name])
            self.undo_offer = message["undo"]
            self.hint_offer = message["hint"]
            self.entries += message["entries"]
        if kind in ("hello", "table"):
            self.table = message["table"]
        if kind == "hello":
            self.chat = message["chat"]
        if kind in ("hello", "presence"):
            self.presence = message["presence"]
        if kind == "chat":
            self.chat.append(message["line"])
        answered = message.get("ack") if kind == "update" else message.get("id")
        if answered is not None:
            future = self._waiting.pop(answered, None)
            if future is not None and not future.done():
                future.set_result(message)
        self._heard.put_nowait(message)

    # --- hearing ------------------------------------------------------------------------------------------------------

    async def __aiter__(self) -> AsyncIterator[Json]:
        while True:
            message = await self._heard.get()
            if message is None:
                return
            yield message

    async def until(self, wish: Any, timeout: float = 30.0) -> None:
        """Wait until `wish(self)` is true."""
        async with asyncio.timeout(timeout), self._changed:
            while not wish(self):
                if self.gone is not None:
                    raise self.gone
                await self._changed.wait()

    @property
    def finished(self) -> bool:
        """Whether the game is over, and the view shows its outcome."""
        return self.view is not None and self.view["outcome"] is not None

    # --- saying -------------------------------------------------------------------------------------------------------

    async def request(self, kind: str, **fields: Any) -> Json:
        """Say something and wait for the answer; ServerRefused if the server says no."""
        from wellies.client.client import ServerRefused

        if self._connection is None or self.gone is not None:
            raise self.gone or Disconnected("Not connected.")
        self._next += 1
        id = str(self._next)
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[id] = future
        try:
            await self._connection.send(json.dumps({"type": kind, "id": id, **fields}))
        except ConnectionClosed as error:
            self._waiting.pop(id, None)
            if future.done():
                future.exception()  # the same was found out by the reader
            raise _gone(error) from error
        answer = await future
        if answer["type"] == "error":
            raise ServerRefused(answer["code"], answer["message"], 0)
        return answer

    async def send_raw(self, data: str | bytes) -> None:
        """Send anything at all; for tests."""
        assert self._connection is not None
        await self._connection.send(data)

    async def play(self, move: str, decision: str | None = None) -> Json:
        """Make a move; returns when it is stored. By default it answers the decision that is open now."""
        if decision is None and self.decision is not None:
            decision = self.decision["id"]
        return await self.request("play", move=move, decision=decision)

    async def preview(self, move: str) -> Json:
        return await self.request("preview", move=move)

    async def why(self, move: str) -> str | None:
        refusal: str | None = (await self.request("why", move=move))["refusal"]
        return refusal

    async def undo(self) -> Json:
        """Go back to one's last decision, where nobody need be asked; `undo_offer` says what would happen."""
        return await self.request("undo")

    async def ask_undo(self) -> Json:
        """Ask the other people for it."""
        return await self.request("ask_undo")

    async def answer_undo(self, accept: bool) -> Json:
        """Answer what is asked now; whoever asked lets it stand after all with False."""
        return await self.request("answer_undo", request=(self.asked or {"number": 0})["number"], accept=accept)

    async def hint(self) -> Json:
        return await self.request("hint")

    async def say(self, text: str) -> Json:
        return await self.request("chat", text=text)

    async def ping(self) -> Json:
        return await self.request("ping")


def _gone(error: ConnectionClosed) -> Disconnected:
    code = error.rcvd.code if error.rcvd is not None else 0
    reason = error.rcvd.reason if error.rcvd is not None else ""
    return Disconnected(f"The connection is gone{f': {reason}' if reason else ''}.", code)
