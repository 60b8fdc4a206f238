"""Histories, statistics, export and deletion: complete, only one's own, and gone when they should be."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import zipfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa
from helpers import HERE
from old_files.write import play_table
from server.people import PASSWORD, account, play_to_end
from server.serving import Running, play, postgres_database, running, sqlite_file, until

from wellies.client import Client, ServerRefused
from wellies.match import Record
from wellies.server.storage.accounts import PERSONAL, REWRITTEN
from wellies.server.storage.schema import META, deletions

Answer = TypeVar("Answer")
SMALL = {"options": {"mat": "small"}}


async def games(client: Client, **wanted: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await client.request("GET", "/me/games", **wanted))["games"]
    return found


@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_a_history_is_searched_and_summed_up(kind: str) -> None:
    async def scenario(url: str) -> None:
        async with Client(url) as ann, Client(url) as ben:
            await ann.guest("Ann")
            await ben.guest("Ben \u0130")
            alone = (await ann.create_table("umbradeco", ["me", "shower"], start=True, **SMALL))["id"]
            await play_to_end(ann, alone)
            together = (await ann.create_table("umbradeco", ["me", "open", "random"], **SMALL))["id"]
            await ben.join(together)
            await ann.act(together, "start")
            await ben.act(together, "handover", level="shower")
            await play_to_end(ann, together)
            passing = (await ann.create_table("umbradeco", ["me", "me"], start=True, **SMALL))["id"]
            for seat in (0, 1):
                await ann.act(passing, "handover", seat=seat, level="random")
            async with ann.table(passing) as view:
                await view.until(lambda now: now.table["state"] == "finished")

            found = await games(ann)
            assert [game["table"] for game in found] == [passing, together, alone]
            info = await ann.get_table(alone)
            mine = found[2]
            assert mine["score"] == info["outcome"]["scores"][0]
            assert [seat["score"] for seat in mine["seats"]] == info["outcome"]["scores"]
            assert [(seat["name"], seat["bot"], seat["mine"]) for seat in mine["seats"]] == [
                ("Ann", None, True),
                ("shower", "shower", False),
            ]
            assert mine["decisions"] > 10
            assert (mine["rated"], mine["rating"], mine["lost"]) == (False, None, None)
            assert found[0]["result"] == "several"

            async def ids(**wanted: Any) -> list[str]:
                return [game["table"] for game in await games(ann, **wanted)]

            assert await ids(opponent="BEN") == [together]
            assert await ids(opponent="ann") == []
            assert await ids(opponent="show") == [alone]
            assert await ids(opponent="%") == []
            assert await ids(opponent="an\x00d") == [together]
            assert await ids(game="marram") == []
            assert await ids(rated=True) == []
            assert await ids(result="several", rated=False) == [passing]
            assert await ids(result=mine["result"], until=found[1]["finished"]) == [alone]
            assert await ids(since=found[1]["finished"]) == [passing, together]
            first = await ann.request("GET", "/me/games", limit=2)
            assert [game["table"] for game in first["games"]] == [passing, together]
            rest = await ann.request("GET", "/me/games", limit=2, after=first["next"])
            assert ([game["table"] for game in rest["games"]], rest["next"]) == ([alone], None)
            with pytest.raises(ServerRefused, match="`after`"):
                await games(ann, after="nonsense")

            # The other person's history has the one game; a stranger has none.
            assert [game["table"] for game in await games(ben)] == [together]
            with pytest.raises(ServerRefused) as error:
                await games(Client(url))
            assert error.value.status == 401

            told = await ann.request("GET", "/me/statistics", game="umbradeco")
            assert (told["games"], told["several"]) == (3, 1)
            assert told["won"] + told["shared"] + told["lost"] == 2
            scores = [game["score"] for game in found[1:]]
            assert told["average"] == pytest.approx(sum(scores) / 2)
            assert told["best"] == max(scores)
            # The rules add up to the points.
            assert sum(each["points"] for each in told["rules"]) == sum(scores)
            against = {each["name"]: each for each in told["against"]}
            assert set(against) == {"shower", "random", "Ben \u0130"}
            ranks = [(seat["rank"], mine["rank"]) for seat in mine["seats"] if not seat["mine"]]
            assert against["shower"]["ahead"] == sum(1 for theirs, own in ranks if own < theirs)
            assert against["Ben \u0130"]["games"] == 1
            assert [each["table"] for each in told["recent"]] == [alone, together]
            assert told["analysed"] == []
            assert (await ann.request("GET", "/me/profile"))["games"] == [{"game": "umbradeco", "games": 3}]

    with sqlite_file() if kind == "SQLite" else postgres_database() as place, running(place) as server:
        play(scenario(server.url))


def test_an_analysis_is_part_of_the_statistics() -> None:
    async def scenario(url: str) -> None:
        async with Client(url) as ann:
            await ann.guest("Ann")
            table = (await ann.create_table("umbradeco", ["me", "random"], start=True, **SMALL))["id"]
            await play_to_end(ann, table)
            await ann.request("POST", f"/tables/{table}/analysis")
            while (found := await ann.request("GET", f"/tables/{table}/analysis"))["state"] != "done":
                assert found["state"] != "failed"
                await asyncio.sleep(0.1)
            told = (await ann.request("GET", "/me/statistics", game="umbradeco"))["analysed"]
            [mine] = [each for each in found["seats"] if each["seat"] == 0]
            assert [(each["table"], each["lost"], each["judged"]) for each in told] == [
                (table, mine["lost"], mine["decisions"])
            ]
            assert (await games(ann))[0]["lost"] == mine["lost"]

    with sqlite_file() as place, running(place, analysis_seconds=1.0) as server:
        play(scenario(server.url))


def test_games_of_an_earlier_version_become_part_of_the_history(tmp_path: Path) -> None:
    """Also if that was cut off: what is missing is found again, and nothing is recorded twice."""
    [file] = sorted((HERE / "old_files").glob("*/tables.db"))[:1]
    told = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    [finished] = [table for table, each in told["tables"].items() if each["state"] == "finished"]
    shutil.copy(file, tmp_path / "wellies.db")

    async def look(server: Running) -> None:
        await until(lambda: server.hub.recorder.passes)
        async with Client(server.url) as ann:
            await ann.log_in(told["people"][0], told["password"])
            [game] = await games(ann)
            assert game["table"] == finished
            assert [seat["score"] for seat in game["seats"]] == told["tables"][finished]["scores"]
            assert {seat["name"] for seat in game["seats"]} == set(told["people"])
            assert sum(each["points"] for each in (await _statistics(ann, game["game"]))["rules"]) == game["score"]
            profile = await ann.request("GET", "/me/profile")
            public = await Client(server.url).request("GET", f"/people/{profile['person']}")
            assert public["profile"]["name"] == told["people"][0]

    for _ in range(2):
        with running(str(tmp_path / "wellies.db")) as server:
            play(look(server))


async def _statistics(client: Client, game: str) -> dict[str, Any]:
    found: dict[str, Any] = await client.request("GET", "/me/statistics", game=game)
    return found


def test_an_export_has_everything_of_a_person_and_nothing_of_others(server: Running) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ann, Client(server.url) as ben:
            await account(ann, "Exporter")
            await ben.guest("Ben")
            table = (await ann.create_table("umbradeco", ["me", "open"], **SMALL))["id"]
            await ben.join(table)
            await ann.act(table, "start")
            async with ann.table(table, seat=0) as mine, ben.table(table, seat=1) as others:
                await mine.say("Good luck!")
                await others.say("Not for the export")
            await ben.act(table, "resign")
            await play_to_end(ann, table)
            answer = await ann.http.get("/api/v1/me/export")
            assert answer.headers["content-type"] == "application/zip"
            with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
                assert archive.testzip() is None
                told = json.loads(archive.read("profile.json"))
                record = archive.read(f"records/umbradeco-{table}.wellies").decode()
            assert told["profile"]["name"] == "Exporter"
            assert [game["table"] for game in told["games"]] == [table]
            assert [line["text"] for line in told["chat"]] == ["Good luck!"]
            assert [each["id"] for each in told["tables"]] == [table]
            assert set(told["settings"]) >= {"preferences", "alert_settings", "avoided_people"}
            assert "Ben" not in json.dumps(told["chat"])
            assert Record.parse(record).replay().state.outcome() is not None
            assert record == await ann.request("GET", f"/tables/{table}/record")

    play(scenario())


def test_who_leaves_an_export_cuts_off_no_query(server: Running) -> None:
    """A query that is cut off leaves an error in the log, and a connection that cannot be used again."""
    accounts = server.hub.storage.accounts
    ask = accounts.settings_of
    asked: list[str] = []
    go_on = asyncio.Event()

    async def slowly(person: str) -> Any:
        asked.append("begun")
        await go_on.wait()
        answer = await ask(person)
        asked.append("ended")
        return answer

    async def scenario() -> None:
        async with Client(server.url) as ann:
            await ann.guest("Ann")
            vars(accounts)["settings_of"] = slowly
            try:
                leaving = asyncio.create_task(ann.http.get("/api/v1/me/export"))
                await until(lambda: asked)
                leaving.cancel()
                await asyncio.wait([leaving])
                await until(lambda: not server._server.server_state.tasks)  # the server has noticed
            finally:
                del vars(accounts)["settings_of"]
            server.loop.call_soon_threadsafe(go_on.set)
            await until(lambda: asked == ["begun", "ended"])
            while (again := await ann.http.get("/api/v1/me/export")).status_code == 503:
                await asyncio.sleep(0.01)
            assert zipfile.ZipFile(io.BytesIO(again.content)).testzip() is None

    play(scenario())


@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_who_deletes_an_account_is_nobody_afterwards_and_others_keep_their_games(kind: str) -> None:
    async def scenario(server: Running) -> None:
        async with Client(server.url) as ann, Client(server.url) as ben, Client(server.url) as elsewhere:
            me = await account(ann, "Annabella")
            await account(ben, "Ben")
            await elsewhere.log_in("Annabella", PASSWORD)
            person = (await ann.request("GET", "/me/profile"))["person"]
            clock = {"kind": "move", "seconds": 3600}
            tables = []
            for rated in (True, False):
                table = (await ann.create_table("umbradeco", ["me", "open"], rated=rated, clock=clock, **SMALL))["id"]
                await ben.join(table)
                if not rated:
                    await ann.request("POST", f"/tables/{table}/chairs/name", {"seat": 0, "name": "Annabella II"})
                await ann.act(table, "start")
                tables.append(table)
            done, going_on = tables
            lobby = (await ann.create_table("umbradeco", ["me", "open"], **SMALL))["id"]
            async with ann.table(done, seat=0) as view:
                await view.say("It is me, Annabella!")
            await play_with(ann, ben, done)
            before = await ben.request("GET", f"/tables/{done}/ratings")
            assert before["not_counted"] == ""
            await play_table(ann, ben, going_on, 3)

            for wrong in (
                {"confirm": True},
                {"confirm": True, "password": "wrong"},
                {"confirm": False, "password": PASSWORD},
            ):
                with pytest.raises(ServerRefused):
                    await ann.request("POST", "/me/delete", wrong)
            assert len(await games(ann)) == 1
            await ann.request("POST", "/me/delete", {"confirm": True, "password": PASSWORD})

            # All sessions are over, the name is free, and nobody finds the person.
            for client in (ann, elsewhere):
                assert (await client.request("GET", "/session"))["me"] is None
            with pytest.raises(ServerRefused):
                await elsewhere.log_in("Annabella", PASSWORD)
            assert await ben.request("GET", f"/people/{person}") == {"profile": None}
            names = {each["name"] for each in (await ben.request("GET", "/leaderboards/umbradeco"))["standings"]}
            assert names == {"Ben"}

            # Others keep their games: complete, and with somebody.
            [game] = await games(ben)
            assert {(seat["name"], seat["person"] is None) for seat in game["seats"]} == {
                ("Someone", True),
                ("Ben", False),
            }
            record = await ben.request("GET", f"/tables/{done}/record")
            assert Record.parse(record).replay().state.outcome() is not None
            assert (await ben.request("GET", f"/tables/{done}/ratings"))["changes"] == before["changes"]
            assert (await ben.get_table(done))["outcome"]["scores"] == [seat["score"] for seat in game["seats"]]
            assert (await ben.get_table(going_on))["seats"][0]["why"] == "resigned"
            assert (await within(server, server.storage.ratings.rebuild(store=False))).wrong_ratings == 0

            # Nothing in the database names them, in whatever table or column.
            for name in META.tables:
                for row in await within(server, server.storage.rows(sa.select(META.tables[name]))):
                    text = json.dumps(row, ensure_ascii=False).casefold()
                    assert "annabella" not in text, name
                    assert me["id"] not in text, name

            # The game that was going on is played to its end, by a worker that reads it anew too.
            await within(server, evict(server))
            await play_to_end(ben, going_on)
            assert (await ben.get_table(going_on))["seats"][0]["name"] == "Someone"
            assert len(await games(ben)) == 2
            assert lobby not in [each["id"] for each in (await ben.request("GET", "/tables"))["tables"]]
            await Client(server.url).guest("Annabella")

    with sqlite_file() if kind == "SQLite" else postgres_database() as place, running(place) as server:
        play(scenario(server))


def test_every_column_that_names_a_person_is_thought_of_when_one_is_deleted() -> None:
    """A new table must say in `storage/accounts.py` what becomes of its rows."""
    people = ("identity_id", "friend_id", "from_id", "other_id", "host", "player")
    columns = {(table.name, column.name) for table in META.tables.values() for column in table.columns}
    assert {each for each in columns if each[1] in people} == {
        (table.name, column) for table, column in (*PERSONAL, *REWRITTEN)
    }
    ids = {column for _, column in columns if column.endswith("_id")}
    assert ids == {"identity_id", "friend_id", "from_id", "other_id", "table_id", "public_id"}


async def within(server: Running, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Something that is done in the event loop of the server, to which its connections belong."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, server.loop))


async def evict(server: Running) -> None:
    server.hub.evict(0.0)


async def play_with(ann: Client, ben: Client, table: str) -> None:
    """Two people play a game to its end."""
    await asyncio.gather(play_to_end(ann, table), play_to_end(ben, table))


def test_a_deletion_that_was_cut_off_is_brought_to_its_end(tmp_path: Path) -> None:
    place = str(tmp_path / "wellies.db")
    kept: dict[str, str] = {}

    async def begin(server: Running) -> None:
        async with Client(server.url) as ann:
            me = await ann.guest("Cut off")
            kept["table"] = (await ann.create_table("umbradeco", ["me", "random"], start=True, **SMALL))["id"]
            await play_to_end(ann, kept["table"])
            await server.storage.accounts.begin_deletion(me["id"], 1)
            found = await server.storage.accounts.deletion(me["id"])
            assert found is not None
            assert found.tables == [kept["table"]]

    async def go_on(server: Running) -> None:
        await until(lambda: server.hub.recorder.passes)
        assert await server.storage.rows(sa.select(deletions)) == []
        async with Client(server.url) as other:
            assert (await other.get_table(kept["table"]))["seats"][0]["name"] == "Someone"

    with running(place) as server:
        play(begin(server))
    with running(place) as server:
        play(go_on(server))
