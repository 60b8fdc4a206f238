"""What JavaScript calls: the tables of this device behind a few functions whose arguments and results are text,
numbers, true, false and nothing.

The `host` is an object of JavaScript (in tests, of Python). Its methods may return promises:

- `send(conn, text)`, `close(conn, code, reason)`: to the page behind a connection;
- `load(table)`: `{"row": {...}, "entries": [...]}` as JSON text, the entries in the order of their numbers from 1 on;
  nothing if there is no such table;
- `store(table, first, entries, row)`: add the JSON list `entries`, numbered from `first` on, and replace the row by the
  JSON object `row`, both in one transaction. False, and nothing is stored, if one of the numbers is taken; with no
  entries, if the table is there already; or if `first` is more than 1 and there is no such table: it was removed;
- `put_row(table, row)`: replace the row alone, if there is one;
- `list()`: all rows, as a JSON list of their texts;
- `remove(table)`: remove the row and all entries;
- `choose(task)`, `judge(task)`: what `bot_worker` answers in the second worker; fails if that is lost;
- `name()`, `set_name(name)`: the name of whoever uses this device; nothing, or empty, if there is none.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, Final
from urllib.parse import parse_qsl

from wellies.core.events import Json
from wellies.local.connection import LocalConnection
from wellies.local.hub import DEVICE, LocalHub, no_table
from wellies.local.messages import BUG, message
from wellies.local.routes import LocalRoutes
from wellies.local.settings import LocalSettings
from wellies.local.store import StoredTable
from wellies.table import LogEntry, Refused
from wellies.table.codec import encode
from wellies.table.connection import CLOSE_RESTART, Opening, close_code
from wellies.table.errors import Conflict, StorageTrouble
from wellies.table.log import entry_from_json

SOCKET: Final = "/ws/v1/tables/"
CLOSE_BROKEN: Final = 1011
_log = logging.getLogger("wellies.local")


class HostStore:
    """The store of the host: IndexedDB."""

    def __init__(self, host: Any) -> None:
        self._host = host

    async def load(self, table_id: str) -> StoredTable | None:
        text = await self._call("load", table_id)
        if not isinstance(text, str):
            return None
        found = json.loads(text)
        return StoredTable(found["row"], [entry_from_json(entry) for entry in found["entries"]])

    async def store(self, table_id: str, first: int, entries: list[LogEntry], row: Json) -> None:
        listed = encode([entry.stored() for entry in entries])
        if not await self._call("store", table_id, first, listed, encode(row)):
            raise Conflict

    async def put_row(self, table_id: str, row: Json) -> None:
        await self._call("put_row", table_id, encode(row))

    async def rows(self) -> list[Json]:
        rows = []
        for text in json.loads(await self._call("list")):
            try:
                rows.append(json.loads(text))
            except (TypeError, ValueError):
                _log.warning("a row is damaged and is left out")
        return [row for row in rows if isinstance(row, dict)]

    async def remove(self, table_id: str) -> None:
        await self._call("remove", table_id)

    async def _call(self, name: str, *args: Any) -> Any:
        return await _stored(self._host, name, *args)


class HostWorker:
    """The second worker, behind the host."""

    def __init__(self, host: Any) -> None:
        self._host = host

    async def choose(self, task: str) -> str:
        return str(await _settled(self._host.choose(task)))

    async def judge(self, task: str) -> str:
        return str(await _settled(self._host.judge(task)))


class HostNames:
    """The name that the host keeps."""

    def __init__(self, host: Any) -> None:
        self._host = host

    async def name(self) -> str:
        name = await _stored(self._host, "name")
        return name if isinstance(name, str) else ""

    async def set_name(self, name: str) -> None:
        await _stored(self._host, "set_name", name)


class HostPipe:
    """One connection, as the host knows it."""

    def __init__(self, host: Any, conn: Any) -> None:
        self._host = host
        self._conn = conn

    async def send(self, text: str) -> None:
        await _settled(self._host.send(self._conn, text))

    async def close(self, code: int, reason: str) -> None:
        await _settled(self._host.close(self._conn, code, reason))


async def _settled(value: Any) -> Any:
    """The value, or what a promise of it becomes."""
    return await value if hasattr(value, "__await__") else value


async def _stored(host: Any, name: str, *args: Any) -> Any:
    """What a method of the host that uses its database answers; StorageTrouble if it fails."""
    try:
        return await _settled(getattr(host, name)(*args))
    except Exception as error:
        # Whatever JavaScript throws.
        why = str(error).removeprefix("Error: ").rstrip(".")
        raise StorageTrouble(f"Your browser could not store or read games: {why}.") from error


class LocalApp:
    """The tables of this device."""

    def __init__(self, host: Any, settings: LocalSettings) -> None:
        self._host = host
        self.hub = LocalHub(HostStore(host), HostWorker(host), settings)
        self._routes = LocalRoutes(self.hub, HostNames(host))
        self._inboxes: dict[Any, asyncio.Queue[str]] = {}
        self._serving: dict[Any, asyncio.Task[None]] = {}

    async def request(self, method: str, path: str, body_json: str | None = None) -> str:
        """Answer a request as the server would: `{"status", "body", "text"}` as JSON text. `body` is the JSON of the
        answer; a record comes as `text` instead."""
        answer = await self._routes.request(method, path, body_json if isinstance(body_json, str) else None)
        return encode({"status": answer.status, "body": answer.body, "text": answer.text})

    def connect(self, conn: Any, path: str) -> None:
        """Open a connection to a table: `/ws/v1/tables/ID?seat=0&since=12`. It answers through `host.send`."""
        self.disconnect(conn)
        inbox = self._inboxes[conn] = asyncio.Queue()
        self._serving[conn] = self.hub.spawn(self._serve(conn, path, inbox), "connection")

    def receive(self, conn: Any, text: str) -> None:
        """The page behind a connection has sent a message."""
        inbox = self._inboxes.get(conn)
        if inbox is not None:
            inbox.put_nowait(text)

    def disconnect(self, conn: Any) -> None:
        """The page behind a connection is gone."""
        self._inboxes.pop(conn, None)
        serving = self._serving.pop(conn, None)
        if serving is not None:
            serving.cancel()

    def stored_elsewhere(self, table: str) -> None:
        """Another tab has stored or removed something of a table."""
        self.hub.spawn(self.hub.stored_elsewhere(table), "changes of another tab")

    async def stop(self) -> None:
        """Stop all tasks; what is being stored is stored to the end."""
        await self.hub.stop()

    async def _serve(self, conn: Any, path: str, inbox: asyncio.Queue[str]) -> None:
        pipe = HostPipe(self._host, conn)
        try:
            connection, since = await self._open(pipe, path)
            await connection.serve(since, inbox)
        except Refused as error:
            await self._reject(pipe, close_code(error), error.code, str(error))
        except StorageTrouble as error:
            await self._reject(pipe, CLOSE_RESTART, "storage", str(error))
        except Exception:
            # A bug: the page gets no details, the console has them all.
            _log.exception("a connection could not be served")
            await self._reject(pipe, CLOSE_BROKEN, "internal", BUG)
        finally:
            if self._inboxes.get(conn) is inbox:
                del self._inboxes[conn]
                self._serving.pop(conn, None)

    async def _open(self, pipe: HostPipe, path: str) -> tuple[LocalConnection, int]:
        place, _, query = path.partition("?")
        if not place.startswith(SOCKET):
            raise no_table()
        live = await self.hub.get(place.removeprefix(SOCKET))
        opening = Opening(live.table, DEVICE, dict(parse_qsl(query, keep_blank_values=True)))
        return LocalConnection(self.hub, live, DEVICE, opening, pipe), opening.since

    async def _reject(self, pipe: HostPipe, close: int, code: str, why: str) -> None:
        await pipe.send(message("error", id="", code=code, message=why))
        await pipe.close(close, why[:100])


def open_app(host: Any, settings: LocalSettings | None = None) -> LocalApp:
    """The tables of this device, stored and shown by this host."""
    return LocalApp(host, settings or LocalSettings())
