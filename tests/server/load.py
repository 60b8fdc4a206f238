"""A load of players who play at random for as long as they are let, whatever happens to the servers.

They remember every move that was acknowledged. Afterwards all of these are in the log, once and in order, every game
could be played to its end, and its record is right.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import sqlite3
import time
from types import TracebackType
from typing import Any, NamedTuple

import asyncpg
import httpx
from server.serving import LONGEST, until

from wellies.client import Client, Disconnected, ServerRefused, TableView

PASSING = ("stale", "storage", "not_your_turn", "busy")
"""How a move may be refused while something is wrong: the player looks again and goes on."""
PAUSE_SECONDS = 0.05
"""Seconds between two moves of a player, so that the players do not take all of the machine."""


class Acked(NamedTuple):
    """A move that was acknowledged, by the number of its entry."""

    table: str
    number: int
    seat: int
    move: str


class Player:
    """Plays one seat at random. Whenever the connection breaks it connects again, to the next of the servers."""

    def __init__(self, load: Load, table: str, seat: int, server: int, seed: int) -> None:
        self._load = load
        self._table = table
        self._seat = seat
        self._first = server
        self._rng = random.Random(seed)

    async def run(self) -> None:
        for attempt in itertools.count(self._first):
            view = TableView(
                self._load.urls[attempt % len(self._load.urls)],
                self._table,
                cookie=self._load.cookie,
                seat=self._seat,
                since=0,
                invite=None,
                legal="text",
                patience=0.0,
            )
            try:
                async with view:
                    listening = asyncio.create_task(self._listen(view))
                    try:
                        await self._play(view)
                    finally:
                        listening.cancel()
                return
            except (Disconnected, TimeoutError):
                self._load.disconnected += 1
                await asyncio.sleep(0.2)

    async def _listen(self, view: TableView) -> None:
        async for message in view:
            if message["type"] == "notice":
                self._load.notices.append((time.monotonic(), message["code"]))

    async def _play(self, view: TableView) -> None:
        while not view.finished:
            await view.until(lambda now: now.finished or (now.decision is not None and now.legal))
            if view.decision is None:
                continue
            started = time.monotonic()
            try:
                done = await view.play(self._rng.choice(view.legal), view.decision["id"])
            except ServerRefused as refused:
                assert refused.code in PASSING, refused
                self._load.refusals.append(str(refused))
                await asyncio.sleep(0.05)
                continue
            finally:
                self._load.longest_wait = max(self._load.longest_wait, time.monotonic() - started)
            mine = [each for each in done["entries"] if each["seat"] == self._seat and each["kind"] == "move"]
            self._load.acked.append(Acked(self._table, mine[-1]["number"], self._seat, mine[-1]["move"]))
            await asyncio.sleep(PAUSE_SECONDS)


class Load:
    """Several tables at a time, each played to its end and followed by another one, until it is enough. There is a bot
    at the first, and every second one has a clock, of an hour, which nobody uses up."""

    def __init__(self, urls: list[str], tables: int = 4, seed: int = 1, bot: str = "random") -> None:
        self.urls = urls
        self.cookie = ""
        self.acked: list[Acked] = []
        self.tables: list[str] = []
        self.refusals: list[str] = []
        self.notices: list[tuple[float, str]] = []
        """When people were told something that is not part of a game, and its code."""
        self.disconnected = 0
        self.longest_wait = 0.0
        """The seconds that somebody has waited for the answer to a move, or until the connection broke."""
        self._count = tables
        self._seed = seed
        self._bot = bot
        self._over = asyncio.Event()
        self._playing: asyncio.Future[Any] | None = None

    async def __aenter__(self) -> Load:
        async with Client(self.urls[0]) as client:
            await client.guest("Ann")
            self.cookie = client.cookie or ""
        self._playing = asyncio.gather(*(self._keep_playing(number) for number in range(self._count)))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._playing is not None
        self._playing.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await self._playing

    async def _keep_playing(self, number: int) -> None:
        rng = random.Random(self._seed * 1000 + number)
        more: dict[str, Any] = {"options": {"mat": "small"}}
        if number % 2:
            more["clock"] = {"kind": "game", "seconds": 3600}
        seats = ["me", "me", self._bot] if number == 0 else ["me", "me"]
        while not self._over.is_set():
            try:
                async with Client(rng.choice(self.urls), cookie=self.cookie, timeout=20) as client:
                    table = (await client.create_table("umbradeco", seats, start=True, **more))["id"]
            except (httpx.HTTPError, ServerRefused):
                await asyncio.sleep(0.2)
                continue
            self.tables.append(table)
            # At every second table both sit at the same server, at the others at two of them.
            players = [Player(self, table, seat, 1 if number % 2 else seat, rng.randrange(10**6)) for seat in range(2)]
            await asyncio.gather(*(player.run() for player in players))

    async def moves(self, count: int) -> None:
        """Wait for so many more acknowledged moves. If a player fails, so does the test, and says how."""
        wanted = len(self.acked) + count
        playing = self._playing
        assert playing is not None
        await until(lambda: playing.done() or len(self.acked) >= wanted)
        if playing.done():
            playing.result()
            assert len(self.acked) >= wanted, "the players have stopped"

    async def finish(self) -> None:
        """Let all games come to their end."""
        assert self._playing is not None
        self._over.set()
        await asyncio.wait_for(self._playing, LONGEST)

    async def check(self, database: str) -> None:
        """What was acknowledged is in the log; every game is over, and its record is right."""
        rows = await check_log(database, self.acked, self.tables)
        assert not [row for row in rows if row[2] in ("late", "timeout")], "somebody lost on time"
        async with Client(self.urls[-1], cookie=self.cookie) as client:
            for table in self.tables:
                assert (await client.get_table(table))["state"] == "finished"
                assert (await client.request("GET", f"/tables/{table}/verify"))["ok"]


async def stored_entries(database: str) -> list[tuple[str, int, str, int | None, str, int]]:
    """Table, number, kind, seat, text and time of every entry."""
    query = "SELECT table_id, number, kind, seat, text, at FROM entries ORDER BY 1, 2"
    if "postgresql" in database:
        connection = await asyncpg.connect(database)
        rows = await connection.fetch(query)
        await connection.close()
        return [tuple(row) for row in rows]
    with contextlib.closing(sqlite3.connect(database)) as plain:
        return list(plain.execute(query))


async def check_log(
    database: str, acked: list[Acked], tables: list[str]
) -> list[tuple[str, int, str, int | None, str, int]]:
    """Every acknowledged move is there, once; numbers have no gaps; time does not go back. Returns all entries."""
    rows = await stored_entries(database)
    by_place = {(row[0], row[1]): row for row in rows}
    assert len(by_place) == len(rows), "an entry is there twice"
    for table, number, seat, move in acked:
        row = by_place.get((table, number))
        assert row is not None, f"acknowledged move {number} of {table} is lost"
        assert row[2:5] == ("move", seat, move)
    assert len({(each.table, each.number) for each in acked}) == len(acked), "one move was acknowledged twice"
    for table in tables:
        mine = [row for row in rows if row[0] == table]
        assert [row[1] for row in mine] == list(range(1, len(mine) + 1))
        times = [row[5] for row in mine]
        assert times == sorted(times), "time goes back in a log"
    return rows
