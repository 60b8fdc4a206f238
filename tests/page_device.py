"""A person who plays on their device: what tests of games without a server share."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from page_server import BROWSER_FLAGS, LONGEST, WIDE, find_browser
from playwright.sync_api import BrowserContext, Page, Playwright, Worker, expect

CUT = ["net::ERR_"]
"""What a browser notes of requests that find no server."""

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller)
    await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
}"""

LOCAL = re.compile(r"/t/local-\w+$")


def wait_until_kept(page: Page) -> None:
    """Wait until the browser keeps the page for times without a network."""
    page.evaluate(KEPT)


def like(page: Page, **likes: object) -> None:
    """Set preferences of this browser, and load the page again with them."""
    page.evaluate(
        """(likes) => {
          const known = JSON.parse(localStorage.getItem('wellies.likes') ?? '{}');
          localStorage.setItem('wellies.likes', JSON.stringify({ ...known, ...likes }));
        }""",
        likes,
    )
    page.reload()


def set_up_on_device(page: Page, title: str, seats: int = 2, **options: object) -> None:
    """From the shelf to a table on this device, by the form: I have the first chair, bots have the others."""
    page.get_by_role("link", name=f"Set up a table: {title}").click()
    expect(page.get_by_role("heading", name=f"A table of {title}")).to_be_visible()
    here = page.get_by_role("radio", name="On this device")
    if here.count():
        here.check()
    for _ in range(seats - page.get_by_label(re.compile(r"^Chair \d")).count()):
        page.get_by_role("button", name="One more chair").click()
    for name, value in options.items():
        page.locator(f"input[name='{name}'][value='{value}']").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url(LOCAL)


def open_menu(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()


def worker_of(page: Page, name: str) -> Worker:
    """One of the two workers of the page: `tableWorker` or `botWorker`."""
    [found] = [worker for worker in page.workers if name in worker.url]
    return found


class OwnBrowser:
    """A browser whose data are in a folder, as those of a person are: they stay when it is killed."""

    def __init__(self, playwright: Playwright, folder: Path) -> None:
        self._playwright = playwright
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> BrowserContext:
        """Start it, and what it knows."""
        program = find_browser() or self._playwright.chromium.executable_path
        size = f"--window-size={WIDE['width']},{WIDE['height']}"
        own = ["--headless", "--remote-debugging-port=0", f"--user-data-dir={self._folder}", size]
        port = self._folder / "DevToolsActivePort"
        port.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [program, *own, *BROWSER_FLAGS, "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = time.monotonic() + LONGEST
        while not (port.exists() and "/" in port.read_text()):
            assert self._process.poll() is None, "the browser does not start"
            assert time.monotonic() < end, "the browser takes too long to start"
            time.sleep(0.05)
        browser = self._playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port.read_text().split()[0]}")
        [context] = browser.contexts
        context.set_default_timeout(LONGEST * 1000)
        return context

    def kill(self) -> None:
        """End it with all its processes, in the middle of whatever they do."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
