"""A random user: presses anything (places, cards, buttons, links, keys), zooms, resizes, reloads, goes back, and has a
network that comes and goes. Sooner or later they make a proper move, so that every game ends."""

from __future__ import annotations

import contextlib
import json
import random
import re
import time
import urllib.request
from typing import Any

from page_server import ServerProcess
from page_tables import NEXT
from playwright.sync_api import CDPSession, Error, Page, ViewportSize
from server.faults import Cable

SIZES: list[ViewportSize] = [
    {"width": 1440, "height": 900},
    {"width": 390, "height": 844},
    {"width": 1024, "height": 768},
    {"width": 768, "height": 1024},
]
KEYS = """Enter Enter Escape Tab Shift+Tab Space ArrowUp ArrowDown ArrowLeft ArrowRight Shift+ArrowUp Shift+ArrowLeft
    Home End b n n N p r R f F h i l m u ? + - 0 1 2 3 4 5 9""".split()
WORDS = ["Hello", "Ann", "Lovely weather, isn't it?", "<b>🐟</b>", "x" * 200, " ", "7"]

STEPS = 4000
"""A game that takes more does not end."""
IDLE = 14
"""After so many steps without a move, what is pressed next is a proper move."""
TRIES = 25
"""So many proper steps in a row lead to a move, or the table is stuck."""
PATIENCE = 120.0
"""Bots have moved, and lost connections are back, within so many seconds, however busy the machine."""

# What can be pressed now, of which kind; and one of it by the weights of the kinds.
LOOK = r"""([seed, weights, never]) => {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const kindOf = (element) => {
    if (element.matches('.space')) return element.matches('.legal') ? 'legal' : 'space';
    if (element.matches('select')) return 'select';
    if (element.matches('textarea, input:not([type=checkbox], [type=radio], [type=range])')) return 'text';
    if (element.closest('[popover]')) return 'popover';
    if (element.closest('dialog')) return 'dialog';
    if (element.matches('a')) return 'link';
    if (element.closest('.tray')) return 'tray';
    if (element.closest('.bar')) return 'bar';
    return 'other';
  };
  const kinds = new Map();
  const all = 'button, a[href], summary, input, select, textarea, label, [role=gridcell], [tabindex="0"]';
  for (const element of document.querySelectorAll(all)) {
    if (element.disabled || element.matches('[type=password], [type=file]')) continue;
    const link = element.closest('a[href]');
    if (link && new URL(link.href).origin !== location.origin) continue;
    const name = `${element.ariaLabel ?? ''} ${element.matches('.space') ? '' : element.textContent}`;
    if (new RegExp(never, 'i').test(name)) continue;
    const box = (element.matches('.space') ? element.querySelector('path') : element).getBoundingClientRect();
    if (box.width < 3 || box.height < 3) continue;
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (x < 1 || y < 1 || x > innerWidth - 1 || y > innerHeight - 1) continue;
    const kind = kindOf(element);
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push({ element, x, y, name: name.trim().replace(/\s+/g, ' ').slice(0, 60) || element.tagName });
  }
  let chosen = null;
  for (let tries = 0; tries < 12 && !chosen; tries++) {
    const there = [...kinds].filter(([kind]) => weights[kind]);
    let at = random() * there.reduce((sum, [kind]) => sum + weights[kind], 0);
    const [kind, things] = there.find(([kind]) => (at -= weights[kind]) <= 0) ?? there[0] ?? [];
    if (!things) break;
    const thing = things[Math.floor(random() * things.length)];
    const hit = document.elementFromPoint(thing.x, thing.y);
    if (!thing.element.contains(hit)) continue;
    if (kind === 'select' || kind === 'text') thing.element.focus();
    const space = thing.element.dataset.space;
    chosen = { kind, x: thing.x, y: thing.y, name: space ? `${space}` : thing.name };
  }
  return {
    path: location.pathname,
    failed: Boolean(document.querySelector('[data-failed]')),
    table: Boolean(document.querySelector('main.table')),
    due: Boolean(document.querySelector('.table.due')),
    lost: Boolean(document.querySelector('.banner')),
    says: document.querySelector('.bar .says')?.textContent ?? '',
    chosen,
  };
}"""
BOARD = """() => {
  const stage = document.querySelector('.stage');
  if (!stage) return null;
  const { x, y, width, height } = stage.getBoundingClientRect();
  return y >= 0 && y + height <= innerHeight ? { x, y, width, height } : null;
}"""
WEIGHTS = {
    "space": 3,
    "legal": 4,
    "tray": 4,
    "bar": 4,
    "popover": 6,
    "dialog": 3,
    "other": 3,
    "link": 0.6,
    "select": 0.4,
    "text": 0.8,
}
NEVER = r"log out|log in|^keep|delete|password"
"""What ends more than a game: a guest who logs out never comes back."""
DRASTIC = r"resign|hand my seat"
"""What gives the game away; only the reckless do it."""

ASIDE = (
    ".table button:has-text('show my hand'), .bar button:has-text('Play on myself'), .bar button:has-text('Pass to')"
)
"""What a person presses who wants to move and is not asked to."""


class Stuck(AssertionError):
    """The table does not move, or says that it cannot."""


class RandomUser:
    """One person at one table: `play` ends with the game."""

    def __init__(self, page: Page, server: ServerProcess, cable: Cable, table: str, seed: int, *, touch: bool) -> None:
        self.page = page
        self.server = server
        self.cable = cable
        self.table = table
        self.rng = random.Random(f"wanderer {seed}")
        self.touch = touch
        self.never = NEVER if self.rng.random() < 0.15 else f"{NEVER}|{DRASTIC}"
        self.trail: list[str] = []
        self.steps = 0
        self._devtools: CDPSession = page.context.new_cdp_session(page)
        self._version = -1
        self._idle = 0
        self._since = time.monotonic()
        self._away = 0
        page.on("filechooser", lambda _: None)
        page.context.on("page", lambda other: self._new_pages.append(other))
        self._new_pages: list[Page] = []

    # --- the game -----------------------------------------------------------------------------------------------------

    def play(self, steps: int | None = None) -> None:
        """To the end of the game and the result, or as many steps."""
        while not self._over():
            if self.steps == steps:
                return
            self.steps += 1
            if self.steps > STEPS:
                raise Stuck(f"the game does not end in {STEPS} steps")
            if self._idle >= IDLE or self.rng.random() < 0.25:
                self._proper_move()
            else:
                self._anything()
            self._close_new_pages()
        self._note("the game is over")
        self._come_back()
        self._wait_for("dialog[open], .bar button:has-text('Show the result')", "the result is not shown")
        for _ in range(12):
            self._anything()
            self._close_new_pages()
        self._come_back()
        self._wait_for("dialog[open], .bar button:has-text('Show the result')", "the result is not shown again")

    def _told(self) -> dict[str, Any]:
        """The table as the server tells it to anybody."""
        with urllib.request.urlopen(f"{self.server.url}/api/v1/tables/{self.table}", timeout=60) as answer:
            told: dict[str, Any] = json.load(answer)
        return told

    def _over(self) -> bool:
        told = self._told()
        if told["version"] != self._version:
            self._version, self._idle, self._since = told["version"], 0, time.monotonic()
        mine = [seat["seat"] for seat in told["seats"] if seat["kind"] == "person" and seat["bot"] is None]
        if set(mine) & set(told["waiting"]):
            self._idle += 1
            self._since = time.monotonic()
        elif time.monotonic() - self._since > PATIENCE and told["state"] == "playing":
            raise Stuck(f"nobody has moved for {PATIENCE:.0f} seconds; waiting for {told['waiting']}")
        return bool(told["state"] == "finished")

    # --- what a person does -------------------------------------------------------------------------------------------

    def _anything(self) -> None:
        roll = self.rng.random()
        if roll < 0.76:
            self._press_something()
        elif roll < 0.88:
            self._key(self.rng.choice(KEYS))
        elif roll < 0.94:
            self._move_the_board()
        elif roll < 0.955:
            self._resize()
        elif roll < 0.965:
            self._travel("reload")
        elif roll < 0.975:
            self._travel("go_back")
        elif roll < 0.98:
            self._travel("go_forward")
        elif roll < 0.99:
            self._press_long()
        else:
            self._lose_the_network()
        here = self._path()
        self._away = 0 if here == f"/t/{self.table}" else self._away + 1
        if self._away > 5:
            self._come_back()

    def _press_something(self) -> None:
        seen = self._look()
        if not seen or not seen["chosen"]:
            return
        thing = seen["chosen"]
        self._note(f"press {thing['kind']} {thing['name']!r} at {thing['x']:.0f},{thing['y']:.0f}")
        if thing["kind"] == "select":
            self._key(self.rng.choice(["ArrowDown", "ArrowUp"]))
            return
        self._press(thing["x"], thing["y"])
        if thing["kind"] == "text":
            word = self.rng.choice(WORDS)
            self._note(f"type {word[:30]!r}")
            self.page.keyboard.insert_text(word)
            if self.rng.random() < 0.6:
                self._key("Enter")
        elif self.rng.random() < 0.1:
            self._note("again")
            self._press(thing["x"], thing["y"])

    def _press(self, x: float, y: float) -> None:
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def _key(self, key: str) -> None:
        self._note(f"key {key}")
        self.page.keyboard.press(key)

    def _move_the_board(self) -> None:
        """Zoom and pan. All fingers are on the board: beside it they would zoom the page itself, as they should."""
        box = self._evaluate(BOARD, [])
        if not box:
            return
        ways = [(self.rng.uniform(0.1, 0.9), self.rng.uniform(0.1, 0.9)) for _ in range(3)]
        (x, y), (to_x, to_y), last = [(box["x"] + a * box["width"], box["y"] + b * box["height"]) for a, b in ways]
        if self.touch:
            two = self.rng.random() < 0.5
            starts = [(x, y), (to_x, to_y)][: 1 + two]
            ends = [(to_x, to_y), last][: 1 + two]
            self._note(f"{len(starts)} fingers on the board")
            self._fingers("touchStart", starts)
            for part in (0.25, 0.5, 0.75, 1.0):
                middle = [(a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in zip(starts, ends, strict=True)]
                self._fingers("touchMove", middle)
            self._fingers("touchEnd", [])
        elif self.rng.random() < 0.5:
            turn = self.rng.choice([-900, -300, 300, 900])
            self._note(f"wheel {turn} at {x:.0f},{y:.0f}")
            self.page.mouse.move(x, y)
            self.page.mouse.wheel(0, turn)
        else:
            self._note(f"drag from {x:.0f},{y:.0f} to {to_x:.0f},{to_y:.0f}")
            self.page.mouse.move(x, y)
            self.page.mouse.down()
            self.page.mouse.move(to_x, to_y, steps=4)
            self.page.mouse.up()

    def _fingers(self, kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def _press_long(self) -> None:
        seen = self._look()
        if not seen or not seen["chosen"]:
            return
        thing = seen["chosen"]
        self._note(f"press long {thing['kind']} {thing['name']!r}")
        if self.touch:
            self._fingers("touchStart", [(thing["x"], thing["y"])])
            self.page.wait_for_timeout(700)
            self._fingers("touchEnd", [])
        else:
            self.page.mouse.move(thing["x"], thing["y"])
            self.page.mouse.down()
            self.page.wait_for_timeout(700)
            self.page.mouse.up()

    def _resize(self) -> None:
        size = self.rng.choice(SIZES)
        self._note(f"resize to {size['width']}x{size['height']}")
        self.page.set_viewport_size(size)

    def _travel(self, how: str) -> None:
        self._note(how)
        with contextlib.suppress(Error):  # such as when there is nothing to go back to
            getattr(self.page, how)(wait_until="domcontentloaded")

    def _lose_the_network(self) -> None:
        silent = self.rng.random() < 0.3
        self._note("the network goes silent" if silent else "the network is cut")
        self.cable.hang() if silent else self.cable.cut()
        try:
            for _ in range(self.rng.randrange(1, 8)):
                self._press_something() if self.rng.random() < 0.8 else self._key(self.rng.choice(KEYS))
        finally:
            if silent:
                self.cable.cut()
            self.cable.mend()
            self._note("the network is back")
        if self._path() == f"/t/{self.table}":
            self._wait_for(".table:not(:has(.banner))", "the connection is not back")
        else:
            self._come_back()

    # --- proper moves -------------------------------------------------------------------------------------------------

    def _proper_move(self) -> None:
        """The next thing that leads to a move, as somebody would do it who wants to get on."""
        if self._idle > IDLE + TRIES:
            raise Stuck(f"{TRIES} proper steps have led to no move: {self._shown()}")
        self._come_back()
        if self._idle >= IDLE and (self._idle - IDLE) % 8 == 0:
            self._clear_the_view()
        aside = self.page.locator(ASIDE).first
        with contextlib.suppress(Error):
            if aside.count() and aside.is_visible():
                self._note("press what leads to my turn")
                aside.click(timeout=2000)
                return
        step = self._evaluate(NEXT, ["", 10_000])
        if step and step.get("at"):
            self._note(f"proper {step['step']} {step.get('key', '')}")
            self._press(step["at"]["x"], step["at"]["y"])

    def _clear_the_view(self) -> None:
        """Close what is open above the table, and see all of the board."""
        self._key("Escape")
        # Two fingers beside the board magnify the whole page, as browsers do.
        self._devtools.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 1})
        for selector in ("aside.open .close", "dialog[open] button[aria-label^='Close']", ".fit"):
            button = self.page.locator(selector).first
            with contextlib.suppress(Error):
                if button.is_visible():
                    self._note(f"press {selector}")
                    button.click(timeout=2000)

    def _come_back(self) -> None:
        self._away = 0
        if self._path() == f"/t/{self.table}":
            return
        self._note(f"come back to the table from {self._path()}")
        self.page.goto(f"/t/{self.table}", wait_until="domcontentloaded")
        self._wait_for("main.table, .cover", "the table is not shown")

    # --- looking ------------------------------------------------------------------------------------------------------

    def _look(self) -> dict[str, Any] | None:
        seen = self._evaluate(LOOK, [self.rng.randrange(2**31), WEIGHTS, self.never])
        if seen and seen["failed"]:
            raise Stuck("the error page is shown")
        return seen

    def _evaluate(self, script: str, values: list[Any]) -> dict[str, Any] | None:
        """What the page answers; nothing while it is on its way to another one."""
        try:
            answer: dict[str, Any] = self.page.evaluate(script, values)
        except Error as error:
            if re.search("context was destroyed|navigat|Cannot find context", str(error)):
                return None
            raise
        return answer

    def _path(self) -> str:
        return re.sub(r"^\w+:/*[^/]*|[?#].*$", "", self.page.url)

    def _wait_for(self, selector: str, trouble: str) -> None:
        try:
            self.page.locator(selector).first.wait_for(timeout=PATIENCE * 1000)
        except Error as error:
            raise Stuck(f"{trouble}: {self._shown()}") from error

    def _shown(self) -> str:
        with contextlib.suppress(Error):
            return f"{self.page.url}: " + " / ".join(self.page.locator(".says, .toast, .banner, h1").all_inner_texts())
        return self.page.url

    def _close_new_pages(self) -> None:
        """What opened in another tab is looked at, and closed."""
        while self._new_pages:
            other = self._new_pages.pop()
            if other is self.page:
                continue
            self._note(f"close the tab {other.url}")
            with contextlib.suppress(Error):
                other.wait_for_load_state("domcontentloaded", timeout=10_000)
                assert not other.locator("[data-failed]").count(), f"the error page is shown at {other.url}"
            other.close()

    def _note(self, what: str) -> None:
        self.trail.append(f"{self.steps}: {what}")

    def last_steps(self, count: int = 60) -> str:
        """What was done last, a line for each step."""
        return "\n".join(self.trail[-count:])
