"""How long one waits for a bot at a table, level by level and game by game, next to what the level promises.

    python bench/thinking.py                                  # every level and game, one table and two at once
    python bench/thinking.py --level storm --game guppies --moves 20 --tables 1

A real server is started for each line, with as many processes for bots as there are processors. The other seat is a
client over a socket that plays at random. The wait is what that client sees: from the update that leaves the game to
the bot until the update with the bot's move, so that queueing, processes, storage and the wire are all in it. Where the
bot might act on our turn as well (the Net of Ultimate Aquarium), our own few milliseconds are in it too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

import wellies
from wellies.bots import bot
from wellies.client import Client, TableView

OPEN_LIMITS = {"PORT": "0", "LOG": "error", "REQUESTS_PER_SECOND": "0", "MESSAGES_PER_SECOND": "0"}
LEVELS = ["drizzle", "shower", "storm", "monsoon"]
QUICK = 0.25
"""What is preview_points where no time worth speaking of is: a quarter of a second."""


class Waits:
    """Seconds waited for each move of the bot, over all tables of one line."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.seconds: list[float] = []

    @property
    def done(self) -> bool:
        return len(self.seconds) >= self.wanted

    def line(self, promise: float) -> str:
        times = sorted(self.seconds)
        if not times:
            return "no move of the bot was seen"
        half, most = _at(times, 0.5), _at(times, 0.95)
        kept = "kept" if most <= promise else "BROKEN"
        return f"{len(times):4} moves  p50 {half:6.3f} s  p95 {most:6.3f} s  max {times[-1]:6.3f} s  {kept}"


def _at(times: list[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))]


async def play(client: Client, game: str, level: str, waits: Waits, rng: random.Random) -> None:
    """One table after another, until enough moves were seen."""
    while not waits.done:
        table = await client.create_table(game, ["me", level], start=True)
        async with client.table(table["id"], seat=0) as seat:
            waiter = asyncio.create_task(answer(seat, rng))
            try:
                await listen(seat, waits)
            finally:
                waiter.cancel()
                await asyncio.gather(waiter, return_exceptions=True)


async def answer(seat: TableView, rng: random.Random) -> None:
    """Play at random wherever the game waits for us."""
    while not seat.finished:
        await seat.until(lambda now: now.finished or (now.decision is not None and now.decision["due"]), timeout=600)
        if not seat.finished:
            await seat.play(rng.choice(seat.legal)["move"])


async def listen(seat: TableView, waits: Waits) -> None:
    """Note when the bot is asked and when its move is seen: it moves once or several times, one after the other."""
    asked: float | None = None
    async for message in seat:
        now = time.perf_counter()
        if message["type"] == "update":
            moved = [entry for entry in message["entries"] if entry["kind"] == "move" and entry["seat"] == 1]
            if moved and asked is not None:
                waits.seconds.append(now - asked)
            asked_now = 1 in message["view"]["active"]
            asked = (now if moved or asked is None else asked) if asked_now else None
        if waits.done or seat.finished:
            return


async def measure(url: str, game: str, level: str, tables: int, moves: int) -> Waits:
    waits = Waits(moves)
    async with Client(url, timeout=60) as client:
        await client.guest("Bench")
        # Not counted: the first move of each process, which starts it.
        warm = Waits(2 * tables)
        rngs = [random.Random(number) for number in range(tables)]
        await asyncio.gather(*(play(client, game, level, warm, rng) for rng in rngs))
        # The tables of the warm-up are left in the middle of a game: let their bots finish the thought they are at.
        await asyncio.sleep(bot(level).seconds)
        await asyncio.gather(*(play(client, game, level, waits, rng) for rng in rngs))
    return waits


@contextlib.contextmanager
def server() -> Iterator[str]:
    """`wellies serve` with a database of its own."""
    with tempfile.TemporaryDirectory(prefix="wellies-bench-") as folder:
        environment: dict[str, Any] = {**os.environ, **{f"WELLIES_{name}": text for name, text in OPEN_LIMITS.items()}}
        environment["WELLIES_DATABASE"] = str(Path(folder) / "wellies.db")
        code = "from wellies.cli.serve import serve; serve()"
        process = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[3]
            for _ in range(400):
                with contextlib.suppress(httpx.HTTPError):
                    httpx.get(f"{url}/health", timeout=2, trust_env=False)
                    break
                time.sleep(0.05)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=wellies.list_games(), action="append")
    parser.add_argument("--level", choices=LEVELS, action="append")
    parser.add_argument("--tables", type=int, action="append", help="tables at once; 1 and 2 if left out")
    parser.add_argument("--moves", type=int, default=60, help="moves of the bot to be timed, for each line")
    args = parser.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{os.cpu_count()} processors, load {load:.1f} before")
    for tables in args.tables or [1, 2]:
        for level in args.level or LEVELS:
            promise = bot(level).seconds or QUICK
            for game in args.game or wellies.list_games():
                with server() as url:
                    waits = asyncio.run(measure(url, game, level, tables, args.moves))
                head = f"{tables} at once  {level:8} {game:10} promise {promise:4.2f} s"
                print(f"{head}  {waits.line(promise)}", flush=True)


if __name__ == "__main__":
    main()
