"""Two workers serve one table: on PostgreSQL with Redis, and on one SQLite file with Redis."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
from server.serving import LONGEST, Running, Worker, postgres_database, running, sqlite_file
from services import redis_url

import wellies
from wellies.client import Client, TableView
from wellies.server import http_tables


@pytest.fixture(scope="module", params=["postgres", "sqlite"])
def workers(request: pytest.FixtureRequest) -> Iterator[tuple[Running, Running]]:
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgres_database() if request.param == "postgres" else sqlite_file())
        one = stack.enter_context(running(database, redis=redis_url()))
        two = stack.enter_context(running(database, redis=redis_url()))
        yield one, two


def play(scenario: Any) -> None:
    asyncio.run(asyncio.wait_for(scenario, LONGEST))


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
