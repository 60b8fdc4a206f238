"""The device around `wellies.local`, in Python: what JavaScript, IndexedDB and a second worker are in a browser.

Scenarios run in simulated time (`simulation/loop.py`): clocks run out at once, a tab can die between any two steps, and
the same scenario always takes the same course.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import warnings
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any, TypeVar

import msgspec
from simulation.loop import WORKER, SimulatedLoop, collect_quietly
from simulation.sources import SimulatedSources

from wellies.core.sources import replace_sources
from wellies.local import bot_worker
from wellies.local.browser import LocalApp, open_app
from wellies.local.settings import LocalSettings
from wellies.server import messages

LONGEST = 600.0
"""Seconds that anything may take before a test fails."""
THINKING = 0.3
"""Seconds that a bot takes for a move, in simulated time."""

_decode = msgspec.json.Decoder(messages.FromServer).decode
Answer = TypeVar("Answer")


class TabClosed(Exception):
    """The tab was closed, or has crashed, before it answered."""


def check_message(message: Any) -> None:
    """Fails unless this is a message that the server could send, with all its fields and no others. (What a view and
    legal moves contain is the games' own.)"""
    plain = {key: None if key == "view" else value for key, value in message.items()}
    kind = type(_decode(json.dumps(plain)))
    assert set(message) == {"type", *kind.__struct_fields__}


class Disk:
    """The database of a browser, shared by its tabs. Everything is text, as it crosses to JavaScript."""

    def __init__(self) -> None:
        self.rows: dict[str, str] = {}
        self.entries: dict[tuple[str, int], str] = {}
        self.name = ""
        self.tabs: list[Tab] = []
        """Those that are open."""
        self.opened = 0
        """How many tabs were ever opened."""
        self.knows_removed = True
        """Whether it refuses further entries of a table that was removed."""

    def add(self, table: str, first: int, entries: str, row: str) -> bool:
        """One transaction."""
        new = {(table, first + number): json.dumps(entry) for number, entry in enumerate(json.loads(entries))}
        there = table in self.rows
        removed = self.knows_removed and first > 1 and not there
        if any(key in self.entries for key in new) or (not new and there) or removed:
            return False
        self.entries.update(new)
        self.rows[table] = row
        return True

    def load(self, table: str) -> str | None:
        if table not in self.rows:
            return None
        keys = sorted(key for key in self.entries if key[0] == table)
        assert [number for _, number in keys] == list(range(1, len(keys) + 1)), "the log has no gaps"
        return f'{{"row":{self.rows[table]},"entries":[{",".join(self.entries[key] for key in keys)}]}}'

    def log(self, table: str) -> list[Any]:
        """The stored log."""
        found: list[Any] = json.loads(self.load(table) or '{"entries":[]}')["entries"]
        return found

    def row(self, table: str) -> Any:
        return json.loads(self.rows[table])

    def remove(self, table: str) -> None:
        self.rows.pop(table, None)
        for key in [key for key in self.entries if key[0] == table]:
            del self.entries[key]


class Tab:
    """A tab of a browser: a host, with the app that uses it. Tabs tell each other what they have stored, unless they
    are deaf."""

    skew_millis = 0

    def __init__(self, disk: Disk, *, deaf: bool = False, settings: LocalSettings | None = None) -> None:
        self.disk = disk
        self.deaf = deaf
        self.alive = True
        self.lives_for: int | None = None
        """After so many steps it dies."""
        disk.opened += 1
        self.random = Random(f"tab {disk.opened}")
        self.monotonic_base = 1_000.0 * disk.opened
        self.pages: dict[str, Page] = {}
        self.asked: list[Any] = []
        """The tasks for bots and the analysis."""
        self.stores = 0
        """How often something was to be stored."""
        self.thinking_seconds = THINKING
        self.before_use: Callable[[str], None] = lambda _what: None
        self.after_use: Callable[[str], None] = lambda _what: None
        """Called with the name of what the database is asked to do, before and after it; tests let these fail."""
        self.choose_with: Callable[[str], str] = bot_worker.choose
        self.judge_with: Callable[[str], str] = bot_worker.judge
        self._closed = asyncio.Event()
        self._worker = asyncio.Lock()
        self._thoughts: set[asyncio.Future[str]] = set()
        self._context = contextvars.copy_context()
        self._context.run(WORKER.set, self)
        self.app: LocalApp = self._context.run(open_app, self, settings)
        disk.tabs.append(self)

    # --- life and death --------------------------------------------------------------------------------------------

    def on_step(self) -> None:
        if self.lives_for is not None and self.alive:
            self.lives_for -= 1
            if self.lives_for < 0:
                self.crash()

    def crash(self) -> None:
        """Die at once, as if the device had lost its power."""
        self.alive = False
        if self in self.disk.tabs:
            self.disk.tabs.remove(self)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        loop.expect_loss(self)
        self._closed.set()

    async def stop(self) -> None:
        """Close in good order; TabClosed if it has died."""
        if not self.alive:
            raise TabClosed
        self.disk.tabs.remove(self)
        await self._run(self.app.stop())
        for thought in self._thoughts:
            thought.cancel()
        await asyncio.gather(*self._thoughts, return_exceptions=True)

    def _in_tab(self, function: Callable[..., None], *args: Any) -> None:
        """Call a function of the app, as JavaScript does."""
        if self.alive:
            self._context.copy().run(function, *args)

    async def _run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Run something in this tab; TabClosed if it dies meanwhile."""
        task = asyncio.get_running_loop().create_task(work, context=self._context.copy())
        await self.or_closed(asyncio.wait({task}))
        return task.result()

    async def or_closed(self, work: Awaitable[Answer]) -> Answer:
        """The result; TabClosed if the tab dies before it comes."""
        doing, closed = asyncio.ensure_future(work), asyncio.ensure_future(self._closed.wait())
        try:
            await asyncio.wait({doing, closed}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                raise TabClosed
            return doing.result()
        finally:
            doing.cancel()
            closed.cancel()

    def _tell_others(self, table: str) -> None:
        for tab in list(self.disk.tabs):
            if tab is not self and not tab.deaf:
                tab._in_tab(tab.app.stored_elsewhere, table)

    # --- the host --------------------------------------------------------------------------------------------------

    def send(self, conn: str, text: str) -> None:
        check_message(json.loads(text))
        self.pages[conn].take(json.loads(text))

    def close(self, conn: str, code: int, reason: str) -> None:
        self.pages[conn].on_closed(code, reason)

    async def _use(self, what: str, work: Callable[[], Answer]) -> Answer:
        """Let the database do something: it takes a moment, and may fail before it or after it."""
        await asyncio.sleep(0.001)
        self.before_use(what)
        done = work()
        self.after_use(what)
        await asyncio.sleep(0.001)
        return done

    async def load(self, table: str) -> str | None:
        return await self._use("load", lambda: self.disk.load(table))

    async def store(self, table: str, first: int, entries: str, row: str) -> bool:
        self.stores += 1
        done = await self._use("store", lambda: self.disk.add(table, first, entries, row))
        if done:
            self._tell_others(table)
        return done

    async def put_row(self, table: str, row: str) -> None:
        def put() -> None:
            if table in self.disk.rows:
                self.disk.rows[table] = row

        await self._use("put_row", put)
        self._tell_others(table)

    async def list(self) -> str:
        return await self._use("list", lambda: json.dumps(list(self.disk.rows.values())))

    async def remove(self, table: str) -> None:
        await self._use("remove", lambda: self.disk.remove(table))
        self._tell_others(table)

    async def name(self) -> str | None:
        return await self._use("name", lambda: self.disk.name or None)

    async def set_name(self, name: str) -> None:
        await self._use("set_name", lambda: setattr(self.disk, "name", name))

    async def choose(self, task: str) -> str:
        return await self._think(task, lambda: self.choose_with(task))

    async def judge(self, task: str) -> str:
        return await self._think(task, lambda: self.judge_with(task))

    async def _think(self, task: str, work: Callable[[], str]) -> str:
        """Let the second worker do something, when it has done all that it was asked before. It goes on if nobody waits
        for the answer any more."""
        self.asked.append(json.loads(task))

        async def think() -> str:
            async with self._worker:
                await asyncio.sleep(self.thinking_seconds)
                return work()

        thought = asyncio.ensure_future(think())
        self._thoughts.add(thought)
        await asyncio.wait({thought})
        return thought.result()

    # --- the page --------------------------------------------------------------------------------------------------

    async def ask(self, method: str, path: str, body: Any = None, *, raw: str | None = None) -> tuple[int, Any]:
        """A request and its answer: the status, and the body or text. `raw` is the text of the body as it is."""
        given = raw if raw is not None or body is None else json.dumps(body)
        answer = json.loads(await self._run(self.app.request(method, f"/api/v1{path}", given)))
        assert set(answer) == {"status", "body", "text"}
        return answer["status"], answer["body"] if answer["text"] is None else answer["text"]

    async def done(self, method: str, path: str, body: Any = None) -> Any:
        """The body of an answer that must not be an error."""
        status, found = await self.ask(method, path, body)
        assert status in (200, 201), found
        return found

    async def refused(self, method: str, path: str, body: Any = None, *, raw: str | None = None) -> tuple[int, str]:
        """The status and the code of an answer that must be an error with a sentence."""
        status, found = await self.ask(method, path, body, raw=raw)
        assert status >= 400, found
        assert set(found) == {"code", "message"}
        assert found["message"].endswith((".", "?")), found
        return status, found["code"]

    async def table(self, game: str, *seats: str, **more: Any) -> Any:
        """A table that has begun. A seat is `me`, a name, or `bot:level`."""
        wishes = []
        for seat in seats:
            kind, _, level = seat.partition(":")
            if kind == "bot":
                wishes.append({"kind": "bot", "level": level})
            else:
                wishes.append({"kind": "me"} if kind == "me" else {"kind": "me", "name": seat})
        body = {"game": game, "seats": wishes, "start": True, **more}
        return await self.done("POST", "/tables", body)

    async def open(self, table: str, seat: int | None = None, **query: Any) -> Page:
        """A page that looks at a table, after its first message."""
        page = Page(self, table, seat, **query)
        await page.until(lambda: page.hello is not None or page.closed is not None)
        return page


class Page:
    """A connection, as the page has it: what it was sent, and what it knows by that."""

    def __init__(self, tab: Tab, table: str, seat: int | None = None, **query: Any) -> None:
        self.tab = tab
        self.table = table
        self.id = f"page {len(tab.pages)}"
        self.seat = seat
        self.got: list[Any] = []
        self.hello: Any = None
        self.state: Any = None
        """The last hello or update."""
        self.info: Any = None
        self.entries: list[Any] = []
        self.notices: list[Any] = []
        self.errors: list[Any] = []
        self.closed: tuple[int, str] | None = None
        self._answers: dict[str, Any] = {}
        self._changed = asyncio.Event()
        self._requests = 0
        tab.pages[self.id] = self
        asked = {**({} if seat is None else {"seat": seat}), **query}
        path = f"/ws/v1/tables/{table}?" + "&".join(f"{key}={value}" for key, value in asked.items())
        tab._in_tab(tab.app.connect, self.id, path)

    def take(self, message: Any) -> None:
        self.got.append(message)
        kind = message["type"]
        if kind in ("hello", "update"):
            if kind == "hello":
                self.hello, self.info = message, message["table"]
            else:
                assert message["version"] > self.state["version"]
                numbers = [entry["number"] for entry in message["entries"]]
                expected = list(range(self.state["version"] + 1, message["version"] + 1))
                assert numbers == expected, "no entry is left out, and none comes twice"
            newest = (self.table, message["version"])
            assert not message["version"] or newest in self.tab.disk.entries, "nothing is shown before it is stored"
            self.state = message
            self.entries += message["entries"]
        elif kind == "table":
            self.info = message["table"]
        elif kind == "notice":
            self.notices.append(message)
        elif kind == "error":
            self.errors.append(message)
        answered = message.get("ack") or message.get("id")
        if answered:
            self._answers[answered] = message
        self._changed.set()

    def on_closed(self, code: int, reason: str) -> None:
        self.closed = (code, reason)
        self._changed.set()

    async def until(self, happened: Callable[[], Any]) -> Any:
        """Wait until something is true; TabClosed if the tab dies before."""
        async with asyncio.timeout(LONGEST):
            while not (found := happened()):
                self._changed.clear()
                await self.tab.or_closed(self._changed.wait())
        return found

    def say(self, text: str) -> None:
        """Send a text as it is."""
        self.tab._in_tab(self.tab.app.receive, self.id, text)

    async def ask(self, kind: str, **fields: Any) -> Any:
        """A request and its answer."""
        self._requests += 1
        number = f"{self.id}.{self._requests}"
        self.say(json.dumps({"type": kind, "id": number, **fields}))
        return await self.until(lambda: self._answers.get(number))

    async def play(self, move: str) -> Any:
        """Make a move, which must be possible."""
        answer = await self.ask("play", move=move, decision=self.state["decision"]["id"])
        assert answer["type"] in ("update", "ack"), answer
        return answer

    async def my_turn(self) -> bool:
        """Wait until this seat must decide or the game is over; whether it must decide."""
        await self.until(lambda: self.over or (self.state["decision"] or {}).get("due"))
        return not self.over

    async def reach(self, version: int) -> None:
        """Wait until the page has this version of the table."""
        await self.until(lambda: self.state["version"] >= version)

    async def end(self) -> None:
        """Wait until the page knows that the game is over."""
        await self.until(lambda: self.over and self.info["state"] == "finished")

    @property
    def over(self) -> bool:
        return self.state["view"] is not None and self.state["view"]["outcome"] is not None

    def moves(self) -> list[str]:
        return [each["move"] for each in self.state["legal"]]

    def leave(self) -> None:
        self.tab._in_tab(self.tab.app.disconnect, self.id)


Scenario = Callable[[Disk], Coroutine[Any, Any, None]]


def run(scenario: Scenario, seed: object = "rain") -> None:
    """Run a scenario to its end in simulated time, then close its tabs. Nothing may be left over or have failed."""
    loop = SimulatedLoop()
    before = replace_sources(SimulatedSources(loop, Random(str(seed))))
    failed: list[Any] = []
    loop.set_exception_handler(lambda _loop, context: failed.append(context))
    with warnings.catch_warnings():
        # Tabs that have crashed leave things undone, and have no last words.
        warnings.filterwarnings("ignore", "coroutine .* was never awaited")
        try:
            loop.run_until_complete(_whole(scenario))
            left = [task for task, tab in loop.open_tasks() if tab is None or tab.alive]
            assert not left, f"tasks that do not end: {left}"
        finally:
            replace_sources(before)
            logging.disable()
            loop.close_down()
            collect_quietly()
            logging.disable(logging.NOTSET)
    assert not failed


def run_in_real_time(scenario: Scenario) -> None:
    """The same with the time of this machine, for scenarios with a real server."""
    asyncio.run(asyncio.wait_for(_whole(scenario), LONGEST))


async def _whole(scenario: Scenario) -> None:
    disk = Disk()
    await scenario(disk)
    for tab in list(disk.tabs):
        tab.lives_for = None
        await tab.stop()


async def play_out(page: Page, choose: Callable[[list[str]], str] = lambda moves: moves[0]) -> None:
    """Play a seat to the end of the game."""
    while await page.my_turn():
        await page.play(choose(page.moves()))
    await page.end()
