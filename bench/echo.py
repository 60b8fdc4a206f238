"""The least a server of this kind could do: take a message, store it durably, send it back. For `bench/server.py`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import uvicorn
from litestar import Litestar, WebSocket, get, websocket
from litestar.exceptions import WebSocketDisconnect

from wellies.server.commits import Committer
from wellies.server.metrics import Metrics
from wellies.server.run import address_of, listen
from wellies.server.settings import load
from wellies.server.storage import Storage, TableChange
from wellies.table import LogEntry

NUMBERS = count()


@get("/health")
async def health() -> str:
    return "ok"


async def _echo(socket: WebSocket[Any, Any, Any], lock: asyncio.Lock | None) -> None:
    committer: Committer = socket.app.state.committer
    await socket.accept()
    table, number = f"t{next(NUMBERS)}", 0
    try:
        while True:
            text = await socket.receive_text()
            number += 1
            change = TableChange(table, [LogEntry(number, "move", 0, text, 0)], number, "", None)
            if lock is None:
                await committer.store(change)
            else:
                async with lock:
                    await committer.store(change)
            await socket.send_text(text)
    except WebSocketDisconnect:
        return


@websocket("/group")
async def group(socket: WebSocket[Any, Any, Any]) -> None:
    await _echo(socket, None)


@websocket("/single")
async def single(socket: WebSocket[Any, Any, Any]) -> None:
    lock: asyncio.Lock = socket.app.state.lock
    await _echo(socket, lock)


def main() -> None:
    settings = load({}).settings

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        storage = Storage(settings.database)
        await storage.migrate()
        app.state.committer = Committer(storage, Metrics())
        app.state.lock = asyncio.Lock()
        yield
        await app.state.committer.close()
        await storage.close()

    app = Litestar([health, group, single], lifespan=[lifespan], logging_config=None)
    listening = listen(settings)
    print(f"Echo is at {address_of(listening)}", flush=True)
    config = uvicorn.Config(app, log_config=None, ws="websockets-sansio", ws_per_message_deflate=False)
    uvicorn.Server(config).run(sockets=[listening])
