"""The page in a pocket: it can be installed, opens without a network, and takes a new version only when asked to."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_device import CUT, wait_until_kept
from page_server import PAGE, Opener, ServerProcess
from page_tables import BOT, ME, check_accessibility, make_move, set_table, wait_for_turn
from playwright.sync_api import Page, expect
from server.faults import Cable

LOST = "The server cannot be reached."
NEW = "There is a new version of Wellies."


def test_the_browser_finds_nothing_wrong_with_the_manifest(visit: Opener) -> None:
    page = visit("/", service_workers="allow")
    wait_until_kept(page)
    devtools = page.context.new_cdp_session(page)
    manifest: dict[str, Any] = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    faults: list[dict[str, Any]] = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {fault["errorId"] for fault in faults} <= {"in-incognito"}
    answer = page.request.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    for icon in answer.json()["icons"]:
        size = page.evaluate(
            """async (src) => {
              const picture = await createImageBitmap(await (await fetch(src)).blob());
              return `${picture.width}x${picture.height}`;
            }""",
            icon["src"],
        )
        assert size == icon["sizes"]
    worker = page.request.get("/sw.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("phone", [False, True])
def test_the_page_opens_without_a_network_and_goes_on_when_it_is_back(visit: Opener, cable: Cable, phone: bool) -> None:
    page = visit(None, url=cable.url, errors=CUT, service_workers="allow", phone=phone)
    set_table(page, "guppies", [ME, BOT])
    page.goto("/")
    mine = page.get_by_role("region", name="My games").get_by_role("listitem")
    expect(mine).to_have_count(1)
    expect(mine).not_to_contain_text("Waits for the server")
    wait_until_kept(page)
    cable.cut()
    page.reload()
    expect(mine).to_contain_text("Waits for the server")
    expect(page.get_by_role("heading", name="Shall we play?")).to_be_visible()
    expect(page.get_by_text(LOST)).to_be_visible()
    expect(page.get_by_text("download the games beforehand")).to_be_visible()
    expect(page.get_by_role("heading", name="Open tables")).not_to_be_visible()
    check_accessibility(page)
    # An address that was never opened before, and a page whose code was never loaded before.
    page.goto("/settings")
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    page.get_by_role("link", name="Wellies").click()
    expect(page.get_by_text(LOST)).to_be_visible()
    cable.mend()
    expect(page.get_by_role("heading", name="Guppies")).to_be_visible()
    expect(page.get_by_text(LOST)).not_to_be_visible()
    expect(page.get_by_role("heading", name="Open tables")).to_be_visible()
    expect(mine).to_have_count(1)
    expect(mine).not_to_contain_text("Waits for the server")


def test_a_server_that_goes_away_is_told_and_one_that_comes_back_is_found(visit: Opener, cable: Cable) -> None:
    page = visit("/", url=cable.url, errors=CUT)
    expect(page.get_by_role("button", name="Invite friends: Guppies")).to_be_enabled()
    cable.cut()
    page.context.set_offline(True)  # the device knows it first
    expect(page.get_by_text(LOST)).to_be_visible()
    expect(page.get_by_role("button", name="Invite friends: Guppies")).to_be_disabled()
    page.context.set_offline(False)
    cable.mend()
    expect(page.get_by_text(LOST)).not_to_be_visible()
    expect(page.get_by_role("button", name="Invite friends: Guppies")).to_be_enabled()


def test_a_download_that_failed_goes_on_when_the_server_is_back(visit: Opener, cable: Cable) -> None:
    page = visit("/settings", url=cable.url, errors=CUT)
    download = page.get_by_role("button", name="Download the games")
    expect(download).to_be_enabled()
    cable.cut()
    download.click()
    failure = page.get_by_text("could not be downloaded")
    expect(failure).to_be_visible()
    cable.mend()
    expect(failure).not_to_be_visible()
    expect(page.get_by_text("The games are in this browser")).to_be_visible()


# --- new versions ----------------------------------------------------------------------------------------------------


class Published:
    """A server with a page of its own, of which a new version can be published."""

    def __init__(self, folder: Path) -> None:
        self.page = folder / "page"
        shutil.copytree(PAGE.parent, self.page)
        self.server = ServerProcess(folder, WELLIES_PAGE=str(self.page))

    def publish(self) -> None:
        """The front page says that it is new, and the list of files in the service worker says that it changed."""
        index, worker = self.page / "index.html", self.page / "sw.js"
        listed = re.compile(r'(url:"index.html",revision:")\w+"|(revision:")\w+(?=",url:"index.html")')
        text, count = listed.subn(lambda found: (found[1] or found[2]) + 'new"', worker.read_text(encoding="utf-8"))
        assert count == 1
        worker.write_text(text, encoding="utf-8")
        fresh = index.read_text(encoding="utf-8").replace("<html ", '<html data-version="new" ')
        index.write_text(fresh, encoding="utf-8")


@pytest.fixture
def published(tmp_path: Path) -> Iterator[Published]:
    """Tests name it before `visit`, so that all pages are closed when it stops."""
    published = Published(tmp_path)
    published.server.start()
    yield published
    published.server.stop()
    assert not published.server.new_errors()


def look_for_new(page: Page) -> None:
    """The browser asks whether there is a new version, and loads it beside the old one."""
    page.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.ready;
          const loaded = new Promise((done) => registration.addEventListener('updatefound', () => {
            const worker = registration.installing;
            worker.addEventListener('statechange', () => worker.state === 'installed' && done());
          }));
          await registration.update();
          await loaded;
        }"""
    )


def is_new(page: Page) -> bool:
    return page.locator("html").get_attribute("data-version") == "new"


@pytest.mark.parametrize("when", ["at the first visit", "later"])
def test_a_new_version_is_offered_and_never_forced(published: Published, visit: Opener, when: str) -> None:
    page = visit("/", url=published.server.url, service_workers="allow")
    wait_until_kept(page)
    published.publish()
    look_for_new(page)
    notice = page.get_by_text(NEW)
    expect(notice).to_be_visible()
    check_accessibility(page)
    if when == "later":
        page.get_by_role("button", name="Later").click()
        expect(notice).not_to_be_visible()
        page.reload()
        expect(notice).to_be_visible()
    assert not is_new(page)
    with page.expect_event("load"):
        page.get_by_role("button", name="Use it now").click()
    expect(page.locator("html")).to_have_attribute("data-version", "new")
    expect(page.get_by_role("heading", name="Guppies")).to_be_visible()
    expect(notice).not_to_be_visible()


AGREE_AND_OPEN = """async () => {
  const taken = new Promise((done) =>
    navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
  [...document.querySelectorAll('button')].find((each) => each.textContent === 'Use it now').click();
  document.querySelector('.mine a').click();
  await taken;
}"""
"""Agrees to the new version, opens the first of my games at once, and waits until the new version has taken over."""


def test_a_game_is_not_interrupted_by_a_new_version(published: Published, visit: Opener) -> None:
    page = visit(None, url=published.server.url, service_workers="allow")
    page.goto(f"/t/{set_table(page, 'guppies', [ME, BOT])}")
    wait_until_kept(page)
    wait_for_turn(page)
    published.publish()
    look_for_new(page)
    make_move(page)
    wait_for_turn(page)
    expect(page.get_by_text(NEW)).not_to_be_visible()
    # Another tab agrees, and opens the game before the new version is there. Both play on, and have it on their next
    # page.
    other = page.context.new_page()
    other.goto("/")
    expect(other.get_by_text(NEW)).to_be_visible()
    expect(other.get_by_role("region", name="My games").get_by_role("link")).to_be_visible()
    other.evaluate(AGREE_AND_OPEN)
    make_move(page)
    wait_for_turn(page)
    make_move(other)
    wait_for_turn(other)
    for each in (page, other):
        assert not is_new(each)
        each.get_by_role("button", name="Menu").click()
        each.get_by_role("button", name="Leave for the shelf").click()
        expect(each.locator("html")).to_have_attribute("data-version", "new")
        expect(each.get_by_role("heading", name="Guppies")).to_be_visible()
