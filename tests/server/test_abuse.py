"""What one person, one crowd or one broken line can do to all others: nothing."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from server import troubles
from server.serving import Running, running, sqlite_file
from websockets.asyncio.client import connect

from wellies.client import Client, ServerRefused
from wellies.server.commits import Append
from wellies.server.turns import SOMEBODY, Purpose, Turns


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


# --- time to think --------------------------------------------------------------------------------------------------


def test_lines_take_turns_and_tables_of_bots_alone_come_last() -> None:
    async def scenario() -> None:
        turns = Turns(2)
        done: list[str] = []

        async def think(name: str, purpose: Purpose) -> None:
            async with turns.turn(purpose):
                done.append(name)
                await asyncio.sleep(0)

        async with turns.turn(SOMEBODY), turns.turn(SOMEBODY):
            wishes = [(f"show {number}", Purpose("eve", watched=True)) for number in range(3)]
            wishes += [(f"eve {number}", Purpose("eve")) for number in range(3)]
            wishes += [("ann", Purpose("ann")), ("ben", Purpose("ben"))]
            tasks = [asyncio.create_task(think(*wish)) for wish in wishes]
            given_up = asyncio.create_task(think("nobody", Purpose("carl")))
            await asyncio.sleep(0)
            assert turns.waiting == 9
            given_up.cancel()
            await asyncio.sleep(0)
            assert turns.waiting == 8
        await asyncio.gather(*tasks)
        assert done == ["eve 0", "ann", "ben", "eve 1", "eve 2", "show 0", "show 1", "show 2"]
        assert turns.free == 2

    play(scenario())


def test_one_guests_hundred_thoughts_hold_nobody_up() -> None:
    """Tables of slow bots alone fill every place; somebody else's bot, of any kind, and a hint come soon all the same.
    What counts is how many thoughts of the others are waited for, not how fast the machine is."""
    with sqlite_file() as database, running(database) as server:
        server.hub.pool.think = troubles.dawdle

        async def scenario() -> None:
            async with Client(server.url) as eve, Client(server.url) as ann:
                await eve.guest("Eve")
                for _ in range(12):
                    await eve.create_table("guppies", ["monsoon", "monsoon"], start=True)
                await ann.guest("Ann")
                for level, hints in (("drizzle", False), ("monsoon", False), ("drizzle", True)):
                    waited = []
                    table = await ann.create_table("guppies", ["me", level], start=True)
                    async with ann.table(table["id"], seat=0) as seat:
                        for _ in range(4):
                            await seat.until(lambda now: now.decision is not None, timeout=60)
                            before = server.hub.metrics.bot_moves
                            if hints:
                                await seat.hint()
                            await seat.play(seat.legal[0]["move"])
                            await seat.until(lambda now: now.decision is not None, timeout=60)
                            waited.append(server.hub.metrics.bot_moves - before)
                    # Starting the first process may take as long as many thoughts.
                    assert min(waited) <= 5, (level, hints, waited)

        play(scenario())


def test_one_person_has_so_many_tables_of_bots_alone_only() -> None:
    with sqlite_file() as database, running(database, bot_tables_each=2) as server:
        server.hub.pool.think = troubles.dawdle

        async def scenario() -> None:
            async with Client(server.url) as eve, Client(server.url) as ann:
                await eve.guest("Eve")
                await ann.guest("Ann")
                for _ in range(2):
                    await eve.create_table("umbradeco", ["monsoon", "monsoon"], start=True)
                third = await eve.create_table("umbradeco", ["monsoon", "monsoon"])
                for wish in (
                    eve.create_table("umbradeco", ["monsoon", "monsoon"], start=True),
                    eve.act(third["id"], "start"),
                ):
                    with pytest.raises(ServerRefused) as refused:
                        await wish
                    assert (refused.value.status, refused.value.code) == (429, "too_many")
                await eve.create_table("umbradeco", ["me", "monsoon"], start=True)
                await ann.create_table("umbradeco", ["monsoon", "monsoon"], start=True)

        play(scenario())


def test_a_busy_machine_makes_bots_slower_and_does_not_make_them_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (13.0 * (os.cpu_count() or 1), 0.0, 0.0))
    with sqlite_file() as database, running(database, bot_seconds=1) as server:
        server.hub.pool.think = troubles.sit_long

        async def scenario() -> None:
            async with Client(server.url) as client:
                table = await client.create_table("guppies", ["me", "greedy"], start=True)
                async with client.table(table["id"], seat=0) as seat:
                    await seat.play("a0@0,0")
                    await seat.until(lambda now: now.decision is not None, timeout=60)
            assert "wellies_bot_crashes_total 0\n" in server.hub.metrics.text()

        play(scenario())
