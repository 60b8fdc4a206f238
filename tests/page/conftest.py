"""A real server with a fresh database, and a real browser."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_server import (
    BROWSER_FLAGS,
    LONGEST,
    OUTPUT,
    PAGE,
    PHONE,
    WIDE,
    Opener,
    ServerProcess,
    find_browser,
    note_errors,
)
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect
from server.faults import Cable
from services import skip_without

expect.set_options(timeout=LONGEST * 1000)

SET_SPEED = """if (location.protocol.startsWith('http')) {
  const likes = JSON.parse(localStorage.getItem('wellies.likes') ?? '{}');
  if (!likes.speed) localStorage.setItem('wellies.likes', JSON.stringify({ ...likes, speed: %s }));
}"""
"""Runs before the page does: sets the speed of the pieces, where the person has not chosen one."""

SLOW = ["test_on_device.py", "test_whole_games.py", "test_random_user.py", "test_endings.py"]
"""These begin first, so that no processor waits for the last of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in SLOW)


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report: pytest.TestReport = yield  # type: ignore[assignment]
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    if report.failed:  # also of a try that is followed by another, which pytest itself does not print
        output_file(item.name, "txt").write_text(f"{report.when}\n{report.longreprtext}\n", encoding="utf-8")
    return report  # type: ignore[return-value]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    assert PAGE.exists(), "the page is not built; run: make page"
    served = ServerProcess(tmp_path_factory.mktemp("served"))
    served.start()
    yield served
    served.stop()
    assert not served.new_errors()


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    try:
        launched = playwright.chromium.launch(executable_path=find_browser(), args=BROWSER_FLAGS)
    except Error as error:
        skip_without("a browser", str(error).splitlines()[0])
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser that shows notifications."""
    found = find_browser(whole=True)
    try:
        launched = playwright.chromium.launch(
            executable_path=found, channel=None if found else "chromium", args=BROWSER_FLAGS
        )
    except Error as error:
        skip_without("a browser with notifications", str(error).splitlines()[0])
    yield launched
    launched.close()


@pytest.fixture
def cable(server: ServerProcess) -> Iterator[Cable]:
    """A cable to the server, for `visit("/", url=cable.url)`."""
    cable = Cable("127.0.0.1", server.port)
    yield cable
    cable.close()


@pytest.fixture
def visit(browser: Browser, server: ServerProcess, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Opens a page as a new person with a browser of their own: `visit("/", phone=True, dark=True)`. `visit(None)`
    opens a blank page, for whoever goes straight to a table.

    Pieces move, as they do for players, at the highest speed that the page's settings offer; `still=True` is a
    person who wants no motion, `speed` another speed. The browser does not keep the page, so that each test loads
    what was built last; with `service_workers="allow"` it does. With `whole=True` the browser shows
    notifications. Any error of the page, in its console or in the server's log fails the test at its end, but for
    those of the page that it provokes and names: `errors=["404"]`. When a test fails, a screenshot of each of its
    pages is saved in `tests/output/`.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []
    expected: list[str] = []

    def open_page(
        path: str | None,
        *,
        phone: bool = False,
        dark: bool = False,
        still: bool = False,
        speed: str = "fastest",
        **more: Any,
    ) -> Page:
        expected.extend(more.pop("errors", []))
        shown_by: Browser = request.getfixturevalue("whole_browser") if more.pop("whole", False) else browser
        context = shown_by.new_context(
            base_url=more.pop("url", server.url),
            viewport=more.pop("viewport", PHONE if phone else WIDE),
            has_touch=more.pop("has_touch", phone),
            is_mobile=more.pop("is_mobile", phone),
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            service_workers=more.pop("service_workers", "block"),
            **more,
        )
        context.add_init_script(SET_SPEED % json.dumps(speed))
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.set_default_timeout(LONGEST * 1000)
        contexts.append(context)
        note_errors(context, errors)
        page = context.new_page()
        if path is not None:
            page.goto(path)
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            with contextlib.suppress(Error):
                if page.locator("[data-failed]").count():
                    errors.append(f"the error page is shown at {page.url}")
    for context in contexts:
        if request.node.stash.get(FAILED, False):
            for number, page in enumerate(context.pages):
                save_screenshot(page, f"{request.node.name}-{contexts.index(context)}{number or ''}")
        context.close()
    assert not [error for error in errors if not any(word in error for word in expected)], errors
    assert not server.new_errors()


def save_screenshot(page: Page, name: str) -> None:
    """For people to look at; never compared."""
    with contextlib.suppress(Error):
        page.screenshot(path=output_file(name, "png"))


def output_file(name: str, suffix: str) -> Path:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)
    return OUTPUT / f"{safe}.{suffix}"
