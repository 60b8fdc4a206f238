"""How long the pages of a history take: a person with many finished games, in SQLite or PostgreSQL.

    python bench/history.py --games 10000
    python bench/history.py --games 10000 --database postgresql+asyncpg://user@host/empty

makes that many finished games of one person, one in two of them of one game, beside as many of others. It asks for each
page so many times, and prints the middle and the longest time and the processor time of this process for one of them,
in milliseconds. What is measured is the store; HTTP comes on top.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import sqlalchemy as sa

from wellies.server.backup import back_up, restore
from wellies.server.finished import FinishedGame, FinishedSeat
from wellies.server.settings import load
from wellies.server.storage import Storage
from wellies.server.storage.finishing import run_in_sqlite
from wellies.server.storage.history import GameFilter

ME = "a" * 24
GAMES = ("umbradeco", "umbradeco", "umbradeco", "umbradeco", "guppies", "marram", "aquarium", "puppies")
RULES = ("row", "push", "stack", "colour", "bonus")
LEVELS = ("drizzle", "shower", "storm", "monsoon")


def made_game(number: int, random: Random, me: str) -> FinishedGame:
    """A finished game as a server would store it."""
    finished = 1_700_000_000_000 + 600_000 * number
    seats = []
    count = random.randint(2, 4)
    ranks = random.sample(range(1, count + 1), count)
    for seat in range(count):
        lines = {rule: random.randint(0, 12) for rule in RULES}
        friend = f"friend{random.randrange(200)}"
        bot = random.choice(LEVELS) if seat and random.random() < 0.6 else ""
        identity = me if seat == 0 else "" if bot else friend
        seats.append(
            FinishedSeat(
                seat,
                identity,
                bot,
                "Ann" if seat == 0 else bot or friend,
                sum(lines.values()),
                ranks[seat],
                "won" if ranks[seat] == 1 else "lost",
                True,
                json.dumps(lines),
                ranks[seat],
            )
        )
    rated = random.random() < 0.5
    game = random.choice(GAMES)
    table = f"{'m' if me == ME else 'o'}{number:025d}"
    return FinishedGame(table, game, finished - 500_000, finished, 40, rated, "" if rated else "friendly", seats)


def fill(file: Path, games: int) -> None:
    """Fill an SQLite file as the server does."""
    random = Random("history")
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for number in range(games):
            friend = f"friend{random.randrange(200)}"
            run_in_sqlite(connection, [made_game(number, random, me) for me in (ME, friend)])
        # One game in three was analysed.
        connection.execute("UPDATE finished_seats SET lost = 4.5, judged = 20 WHERE seat = 0 AND score % 3 = 0")
        connection.execute("COMMIT")


async def measure(storage: Storage, times: int, games: int) -> None:
    history, ratings = storage.history, storage.ratings
    deep = (1_700_000_000_000 + 600_000 * (games // 20), "z")
    pages: dict[str, Callable[[], Awaitable[object]]] = {
        "first page": lambda: history.games(ME, GameFilter()),
        "deep page": lambda: history.games(ME, GameFilter(after=deep)),
        "one game, won, rated": lambda: history.games(ME, GameFilter(game="umbradeco", result="won", rated=True)),
        "an opponent's name": lambda: history.games(ME, GameFilter(opponent="friend17")),
        "a name that nobody has": lambda: history.games(ME, GameFilter(opponent="nobody")),
        "dates": lambda: history.games(ME, GameFilter(until=deep[0])),
        "statistics": lambda: history.statistics(ME, "umbradeco"),
        "profile: games": lambda: history.counts(ME),
        "profile: ratings": lambda: ratings.of_person(ME),
        "chart of the rating": lambda: ratings.trend(ME, "umbradeco"),
        "leaderboard": lambda: ratings.leaderboard("umbradeco", 0, 50),
    }
    print(f"{'':24} {'middle':>8} {'longest':>8} {'processor':>9}  ms")
    for name, ask in pages.items():
        await ask()
        taken, used = [], time.process_time()
        for _ in range(times):
            began = time.perf_counter()
            await ask()
            taken.append(1000 * (time.perf_counter() - began))
        each = 1000 * (time.process_time() - used) / times
        print(f"{name:24} {statistics.median(taken):8.1f} {max(taken):8.1f} {each:9.1f}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--database", help="an empty one; a file in a new folder, if it is left out")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "history.db"
        storage = open_storage(str(file))
        await storage.migrate()
        began = time.perf_counter()
        fill(file, given.games)
        print(f"{2 * given.games} games stored in {time.perf_counter() - began:.0f} s")
        if given.database:
            await storage.close()
            backup = Path(folder) / "history.backup"
            await back_up(str(storage.url.render_as_string()), backup, lambda *_: None)
            storage = open_storage(given.database)
            await restore(storage.url.render_as_string(hide_password=False), backup, lambda *_: None)
            async with storage.writing() as connection:
                await connection.execute(sa.text("ANALYZE"))
        try:
            await measure(storage, given.times, given.games)
        finally:
            await storage.close()


def open_storage(where: str) -> Storage:
    return Storage(load({"database": where}, environment={}).settings.database)


if __name__ == "__main__":
    asyncio.run(main())
