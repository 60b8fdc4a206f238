"""A machine under full load: bots get slower, but no bot, hint or table fails for lack of a second."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator

import pytest
from server import failing_bots
from server.parts import Server
from server.serving import LONGEST, SOAK, running, sqlite_file

from wellies.client import Client, TableView

BUSY = """
import os, sys
if len(sys.argv) > 1:
    os.sched_setaffinity(0, [int(sys.argv[1])])
print(flush=True)
while True:
    pass
"""

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere no program can be kept to one processor.")


@contextlib.contextmanager
def busy(count: int, *processor: int) -> Iterator[None]:
    """So many programs that never rest, all on one processor if it is given."""
    programs = [
        subprocess.Popen([sys.executable, "-c", BUSY, *map(str, processor)], stdout=subprocess.PIPE)
        for _ in range(count)
    ]
    try:
        for program in programs:
            assert program.stdout is not None
            program.stdout.readline()
        yield
    finally:
        for program in programs:
            program.kill()
            program.communicate()


@needs_linux
def test_a_bot_that_waits_for_a_processor_is_not_out_of_time() -> None:
    """It needs 0.7 seconds of the one that it may have, and so takes several; it has one second of work."""
    with sqlite_file() as database, running(database, bot_seconds=1) as server:
        server.hub.pool.think = failing_bots.think_hard

        async def scenario() -> None:
            async with Client(server.url) as client:
                table = await client.create_table("guppies", ["me", "greedy"], start=True)
                async with client.table(table["id"], seat=0) as seat:
                    with busy(2, *failing_bots.FIRST_PROCESSOR):
                        await seat.play("a0@0,0")
                        started = time.monotonic()
                        await seat.until(lambda now: now.decision is not None, LONGEST)
                    assert time.monotonic() - started > 1.2, "it had to wait"
            assert "wellies_bot_crashes_total 0.0\n" in server.hub.metrics.text()

        asyncio.run(scenario())


@needs_linux
@pytest.mark.skipif(not SOAK, reason="It is for `make soak`: it keeps all processors busy for minutes.")
def test_a_server_on_a_machine_that_has_no_time_to_spare(record_property: Callable[[str, object], None]) -> None:
    """Twice as many programs as processors never rest. Beside them games against strong bots, hints, previews, and the
    analysis of a finished game."""
    with sqlite_file() as database, contextlib.ExitStack() as stack:
        server = Server(database, bot_processes=2, stand_in_seconds=0)
        stack.callback(server.stop)
        server.start()
        stack.enter_context(busy(2 * (os.cpu_count() or 1)))
        waits: dict[str, list[float]] = {"bot": [], "hint": [], "preview": []}

        notices: list[str] = []

        async def listen(view: TableView) -> None:
            async for message in view:
                if message["type"] == "notice":
                    notices.append(message["message"])

        async def timed(kind: str, work: Callable[[], Awaitable[object]]) -> None:
            started = time.monotonic()
            await work()
            waits[kind].append(time.monotonic() - started)

        async def play(client: Client, level: str) -> None:
            table = await client.create_table("umbradeco", ["me", level], start=True)
            async with client.table(table["id"], seat=0) as seat:
                listening = asyncio.create_task(listen(seat))
                for _ in range(4):
                    await timed("bot", lambda: seat.until(lambda now: now.decision is not None))
                    await timed("hint", seat.hint)
                    await timed("preview", lambda: seat.preview(seat.legal[0]["move"]))
                    await seat.play(seat.legal[0]["move"])
                await timed("bot", lambda: seat.until(lambda now: now.decision is not None))
                assert seat.gone is None
                listening.cancel()

        async def analysed(client: Client) -> float:
            table = (await client.create_table("umbradeco", ["greedy", "greedy"], start=True))["id"]
            async with client.table(table) as view:
                await view.until(lambda now: now.finished)
            started = time.monotonic()
            found = await client.request("POST", f"/tables/{table}/analysis")
            while found["state"] not in ("done", "failed"):
                assert time.monotonic() < started + LONGEST
                await asyncio.sleep(1)
                found = await client.request("GET", f"/tables/{table}/analysis")
            assert found["state"] == "done", found
            return time.monotonic() - started

        async def scenario() -> None:
            async with Client(server.url) as client:
                await client.guest("Ann")
                levels = ["storm", "monsoon", "storm", "monsoon"]
                *_, seconds = await asyncio.gather(*(play(client, level) for level in levels), analysed(client))
                assert not notices
                metrics = (await client.http.get("/metrics")).text
                for name in ("bot_crashes", "slow_clients", "storage_errors"):
                    assert f"wellies_{name}_total 0.0\n" in metrics, name
                seen = ", ".join(f"{len(each)} {kind}s (slowest {max(each):.1f} s)" for kind, each in waits.items())
                record_property("says", f"full load: {seen}, an analysis in {seconds:.0f} s; none failed")

        asyncio.run(scenario())
