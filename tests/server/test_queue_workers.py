"""Bots that think elsewhere: real `wellies think` processes on a real Redis, killed, missing and unreachable."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import redis
from server.faults import Cable
from server.serving import LONGEST, Running, running, sqlite_file
from services import redis_url

from wellies.client import Client
from wellies.server.botqueue import BotQueue

THINK = "from wellies.cli.app import run; run()"


def own_redis(number: int) -> str:
    """An address of a database on Redis that no other test uses, emptied."""
    url = f"{redis_url().rsplit('/', 1)[0]}/{number}"
    with redis.Redis.from_url(url) as connection:
        connection.flushdb()
    return url


@contextlib.contextmanager
def thinking(url: str) -> Iterator[subprocess.Popen[str]]:
    """A thinker in a process group of its own, which has told that it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", THINK, "think", "--redis", url, "--processes", "1", "--log", "error"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert "Thinking for the bots" in process.stdout.readline()
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def counter(server: Running, name: str) -> int:
    lines = server.hub.metrics.text().splitlines()
    return int(float(next(line.split()[1] for line in lines if line.startswith(f"wellies_{name} "))))


async def rounds(server: Running, count: int) -> None:
    """Some turns against a bot."""
    async with Client(server.url) as client:
        table = await client.create_table("guppies", ["me", "greedy"], start=True)
        async with client.table(table["id"], seat=0) as seat:
            for _ in range(count):
                await seat.until(lambda now: now.decision is not None)
                await seat.play(seat.legal[0]["move"])
            await seat.until(lambda now: now.decision is not None)


async def until_seen(server: Running, count: int) -> None:
    end = time.monotonic() + LONGEST
    pool = server.hub.pool
    assert isinstance(pool, BotQueue)
    while True:
        pool._counted_at = -1e9
        if await pool.worker_count() == count:
            return
        assert time.monotonic() < end, "the queue worker was not seen"
        await asyncio.sleep(0.1)


def on_loop(server: Running, work: object) -> None:
    """Run something on the server's own loop, whose connections it uses."""
    asyncio.run_coroutine_threadsafe(work, server.loop).result(60)  # type: ignore[arg-type]


def test_bots_think_elsewhere_and_here_when_nobody_is_there() -> None:
    url = own_redis(11)
    answers: dict[str, Any] = {}
    with sqlite_file() as database, running(database, redis=url, bots="queue") as server:
        asyncio.run(rounds(server, 1))
        assert counter(server, "bot_moves_elsewhere_total") == 0
        assert counter(server, "bot_moves_total") > 0
        with thinking(url):
            on_loop(server, until_seen(server, 1))
            # Where the thinker needs too long to begin, as on a busy machine, the server thinks for itself.
            end = time.monotonic() + LONGEST
            while counter(server, "bot_moves_elsewhere_total") < 3:
                assert time.monotonic() < end
                asyncio.run(rounds(server, 1))
            while "hint" not in answers:
                assert time.monotonic() < end
                asyncio.run(hint(server, answers))


async def hint(server: Running, answers: dict[str, Any]) -> None:
    """Ask for a hint, and keep it under `hint` if a queue worker has found it."""
    before = counter(server, "bot_moves_elsewhere_total")
    async with Client(server.url) as client:
        table = await client.create_table("guppies", ["me", "me"], start=True, hints="all")
        async with client.table(table["id"], seat=0) as seat:
            found = await seat.hint()
            assert found["reasons"]
            assert found["others"]
            assert await seat.why(found["move"]) is None
            if counter(server, "bot_moves_elsewhere_total") > before:
                answers["hint"] = found


def test_a_queue_worker_killed_in_the_middle_does_not_hold_up_the_table() -> None:
    url = own_redis(12)
    with sqlite_file() as database, running(database, redis=url, bots="queue", bot_seconds=1) as server:
        with thinking(url) as process:
            on_loop(server, until_seen(server, 1))
            os.killpg(process.pid, signal.SIGKILL)
            # The dead one is still on the list: the first job is lost with it.
            asyncio.run(rounds(server, 1))
        assert counter(server, "bot_moves_elsewhere_total") == 0
        assert counter(server, "bot_moves_total") > 0


def test_redis_gone_and_back() -> None:
    url = own_redis(13)
    host, _, port = redis_url().removeprefix("redis://").split("/")[0].rpartition(":")
    cable = Cable(host, int(port))
    through = f"redis://127.0.0.1:{cable.port}/13"
    try:
        with (
            sqlite_file() as database,
            running(database, redis=through, bots="queue", bot_seconds=2) as server,
            thinking(url),
        ):
            on_loop(server, until_seen(server, 1))
            cable.cut()
            asyncio.run(rounds(server, 2))
            assert counter(server, "bot_moves_elsewhere_total") == 0
            cable.mend()
            end = time.monotonic() + LONGEST
            while not counter(server, "bot_moves_elsewhere_total"):
                assert time.monotonic() < end
                asyncio.run(rounds(server, 1))
    finally:
        cable.close()


def test_a_queue_worker_says_what_it_lacks() -> None:
    for arguments, words in (
        ([], "give --redis"),
        (["--redis", "redis://127.0.0.1:1/0"], "does not answer"),
        (["--redis", "http://nowhere"], "is not a Redis address"),
    ):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WELLIES_")}
        done = subprocess.run(
            [sys.executable, "-c", THINK, "think", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        assert done.returncode != 0
        assert words in done.stderr + done.stdout
        assert "Traceback" not in done.stderr
