"""A real server with a fresh database, and a real browser."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import pytest
from page_server import FLAGS, OUTPUT, PAGE, PHONE, WIDE, Opener, Served, find_browser
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect

expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    assert PAGE.exists(), "the page is not built; run: make page"
    served = Served(tmp_path_factory.mktemp("served"))
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    try:
        launched = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
    except Error as error:
        if os.environ.get("WELLIES_NEED_BROWSER"):
            raise
        pytest.skip(f"no browser: {str(error).splitlines()[0]}")
    yield launched
    launched.close()


@pytest.fixture
def visit(browser: Browser, server: Served, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Opens a page as a new person with a browser of their own: `visit("/", phone=True, dark=True)`.

    What goes wrong in the page fails the test at its end, but for answers of the server that it asks for: `refusals`.
    """
    contexts: list[BrowserContext] = []
    troubles: list[str] = []
    # A browser that nobody knows yet is told so, a lost connection fails, and both show up in the console.
    expected = ["401", "404", "ERR_CONNECTION", "ERR_INTERNET", "ERR_EMPTY", "WebSocket"]

    def look(path: str = "/", *, phone: bool = False, dark: bool = False, motion: bool = False, **more: Any) -> Page:
        expected.extend(more.pop("refusals", []))
        context = browser.new_context(
            base_url=more.pop("url", server.url),
            viewport=PHONE if phone else WIDE,
            has_touch=phone,
            is_mobile=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
            **more,
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
        page.on(
            "response",
            lambda answer: troubles.append(f"{answer.url}: {answer.text()}") if answer.status == 409 else None,
        )
        page.goto(path)
        return page

    yield look
    for context in contexts:
        for number, page in enumerate(context.pages):
            keep(page, f"{request.node.name}-{contexts.index(context)}{number or ''}")
        context.close()
    assert not [trouble for trouble in troubles if not any(word in trouble for word in expected)], troubles


def keep(page: Page, name: str) -> None:
    """A screenshot for people to look at; never compared."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)
    with contextlib.suppress(Error):
        page.screenshot(path=OUTPUT / f"{safe}.png")
