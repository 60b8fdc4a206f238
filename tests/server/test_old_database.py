"""A database that an earlier version wrote is opened, and its tables are played on (see `tests/old_files/write.py`)."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers import HERE
from old_files.write import play_table
from server.serving import Running, running

from wellies.client import Client


@pytest.mark.parametrize("file", sorted((HERE / "old_files").glob("*/tables.db")), ids=lambda path: path.parent.name)
def test_the_tables_of_an_old_database_are_all_there_and_go_on(file: Path, tmp_path: Path) -> None:
    told = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert {each["state"] for each in told["tables"].values()} == {"finished", "playing", "open"}
    shutil.copy(file, tmp_path / "wellies.db")
    with running(str(tmp_path / "wellies.db")) as server:
        asyncio.run(asyncio.wait_for(_play_on(server, told), 120))


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
