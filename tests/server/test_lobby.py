"""Before the game: names for everyone on one device, chairs that come and go, and who sees what of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from server.serving import LONGEST, Running, running, sqlite_file
from server.test_tables import ANN, BOB, facts, rebuilt, table_of

import wellies
from wellies.client import Client, ServerRefused
from wellies.client.seat import Disconnected
from wellies.server.messages import Clock
from wellies.server.tables import Refused, Seat, Table


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with sqlite_file() as database, running(database) as server:
        yield server


def play(scenario: Any) -> None:
    asyncio.run(asyncio.wait_for(scenario, LONGEST))


def said(table: Table) -> list[str]:
    return [table.entry_for(line, None).text for line in table.lines]


def test_chairs_come_and_go_within_what_the_game_allows() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Ann"), Seat()], Clock("move", 30))
    most = wellies.game("guppies").max_seats
    for count in range(3, most + 1):
        table.add_chair(ANN, 0)
        assert len(table.seats) == len(table.options["colours"]) == count, "colours go round for all"
    with pytest.raises(Refused, match=f"2 to {most} players"):
        table.add_chair(ANN, 0)
    table.join(BOB, "Bob", most - 1, 0)
    table.set_seat(ANN, 2, "bot", "random", 0)
    with pytest.raises(Refused, match="Bob sits there"):
        table.remove_chair(ANN, most - 1, 0)
    while len(table.seats) > 2:
        table.remove_chair(ANN, 1, 0)
    assert [seat.name for seat in table.seats] == ["Ann", "Bob"], "whoever sits behind moves up"
    with pytest.raises(Refused, match="2 to"):
        table.remove_chair(ANN, 1, 0)
    with pytest.raises(Refused, match="Only the host"):
        table.add_chair(BOB, 0)
    with pytest.raises(Refused, match="Only the host"):
        table.remove_chair(BOB, 1, 0)
    assert facts(rebuilt(table), 0) == facts(table, 0)
    assert said(table)[0] == "The host adds a chair."
    assert "Bob joins the table." in said(table), "a line keeps the name of then, wherever Bob sits now"
    table.start(ANN, 0)
    with pytest.raises(Refused, match="begun"):
        table.add_chair(ANN, 0)
    assert table.match is not None
    assert table.match.state.seats == len(table.clocks.faces(0)) == 2
    assert facts(rebuilt(table), 0) == facts(table, 0)


def test_what_was_chosen_stays_when_a_chair_is_added_wherever_it_fits() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Ann"), Seat()])
    table.change(ANN, {"tiles": 64, "colours": "purple,green"}, None, None, 0)
    table.add_chair(ANN, 0)
    assert table.options["tiles"] == 64
    assert table.options["colours"] == wellies.game("guppies").start(3).options["colours"]


def test_a_game_that_goes_on_from_another_keeps_its_chairs() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Ann"), Seat()])
    table.setup = msgspec.structs.replace(table.setup, prefix=[(0, "a0@0,0")])
    with pytest.raises(Refused, match="as many chairs as that had"):
        table.add_chair(ANN, 0)


def test_a_chair_takes_another_name_and_the_table_knows_its_host_by_it() -> None:
    table = table_of("guppies", [Seat("person", ANN, "Guest"), Seat("person", BOB, "Bob")])
    table.name_seat(ANN, 0, "Ann", 0)
    assert (table.seats[0].name, table.info_for(BOB).host) == ("Ann", "Ann")
    assert said(table) == ["Guest is now called Ann."]
    with pytest.raises(Refused, match="not yours"):
        table.name_seat(BOB, 0, "Bobby", 0)
    assert facts(rebuilt(table), 0) == facts(table, 0)
    table.start(ANN, 0)
    with pytest.raises(Refused, match="begun"):
        table.name_seat(ANN, 0, "Anna", 0)


def test_people_on_one_device_have_names_of_their_own_and_are_all_there(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as client, Client(server.url) as eve:
            seats = [{"kind": "me", "name": " Ann "}, {"kind": "me", "name": "Ben"}, {"kind": "me"}]
            wish = {"game": "umbradeco", "seats": seats, "start": True, "name": "Cleo"}
            table = await client.request("POST", "/tables", wish)
            assert [seat["name"] for seat in table["seats"]] == ["Ann", "Ben", "Cleo"]
            async with client.table(table["id"], seat=1) as ben, eve.table(table["id"]) as watcher:
                await watcher.until(lambda now: now.presence == {"seats": [0, 1, 2], "watching": 1})
                await ben.say("Tea?")
                assert ben.chat[0]["name"] == "Ben", "one speaks from the chair one looks from"
            async with client.table(table["id"]) as covered:
                assert covered.presence["seats"] == [0, 1, 2], "also while the device is passed on"
            for name in ("\u200b", "x" * 25):
                with pytest.raises(ServerRefused, match="name"):
                    await client.request("POST", "/tables", {**wish, "seats": [{"kind": "me", "name": name}] * 2})

    play(scenario())


def test_whoever_loses_the_chair_sees_nothing_through_it_any_more(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as ben, Client(server.url) as cleo:
            for client, name in ((ann, "Ann"), (ben, "Ben"), (cleo, "Cleo")):
                await client.guest(name)
            table = await ann.create_table("umbradeco", ["me", "open", "open"])
            road = f"/tables/{table['id']}"
            await ben.join(table["id"], seat=2)
            async with ben.table(table["id"], seat=2) as old:
                left = await ann.request("POST", f"{road}/chairs/remove", {"seat": 1})
                assert [seat["name"] for seat in left["seats"]] == ["Ann", "Ben"]
                with pytest.raises(Disconnected):
                    await old.until(lambda _: False)
            async with ben.table(table["id"], seat=1) as moved:
                await ben.act(table["id"], "leave")
                await cleo.join(table["id"])
                await ann.act(table["id"], "start")
                with pytest.raises(Disconnected):
                    await moved.until(lambda _: False)
                assert moved.view is None
            more = await ann.create_table("umbradeco", ["me", "open"])
            added = await ann.request("POST", f"/tables/{more['id']}/chairs/add")
            named = await ann.request("POST", f"/tables/{more['id']}/chairs/name", {"seat": 0, "name": "Anna"})
            assert (len(added["seats"]), named["seats"][0]["name"], named["host"]) == (3, "Anna", "Anna")

    play(scenario())
