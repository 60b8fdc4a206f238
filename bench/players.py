"""The players of a benchmark: random movers with a socket each, and what they measure."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import httpx
import msgspec
from processes import of_workers
from sockets import ThinSocket, open_socket


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
        self.used: dict[str, float] = {}
        """Seconds of processor time by process."""

    def per_move(self, seconds: float) -> float:
        """Milliseconds of processor time for a move, of so many seconds in all."""
        return 1000 * seconds / max(1, self.moves)

    def line(self, seconds: float) -> str:
        waits = sorted(self.waits) or [0.0]
        p50, p99 = waits[len(waits) // 2], waits[min(len(waits) - 1, int(len(waits) * 0.99))]
        errors = f" errors {self.errors}" if self.errors else ""
        cpu = self.per_move(of_workers(self.used))
        return (
            f"{self.moves / seconds:7.0f} moves/s   p50 {p50 * 1000:6.1f} ms   p99 {p99 * 1000:6.1f} ms   "
            f"server {cpu:5.2f} ms of processor a move{errors}"
        )

    def by_process(self, count: float) -> str:
        """Milliseconds of processor time by process, divided by a number of moves or seconds."""
        each = {**self.used, "in all": sum(self.used.values())}
        return ", ".join(f"{name} {1000 * used / max(1, count):.3f}" for name, used in each.items())


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


@contextlib.asynccontextmanager
async def playing(url: str, args: Any, tables: int, seats: int, tally: Tally, pace: Pace) -> AsyncIterator[Stagger]:
    """All tables, each of which has played its share of moves and then waits."""
    host, port = url.removeprefix("http://").split(":")
    rng, stagger = random.Random(1), Stagger()

    def make() -> list[Seat]:
        board = Board(stagger, rng)
        return [Seat(tally, pace, rng, board) for _ in range(seats)]

    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=60) as http:
        (await http.post("/api/v1/me", json={"name": "Bench"})).raise_for_status()
        work = [asyncio.create_task(pace.run())]
        for _ in range(tables):
            work.append(asyncio.create_task(keep_table(http, host, int(port), args, seats, make, tally)))
            await asyncio.sleep(0.004 * seats)
        while len(stagger.held) < tables and not any(task.done() for task in work):
            await asyncio.sleep(0.2)
        try:
            yield stagger
        finally:
            for task in work:
                if task.done() and task.exception() is not None:
                    print(f"a client failed: {task.exception()!r}", flush=True)
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
