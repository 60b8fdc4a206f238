"""How many moves a second one worker stores and tells, and how long a player waits for the acknowledgement.

    python bench/server.py                      # everything: about five minutes
    python bench/server.py --store sqlite --tables 50 --seats 4 --seconds 5

One server process; one client process with a socket for every seat of every table. Random movers: whoever has a
decision answers it at once ("full"), or when the pace allows ("half", at half the rate just measured). Each move is
committed before it is acknowledged, and every seat gets the new view. A table that ends is replaced by a new one.
Beside it, in the same run: a bare echo of the same server stack, which stores each message by the same group commit
before it echoes it, and one that commits one by one.
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
import uuid
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import msgspec
import uvloop
from sockets import ThinSocket, open_socket

POSTGRES = os.environ.get("WELLIES_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432")
OPEN_LIMITS = {
    "PORT": "0",
    "LOG": "error",
    "REQUESTS_PER_SECOND": "0",
    "GUESTS_PER_MINUTE": "0",
    "MESSAGES_PER_SECOND": "0",
    "SOCKETS_EACH": "0",
    "TABLES_IN_MEMORY": "5000",
}


SERVER = [0]
"""The process that is measured."""


class Heard(msgspec.Struct):
    """What the client reads of a message; the view is skipped over."""

    type: str
    version: int = 0
    decision: dict[str, Any] | None = None
    legal: list[Any] = []
    ack: str | None = None
    code: str = ""


read = msgspec.json.Decoder(Heard).decode


class Tally:
    """What was measured."""

    def __init__(self) -> None:
        self.counting = False
        self.moves = 0
        self.waits: list[float] = []
        self.errors: dict[str, int] = {}

        self.cpu = 0.0

    def line(self, seconds: float) -> str:
        waits = sorted(self.waits) or [0.0]
        p50, p99 = waits[len(waits) // 2], waits[min(len(waits) - 1, int(len(waits) * 0.99))]
        errors = f" errors {self.errors}" if self.errors else ""
        cpu = 1000 * self.cpu / max(1, self.moves)
        return (
            f"{self.moves / seconds:7.0f} moves/s   p50 {p50 * 1000:6.1f} ms   p99 {p99 * 1000:6.1f} ms   "
            f"server {cpu:5.2f} ms of processor a move{errors}"
        )


class Pace:
    """Lets moves go at a rate; None: at once."""

    def __init__(self) -> None:
        self._gap: float | None = None
        self._next = 0.0
        self._ready: deque[Any] = deque()

    def set(self, rate: float | None) -> None:
        self._gap = None if rate is None else 1 / rate
        self._next = time.perf_counter()
        while self._gap is None and self._ready:
            self._ready.popleft()()

    def go(self, act: Any) -> None:
        if self._gap is None:
            act()
        else:
            self._ready.append(act)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            while self._gap is not None and self._next <= now:
                self._next += self._gap
                if self._ready:
                    self._ready.popleft()()


class Stagger:
    """Lets each table play some moves before the measuring and then wait, so that they do not all end together."""

    def __init__(self) -> None:
        self.over = False
        self.held: list[Any] = []

    def release(self) -> None:
        self.over = True
        for act in self.held:
            act()
        self.held.clear()


class Board:
    """What the seats of one table share."""

    def __init__(self, stagger: Stagger, rng: random.Random) -> None:
        self._stagger = stagger
        self._before = rng.randrange(50)

    def go(self, act: Any) -> None:
        self._before -= 1
        if self._before < 0 and not self._stagger.over:
            self._stagger.held.append(act)
        else:
            act()


class Seat:
    """One player: answers each decision once, at random."""

    def __init__(self, tally: Tally, pace: Pace, rng: random.Random, board: Board) -> None:
        self._board = board
        self._tally = tally
        self._pace = pace
        self._rng = rng
        self._sent: dict[str, float] = {}
        self._answered = ""
        self._number = 0
        self.socket: ThinSocket | None = None
        self.over = asyncio.Event()

    def hear(self, socket: ThinSocket, raw: bytes) -> None:
        self.socket = socket
        message = read(raw)
        if message.ack is not None:
            sent = self._sent.pop(message.ack, None)
            if sent is not None and self._tally.counting:
                self._tally.moves += 1
                self._tally.waits.append(time.perf_counter() - sent)
        if message.type == "error":
            self._tally.errors[message.code] = self._tally.errors.get(message.code, 0) + 1
        elif message.type == "table" and b'"state":"finished"' in raw:
            self.over.set()
        elif message.type in ("hello", "update") and message.decision is not None and message.decision["due"]:
            decision = message.decision["id"]
            if decision != self._answered:
                self._answered = decision
                legal = message.legal
                chosen = legal[self._rng.randrange(len(legal))]
                move = chosen if isinstance(chosen, str) else chosen["move"]
                self._board.go(lambda: self._pace.go(lambda: self._play(decision, move)))

    def _play(self, decision: str, move: str) -> None:
        self._number += 1
        id = str(self._number)
        self._sent[id] = time.perf_counter()
        assert self.socket is not None
        self.socket.send(msgspec.json.encode({"type": "play", "id": id, "decision": decision, "move": move}))


async def keep_table(
    http: httpx.AsyncClient, host: str, port: int, args: Any, seats: int, make: Any, tally: Tally
) -> None:
    """Play one table after another."""
    while True:
        wishes = [{"kind": "me"}] * seats
        answer = await http.post("/api/v1/tables", json={"game": args.game, "seats": wishes, "start": True})
        if answer.status_code == 503:
            tally.errors["no table"] = tally.errors.get("no table", 0) + 1
            continue
        answer.raise_for_status()
        table = answer.json()["id"]
        players = make()
        for number, player in enumerate(players):
            path = f"/ws/v1/tables/{table}?seat={number}&legal={args.legal}"
            player.socket = await open_socket(host, port, path, player.hear, http.cookies["wellies"])
        ends = [asyncio.ensure_future(players[0].over.wait()), *(player.socket.closed for player in players)]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if not players[0].over.is_set():
            tally.errors["socket lost"] = tally.errors.get("socket lost", 0) + 1
        ends[0].cancel()
        for player in players:
            player.socket.close()


async def measure(url: str, args: Any, tables: int, seats: int) -> list[str]:
    host, port = url.removeprefix("http://").split(":")
    tally, pace, rng, stagger = Tally(), Pace(), random.Random(1), Stagger()

    def make() -> list[Seat]:
        board = Board(stagger, rng)
        return [Seat(tally, pace, rng, board) for _ in range(seats)]

    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=60) as http:
        (await http.post("/api/v1/me", json={"name": "Bench"})).raise_for_status()
        work = [asyncio.create_task(pace.run())]
        for _ in range(tables):
            work.append(asyncio.create_task(keep_table(http, host, int(port), args, seats, make, tally)))
            await asyncio.sleep(0.004 * seats)
        # Every table has played its share of moves before the measuring.
        while len(stagger.held) < tables and not any(task.done() for task in work):
            await asyncio.sleep(0.2)
        lines = []
        stagger.release()
        await asyncio.sleep(1.0)
        full = await count(tally, args.seconds)
        lines.append(f"full {full.line(args.seconds)}")
        for name, rate in (("half", full.moves / args.seconds / 2), ("500/s", 500.0)):
            pace.set(rate)
            await asyncio.sleep(1.0)
            paced = await count(tally, args.seconds)
            lines.append(f"{name} {paced.line(args.seconds)}")
        for task in work:
            if task.done() and task.exception() is not None:
                lines.append(f"a client failed: {task.exception()!r}")
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
    return lines


def processor_time(process_id: int) -> float:
    """Seconds of processor time that a process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def count(tally: Tally, seconds: float) -> Tally:
    tally.counting = True
    before = processor_time(SERVER[0])
    tally.moves, tally.waits, tally.errors = 0, [], {}
    await asyncio.sleep(seconds)
    tally.counting = False
    done = Tally()
    done.cpu = processor_time(SERVER[0]) - before
    done.moves, done.waits, done.errors = tally.moves, tally.waits, tally.errors
    tally.waits = []
    return done


async def measure_echo(url: str, seconds: float, connections: int, path: str) -> str:
    host, port = url.removeprefix("http://").split(":")
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
    done = await count(tally, seconds)
    for socket in sockets:
        socket.close()
    return done.line(seconds)


@contextlib.contextmanager
def started(code: str, database: str) -> Iterator[str]:
    environment = {**os.environ, **{f"WELLIES_{name}": value for name, value in OPEN_LIMITS.items()}}
    environment["WELLIES_DATABASE"] = database
    process = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
    SERVER[0] = process.pid
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[3]
        for _ in range(200):
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="umbradeco")
    parser.add_argument("--store", choices=["sqlite", "postgres"], action="append")
    parser.add_argument("--tables", type=int, action="append")
    parser.add_argument("--seats", type=int, action="append")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--legal", choices=["full", "text"], default="text")
    parser.add_argument("--no-echo", action="store_true")
    args = parser.parse_args()
    serve = "from wellies.cli.serve import serve; serve()"
    echo = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import echo; echo.main()"
    for store in args.store or ["sqlite", "postgres"]:
        if not args.no_echo:
            with database(store) as where, started(echo, where) as url:
                for path, name in (("/single", "echo, one by one"), ("/group", "echo, group commit")):
                    line = uvloop.run(measure_echo(url, args.seconds, 50, path))
                    print(f"{store:8} {name:20} 50 sockets  {line}", flush=True)
        for tables in args.tables or [50, 500]:
            for seats in args.seats or [2, 4]:
                with database(store) as where, started(serve, where) as url:
                    for line in uvloop.run(measure(url, args, tables, seats)):
                        print(f"{store:8} {args.game} {tables:3} tables {seats} seats  {line}", flush=True)


if __name__ == "__main__":
    main()
