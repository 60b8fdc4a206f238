"""What belongs to one person: preferences that follow, and people who are muted or blocked without being told."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from server.serving import Running, play, settings_for, sqlite_file

from wellies.client import Client, ServerRefused
from wellies.server.finding import keep_apart
from wellies.server.preferences import BY_NAME, PREFERENCES, check_preference, preferences_schema, read_stored
from wellies.server.storage import Storage
from wellies.table import Refused
from wellies.table.ids import public_id

PASSWORD = "rain on the roof"
ROAD = "/me/preferences"


async def put(client: Client, **changes: Any) -> dict[str, Any]:
    """Change preferences, each a value or a pair of value and age; returns all values that count."""
    wish = {
        name: {"value": change[0], "age": change[1]} if isinstance(change, tuple) else {"value": change}
        for name, change in changes.items()
    }
    return values(await client.request("PUT", ROAD, {"preferences": wish}))


def values(answer: Any) -> dict[str, Any]:
    return {name: found["value"] for name, found in answer["preferences"].items()}


# --- preferences --------------------------------------------------------------------------------------------------


def test_the_list_of_preferences_is_sound() -> None:
    properties = preferences_schema()["$defs"]["Preferences"]["properties"]
    assert set(properties) == set(BY_NAME)
    assert len(BY_NAME) == len(PREFERENCES)
    for each in PREFERENCES:
        assert each.refusal(each.default) is None
        assert properties[each.name]["default"] == each.default
        assert read_stored(each.name, check_preference(each.name, each.default)) == each.default
        unfit: list[object] = [None, [], {}, 1.5, -1, 10**30, "no such value"]
        for wrong in unfit:
            assert each.refusal(wrong)
        assert each.refusal(1 if isinstance(each.default, bool) else True), "true is not 1"


def test_what_another_version_stored_is_left_out() -> None:
    assert read_stored("gone", "true") is None
    assert read_stored("speed", '"warp"') is None
    with pytest.raises(Refused, match="known: "):
        check_preference("gone", True)


def test_preferences_follow_the_person_to_another_device(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as phone, Client(server.url) as ben:
            await ann.guest("Ann of Preferences")
            assert values(await ann.request("GET", ROAD)) == {}
            assert await put(ann, sound=False, volume=30, locale="de-DE") == {
                "sound": False,
                "volume": 30,
                "locale": "de-DE",
            }
            await ann.request("POST", "/me/password", {"password": PASSWORD})
            await phone.log_in("Ann of Preferences", PASSWORD)
            assert values(await phone.request("GET", ROAD)) == {"sound": False, "volume": 30, "locale": "de-DE"}
            assert (await put(phone, sound=True))["sound"] is True
            assert values(await ann.request("GET", ROAD))["sound"] is True
            await ben.guest("Ben of Preferences")
            assert values(await ben.request("GET", ROAD)) == {}, "those of somebody else"
            with pytest.raises(ServerRefused) as refused:
                async with Client(server.url) as nobody:
                    await nobody.request("GET", ROAD)
            assert refused.value.status == 401

    play(scenario())


def test_of_two_changes_the_later_one_counts_whichever_arrives_first(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            await put(ann, speed=("fast", 1_000), theme=("dark", 90_000))
            # Made an hour ago without a network, and sent only now.
            late = await put(ann, speed=("slow", 3_600_000), theme=("light", 60_000), motion=("none", 3_600_000))
            assert late == {"speed": "fast", "theme": "light", "motion": "none"}
            again = await put(ann, speed=("slow", 3_600_000))
            assert again == late, "sending twice changes nothing"
            assert (await put(ann, speed="fastest"))["speed"] == "fastest"
            assert await put(ann) == {**late, "speed": "fastest"}

    play(scenario())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"preferences": {"speed": {"value": "warp"}}}, "must be one of slow, normal, fast, fastest"),
        ({"preferences": {"volume": {"value": 101}}}, "whole number from 0 to 100"),
        ({"preferences": {"volume": {"value": True}}}, "whole number"),
        ({"preferences": {"volume": {"value": 1.5}}}, "value"),
        ({"preferences": {"sound": {"value": 1}}}, "true or false"),
        ({"preferences": {"sound": {"value": None}}}, "value"),
        ({"preferences": {"shoe_size": {"value": 41}}}, "no preference `shoe_size`"),
        ({"preferences": {"where": {"value": "device"}}}, "no preference `where`"),
        ({"preferences": {"sound": {"value": True, "age": -1}}}, "age"),
        ({"preferences": {"sound": {"value": True, "by": "me"}}}, "by"),
        ({"preferences": {f"x{number}": {"value": True} for number in range(51)}}, "50"),
        ({"sound": True}, "sound"),
        ({}, "preferences"),
    ],
)
def test_what_is_no_preference_is_refused_in_words_and_nothing_is_stored(
    server: Running, body: Any, words: str
) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            mixed = (
                {"preferences": {"theme": {"value": "dark"}, **body["preferences"]}} if "preferences" in body else body
            )
            for wish in (body, mixed):
                with pytest.raises(ServerRefused, match=words) as refused:
                    await ann.request("PUT", ROAD, wish)
                assert refused.value.status == 400
            assert values(await ann.request("GET", ROAD)) == {}

    play(scenario())


# --- mute and block -----------------------------------------------------------------------------------------------


async def sitting(server: Running, stack: Any, *names: str) -> list[Client]:
    clients = [await stack.enter_async_context(Client(server.url)) for _ in names]
    for client, name in zip(clients, names, strict=True):
        await client.guest(name)
    return clients


def test_no_secret_id_of_another_person_leaves_the_server(server: Running) -> None:
    """Seats, chat and the list of avoided people name others by their public ids only."""

    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as ben, httpx.AsyncClient() as web:
            a, b = await ann.guest("Ann"), await ben.guest("Ben")
            table = (await ann.create_table("umbradeco", ["me", "open"]))["id"]
            await ben.join(table)
            async with ben.table(table, seat=1) as seat, ann.table(table, seat=0) as own:
                await seat.say("Hello")
                await own.until(lambda now: bool(now.chat))
                assert own.chat[0]["person"] == public_id(b["id"])
                told = json.dumps([own.chat, own.table, own.entries])
            info = await ann.get_table(table)
            assert [chair["person"] for chair in info["seats"]] == [public_id(a["id"]), public_id(b["id"])]
            wish = {"table": table, "person": public_id(b["id"]), "kind": "block"}
            avoided = await ann.request("POST", "/me/avoided", wish)
            assert avoided["people"][0]["person"] == public_id(b["id"])
            lists = (await web.get(f"{server.url}/api/v1/tables", params={"state": "open"})).text
            for text in (told, json.dumps(info), json.dumps(avoided), lists):
                assert b["id"] not in text
            # A public id is no key to anything: it does not even name its owner to another table.
            other = (await ann.create_table("umbradeco", ["me", "open"]))["id"]
            with pytest.raises(ServerRefused, match="nobody of that id"):
                await ann.request("POST", "/me/avoided", {**wish, "table": other})

    play(scenario())


def test_whoever_is_blocked_cannot_join_and_is_told_nothing(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as ben, Client(server.url) as cleo:
            a, b, _ = [await each.guest(name) for each, name in ((ann, "Ann"), (ben, "Ben"), (cleo, "Cleo"))]
            first = (await ann.create_table("umbradeco", ["me", "open", "open"]))["id"]
            await ben.join(first)
            code = (await ann.request("GET", "/me/friend-link"))["code"]
            assert len((await ben.request("POST", "/friends", {"code": code}))["friends"]) == 1
            avoided = await ann.request(
                "POST", "/me/avoided", {"table": first, "person": public_id(b["id"]), "kind": "block"}
            )
            assert [(each["name"], each["kind"]) for each in avoided["people"]] == [("Ben", "block")]
            # They are friends no more.
            assert (await ann.request("GET", "/friends"))["friends"] == []
            # Who sits already stays, and sees the same as before.
            assert (await ben.get_table(first))["seats"][1]["mine"]
            second = await ann.create_table("umbradeco", ["me", "open"], private=True)
            for invite in (None, second["invite"]):
                with pytest.raises(ServerRefused) as refused:
                    await ben.join(second["id"], invite=invite)
            assert (refused.value.code, refused.value.status) == ("cannot_join", 403)
            assert not any(word in str(refused.value).lower() for word in ("ann ", "block", "host", "mute"))
            # Others can join, and Ann may sit down at a table of Ben's.
            await cleo.join(second["id"], invite=second["invite"])
            theirs = (await ben.create_table("umbradeco", ["me", "open"]))["id"]
            await ann.join(theirs)
            # Nothing that Ben can ask for tells.
            assert await ben.request("GET", "/me/avoided") == {"people": []}
            # To mute is less than to block, and a new choice takes the place of the old one.
            mute = {"table": first, "person": public_id(b["id"]), "kind": "mute"}
            assert [each["kind"] for each in (await ann.request("POST", "/me/avoided", mute))["people"]] == ["mute"]
            third = (await ann.create_table("umbradeco", ["me", "open"]))["id"]
            await ben.join(third)
            await ann.request("POST", "/me/avoided", {**mute, "kind": "block"})
            assert await ann.request("DELETE", f"/me/avoided/{public_id(b['id'])}") == {"people": []}
            with pytest.raises(ServerRefused) as gone:
                await ann.request("DELETE", f"/me/avoided/{public_id(b['id'])}")
            assert gone.value.status == 404
            fourth = (await ann.create_table("umbradeco", ["me", "open"]))["id"]
            await ben.join(fourth)
            with pytest.raises(ServerRefused, match="That is you"):
                await ann.request("POST", "/me/avoided", {**mute, "person": public_id(a["id"])})

    play(scenario())


def test_somebody_who_only_talks_can_be_muted(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as eve:
            await ann.guest("Ann")
            e = await eve.guest("Eve")
            table = (await ann.create_table("umbradeco", ["me", "open"]))["id"]
            async with eve.table(table) as watcher:
                await watcher.say("Boo")
            wish = {"table": table, "person": public_id(e["id"]), "kind": "mute"}
            assert (await ann.request("POST", "/me/avoided", wish))["people"][0]["name"] == "Eve"
            # A private table is no way to try public ids.
            private = await eve.create_table("umbradeco", ["me", "open"], private=True)
            with pytest.raises(ServerRefused) as hidden:
                await ann.request("POST", "/me/avoided", {**wish, "table": private["id"]})
            assert hidden.value.status == 404

    play(scenario())


def test_two_people_are_kept_apart_if_one_blocks_the_other() -> None:
    async def scenario(file: str) -> None:
        storage = Storage(settings_for(file).database)
        await storage.migrate()
        try:
            row = {"identity_id": "ann", "other_id": "ben", "name": "Ben", "at": 1}
            await storage.avoid({**row, "kind": "mute"})
            assert await keep_apart(storage, "ann") == set()
            await storage.avoid({**row, "kind": "block"})
            assert await keep_apart(storage, "ann") == {"ben"}
            assert await keep_apart(storage, "ben") == {"ann"}
            assert await keep_apart(storage, "cleo") == set()
        finally:
            await storage.close()

    with sqlite_file() as file:
        asyncio.run(scenario(file))


# --- planning ahead -----------------------------------------------------------------------------------------------


def test_a_plan_is_answered_to_its_seat_alone_and_tells_nobody(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as ben:
            await ann.guest("Ann")
            await ben.guest("Ben")
            table = (await ann.create_table("umbradeco", ["me", "open"]))["id"]
            await ben.join(table)
            await ann.act(table, "start")
            async with ann.table(table, seat=0) as one, ben.table(table, seat=1) as two, ann.table(table) as nobody:
                mover, waiter = (one, two) if one.decision else (two, one)
                assert waiter.view is not None
                assert waiter.seat is not None
                planned = await waiter.request("plan")
                assert planned["version"] == waiter.version
                assert planned["view"]["due"] == [waiter.seat]
                assert planned["view"]["position"]["hands"] == waiter.view["position"]["hands"]
                move = planned["legal"][0]["move"]
                told = await waiter.request("preview", move=move, ahead=True)
                assert told["gains"][waiter.seat] == planned["legal"][0]["points"]
                assert (await waiter.request("why", move=move, ahead=True))["refusal"] is None
                assert (await waiter.request("why", move=move))["refusal"], "it is not legal now"
                refusal = (await waiter.request("why", move=f"{move.split('@')[0]}@0,0", ahead=True))["refusal"]
                assert refusal
                assert "turn" not in refusal, "the rule, as on one's turn"
                for seat in (mover, nobody):
                    with pytest.raises(ServerRefused):
                        await seat.request("plan")
                assert mover.version == nobody.version == waiter.version, "nothing has happened"

    play(scenario())
