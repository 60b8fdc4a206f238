"""Everything that belongs to a person, as a zip file that is made while it is sent."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import structlog

from wellies.core.errors import WelliesError
from wellies.core.sources import monotonic
from wellies.server.identity import Identity
from wellies.server.storage import StorageTrouble
from wellies.server.storage.history import GameFilter
from wellies.table import Refused

if TYPE_CHECKING:
    from wellies.server.hub import Hub

log = structlog.get_logger("wellies.export")

GAMES_AT_ONCE: Final = 100
PIECE: Final = 64 * 1024
"""Bytes that are sent together."""


class _Pieces(io.RawIOBase):
    """A file that is only written to; what was written is taken from it piece by piece."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._buffer += data
        return len(data)

    def take(self, least: int) -> bytes:
        """What was written since, if it is at least so much."""
        if len(self._buffer) < max(1, least):
            return b""
        taken = bytes(self._buffer)
        self._buffer.clear()
        return taken


class Exports:
    """Makes these files, one at a time in each worker."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._storage = hub.storage
        self._busy = False

    async def begin(self, me: Identity) -> AsyncIterator[bytes]:
        """The file, piece by piece. Refused (503) while another one is made."""
        if self._busy:
            raise Refused("busy", "Somebody else is exporting just now; try again in a minute.", 503)
        row = await self._storage.identity(me.id)
        return self._sent(self._stream(me, row["created"] if row else 0))

    async def _sent(self, stream: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
        """The same stream. Whoever reads it may go away at any moment, but no query is cut off in the middle."""
        while True:
            step = asyncio.ensure_future(anext(stream, b""))
            try:
                piece = await asyncio.shield(step)
            except asyncio.CancelledError:
                self._hub.spawn(_end(stream, step), "end an export")
                raise
            if not piece:
                return
            try:
                yield piece
            except GeneratorExit:
                await stream.aclose()
                raise

    async def _stream(self, me: Identity, created: int) -> AsyncGenerator[bytes, None]:
        self._busy = True
        pieces = _Pieces()
        try:
            with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as archive:
                with archive.open("profile.json", "w", force_zip64=True) as file:
                    async for text in self._profile(me, created):
                        file.write(text.encode())
                        if piece := pieces.take(PIECE):
                            yield piece
                async for name, record in self._records(me):
                    archive.writestr(name, record)
                    if piece := pieces.take(PIECE):
                        yield piece
            if piece := pieces.take(0):
                yield piece
        except StorageTrouble as error:
            # The file is cut off, which every program that opens it notices.
            log.warning("an export was cut off", reason=str(error))
            raise
        finally:
            self._busy = False

    async def _profile(self, me: Identity, created: int) -> AsyncIterator[str]:
        """`profile.json`, as text in pieces."""
        storage = self._storage
        about = {"name": me.name, "account": me.account, "id": me.id, "created": created}
        ratings = [asdict(each) for each in await storage.ratings.of_person(me.id)]
        tables = await storage.accounts.tables_of(me.id)
        settings = await storage.accounts.settings_of(me.id)
        yield f'{{"profile":{_json(about)},"settings":{_json(settings)},"ratings":{_json(ratings)},'
        yield f'"tables":{_json(tables)},"games":['
        comma, after = "", None
        while True:
            found = await storage.history.games(me.id, GameFilter(after=after, limit=GAMES_AT_ONCE))
            for game in found:
                yield f"{comma}\n{_json(asdict(game))}"
                comma = ","
            if len(found) < GAMES_AT_ONCE:
                break
            after = (found[-1].finished, found[-1].table)
        yield '],"chat":['
        comma = ""
        async for lines in storage.accounts.chat_of(me.id):
            for line in lines:
                yield f"{comma}\n{_json(line)}"
                comma = ","
        likes = {row["name"]: json.loads(row["value"]) for row in await storage.preferences(me.id)}
        avoided = [{each: row[each] for each in ("name", "kind", "at")} for row in await storage.avoided(me.id)]
        yield f'],"preferences":{_json(likes)},"avoided":{_json(avoided)}}}\n'

    async def _records(self, me: Identity) -> AsyncIterator[tuple[str, str]]:
        """The names and texts of the records of finished games."""
        for row in await self._storage.accounts.tables_of(me.id):
            if row["state"] != "finished":
                continue
            began = monotonic()
            try:
                table = await self._hub.read_table(row["id"])
                record = str(table.record())
            except StorageTrouble:
                raise
            except WelliesError as error:
                # The game is not installed here any more, for example; its row in `profile.json` is there all the same.
                log.warning("a record could not be exported", table=row["id"], reason=str(error))
                continue
            yield f"records/{row['game']}-{row['id']}.wellies", record
            # Players come first: no more than half of the time is used.
            await asyncio.sleep(monotonic() - began)


async def _end(stream: AsyncGenerator[bytes, None], step: asyncio.Future[bytes]) -> None:
    """Close a stream that nobody reads any more, after what it is doing just now."""
    await asyncio.wait([step])
    if not step.cancelled():
        step.exception()  # nobody is left who could be told
    await stream.aclose()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
