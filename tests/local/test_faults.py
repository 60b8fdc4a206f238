"""A device that fails: its database, its power, its second worker. Nothing is confirmed that is not stored, and the
game goes on when it can."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from local.hosts import Disk, Page, Tab, TabClosed, play_out, run

import wellies
from wellies.local import bot_worker


class QuotaExceeded(Exception):
    """As a browser throws it."""


def failing(*what: str, times: int = 10_000) -> Callable[[str], None]:
    """Fails so often for these uses of the database."""
    left = [times]

    def fail(use: str) -> None:
        if use in what and left[0]:
            left[0] -= 1
            raise QuotaExceeded("Error: no room is left on this device")  # as JavaScript says it

    return fail


def never(_what: str) -> None:
    """Does not fail."""


async def my_move(tab: Tab, *seats: str) -> Page:
    made = await tab.table("guppies", *(seats or ("me", "bot:drizzle")), options={"tiles": 64})
    page = await tab.open(made["id"], 0)
    assert await page.my_turn()
    return page


def test_a_move_that_cannot_be_stored_is_not_made() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        before, stored = page.state, disk.log(page.table)
        tab.before_use = failing("store")
        answer = await page.ask("play", move=page.moves()[0], decision=before["decision"]["id"])
        assert (answer["type"], answer["code"]) == ("error", "storage")
        assert answer["message"] == "Your browser could not store or read games: no room is left on this device."
        assert page.state is before
        assert disk.log(page.table) == stored
        assert await tab.refused("POST", f"/tables/{page.table}/resign", {}) == (503, "storage")
        await asyncio.sleep(30)
        assert page.state is before
        tab.before_use = never
        await page.play(page.moves()[0])
        await play_out(page)

    run(scenario)


def test_what_cannot_be_stored_or_read_is_told() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        other = Tab(disk)
        other.before_use = failing("load", "list", "store", "remove", "name", "set_name")
        body = {"game": "guppies", "seats": [{"kind": "me"}, {"kind": "me"}], "start": True}
        path = f"/tables/{page.table}"
        for method, where, given in (
            ("GET", path, None),
            ("GET", "/tables", None),
            ("DELETE", path, None),
            ("POST", "/tables", body),
            ("GET", "/me", None),
            ("PATCH", "/me", {"name": "Ann"}),
            ("POST", "/import", {"record": "Game: guppies"}),
        ):
            status, code = await other.refused(method, where, given)
            assert (status, code) in ((503, "storage"), (400, "refused")), (method, where)
        shown = await other.open(page.table, 0)
        assert shown.closed is not None
        assert shown.closed[0] == 1012, "the page is to try again"
        assert [error["code"] for error in shown.errors] == ["storage"]
        other.before_use = never
        assert await (await other.open(page.table, 0)).my_turn()

    run(scenario)


@pytest.mark.parametrize("seats", [("me", "bot:drizzle"), ("Ann", "Ben")])
def test_a_move_that_was_stored_though_the_answer_failed_is_shown(seats: tuple[str, ...]) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab, *seats)
        version, stored = page.state["version"], len(disk.log(page.table))
        tab.after_use = failing("store", times=1)
        answer = await page.ask("play", move=page.moves()[0], decision=page.state["decision"]["id"])
        assert (answer["type"], answer["code"]) == ("error", "storage"), "nobody knows yet"
        assert page.state["version"] == version
        assert len(disk.log(page.table)) > stored
        # Without a further request: the move appears, and the bot answers it.
        await page.reach(version + 1)
        page = page if seats[0] == "me" else await tab.open(page.table, 1)
        assert await page.my_turn()

    run(scenario)


def test_a_move_sent_again_after_a_failure_is_not_made_twice() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab, "Ann", "Ben")
        decision, move = page.state["decision"]["id"], page.moves()[0]
        tab.after_use = failing("store", times=1)
        assert (await page.ask("play", move=move, decision=decision))["code"] == "storage"
        assert (await page.ask("play", move=move, decision=decision))["code"] == "stale"
        assert [entry[3] for entry in disk.log(page.table) if entry[1] == "move" and entry[2] == 0] == [move]

    run(scenario)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_bot_whose_move_is_not_stored_moves_when_the_database_is_back(when: str) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        tab.thinking_seconds = 5.0
        await page.play(page.moves()[0])
        if when == "before":
            tab.before_use = failing("store", "load")
        else:
            tab.after_use = failing("store", "load")
        await asyncio.sleep(60)
        assert page.state["decision"] is None
        tab.before_use = tab.after_use = never
        assert await page.my_turn()
        moves = [entry for entry in disk.log(page.table) if entry[1] == "move" and entry[2] == 1]
        assert len(moves) == 1
        await play_out(page)

    run(scenario)


def test_a_clock_that_runs_out_while_the_database_fails_is_noted_when_it_is_back() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        made = await tab.table("guppies", "me", "bot:drizzle", clock={"kind": "move", "seconds": 10})
        page = await tab.open(made["id"], 0)
        assert await page.my_turn()
        tab.before_use = failing("store", "load")
        await asyncio.sleep(60)
        assert all(entry["kind"] != "late" for entry in page.entries)
        tab.before_use = never
        await page.until(lambda: any(entry["kind"] == "late" for entry in page.entries))

    run(scenario)


def test_a_rematch_whose_answer_failed_is_found_again() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        await play_out(page)
        path = f"/tables/{page.table}/rematch"
        for times in (1, 2):
            tab.after_use = failing("store", times=times)
            assert await tab.refused("POST", path) == (503, "storage")
        tab.after_use = never
        made = await tab.done("POST", path)
        assert made["id"] == (await tab.done("GET", f"/tables/{page.table}"))["rematch"]
        assert len(disk.rows) == 2

    run(scenario)


def test_a_table_whose_removal_is_in_doubt_is_gone_or_as_it_was() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        path = f"/tables/{page.table}"
        tab.before_use = failing("remove", times=1)
        assert await tab.refused("DELETE", path) == (503, "storage")
        await page.play(page.moves()[0])
        tab.before_use, tab.after_use = never, failing("remove", times=1)
        assert await tab.refused("DELETE", path) == (503, "storage")
        await page.until(lambda: page.closed)
        assert page.closed is not None
        assert page.closed[0] == 4404
        assert await tab.refused("GET", path) == (404, "no_table")

    run(scenario)


def test_a_game_survives_a_crash_before_and_after_every_store() -> None:
    """The tab dies at each use of the database in turn, before or after it is done, and a new one goes on."""

    async def scenario(disk: Disk) -> None:
        table = (await Tab(disk).table("umbradeco", "me", "bot:drizzle", options={"mat": "small"}))["id"]
        confirmed: list[str] = []
        lives = 0
        over = False
        while not over:
            lives += 1
            assert lives < 500
            tab = Tab(disk)
            tab.thinking_seconds = 0.1
            uses = [0]

            def die(
                _what: str, tab: Tab = tab, uses: list[int] = uses, number: int = 2 + lives % 3, when: int = 0
            ) -> None:
                uses[0] += 1
                if uses[0] == number:
                    tab.crash()
                    if when == 0:
                        raise TabClosed  # nothing is done any more

            if lives % 2:
                tab.before_use = die
            else:
                tab.after_use = lambda what, die=die: die(what, when=1)  # type: ignore[misc]
            try:
                page = await tab.open(table, 0)
                assert [entry["number"] for entry in page.entries] == list(range(1, page.state["version"] + 1))
                while await page.my_turn():
                    move = page.moves()[lives % len(page.moves())]
                    await page.play(move)
                    confirmed.append(move)
                over = True
            except TabClosed:
                continue
        played = [entry[3] for entry in disk.log(table) if entry[1] == "move" and entry[2] == 0]
        position = -1
        for move in confirmed:
            position = played.index(move, position + 1)  # in this order, each once
        assert lives > 20
        assert (await Tab(disk).done("GET", f"/tables/{table}/verify"))["ok"]

    run(scenario)


def test_a_game_survives_crashes_at_any_step() -> None:
    async def scenario(disk: Disk) -> None:
        table = (await Tab(disk).table("umbradeco", "me", "bot:drizzle", options={"mat": "small"}))["id"]
        over = False
        steps = 20
        while not over:
            tab = Tab(disk)
            tab.lives_for = steps
            steps += 7
            try:
                page = await tab.open(table, 0)
                while await page.my_turn():
                    await page.play(page.moves()[steps % len(page.moves())])
                over = True
            except TabClosed:
                continue
        assert (await Tab(disk).done("GET", f"/tables/{table}/verify"))["ok"]

    run(scenario)


# --- what is stored cannot be read -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        lambda row: row.update(game="chess"),
        lambda row: row.update(setup="{}"),
        lambda row: row.pop("seed"),
    ],
    ids=["an unknown game", "another form", "a missing field"],
)
def test_a_table_that_cannot_be_read_is_told_and_can_be_deleted(damage: Callable[[Any], None]) -> None:
    async def scenario(disk: Disk) -> None:
        page = await my_move(Tab(disk))
        row = disk.row(page.table)
        damage(row)
        if "game" in row and row["game"] == "chess":
            setup = json.loads(row["setup"])
            row["setup"] = json.dumps({**setup, "game": "chess"})
        disk.rows[page.table] = json.dumps(row)
        await check_unreadable(disk, page.table)

    run(scenario)


def test_a_log_that_cannot_be_read_is_told_and_the_table_can_be_deleted() -> None:
    async def scenario(disk: Disk) -> None:
        page = await my_move(Tab(disk))
        number = max(number for _, number in disk.entries)
        entry = json.loads(disk.entries[page.table, number])
        disk.entries[page.table, number] = json.dumps([*entry[:3], "no such move", *entry[4:]])
        await check_unreadable(disk, page.table)

    run(scenario)


def test_a_row_that_is_no_row_is_told_and_the_table_can_be_deleted() -> None:
    async def scenario(disk: Disk) -> None:
        page = await my_move(Tab(disk))
        disk.rows[page.table] = disk.rows[page.table][:40]
        await check_unreadable(disk, page.table)

    run(scenario)


async def check_unreadable(disk: Disk, table: str) -> None:
    tab = Tab(disk)
    good = await my_move(tab)
    assert await tab.refused("GET", f"/tables/{table}") == (404, "unreadable")
    shown = await tab.open(table, 0)
    assert shown.closed is not None
    assert shown.closed[0] == 4404, "the page does not try again and again"
    assert [error["code"] for error in shown.errors] == ["unreadable"]
    listed = (await tab.done("GET", "/tables"))["tables"]
    assert good.table in [each["id"] for each in listed], "the others are listed"
    assert await tab.done("DELETE", f"/tables/{table}") == {"done": True}
    assert list(disk.rows) == [good.table]


# --- the second worker ---------------------------------------------------------------------------------------------


def test_a_bot_whose_worker_is_lost_is_asked_again() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        lost = [2]

        def choose(task: str) -> str:
            if lost[0]:
                lost[0] -= 1
                raise RuntimeError("the worker ran out of memory")
            return bot_worker.choose(task)

        tab.choose_with = choose
        await page.play(page.moves()[0])
        assert await page.my_turn()
        assert len(tab.asked) == 3
        assert not page.notices

    run(scenario)


@pytest.mark.parametrize("lost", [True, False])
def test_a_bot_that_cannot_choose_makes_a_plain_move(lost: bool, console: list[str]) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)

        def choose(task: str) -> str:
            if lost:
                raise RuntimeError("the worker does not start")
            return bot_worker.choose(json.dumps({**json.loads(task), "level": "nobody"}))

        tab.choose_with = choose
        await page.play(page.moves()[0])
        assert await page.my_turn()
        assert [notice["code"] for notice in page.notices] == ["bot_trouble"]
        assert ("lost 3 times" if lost else "made a mistake") in page.notices[0]["message"]
        assert len(tab.asked) == (3 if lost else 1)
        hint = await page.ask("hint")
        assert (hint["type"], hint["code"]) == ("error", "bot_trouble")

    run(scenario)
    assert bool(console) != lost, "a bot's own mistake is in the console"
    console.clear()


def test_a_page_that_is_closed_while_it_is_refused_something_leaves_no_error_in_the_console() -> None:
    """`run` fails if the event loop is told of an error."""

    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        for pause in (0.0, 0.0005, 0.0015, 0.0025, 0.0035):
            leaving = await tab.open(page.table, 0)
            leaving.say(json.dumps({"type": "play", "id": "1", "move": "nonsense"}))
            await asyncio.sleep(pause)
            leaving.leave()
            nowhere = Page(tab, "local-" + "a" * 26)
            await asyncio.sleep(pause)
            nowhere.leave()
            tab.before_use = failing("store", times=1)
            leaving = await tab.open(page.table, 0)
            leaving.say(json.dumps({"type": "play", "id": "1", "move": page.moves()[0]}))
            await asyncio.sleep(pause)
            leaving.leave()
            await asyncio.sleep(5.0)

    run(scenario)


def test_a_page_that_is_closed_does_not_wait_for_its_hint() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        tab.thinking_seconds = 100.0
        page.say(json.dumps({"type": "hint", "id": "h"}))
        await asyncio.sleep(1.0)
        page.leave()
        tab.thinking_seconds = 0.1
        again = await tab.open(page.table, 0)
        assert (await again.ask("hint"))["type"] == "hint"
        await asyncio.sleep(200.0)
        assert all(message["type"] != "hint" for message in page.got)

    run(scenario)


def test_a_mistake_of_ours_is_told_and_the_table_goes_on(console: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        with monkeypatch.context() as patch:
            patch.setattr(wellies.table.table.Table, "undo", lambda *_args: 1 / 0)
            answer = await page.ask("undo")
            assert (answer["type"], answer["code"]) == ("error", "internal")
            patch.setattr(wellies.table.table.Table, "resign", lambda *_args: 1 / 0)
            assert await tab.refused("POST", f"/tables/{page.table}/resign", {}) == (500, "internal")
            patch.setattr(wellies.table.table.Table, "info_for", lambda *_args: 1 / 0)
            shown = await tab.open(page.table, 0)
            assert shown.closed is not None
            assert shown.closed[0] == 1011
        await page.play(page.moves()[0])

    run(scenario)
    assert len(console) == 3
    console.clear()
