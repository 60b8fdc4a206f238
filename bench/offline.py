"""What games without a server cost: measured in Chromium against the built page, printed as Markdown.

    python bench/offline.py            after `make page`; takes about six minutes on a quiet machine
    python bench/offline.py --quick    a look at everything in half of that

It prints the bytes over the wire; the seconds from *Play now* to the first move, cold and from the browser's cache; the
decisions a second and the thinking times of the bots, beside those of this machine's Python; the longest task of the
page's own thread while a bot thinks; and the memory of the browser's process after ten games. Progress goes to the
standard error. It ends with 1 if a part fails, or if the page does not keep what it promises: no task that takes more
than 50 ms of processor time while a bot thinks. (By the clock, a task takes longer where the machine has other work.)
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

import wellies

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))
import in_browser  # noqa: E402
from page_device import like, open_menu, wait_until_kept  # noqa: E402
from page_server import BROWSER_FLAGS, PAGE, WIDE, ServerProcess, find_browser  # noqa: E402
from page_tables import next_step, press_at, wait_for_turn  # noqa: E402

LEVELS = ("storm", "monsoon")
PATIENCE = 300_000
"""Milliseconds that are waited for anything: far above what a busy machine needs."""
LONGEST_TASK = 50
"""Milliseconds that the page's own thread may be busy at a stretch while a bot thinks."""

START = """async ([python, code, lock, programs]) => {
  const { loadPyodide } = await import(python + 'pyodide.mjs');
  const api = await loadPyodide({ indexURL: python, lockFileContents: lock, packageBaseUrl: python });
  api.FS.writeFile('/wellies.zip', new Uint8Array(await (await fetch(code)).arrayBuffer()));
  for (const [name, text] of Object.entries(programs)) api.FS.writeFile('/' + name, text);
  api.runPython('import sys; sys.path[:0] = ["/wellies.zip", "/"]');
  window.measures = api.pyimport('in_browser');
}"""

WATCH = """() => {
  const table = document.querySelector('.table');
  const isMyTurn = () => table.classList.contains('due') || document.querySelector('dialog[open]') !== null;
  let thinks = false;
  window.botHasMoved = false;
  const seen = new MutationObserver(() => {
    if (isMyTurn() !== thinks) return;
    performance.mark(thinks ? '%s' : '%s');
    window.botHasMoved = thinks;
    if (thinks) seen.disconnect();
    thinks = true;
  });
  seen.observe(table, { attributes: true, attributeFilter: ['class'] });
}"""
"""Marks in the trace when my turn is over and when it begins again."""
BEGIN, END = "bot thinks", "bot has moved"
TRACED = ["blink.user_timing", "disabled-by-default-devtools.timeline"]
TASK = "RunTask"


class Wire:
    """A port of its own before the server. It counts what comes through it to the browser."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._bytes = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                browser, _ = self._listening.accept()
                server = socket.create_connection(self._target)
                for source, target in ((browser, server), (server, browser)):
                    threading.Thread(target=self._pump, args=(source, target, source is server), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, counts: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                self._bytes += len(data) if counts else 0
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def taken(self) -> int:
        """The bytes since this was last asked, once nothing has come for two seconds."""
        before = -1
        while before != self._bytes:
            before = self._bytes
            time.sleep(2)
        taken, self._bytes = self._bytes, 0
        return taken

    def close(self) -> None:
        self._listening.close()


def middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def spread(values: list[float]) -> str:
    return f"{middle(values):.1f} ({min(values):.1f} to {max(values):.1f})"


def progress(what: str) -> None:
    print(f"  {time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def table(*rows: tuple[str, ...]) -> None:
    """Print rows as Markdown; the first is the head."""
    head, *body = rows
    for row in (head, tuple("---" for _ in head), *body):
        print("| " + " | ".join(row) + " |")
    print(flush=True)


class Bench:
    def __init__(self, browser: Browser, server: ServerProcess, quick: bool) -> None:
        self.browser = browser
        self.server = server
        self.quick = quick
        self.broken = False

    @contextlib.contextmanager
    def visitor(self, url: str = "", **more: Any) -> Iterator[BrowserContext]:
        """Somebody with a fresh browser, whose new games are on the device."""
        context = self.browser.new_context(viewport=WIDE, base_url=url or self.server.url, **more)
        context.set_default_timeout(PATIENCE)
        try:
            yield context
        finally:
            context.close()

    def open_shelf(self, context: BrowserContext, **likes: object) -> Page:
        page = context.new_page()
        page.goto("/")
        if likes:
            like(page, **likes)
        page.locator(".box").first.wait_for()
        return page

    def play_now(self, page: Page, title: str = "Guppies") -> float:
        """Seconds from the click until I can make the first move."""
        start = time.perf_counter()
        page.get_by_role("button", name=f"Play now: {title}").click()
        wait_for_turn(page)
        return time.perf_counter() - start

    # --- what is measured --------------------------------------------------------------------------------------------

    def weigh(self) -> None:
        wire = Wire(self.server.port)
        try:
            with self.visitor(wire.url, service_workers="block") as context:
                self.open_shelf(context)
                first = wire.taken()
            with self.visitor(wire.url) as context:
                page = self.open_shelf(context)
                wait_until_kept(page)
                kept = wire.taken() - first
                like(page, where="device", offer=False)
                wire.taken()
                self.play_now(page)
                engine = wire.taken()
                page.goto("/")
                self.play_now(page)
                again = wire.taken()
        finally:
            wire.close()
        table(
            ("over the wire, compressed", "KB"),
            ("first view of the shelf", f"{first / 1000:,.0f}"),
            ("rest of the page, kept in the background for times without a network", f"{kept / 1000:,.0f}"),
            ("engine, with the first game on this device", f"{engine / 1000:,.0f}"),
            ("another game after a reload", f"{again / 1000:,.0f}"),
        )

    def start_games(self) -> None:
        cold, cached, next_game = [], [], []
        for turn in range(1 if self.quick else 3):
            progress(f"browser {turn + 1}")
            with self.visitor() as context:
                page = self.open_shelf(context, where="device", offer=False)
                wait_until_kept(page)
                cold.append(self.play_now(page))
                page.goto("/")
                cached.append(self.play_now(page))
                open_menu(page)
                page.get_by_role("button", name="Leave for the shelf").click()
                next_game.append(self.play_now(page, "Umbradeco"))
        table(
            ("from *Play now* to the first move, seconds", f"middle of {len(cold)} (least to most)"),
            ("cold: the engine is downloaded, over a line without delay", spread(cold)),
            ("from the browser's cache, after a reload", spread(cached)),
            ("another game, while the page is open", spread(next_game)),
        )

    def think(self) -> None:
        """Decisions a second, and how long the strong bots think, in the browser and here."""
        seconds, moves = (0.7, 1) if self.quick else (1.5, 3)
        names = wellies.list_games()
        rates: list[tuple[str, ...]] = []
        times: list[tuple[str, ...]] = []
        with self.visitor() as context:
            page = context.new_page()
            page.goto("/settings")
            start_python(page)
            for name in names:
                title = wellies.game(name).title
                progress(title)
                here = decisions_a_second(partial(in_browser.decisions, name), time.process_time, seconds)
                there = self.decisions_in_browser(page, name, seconds)
                rates.append((title, f"{there:,.0f}", f"{here:,.0f}", f"{here / there:.1f}"))
                for level in LEVELS:
                    count = 2 * moves if level == "storm" else moves
                    mine = in_browser.think_times(name, level, count)
                    its: list[float] = page.evaluate(
                        "([name, level, moves]) => measures.think_times(name, level, moves).toJs()",
                        [name, level, count],
                    )
                    shown = [f"{middle(each):.2f}, {max(each):.2f}" for each in (its, mine)]
                    times.append((title, level, *shown, f"{wellies.bot(level).seconds:.1f}"))
        table(("decisions a second", "browser", "this machine's Python", "times as fast"), *rates)
        table(("game", "level", "browser: middle, longest (s)", "Python: middle, longest (s)", "promised (s)"), *times)

    def play_until(self, page: Page, done: str) -> None:
        """Make the steps of my turn until this is true."""
        last = ""
        while True:
            step = next_step(page, last, PATIENCE / 1000)
            if step["step"] == "over" or page.evaluate(done):
                return
            press_at(page, step["at"], touch=False)
            last = step["sign"]

    def decisions_in_browser(self, page: Page, name: str, seconds: float) -> float:
        process = self.page_process()
        return decisions_a_second(
            lambda part: int(page.evaluate("([name, part]) => measures.decisions(name, part)", [name, part])),
            lambda: processor_seconds(process),
            seconds,
        )

    def watch_main_thread(self) -> None:
        """The longest task of the page while the strongest bot thinks about its moves."""
        rows = []
        with self.visitor() as context:
            page = self.open_shelf(context, where="device", offer=False, level="monsoon")
            for title in ("Guppies", "Umbradeco"):
                progress(title)
                self.play_now(page, title)
                self.browser.start_tracing(page=page, categories=TRACED)
                for _ in range(1 if self.quick else 3):
                    wait_for_turn(page)
                    page.evaluate(WATCH % (END, BEGIN))
                    self.play_until(page, "() => window.botHasMoved")
                tasks, seconds = tasks_between_marks(self.browser.stop_tracing())
                busy, lasted = (max((task[each] for task in tasks), default=0.0) for each in (0, 1))
                self.broken |= busy > LONGEST_TASK
                rows.append((title, f"{seconds:.1f}", f"{len(tasks):,}", f"{busy:.0f}", f"{lasted:.0f}"))
                open_menu(page)
                page.get_by_role("button", name="Leave for the shelf").click()
        table(
            (
                "while monsoon thinks",
                "seconds watched",
                "tasks of the page",
                f"longest: processor time (ms, at most {LONGEST_TASK})",
                "longest by the clock (ms)",
            ),
            *rows,
        )

    def weigh_memory(self) -> None:
        """The memory of the process that shows the page and runs both workers, game after game."""
        games = 3 if self.quick else 10
        rows: list[tuple[str, ...]] = []
        with self.visitor() as context:
            page = self.open_shelf(context, where="device", offer=False, level="drizzle", speed="fastest")
            rows.append(("the shelf", self.memory(page)))
            for number in range(1, games + 1):
                progress(f"game {number}")
                title = sorted(wellies.game(name).title for name in wellies.list_games())[number % 5]
                self.play_now(page, title)
                open_menu(page)
                page.get_by_role("button", name="Resign").click()
                page.get_by_role("button", name="Yes, resign").click()
                page.get_by_role("dialog").get_by_role("link", name="Shelf").click()
                if number in (1, 2, 5, games):
                    rows.append((f"after game {number}", self.memory(page)))
        table(("memory of the page's process", "MB"), *rows)

    def memory(self, page: Page) -> str:
        page.locator(".box").first.wait_for()
        page.request_gc()
        page.wait_for_timeout(1000)
        return f"{resident(self.page_process()) / 1e6:,.0f}"

    def page_process(self) -> int:
        """The process that shows the page: the largest of its kind."""
        devtools = self.browser.new_browser_cdp_session()
        found = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
        devtools.detach()
        return max((int(each["id"]) for each in found if each["type"] == "renderer"), key=resident)


def tasks_between_marks(trace: bytes) -> tuple[list[tuple[float, float]], float]:
    """The tasks of the page's own thread that began and ended between two marks: for each the milliseconds of processor
    time, and those by the clock. And the seconds between all marks."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    marks = sorted(
        (each["ts"], each["name"], each["pid"], each["tid"]) for each in events if each["name"] in (BEGIN, END)
    )
    assert marks, "the trace has no marks"
    thread = marks[0][2:]
    spans = [(begin[0], end[0]) for begin, end in zip(marks[::2], marks[1::2], strict=True)]
    tasks = [
        (each.get("tdur", each["dur"]) / 1000, each["dur"] / 1000)
        for each in events
        if each["name"] == TASK and each.get("ph") == "X" and (each["pid"], each["tid"]) == thread
        # The task that shows the bot's move ends later: it is not thinking.
        if any(begin <= each["ts"] and each["ts"] + each["dur"] <= end for begin, end in spans)
    ]
    return tasks, sum(end - begin for begin, end in spans) / 1e6


def decisions_a_second(play: Callable[[float], int], used: Callable[[], float], seconds: float) -> float:
    """Decisions for each second of processor time, in at least so many of them. `play` makes decisions for some seconds
    by the clock, in which the machine may have other work too; `used` tells the processor time."""
    play(0.1)  # loads the game
    made, start = 0, used()
    while (spent := used() - start) < seconds:
        made += play(seconds / 2)
    return made / spent


def processor_seconds(process: int) -> float:
    """Processor time that a process has used, as Linux counts it."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> int:
    """Bytes of memory that a process has, as Linux counts them."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def start_python(page: Page) -> None:
    """Start the page's Python, with our code and what is to be measured."""
    folder = PAGE.parent
    [python] = folder.glob("assets/engine-python-*")
    [code] = folder.glob("assets/engine-*/wellies.zip")
    lock_file = HERE.parent / "web" / "node_modules" / "pyodide" / "pyodide-lock.json"
    lock = json.loads(lock_file.read_text(encoding="utf-8"))
    programs = {name: (HERE / name).read_text(encoding="utf-8") for name in ("in_browser.py", "playouts.py")}
    given = [f"/{path.relative_to(folder).as_posix()}" for path in (python, code)]
    page.evaluate(START, [f"{given[0]}/", given[1], json.dumps({"info": lock["info"], "packages": {}}), programs])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, for a first look")
    parts = ["weigh", "start_games", "think", "watch_main_thread", "weigh_memory"]
    parser.add_argument("--only", choices=parts, action="append", help="measure this alone")
    args = parser.parse_args()
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_browser(), args=BROWSER_FLAGS)
        load = os.getloadavg()[0]
        print(
            f"{os.cpu_count()} cores, load {load:.1f}, Python {platform.python_version()}, Chromium {browser.version}\n"
        )
        try:
            bench = Bench(browser, server, args.quick)
            for part in args.only or parts:
                progress(part.replace("_", " "))
                try:
                    getattr(bench, part)()
                except (Error, AssertionError) as error:
                    bench.broken = True
                    print(f"{part} failed: {error}\n", flush=True)
        finally:
            browser.close()
            server.stop()
    return 1 if bench.broken else 0


if __name__ == "__main__":
    sys.exit(main())
