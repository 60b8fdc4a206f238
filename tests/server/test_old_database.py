"""A database that an earlier version wrote is opened, and its tables are played on (see `tests/old_files/write.py`)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from helpers import HERE
from old_files.write import play_table
from server.serving import Running, play, postgres_database, running, settings_for, until

from wellies.client import Client
from wellies.server.storage.database import known_revisions
from wellies.server.storage.snapshot import open_empty, open_snapshot

FILES = sorted((HERE / "old_files").glob("*/tables.db"))


@contextlib.contextmanager
def old_database(kind: str, file: Path, folder: Path) -> Iterator[str]:
    """A database as the earlier version left it, with the tables of its schema and all rows."""
    copy = str(shutil.copy(file, folder / "wellies.db"))
    if kind == "SQLite":
        yield copy
        return
    with postgres_database() as place:
        asyncio.run(_copy(settings_for(copy).database, settings_for(place).database))
        yield place


async def _copy(old: str, new: str) -> None:
    """All rows into a new database with the same schema."""
    async with open_snapshot(old) as snapshot, open_empty(new, snapshot.revision) as loader:
        for table, columns in snapshot.columns.items():
            async for rows in snapshot.rows(table, columns):
                await loader.insert(table, columns, rows)
        await loader.set_sequences()


async def revision(place: str) -> str:
    """The revision of the schema, read without any code of ours."""
    query = "SELECT version_num FROM alembic_version"
    if "://" not in place:
        with contextlib.closing(sqlite3.connect(place)) as file:
            return str(file.execute(query).fetchone()[0])
    connection = await asyncpg.connect(place)
    try:
        return str(await connection.fetchval(query))
    finally:
        await connection.close()


@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.parent.name)
def test_the_tables_of_an_old_database_are_all_there_and_go_on(kind: str, file: Path, tmp_path: Path) -> None:
    told = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert {each["state"] for each in told["tables"].values()} == {"finished", "playing", "open"}
    with old_database(kind, file, tmp_path) as place:
        before = asyncio.run(revision(place))
        with running(place) as server:
            play(_play_on(server, told))
            play(_what_is_new(server, told))
        newest = asyncio.run(revision(place))
    known = known_revisions()
    assert known.index(before) < known.index(newest) == len(known) - 1


async def _play_on(server: Running, told: dict[str, Any]) -> None:
    async with Client(server.url) as ann, Client(server.url) as ben:
        for client, name in zip((ann, ben), told["people"], strict=True):
            me = await client.log_in(name, told["password"])
            assert (me["name"], me["account"]) == (name, True)
        for id, then in told["tables"].items():
            found = await ann.get_table(id)
            assert {key: found[key] for key in then} == then
        by_state = {then["state"]: id for id, then in told["tables"].items()}

        # The finished one has its seed, its record and every moment of its replay.
        record = await ann.request("GET", f"/tables/{by_state['finished']}/record")
        assert "Seed: " in record
        assert "Result: " in record
        assert (await ann.get_table(by_state["finished"]))["outcome"]["winners"]

        # The running one is played to its end, and so is the one in the lobby, once it is full.
        await play_table(ann, ben, by_state["playing"], None)
        await ben.join(by_state["open"])
        await ann.act(by_state["open"], "start")
        await play_table(ann, ben, by_state["open"], 10)
        assert (await ann.get_table(by_state["playing"]))["state"] == "finished"
        assert (await ann.get_table(by_state["open"]))["state"] == "playing"


async def _what_is_new(server: Running, told: dict[str, Any]) -> None:
    """What that version did not have works for its people and its games: history, statistics, preferences, friends."""
    await until(lambda: server.hub.recorder.passes)
    async with Client(server.url) as ann, Client(server.url) as ben:
        for client, name in zip((ann, ben), told["people"], strict=True):
            await client.log_in(name, told["password"])
        ended = {id: each["game"] for id, each in told["tables"].items() if each["state"] != "open"}
        for seat, client in enumerate((ann, ben)):
            found = (await client.request("GET", "/me/games"))["games"]
            assert {game["table"]: game["game"] for game in found} == ended
            for game in found:
                scores = (await ann.get_table(game["table"]))["outcome"]["scores"]
                assert game["score"] == scores[seat]
                summed = await client.request("GET", "/me/statistics", game=game["game"])
                assert (summed["games"], summed["best"]) == (1, scores[seat])
                assert sum(rule["points"] for rule in summed["rules"]) == scores[seat]
                assert (await client.request("GET", f"/tables/{game['table']}/ratings"))["changes"] == []
        await ann.request("PUT", "/me/preferences", {"preferences": {"sound": {"value": False}}})
        assert (await ann.request("GET", "/me/preferences"))["preferences"]["sound"]["value"] is False
        code = (await ann.request("GET", "/me/friend-link"))["code"]
        [friend] = (await ben.request("POST", "/friends", {"code": code}))["friends"]
        assert friend["name"] == told["people"][0]
