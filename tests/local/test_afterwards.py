"""What can be done with games on a device when they are over: replay them, go on from a moment, analyse them, play
again, take them elsewhere, and delete them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from local.hosts import Disk, Page, Tab, play_out, run

import wellies
from wellies.core.dice import seed_hash
from wellies.local.settings import LocalSettings
from wellies.match import Record

QUICK = LocalSettings(analysis_seconds=2.0)


async def finished(tab: Tab, game: str = "umbradeco", *seats: str, **more: Any) -> Page:
    """A finished game, on the page of its first seat."""
    options = {"mat": "small"} if game == "umbradeco" else {}
    made = await tab.table(game, *(seats or ("me", "bot:drizzle")), **{"options": options, **more})
    page = await tab.open(made["id"], 0)
    await play_out(page)
    return page


def test_the_moments_of_a_replay_are_what_the_page_saw() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await finished(tab, "aquarium", options={})
        seen = {message["version"]: message for message in page.got if message["type"] in ("hello", "update")}
        path = f"/tables/{page.table}/replay"
        moments: list[Any] = []
        while len(moments) < page.state["version"]:
            answer = await tab.done("GET", f"{path}?seat=0&from={len(moments) + 1}")
            assert answer["version"] == page.state["version"]
            assert 0 < len(answer["moments"]) <= 100
            moments += answer["moments"]
        assert [moment["number"] for moment in moments] == list(range(1, page.state["version"] + 1))
        shared = [moment for moment in moments if moment["number"] in seen]
        assert len(shared) > 20
        for moment in shared:
            assert moment["view"] == seen[moment["number"]]["view"]
        [tenth] = (await tab.done("GET", f"{path}?seat=1&from=10&to=10"))["moments"]
        assert tenth["number"] == 10
        assert tenth["view"]["seat"] == 1, "after the end one may look from any seat"
        log = await tab.done("GET", f"/tables/{page.table}/log?seat=0")
        assert [entry["number"] for entry in log["entries"]] == [moment["number"] for moment in moments]
        assert log["entries"] == [moment["entry"] for moment in moments]
        assert await tab.refused("GET", f"{path}?seat=7") == (400, "no_seat")

    run(scenario)


def test_while_a_game_goes_on_one_looks_from_ones_own_seats_only() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        made = await tab.table("aquarium", "me", "bot:drizzle")
        path = f"/tables/{made['id']}"
        assert await tab.refused("GET", f"{path}/replay?seat=1") == (403, "not_seated")
        assert await tab.refused("GET", f"{path}/log?seat=1") == (403, "not_seated")
        mine = await tab.done("GET", f"{path}/replay?seat=0")
        assert mine["moments"][-1]["view"]["seat"] == 0
        assert await tab.refused("GET", f"{path}/record") == (409, "not_finished")
        assert await tab.refused("GET", f"{path}/verify") == (409, "not_finished")
        assert await tab.refused("POST", f"{path}/analysis") == (409, "not_finished")
        assert await tab.refused("GET", f"{path}/analysis") == (409, "not_finished")
        assert await tab.refused("POST", f"{path}/rematch") == (409, "not_finished")
        fork = {"from": {"table": made["id"], "number": 3}, "seats": [{"kind": "me"}, {"kind": "me"}]}
        assert (await tab.refused("POST", "/tables", fork))[0] == 409

    run(scenario)


def test_another_game_goes_on_from_a_moment() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        old = await finished(tab)
        number = next(entry["number"] for entry in old.entries if entry["kind"] == "move" and entry["number"] > 12)
        moment = (await tab.done("GET", f"/tables/{old.table}/replay?from={number}&to={number}"))["moments"][0]
        seats = [{"kind": "bot", "level": "drizzle"}, {"kind": "me", "name": "Ann"}]
        body = {"from": {"table": old.table, "number": number}, "seats": seats, "start": True}
        made = await tab.done("POST", "/tables", body)
        assert made["options"] == old.info["options"]
        first = (await tab.done("GET", f"/tables/{made['id']}/replay?to=100"))["moments"]
        assert moment["view"] in [each["view"] for each in first], "it begins with the same position"
        page = await tab.open(made["id"], 1)
        await play_out(page)
        assert await tab.done("GET", f"/tables/{old.table}") == old.info, "the old game is as it was"
        assert await tab.refused("POST", "/tables", {**body, "seats": seats[:1]}) == (400, "bad_seats")
        nowhere = {**body, "from": {"table": "local-" + "a" * 26, "number": 1}}
        assert await tab.refused("POST", "/tables", nowhere) == (404, "no_table")

    run(scenario)


def test_the_analysis_of_a_game_is_made_once_and_kept() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk, settings=QUICK)
        page = await finished(tab)
        path = f"/tables/{page.table}/analysis"
        assert (await tab.done("GET", path))["state"] == "none"
        assert (await tab.done("POST", path))["state"] in ("waiting", "thinking")
        while (found := await tab.done("GET", path))["state"] != "done":
            assert found["state"] in ("waiting", "thinking"), found
            assert found["done"] <= found["total"]
            await asyncio.sleep(0.1)
        assert found["moves"]
        assert {move["seat"] for move in found["moves"]} == {0}, "the person's moves are judged"
        assert [move["number"] for move in found["moves"]] == sorted(move["number"] for move in found["moves"])
        assert len(found["moves"]) + found["missed"] == found["total"]
        assert found["seats"][0]["decisions"] == len(found["moves"])
        for move in found["moves"]:
            assert move["reasons"]
            assert move["line"][0]["seat"] == 0
            assert move["move"] in [other["move"] for other in move["others"]]
            assert 0 <= move["chance"] <= 1
        assert [told["seat"] for told in found["review"]] == [0]
        assert found["review"][0]["sentences"][0].startswith("{0} ")
        asked = len(tab.asked)
        assert await tab.done("POST", path) == found
        assert await Tab(disk).done("GET", path) == found, "it is stored"
        await asyncio.sleep(60)
        assert len(tab.asked) == asked
        # A later entry of the log does not lose it.
        await tab.done("POST", f"/tables/{page.table}/rematch")
        assert await Tab(disk).done("GET", path) == found

    run(scenario)


def test_bots_at_another_table_go_before_the_next_move_of_an_analysis() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk, settings=LocalSettings(analysis_seconds=1_000.0))
        old = await finished(tab)
        tab.thinking_seconds = 1.0
        await tab.done("POST", f"/tables/{old.table}/analysis")
        made = await tab.table("guppies", "me", "bot:drizzle")
        page = await tab.open(made["id"], 0)
        judged_before = 0
        while not judged_before:
            await asyncio.sleep(1.0)
            judged_before = sum("nodes" in task for task in tab.asked)
        await page.play(page.moves()[0])
        started = asyncio.get_running_loop().time()
        assert await page.my_turn()
        assert asyncio.get_running_loop().time() - started < 3.0
        assert (await tab.done("GET", f"/tables/{old.table}/analysis"))["state"] == "thinking"

    run(scenario)


def test_an_analysis_that_fails_says_so_and_can_be_asked_for_again() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk, settings=QUICK)
        page = await finished(tab)
        path = f"/tables/{page.table}/analysis"
        judge = tab.judge_with
        tab.judge_with = lambda _task: json.dumps({"failure": "a mistake"})
        await tab.done("POST", path)
        while (found := await tab.done("GET", path))["state"] != "failed":
            await asyncio.sleep(0.5)
        assert "a mistake" in found["message"]
        tab.judge_with = judge
        await tab.done("POST", path)
        while (found := await tab.done("GET", path))["state"] != "done":
            assert found["state"] != "failed"
            await asyncio.sleep(0.5)

    run(scenario)


def test_an_analysis_that_cannot_be_stored_is_known_until_the_page_is_closed() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk, settings=QUICK)
        page = await finished(tab)
        path = f"/tables/{page.table}/analysis"

        def full(what: str) -> None:
            if what == "put_row":
                raise OSError("the disk is full")

        tab.before_use = full
        await tab.done("POST", path)
        while (found := await tab.done("GET", path))["state"] != "done":
            await asyncio.sleep(0.5)
        asked = len(tab.asked)
        assert (await tab.done("POST", path))["state"] == "done"
        assert len(tab.asked) == asked
        assert found["moves"]
        assert (await Tab(disk).done("GET", path))["state"] == "none"

    run(scenario)


def test_a_rematch_is_the_same_table_for_all_who_ask() -> None:
    async def scenario(disk: Disk) -> None:
        tab, other = Tab(disk), Tab(disk, deaf=True)
        page = await finished(tab, "umbradeco", "Ann", "bot:drizzle")
        path = f"/tables/{page.table}/rematch"
        first, second = await asyncio.gather(tab.done("POST", path), other.done("POST", path))
        assert first["id"] == second["id"] != page.table
        assert first["id"].startswith("local-")
        assert await tab.done("POST", path) == await tab.done("GET", f"/tables/{first['id']}")
        assert first["state"] == "playing", "nobody else need agree"
        assert sorted(seat["name"] for seat in first["seats"]) == ["Ann", "drizzle"]
        assert len(disk.rows) == 2
        again = await tab.open(first["id"], next(seat["seat"] for seat in first["seats"] if seat["mine"]))
        await play_out(again)

    run(scenario)


@pytest.mark.parametrize("game", wellies.list_games())
def test_a_record_leaves_the_device_and_comes_back(game: str) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        others = ["bot:random"] * (wellies.game(game).min_seats - 1)
        page = await finished(tab, game, "Ann", *others)
        text = await tab.done("GET", f"/tables/{page.table}/record")
        record = Record.parse(text)
        assert record.seed
        assert record.verify() > 0
        verdict = await tab.done("GET", f"/tables/{page.table}/verify")
        assert verdict["ok"]
        assert await tab.done("POST", "/verify", {"record": text}) == verdict
        wrong = Record.parse(text)
        wrong.seed = "00" * (len(record.seed) // 2)
        wrong.seed_hash = seed_hash(bytes.fromhex(wrong.seed))
        assert not (await tab.done("POST", "/verify", {"record": str(wrong)}))["ok"]
        elsewhere = Tab(Disk())
        status, shown = await elsewhere.ask("POST", "/import", {"record": text})
        assert status == 201
        assert shown["imported"]
        assert shown["state"] == "finished"
        assert shown["outcome"] == page.info["outcome"]
        assert [seat["name"] for seat in shown["seats"]] == ["Ann"] + ["random"] * len(others)
        copy = await elsewhere.done("GET", f"/tables/{shown['id']}/record")
        assert Record.parse(copy).moves == record.moves
        assert (await elsewhere.done("GET", f"/tables/{shown['id']}/verify"))["ok"]
        again = await elsewhere.open(shown["id"])
        assert again.over
        half = Record.parse(text)
        half.moves = half.moves[: len(half.moves) // 2]
        half.result = half.seed = ""
        assert (await elsewhere.refused("POST", "/import", {"record": str(half)}))[0] in (400, 409)
        await elsewhere.stop()

    run(scenario)


def test_a_table_is_deleted_for_good() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await finished(tab)
        made = await tab.table("guppies", "me", "bot:drizzle")
        playing = await tab.open(made["id"], 0)
        for table in (page.table, made["id"]):
            assert await tab.done("DELETE", f"/tables/{table}") == {"done": True}
            assert await tab.refused("DELETE", f"/tables/{table}") == (404, "no_table")
            assert await tab.refused("GET", f"/tables/{table}") == (404, "no_table")
        await playing.until(lambda: playing.closed)
        assert playing.closed is not None
        assert playing.closed[0] == 4404
        assert not disk.rows
        assert not disk.entries
        gone = await tab.open(made["id"], 0)
        assert gone.closed is not None
        assert gone.closed[0] == 4404
        assert [error["code"] for error in gone.errors] == ["no_table"]
        assert await tab.done("GET", "/tables") == {"tables": []}

    run(scenario)


@pytest.mark.parametrize("knows", [True, False])
def test_a_table_is_deleted_while_a_bot_thinks_or_a_move_is_stored(knows: bool) -> None:
    """Whether or not the database knows that the table was there."""

    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        disk.knows_removed = knows
        for pause in (0.0, 0.0005, 0.0015, 0.0025, 0.0035, 0.2):
            made = await tab.table("guppies", "me", "bot:drizzle")
            page = await tab.open(made["id"], 0)
            assert await page.my_turn()
            page.say(json.dumps({"type": "play", "id": "last", "move": page.moves()[0]}))
            await asyncio.sleep(pause)
            await tab.done("DELETE", f"/tables/{made['id']}")
            await page.until(lambda page=page: page.closed)  # type: ignore[misc]
            await asyncio.sleep(5.0)
            assert not disk.rows
            assert not disk.entries, "nothing is stored of a table that is gone"

    run(scenario)


@pytest.mark.parametrize("knows", [True, False])
def test_what_is_asked_of_a_table_while_it_is_deleted_is_done_before_or_refused(knows: bool) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        disk.knows_removed = knows
        outcomes = set()
        for number in range(20):
            path = f"/tables/{(await tab.table('guppies', 'me', 'bot:drizzle'))['id']}"

            async def resign(path: str = path, pause: float = 0.0003 * number) -> tuple[int, Any]:
                await asyncio.sleep(pause)
                return await tab.ask("POST", f"{path}/resign", {})

            _, (status, answer) = await asyncio.gather(tab.done("DELETE", path), resign())
            outcomes.add((status, answer.get("code", "done")))
            await asyncio.sleep(5.0)
            assert not disk.rows
            assert not disk.entries, "nothing is stored of a table that is gone"
        assert outcomes == {(200, "done"), (404, "no_table")}

    run(scenario)
