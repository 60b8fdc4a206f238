"""How many moves a second one worker stores and tells, and how long a player waits for the acknowledgement; and how
much processor time several workers use for a move.

    python bench/server.py                      # everything: about five minutes
    python bench/server.py --store sqlite --tables 50 --seats 4 --seconds 5
    python bench/server.py --workers 1,2,4 --tables 50 --seats 4 --seconds 5

One server process; one client process with a socket for every seat of every table. Random movers: whoever has a
decision answers it at once ("full"), or when the pace allows ("half", at half the rate just measured). Each move is
committed before it is acknowledged, and every seat gets the new view. A table that ends is replaced by a new one.
Beside it, in the same run: a bare echo of the same server stack, which stores each message by the same group commit
before it echoes it, and one that commits one by one.

With --workers, each number of them is measured on PostgreSQL and Redis: `wellies serve --workers N`, with the processor
time of each process. If all workers together use 1.0 ms for a move where one alone uses 0.9 ms, four of them carry
4 * 0.9 / 1.0 = 3.6 times one. That holds on a machine with fewer processors too, where the moves a second do not grow.
A worker with little to do uses more time for a move, for each move has a commit of its own. --tables-each gives every
worker as many tables as one alone has; that is another question, and its factor can exceed the number of workers.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import uvloop
from players import Pace, Tally, playing
from processes import ServerProcesses, have_started, of_workers, workers_of
from sockets import ThinSocket, open_socket

POSTGRES = os.environ.get("WELLIES_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432")
REDIS = os.environ.get("WELLIES_TEST_REDIS", "redis://127.0.0.1:6379/0")
OPEN_LIMITS = {
    "PORT": "0",
    "LOG": "error",
    "REQUESTS_PER_SECOND": "0",
    "GUESTS_PER_MINUTE": "0",
    "MESSAGES_PER_SECOND": "0",
    "SOCKETS_EACH": "0",
    "TABLES_IN_MEMORY": "5000",
}


async def measure(server: Started, args: Any, tables: int, seats: int) -> list[str]:
    tally, pace = Tally(), Pace()
    async with playing(server.url, args, tables, seats, tally, pace) as stagger:
        lines = []
        stagger.release()
        await asyncio.sleep(1.0)
        full = await count(tally, args.seconds, server.processes())
        lines.append(f"full {full.line(args.seconds)}")
        for name, rate in (("half", full.moves / args.seconds / 2), ("500/s", 500.0)):
            pace.set(rate)
            await asyncio.sleep(1.0)
            paced = await count(tally, args.seconds, server.processes())
            lines.append(f"{name} {paced.line(args.seconds)}")
    return lines


async def measure_workers(server: Started, args: Any, tables: int, seats: int) -> tuple[Tally, Tally]:
    """While everybody looks and nobody moves, and while everybody moves as soon as they may."""
    tally, pace = Tally(), Pace()
    async with playing(server.url, args, tables, seats, tally, pace) as stagger:
        idle = await count(tally, args.seconds, server.processes())
        stagger.release()
        await asyncio.sleep(1.0)
        return idle, await count(tally, args.seconds, server.processes())


async def count(tally: Tally, seconds: float, processes: ServerProcesses) -> Tally:
    before = await processes.read()
    tally.counting = True
    tally.moves, tally.waits, tally.errors = 0, [], {}
    await asyncio.sleep(seconds)
    tally.counting = False
    after = await processes.read()
    done = Tally()
    done.used = {name: used - before[name] for name, used in after.items()}
    done.moves, done.waits, done.errors = tally.moves, tally.waits, tally.errors
    tally.waits = []
    return done


async def measure_echo(server: Started, seconds: float, connections: int, path: str) -> str:
    host, port = server.url.removeprefix("http://").split(":")
    tally = Tally()
    sockets: list[ThinSocket] = []
    sent = [0.0] * connections

    def hearer(number: int) -> Any:
        def hear(_socket: ThinSocket, _raw: bytes) -> None:
            now = time.perf_counter()
            if tally.counting:
                tally.moves += 1
                tally.waits.append(now - sent[number])
            sent[number] = now
            sockets[number].send(b"a2@1,-1")

        return hear

    for number in range(connections):
        sockets.append(await open_socket(host, int(port), path, hearer(number)))
    for number, socket in enumerate(sockets):
        sent[number] = time.perf_counter()
        socket.send(b"a2@1,-1")
    await asyncio.sleep(0.5)
    done = await count(tally, seconds, server.processes())
    for socket in sockets:
        socket.close()
    return done.line(seconds)


class Started:
    """A server process, and its address."""

    def __init__(self, process_id: int, url: str, postgres: str, redis_address: str) -> None:
        self.process_id = process_id
        self.url = url
        self._postgres = postgres
        self._redis = redis_address

    def processes(self) -> ServerProcesses:
        return ServerProcesses(self.process_id, self._postgres, self._redis)


@contextlib.contextmanager
def started(code: str, database: str, workers: int = 0) -> Iterator[Started]:
    """A server with this database; with so many workers and Redis, if there are to be any."""
    environment = {**os.environ, **{f"WELLIES_{name}": value for name, value in OPEN_LIMITS.items()}}
    environment["WELLIES_DATABASE"] = database
    if workers:
        environment |= {"WELLIES_WORKERS": str(workers), "WELLIES_REDIS": REDIS}
    process = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[3]
        for _ in range(200):
            with contextlib.suppress(httpx.HTTPError):
                httpx.get(f"{url}/health", timeout=2, trust_env=False)
                found = workers_of(process.pid)
                if not workers or (len(found) == workers and have_started(found)):
                    break
            time.sleep(0.05)
        yield Started(process.pid, url, database if workers else "", REDIS if workers else "")
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


@contextlib.contextmanager
def database(store: str) -> Iterator[str]:
    if store == "sqlite":
        with tempfile.TemporaryDirectory(prefix="wellies-bench-", dir=os.environ.get("WELLIES_BENCH_DIR")) as folder:
            yield str(Path(folder) / "wellies.db")
        return
    name = f"wellies_bench_{uuid.uuid4().hex[:10]}"
    asyncio.run(administer(f"CREATE DATABASE {name}"))
    try:
        yield f"{POSTGRES}/{name}"
    finally:
        asyncio.run(administer(f"DROP DATABASE {name} WITH (FORCE)"))


async def administer(command: str) -> None:
    connection = await asyncpg.connect(f"{POSTGRES}/postgres")
    await connection.execute(command)
    await connection.close()


def compare_workers(args: Any, serve: str) -> None:
    """Measure each number of workers, in several rounds, and say how many times the moves of the first they carry."""
    found: dict[tuple[int, int, int], list[tuple[float, float]]] = {}
    cases = itertools.product(range(args.rounds), args.tables or [50], args.seats or [4], args.workers)
    for _, tables, seats, workers in cases:
        all_tables = tables * workers if args.tables_each else tables
        with database("postgres") as where, started(serve, where, workers) as server:
            idle, full = uvloop.run(measure_workers(server, args, all_tables, seats))
        case = f"{args.game} {all_tables:3} tables {seats} seats {workers} workers"
        print(f"{case}  full {full.line(args.seconds)}", flush=True)
        print(f"{case}  processor ms a move: {full.by_process(full.moves)}", flush=True)
        print(f"{case}  idle, processor ms a second: {idle.by_process(args.seconds)}", flush=True)
        used = full.per_move(of_workers(full.used)), full.per_move(sum(full.used.values()))
        found.setdefault((tables, seats, workers), []).append(used)
    for (tables, seats, workers), times in found.items():
        first = found[tables, seats, args.workers[0]]
        one, one_in_all = (statistics.median(each) for each in zip(*first, strict=True))
        here, in_all = (statistics.median(each) for each in zip(*times, strict=True))
        factor = workers / args.workers[0]
        case = f"{tables:3} tables{' each' if args.tables_each else ''} {seats} seats"
        carried = f"{factor * one / here:.2f} times {args.workers[0]}"
        print(
            f"{case}: {workers} workers use {here:.2f} ms a move and carry {carried}; "
            f"with PostgreSQL and Redis {in_all:.2f} ms and {factor * one_in_all / in_all:.2f} times",
            flush=True,
        )


def numbers(text: str) -> list[int]:
    """Numbers from 1 on, separated by commas."""
    try:
        found = [int(word) for word in text.split(",")]
    except ValueError:
        found = [0]
    if min(found) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers such as 1,2,4")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="umbradeco")
    parser.add_argument("--store", choices=["sqlite", "postgres"], action="append")
    parser.add_argument("--tables", type=int, action="append")
    parser.add_argument("--seats", type=int, action="append")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--legal", choices=["full", "text"], default="text")
    parser.add_argument("--workers", type=numbers, metavar="N,N,...")
    parser.add_argument("--tables-each", action="store_true", help="with --workers: so many tables for each worker")
    parser.add_argument("--rounds", type=int, default=1, help="with --workers: measure so often, and take the median")
    parser.add_argument("--no-echo", action="store_true")
    args = parser.parse_args()
    serve = "from wellies.cli.serve import serve; serve()"
    if args.workers:
        compare_workers(args, serve)
        return
    echo = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import echo; echo.main()"
    for store in args.store or ["sqlite", "postgres"]:
        if not args.no_echo:
            with database(store) as where, started(echo, where) as server:
                for path, name in (("/single", "echo, one by one"), ("/group", "echo, group commit")):
                    line = uvloop.run(measure_echo(server, args.seconds, 50, path))
                    print(f"{store:8} {name:20} 50 sockets  {line}", flush=True)
        for tables in args.tables or [50, 500]:
            for seats in args.seats or [2, 4]:
                with database(store) as where, started(serve, where) as server:
                    for line in uvloop.run(measure(server, args, tables, seats)):
                        print(f"{store:8} {args.game} {tables:3} tables {seats} seats  {line}", flush=True)


if __name__ == "__main__":
    main()
