"""Whole games on one device, move by move: against bots of every level, with people who pass the device on, and with
bots alone."""

from __future__ import annotations

import random

import pytest
from helpers import SOAK
from local.hosts import Disk, Tab, play_out, run

import wellies
from wellies.bots import Bot, make_bot
from wellies.match import bot_tasks

LEVELS = ["drizzle", "shower", "storm", "monsoon"]
GAMES = wellies.list_games()
LONG = "marram"
"""Its games take most of the time: against bots of all levels they are played in `make soak`, else against one."""
SHORT = {"guppies": {"tiles": 64}, "marram": {"length": "short"}}
"""Options of games that would take long."""


@pytest.fixture
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that search look at a few moves only, and at no clock: a game of theirs takes seconds, not minutes."""

    def quick(name: str) -> Bot:
        return make_bot(f"{name}:nodes=4:ms=0" if name in ("storm", "monsoon") else name)

    monkeypatch.setattr(bot_tasks, "bot", quick)


@pytest.mark.usefixtures("quick_bots")
@pytest.mark.parametrize(
    ("game", "level"),
    [(game, level) for game in GAMES for level in LEVELS if SOAK or game != LONG or level == "shower"],
)
def test_a_game_against_bots(game: str, level: str) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        others = wellies.game(game).min_seats - 1
        made = await tab.table(game, "me", *[f"bot:{level}"] * others, options=SHORT.get(game, {}))
        assert made["id"].startswith("local-")
        assert made["state"] == "playing"
        page = await tab.open(made["id"], 0)
        assert page.hello["seat"] == 0
        await play_out(page, random.Random(game).choice)
        assert page.state["view"]["outcome"]["resigned"] == []
        assert {task["level"] for task in tab.asked} == {level}
        assert not page.notices
        found = await tab.done("GET", f"/tables/{made['id']}")
        assert found == page.info
        assert found["seed"] is not None
        again = Tab(disk)
        assert await again.done("GET", f"/tables/{made['id']}") == found, "it is stored"
        assert (await again.done("GET", f"/tables/{made['id']}/verify"))["ok"]

    run(scenario)


@pytest.mark.parametrize("level", ["storm", "monsoon"])
def test_strong_bots_think_with_all_their_strength(level: str) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        made = await tab.table("guppies", f"bot:{level}", "me")
        page = await tab.open(made["id"], 1)
        assert await page.my_turn()
        assert [task["level"] for task in tab.asked] == [level]
        assert not page.notices

    run(scenario)


@pytest.mark.parametrize("game", GAMES)
def test_people_pass_the_device_on(game: str) -> None:
    """Each seat has a page of its own, as the page opens one for whoever is to move."""

    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        seats = wellies.game(game).max_seats
        names = ["Ann", "Ben", "Cem", "Dot", "Eli", "Flo"][:seats]
        made = await tab.table(game, *names, options=SHORT.get(game, {}))
        assert [seat["name"] for seat in made["seats"]] == names
        assert all(seat["mine"] for seat in made["seats"])
        pages = [await tab.open(made["id"], seat) for seat in range(seats)]
        choose = random.Random(game).choice
        while not pages[0].over:
            [seat, *_] = pages[0].state["view"]["due"]
            assert await pages[seat].my_turn()
            await pages[seat].play(choose(pages[seat].moves()))
            for page in pages:
                await page.reach(pages[seat].state["version"])
        assert not tab.asked, "no bot was asked"
        for page in pages:
            await page.end()

    run(scenario)


def test_bots_play_alone_and_go_on_after_a_reload() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        made = await tab.table("umbradeco", "bot:drizzle", "bot:shower")
        watching = await tab.open(made["id"])
        assert watching.hello["seat"] is None
        await watching.until(lambda: watching.state["version"] > 10)
        tab.crash()
        again = Tab(disk)
        page = await again.open(made["id"], since=watching.state["version"])
        assert page.hello["entries"] == page.entries
        assert all(entry["number"] > watching.state["version"] for entry in page.entries)
        await page.end()

    run(scenario)
