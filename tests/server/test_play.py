"""Playing over real sockets, on SQLite and on PostgreSQL with Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from server.serving import Running, play, postgres_database, running, sqlite_file
from services import redis_url

import wellies
from wellies.client import Client, ServerRefused, TableView, run_bot


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Iterator[Running]:
    if request.param == "sqlite":
        with sqlite_file() as database, running(database) as server:
            yield server
    else:
        with postgres_database() as database, running(database, redis=redis_url()) as server:
            yield server


async def random_turn(view: TableView, pick: int = 0) -> dict[str, Any]:
    await view.until(lambda now: now.decision is not None)
    return await view.play(view.legal[pick % len(view.legal)]["move"])


def test_play_now_is_one_request(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("guppies", ["me", "greedy"], start=True, name="Ann")
            assert table["state"] == "playing"
            assert [seat["name"] for seat in table["seats"]] == ["Ann", "greedy"]
            async with client.table(table["id"], seat=0) as seat:
                assert seat.view is not None
                assert seat.decision == {"id": "0.1", "due": True}
                done = await seat.play("a0@0,0")
                assert done["type"] == "update"
                assert done["entries"][0]["events"][0]["kind"] == "lay"
                await seat.until(lambda now: now.decision is not None and now.version > 4)
                assert seat.view["active"] == [0]

    play(scenario())


def test_bots_tell_their_strength_and_think_time(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            bots = {each["name"]: each for each in await client.request("GET", "/bots")}
            people = [name for name, each in bots.items() if each["for_people"]]
            assert people == ["drizzle", "shower", "storm", "monsoon"]
            assert all(bots[name]["strength"] and bots[name]["thinks"] and bots[name]["summary"] for name in people)
            assert (bots["storm"]["seconds"], bots["monsoon"]["seconds"]) == (1.5, 6.0)
            assert not bots["random"]["for_people"]
            table = await client.create_table("guppies", ["me", "random"], start=True)
            assert table["seats"][1]["bot"] == "random", "programs may seat those for research"

    play(scenario())


def test_a_hint_comes_while_bots_think(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("puppies", ["me", "storm", "storm"], start=True)
            async with client.table(table["id"], seat=0) as seat:
                await seat.until(lambda now: now.decision is not None)
                hint = await seat.hint()
                assert await seat.why(hint["move"]) is None
                assert hint["words"]

    play(scenario())


def test_two_people_a_watcher_and_an_invite(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as bob, Client(server.url) as eve:
            await ann.guest("Ann")
            await bob.guest("Bob")
            await eve.guest("Eve")
            table = await ann.create_table("guppies", ["me", "open"], private=True)
            with pytest.raises(ServerRefused) as refused:
                await bob.join(table["id"])
            assert refused.value.status == 404
            await bob.join(table["id"], invite=table["invite"])
            with pytest.raises(ServerRefused, match="Only the host"):
                await bob.act(table["id"], "start")
            async with (
                ann.table(table["id"], seat=0) as one,
                bob.table(table["id"], seat=1) as two,
                eve.table(table["id"], invite=table["invite"]) as watcher,
            ):
                assert one.view is None
                await ann.act(table["id"], "start")
                for number in range(6):
                    mover, other = (one, two) if number % 2 == 0 else (two, one)
                    await random_turn(mover, number)
                    await other.until(lambda now, at=mover: now.version >= at.version)
                await watcher.until(lambda now: now.version == two.version)
                assert watcher.decision is None
                assert watcher.legal == []
                await two.say("Hello!")
                await one.until(lambda now: len(now.chat) == 1)
                await watcher.until(lambda now: len(now.chat) == 1)
                assert one.chat[0]["name"] == "Bob"
                assert one.chat[0]["seat"] == 1
                await one.until(lambda now: sorted(now.presence["seats"]) == [0, 1])
                with pytest.raises(ServerRefused, match="only those seated"):
                    await watcher.play("a0@0,0")
                with pytest.raises(ServerRefused, match="private table"):
                    await watcher.say("psst")

    play(scenario())


def test_what_was_missed_is_replayed(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("guppies", ["me", "me"], start=True)
            async with client.table(table["id"], seat=0) as one:
                await random_turn(one)
                left_at = one.version
            async with client.table(table["id"], seat=1) as two:
                await random_turn(two)
                now = two.version
            async with client.table(table["id"], seat=0, since=left_at) as one:
                assert [entry["number"] for entry in one.entries] == list(range(left_at + 1, now + 1))
                assert one.decision is not None

    play(scenario())


def test_preview_why_hint_and_stale(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("guppies", ["me", "me"], start=True, hints="all", takebacks="off")
            async with client.table(table["id"], seat=0) as one, client.table(table["id"], seat=1) as two:
                first = one.decision
                assert first is not None
                seen = await one.preview("a0@0,0")
                assert seen["events"][0]["kind"] == "lay"
                assert len(seen["gains"]) == 2
                assert seen["certain"] is False, "a draw follows"
                assert one.version == table["version"], "nothing happened"
                assert await one.why("a0@5,5")
                assert await one.why("a0@0,0") is None
                hint = await one.hint()
                assert await one.why(hint["move"]) is None
                assert hint["words"]
                assert hint["reasons"]
                assert hint["others"][0]["move"] == hint["move"]
                assert hint["line"][0]["seat"] == 0
                assert 0 < hint["chance"] < 1
                assert hint["proved"] is False
                for move, code in (("zzz", "bad_notation"), ("a0@999,0", "unknown_piece"), ("a0@5,5", "illegal")):
                    with pytest.raises(ServerRefused) as refused:
                        await one.play(move)
                    assert refused.value.code == code
                with pytest.raises(ServerRefused) as refused:
                    await two.play("a0@0,0")
                assert refused.value.code == "not_your_turn"
                await one.play("a0@0,0")
                for decision in (first["id"], "0.999", "nonsense"):
                    with pytest.raises(ServerRefused) as refused:
                        await one.play("a0@0,0", decision)
                    assert refused.value.code == "stale"
                with pytest.raises(ServerRefused) as refused:
                    await one.undo()
                assert refused.value.code == "undo_refused"

    play(scenario())


def test_a_whole_game_between_network_bots_leaves_a_record_that_verifies(server: Running) -> None:
    rng = wellies.Stream(5)

    def choose(_view: dict[str, Any], legal: list[str], _seat: int) -> str:
        return legal[rng.randrange(len(legal))]

    async def scenario() -> None:
        async with Client(server.url) as host:
            await host.guest("Host")
            options = {"tiles": 64}
            table = await host.create_table("guppies", ["open", "open"], options=options)
            bots = [asyncio.create_task(run_bot(server.url, table["id"], choose, name=f"Bot {n}")) for n in range(2)]
            while any(seat["kind"] == "open" for seat in (await host.get_table(table["id"]))["seats"]):
                await asyncio.sleep(0.02)
            started = await host.act(table["id"], "start")
            assert started["seed"] is None
            outcomes = await asyncio.gather(*bots)
            assert outcomes[0] == outcomes[1]
            assert outcomes[0]["resigned"] == []
            done = await host.get_table(table["id"])
            assert done["state"] == "finished"
            assert done["outcome"]["scores"] == outcomes[0]["scores"]
            assert done["seed"] is not None
            text = await host.request("GET", f"/tables/{table['id']}/record")
            record = wellies.Record.parse(text)
            assert record.verify() == 64
            assert record.seed_hash == started["seed_hash"]
            verdict = await host.request("GET", f"/tables/{table['id']}/verify")
            assert verdict["ok"]
            assert (await host.request("POST", "/verify", {"record": text}))["draws"] == 64
            bad = text.replace("\n* draw ", "\n* draw 1", 1)
            assert not (await host.request("POST", "/verify", {"record": bad}))["ok"]
            again = await host.request("POST", "/import", {"record": text})
            assert again["imported"]
            assert again["outcome"]["scores"] == outcomes[0]["scores"]
            assert await host.request("GET", f"/tables/{again['id']}/record") == text
            found = await host.request("GET", "/tables", state="finished", player="bot 1", game="guppies")
            assert table["id"] in [each["id"] for each in found["tables"]]
            replay = await host.request("GET", f"/tables/{table['id']}/replay", seat=0, **{"from": 5, "to": 9})
            assert [moment["number"] for moment in replay["moments"]] == [5, 6, 7, 8, 9]
            assert replay["moments"][0]["view"]["seat"] == 0
            told = await host.request("GET", f"/tables/{table['id']}/log", seat=0)
            assert told["version"] == told["entries"][-1]["number"] == done["version"]
            assert told["entries"][4:9] == [moment["entry"] for moment in replay["moments"]]
            fork = await host.create_table(
                "", ["me", "greedy"], start=True, **{"from": {"table": table["id"], "number": 20}}
            )
            assert fork["state"] == "playing"
            assert fork["seed_hash"] == "", "its first draws are from another game"

    play(scenario())


def test_hand_over_take_back_resign_and_rematch(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("guppies", ["me", "random"], options={"tiles": 64}, start=True)
            name = table["id"]
            async with client.table(name, seat=0) as seat:
                await client.act(name, "handover", seat=0, level="random")
                await seat.until(lambda now: now.version > 8)
                assert seat.legal == []
                assert seat.decision is None
                with pytest.raises(ServerRefused) as refused:
                    await seat.play("a0@0,0")
                assert refused.value.code == "bot_plays"
                await client.act(name, "takeback", seat=0)
                await seat.until(lambda now: now.decision is not None)
                await random_turn(seat)
                await client.act(name, "resign", seat=0)
                with pytest.raises(ServerRefused, match="resigned"):
                    await client.act(name, "takeback", seat=0)
                with pytest.raises(ServerRefused, match="not over"):
                    await client.act(name, "rematch")
                await seat.until(lambda now: now.finished)
                assert seat.view is not None
                assert seat.view["outcome"]["resigned"] == [0]
                # The stand-in is far better than a random player, and yet who gives up does not win.
                assert seat.view["outcome"]["ranks"] == [2, 1]
                assert seat.view["outcome"]["winners"] == [1]
                assert all(entry["move"] for entry in seat.entries if entry["kind"] == "move" and entry["seat"] == 0)
            new = await client.act(name, "rematch")
            assert new["id"] != name
            assert new["state"] == "playing"
            assert [chair["kind"] for chair in new["seats"]] == ["bot", "person"]
            assert (await client.act(name, "rematch"))["id"] == new["id"]
            assert (await client.get_table(name))["rematch"] == new["id"]

    play(scenario())


def test_the_host_arranges_the_table(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as host, Client(server.url) as guest:
            await host.guest("Host")
            await guest.guest("Guest")
            table = (await host.create_table("guppies", ["me", "open", "open"]))["id"]
            with pytest.raises(ServerRefused, match="open chairs"):
                await host.act(table, "start")
            joined = await guest.join(table, 2)
            assert joined["seats"][2]["mine"]
            with pytest.raises(ServerRefused, match="Chair 3 is taken"):
                await host.join(table, 2)
            await guest.act(table, "leave")
            await guest.join(table)
            await host.act(table, "seats", seat=1, kind="open")
            await host.act(table, "seats", seat=1, kind="bot", level="random")
            await host.act(table, "seats", seat=2, kind="bot", level="greedy")
            changed = await host.request("PATCH", f"/tables/{table}", {"options": {"table": "one"}, "private": True})
            assert changed["options"]["table"] == "one"
            with pytest.raises(ServerRefused):
                await guest.get_table(table)
            started = await host.act(table, "start")
            assert started["state"] == "playing"
            with pytest.raises(ServerRefused, match="begun"):
                await host.join(table)
            mine = await host.request("GET", "/tables", mine=True)
            assert [each["id"] for each in mine["tables"]] == [table]

    play(scenario())
