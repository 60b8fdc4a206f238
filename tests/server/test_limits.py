"""Limits hold for all workers together, and Redis can neither delay a request nor fail one."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis.asyncio
from server.faults import Cable
from server.serving import LONGEST, Running, Worker, play, running, settings_for, sqlite_file, until
from services import redis_url

from wellies.client import Client, Disconnected, ServerRefused
from wellies.server import limits_redis
from wellies.server.limits import MOST_BUCKETS, Buckets, Limits, Place, Rate, counted_address, open_limits, rates_of
from wellies.server.limits_redis import PREFIX, RedisLimits


@pytest.fixture(autouse=True)
def _patient_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine even a Redis that works may take longer to answer than a request would wait."""
    monkeypatch.setattr(limits_redis, "PATIENCE", 20.0)
    monkeypatch.setattr(limits_redis, "PROBE_PATIENCE", 20.0)
    monkeypatch.setattr(limits_redis, "PROBE_SECONDS", 0.05)


@pytest.fixture
def empty_redis() -> Iterator[str]:
    url = redis_url()

    async def forget() -> None:
        client = redis.asyncio.from_url(url)
        async for key in client.scan_iter(f"{PREFIX}*"):
            await client.delete(key)
        await client.aclose()

    asyncio.run(forget())
    yield url
    asyncio.run(forget())


@contextlib.asynccontextmanager
async def limits(url: str, **more: Any) -> AsyncIterator[RedisLimits]:
    """The limits of one worker."""
    made = open_limits(settings_for("unused.db", redis=url, **more))
    assert isinstance(made, RedisLimits)
    await made.start()
    try:
        yield made
    finally:
        await made.stop()


async def count_allowed(workers: list[RedisLimits], attempts: int) -> int:
    answers = [await workers[number % len(workers)].allows("guests", "1.2.3.4") for number in range(attempts)]
    return sum(answers)


# --- rates ----------------------------------------------------------------------------------------------------------


def test_three_workers_allow_together_what_one_allows(empty_redis: str) -> None:
    async def scenario() -> None:
        wish = {"guests_per_minute": 6}
        async with limits(empty_redis, **wish) as one, limits(empty_redis, **wish) as two:
            began = time.monotonic()
            allowed = await count_allowed([one, two], 40)
            refilled = (time.monotonic() - began) * 6 / 60
            assert 6 <= allowed <= 6 + refilled + 1
            assert await one.allows("guests", "5.6.7.8"), "others are not held up"
            assert await one.allows("logins", "1.2.3.4"), "each rule counts for itself"
            async with limits(empty_redis, **wish) as third:
                assert await count_allowed([third], 5) <= (time.monotonic() - began) * 6 / 60 + 1 - (allowed - 6)

    play(scenario())


def test_what_is_used_up_comes_back(empty_redis: str) -> None:
    async def scenario() -> None:
        wish = {"requests_per_second": 50, "requests_burst": 2}
        async with limits(empty_redis, **wish) as one, limits(empty_redis, **wish) as two:
            while await one.allows("requests", "ann"):
                pass
            async with asyncio.timeout(LONGEST):
                while not await two.allows("requests", "ann"):
                    await asyncio.sleep(0.005)

    play(scenario())


def test_redis_forgets_what_is_no_longer_needed_and_names_nobody(empty_redis: str) -> None:
    async def scenario() -> None:
        async with limits(empty_redis, requests_per_second=200, requests_burst=4, sockets_each=3) as one:
            assert await one.allows("requests", "secret-id-of-ann")
            place = await one.take_socket("secret-id-of-ann")
            assert place is not None
            client = redis.asyncio.from_url(empty_redis)
            keys = [key async for key in client.scan_iter(f"{PREFIX}*")]
            assert any(b"sockets" in key for key in keys)
            assert not any(b"ann" in key for key in keys)
            lives = [await client.pttl(key) for key in keys]
            assert all(life == -2 or 0 <= life <= 60_000 for life in lives), lives
            one.free_socket(place)
            async with asyncio.timeout(LONGEST):
                while [key async for key in client.scan_iter(f"{PREFIX}*")]:
                    await asyncio.sleep(0.01)
            await client.aclose()

    play(scenario())


# --- sockets --------------------------------------------------------------------------------------------------------


async def take_all(workers: list[RedisLimits]) -> list[Place]:
    """As many sockets of one person as all workers together give."""
    taken = []
    for number in range(20):
        place = await workers[number % len(workers)].take_socket("ann")
        if place is not None:
            taken.append(place)
    return taken


def test_sockets_are_counted_over_all_workers_and_given_back(empty_redis: str) -> None:
    async def scenario() -> None:
        async with limits(empty_redis, sockets_each=5) as one, limits(empty_redis, sockets_each=5) as two:
            taken = await take_all([one, two])
            assert len(taken) == 5
            assert await two.take_socket("ben") is not None
            one.free_socket(taken[0])
            again = await two.take_socket("ann")
            assert again is not None
            assert await one.take_socket("ann") is None

    play(scenario())


def test_sockets_of_a_worker_that_died_are_given_back(empty_redis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_redis, "RENEW_SECONDS", LONGEST)  # only when this test says so

    async def scenario() -> None:
        async with limits(empty_redis, sockets_each=4) as two:
            dead = open_limits(settings_for("unused.db", redis=empty_redis, sockets_each=4))
            assert isinstance(dead, RedisLimits)
            await dead.start()
            assert await dead.take_socket("ann") is not None
            assert await dead.take_socket("ann") is not None
            assert len(await take_all([two])) == 2
            # What it says last holds for a second. Then it is killed: it neither renews its sockets nor gives them
            # back.
            with monkeypatch.context() as short:
                short.setattr(limits_redis, "LEASE_SECONDS", 1.0)
                await dead._renew()
                await dead._questions.join()
            for task in dead._tasks:
                task.cancel()
            await asyncio.gather(*dead._tasks, return_exceptions=True)
            assert dead.shared, "Redis has heard it"
            async with asyncio.timeout(LONGEST):
                while await two.take_socket("ann") is None:
                    await asyncio.sleep(0.05)
            assert len(await take_all([two])) == 1, "its two places, and not those of the worker that lives"
            await dead._redis.aclose()

    play(scenario())


def test_sockets_of_a_worker_that_lives_are_renewed(empty_redis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_redis, "RENEW_SECONDS", 0.05)

    async def scenario() -> None:
        client = redis.asyncio.from_url(empty_redis)

        async def ends() -> list[float]:
            """Until when, by the clock of Redis, each socket counts."""
            (key,) = [key async for key in client.scan_iter(f"{PREFIX}sockets*")]
            return sorted(end for _, end in await client.zrange(key, 0, -1, withscores=True))

        async with limits(empty_redis, sockets_each=2) as one:
            assert len(await take_all([one])) == 2
            before = await ends()
            async with asyncio.timeout(LONGEST):
                while min(await ends()) <= max(before):
                    await asyncio.sleep(0.02)
            assert len(await ends()) == 2
        await client.aclose()

    play(scenario())


def test_a_redis_that_starts_anew_hears_of_the_open_sockets(empty_redis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_redis, "RENEW_SECONDS", 0.1)

    async def scenario() -> None:
        async with limits(empty_redis, sockets_each=3) as one, limits(empty_redis, sockets_each=3) as two:
            assert len(await take_all([one])) == 3
            client = redis.asyncio.from_url(empty_redis)
            await client.delete(*[key async for key in client.scan_iter(f"{PREFIX}*")])
            await client.script_flush()
            # Scripts that are gone look like a Redis that is away, until they are loaded again.
            async with asyncio.timeout(LONGEST):
                while not [key async for key in client.scan_iter(f"{PREFIX}sockets*")]:
                    await asyncio.sleep(0.02)
                while not two.shared:
                    await asyncio.sleep(0.02)
            assert await two.take_socket("ann") is None
            await client.aclose()

    play(scenario())


# --- a Redis that is away -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def cable() -> Iterator[tuple[Cable, str]]:
    place = urlsplit(redis_url())
    made = Cable(place.hostname or "", place.port or 0)
    try:
        yield made, f"redis://127.0.0.1:{made.port}/0"
    finally:
        made.close()


@pytest.mark.parametrize("trouble", ["cut", "hang"])
@pytest.mark.usefixtures("empty_redis")
def test_without_redis_each_worker_counts_for_itself_and_nobody_waits(
    trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = 0.2
    monkeypatch.setattr(limits_redis, "PATIENCE", patience)
    monkeypatch.setattr(limits_redis, "PROBE_PATIENCE", 2.0)

    async def scenario() -> None:
        with cable() as (line, url):
            async with limits(url, guests_per_minute=6, sockets_each=2) as one:
                await until(lambda: one.shared)
                getattr(line, trouble)()
                # The first ones find out, together; nobody after them waits at all.
                began = time.monotonic()
                assert all(await asyncio.gather(*(one.allows("guests", f"first {each}") for each in range(50))))
                assert time.monotonic() - began < LONGEST / 4
                await until(lambda: not one.shared)
                asked = line.held + line.refused
                allowed = [await one.allows("guests", "ann") for _ in range(20)]
                assert allowed.count(True) in (6, 7), "the limit of this worker alone holds"
                assert await one.take_socket("ann") is not None
                assert await one.take_socket("ann") is not None
                assert await one.take_socket("ann") is None
                # Only the probe goes on asking, and no request does.
                assert line.held + line.refused - asked < 10
                line.mend()
                await until(lambda: one.shared)

    play(scenario())


@pytest.mark.usefixtures("empty_redis")
def test_a_hung_redis_does_not_slow_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_redis, "PATIENCE", 0.05)
    monkeypatch.setattr(limits_redis, "PROBE_PATIENCE", 1.0)
    wish: dict[str, Any] = {"requests_per_second": 10_000, "requests_burst": 10_000}
    with cable() as (line, url), sqlite_file() as database, running(database, redis=url, **wish) as server:
        found: RedisLimits = server.guard.app.state.limits

        async def slowest(client: Client) -> float:
            times = []
            for _ in range(60):
                began = time.monotonic()
                assert (await client.http.get("/api/v1/games/guppies")).status_code == 200
                times.append(time.monotonic() - began)
            # Half of them: on a busy machine some are slow for other reasons.
            return sorted(times)[30]

        async def scenario() -> None:
            async with Client(server.url) as client:
                await until(lambda: found.shared)
                before = await slowest(client)
                line.hang()
                during = await slowest(client)
                assert not found.shared
                # If each request waited for Redis, this would be 50 ms more.
                assert during < before + 0.04, (before, during)
                line.mend()
                await until(lambda: found.shared)

        play(scenario())


# --- whole servers --------------------------------------------------------------------------------------------------


def test_two_servers_share_the_limits_on_guests_and_sockets(empty_redis: str) -> None:
    wish: dict[str, Any] = {"guests_per_minute": 4, "sockets_each": 3, "redis": empty_redis}
    with sqlite_file() as database, running(database, **wish) as one, running(database, **wish) as two:

        async def guests(server: Running) -> int:
            made = 0
            for number in range(4):
                async with Client(server.url) as client:
                    with contextlib.suppress(ServerRefused):
                        await client.guest(f"Guest {number}")
                        made += 1
            return made

        async def scenario() -> None:
            began = time.monotonic()
            async with Client(one.url) as ann:
                await ann.guest("Ann")
                made = 1 + await guests(one) + await guests(two)
                assert 4 <= made <= 5 + (time.monotonic() - began) * 4 / 60
                table = (await ann.create_table("guppies", ["me", "me"], start=True))["id"]
                async with (
                    ann.table(table, seat=0),
                    Client(two.url, cookie=ann.cookie) as elsewhere,
                    elsewhere.table(table, seat=1),
                    elsewhere.table(table),
                ):
                    with pytest.raises(Disconnected) as gone:
                        async with ann.table(table):
                            pass
                    assert gone.value.code == 4429

        play(scenario())


def test_tables_of_bots_alone_are_counted_over_all_workers(empty_redis: str) -> None:
    wish: dict[str, Any] = {"bot_tables_each": 2, "redis": empty_redis, "rescue_seconds": 600}
    with sqlite_file() as database, running(database, **wish) as one, running(database, **wish) as two:
        for server in (one, two):
            vars(server.hub.bots)["wake"] = lambda _live: None

        async def scenario() -> None:
            async with Client(one.url) as eve:
                await eve.guest("Eve")
                await eve.create_table("guppies", ["random", "random"], start=True)
                async with Client(two.url, cookie=eve.cookie) as elsewhere:
                    wishes = [
                        client.create_table("guppies", ["random", "random"], start=True)
                        for client in (elsewhere, elsewhere, elsewhere)
                    ]
                    answers = await asyncio.gather(*wishes, return_exceptions=True)
                    refused = [each for each in answers if isinstance(each, ServerRefused)]
                    assert [each.code for each in refused] == ["too_many"] * 2
                    await elsewhere.create_table("guppies", ["me", "random"], start=True)

        play(scenario())


def test_the_sockets_of_a_killed_worker_do_not_count_for_ever(empty_redis: str) -> None:
    """Its places are in Redis with a time at which they run out."""
    with sqlite_file() as database:
        worker = Worker(database, redis=empty_redis, sockets_each=2).wait_ready()

        async def scenario() -> None:
            async with Client(worker.url) as ann:
                table = (await ann.create_table("guppies", ["me", "me"], start=True))["id"]
                async with ann.table(table, seat=0):
                    worker.kill()
            client = redis.asyncio.from_url(empty_redis)
            keys = [key async for key in client.scan_iter(f"{PREFIX}sockets*")]
            assert len(keys) == 1
            assert 0 < await client.ttl(keys[0]) <= limits_redis.LEASE_SECONDS
            await client.aclose()

        try:
            play(scenario())
        finally:
            worker.stop()


# --- one worker alone -----------------------------------------------------------------------------------------------


def test_memory_is_bounded_however_many_ask() -> None:
    buckets = Buckets(Rate(1.0, 5.0))
    for number in range(MOST_BUCKETS + 100):
        assert buckets.take(f"person {number}")
    assert len(buckets._buckets) <= MOST_BUCKETS


def test_places_leave_nothing_behind() -> None:
    async def scenario() -> None:
        alone = Limits(settings_for("unused.db", sockets_each=2))
        places = [await alone.take_socket("ann") for _ in range(3)]
        assert [place is not None for place in places] == [True, True, False]
        for place in places[:2]:
            assert place is not None
            alone.free_socket(place)
        assert not alone._places

    play(scenario())


@pytest.mark.parametrize(
    ("given", "counted"),
    [
        ("1.2.3.4", "1.2.3.4"),
        ("::ffff:1.2.3.4", "1.2.3.4"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("nonsense", "nonsense"),
    ],
)
def test_one_network_is_one_address(given: str, counted: str) -> None:
    assert counted_address(given) == counted


def test_no_limit_is_no_limit() -> None:
    async def scenario() -> None:
        nothing = settings_for("unused.db", analyses_per_hour=0)
        assert all(rate.per_second == 0 for rate in rates_of(nothing).values())
        alone = Limits(nothing)
        assert all([await alone.allows("requests", "ann") for _ in range(500)])

    play(scenario())
