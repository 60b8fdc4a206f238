"""Makes the pictures of the page in docs/pictures from the running product: `make pictures`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from page_server import FLAGS, PHONE, WIDE, Served, find_browser  # noqa: E402
from page_tables import against_bot, ask, choose_by_pointer, confirm_button, over, play_to_the_end, wait_for_turn  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"


def person(browser: Browser, url: str, *, phone: bool = False, dark: bool = False) -> Page:
    context = browser.new_context(
        base_url=url,
        viewport=PHONE if phone else WIDE,
        has_touch=phone,
        is_mobile=phone,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        device_scale_factor=1.5 if phone else 1,
    )
    page = context.new_page()
    page.goto("/")
    ask(page, "/me", {"name": "Ann"})
    page.goto("/")
    page.locator(".box").first.wait_for()
    return page


def play(page: Page, moves: int) -> None:
    for _ in range(moves):
        wait_for_turn(page)
        if over(page):
            return
        choose_by_pointer(page, touch=False)
        confirm_button(page).click()
        confirm_button(page).wait_for(state="detached")
    wait_for_turn(page)


def take(page: Page, name: str) -> None:
    page.wait_for_timeout(2200)
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=82)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Served(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        try:
            for phone, dark in ((False, False), (True, False), (False, True), (True, True)):
                page = person(browser, server.url, phone=phone, dark=dark)
                mark = ("phone" if phone else "wide") + ("-dark" if dark else "")
                take(page, f"page-shelf-{mark}")
                against_bot(page, "guppies")
                play(page, 14)
                choose_by_pointer(page, touch=False)
                take(page, f"page-guppies-{mark}")
                against_bot(page, "umbradeco")
                play(page, 18)
                if page.locator(".space.legal").count() == 0:
                    play(page, 1)
                choose_by_pointer(page, touch=False)
                take(page, f"page-umbradeco-{mark}")
                against_bot(page, "puppies")
                play(page, 24)
                choose_by_pointer(page, touch=False)
                take(page, f"page-puppies-{mark}")
                page.context.close()
            page = person(browser, server.url)
            against_bot(page, "umbradeco")
            play_to_the_end(page, "mouse")
            take(page, "page-result-wide")
            page.goto("/learn/guppies")
            page.locator("figure").first.wait_for()
            take(page, "page-learn-wide")
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
