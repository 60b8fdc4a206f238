"""Bots, hints and analyses on a device. All thinking is done elsewhere: in another worker of the browser."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from wellies.core.events import Json
from wellies.core.sources import random_below
from wellies.local.live_table import LocalTable
from wellies.table.analysis import Question
from wellies.table.bot_driver import TableBots
from wellies.table.codec import encode
from wellies.table.errors import BotTrouble
from wellies.table.hub import TableHub

TRIES: Final = 3
"""How often a bot is asked for a move if its worker is lost."""
SEEDS: Final = 1 << 53
"""Seeds are below this: a number that JavaScript can hold."""


class BotWorker(Protocol):
    """The other worker. It runs `bot_worker.choose` and `bot_worker.judge`; both fail with any error if it is lost."""

    async def choose(self, task: str) -> str: ...

    async def judge(self, task: str) -> str: ...


class Thinking:
    """Asks the other worker, and asks again if it is lost. The worker does one thing at a time, in the order in which
    it is asked. An analysis asks for one move at a time, so bots and hints wait for one move of it at most."""

    def __init__(self, worker: BotWorker) -> None:
        self._worker = worker

    async def choose(self, level: str, view: Any, seat: int) -> tuple[str, str]:
        """The bot's move in notation and in words; BotTrouble if it fails."""
        found = await self._ask_bot(level, view, seat, {})
        return found["move"], found["words"]

    async def hint(self, level: str, view: Any, seat: int) -> Json:
        """The move that a bot would choose, and why; see `bot_tasks.hint`. BotTrouble if it fails."""
        return await self._ask_bot(level, view, seat, {"hint": True})

    async def _ask_bot(self, level: str, view: Any, seat: int, more: Json) -> Json:
        for _ in range(TRIES):
            task = {"level": level, "view": encode(view), "seat": seat, "seed": random_below(SEEDS), **more}
            found = await self._ask(f"The bot {level}", self._worker.choose, task)
            if found is not None:
                return found
        raise BotTrouble(f"The bot {level} was lost {TRIES} times.")

    async def judge(self, question: Question, nodes: int) -> Json:
        """The analysis of a move of a finished game; BotTrouble if it fails."""
        task = {
            "view": encode(question.view),
            "seat": question.seat,
            "move": question.move,
            "number": question.number,
            "nodes": nodes,
        }
        for _ in range(TRIES):
            found = await self._ask("The analysis", self._worker.judge, task)
            if found is not None:
                return found
        raise BotTrouble(f"The analysis was lost {TRIES} times.")

    async def _ask(self, who: str, ask: Callable[[str], Awaitable[str]], task: Json) -> Json | None:
        """The answer; None if the worker was lost. An error of the bot itself is BotTrouble."""
        try:
            answer: Json = json.loads(await ask(encode(task)))
        except Exception:
            # Whatever JavaScript throws: the worker could not be started, ran out of memory, or was stopped.
            return None
        if "failure" in answer:
            raise BotTrouble(f"{who} made a mistake ({answer['failure']}).")
        return answer


class LocalBots(TableBots[LocalTable]):
    """Moves the bots of the tables of a device."""

    def __init__(self, hub: TableHub[LocalTable], stand_in_seconds: float, thinking: Thinking) -> None:
        super().__init__(hub, stand_in_seconds)
        self._thinking = thinking

    async def _ask(self, live: LocalTable, level: str, view: Any, seat: int) -> str:
        text, _ = await self._thinking.choose(level, view, seat)
        return text
