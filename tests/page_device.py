"""A person who plays on their device: what tests of games without a server share."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Worker, expect

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
