"""What people do at a table on their device: before the game, and during it."""

from __future__ import annotations

import asyncio
import json

from local.hosts import Disk, Page, Tab, play_out, run

from wellies.local.settings import LocalSettings
from wellies.table.connection import MOST_BAD_MESSAGES


async def my_move(tab: Tab, *seats: str, **more: object) -> Page:
    """A page of the first seat, which is to move."""
    made = await tab.table("guppies", *(seats or ("me", "bot:drizzle")), **more)
    page = await tab.open(made["id"], 0)
    assert await page.my_turn()
    return page


def test_a_preview_promises_what_a_move_then_scores() -> None:
    async def scenario(disk: Disk) -> None:
        page = await my_move(Tab(disk), "me", "me")
        for _ in range(8):
            best = max(page.state["legal"], key=lambda each: each["points"])
            promised = await page.ask("preview", move=best["move"])
            assert promised["type"] == "preview"
            assert promised["gains"][page.seat] == best["points"]
            before = page.state["view"]["scores"][page.seat]
            await page.play(best["move"])
            assert page.state["view"]["scores"][page.seat] == before + best["points"]
            other = 1 - (page.seat or 0)
            page.leave()
            page = await page.tab.open(page.table, other)
            assert await page.my_turn()
        assert max(page.state["view"]["scores"]) > 0

    run(scenario)


def test_why_a_move_is_not_allowed() -> None:
    async def scenario(disk: Disk) -> None:
        page = await my_move(Tab(disk))
        assert (await page.ask("why", move=page.moves()[0]))["refusal"] is None
        far = page.moves()[0].split("@")[0] + "@9,9"
        refusal = (await page.ask("why", move=far))["refusal"]
        assert refusal
        answer = await page.ask("play", move=far, decision=page.state["decision"]["id"])
        assert (answer["type"], answer["code"], answer["message"]) == ("error", "illegal", refusal)
        assert (await page.ask("why", move="nonsense"))["refusal"]
        answer = await page.ask("play", move="nonsense", decision=page.state["decision"]["id"])
        assert answer["code"] == "bad_notation"

    run(scenario)


def test_a_hint_is_a_move_that_can_be_made() -> None:
    async def scenario(disk: Disk) -> None:
        page = await my_move(Tab(disk))
        hint = await page.ask("hint")
        assert hint["type"] == "hint"
        assert hint["move"] in page.moves()
        assert hint["words"]
        assert hint["reasons"]
        assert hint["others"][0]["move"] == hint["move"]
        assert hint["line"][0]["seat"] == page.seat
        assert 0 < hint["chance"] < 1
        await page.play(hint["move"])

    run(scenario)


def test_hints_are_off_where_people_play_against_each_other() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab, "Ann", "Ben")
        assert not page.state["hint"]["allowed"]
        assert (await page.ask("hint"))["code"] == "hints_off"
        page = await my_move(tab, "Ann", "Ben", hints="all")
        assert (await page.ask("hint"))["type"] == "hint"

    run(scenario)


def test_hints_for_beginners_end_after_three_games_of_ones_own() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        settings = {"options": {"mat": "small"}, "hints": "beginners"}
        for number in range(3):
            made = await tab.table("umbradeco", "me", "bot:drizzle", **settings)
            page = await tab.open(made["id"], 0)
            assert page.hello["hint"]["allowed"], f"after {number} games"
            await play_out(page)
            # A game of others does not count.
            record = await tab.done("GET", f"/tables/{page.table}/record")
            await tab.done("POST", "/import", {"record": record})
        made = await tab.table("umbradeco", "me", "bot:drizzle", **settings)
        page = await tab.open(made["id"], 0)
        assert not page.hello["hint"]["allowed"]

    run(scenario)


def test_a_move_is_taken_back_and_another_one_played() -> None:
    async def scenario(disk: Disk) -> None:
        page = await my_move(Tab(disk))
        first, other = page.moves()[0], page.moves()[-1]
        assert page.state["undo"]["kind"] == ""
        await page.play(first)
        assert await page.my_turn()
        assert page.state["undo"]["kind"] in ("free", "takeback")
        answer = await page.ask("undo")
        assert answer["type"] == "update"
        assert answer["entries"][-1]["kind"] == "undo"
        assert first in page.moves(), "the same tile is drawn again"
        await page.play(other)
        assert await page.my_turn()
        assert (await page.ask("ask_undo"))["code"] == "undo_refused", "there is nobody to ask"

    run(scenario)


def test_a_bot_that_thinks_stops_when_the_move_before_is_taken_back() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        tab.thinking_seconds = 30.0
        first = page.moves()[0]
        await page.play(first)
        await page.until(lambda: tab.asked)
        assert page.state["undo"]["kind"] in ("free", "takeback")
        await page.ask("undo")
        assert page.state["decision"]["due"]
        tab.thinking_seconds = 0.1
        await page.play(page.moves()[-1])
        assert await page.my_turn()
        made = [entry["move"] for entry in page.entries if entry["kind"] == "move" and entry["seat"] == 1]
        assert len(made) == 1, "the bot has moved once"
        await asyncio.sleep(60)
        assert await page.my_turn()

    run(scenario)


def test_a_takeback_between_people_on_one_device_needs_no_answer() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab, "Ann", "Ben")
        await page.play(page.moves()[0])
        ben = await tab.open(page.table, 1)
        assert await ben.my_turn()
        await ben.ask("undo")
        await page.until(lambda: page.state["decision"] is not None)
        assert page.entries[-1]["kind"] == "undo"

    run(scenario)


def test_a_bot_plays_on_for_somebody_until_the_seat_is_taken_back() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        path = f"/tables/{page.table}"
        assert await tab.refused("POST", f"{path}/takeback", {}) == (409, "own_hands")
        info = await tab.done("POST", f"{path}/handover", {"seat": 0, "level": "shower"})
        assert info["seats"][0]["bot"] == "shower"
        answer = await page.ask("play", move="pass", decision=None)
        assert answer["code"] == "bot_plays"
        version = page.state["version"]
        await page.until(lambda: page.state["version"] > version + 4)
        info = await tab.done("POST", f"{path}/takeback", {"seat": 0})
        assert info["seats"][0]["bot"] is None
        assert await page.my_turn()
        info = await tab.done("POST", f"{path}/resign", {})
        assert info["seats"][0]["why"] == "resigned"
        await page.end()
        assert page.state["view"]["outcome"]["resigned"] == [0]

    run(scenario)


def test_leaving_a_game_lets_a_bot_play_on() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        info = await tab.done("POST", f"/tables/{page.table}/leave", {})
        assert info["seats"][0]["bot"] == "shower"
        await page.end()

    run(scenario)


def test_the_chairs_before_a_game() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        await tab.done("POST", "/me", {"name": "Ann"})
        made = await tab.done(
            "POST", "/tables", {"game": "puppies", "seats": [{"kind": "me"}, {"kind": "bot", "level": "storm"}]}
        )
        path = f"/tables/{made['id']}"
        assert made["state"] == "open"
        page = await tab.open(made["id"], 0)
        assert page.hello["view"] is None
        info = await tab.done("POST", f"{path}/chairs/add")
        assert [seat["kind"] for seat in info["seats"]] == ["person", "bot", "open"]
        assert await tab.refused("POST", f"{path}/start") == (409, "not_full")
        info = await tab.done("POST", f"{path}/join", {})
        assert info["seats"][2]["mine"], "one more person on this device"
        info = await tab.done("POST", f"{path}/chairs/name", {"seat": 2, "name": "Ben"})
        assert [seat["name"] for seat in info["seats"]] == ["Ann", "storm", "Ben"]
        info = await tab.done("POST", f"{path}/seats", {"seat": 1, "kind": "bot", "level": "drizzle"})
        assert info["seats"][1]["bot"] == "drizzle"
        info = await tab.done("PATCH", path, {"hints": "all", "clock": {"kind": "move", "seconds": 60}})
        assert (info["hints"], info["clock"]["seconds"]) == ("all", 60)
        info = await tab.done("POST", f"{path}/leave", {"seat": 2})
        info = await tab.done("POST", f"{path}/chairs/remove", {"seat": 2})
        assert len(info["seats"]) == 2
        again = Tab(disk)
        assert await again.done("GET", path) == info
        info = await tab.done("POST", f"{path}/start")
        assert info["state"] == "playing"
        assert await page.my_turn()
        assert await tab.refused("POST", f"{path}/start") == (409, "begun")

    run(scenario)


def test_a_page_whose_seat_is_given_up_is_closed() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        made = await tab.done("POST", "/tables", {"game": "guppies", "seats": [{"kind": "me"}, {"kind": "me"}]})
        page = await tab.open(made["id"], 1)
        await tab.done("POST", f"/tables/{made['id']}/leave", {"seat": 1})
        await page.until(lambda: page.closed)
        assert page.closed is not None
        assert page.closed[0] == 4401

    run(scenario)


def test_a_chair_for_somebody_elsewhere_needs_a_server() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        body = {"game": "guppies", "seats": [{"kind": "me"}, {"kind": "open"}]}
        assert await tab.refused("POST", "/tables", body) == (409, "no_server")
        assert await tab.refused("POST", "/login", {"name": "Ann", "password": "not telling"}) == (409, "no_server")
        assert await tab.refused("POST", "/me/password", {"password": "not telling"}) == (409, "no_server")
        assert not disk.rows

    run(scenario)


def test_chat_is_refused_for_there_is_nobody_to_chat_with() -> None:
    async def scenario(disk: Disk) -> None:
        page = await my_move(Tab(disk))
        answer = await page.ask("chat", text="Hello!")
        assert (answer["type"], answer["code"]) == ("error", "chat_refused")
        assert page.hello["chat"] == []

    run(scenario)


def test_a_name_is_kept_for_the_device() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        assert await tab.done("GET", "/session") == {"me": None}
        assert await tab.refused("GET", "/me") == (401, "who")
        first = await tab.table("guppies", "me", "bot:drizzle")
        assert first["seats"][0]["name"] == "Guest"
        second = await tab.table("guppies", "me", "bot:drizzle", name="  Ann\t")
        assert second["seats"][0]["name"] == "Ann"
        assert await Tab(disk).done("GET", "/me") == {"id": "device", "name": "Ann", "account": False}
        renamed = await tab.done("PATCH", "/me", {"name": "Ben"})
        assert renamed["name"] == "Ben"
        assert (await tab.table("guppies", "me", "bot:drizzle", name="Cem"))["seats"][0]["name"] == "Ben"
        assert (await tab.done("GET", f"/tables/{second['id']}"))["seats"][0]["name"] == "Ann"
        assert await tab.refused("PATCH", "/me", {"name": "{0}"}) == (400, "bad_name")
        assert await tab.refused("PATCH", "/me", {"name": " \u2800 "}) == (400, "bad_name")

    run(scenario)


def test_whoever_looks_at_a_table_is_present() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab, "Ann", "Ben")
        assert page.hello["presence"] == {"seats": [0, 1], "watching": 0}, "both are on this device"
        other = await tab.open(page.table)
        assert other.hello["presence"] == {"seats": [0, 1], "watching": 0}
        other.leave()
        assert (await page.ask("ping"))["type"] == "pong"

    run(scenario)


def test_a_page_that_only_sends_nonsense_is_closed() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab)
        for number in range(MOST_BAD_MESSAGES):
            page.say(json.dumps({"type": "dance", "id": str(number)}))
        await page.until(lambda: page.closed)
        assert [error["code"] for error in page.errors] == ["bad_message"] * len(page.errors)
        assert page.closed is not None
        assert page.closed[0] == 4400
        again = await tab.open(page.table, 0)
        assert await again.my_turn(), "the table is as it was"

    run(scenario)


# --- clocks --------------------------------------------------------------------------------------------------------


def test_a_bot_makes_the_move_of_somebody_whose_time_runs_out() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab, "me", "bot:drizzle", clock={"kind": "move", "seconds": 10})
        started = asyncio.get_running_loop().time()
        assert page.state["clocks"][0]["running"]
        version = page.state["version"]
        await page.until(lambda: page.state["version"] > version)
        waited = asyncio.get_running_loop().time() - started
        assert 9.0 < waited < 11.0
        assert page.entries[-1]["kind"] == "late", "the person is there, so it is for one move only"
        assert await page.my_turn()
        assert page.info["seats"][0]["bot"] is None
        moved = [entry for entry in page.entries if entry["seat"] == 0 and entry["kind"] == "move"]
        assert len(moved) == 1

    run(scenario)


def test_a_clock_starts_when_it_is_somebodys_turn() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        made = await tab.table("guppies", "bot:drizzle", "me", clock={"kind": "move", "seconds": 10})
        page = await tab.open(made["id"], 1)
        assert await page.my_turn()
        await page.until(lambda: any(entry["kind"] == "late" for entry in page.entries))

    run(scenario)


def test_time_goes_on_while_the_page_is_closed() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        page = await my_move(tab, "me", "bot:drizzle", clock={"kind": "game", "seconds": 30, "increment": 0})
        page.leave()
        tab.crash()
        await asyncio.sleep(3_600)
        page = await Tab(disk).open(page.table, 0)
        await page.until(lambda: any(entry["kind"] == "late" for entry in page.entries))
        assert await page.my_turn()
        assert 0 < page.state["clocks"][0]["left"] <= 10_000, "a little time is left for each further move"

    run(scenario)


def test_a_clock_of_weeks_does_not_keep_the_device_busy() -> None:
    """A timer of a browser that is set to more than 24 days ends at once."""

    async def scenario(disk: Disk) -> None:
        loop = asyncio.get_running_loop()
        set_for: list[float] = []
        call_later = loop.call_later

        def watched(delay: float, *args: object, **more: object) -> asyncio.TimerHandle:
            set_for.append(delay)
            return call_later(delay, *args, **more)  # type: ignore[arg-type]

        loop.call_later = watched  # type: ignore[method-assign]
        page = await my_move(Tab(disk), "me", "bot:drizzle", clock={"kind": "days", "days": 60})
        await asyncio.sleep(86_400)
        assert max(set_for) <= 86_400
        assert len(set_for) < 200
        assert page.state["decision"]["due"]

    run(scenario)


def test_a_stand_in_takes_its_time() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk, settings=LocalSettings(stand_in_seconds=7.0))
        page = await my_move(tab)
        started = asyncio.get_running_loop().time()
        await tab.done("POST", f"/tables/{page.table}/handover", {})
        await page.until(lambda: any(entry["kind"] == "move" and entry["seat"] == 0 for entry in page.entries))
        assert asyncio.get_running_loop().time() - started >= 7.0

    run(scenario)
