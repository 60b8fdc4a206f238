"""Analyses of finished games on a real server: for whom, how far, what is found, and what happens when it stops."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from server import failing_bots
from server.serving import LONGEST, Running, play, postgres_database, running, sqlite_file
from services import redis_url

import wellies
from wellies.client import Client, ServerRefused
from wellies.match import bot_tasks
from wellies.server.storage.schema import analyses
from wellies.table.analysis import Analysis

QUICK: dict[str, Any] = {"analysis_seconds": 2, "analyses_per_hour": 0}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with sqlite_file() as database, running(database, **QUICK) as server:
        yield server


def record_of(game: str = "umbradeco", seed: int = 3, **options: Any) -> str:
    """A whole game at random, as a record."""
    match = wellies.Match(game, 2, options or None, seed, players=["Ann", "Bea"])
    rng = wellies.Stream(seed)
    while match.state.outcome() is None:
        seat = match.state.due()[0]
        moves = match.choices(seat)
        match.play_move(seat, moves[rng.randrange(len(moves))])
    return str(match.record())


async def finished(client: Client, **options: Any) -> str:
    """A finished game in the list of tables."""
    made = await client.request("POST", "/import", {"record": record_of(**options or {"mat": "small"})})
    return str(made["id"])


async def until_done(client: Client, table: str, **query: Any) -> list[dict[str, Any]]:
    """All that is told on the way, the end last."""
    told = []
    end = time.monotonic() + LONGEST
    while True:
        told.append(await client.request("GET", f"/tables/{table}/analysis", **query))
        if told[-1]["state"] not in ("waiting", "thinking"):
            return told
        assert time.monotonic() < end, told[-1]
        await asyncio.sleep(0.05)


def test_an_analysis_of_before_can_still_be_read() -> None:
    move = {"number": 3, "seat": 0, "move": "a", "words": "do a", "choices": 4, "lost": 0.5, "error": 0.1, "sure": True}
    sums = {"seat": 0, "decisions": 1, "best": 0, "mistakes": 1, "lost": 0.5}
    stored = {"state": "done", "done": 1, "total": 1, "missed": 0, "message": "", "seats": [sums]}
    text = msgspec.json.encode({**stored, "moves": [{**move, "lead": 1.0, "best": {"move": "b", "words": "do b"}}]})
    found = msgspec.json.decode(text, type=Analysis)
    assert found.moves[0].better == "do b"
    assert found.moves[0].chance is None
    assert found.moves[0].reasons == []
    assert found.review == []


# --- what is asked of it -------------------------------------------------------------------------------------------


def test_moves_are_judged_with_progress_and_the_result_is_kept(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            table = await finished(ann)
            told = await ann.request("GET", f"/tables/{table}/analysis")
            assert told["state"] == "none"
            begun = await ann.request("POST", f"/tables/{table}/analysis")
            assert begun["state"] in ("waiting", "thinking")
            told = await until_done(ann, table)
            done = told[-1]
            assert done["state"] == "done", done
            steps = [each["done"] for each in told]
            assert steps == sorted(steps)
            # On a busy machine time may run out after a few moves.
            assert len(set(steps)) > min(3, len(done["moves"]) // 2), "one can see it go on"
            assert all(each["total"] == done["total"] for each in told if each["state"] == "thinking")
            assert done["done"] == done["total"] == len(done["moves"]) + done["missed"]

            pages = [await ann.request("GET", f"/tables/{table}/replay", **{"from": start}) for start in (0, 100)]
            entries = {moment["number"]: moment["entry"] for page in pages for moment in page["moments"]}
            for move in done["moves"]:
                entry = entries[move["number"]]
                assert (entry["kind"], entry["seat"], entry["move"]) == ("move", move["seat"], move["move"])
                assert move["words"]
                assert move["choices"] > 1
                assert (move["best"] is None) == (move["lost"] == 0)
                if move["best"] is not None:
                    assert move["best"]["move"] != move["move"]
                    assert move["best"]["words"]
                    assert move["best"]["kind"], "the fields by which a page draws a move"
                assert move["reasons"]
                assert move["line"][0]["words"]
                assert move["move"] in [other["move"] for other in move["others"]]
                assert 0 <= move["chance"] <= 1
            # On a busy machine there is time for few rollouts, after which nothing is sure.
            assert done["missed"] or any(move["sure"] for move in done["moves"]), "a game at random has mistakes in it"
            assert [told["seat"] for told in done["review"]] == [row["seat"] for row in done["seats"]]
            assert all(told["sentences"] for told in done["review"])
            for row in done["seats"]:
                mine = [move for move in done["moves"] if move["seat"] == row["seat"]]
                assert row["decisions"] == len(mine)
                assert row["mistakes"] == sum(move["sure"] for move in mine)
                assert row["lost"] == pytest.approx(sum(move["lost"] for move in mine), abs=0.01)

            judged = server.hub.metrics.analysed_moves
            assert await ann.request("POST", f"/tables/{table}/analysis") == done, "asking again costs nothing"
            server.guard.app.state.analyses._kept.clear()
            assert await ann.request("GET", f"/tables/{table}/analysis") == done, "it is in the store"
            assert server.hub.metrics.analysed_moves == judged

    play(scenario())


def test_a_running_game_is_not_analysed(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            table = (await ann.create_table("guppies", ["me", "shower"], start=True))["id"]
            open_table = (await ann.create_table("guppies", ["me", "open"]))["id"]
            for each in (table, open_table):
                for method in ("GET", "POST"):
                    with pytest.raises(ServerRefused) as refused:
                        await ann.request(method, f"/tables/{each}/analysis")
                    assert (refused.value.status, refused.value.code) == (409, "not_finished")

    play(scenario())


def test_only_those_who_may_see_a_table_get_its_analysis(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as eve, Client(server.url) as nobody:
            await ann.guest("Ann")
            await eve.guest("Eve")
            options = {"mat": "small"}
            made = await ann.create_table("umbradeco", ["random", "random"], options=options, private=True, start=True)
            table, invite = made["id"], made["invite"]
            while (await ann.get_table(table))["state"] != "finished":
                await asyncio.sleep(0.05)
            for method in ("GET", "POST"):
                for query in ({}, {"invite": "wrong"}):
                    with pytest.raises(ServerRefused) as refused:
                        await eve.request(method, f"/tables/{table}/analysis", **query)
                    assert (refused.value.status, refused.value.code) == (404, "no_table")
            with pytest.raises(ServerRefused) as refused:
                await nobody.request("POST", f"/tables/{table}/analysis", invite=invite)
            assert refused.value.status == 401, "whoever makes the server think says who they are"
            await eve.request("POST", f"/tables/{table}/analysis", invite=invite)
            done = (await until_done(nobody, table, invite=invite))[-1]
            assert done["state"] == "done"
            assert done["seats"], "where only bots play, they are judged, as many of them as there was time for"

    play(scenario())


def test_one_person_may_ask_for_so_many_only() -> None:
    async def scenario(server: Running) -> None:
        async with Client(server.url) as ann, Client(server.url) as bea:
            await ann.guest("Ann")
            await bea.guest("Bea")
            tables = [await finished(ann) for _ in range(4)]
            for table in tables[:3]:
                await ann.request("POST", f"/tables/{table}/analysis")
            with pytest.raises(ServerRefused) as refused:
                await ann.request("POST", f"/tables/{tables[3]}/analysis")
            assert (refused.value.status, refused.value.code) == (429, "too_fast")
            told = await ann.request("POST", f"/tables/{tables[0]}/analysis")
            assert told["state"] in ("waiting", "thinking", "done"), "what is under way costs nothing"
            await bea.request("POST", f"/tables/{tables[3]}/analysis")
            states = [(await ann.request("GET", f"/tables/{table}/analysis"))["state"] for table in tables]
            assert states.count("thinking") <= 1, "one game at a time"
            assert "waiting" in states

    with sqlite_file() as database, running(database, analyses_per_hour=1) as server:
        play(scenario(server))


def test_bots_at_tables_go_first(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            table = await finished(ann, game="guppies", tiles=64)
            await ann.request("POST", f"/tables/{table}/analysis")
            game = await ann.create_table("guppies", ["me", "shower"], start=True)
            async with ann.table(game["id"], seat=0) as seat:
                for _ in range(3):
                    await seat.until(lambda now: now.decision is not None)
                    await seat.play(seat.legal[0]["move"])
                await seat.until(lambda now: now.decision is not None)
                hint = await seat.hint()
                assert await seat.why(hint["move"]) is None
            told = await ann.request("GET", f"/tables/{table}/analysis")
            assert told["state"] in ("thinking", "done")
            assert (await until_done(ann, table))[-1]["state"] == "done"

    play(scenario())


# --- what goes wrong -----------------------------------------------------------------------------------------------


def test_a_server_that_stops_gives_up_and_the_next_one_can_begin_again() -> None:
    async def begin(server: Running) -> tuple[str, str]:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            table = await finished(ann, game="guppies", tiles=64)
            await ann.request("POST", f"/tables/{table}/analysis")
            while (await ann.request("GET", f"/tables/{table}/analysis"))["done"] < 2:
                await asyncio.sleep(0.02)
            assert ann.cookie
            return table, ann.cookie

    async def again(server: Running, table: str, cookie: str) -> None:
        async with Client(server.url, cookie=cookie) as ann:
            assert (await ann.request("GET", f"/tables/{table}/analysis"))["state"] == "none"
            assert (await ann.request("POST", f"/tables/{table}/analysis"))["state"] in ("waiting", "thinking")
            assert (await until_done(ann, table))[-1]["state"] == "done"

    with sqlite_file() as database:
        with running(database, analysis_seconds=60) as server:
            table, cookie = asyncio.run(asyncio.wait_for(begin(server), LONGEST))
        with running(database, **QUICK) as server:
            play(again(server, table, cookie))


def test_a_process_that_dies_is_told_and_one_may_ask_again(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            table = await finished(ann)
            server.hub.pool.analyse = failing_bots.die_in_analysis
            await ann.request("POST", f"/tables/{table}/analysis")
            failed = (await until_done(ann, table))[-1]
            assert failed["state"] == "failed"
            assert "lost" in failed["message"]
            server.hub.pool.analyse = failing_bots.fail_sometimes_in_analysis
            await ann.request("POST", f"/tables/{table}/analysis")
            done = (await until_done(ann, table))[-1]
            assert done["state"] == "done"
            assert done["missed"] > 0
            assert all(move["number"] % 7 for move in done["moves"])

    try:
        play(scenario())
    finally:
        server.hub.pool.analyse = bot_tasks.judge


def test_workers_know_of_each_other() -> None:
    async def scenario(one: Running, two: Running) -> None:
        async with Client(one.url) as ann:
            await ann.guest("Ann")
            table = await finished(ann)
            await ann.request("POST", f"/tables/{table}/analysis")
            async with Client(two.url, cookie=ann.cookie) as other:
                told = await other.request("POST", f"/tables/{table}/analysis")
                assert told["state"] in ("waiting", "thinking", "done")
                assert (await until_done(other, table))[-1] == (await until_done(ann, table))[-1]
                assert two.hub.metrics.analysed_moves == 0, "it was done once"

                # A worker that has died in the middle says nothing more.
                lost = await finished(ann, mat="small", seed=4)
                row = {"table_id": lost, "worker": "gone", "state": "thinking", "done": 1, "total": 9, "found": ""}
                await on_loop(one, insert(one, {**row, "at": int(time.time() * 1000)}))
                assert (await other.request("GET", f"/tables/{lost}/analysis"))["done"] == 1
                assert (await other.request("POST", f"/tables/{lost}/analysis"))["state"] == "thinking"
                assert two.hub.metrics.analysed_moves == 0
                await on_loop(one, outdate(one, lost))
                assert (await other.request("GET", f"/tables/{lost}/analysis"))["state"] == "none"
                await other.request("POST", f"/tables/{lost}/analysis")
                assert (await until_done(ann, lost))[-1]["state"] == "done"
                assert two.hub.metrics.analysed_moves > 0

    with (
        postgres_database() as database,
        running(database, redis=redis_url(), **QUICK) as one,
        running(database, redis=redis_url(), **QUICK) as two,
    ):
        play(scenario(one, two))


async def on_loop(server: Running, work: Any) -> None:
    """Run something on the server's own loop, whose connections it uses."""
    await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, server.loop))


async def insert(server: Running, row: dict[str, Any]) -> None:
    async with server.storage.writing() as connection:
        await connection.execute(analyses.insert(), [row])


async def outdate(server: Running, table: str) -> None:
    async with server.storage.writing() as connection:
        await connection.execute(sa.update(analyses).where(analyses.c.table_id == table).values(at=0))
