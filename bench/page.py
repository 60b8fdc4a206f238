"""How heavy and how quick the page is, measured in Chromium against a real server.

    python bench/page.py            after `make page`

Prints the script that goes over the wire for the first table, the time to the first view and to the first game, and the
longest task on the main thread while a board of 128 Guppies tiles is panned and zoomed; and for each whether it is
what the page promises. Ends with 1 if something is not, so that it can be run as a check on a quiet machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

import wellies
from wellies import Match, Stream

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from page_server import BROWSER_FLAGS, WIDE, ServerProcess, find_browser

WATCH = """() => {
  window.longest = 0;
  window.frames = [];
  new PerformanceObserver(list => {
    for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
  }).observe({ type: 'longtask' });
  let last = performance.now();
  const tick = now => { window.frames.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
}"""


def weigh(devtools: CDPSession) -> dict[str, float]:
    """Bytes over the wire by kind of file, as they arrive."""
    kinds: dict[str, str] = {}
    weight: dict[str, float] = {}

    def answered(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event["type"]

    def finished(event: dict[str, Any]) -> None:
        kind = kinds.get(event["requestId"], "other")
        weight[kind] = weight.get(kind, 0) + event["encodedDataLength"]

    devtools.on("Network.responseReceived", answered)
    devtools.on("Network.loadingFinished", finished)
    devtools.send("Network.enable")
    return weight


def full_board() -> str:
    """A record of Guppies in which all but a few tiles are laid."""
    for seed in range(100):
        match = Match("guppies", seats=2, seed=seed)
        bot, rng = wellies.bot("greedy"), Stream(seed)
        while match.state.outcome() is None and match.view_for(None)["extra"]["bag"] > 1:
            seat = match.state.active()[0]
            match.play_move(seat, bot.choose(match.state, seat, rng))
        if match.state.outcome() is None:
            return str(match.record(reveal=True))
    raise SystemExit("no game ran long enough")


def pan(page: Page) -> None:
    box = page.locator(".stage").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for _ in range(4):
        page.mouse.move(x, y)
        page.mouse.wheel(0, -300)
        page.mouse.down()
        for step in range(30):
            page.mouse.move(x + 12 * step, y + 5 * step)
        page.mouse.up()
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(30):
            page.mouse.move(x - 12 * step, y - 5 * step)
        page.mouse.up()
        page.mouse.wheel(0, 500)


class Report:
    """One line for each measure, with what was preview_points and whether it holds."""

    def __init__(self) -> None:
        self.broken = 0
        load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
        print(f"{os.cpu_count()} cores, load {load} (the last 1, 5 and 15 minutes)\n")

    def tell(self, what: str, value: str, wanted: str = "", holds: bool | None = None) -> None:
        verdict = "" if holds is None else "ok" if holds else "TOO MUCH"
        self.broken += holds is False
        print(f"{what:44}{value:>24}   {wanted:18}{verdict}")


def middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def spread(values: list[float]) -> str:
    return f"{middle(values):.2f} s ({min(values):.2f}-{max(values):.2f})"


def main() -> int:
    report = Report()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_browser(), args=BROWSER_FLAGS)
        try:
            views, games = [], []
            for _ in range(5):
                context = browser.new_context(viewport=WIDE, base_url=server.url)
                page = context.new_page()
                weight = weigh(context.new_cdp_session(page))
                began = time.perf_counter()
                page.goto("/", wait_until="commit")
                page.locator(".box").first.wait_for()
                views.append(time.perf_counter() - began)
                began = time.perf_counter()
                page.locator(".box", has_text="Guppies").get_by_role("button", name="Play now").click()
                page.locator(".space").first.wait_for()
                games.append(time.perf_counter() - began)
                page.wait_for_timeout(300)
                script = weight.get("Script", 0)
                rest = sum(weight.values()) - script
                context.close()
            report.tell(
                "script over the wire, first table",
                f"{script / 1000:.1f} KB",
                "at most 150 KB",
                script <= 150_000,
            )
            report.tell("all else: style, fonts, pictures, data", f"{rest / 1000:.1f} KB")
            report.tell("first view, cold: middle of 5", spread(views), "under 1 s", middle(views) < 1)
            report.tell("from Play now to the board: middle of 5", spread(games), "under 2 s", middle(games) < 2)

            context = browser.new_context(viewport=WIDE, base_url=server.url)
            page = context.new_page()
            page.goto("/")
            seats = [{"kind": "me"}, {"kind": "bot", "level": "greedy"}]
            answer = page.request.post("/api/v1/tables", data={"record": full_board(), "seats": seats, "start": True})
            assert answer.ok, answer.text()
            page.goto(f"/t/{answer.json()['id']}")
            page.locator(".space").first.wait_for()
            page.wait_for_timeout(800)
            tiles = page.locator("[aria-label^='Tile at']").count()
            page.evaluate(WATCH)
            pan(page)
            page.wait_for_timeout(500)
            longest = page.evaluate("() => window.longest")
            frames = sorted(page.evaluate("() => window.frames"))
            half, most = frames[len(frames) // 2], frames[len(frames) * 95 // 100]
            shown = f"{longest:.0f} ms" if longest else "none over 50 ms"
            report.tell(f"longest task while {tiles} tiles are panned", shown, "at most 100 ms", longest <= 100)
            report.tell("frames meanwhile: middle, and 95 % within", f"{half:.0f} ms, {most:.0f} ms")
        finally:
            browser.close()
            server.stop()
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
