"""Two tabs of one browser over one database: neither loses what the other has stored."""

from __future__ import annotations

import asyncio
import os
from random import Random

import pytest
from local.hosts import Disk, Page, Tab, TabClosed, play_out, run

from wellies.local.settings import LocalSettings

SOAK = int(os.environ.get("WELLIES_SOAK", "0"))
"""How often `make soak` tries what depends on chance."""


async def two_pages(one: Tab, two: Tab, *seats: str) -> tuple[Page, Page]:
    made = await one.table("guppies", *(seats or ("me", "bot:drizzle")), options={"tiles": 64})
    first, second = await one.open(made["id"], 0), await two.open(made["id"], 0)
    assert await first.my_turn()
    assert await second.my_turn()
    return first, second


def test_what_one_tab_does_the_other_shows() -> None:
    async def scenario(disk: Disk) -> None:
        first, second = await two_pages(Tab(disk), Tab(disk))
        for _ in range(4):
            for page, other in ((first, second), (second, first)):
                await page.play(page.moves()[0])
                assert await page.my_turn()
                await other.reach(page.state["version"])
                assert other.state["view"] == page.state["view"]
                assert other.state["decision"] == page.state["decision"]
        await second.ask("undo")
        await first.reach(second.state["version"])
        assert first.state["view"] == second.state["view"]
        await play_out(first)
        await second.end()
        assert first.info == second.info

    run(scenario)


def test_a_bot_is_asked_by_one_tab_only() -> None:
    async def scenario(disk: Disk) -> None:
        one, two = Tab(disk), Tab(disk)
        first, second = await two_pages(one, two)
        await play_out(first)
        await second.end()
        assert len(one.asked) > 5
        assert not two.asked

    run(scenario)


def test_a_move_of_a_tab_that_is_behind_is_tried_on_the_newest_table() -> None:
    """Nobody has told it: the store does."""

    async def scenario(disk: Disk) -> None:
        one, two = Tab(disk, deaf=True), Tab(disk, deaf=True)
        first, second = await two_pages(one, two)
        old = second.state["decision"]["id"]
        move = first.moves()[0]
        await first.play(move)
        assert await first.my_turn()
        answer = await second.ask("play", move=move, decision=old)
        assert (answer["type"], answer["code"]) == ("error", "stale")
        assert second.state["version"] == first.state["version"], "it has caught up"
        await second.play(second.moves()[0])
        assert disk.log(first.table)[-1][0] == len(disk.log(first.table))

    run(scenario)


def test_a_refusal_of_a_tab_that_is_behind_is_looked_at_again() -> None:
    async def scenario(disk: Disk) -> None:
        one, two = Tab(disk), Tab(disk, deaf=True)
        made = await one.done("POST", "/tables", {"game": "puppies", "seats": [{"kind": "me"}, {"kind": "me"}]})
        path = f"/tables/{made['id']}"
        assert await two.refused("POST", f"{path}/join", {}) == (409, "full")
        await one.done("POST", f"{path}/chairs/add")
        info = await two.done("POST", f"{path}/join", {})
        assert [seat["mine"] for seat in info["seats"]] == [True, True, True]

    run(scenario)


def test_two_moves_at_once_are_one_move_and_one_refusal() -> None:
    async def scenario(disk: Disk) -> None:
        first, second = await two_pages(Tab(disk), Tab(disk))
        decision = first.state["decision"]["id"]
        asked = [page.ask("play", move=page.moves()[0], decision=decision) for page in (first, second)]
        answers = await asyncio.gather(*asked)
        assert sorted(answer.get("code", "stored") for answer in answers) == ["stale", "stored"]

    run(scenario)


def test_settings_that_two_tabs_change_at_once_are_both_kept() -> None:
    async def scenario(disk: Disk) -> None:
        one, two = Tab(disk), Tab(disk, deaf=True)
        made = await one.done("POST", "/tables", {"game": "guppies", "seats": [{"kind": "me"}, {"kind": "me"}]})
        path = f"/tables/{made['id']}"
        assert await two.done("GET", path) == made
        await asyncio.gather(
            one.done("PATCH", path, {"hints": "all"}),
            two.done("POST", f"{path}/chairs/name", {"seat": 1, "name": "Ben"}),
        )
        info = await Tab(disk).done("GET", path)
        assert info["hints"] == "all"
        assert info["seats"][1]["name"] == "Ben"
        assert info["version"] == 2

    run(scenario)


def test_a_tab_that_closes_while_its_bot_thinks_is_replaced_by_the_other() -> None:
    async def scenario(disk: Disk) -> None:
        settings = LocalSettings(rescue_seconds=4.0)
        one, two = Tab(disk, settings=settings), Tab(disk, settings=settings)
        first, second = await two_pages(one, two)
        one.thinking_seconds = 1_000.0
        await first.play(first.moves()[0])
        await first.until(lambda: one.asked)
        await second.reach(first.state["version"])
        closed = asyncio.get_running_loop().time()
        one.crash()
        assert not two.asked
        assert await second.my_turn()
        waited = asyncio.get_running_loop().time() - closed
        assert 3.0 < waited < 5.0
        assert len(two.asked) == 1
        await play_out(second)

    run(scenario)


def test_a_slow_bot_of_one_tab_is_not_in_the_way_of_the_other() -> None:
    """The other tab loses patience and asks a bot of its own; whichever is first moves, and the other stops."""

    async def scenario(disk: Disk) -> None:
        settings = LocalSettings(rescue_seconds=1.0)
        one, two = Tab(disk, settings=settings), Tab(disk, settings=settings)
        first, second = await two_pages(one, two)
        for slow, quick in ((8.0, 2.0), (2.0, 8.0)):
            one.thinking_seconds, two.thinking_seconds = slow, quick
            await first.play(first.moves()[0])
            assert await first.my_turn()
            assert await second.my_turn()
            assert first.state["version"] == second.state["version"]
            await asyncio.sleep(30.0)
        moves = [entry for entry in disk.log(first.table) if entry[1] == "move" and entry[2] == 1]
        people = [entry for entry in disk.log(first.table) if entry[1] == "move" and entry[2] == 0]
        assert len(moves) == len(people) == 2

    run(scenario)


def test_a_table_that_another_tab_deletes_is_gone_here() -> None:
    async def scenario(disk: Disk) -> None:
        one, two = Tab(disk), Tab(disk)
        first, second = await two_pages(one, two)
        await one.done("DELETE", f"/tables/{first.table}")
        for page in (first, second):
            await page.until(lambda page=page: page.closed)  # type: ignore[misc]
            assert page.closed is not None
            assert page.closed[0] == 4404
        assert await two.refused("GET", f"/tables/{first.table}") == (404, "no_table")

    run(scenario)


@pytest.mark.parametrize("thinking", [0.2, 50.0])
def test_a_tab_that_does_not_hear_of_it_does_not_bring_a_deleted_table_back(thinking: float) -> None:
    async def scenario(disk: Disk) -> None:
        one, two = Tab(disk), Tab(disk, deaf=True)
        first, second = await two_pages(one, two)
        two.thinking_seconds = thinking
        await second.play(second.moves()[0])
        await second.until(lambda: two.asked)
        await one.done("DELETE", f"/tables/{first.table}")
        await second.until(lambda: second.closed)
        assert second.closed is not None
        assert second.closed[0] == 4404
        assert not disk.rows
        assert not disk.entries

    run(scenario)


def test_a_tab_that_loads_a_table_while_another_changes_it_has_the_change() -> None:
    async def scenario(disk: Disk) -> None:
        one, two = Tab(disk), Tab(disk)
        made = await one.table("guppies", "Ann", "Ben")
        first = await one.open(made["id"], 0)
        slow = asyncio.Event()
        load = two.load

        async def load_slowly(table: str) -> str | None:
            found = await load(table)
            await slow.wait()
            return found

        two.load = load_slowly  # type: ignore[method-assign]
        opening = asyncio.create_task(two.open(made["id"], 1))
        await asyncio.sleep(1.0)
        await first.play(first.moves()[0])
        slow.set()
        second = await opening
        await second.reach(first.state["version"])
        assert second.state["decision"]["due"]

    run(scenario)


def test_an_analysis_that_one_tab_makes_the_other_has() -> None:
    async def scenario(disk: Disk) -> None:
        settings = LocalSettings(analysis_seconds=2.0)
        one, two = Tab(disk, settings=settings), Tab(disk, settings=settings)
        first, second = await two_pages(one, two)
        await play_out(first)
        await second.end()
        path = f"/tables/{first.table}/analysis"
        await one.done("POST", path)
        while (found := await one.done("GET", path))["state"] != "done":
            await asyncio.sleep(0.1)
        await asyncio.sleep(1.0)
        assert await two.done("GET", path) == found
        assert disk.row(first.table)["info"] == await one.done("GET", f"/tables/{first.table}")

    run(scenario)


@pytest.mark.parametrize("seed", range(max(15, SOAK)))
def test_tabs_that_come_and_go_finish_a_game(seed: int) -> None:
    """Up to three tabs at a time play, take back, lose their database for a moment and die at any step. The log has
    every confirmed move, as often as it was confirmed."""

    async def scenario(disk: Disk) -> None:
        rng = Random(seed)
        settings = LocalSettings(rescue_seconds=2.0)
        table = (await Tab(disk).table("umbradeco", "me", "bot:drizzle", options={"mat": "small"}))["id"]
        confirmed: list[str] = []

        def fail_sometimes(_what: str) -> None:
            if rng.random() < 0.02:
                raise OSError("the database is busy")

        async def visit() -> bool:
            """Open a tab, play for a while, and be gone; whether the game is over."""
            tab = Tab(disk, deaf=rng.random() < 0.3, settings=settings)
            tab.thinking_seconds = rng.choice((0.05, 0.3, 5.0))
            if rng.random() < 0.7:
                tab.lives_for = rng.randrange(20, 900)
            if rng.random() < 0.5:
                tab.before_use = tab.after_use = fail_sometimes
            try:
                page = await tab.open(table, 0)
                for _ in range(rng.randrange(2, 12)):
                    if page.closed is not None:
                        assert page.closed[0] == 1012
                        break
                    if not await page.my_turn():
                        return True
                    if rng.random() < 0.1 and page.state["undo"]["kind"]:
                        await page.ask("undo")
                        continue
                    move = rng.choice(page.moves())
                    answer = await page.ask("play", move=move, decision=page.state["decision"]["id"])
                    if answer["type"] == "error":
                        assert answer["code"] in ("stale", "not_your_turn", "storage"), answer
                    else:
                        confirmed.append(move)
                await tab.stop()
            except TabClosed:
                pass
            return False

        over = False
        for _ in range(300):
            over = over or any(await asyncio.gather(*(visit() for _ in range(rng.choice((1, 1, 2, 3))))))
            if over:
                break
        assert over
        played = [entry[3] for entry in disk.log(table) if entry[1] == "move" and entry[2] == 0]
        for move in confirmed:
            played.remove(move)  # ValueError: it is not stored as often as it was confirmed
        page = await Tab(disk).open(table, 0)
        await page.end()
        assert disk.row(table)["info"] == page.info
        assert disk.row(table)["version"] == len(disk.log(table))

    run(scenario, seed)
