"""A bad network between two workers, PostgreSQL, Redis and the players: packets that are lost, late or cut off.

Each of them is a host of its own (`network.py`). A cut line tells nobody: no connection is refused or closed. People
are told, nothing that was acknowledged is lost, and when the line is whole again all goes on without a restart.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from server.load import Load
from server.network import Network, network
from server.parts import Postgres, Redis, Server
from server.serving import LONGEST, SOAK, until

from wellies.client import Client


@dataclass
class Deployment:
    """Two workers, each on a host of its own, with PostgreSQL and Redis on others, and the players here."""

    net: Network
    postgres: Postgres
    one: Server
    two: Server
    load: Load = field(init=False)
    took: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Note how long something takes, at most."""
        started = time.monotonic()
        yield
        self.took[name] = max(self.took.get(name, 0.0), time.monotonic() - started)

    async def told(self, code: str, since: float) -> None:
        """Wait until people were told this since then."""
        await until(lambda: any(at >= since and heard == code for at, heard in self.load.notices))


@contextlib.contextmanager
def deployed() -> Iterator[Deployment]:
    with contextlib.ExitStack() as stack:
        net = stack.enter_context(network("postgres", "redis", "one", "two"))
        where = net.addresses
        postgres = Postgres(where["postgres"], net.on("postgres"))
        redis = Redis(where["redis"], net.on("redis"))
        one, two = (
            Server(postgres.url, redis=redis.url, host=where[name], prefix=net.on(name), rescue_seconds=2)
            for name in ("one", "two")
        )
        for part in (postgres, redis, one, two):
            stack.callback(part.stop)
            part.start()
        yield Deployment(net, postgres, one, two)


async def ready(url: str, wanted: int) -> None:
    """Wait until a worker says that it can work, or that it cannot."""
    end = time.monotonic() + LONGEST
    async with Client(url, timeout=30) as client:
        while (await client.http.get("/ready")).status_code != wanted:
            assert time.monotonic() < end, f"/ready is not {wanted}"
            await asyncio.sleep(0.2)


async def lost_and_late_packets(world: Deployment) -> None:
    world.net.between_all(loss=0.05, delay=0.1, jitter=0.04)
    with world.timed("10 moves with 5 % lost and 100 ms delay"):
        await world.load.moves(10)


async def a_worker_without_postgres(world: Deployment) -> None:
    """Its people are told, and get no false answer. The other worker goes on, and no lock of the first one stops it."""
    started = time.monotonic()
    world.net.cut("one", "postgres")
    with world.timed("a worker without PostgreSQL tells its people"):
        await world.told("storage_trouble", started)
    await ready(world.one.url, 503)
    with world.timed("5 moves through the other"):
        await world.load.moves(5)
    world.net.heal()
    with world.timed("it recovers"):
        await world.told("all_well", started)
        await ready(world.one.url, 200)


async def both_without_postgres(world: Deployment) -> None:
    for name in ("one", "two"):
        world.net.cut(name, "postgres")
    with world.timed("both without PostgreSQL say so"):
        await asyncio.gather(ready(world.one.url, 503), ready(world.two.url, 503))
    world.net.heal()
    with world.timed("5 moves after both have it again"):
        await world.load.moves(5)


async def a_worker_without_redis(world: Deployment) -> None:
    """Moves go on through both workers: each finds in the database what it does not hear of."""
    started = time.monotonic()
    world.net.cut("one", "redis")
    with world.timed("a worker without Redis tells its people"):
        await world.told("channel_trouble", started)
    await world.load.moves(5)
    world.net.heal()
    with world.timed("it hears again"):
        await world.told("all_well", started)
        await ready(world.one.url, 200)


async def players_without_their_worker(world: Deployment) -> None:
    """Their connections look alive and are not. They notice, and connect to the other worker."""
    broken = world.load.disconnected
    world.net.cut("here", "one")
    with world.timed("players without their worker notice"):
        await until(lambda: world.load.disconnected > broken)
    with world.timed("5 moves through another"):
        await world.load.moves(5)


FAULTS: list[Callable[[Deployment], Awaitable[None]]] = [
    lost_and_late_packets,
    a_worker_without_postgres,
    a_worker_without_redis,
]
if SOAK:
    FAULTS += [both_without_postgres, players_without_their_worker]


def test_a_bad_network_loses_nothing_and_all_recover_by_themselves(
    record_property: Callable[[str, object], None],
) -> None:
    """The quicker faults once here; all of them, again and again, in `make soak`."""
    with deployed() as world:

        async def scenario() -> None:
            async with Load([world.one.url, world.two.url], tables=4 if SOAK else 2) as load:
                world.load = load
                for _ in range(max(1, SOAK // 20)):
                    for fault in FAULTS:
                        await load.moves(5)
                        await fault(world)
                        world.net.heal()
                        await load.moves(5)
                await load.finish()
                await load.check(world.postgres.url)
                seen = ", ".join(f"{name}: {seconds:.1f} s" for name, seconds in world.took.items())
                record_property(
                    "says",
                    f"bad network: {len(load.acked)} moves acknowledged, 0 lost, 0 doubled; at most {seen}, an answer: "
                    f"{load.longest_wait:.1f} s; packets: {world.net.passed} passed, {world.net.lost} lost",
                )

        try:
            asyncio.run(scenario())
        finally:
            world.net.heal()
