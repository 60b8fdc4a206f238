"""Draws the icons of the installed page again: `web/public/icon-*.png`, from `web/icons/app.svg` (`make icons`).

A launcher cuts a maskable icon to a circle or any other shape, so its drawing is smaller and its ground
goes to the edges.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from page_server import BROWSER_FLAGS, find_browser  # noqa: E402

DRAWING = ROOT / "web" / "icons" / "app.svg"
TARGET = ROOT / "web" / "public"


@dataclass(frozen=True)
class Icon:
    name: str
    size: int
    corner: int = 0
    """How round its corners are, in percent of its size; what is cut off is transparent."""
    margin: int = 0
    """How much ground is added on each side of the drawing, in percent of its size."""


ICONS = (
    Icon("icon-192", 192, corner=22),
    Icon("icon-512", 512, corner=22),
    Icon("icon-maskable-512", 512, margin=9),
    Icon("icon-apple-180", 180, margin=3),
)


def draw(page: Page, icon: Icon) -> bytes:
    # The ground is drawn once more behind the drawing, which may be smaller.
    drawing = DRAWING.read_text(encoding="utf-8")
    margin = 512 * icon.margin // 100
    smaller = drawing.replace(
        'viewBox="0 0 512 512"', f'viewBox="{-margin} {-margin} {512 + 2 * margin} {512 + 2 * margin}"'
    )
    whole = smaller.replace(
        'width="512" height="512"',
        f'x="{-margin}" y="{-margin}" width="{512 + 2 * margin}" height="{512 + 2 * margin}"',
    )
    page.set_viewport_size({"width": icon.size, "height": icon.size})
    style = f"* {{ margin: 0 }} svg {{ display: block; width: 100vw; height: 100vh; border-radius: {icon.corner}% }}"
    page.set_content(f"<style>{style}</style>{whole}")
    return page.screenshot(omit_background=True)


def main() -> None:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_browser(), args=BROWSER_FLAGS)
        page = browser.new_page()
        for icon in ICONS:
            (TARGET / f"{icon.name}.png").write_bytes(draw(page, icon))
        browser.close()


if __name__ == "__main__":
    main()
