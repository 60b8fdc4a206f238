"""One page that looks at one table of this device."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Protocol

from wellies.core.events import Json
from wellies.local.live_table import LocalTable
from wellies.local.messages import BUG, BadMessage, id_of, message, read_message
from wellies.table import Refused
from wellies.table.connection import Opening, TableConnection
from wellies.table.settings import HINT_LEVEL

if TYPE_CHECKING:
    from wellies.local.hub import LocalHub

_log = logging.getLogger("wellies.local")


class Pipe(Protocol):
    """Where messages go."""

    def send(self, text: str) -> Awaitable[None]:
        """Give the page a message."""

    def close(self, code: int, reason: str) -> Awaitable[None]:
        """Close the connection."""


class LocalConnection(TableConnection[LocalTable, str]):
    """A connection of the device's one person. Requests are answered one after the other."""

    def __init__(self, hub: LocalHub, live: LocalTable, owner: str, opening: Opening, pipe: Pipe) -> None:
        super().__init__(hub, live, owner, opening)
        self._hub = hub
        self._pipe = pipe

    async def serve(self, since: int, inbox: asyncio.Queue[str]) -> None:
        """Say hello, then answer requests and send what is new, until the connection is closed or this is
        cancelled."""
        self._hub.enter(self.live, self)
        try:
            await self.hello(since)
            self._hub.bots.wake(self.live)
            self._hub.spawn(self._hub.return_to_seats(self.live, self.owner), "return to seats")
            receiving = asyncio.create_task(self._receive_all(inbox), name="read requests")
            try:
                await self.send_all()
            finally:
                receiving.cancel()
                await asyncio.gather(receiving, return_exceptions=True)
        finally:
            self.stop()
            self._hub.leave(self.live, self)

    async def _receive_all(self, inbox: asyncio.Queue[str]) -> None:
        while True:
            text = await inbox.get()
            try:
                kind, fields = read_message(text)
            except BadMessage as error:
                self.refuse_message(id_of(text), error.code, str(error))
            except Refused as error:
                self.refuse_message("", error.code, str(error))  # too long to be read
            else:
                await self.handle(kind, fields)

    # --- what a connection adds ------------------------------------------------------------------------------------

    def _encode(self, kind: str, /, **fields: Any) -> str:
        return message(kind, **fields)

    async def _send(self, message: str) -> None:
        await self._pipe.send(message)

    async def _close_now(self, code: int, reason: str) -> None:
        await self._pipe.close(code, reason)

    async def _games_finished(self) -> int:
        game = self.live.table.setup.game
        finished = [info for info in await self._hub.infos() if info.game == game and info.state == "finished"]
        return sum(any(seat.mine for seat in info.seats) for info in finished)

    async def _chat_so_far(self) -> list[Any]:
        return []

    def _who_is_here(self) -> Any:
        return self.live.presence()

    async def _choose_hint(self, view: Any, seat: int) -> Json:
        return await self._hub.thinking.hint(HINT_LEVEL, view, seat)

    async def chat(self, id: str, text: str) -> None:
        raise Refused("chat_refused", "At a table on this device there is nobody to chat with.", 403)

    def _on_bug(self, kind: str) -> str:
        _log.exception("a request could not be answered: %s", kind)
        return BUG
