"""Every page: it can be reached by its address, reloaded, read by everyone, in the light and in the dark."""

from __future__ import annotations

import re

import pytest
from page_server import Opener
from page_tables import (
    ME,
    against_bot,
    choose_by_pointer,
    hold_to_account,
    hold_to_account_by_day_and_night,
    play_to_the_end,
    set_table,
    wait_for_turn,
)
from playwright.sync_api import expect

TITLES = {
    "guppies": "Guppies",
    "umbradeco": "Umbradeco",
    "aquarium": "Ultimate Aquarium",
    "puppies": "Good Puppies",
    "marram": "Marram",
}
PAGES = {
    "/": "It is raining",
    "/games": "Games",
    "/settings": "Settings",
    "/nowhere/at/all": "Nothing here",
    "/t/notatable": "No such table",
    "/t/notatable/replay": "No replay",
    **{f"/new/{game}": f"A table of {title}" for game, title in TITLES.items()},
    **{f"/learn/{game}": f"How to play {title}" for game, title in TITLES.items()},
}


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_found_by_its_address_and_open_to_all(visit: Opener, path: str, phone: bool) -> None:
    page = visit(path, phone=phone)
    expect(page.get_by_role("heading", level=1)).to_contain_text(PAGES[path])
    page.wait_for_load_state("networkidle")
    hold_to_account_by_day_and_night(page)
    wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], "nothing is cut off or to be scrolled to at the side"


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_the_cover_between_two_people_is_open_to_all(visit: Opener, phone: bool) -> None:
    page = visit("/", phone=phone)
    page.goto(f"/t/{set_table(page, 'umbradeco', [ME, ME])}")
    expect(page.get_by_text("Pass the device to")).to_be_visible()
    hold_to_account_by_day_and_night(page)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", ["guppies", "umbradeco"])
def test_a_table_is_open_to_all(visit: Opener, game: str, dark: bool) -> None:
    page = visit("/", dark=dark, phone=dark)
    against_bot(page, game)
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_visible()
    expect(page.locator(".lines li").first).to_be_attached()
    hold_to_account(page)
    page.reload()
    wait_for_turn(page)


def test_a_lobby_a_result_and_a_replay_are_open_to_all(visit: Opener) -> None:
    page = visit("/")
    page.goto(f"/t/{set_table(page, 'guppies', [{'kind': 'me'}, {'kind': 'open'}], start=False)}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("waiting for players")
    hold_to_account_by_day_and_night(page)
    against_bot(page, "umbradeco", mat="small")
    play_to_the_end(page, "mouse")
    hold_to_account_by_day_and_night(page)
    page.get_by_role("dialog").get_by_role("link", name="Replay", exact=True).click()
    expect(page.get_by_label("Moment")).to_be_visible()
    expect(page.locator(".space").first).to_be_visible()
    hold_to_account_by_day_and_night(page)


def test_every_space_says_what_it_holds(visit: Opener) -> None:
    page = visit("/")
    against_bot(page, "guppies")
    wait_for_turn(page)
    for space in page.get_by_role("gridcell").all():
        assert re.match(r"(Tile at|Open space) -?\d+,-?\d+", space.get_attribute("aria-label") or "")


def test_settings_are_kept(visit: Opener) -> None:
    page = visit("/settings")
    page.get_by_label("Dark").check()
    page.get_by_label("Ask before each move").uncheck()
    page.get_by_label("Name", exact=True).first.fill("Ann")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Hello, Ann.")).to_be_visible()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_label("Ask before each move")).not_to_be_checked()
    expect(page.get_by_role("link", name="Ann")).to_be_visible()


def test_without_confirmation_one_click_plays(visit: Opener) -> None:
    page = visit("/settings")
    page.get_by_label("Ask before each move").uncheck()
    against_bot(page, "guppies", tiles=64)
    wait_for_turn(page)
    tiles = page.locator("[aria-label^='Tile at']").count()
    choose_by_pointer(page, touch=False)
    expect(page.locator("[aria-label^='Tile at']").nth(tiles)).to_be_attached()
