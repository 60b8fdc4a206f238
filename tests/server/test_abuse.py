"""What one person, one crowd or one broken line can do to all others: nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from server.serving import Running, running, sqlite_file
from websockets.asyncio.client import connect

from wellies.client import Client
from wellies.server.commits import Append


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with sqlite_file() as database, running(database) as server:
        yield server


def play(scenario: Any) -> None:
    asyncio.run(asyncio.wait_for(scenario, 120))


async def on_loop(server: Running, work: Any) -> Any:
    """Run something on the server's own loop."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, server.loop))


# --- who leaves in the middle ---------------------------------------------------------------------------------------


class HeldCommits:
    """Keeps commits waiting until they are let go."""

    def __init__(self, server: Running) -> None:
        self._loop = server.loop
        self._go = asyncio.Event()
        self._committer = server.hub.committer
        self._store = self._committer._transaction
        self.waiting = 0

    async def _held(self, batch: list[Append]) -> set[str]:
        self.waiting += 1
        await self._go.wait()
        return await self._store(batch)

    def __enter__(self) -> HeldCommits:
        vars(self._committer)["_transaction"] = self._held
        return self

    def let_go(self) -> None:
        self._loop.call_soon_threadsafe(self._go.set)

    def __exit__(self, *_: object) -> None:
        vars(self._committer).pop("_transaction", None)
        self.let_go()


async def until(happened: Any) -> None:
    """Wait for something to become true; the ceiling is far above what a busy machine needs."""
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.01)


def socket_of(client: Client, server: Running, table: str, query: str = "") -> Any:
    """A plain socket, which does not come back by itself when it breaks."""
    return connect(
        f"{server.url.replace('http', 'ws')}/ws/v1/tables/{table}?{query}",
        proxy=None,
        additional_headers={"Cookie": f"wellies={client.cookie}"},
        max_size=None,
    )


def test_a_move_whose_sender_goes_while_it_is_stored_reaches_the_others(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            live = server.hub.lives[table]
            async with client.table(table, seat=1) as other:
                before = other.version
                mover = await socket_of(client, server, table, "seat=0")
                await mover.recv()
                with HeldCommits(server) as held:
                    await mover.send(json.dumps({"type": "play", "id": "1", "move": "a0@0,0"}))
                    await until(lambda: held.waiting)
                    # The tab is closed while its move is being stored; then somebody comes to watch, of which the one
                    # who has gone would be told.
                    mover.transport.abort()
                    async with client.table(table):
                        await until(lambda: len(live.viewers) == 2)
                        held.let_go()
                        await other.until(lambda now: now.version > before, timeout=20)

    play(scenario())


def test_a_line_of_chat_whose_sender_goes_while_it_is_stored_reaches_the_others(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            live = server.hub.lives[table]
            lock = server.hub.storage.write_lock
            async with client.table(table, seat=1) as other:
                talker = await socket_of(client, server, table, "seat=0")
                await talker.recv()
                await on_loop(server, lock.acquire())
                try:
                    await talker.send(json.dumps({"type": "chat", "id": "1", "text": "Bye!"}))
                    await until(lambda: lock._waiters)
                    talker.transport.abort()
                    async with client.table(table):
                        await until(lambda: len(live.viewers) == 2)
                finally:
                    server.loop.call_soon_threadsafe(lock.release)
                await other.until(lambda now: [line["text"] for line in now.chat] == ["Bye!"], timeout=20)

    play(scenario())
