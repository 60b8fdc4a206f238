"""A game on a device is taken to a real server and goes on there, with friends."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import pytest
from local.hosts import Disk, Page, Tab, run, run_in_real_time
from server.serving import Running, running, sqlite_file

import wellies
from wellies.client import Client, ServerRefused, TableView
from wellies.match import Record


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with sqlite_file() as database, running(database) as server:
        yield server


async def half_a_game(tab: Tab, game: str) -> Page:
    """A game under way, with a takeback in it, in which the first seat is to move."""
    tab.thinking_seconds = 0.0
    others = ["bot:random"] * (wellies.game(game).min_seats - 1)
    made = await tab.table(game, "Ann", *others)
    page = await tab.open(made["id"], 0)
    choose = random.Random(game).choice
    for number in range(12):
        assert await page.my_turn()
        await page.play(choose(page.moves()))
        if number == 6 and page.state["undo"]["kind"]:
            await page.ask("undo")
    live = await tab.app.hub.get(made["id"])
    while live.table.bots_due():  # where all choose at once, bots may still be about to
        await asyncio.sleep(0.01)
    await page.reach(live.table.version)
    assert await page.my_turn()
    return page


async def play_on(seats: list[TableView]) -> None:
    """Everybody plays until the game is over."""
    choose = random.Random(len(seats)).choice
    while not any(seat.finished for seat in seats):
        view = seats[0].view
        assert view is not None
        [due, *_] = view["due"]
        seat = seats[due]
        await seat.until(lambda seat=seat: seat.finished or (seat.decision or {}).get("due"))
        if seat.finished:
            break
        await seat.play(choose(seat.legal)["move"])
        version = seat.version
        for other in seats:
            await other.until(lambda other=other, version=version: other.version >= version)


@pytest.mark.parametrize("game", wellies.list_games())
def test_a_game_that_is_under_way_goes_on_at_a_server(server: Running, game: str) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await half_a_game(tab, game)
        path = f"/tables/{page.table}/record"
        assert await tab.refused("GET", path) == (409, "not_finished")
        text = await tab.done("GET", f"{path}?unfinished=true")
        record = Record.parse(text)
        assert not record.seed, "draws to come stay secret"
        assert not record.result
        names = ["Ann", "Ben", "Cem", "Dot", "Eli"][: len(page.info["seats"])]
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            seats: list[dict[str, Any]] = [{"kind": "me"}, *({"kind": "open"} for _ in names[1:])]
            made = await ann.request("POST", "/tables", {"seats": seats, "record": text})
            assert made["game"] == game
            assert {**page.info["options"], **made["options"]} == page.info["options"]
            friends = [ann]
            for name in names[1:]:
                friend = Client(server.url)
                await friend.guest(name)
                await friend.join(made["id"])
                friends.append(friend)
            await ann.act(made["id"], "start")
            tables = [friend.table(made["id"], seat=seat) for seat, friend in enumerate(friends)]
            opened = [await table.__aenter__() for table in tables]
            view = opened[0].view
            assert view is not None
            for part in ("position", "scores", "due", "active"):
                assert view[part] == page.state["view"][part], part
            assert [each["move"] for each in opened[0].legal] == page.moves()
            with pytest.raises(ServerRefused) as refused:
                await ann.request("GET", f"/tables/{made['id']}/record", unfinished="true")
            assert refused.value.code == "not_finished", "a server gives no record of a game that goes on"
            await play_on(opened)
            whole = Record.parse(await ann.request("GET", f"/tables/{made['id']}/record"))
            assert whole.moves[: len(record.moves)] == record.moves
            assert len(whole.moves) > len(record.moves)
            for table in opened:
                await table.__aexit__(None, None, None)
            for friend in friends[1:]:
                await friend.close()
        assert await page.my_turn(), "the game on the device is as it was"

    run_in_real_time(scenario)


def test_a_record_of_a_game_under_way_goes_on_on_another_device() -> None:
    async def scenario(disk: Disk) -> None:
        page = await half_a_game(Tab(disk), "aquarium")
        text = await page.tab.done("GET", f"/tables/{page.table}/record?unfinished=1")
        other = Tab(Disk())
        seats = [{"kind": "me"}, {"kind": "bot", "level": "drizzle"}]
        made = await other.done("POST", "/tables", {"record": text, "seats": seats, "start": True})
        again = await other.open(made["id"], 0)
        assert again.state["view"]["position"] == page.state["view"]["position"]
        assert await again.my_turn()
        await again.play(again.moves()[0])
        assert (await other.refused("POST", "/import", {"record": text}))[0] in (400, 409)
        await other.stop()

    run(scenario)


def test_a_game_that_has_not_begun_has_no_record() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        made = await tab.done("POST", "/tables", {"game": "guppies", "seats": [{"kind": "me"}, {"kind": "me"}]})
        path = f"/tables/{made['id']}/record"
        assert await tab.refused("GET", f"{path}?unfinished=true") == (409, "not_playing")
        assert await tab.refused("GET", path) == (409, "not_finished")

    run(scenario)


def test_a_finished_game_of_a_server_is_kept_on_the_device(server: Running) -> None:
    async def scenario(disk: Disk) -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            made = await ann.create_table("umbradeco", ["me", "me"], options={"mat": "small"}, start=True)
            async with ann.table(made["id"], seat=0) as first, ann.table(made["id"], seat=1) as second:
                await play_on([first, second])
            text = await ann.request("GET", f"/tables/{made['id']}/record")
            there = await ann.get_table(made["id"])
        tab = Tab(disk)
        kept = await tab.done("POST", "/import", {"record": text})
        assert kept["outcome"] == there["outcome"]
        assert kept["seed"] == there["seed"]
        assert (await tab.done("GET", f"/tables/{kept['id']}/verify"))["ok"]

    run_in_real_time(scenario)
