"""kill -9 of every part under load, again and again: what was acknowledged is there once, and every game goes on.

Each part is killed about once here. WELLIES_KILLS is the number of kills in all, as in `make soak`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from server.load import Load
from server.parts import Part, Postgres, Redis, Server, children_of, kill
from server.serving import sqlite_file, until
from services import redis_url

KILLS = int(os.environ.get("WELLIES_KILLS", "0"))
SEED = int(os.environ.get("WELLIES_KILLS_SEED", "1"))

Attack = Callable[[], Awaitable[None]]


class Attacks:
    """Kills parts of a deployment in turn while a load is played, and says how it went."""

    def __init__(self, load: Load, rng: random.Random) -> None:
        self._load = load
        self._rng = rng
        self.kinds: dict[str, Attack] = {}
        self.done: Counter[str] = Counter()
        self.recovered: list[float] = []
        """Seconds from each kill until moves were acknowledged again."""

    async def run(self, count: int) -> None:
        """So many kills: each kind once, then at random."""
        order = list(self.kinds)
        self._rng.shuffle(order)
        for number in range(count):
            kind = order[number] if number < len(order) else self._rng.choice(order)
            await self._load.moves(self._rng.randrange(3, 30))
            await asyncio.sleep(self._rng.random() * 0.05)  # any moment between two moves
            started = time.monotonic()
            await self.kinds[kind]()
            self.done[kind] += 1
            await self._load.moves(5)
            self.recovered.append(time.monotonic() - started)
        await self._load.moves(5)
        await self._load.finish()

    def summary(self) -> str:
        kills = ", ".join(f"{count} {kind}" for kind, count in sorted(self.done.items()))
        load = self._load
        return (
            f"kills: {self.done.total()} ({kills}); {len(load.tables)} games, {len(load.acked)} moves acknowledged, "
            f"0 lost, 0 doubled; {load.disconnected} connections broken, {len(load.refusals)} moves refused; "
            f"moves again after {sorted(self.recovered)[len(self.recovered) // 2]:.1f} s (at most "
            f"{max(self.recovered):.1f} s)"
        )


def start_all(stack: contextlib.ExitStack, parts: Sequence[Part]) -> None:
    for part in parts:
        stack.callback(part.stop)
        part.start()


async def restart(part: Part, load: Load, *, meanwhile: int = 0, pause: float = 0.0) -> None:
    """Kill a part and start it again, after so many moves that are made without it, or after a while."""
    part.kill()
    if meanwhile:
        await load.moves(meanwhile)
    await asyncio.sleep(pause)
    await asyncio.to_thread(part.start)


def test_killing_any_part_of_a_deployment_loses_nothing(record_property: Callable[[str, object], None]) -> None:
    """PostgreSQL, Redis, and a server with two workers. With many kills there is also a server of one process."""
    with contextlib.ExitStack() as stack:
        postgres, redis = Postgres(), Redis()
        start_all(stack, [postgres, redis])
        shared: dict[str, Any] = {"redis": redis.url, "rescue_seconds": 2}
        several = Server(postgres.url, workers=2, **shared)
        alone = Server(postgres.url, **shared) if KILLS else None
        servers = [several] if alone is None else [several, alone]
        start_all(stack, servers)

        async def scenario() -> None:
            async with Load([server.url for server in servers], seed=SEED) as load:
                attacks = Attacks(load, random.Random(SEED))
                victims = Victims(load, random.Random(SEED), postgres, redis, several, alone)
                attacks.kinds = victims.kinds()
                await attacks.run(KILLS * 6 // 10 or len(attacks.kinds))
                await until(lambda: not alive(victims.orphans))
                await load.check(postgres.url)
                record_property("says", attacks.summary())

        asyncio.run(scenario())


class Victims:
    """How each part of a deployment is killed and comes back."""

    def __init__(
        self, load: Load, rng: random.Random, postgres: Postgres, redis: Redis, several: Server, alone: Server | None
    ) -> None:
        self._load = load
        self._rng = rng
        self._postgres = postgres
        self._redis = redis
        self._several = several
        self._alone = alone
        self.orphans: list[int] = []
        """Processes whose parent was killed; they end by themselves."""

    def kinds(self) -> dict[str, Attack]:
        kinds: dict[str, Attack] = {
            "worker": self._worker,
            "parent of workers": self._parent,
            "bot": self._bot,
            "PostgreSQL": self._all_of_postgres,
            "one process of PostgreSQL": self._one_of_postgres,
            "Redis": self._all_of_redis,
        }
        return kinds if self._alone is None else {**kinds, "server": self._server}

    async def _server(self) -> None:
        assert self._alone is not None
        self.orphans += self._alone.bot_processes()
        await restart(self._alone, self._load, meanwhile=5)

    async def _worker(self) -> None:
        """The other worker serves, and the parent starts a new one."""
        await until(self._several.workers)
        worker = self._rng.choice(self._several.workers())
        self.orphans += children_of(worker)
        kill(worker)
        await self._load.moves(5)

    async def _parent(self) -> None:
        """Its workers stop by themselves, else they would keep the port."""
        started = children_of(self._several.pid)
        self._several.kill()
        await until(lambda: not alive(started))
        await asyncio.to_thread(self._several.start)

    async def _bot(self) -> None:
        await until(self._several.bot_processes)
        kill(*self._several.bot_processes()[:1])

    async def _all_of_postgres(self) -> None:
        await restart(self._postgres, self._load, pause=self._rng.random())

    async def _one_of_postgres(self) -> None:
        self._postgres.kill_backend(self._rng.choice)

    async def _all_of_redis(self) -> None:
        await restart(self._redis, self._load, meanwhile=5)


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.parametrize("servers", [1, 2] if KILLS else [1])
def test_killing_servers_of_a_sqlite_file_loses_nothing(
    servers: int, record_property: Callable[[str, object], None]
) -> None:
    """One alone: until it is back nobody plays. Or two, with Redis between them."""
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(sqlite_file())
        more: dict[str, Any] = {"redis": redis_url()} if servers > 1 else {}
        parts = [Server(database, rescue_seconds=2, **more) for _ in range(servers)]
        start_all(stack, parts)

        async def scenario() -> None:
            rng = random.Random(SEED)
            async with Load([part.url for part in parts], seed=SEED) as load:
                attacks = Attacks(load, rng)

                async def kill_server() -> None:
                    await restart(rng.choice(parts), load, meanwhile=5 if servers > 1 else 0)

                attacks.kinds = {"server": kill_server}
                await attacks.run(KILLS * 2 // 10 or 1)
                await load.check(database)
                record_property("says", attacks.summary())

        asyncio.run(scenario())
