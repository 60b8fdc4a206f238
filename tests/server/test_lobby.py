"""Before the game, over a server: names for everyone on one device, and who sees what of a chair."""

from __future__ import annotations

import pytest
from server.serving import Running, play

from wellies.client import Client, ServerRefused
from wellies.client.seat import Disconnected


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
