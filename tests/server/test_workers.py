"""Two workers serve one table: on PostgreSQL with Redis, and on one SQLite file with Redis."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from server.serving import LONGEST, Running, Worker, play, postgres_database, running, sqlite_file, until
from services import redis_url

import wellies
from wellies.client import Client, TableView
from wellies.server import http_tables
from wellies.server.channels_redis import RedisChannels
from wellies.server.messages import decode_worker


@pytest.fixture(scope="module", params=["postgres", "sqlite"])
def workers(request: pytest.FixtureRequest) -> Iterator[tuple[Running, Running]]:
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgres_database() if request.param == "postgres" else sqlite_file())
        one = stack.enter_context(running(database, redis=redis_url()))
        two = stack.enter_context(running(database, redis=redis_url()))
        yield one, two


async def _answer_all(view: TableView, rng: random.Random) -> None:
    """Answer at once every decision of one seat that the game waits for, until it is over."""
    while not view.finished:
        await view.until(lambda now: now.finished or (now.decision is not None and now.decision["due"]))
        decision = view.decision
        if decision is not None and decision["due"]:
            await view.play(rng.choice(view.legal), decision["id"])


@pytest.mark.parametrize("game", wellies.list_games())
def test_each_player_at_a_worker_of_their_own(workers: tuple[Running, Running], game: str) -> None:
    """Where seats choose at the same time they do so through different workers; no honest move is ever refused."""
    one, two = workers

    async def scenario() -> None:
        async with Client(one.url) as ann, Client(two.url) as bob:
            await ann.guest("Ann")
            await bob.guest("Bob")
            spec = wellies.game(game)
            others = ["open"] + ["random"] * (spec.min_seats - 2)
            options = {"tiles": 64} if game == "guppies" else {}
            table = (await ann.create_table(game, ["me", *others], options=options))["id"]
            await bob.join(table)
            async with (
                ann.table(table, seat=0, legal="text") as first,
                bob.table(table, seat=1, legal="text") as second,
            ):
                await first.until(lambda now: now.presence["seats"] == [0, 1])
                await ann.act(table, "start")
                await asyncio.gather(_answer_all(first, random.Random(1)), _answer_all(second, random.Random(2)))
                await first.until(lambda now: now.version == second.version)
                assert first.view is not None
                assert second.view is not None
                assert first.view["outcome"] == second.view["outcome"]
                await second.say("Well played")
                await first.until(lambda now: [line["text"] for line in now.chat] == ["Well played"])
                assert [entry["number"] for entry in first.entries] == list(range(1, first.version + 1))
            assert (await bob.request("GET", f"/tables/{table}/verify"))["ok"]
            again = await asyncio.gather(ann.act(table, "rematch"), bob.act(table, "rematch"))
            assert again[0]["id"] == again[1]["id"], "one new table, whoever asks"

    play(scenario())


def test_two_who_want_the_same_chair(workers: tuple[Running, Running]) -> None:
    one, two = workers

    async def scenario() -> None:
        async with Client(one.url) as ann, Client(two.url) as bob, Client(one.url) as host:
            await asyncio.gather(ann.guest("Ann"), bob.guest("Bob"), host.guest("Host"))
            for _ in range(5):
                table = (await host.create_table("guppies", ["me", "open"]))["id"]
                wishes = await asyncio.gather(ann.join(table, 1), bob.join(table, 1), return_exceptions=True)
                refused = [wish for wish in wishes if isinstance(wish, BaseException)]
                assert len(refused) == 1
                assert "taken" in str(refused[0])

    play(scenario())


def test_a_takeback_is_asked_for_and_answered_through_different_workers(workers: tuple[Running, Running]) -> None:
    one, two = workers

    async def scenario() -> None:
        async with Client(one.url) as ann, Client(two.url) as bob:
            await asyncio.gather(ann.guest("Ann"), bob.guest("Bob"))
            table = (await ann.create_table("guppies", ["me", "open"]))["id"]
            await bob.join(table)
            await ann.act(table, "start")
            async with ann.table(table, seat=0) as first, bob.table(table, seat=1) as second:
                before = first.view
                await first.play(first.legal[0]["move"])
                await first.ask_undo()
                await second.until(lambda now: now.asked is not None)
                await second.answer_undo(True)
                await first.until(lambda now: now.asked is None)
                assert first.view == before

    play(scenario())


def test_who_is_there_is_known_to_a_worker_at_which_nobody_looks(
    workers: tuple[Running, Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann looks at the table through the second worker; the first, which knows nothing of her, finds that her time is
    over, asks, and lets a bot make this one move. When she is gone, a bot plays on."""
    _, two = workers
    monkeypatch.setattr(http_tables, "check_clock", lambda clock: clock)

    async def no_claim(*_: Any) -> bool:
        return False

    monkeypatch.setattr(two.hub.storage, "claim", no_claim)

    async def scenario() -> None:
        async with Client(two.url) as ann, Client(two.url) as bob:
            await asyncio.gather(ann.guest("Ann"), bob.guest("Bob"))
            clock = {"kind": "move", "seconds": 1}
            table = (await ann.create_table("guppies", ["me", "open"], clock=clock))["id"]
            await bob.join(table)
            async with bob.table(table, seat=1) as other:
                async with ann.table(table, seat=0):
                    await ann.act(table, "start")
                    await other.until(lambda now: any(entry["kind"] == "late" for entry in now.entries))
                    await other.until(lambda now: now.table["seats"][0]["bot"] is None)
                await other.until(lambda now: now.presence["seats"] == [1])
                await other.until(lambda now: now.table["seats"][0]["why"] == "timeout")
                assert not other.table["seats"][0]["once"]

    play(scenario())


def test_several_processes_on_one_port() -> None:
    with postgres_database() as database:
        worker = Worker(database, redis=redis_url(), workers=2).wait_ready()
        try:

            async def scenario() -> None:
                async with Client(worker.url) as client:
                    table = await client.create_table("guppies", ["me", "random", "me"], start=True)
                    async with contextlib.AsyncExitStack() as stack:
                        views = [
                            await stack.enter_async_context(client.table(table["id"], seat=seat, legal="text"))
                            for seat in (0, 2)
                        ]
                        for number in range(12):
                            view = views[number % 2]
                            await view.until(lambda now: now.decision is not None)
                            await view.play(view.legal[0])

            play(scenario())
        finally:
            worker.stop()


def test_a_table_that_is_followed_while_the_listener_connects_is_heard_of() -> None:
    """As when players come back at once to a server that starts."""

    async def scenario() -> None:
        listening, sending = RedisChannels(redis_url()), RedisChannels(redis_url())
        heard: list[tuple[str, bytes]] = []
        ready = asyncio.Event()

        async def on_message(table_id: str, message: bytes) -> None:
            heard.append((table_id, message))

        async def on_reconnect() -> None:
            ready.set()

        async def nothing() -> None: ...

        await listening.start(on_message, on_reconnect, lambda: None)
        await sending.start(on_message, nothing, lambda: None)
        # The listener has begun to connect, and no answer of Redis has come yet.
        await asyncio.sleep(0)
        listening.follow("early")
        try:
            async with asyncio.timeout(LONGEST):
                await ready.wait()
                # It is subscribed to by the time of the next echo.
                while not await sending.followers("early"):
                    await asyncio.sleep(0.05)
                sending.publish("early", b"hello")
                while not heard:
                    await asyncio.sleep(0.01)
        finally:
            await listening.stop()
            await sending.stop()
        assert heard == [("early", b"hello")]

    play(scenario())


def test_a_worker_tells_others_of_moves_only_if_they_look_at_the_table(
    workers: tuple[Running, Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that begins to look learns what it has missed meanwhile, without asking the store."""
    one, two = workers
    told: list[bytes] = []
    publish = one.hub.channels.publish

    def note(table_id: str, message: bytes) -> None:
        told.append(message)
        publish(table_id, message)

    def moves_told() -> int:
        return sum(bool(decode_worker(message).entries) for message in told)

    monkeypatch.setattr(one.hub.channels, "publish", note)

    async def no_versions(_: list[str]) -> dict[str, int]:
        return {}

    monkeypatch.setattr(two.hub.storage, "versions", no_versions)

    async def scenario() -> None:
        async with Client(one.url) as ann, Client(two.url) as bob:
            await ann.guest("Ann")
            table = (await ann.create_table("guppies", ["me", "me"], start=True))["id"]
            async with ann.table(table, seat=0) as first, ann.table(table, seat=1) as second:
                live = one.hub.tables[table]
                for mover, other in itertools.cycle([(first, second), (second, first)]):
                    await until(lambda: one.hub.presence.nobody_else_looks(live))
                    told.clear()
                    await mover.play(mover.legal[0]["move"])
                    await other.until(lambda now: now.decision is not None and now.decision["due"])
                    if one.hub.channels.healthy and one.hub.presence.nobody_else_looks(live):
                        break  # on a busy machine Redis may have been silent for a moment, and then all are told
                assert moves_told() == 0
                second, first = other, mover
                async with bob.table(table) as watching:
                    await until(lambda: not one.hub.presence.nobody_else_looks(live))
                    await second.until(lambda now: now.decision is not None and now.decision["due"])
                    await second.play(second.legal[0]["move"])
                    assert moves_told() == 1
                    await watching.until(lambda now: now.version == second.version)
                    monkeypatch.setattr(one.hub.presence, "nobody_else_looks", lambda _: True)
                    await first.until(lambda now: now.decision is not None and now.decision["due"])
                    await first.play(first.legal[0]["move"])
                    assert moves_told() == 1
                    one.loop.call_soon_threadsafe(lambda: one.hub.presence.announce(live, ask=False))
                    await watching.until(lambda now: now.version == first.version)

    play(scenario())
