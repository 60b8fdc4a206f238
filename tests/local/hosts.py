"""The device around `wellies.local`, in Python: what JavaScript, IndexedDB and a second worker are in a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from wellies.local import bot_worker
from wellies.local.browser import LocalApp, open_app
from wellies.server import messages

LONGEST = 120.0
"""Seconds that anything may take before a test fails."""

_decode = msgspec.json.Decoder(messages.FromServer).decode


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

    def add(self, table: str, first: int, entries: str, row: str) -> bool:
        """One transaction."""
        new = {(table, first + number): json.dumps(entry) for number, entry in enumerate(json.loads(entries))}
        if any(key in self.entries for key in new) or (not new and table in self.rows):
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

    def remove(self, table: str) -> None:
        self.rows.pop(table, None)
        for key in [key for key in self.entries if key[0] == table]:
            del self.entries[key]


class Tab:
    """A tab of a browser: a host, with the app that uses it. Tabs tell each other what they have stored, unless they
    are deaf."""

    def __init__(self, disk: Disk, *, deaf: bool = False) -> None:
        self.disk = disk
        self.deaf = deaf
        self.pages: dict[str, Page] = {}
        self.asked: list[Any] = []
        """The tasks for bots."""
        self.before_store: Callable[[], None] = lambda: None
        self.after_store: Callable[[], None] = lambda: None
        """Tests let these fail."""
        self.think: Callable[[str], str] = bot_worker.choose
        self.app: LocalApp = open_app(self)
        disk.tabs.append(self)

    def _tell_others(self, table: str) -> None:
        for tab in self.disk.tabs:
            if tab is not self and not tab.deaf:
                tab.app.stored_elsewhere(table)

    async def stop(self) -> None:
        self.disk.tabs.remove(self)
        await self.app.stop()

    # --- the host --------------------------------------------------------------------------------------------------

    def send(self, conn: str, text: str) -> None:
        check_message(json.loads(text))
        self.pages[conn].take(json.loads(text))

    def close(self, conn: str, code: int, reason: str) -> None:
        self.pages[conn].on_closed(code, reason)

    async def load(self, table: str) -> str | None:
        await asyncio.sleep(0)
        return self.disk.load(table)

    async def store(self, table: str, first: int, entries: str, row: str) -> bool:
        await asyncio.sleep(0)
        self.before_store()
        done = self.disk.add(table, first, entries, row)
        self.after_store()
        await asyncio.sleep(0)
        if done:
            self._tell_others(table)
        return done

    async def put_row(self, table: str, row: str) -> None:
        if table in self.disk.rows:
            self.disk.rows[table] = row

    async def list(self) -> str:
        return f"[{','.join(self.disk.rows.values())}]"

    async def remove(self, table: str) -> None:
        self.disk.remove(table)
        self._tell_others(table)

    async def choose(self, task: str) -> str:
        self.asked.append(json.loads(task))
        return await asyncio.to_thread(self.think, task)

    async def judge(self, task: str) -> str:
        return await asyncio.to_thread(bot_worker.judge, task)

    async def name(self) -> str | None:
        return self.disk.name or None

    async def set_name(self, name: str) -> None:
        self.disk.name = name

    # --- the page --------------------------------------------------------------------------------------------------

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """A request and its answer: the status, and the body or text."""
        given = None if body is None else json.dumps(body)
        answer = json.loads(await self.app.request(method, f"/api/v1{path}", given))
        assert set(answer) == {"status", "body", "text"}
        return answer["status"], answer["body"] if answer["text"] is None else answer["text"]

    async def done(self, method: str, path: str, body: Any = None) -> Any:
        """The body of an answer that must not be an error."""
        status, found = await self.ask(method, path, body)
        assert status in (200, 201), found
        return found

    async def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        """The status and the code of an answer that must be an error with a sentence."""
        status, found = await self.ask(method, path, body)
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
        self.id = f"page {len(tab.pages)}"
        self.seat = seat
        self.got: list[Any] = []
        self.hello: Any = None
        self.state: Any = None
        """The last hello or update."""
        self.info: Any = None
        self.entries: list[Any] = []
        self.notices: list[Any] = []
        self.closed: tuple[int, str] | None = None
        self._answers: dict[str, Any] = {}
        self._changed = asyncio.Event()
        self._requests = 0
        tab.pages[self.id] = self
        asked = {**({} if seat is None else {"seat": seat}), **query}
        tab.app.connect(self.id, f"/ws/v1/tables/{table}?" + "&".join(f"{key}={value}" for key, value in asked.items()))

    def take(self, message: Any) -> None:
        self.got.append(message)
        kind = message["type"]
        if kind in ("hello", "update"):
            if kind == "hello":
                self.hello, self.info = message, message["table"]
            else:
                assert message["version"] > self.state["version"]
                assert [entry["number"] for entry in message["entries"]] == list(
                    range(self.state["version"] + 1, message["version"] + 1)
                ), "no entry is left out, and none comes twice"
                assert self.tab.disk.load(self.info["id"]) is not None
                stored = json.loads(self.tab.disk.load(self.info["id"]) or "")["entries"]
                assert len(stored) >= message["version"], "nothing is shown before it is stored"
            self.state = message
            self.entries += message["entries"]
        elif kind == "table":
            self.info = message["table"]
        elif kind == "notice":
            self.notices.append(message)
        answered = message.get("ack") or message.get("id")
        if answered:
            self._answers[answered] = message
        self._changed.set()

    def on_closed(self, code: int, reason: str) -> None:
        self.closed = (code, reason)
        self._changed.set()

    async def until(self, happened: Callable[[], Any]) -> Any:
        async with asyncio.timeout(LONGEST):
            while not (found := happened()):
                self._changed.clear()
                await self._changed.wait()
        return found

    async def ask(self, kind: str, **fields: Any) -> Any:
        """A request and its answer."""
        self._requests += 1
        number = f"{self.id}.{self._requests}"
        self.tab.app.receive(self.id, json.dumps({"type": kind, "id": number, **fields}))
        return await self.until(lambda: self._answers.get(number))

    async def play(self, move: str) -> Any:
        """Make a move, which must be possible."""
        answer = await self.ask("play", move=move, decision=self.state["decision"]["id"])
        assert answer["type"] == "update", answer
        return answer

    async def my_turn(self) -> bool:
        """Wait until this seat must decide or the game is over; whether it must decide."""
        await self.until(lambda: self.over or (self.state["decision"] or {}).get("due"))
        return not self.over

    @property
    def over(self) -> bool:
        return self.state["view"] is not None and self.state["view"]["outcome"] is not None

    def moves(self) -> list[str]:
        return [each["move"] for each in self.state["legal"]]

    def leave(self) -> None:
        self.tab.app.disconnect(self.id)


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scenario to its end."""
    asyncio.run(asyncio.wait_for(scenario(), LONGEST))


async def play_out(page: Page, choose: Callable[[list[str]], str] = lambda moves: moves[0]) -> None:
    """Play a seat to the end of the game."""
    while await page.my_turn():
        await page.play(choose(page.moves()))
    await page.until(lambda: page.info["state"] == "finished")
