"""Games without a server: in a browser that has the page and the engine, everything but far friends works. The page is
that of the server with its cable cut, or the site on a static file server that is stopped."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from page_device import CUT, LOCAL, OwnBrowser, like, open_menu, set_up_on_device, wait_until_kept, worker_of
from page_server import ROOT, Opener, note_errors
from page_site import StaticHost
from page_tables import (
    BOT,
    ME,
    check_accessibility,
    check_accessibility_in_both_themes,
    check_result,
    choose_by_pointer,
    confirm_button,
    make_move,
    play_to_the_end,
    set_table,
    wait_for_turn,
)
from playwright.sync_api import Playwright, expect
from server.faults import Cable

from wellies.puzzles.puzzle import EPOCH, puzzle_on

SOAK = bool(os.environ.get("WELLIES_SOAK"))

GAMES: list[tuple[str, int, dict[str, object], int]] = [
    ("Guppies", 6, {"tiles": 64}, 8),
    ("Umbradeco", 4, {"mat": "small"}, 8),
    ("Ultimate Aquarium", 4, {}, 8),
    ("Good Puppies", 5, {}, 8),
    ("Marram", 4, {"variant": "classic", "length": "short"}, 8),
]
"""All games with their shortest options, at tables so large that bots make most of the moves; and the least number of
choices that I have."""
MOVES = {"site": "Marram"}
"""In the ordinary tests pieces move in this game alone. All others are played under reduced motion, in half the time;
`test_whole_games.py` and `test_aquarium.py` play those with pieces that move."""


@pytest.fixture
def site() -> Iterator[StaticHost]:
    host = StaticHost()
    yield host
    host.stop()


@pytest.fixture(params=["site", "served"])
def home(request: pytest.FixtureRequest) -> tuple[str, str, Callable[[], None]]:
    """What it is, where the page is, and what cuts the network."""
    if request.param == "site":
        host: StaticHost = request.getfixturevalue("site")
        return request.param, host.url, host.stop
    cable: Cable = request.getfixturevalue("cable")
    return request.param, cable.url, cable.cut


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phone", [False, True] if SOAK else [False])
def test_all_games_are_played_to_the_end_without_a_network(
    home: tuple[str, str, Callable[[], None]], visit: Opener, phone: bool
) -> None:
    where, url, cut = home
    how = "touch" if phone else "mouse"
    page = visit(".", url=url, errors=CUT, service_workers="allow", phone=phone, still=not SOAK)
    like(page, level="drizzle", offer=False)
    wait_until_kept(page)
    title, seats, options, least = GAMES[0]
    set_up_on_device(page, title, seats, **options)
    wait_for_turn(page)
    cut()
    make_move(page)
    # The tab is closed in the middle of the game; another one finds it on the shelf.
    browser = page.context
    page.close()
    page = browser.new_page()
    page.goto(".")
    page.get_by_role("region", name="My games").get_by_role("link").click()
    page.wait_for_url(LOCAL)
    assert play_to_the_end(page, how) >= least - 1
    check_result(page)
    for title, seats, options, least in GAMES[1:]:
        page.get_by_role("link", name="Shelf").click()
        if title == MOVES.get(where):
            page.emulate_media(reduced_motion="no-preference")
        set_up_on_device(page, title, seats, **options)
        assert play_to_the_end(page, how) >= least
        check_result(page)
    page.get_by_role("link", name="Shelf").click()
    page.get_by_role("link", name="Games", exact=True).click()
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_count(len(GAMES))
    check_accessibility(page)


# --- what a table can do ---------------------------------------------------------------------------------------------


def test_a_table_on_this_device_can_do_what_others_can(visit: Opener, cable: Cable) -> None:
    page = visit("/", url=cable.url, errors=CUT, service_workers="allow")
    like(page, level="drizzle", offer=False)
    wait_until_kept(page)
    set_up_on_device(page, "Umbradeco", mat="small")
    wait_for_turn(page)
    cable.cut()

    # A hint, a preview, why not, and back.
    open_menu(page)
    expect(page.get_by_role("button", name="Copy link to watch")).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_text("Perhaps:")).to_be_visible()
    expect(confirm_button(page)).to_be_visible()
    expect(page.locator(".bar")).to_contain_text(re.compile(r"\+\d|No points"))
    page.keyboard.press("Escape")
    expect(confirm_button(page)).to_have_count(0)
    page.locator("[data-space='2,-2']").click()
    expect(page.locator(".toast", has_text="touch")).to_be_visible()
    choose_by_pointer(page, touch=False)
    confirm_button(page).click()
    expect(page.locator(".tile.can").first).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator(".space.legal").first).to_be_visible()
    expect(page.get_by_role("button", name="Chat")).to_have_count(0)

    # A bot plays the game to its end. The replay goes back, and the game can be played from there.
    open_menu(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("dialog").get_by_role("link", name="Replay", exact=True).click()
    slider = page.get_by_label("Moment")
    expect(slider).to_be_visible()
    expect(page.get_by_role("button", name="Copy link to this moment")).to_have_count(0)
    last = int(slider.get_attribute("max") or 0)
    page.get_by_role("button", name="To the end").click()
    for _ in range(8):
        page.get_by_role("button", name="Previous turn").click()
    expect(slider).not_to_have_value(str(last))
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url(LOCAL)
    assert play_to_the_end(page, "mouse") >= 1
    check_result(page)

    # What was played from there is analysed; then once more.
    page.get_by_role("dialog").get_by_role("button", name="Look for better moves").click()
    expect(page.get_by_role("dialog").locator(".sums")).to_contain_text(re.compile(r"\d+ choices?"))
    page.get_by_role("button", name="Once more").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    make_move(page)


def test_people_pass_the_device_and_a_guide_shows_a_game_without_a_network(site: StaticHost, visit: Opener) -> None:
    page = visit(".", url=site.url, phone=True, service_workers="allow")
    # The first view has nothing of the engine.
    wait_until_kept(page)
    assert not [name for name in site.asked if name.endswith((".wasm", ".zip"))]
    page.get_by_role("button", name="Change name").click()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Playing as Ann")).to_be_visible()
    page.get_by_role("button", name="Pass and play: Umbradeco").click()
    expect(page.get_by_role("textbox").first).to_have_value("Ann")
    page.get_by_role("textbox").nth(1).fill("Bea")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name=re.compile("I am (Ann|Bea): show my hand")).click()
    make_move(page)
    page.go_back()
    page.get_by_role("button", name="New here? Five minutes: Guppies").click()
    page.wait_for_url(LOCAL)
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Learn: Marram").click()
    expect(page.get_by_role("heading", name="How to play Marram")).to_be_visible()
    for place in ("learn", "new"):
        page.goto(f"#/{place}/chess")
        expect(page.get_by_text("There is no such game here.")).to_be_visible()
        page.go_back()
    engine = [name for name in site.asked if name.endswith((".wasm", ".zip"))]
    assert len(engine) == len(set(engine)) == 3, "the engine is downloaded once"
    page.get_by_role("link", name="Ann").click()
    expect(page.get_by_text("The games are in this browser")).to_be_visible()
    expect(page.get_by_text("2 games")).to_be_visible()
    check_accessibility_in_both_themes(page)


# --- records, and friends ---------------------------------------------------------------------------------------------


IN_DATABASE = """(change) => new Promise((done, failed) => {
  const opening = indexedDB.open('wellies');
  opening.onerror = failed;
  opening.onsuccess = () => {
    const work = opening.result.transaction(['rows', 'infos'], 'readwrite');
    const [rows, infos] = ['rows', 'infos'].map((name) => work.objectStore(name));
    %s
    work.onerror = failed;
  };
})"""
DAMAGE = (
    IN_DATABASE
    % """for (const [id, row, info] of [['local-a', '{"id": "loc', {}], ['local-b', '[]', null], ['local-c', 5, [5]]]) {
      rows.put(row, id);
      infos.put(info, id);
    }
    work.oncomplete = () => done(opening.result.close());"""
)
COUNT = IN_DATABASE % "const all = rows.count(); work.oncomplete = () => done(all.result, opening.result.close());"


def test_a_game_leaves_the_device_as_a_file_and_comes_back(visit: Opener, tmp_path: Path) -> None:
    page = visit("/")
    like(page, where="device", level="drizzle", offer=False)
    page.get_by_role("button", name="Play now: Guppies").click()
    make_move(page)
    wait_for_turn(page)
    tiles = page.locator("[aria-label^='Tile at']").count()
    open_menu(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the record").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.suffix == ".wellies"
    assert "Seed:" not in file.read_text(encoding="utf-8"), "the seed is secret while the game goes on"

    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Leave for the shelf").click()
    # What is damaged beside it is left out of the list, and in nobody's way.
    page.evaluate(DAMAGE)
    page.goto("/games")
    games = page.get_by_role("main").get_by_role("listitem")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("On this device")
    page.get_by_role("button", name="Delete: Guppies").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Not now").click()
    expect(games).to_have_count(1)
    page.get_by_role("button", name="Delete: Guppies").click()
    check_accessibility(page)
    dialog.get_by_role("button", name="Delete").click()
    expect(games).to_have_count(0)

    # What is no record, or is damaged, is told: a photograph even before the engine is there.
    record = page.get_by_label("Open a record")
    damaged = re.sub(r"(?m)^0 .*$", "0 over the moon", file.read_text(encoding="utf-8"), count=1).encode()
    for name, content, why in [
        ("photo.png", b"\x89PNG", "“photo.png” is not the record of a game"),
        (file.name, damaged, "This record cannot be opened. Line "),
    ]:
        record.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
        expect(page.locator(".toast", has_text=why)).to_be_visible()
    record.set_input_files(file)
    page.wait_for_url(LOCAL)
    wait_for_turn(page)
    expect(page.locator("[aria-label^='Tile at']")).to_have_count(tiles)
    expect(page.locator(".players")).to_contain_text("Drizzle")
    make_move(page)
    wait_for_turn(page)

    # With friends: the same game on the server, with a chair for a friend.
    tiles = page.locator("[aria-label^='Tile at']").count()
    open_menu(page)
    page.get_by_role("button", name="Go on with friends").click()
    link = page.get_by_label("Invite link")
    expect(link).to_have_value(re.compile(r"/t/(?!local-)"))
    # It has the chairs and options of the game that it goes on from.
    expect(page.get_by_text("The game goes on where it was")).to_be_visible()
    expect(page.get_by_role("button", name="One more chair")).to_have_count(0)
    expect(page.locator("input[name='tiles']").first).to_be_disabled()
    friend = visit(link.input_value())
    friend.get_by_label("Your name").fill("Bea")
    friend.get_by_role("button", name="Take a chair").click()
    page.get_by_role("button", name="Start", exact=True).click()
    for each in (page, friend):
        expect(each.locator("[aria-label^='Tile at']")).to_have_count(tiles)
    make_move(page)
    make_move(friend)

    # The game on the device is still there; all that is there can be deleted, damaged or not.
    page.goto("/settings")
    page.get_by_text("Delete", exact=True).click()
    assert page.evaluate(COUNT) == 4
    page.get_by_role("button", name="Delete all games").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No game is kept on this device yet.")).to_be_visible()
    assert page.evaluate(COUNT) == 0


# --- faults ----------------------------------------------------------------------------------------------------------


SPACES = "(spaces) => spaces.map((each) => [each.dataset.space, each.ariaLabel])"


def test_a_browser_that_is_killed_has_the_game_when_it_is_opened_again(
    site: StaticHost, playwright: Playwright, tmp_path: Path
) -> None:
    own, errors = OwnBrowser(playwright, tmp_path), list[str]()
    try:
        browser = own.start()
        note_errors(browser, errors)
        page = browser.new_page()
        page.goto(site.url)
        wait_until_kept(page)
        page.get_by_role("button", name="Play now: Umbradeco").click()
        make_move(page)
        wait_for_turn(page)
        make_move(page)
        wait_for_turn(page)
        table, board = page.url, page.locator("[data-space]").evaluate_all(SPACES)
        own.kill()
        site.stop()
        # There is no network, and the address of the table is the first that is opened.
        browser = own.start()
        note_errors(browser, errors)
        page = browser.new_page()
        page.goto(table)
        wait_for_turn(page)
        assert page.locator("[data-space]").evaluate_all(SPACES) == board
        make_move(page)
        wait_for_turn(page)
    finally:
        own.kill()
    assert not [error for error in errors if not any(word in error for word in CUT)], errors


def test_two_tabs_show_one_table_and_workers_that_die_are_replaced(site: StaticHost, visit: Opener) -> None:
    page = visit(".", url=site.url)
    like(page, level="drizzle", offer=False)
    page.get_by_role("button", name="Play now: Guppies").click()
    tiles = "[aria-label^='Tile at']"
    make_move(page)
    wait_for_turn(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(tiles)).to_have_count(page.locator(tiles).count())
    make_move(other)
    wait_for_turn(other)
    expect(page.locator(tiles)).to_have_count(other.locator(tiles).count())

    worker_of(page, "botWorker").evaluate("() => self.close()")
    make_move(page)
    wait_for_turn(page)
    worker_of(page, "tableWorker").evaluate("() => self.close()")
    make_move(page)
    wait_for_turn(page)
    expect(other.locator(tiles)).to_have_count(page.locator(tiles).count())

    open_menu(other)
    other.get_by_role("button", name="Delete this game").click()
    other.get_by_role("button", name="Yes, delete it").click()
    expect(page.get_by_role("heading", name="No such table")).to_be_visible()


KEYS = {
    key for file in (ROOT / "web" / "src").rglob("*.*") for key in re.findall(r"'(wellies\.\w+)'", file.read_text())
}
"""What the page keeps in Local Storage."""


def test_preferences_and_notes_that_are_damaged_are_in_nobodys_way(visit: Opener) -> None:
    page = visit(None)
    table = set_table(page, "guppies", [ME, BOT])
    assert len(KEYS) > 8
    # The tests themselves read the preferences; unit tests damage these.
    keys = sorted(KEYS - {"wellies.likes"})
    page.goto("/settings")
    for junk in ("null", "[null]", '{"x": null}', '{"'):
        page.evaluate("([keys, junk]) => { for (const key of keys) localStorage.setItem(key, junk); }", [[*keys], junk])
        page.goto(f"/t/{table}")
        wait_for_turn(page)
        page.goto("/")
        expect(page.get_by_role("button", name="Play now: Guppies")).to_be_visible()
        expect(page.get_by_role("region", name="My games").get_by_role("listitem")).to_have_count(1)
    for path, heading in [("/games", "Games"), ("/puzzle", "Puzzles"), ("/settings", "Settings")]:
        page.goto(path)
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()


NEWER = """() => new Promise((done, failed) => {
  const opening = indexedDB.open('wellies', 1000);
  opening.onsuccess = () => done(opening.result.close());
  opening.onerror = failed;
})"""
"""A newer version of the page has been here."""
NEVER = """() => new Promise((done, failed) => {
  const deleting = indexedDB.deleteDatabase('wellies');
  deleting.onsuccess = () => done();
  deleting.onerror = failed;
})"""


DAMAGE_ENGINE = """async (name) => {
  const cache = await caches.open('wellies-engine');
  const file = (await cache.keys()).find(({ url }) => url.endsWith(name));
  const bytes = new Uint8Array(await (await cache.match(file)).arrayBuffer());
  bytes.fill(0, bytes.length / 2);
  await cache.put(file, new Response(bytes));
}"""
"""Half of a file of the engine becomes zeros, as on a disk that fails."""


def test_a_broken_download_a_strange_database_and_a_full_disk_are_told(site: StaticHost, visit: Opener) -> None:
    page = visit(None, url=site.url, errors=["net::ERR_CONTENT_LENGTH_MISMATCH", "net::ERR_INCOMPLETE"])
    play = page.get_by_role("button", name="Play now: Guppies")
    page.goto(".")
    page.evaluate(NEVER)
    page.evaluate(NEWER)
    site.broken = ".wasm"
    play.click()
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    expect(page.get_by_text("could not be downloaded")).to_be_visible()
    check_accessibility_in_both_themes(page)
    library = [name for name in site.asked if name.endswith("python_stdlib.zip")]
    # Another file was damaged after it had come.
    page.evaluate(DAMAGE_ENGINE, "wellies.zip")
    site.broken = ""
    again.click()
    expect(page.get_by_text("A part of the games was damaged")).to_be_visible()
    again.click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    # What was wanted is tried without another click, and what had come is not fetched again.
    expect(page.locator(".toast", has_text="a newer version of Wellies was here")).to_be_visible()
    assert [name for name in site.asked if name.endswith("python_stdlib.zip")] == library

    devtools = page.context.new_cdp_session(page)
    origin = {"origin": "/".join(site.url.split("/")[:3])}
    devtools.send("Storage.overrideQuotaForOrigin", {**origin, "quotaSize": 1})
    page.evaluate(NEVER)
    play.click()
    expect(page.locator(".toast", has_text="its storage is full")).to_be_visible()
    devtools.send("Storage.overrideQuotaForOrigin", origin)
    play.click()
    make_move(page)


# --- puzzles ---------------------------------------------------------------------------------------------------------


def test_a_puzzle_is_solved_on_a_site_without_a_server(site: StaticHost, visit: Opener) -> None:
    page = visit(None, url=site.url)
    page.goto(f"{site.url}#/puzzle")
    page.get_by_role("link", name=re.compile("^Good Puppies, 2026-11-18")).click()
    wait_for_turn(page)
    best = puzzle_on("puppies", EPOCH).best.move
    page.locator(f"button[data-inspect='card:{int(best.split()[1])}']").first.click()
    confirm_button(page).click()
    expect(page.get_by_role("heading", name="That is the best move")).to_be_visible()
    page.reload()
    expect(page.get_by_role("img", name="3 of 3 boots")).to_be_visible()
