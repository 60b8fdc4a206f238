"""Finding a game, over one server and over several: nobody waits in vain, and nobody gets two tables."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from server.serving import Running, play, postgres_database, running, settings_for, sqlite_file

from wellies.client import Client, ServerRefused
from wellies.server.finding import FOUND_MILLIS, WAIT_MILLIS, choose_group, found_table, go_on_looking
from wellies.server.identity import Identity
from wellies.server.storage import Storage
from wellies.table.ids import new_id

WISH = {"game": "umbradeco", "pace": "10 minutes", "seats": [2]}


@contextlib.asynccontextmanager
async def people(url: str, *names: str) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        found = [await stack.enter_async_context(Client(url)) for _ in names]
        for client, name in zip(found, names, strict=True):
            await client.guest(name)
        yield found


def test_two_who_look_for_the_same_game_are_brought_to_one_table(server: Running) -> None:
    async def scenario() -> None:
        async with people(server.url, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
            mine = await ann.request("PUT", "/search", WISH)
            assert (mine["title"], mine["waiting"], mine["table"]) == ("Umbradeco", 1, None)
            other = await cleo.request("PUT", "/search", {**WISH, "pace": "no clock"})
            assert other["table"] is None, "another pace is another game"
            assert (await ben.request("GET", "/search"))["waiting"] == [
                {"game": "umbradeco", "pace": "10 minutes", "people": 1},
                {"game": "umbradeco", "pace": "no clock", "people": 1},
            ]
            found = await ben.request("PUT", "/search", WISH)
            assert found["table"] is not None
            told = (await ann.request("GET", "/inbox"))["search"]
            assert told["table"] == found["table"]
            table = await ann.request("GET", f"/tables/{found['table']}")
            assert [seat["name"] for seat in table["seats"]] == ["Ann", "Ben"]
            assert (table["state"], table["clock"]["seconds"]) == ("playing", 600)
            await ann.request("DELETE", f"/search/{told['id']}")
            assert (await ann.request("GET", "/inbox"))["search"] is None
            turns = [(await each.request("GET", "/inbox"))["turns"] for each in (ann, ben)]
            assert [[turn["mine"] for turn in each] for each in turns] in ([[True], [False]], [[False], [True]])
            assert all(each[0]["deadline"] is not None for each in turns)
            await cleo.request("DELETE", f"/search/{other['id']}")

    play(scenario())


def test_whoever_leaves_is_not_paired(server: Running) -> None:
    async def scenario() -> None:
        async with people(server.url, "Ann", "Ben") as (ann, ben):
            mine = await ann.request("PUT", "/search", {**WISH, "game": "marram"})
            await ann.request("DELETE", f"/search/{mine['id']}")
            other = await ben.request("PUT", "/search", {**WISH, "game": "marram"})
            assert other["table"] is None
            await ben.request("DELETE", f"/search/{other['id']}")

    play(scenario())


def test_wishes_that_cannot_be_are_refused_in_words(server: Running) -> None:
    async def scenario() -> None:
        async with people(server.url, "Ann") as (ann,):
            for wish, why in (
                ({**WISH, "seats": [5]}, "Umbradeco"),
                ({**WISH, "pace": "yesterday"}, "pace"),
                ({**WISH, "seats": []}, "seats"),
                ({**WISH, "game": "chess"}, "chess"),
            ):
                with pytest.raises(ServerRefused, match=why):
                    await ann.request("PUT", "/search", wish)

    play(scenario())


def _row(person: str, seats: str) -> dict[str, Any]:
    return {"identity_id": person, "name": person, "seats": seats}


def test_the_smallest_game_that_suits_all_is_chosen_and_those_apart_are_left_out() -> None:
    mine = _row("me", "2,4")
    three = [_row("a", "3,4"), _row("b", "4"), _row("c", "2,3,4")]
    assert [each["identity_id"] for each in choose_group(mine, three, set())] == ["c", "me"]
    assert [each["identity_id"] for each in choose_group(_row("me", "4"), three, set())] == ["a", "b", "c", "me"]
    assert choose_group(_row("me", "4"), three, {"b"}) == []
    assert choose_group(mine, three, {"c"}) == []


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    with sqlite_file() if request.param == "SQLite" else postgres_database() as where:
        yield settings_for(where).database


def _request(person: str, now: int) -> dict[str, Any]:
    return {
        "identity_id": person,
        "id": f"r{person}",
        "name": person.title(),
        "game": "umbradeco",
        "pace": "10 minutes",
        "seats": "2",
        "created": now,
        "expires": now + WAIT_MILLIS,
        "table_id": None,
        "people": "",
    }


def test_many_who_ask_at_once_through_several_stores_are_each_paired_once(database: str) -> None:
    """Each store stands for a worker."""

    async def scenario() -> None:
        stores = [Storage(database) for _ in range(4)]
        await stores[0].migrate()
        now, count = 1_000_000, 24

        async def ask(number: int) -> dict[str, Any]:
            found = {"table_id": f"t{number}", "expires": now + FOUND_MILLIS}
            return await stores[number % 4].ask_for_game(
                _request(f"p{number:02}", now), now, found, lambda mine, others: choose_group(mine, others, set())
            )

        await asyncio.gather(*(ask(number) for number in range(count)))
        rows = [await stores[0].game_request(f"p{number:02}") for number in range(count)]
        groups: dict[str, list[str]] = {}
        for row in rows:
            assert row is not None
            groups.setdefault(str(row["table_id"]), []).append(row["identity_id"])
        assert "None" not in groups, "nobody waits in vain"
        assert all(len(each) == 2 for each in groups.values())
        # Whoever asks again with the same request is not paired a second time.
        again = await ask(0)
        assert again["table_id"] == rows[0]["table_id"] if rows[0] else None
        for store in stores:
            await store.close()

    play(scenario())


def test_after_a_crash_between_pairing_and_table_whoever_asks_first_makes_the_table() -> None:
    async def pair(database: str) -> dict[str, Any]:
        """What a worker had stored that then died."""
        store = Storage(settings_for(database).database)
        await store.migrate()
        people: list[dict[str, Any]] = [
            {"id": name, "name": name.title(), "login": None, "password": None, "epoch": 0, "created": 0}
            for name in ("ann", "ben")
        ]
        for each in people:
            await store.add_identity(each)
        now = 4_000_000_000_000
        found = {"table_id": new_id(), "expires": now + FOUND_MILLIS}
        rows = [
            await store.ask_for_game(
                _request(each["id"], now), now, found, lambda mine, others: choose_group(mine, others, set())
            )
            for each in people
        ]
        await store.close()
        return rows[1]

    async def scenario(first: Running, second: Running, row: dict[str, Any]) -> None:
        async def ask(server: Running, name: str) -> str | None:
            asked = go_on_looking(server.hub, Identity(name, name.title(), False, 0))
            search = await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asked, server.loop))
            return None if search is None else search.table

        tables = await asyncio.gather(ask(first, "ann"), ask(second, "ben"), ask(first, "ben"), ask(second, "ann"))
        assert set(tables) == {row["table_id"]}
        stored = await first.storage.table(row["table_id"])
        assert stored is not None
        assert [seat.identity for seat in stored.setup.seats] == ["ann", "ben"]
        assert first.hub.metrics.games_found + second.hub.metrics.games_found == 1

    with sqlite_file() as database:
        row = asyncio.run(pair(database))
        with running(database) as first, running(database) as second:
            play(scenario(first, second, row))


def test_the_table_of_a_pair_has_begun_with_the_clock_of_the_pace() -> None:
    row = {**_request("ann", 5), "table_id": "abcdefghijkl", "people": "ben Ben B\nann Ann"}
    table = found_table(row, 7)
    assert [seat.name for seat in table.seats] == ["Ben B", "Ann"]
    assert (table.state, table.clock.kind, table.clock.seconds) == ("playing", "game", 600)


def test_friends_by_link_and_by_name_and_invitations(server: Running) -> None:
    async def scenario() -> None:
        async with people(server.url, "Ann", "Ben", "Cleopatra") as (ann, ben, cleo):
            # By link: friends at once, until the link is renewed.
            old = (await ann.request("GET", "/me/friend-link"))["code"]
            assert (await ben.request("GET", f"/friend-links/{old}"))["name"] == "Ann"
            await ben.request("POST", "/friends", {"code": old})
            code = (await ann.request("POST", "/me/friend-link"))["code"]
            with pytest.raises(ServerRefused, match="no longer valid"):
                await cleo.request("POST", "/friends", {"code": old})
            assert code != old
            await ben.request("GET", "/inbox")
            (friend,) = (await ann.request("GET", "/friends"))["friends"]
            assert (friend["name"], friend["state"], friend["here"]) == ("Ben", "friend", True)
            # By name: asked, then accepted or declined.
            await cleo.request("POST", "/me/password", {"password": "galoshes and puddles"})
            with pytest.raises(ServerRefused, match="no account of that name"):
                await ann.request("POST", "/friends", {"name": "Nobody at all"})
            await ann.request("POST", "/friends", {"name": "CLEOPATRA"})
            assert (await cleo.request("GET", "/inbox"))["asks"] == 1
            (asking,) = (await cleo.request("GET", "/friends"))["friends"]
            assert (asking["name"], asking["state"], asking["here"]) == ("Ann", "asks", False)
            asked = next(each for each in (await ann.request("GET", "/friends"))["friends"] if each["state"] == "asked")
            with pytest.raises(ServerRefused, match="has to say yes"):
                await ann.request("POST", f"/friends/{asked['handle']}/accept")
            await cleo.request("DELETE", f"/friends/{asking['handle']}")
            assert len((await ann.request("GET", "/friends"))["friends"]) == 1
            await ann.request("POST", "/friends", {"name": "Cleopatra"})
            (asking,) = (await cleo.request("GET", "/friends"))["friends"]
            await cleo.request("POST", f"/friends/{asking['handle']}/accept")
            # Invitations: to friends only, seen at once, gone when answered.
            table = await ann.create_table("umbradeco", ["me", "open"])
            handles = {each["name"]: each["handle"] for each in (await ann.request("GET", "/friends"))["friends"]}
            await ann.request("POST", f"/tables/{table['id']}/invitations", {"friend": handles["Ben"]})
            with pytest.raises(ServerRefused, match="none of your friends"):
                await ann.request("POST", f"/tables/{table['id']}/invitations", {"friend": "nobody"})
            (seen,) = (await ben.request("GET", "/inbox"))["invitations"]
            assert (seen["table"], seen["name"], seen["title"], seen["again"]) == (
                table["id"],
                "Ann",
                "Umbradeco",
                False,
            )
            await ben.join(table["id"])
            assert (await ben.request("GET", "/inbox"))["invitations"] == []

    play(scenario())


def test_another_game_with_the_people_of_a_finished_one_invites_them(server: Running) -> None:
    async def scenario() -> None:
        async with people(server.url, "Ann", "Ben") as (ann, ben):
            table = await ann.create_table("umbradeco", ["me", "open"])
            await ben.join(table["id"])
            await ann.act(table["id"], "start")
            for each in (ann, ben):
                await each.request("POST", f"/tables/{table['id']}/resign", {})
            async with ann.table(table["id"]) as watched:
                await watched.until(lambda now: now.table["state"] == "finished")
            again = await ben.request("POST", f"/tables/{table['id']}/rematch")
            (invited,) = (await ann.request("GET", "/inbox"))["invitations"]
            assert (invited["table"], invited["again"], invited["name"]) == (again["id"], True, "Ben")
            await ann.request("DELETE", f"/invitations/{again['id']}")
            assert (await ann.request("GET", "/inbox"))["invitations"] == []

    play(scenario())
