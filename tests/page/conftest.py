"""A real server with a fresh database, and a real browser."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from page_server import FLAGS, OUTPUT, PAGE, PHONE, WIDE, Opener, Served, find_browser
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect

expect.set_options(timeout=30_000)

LIKES = """if (location.protocol.startsWith('http')) {
  const likes = JSON.parse(localStorage.getItem('wellies.likes') ?? '{}');
  if (!likes.speed) localStorage.setItem('wellies.likes', JSON.stringify({ ...likes, speed: %s }));
}"""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    assert PAGE.exists(), "the page is not built; run: make page"
    served = Served(tmp_path_factory.mktemp("served"))
    served.start()
    yield served
    served.stop()
    assert not served.new_errors()


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

    Pieces move, as they do for players, at the highest speed that the page's settings offer; `still=True` is a person
    who wants no motion, `speed` another speed. Any error of the page, in its console or in the server's log fails the
    test at its end, but for those of the page that it provokes and names: `errors=["404"]`.
    """
    contexts: list[BrowserContext] = []
    troubles: list[str] = []
    expected: list[str] = []

    def look(
        path: str = "/",
        *,
        phone: bool = False,
        dark: bool = False,
        still: bool = False,
        speed: str = "fastest",
        **more: Any,
    ) -> Page:
        expected.extend(more.pop("errors", []))
        context = browser.new_context(
            base_url=more.pop("url", server.url),
            viewport=more.pop("viewport", PHONE if phone else WIDE),
            has_touch=more.pop("has_touch", phone),
            is_mobile=more.pop("is_mobile", phone),
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            **more,
        )
        context.add_init_script(LIKES % json.dumps(speed))
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.set_default_timeout(30_000)
        contexts.append(context)
        listen_for_trouble(context, troubles)
        page = context.new_page()
        page.goto(path)
        return page

    yield look
    for context in contexts:
        for page in context.pages:
            with contextlib.suppress(Error):
                if page.locator("[data-failed]").count():
                    troubles.append(f"the error page is shown at {page.url}")
    for context in contexts:
        for number, page in enumerate(context.pages):
            keep(page, f"{request.node.name}-{contexts.index(context)}{number or ''}")
        context.close()
    assert not [trouble for trouble in troubles if not any(word in trouble for word in expected)], troubles
    assert not server.new_errors()


def listen_for_trouble(context: BrowserContext, troubles: list[str]) -> None:
    """Every error of any page of this browser, and in its console, from now on."""
    context.on("weberror", lambda error: troubles.append(f"{error.error} at {error.page and error.page.url}"))
    context.on(
        "console",
        lambda said: troubles.append(f"{said.text} ({said.location['url']})") if said.type == "error" else None,
    )
    context.on(
        "response", lambda answer: troubles.append(f"{answer.url}: {answer.text()}") if answer.status == 409 else None
    )


def keep(page: Page, name: str) -> None:
    """A screenshot for people to look at; never compared."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)
    with contextlib.suppress(Error):
        page.screenshot(path=OUTPUT / f"{safe}.png")
