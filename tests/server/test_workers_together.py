"""Several workers of one parent: the players of a table sit at one of them, and go on at another when it is killed."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import httpx
import pytest
from server.parts import Postgres, Server, kill
from server.serving import LONGEST, postgres_database, until
from services import redis_url
from uvicorn.supervisors.multiprocess import Process

from wellies.client import Client, Disconnected, run_bot
from wellies.server.worker import has_started

WORKERS = 3

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells who holds a socket")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres_database() as database:
        server = Server(database, redis=redis_url(), workers=WORKERS)
        server.start()
        try:
            until_all_serve(server)
            yield server
        finally:
            server.stop()


def until_all_serve(server: Server, workers: int = WORKERS) -> None:
    """Each worker takes connections from the others: its Unix socket is there."""

    def meeting_place() -> set[int]:
        return {pid for pid in server.workers() if any(".socket" in path for path in unix_sockets(pid))}

    asyncio.run(until(lambda: len(meeting_place()) == workers))


def unix_sockets(pid: int) -> list[str]:
    """The paths of the Unix sockets that a process listens on."""
    held = inodes(pid)
    lines = Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()[1:]
    return [fields[7] for fields in map(str.split, lines) if len(fields) > 7 and fields[6] in held]


def inodes(pid: int) -> set[str]:
    found = set()
    with contextlib.suppress(OSError):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                target = str(file.readlink())
                if target.startswith("socket:["):
                    found.add(target[8:-1])
    return found


def holders(server: Server, ports: set[int] | None = None) -> Counter[int]:
    """How many connections each worker holds; only those from these ports of clients, if they are given."""
    own = f":{int(server.url.rsplit(':', 1)[1]):04X}"
    connections = {}
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(own) and fields[3] == "01":
            connections[fields[9]] = int(fields[2].rsplit(":", 1)[1], 16)
    wanted = {inode for inode, port in connections.items() if ports is None or port in ports}
    return Counter({pid: count for pid in server.workers() if (count := len(inodes(pid) & wanted))})


def port_of(view: object) -> int:
    port: int = view._connection.local_address[1]  # type: ignore[attr-defined]
    return port


def metric(text: str, name: str) -> float:
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))


def test_the_players_of_a_table_sit_at_one_worker(server: Server) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            await client.guest("Ann")
            used: set[int] = set()
            for _ in range(8):
                table = (await client.create_table("guppies", ["me", "me", "me"], start=True))["id"]
                async with contextlib.AsyncExitStack() as stack:
                    views = [
                        await stack.enter_async_context(client.table(table, seat=seat, legal="text"))
                        for seat in (0, 1, 2, None)
                    ]
                    at = holders(server, {port_of(view) for view in views})
                    assert list(at.values()) == [4], "all at one worker"
                    used.update(at)
                    for view in views[:3]:
                        await view.until(lambda now: now.decision is not None and now.decision["due"])
                        await view.play(view.legal[0])
                    newest = views[2].version
                    await views[3].until(lambda now, newest=newest: now.version >= newest)
            assert len(used) > 1, "and tables at different ones"

    asyncio.run(asyncio.wait_for(scenario(), LONGEST))


def test_metrics_tell_what_was_handed_over(server: Server) -> None:
    """Each question reaches any of the workers, so it is repeated until one that has something to tell was asked."""

    async def scenario() -> None:
        given = received = 0.0
        slots = set()
        async with Client(server.url) as client:
            await client.guest("Ann")
            table = (await client.create_table("guppies", ["me", "me"], start=True))["id"]
            while not (given and received):
                async with client.table(table):
                    pass
                async with httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=LONGEST) as http:
                    text = (await http.get("/metrics")).text
                given = max(given, metric(text, "wellies_sockets_handed_over_total"))
                received = max(received, metric(text, "wellies_sockets_received_total"))
                slots.add(next(line for line in text.splitlines() if line.startswith("wellies_worker_info{")))
        assert slots <= {f'wellies_worker_info{{slot="{slot}"}} 1.0' for slot in range(WORKERS)}

    asyncio.run(asyncio.wait_for(scenario(), LONGEST))


def test_players_go_on_when_their_worker_is_killed(server: Server) -> None:
    """And its successor gets the new sockets of its tables."""
    rng = random.Random(5)

    seen = asyncio.Event()
    """All that happens during the game was seen: it may come to its end."""

    asked: set[int] = set()
    """The seats that were asked for a move, so that their sockets are open."""

    async def choose(_view: object, legal: list[str], seat: int) -> str:
        asked.add(seat)
        await asyncio.sleep(0.0 if seen.is_set() else 0.2)
        return rng.choice(legal)

    async def scenario() -> None:
        async with Client(server.url) as client:
            await client.guest("Ann")
            cookie = client.cookie
            table = (await client.create_table("guppies", ["me", "me", "me"], start=True))["id"]
        await until(lambda: not holders(server))  # connections that were kept open for requests
        before = server.workers()
        players = [
            asyncio.create_task(run_bot(server.url, table, choose, seat=seat, cookie=cookie, patience=LONGEST))
            for seat in range(3)
        ]
        await until(lambda: len(asked) == 3 and list(holders(server).values()) == [3])
        (owner,) = holders(server)
        kill(owner)
        await until(lambda: owner not in holders(server) and holders(server).total() == 3)
        assert not any(player.done() for player in players)
        await until(lambda: len(set(server.workers()) - set(before)) == 1)
        (successor,) = set(server.workers()) - set(before)
        async with Client(server.url, cookie=cookie) as client:
            while True:
                with contextlib.suppress(Disconnected):  # of a worker that is too busy to answer
                    async with client.table(table) as spectator:
                        if successor in holders(server, {port_of(spectator)}):
                            break
                await asyncio.sleep(0.1)
            seen.set()
            assert any(await asyncio.gather(*players)), "the game is played to its end"
            assert (await client.request("GET", f"/tables/{table}/verify"))["ok"]

    asyncio.run(asyncio.wait_for(scenario(), LONGEST))


def test_a_worker_that_cannot_start_is_tried_again_until_the_database_is_back(tmp_path: Path) -> None:
    """The others must not be stopped with it."""
    log = tmp_path / "log"
    with contextlib.ExitStack() as stack, log.open("wb") as output:
        postgres = Postgres()
        postgres.start()
        stack.callback(postgres.stop)
        server = Server(postgres.url, redis=redis_url(), workers=2, log="warning", output=output)
        server.start()
        stack.callback(server.stop)
        until_all_serve(server, 2)
        first, second = server.workers()
        postgres.kill()
        kill(first)
        asyncio.run(until(lambda: log.read_text(encoding="utf-8").count('"exit_code": 3') >= 2))
        assert second in server.workers()
        postgres.start()
        until_all_serve(server, 2)
        assert second in server.workers()
        assert httpx.post(f"{server.url}/api/v1/me", json={"name": "Ann"}, timeout=LONGEST).status_code == 201


def end_when_asked(conn: Connection) -> None:
    conn.recv()


def test_a_worker_that_ends_while_it_is_asked_is_noticed_at_once() -> None:
    asking, answering = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=end_when_asked, args=(answering,), daemon=True)
    process.start()
    # As in the parent of workers, `answering` is open here too, so nothing tells that its owner is gone.
    worker = cast("Process", SimpleNamespace(process=process, parent_conn=asking))
    assert has_started(worker, 10 * LONGEST) is None
    answering.send(True)
    assert has_started(worker, LONGEST) is None, "what it has said before does not count"
