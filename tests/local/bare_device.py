"""A device in nothing but Python's own library: it plays games on `wellies.local` and prints what came of them.

`test_engine_archive.py` runs it with the archive that a browser gets, in a Python where everything is forbidden that a
browser does not have.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

SHORT = {"guppies": {"tiles": 64}, "marram": {"length": "short"}, "umbradeco": {"mat": "small"}}
"""Options with which a game does not take long."""


class BareHost:
    """All that `wellies.local.browser` asks of a host."""

    def __init__(self) -> None:
        from wellies.local import bot_worker

        self.rows: dict[str, str] = {}
        self.entries: dict[str, list[Any]] = {}
        self.got: dict[int, asyncio.Queue[Any]] = {}
        self._worker = bot_worker

    def send(self, conn: int, text: str) -> None:
        self.got[conn].put_nowait(json.loads(text))

    def close(self, conn: int, code: int, reason: str) -> None:
        raise AssertionError(f"closed with {code}: {reason}")

    def load(self, table: str) -> str | None:
        if table not in self.rows:
            return None
        return f'{{"row":{self.rows[table]},"entries":{json.dumps(self.entries[table])}}}'

    def store(self, table: str, first: int, entries: str, row: str) -> bool:
        log = self.entries.setdefault(table, [])
        if first != len(log) + 1:
            return False
        log += json.loads(entries)
        self.rows[table] = row
        return True

    def put_row(self, table: str, row: str) -> None:
        self.rows[table] = row

    def list(self) -> str:
        return f"[{','.join(self.rows.values())}]"

    def remove(self, table: str) -> None:
        del self.rows[table], self.entries[table]

    def name(self) -> None:
        """There is none yet."""

    def set_name(self, name: str) -> None:
        raise AssertionError(name)

    async def choose(self, task: str) -> str:
        return self._worker.choose(task)

    async def judge(self, task: str) -> str:
        return self._worker.judge(task)


async def play(level: str, game: str) -> dict[str, Any]:
    """A game against a bot, with a hint, a preview and a takeback, then all that can be done with it."""
    from wellies.local.browser import open_app
    from wellies.local.settings import LocalSettings

    host = BareHost()
    app = open_app(host, LocalSettings(analysis_seconds=1.0))

    async def ask(method: str, path: str, body: Any = None) -> Any:
        answer = json.loads(await app.request(method, f"/api/v1{path}", None if body is None else json.dumps(body)))
        assert answer["status"] < 400, answer
        return answer["body"] if answer["text"] is None else answer["text"]

    [few] = [each["min_seats"] for each in await ask("GET", "/games") if each["name"] == game]
    seats = [{"kind": "me"}] + [{"kind": "bot", "level": level}] * (few - 1)
    body = {"game": game, "seats": seats, "start": True, "options": SHORT.get(game, {})}
    table = (await ask("POST", "/tables", body))["id"]
    got = host.got[1] = asyncio.Queue()
    app.connect(1, f"/ws/v1/tables/{table}?seat=0")
    state = await got.get()
    asked = 0

    async def request(kind: str, **fields: Any) -> Any:
        nonlocal state, asked
        asked += 1
        app.receive(1, json.dumps({"type": kind, "id": str(asked), **fields}))
        while True:
            message = await got.get()
            state = message if message["type"] == "update" else state
            if str(asked) in (message.get("ack"), message.get("id")):
                assert message["type"] != "error", message
                return message

    while state["view"]["outcome"] is None:
        if not (state["decision"] or {}).get("due"):
            message = await got.get()
            state = message if message["type"] == "update" else state
            continue
        move = state["legal"][-1]["move"]
        if not asked:
            await request("preview", move=move)
            await request("why", move="nonsense")
            move = (await request("hint"))["move"]
        decision = state["decision"]["id"]
        await request("play", move=move, decision=decision)
        if asked < 6 and state["undo"]["kind"]:
            await request("undo")
    record = await ask("GET", f"/tables/{table}/record")
    verdict = await ask("POST", "/verify", {"record": record})
    await ask("POST", "/import", {"record": record})
    await ask("GET", f"/tables/{table}/replay?seat=0")
    await ask("POST", f"/tables/{table}/analysis")
    while (found := await ask("GET", f"/tables/{table}/analysis"))["state"] in ("waiting", "thinking"):
        await asyncio.sleep(0.02)
    again = await ask("POST", f"/tables/{table}/rematch")
    await ask("DELETE", f"/tables/{again['id']}")
    await app.stop()
    return {"game": game, "verified": verdict["ok"], "analysis": found["state"], "judged": len(found["moves"])}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(play(*sys.argv[1:3]))))
