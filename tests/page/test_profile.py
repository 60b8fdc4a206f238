"""The pages about people: history with filters and statistics, ratings and leaderboards, export and deletion."""

from __future__ import annotations

import asyncio
import json
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from page_server import Opener, ServerProcess
from playwright.sync_api import Page, expect
from server.people import PASSWORD, account, play_to_end
from server.serving import LONGEST

from wellies.client import Client

SMALL: dict[str, Any] = {"options": {"mat": "small"}}
SHORT: dict[str, Any] = {"options": {"length": "short"}}


def played(url: str, name: str, *more_games: Any, rated: bool = False) -> tuple[str, list[str]]:
    """A new account that has finished a game of Umbradeco and one of Marram, and more; its cookie and the tables."""

    async def scenario() -> tuple[str, list[str]]:
        async with Client(url, timeout=LONGEST) as client:
            await account(client, name)
            tables = []
            for game, level, more in (("umbradeco", "shower", SMALL), ("marram", "random", SHORT), *more_games):
                rates = rated and level == "shower"
                table = (await client.create_table(game, ["me", level], start=True, rated=rates, **more))["id"]
                await play_to_end(client, table)
                tables.append(table)
            assert client.cookie is not None
            return client.cookie, tables

    # In a thread of its own, for the driver of the browser keeps an event loop in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(scenario())).result(LONGEST)


def enter(page: Page, url: str, cookie: str, path: str) -> None:
    """Open a page as the person of a cookie."""
    page.context.add_cookies([{"name": "wellies", "value": cookie, "url": url}])
    page.goto(f"{url}{path}")


def check_axe(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_a_history_is_filtered_and_summed_up(visit: Opener, server: ServerProcess) -> None:
    cookie, tables = played(server.url, "Historia", ("marram", "random", SHORT))
    page = visit(None, phone=True, dark=True)
    enter(page, server.url, cookie, "/profile")
    history = page.get_by_role("list", name="Finished games").get_by_role("listitem")
    expect(history).to_have_count(3)
    expect(history.first).to_contain_text("Marram")
    expect(page.get_by_role("img", name=re.compile("Score by game: 2 games"))).to_be_visible()
    expect(page.get_by_role("heading", name="Where the points came from")).to_be_visible()
    check_axe(page)
    page.get_by_label("Opponent").fill("SHOW")
    expect(history).to_have_count(1)
    expect(history).to_contain_text("Umbradeco")
    page.get_by_label("Opponent").fill("nobody of this name")
    expect(page.get_by_text("No finished games that fit.")).to_be_visible()
    page.get_by_label("Opponent").fill("")
    page.get_by_role("form", name="Filters").get_by_role("combobox", name="Game").select_option("umbradeco")
    expect(history).to_have_count(1)
    page.get_by_label("To", exact=True).fill("2020-01-01")
    expect(history).to_have_count(0)
    page.get_by_label("To", exact=True).fill("")
    expect(history).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    history.get_by_role("link", name=re.compile("^Replay")).click()
    page.wait_for_url(f"**/t/{tables[0]}/replay")


def test_a_rated_game_changes_the_rating_and_the_leaderboard(visit: Opener, server: ServerProcess) -> None:
    cookie, tables = played(server.url, "Ratena", rated=True)
    page = visit(None)
    enter(page, server.url, cookie, f"/t/{tables[0]}")
    changes = page.get_by_role("list", name="Ratings").get_by_role("listitem")
    expect(changes).to_have_count(2)
    expect(changes.first).to_contain_text(re.compile(r"Ratena\s*\d+\? [+\u2212]\d+"))
    rating = re.search(r"(\d+)\?", changes.first.inner_text())
    assert rating is not None
    enter(page, server.url, cookie, "/leaderboards/umbradeco")
    row = page.get_by_role("row", name=re.compile("Ratena"))
    expect(row).to_contain_text(rating[1])
    expect(page.get_by_role("row", name=re.compile("Shower"))).to_be_visible()
    check_axe(page)
    row.get_by_role("link").press("Enter")
    expect(page.get_by_role("heading", name="Ratena")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Umbradeco"))).to_contain_text(rating[1])
    check_axe(page)
    # A table is rated by one click when it is set up, and then has no hints.
    enter(page, server.url, cookie, "/new/umbradeco")
    page.get_by_role("checkbox", name=re.compile("^Rated")).check()
    expect(page.get_by_label("Hints")).to_be_disabled()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label("Players").get_by_text("Rated", exact=True)).to_be_visible()


def test_everything_is_exported_and_then_deleted(visit: Opener, server: ServerProcess, tmp_path: Any) -> None:
    cookie, tables = played(server.url, "Vanisher")
    page = visit(None)
    enter(page, server.url, cookie, "/profile")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download everything").click()
    download.value.save_as(tmp_path / "wellies.zip")
    with zipfile.ZipFile(tmp_path / "wellies.zip") as archive:
        assert json.loads(archive.read("profile.json"))["profile"]["name"] == "Vanisher"
        assert {name.rpartition("-")[2] for name in archive.namelist()[1:]} == {f"{table}.wellies" for table in tables}
    page.get_by_role("button", name="Delete my account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Your password").fill(PASSWORD)
    check_axe(page)
    dialog.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Everything is deleted.")).to_be_visible()
    expect(page.get_by_role("navigation")).not_to_contain_text("Vanisher")
    page.goto(f"{server.url}/t/{tables[0]}/replay")
    expect(page.get_by_text("Someone").first).to_be_visible()
