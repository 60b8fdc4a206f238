"""What lists show of the tables on a device. The page reads `info` in the rows, without Python."""

from __future__ import annotations

import json
from typing import Any

import pytest
from local.hosts import Disk, Tab, play_out, run


async def check_info(tab: Tab, table: str) -> Any:
    """What the row says of a table is what the table says of itself."""
    info = tab.disk.row(table)["info"]
    assert info == await tab.done("GET", f"/tables/{table}")
    assert info == await Tab(tab.disk, deaf=True).done("GET", f"/tables/{table}")
    [listed] = [each for each in (await tab.done("GET", "/tables?limit=50"))["tables"] if each["id"] == table]
    assert info == listed
    return info


def test_a_row_says_how_its_table_stands_after_everything_that_is_stored() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        stored = tab.store

        async def store(table: str, first: int, entries: str, row: str) -> bool:
            info, version = json.loads(row)["info"], first + len(json.loads(entries)) - 1
            assert info["version"] == json.loads(row)["version"] == version
            return await stored(table, first, entries, row)

        tab.store = store  # type: ignore[method-assign]
        seats = [{"kind": "me"}, {"kind": "bot", "level": "drizzle"}]
        made = await tab.done("POST", "/tables", {"game": "umbradeco", "seats": seats, "options": {"mat": "small"}})
        path = f"/tables/{made['id']}"
        assert (await check_info(tab, made["id"]))["state"] == "open"
        await tab.done("POST", f"{path}/chairs/name", {"seat": 0, "name": "Ann"})
        assert (await check_info(tab, made["id"]))["seats"][0]["name"] == "Ann"
        await tab.done("POST", f"{path}/start")
        assert (await check_info(tab, made["id"]))["state"] == "playing"
        page = await tab.open(made["id"], 0)
        assert await page.my_turn()
        await page.play(page.moves()[0])
        assert await page.my_turn()
        info = await check_info(tab, made["id"])
        assert info["waiting"] == [0]
        assert info["updated"] == (await tab.done("GET", f"{path}/log"))["entries"][-1]["at"]
        assert info["updated"] >= info["started"]
        await page.ask("undo")
        await check_info(tab, made["id"])
        await play_out(page)
        info = await check_info(tab, made["id"])
        assert info["state"] == "finished"
        assert info["outcome"] == page.state["view"]["outcome"]
        again = await tab.done("POST", f"{path}/rematch")
        assert (await check_info(tab, made["id"]))["rematch"] == again["id"]
        record = await tab.done("GET", f"{path}/record")
        imported = await tab.done("POST", "/import", {"record": record})
        assert (await check_info(tab, imported["id"]))["imported"]

    run(scenario)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Dot", "Cem", "Ben", "Ann"]),
        ("?mine=true", ["Dot", "Cem", "Ben", "Ann"]),
        ("?limit=2", ["Dot", "Cem"]),
        ("?game=guppies", ["Ben", "Ann"]),
        ("?state=open", ["Cem"]),
        ("?state=playing", ["Dot", "Ben", "Ann"]),
        ("?state=finished", []),
        ("?player=BE", ["Ben"]),
        ("?player=shower", ["Ann"]),
    ],
)
def test_tables_are_listed_newest_first(query: str, found: list[str]) -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        await tab.table("guppies", "Ann", "bot:shower")
        await tab.table("guppies", "Ben", "bot:drizzle")
        seats = [{"kind": "me", "name": "Cem"}, {"kind": "bot", "level": "storm"}]
        await tab.done("POST", "/tables", {"game": "aquarium", "seats": seats})
        await tab.table("puppies", "Dot", "bot:drizzle")
        listed = (await tab.done("GET", f"/tables{query}"))["tables"]
        assert [table["seats"][0]["name"] for table in listed] == found

    run(scenario)


def test_a_long_list_is_read_page_by_page() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        made = [(await tab.table("guppies", "me", "bot:drizzle"))["id"] for _ in range(7)]
        seen: list[str] = []
        before = 2**53
        while listed := (await tab.done("GET", f"/tables?limit=3&before={before}"))["tables"]:
            seen += [table["id"] for table in listed]
            before = listed[-1]["created"]
        assert seen == made[::-1]

    run(scenario)
