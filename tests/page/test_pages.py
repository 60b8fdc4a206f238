"""Every page: it can be reached by its address, reloaded, read by everyone, in the light and in the dark."""

from __future__ import annotations

import os
import re

import pytest
from page_server import Opener
from page_tables import (
    BOT,
    ME,
    OPEN,
    against_bot,
    check_accessibility,
    check_accessibility_in_both_themes,
    choose_by_pointer,
    finished_game,
    set_table,
    wait_for_turn,
)
from playwright.sync_api import Route, expect

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


SOAK = bool(os.environ.get("WELLIES_SOAK"))


ON_A_PHONE = (
    list(PAGES) if SOAK else ["/", "/games", "/settings", "/nowhere/at/all", "/new/umbradeco", "/learn/puppies"]
)
"""One page of each kind; all of them in `make soak`."""


@pytest.mark.parametrize(
    ("path", "phone"),
    [(path, False) for path in PAGES] + [(path, True) for path in ON_A_PHONE],
    ids=[f"{path}-wide" for path in PAGES] + [f"{path}-phone" for path in ON_A_PHONE],
)
def test_a_page_is_found_by_its_address_and_open_to_all(visit: Opener, path: str, phone: bool) -> None:
    """In both themes when it is wide, in the dark on a phone; `make soak` tries all four."""
    # A browser notes every answer of 404, even one that the page puts in words.
    page = visit(path, phone=phone, errors=["404 (Not Found)"] if "notatable" in path else [])
    expect(page.get_by_role("heading", level=1)).to_contain_text(PAGES[path])
    page.wait_for_load_state("networkidle")
    if phone and not SOAK:
        page.emulate_media(color_scheme="dark")
        check_accessibility(page)
    else:
        check_accessibility_in_both_themes(page)
    wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], "nothing is cut off or to be scrolled to at the side"


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_the_cover_between_two_people_is_open_to_all(visit: Opener, phone: bool) -> None:
    page = visit(None, phone=phone)
    page.goto(f"/t/{set_table(page, 'umbradeco', [ME, ME])}")
    expect(page.get_by_text("Pass the device to")).to_be_visible()
    check_accessibility_in_both_themes(page)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", ["guppies", "umbradeco"])
def test_a_table_is_open_to_all(visit: Opener, game: str, dark: bool) -> None:
    page = visit(None, dark=dark, phone=dark)
    against_bot(page, game)
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_visible()
    expect(page.locator(".lines li").first).to_be_attached()
    check_accessibility(page)
    page.reload()
    wait_for_turn(page)


def test_a_lobby_a_result_and_a_replay_are_open_to_all(visit: Opener) -> None:
    page = visit(None)
    page.goto(f"/t/{set_table(page, 'guppies', [{'kind': 'me'}, {'kind': 'open'}], start=False)}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("waiting for players")
    check_accessibility_in_both_themes(page)
    page.goto(f"/t/{finished_game(page)}")
    expect(page.get_by_role("dialog")).to_contain_text("win")
    check_accessibility_in_both_themes(page)
    page.get_by_role("dialog").get_by_role("link", name="Replay", exact=True).click()
    expect(page.get_by_label("Moment")).to_be_visible()
    expect(page.locator(".space").first).to_be_visible()
    check_accessibility_in_both_themes(page)


def test_every_space_says_what_it_holds(visit: Opener) -> None:
    page = visit(None)
    against_bot(page, "guppies")
    wait_for_turn(page)
    spaces = page.get_by_role("gridcell").all()
    assert spaces
    for space in spaces:
        assert re.match(
            r"(Tile at|Open space) (start|[NS]\d+( [WE]\d+)?|[WE]\d+)\b", space.get_attribute("aria-label") or ""
        )


def test_the_shelf_on_a_phone_and_where_the_focus_goes(visit: Opener) -> None:
    page = visit("/", phone=True)
    plays = page.get_by_role("button", name=re.compile("^Play now"))
    expect(plays).to_have_count(5)
    for words in ("Play now", "Invite friends", "Pass and play", "New here\\?", "Learn", "Set up a table"):
        found = page.get_by_role("button", name=re.compile(words)).or_(page.get_by_role("link", name=re.compile(words)))
        names = [one.get_attribute("aria-label") for one in found.all()]
        assert len(names) == len(set(names)) == 5, names
    for games in (["guppies"], ["marram", "umbradeco"]):
        box = plays.first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 844, "above the fold, with games of mine and without"
        for game in games:
            set_table(page, game, [ME, BOT])
        page.reload()
        expect(page.get_by_role("region", name="My games")).to_be_visible()
    for name, title in (("Games", "Games"), ("Guest", "Settings")):
        page.get_by_role("link", name=name, exact=True).tap()
        expect(page.get_by_role("heading", level=1, name=title)).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="Games")).to_be_focused()


def test_my_games_come_first_and_can_be_put_away(visit: Opener) -> None:
    page = visit(None)
    set_table(page, "umbradeco", [ME, OPEN], start=False)
    for game in ("guppies", "marram", "aquarium"):
        page.goto(f"/t/{set_table(page, game, [ME, BOT])}")
        wait_for_turn(page)  # games in which it is my turn come first
    page.goto("/")
    mine = page.get_by_role("region", name="My games")
    links = mine.get_by_role("link")
    expect(links).to_have_count(3)
    assert [link.locator("b").inner_text() for link in links.all()] == ["Ultimate Aquarium", "Marram", "Guppies"]
    below = page.get_by_role("list", name="Games").bounding_box()
    above = mine.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]
    mine.get_by_role("button", name="Show 1 more").click()
    expect(links.last).to_contain_text("1 chair is free")
    mine.get_by_role("button", name="Put away: Marram").click()
    mine.get_by_role("button", name="Put away: Umbradeco").click()
    expect(links).to_have_count(2)
    page.reload()
    expect(links).to_have_count(2)
    mine.get_by_role("button", name="Show 2 games put away (your turn in 1)").click()
    check_accessibility(page)
    mine.get_by_role("button", name="Bring back: Marram").click()
    expect(mine.get_by_role("button", name="Put away: Marram")).to_be_visible()


def test_a_replay_that_is_left_before_it_is_there_asks_for_nothing_more(visit: Opener) -> None:
    page = visit(None)
    table = set_table(page, "umbradeco", [ME, ME])
    held: list[Route] = []
    page.route(f"**/api/v1/tables/{table}", lambda route: held.append(route))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_request(f"**/api/v1/tables/{table}"):
        page.goto(f"/t/{table}/replay")
    page.get_by_role("link", name="Settings").or_(page.get_by_role("link", name="Guest")).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Settings")
    with page.expect_response(f"**/api/v1/tables/{table}"):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "undefined" in url]


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


NOTE_SOUND = """window.sound = [];
window.AudioContext = class extends AudioContext {
  constructor() {
    super();
    this.addEventListener('statechange', () => sound.push(this.state));
  }
};"""
"""Notes what state the page's sound goes through."""


def test_sound_rests_when_nothing_sounds(visit: Opener) -> None:
    page = visit(None)
    page.add_init_script(NOTE_SOUND)
    page.goto("/settings")
    switch = page.get_by_label("Sound")
    switch.uncheck()
    for times in (1, 2):
        switch.check()
        page.wait_for_function(
            "(times) => sound.join(' ') === Array(times).fill('running suspended').join(' ')", arg=times
        )
        switch.uncheck()


def test_without_confirmation_one_click_plays(visit: Opener) -> None:
    page = visit("/settings")
    page.get_by_label("Ask before each move").uncheck()
    against_bot(page, "guppies", tiles=64)
    wait_for_turn(page)
    tiles = page.locator("[aria-label^='Tile at']").count()
    choose_by_pointer(page, touch=False)
    expect(page.locator("[aria-label^='Tile at']").nth(tiles)).to_be_attached()
