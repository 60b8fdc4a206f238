"""Fair and kind at the table, over real sockets: missed moves, takebacks, and what a table allows besides the rules."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from server import failing_bots
from server.serving import LONGEST, Running, play, running, sqlite_file

from wellies.client import Client, ServerRefused, TableView
from wellies.games import list_games
from wellies.server import http_tables

PACE = 0.4
SECOND = {"kind": "move", "seconds": 1}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with sqlite_file() as database, running(database, stand_in_seconds=PACE) as server:
        yield server


@pytest.fixture
def short_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """People get five seconds at least; here one is enough."""
    monkeypatch.setattr(http_tables, "check_clock", lambda clock: clock)


async def a_turn(view: TableView, pick: int = 0) -> None:
    await view.until(lambda now: now.decision is not None)
    await view.play(view.legal[pick]["move"])


def moves_of(view: TableView, seat: int) -> list[dict[str, Any]]:
    return [entry for entry in view.entries if entry["kind"] == "move" and entry["seat"] == seat]


# --- missed moves -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("short_clocks")
def test_a_bot_makes_the_missed_move_at_a_persons_pace_and_the_next_one_is_mine(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("guppies", ["me", "random"], start=True, clock=SECOND)
            async with client.table(table["id"], seat=0) as seat:
                for missed in (1, 2):
                    await seat.until(lambda now: now.table["seats"][0]["once"])
                    assert seat.decision is None
                    await seat.until(lambda now: now.decision is not None)
                    assert seat.table["seats"][0]["bot"] is None
                    assert len(moves_of(seat, 0)) == missed, "one move for each that was missed, and no more"
                late = [entry for entry in seat.entries if entry["kind"] == "late"]
                for entry, move in zip(late, moves_of(seat, 0), strict=True):
                    assert move["at"] - entry["at"] >= PACE * 1000
                await a_turn(seat)
                assert len(moves_of(seat, 0)) == 3

    play(scenario())


@pytest.mark.usefixtures("short_clocks")
def test_a_bot_plays_on_for_somebody_away_until_they_open_the_table(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as bob:
            await ann.guest("Ann")
            await bob.guest("Bob")
            table = (await ann.create_table("guppies", ["me", "open"], clock=SECOND))["id"]
            await bob.join(table)
            async with ann.table(table, seat=0) as seat:
                await ann.act(table, "start")
                await a_turn(seat)
                await seat.until(lambda now: now.table["seats"][1]["why"] == "timeout")
                assert not seat.table["seats"][1]["once"]
                for _ in range(2):
                    await a_turn(seat)
                await seat.until(lambda now: len(moves_of(now, 1)) >= 3 and now.decision is not None)
                async with bob.table(table, seat=1) as back:
                    await back.until(lambda now: now.table["seats"][1]["bot"] is None)
                    await seat.until(lambda now: now.table["seats"][1]["bot"] is None)
                    assert [entry["kind"] for entry in seat.entries].count("takeback") == 1

    play(scenario())


# --- taking back ------------------------------------------------------------------------------------------------------


def test_undo_against_bots_while_they_think(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("guppies", ["me", "random"], start=True)
            healthy = server.hub.pool.think
            async with client.table(table["id"], seat=0) as seat:
                first = seat.view
                assert seat.undo_offer["kind"] == ""
                server.hub.pool.think = failing_bots.think_forever
                try:
                    await a_turn(seat)
                    drawn = seat.entries[-1]["events"]
                    live = server.hub.tables[table["id"]]
                    assert live.bot_task is not None, "the bot thinks"
                    assert seat.undo_offer["kind"] == "takeback"
                    await seat.undo()
                    assert seat.view == first
                    assert seat.entries[-1]["back"] == seat.entries[-3]["number"]
                    assert seat.undo_offer["kind"] == ""
                    await asyncio.wait_for(thought_given_up(server, table["id"]), LONGEST)
                finally:
                    server.hub.pool.think = healthy
                await a_turn(seat, -1)
                await seat.until(lambda now: len(moves_of(now, 1)) == 1 and now.decision is not None)
                assert [entry["events"] for entry in seat.entries if entry["seat"] == -1][2] == drawn

    play(scenario())


async def thought_given_up(server: Running, table: str) -> None:
    while server.hub.tables[table].bot_task is not None:
        await asyncio.sleep(0.01)


def test_people_ask_and_answer(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as bob:
            await ann.guest("Ann")
            await bob.guest("Bob")
            table = (await ann.create_table("guppies", ["me", "open"]))["id"]
            await bob.join(table)
            await ann.act(table, "start")
            async with ann.table(table, seat=0) as one:
                before = one.view
                await a_turn(one)
                assert one.undo_offer["kind"] == "ask"
                with pytest.raises(ServerRefused) as refused:
                    await one.undo()
                assert refused.value.code == "undo_refused"
                await one.ask_undo()
                assert one.asked is not None
            # The question waits for both of them, whoever goes and comes.
            async with ann.table(table, seat=0) as one, bob.table(table, seat=1) as two:
                assert one.asked == two.asked
                assert two.asked is not None
                assert two.asked["waiting"] == [1]
                await two.answer_undo(True)
                await one.until(lambda now: now.asked is None)
                assert one.view == before
                await a_turn(one)
                await one.ask_undo()
                await two.until(lambda now: now.asked is not None)
                await two.answer_undo(False)
                await one.until(lambda now: now.asked is None)
                assert one.undo_offer["kind"] == ""
                with pytest.raises(ServerRefused, match="rather"):
                    await one.ask_undo()
                with pytest.raises(ServerRefused) as refused:
                    await two.answer_undo(True)
                assert refused.value.code == "stale"

    play(scenario())


# --- what a table allows ----------------------------------------------------------------------------------------------


def test_between_people_there_are_no_hints_unless_the_host_allows_them(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            table = await client.create_table("guppies", ["me", "me"])
            async with client.table(table["id"], seat=0) as seat:
                await client.act(table["id"], "start")
                await seat.until(lambda now: now.decision is not None)
                assert seat.hint_offer == {"allowed": False, "why": "Hints are off at this table."}
                with pytest.raises(ServerRefused) as refused:
                    await seat.hint()
                assert refused.value.code == "hints_off"
            table = await client.create_table("guppies", ["me", "me"])
            changed = await client.request("PATCH", f"/tables/{table['id']}", {"hints": "all"})
            assert changed["hints"] == "all"
            await client.act(table["id"], "start")
            async with client.table(table["id"], seat=0) as seat:
                assert (await seat.hint())["words"]
            again = (await client.request("GET", "/tables", mine=True))["tables"]
            assert [each["hints"] for each in again] == ["all", "off"]

    play(scenario())


def test_hints_for_beginners_end_with_the_third_finished_game(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            for finished in range(4):
                seats, more = ["me", "random"], {"hints": "beginners", "options": {"tiles": 64}}
                table = await client.create_table("guppies", seats, start=True, **more)
                async with client.table(table["id"], seat=0) as seat:
                    assert seat.hint_offer["allowed"] == (finished < 3)
                    if finished == 3:
                        with pytest.raises(ServerRefused, match="fewer than 3"):
                            await seat.hint()
                        break
                    await client.act(table["id"], "resign")
                    await seat.until(lambda now: now.finished, LONGEST)

    play(scenario())


def test_a_table_without_badges_tells_no_points_before_a_move(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client:
            for badges, game in [(True, "guppies"), *((False, name) for name in list_games())]:
                table = await client.create_table(game, ["me", "random"], start=True, badges=badges)
                assert table["badges"] == badges
                async with client.table(table["id"], seat=0) as seat:
                    preview_points = False
                    for _ in range(6):
                        await seat.until(lambda now: now.decision is not None and now.decision["due"])
                        best = max(seat.legal, key=lambda move: move["points"] or 0)
                        seen = await seat.preview(best["move"])
                        told = [*seen["lines"], *(line for event in seen["events"] for line in event["lines"])]
                        preview_points = (
                            preview_points or best["points"] is not None or bool(told) or any(seen["gains"])
                        )
                        preview_points = (
                            preview_points
                            or bool(seen["events"])
                            or any("point" in each["words"] for each in seat.legal)
                        )
                        await seat.play(best["move"])
                    assert preview_points == badges

    play(scenario())
