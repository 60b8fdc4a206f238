"""Lets bots move where it is their turn: one task for each table."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from typing import Any, Generic

from wellies.core.dice import Stream
from wellies.core.errors import MoveError
from wellies.core.sources import monotonic, random_bytes
from wellies.table.errors import BotTrouble, Refused, StorageTrouble
from wellies.table.hub import Shown, TableHub
from wellies.table.table import Table


class TableBots(ABC, Generic[Shown]):
    """Moves the bots of the tables of one hub. `stand_in_seconds` is the shortest time for a move of a bot that stands
    in for a person."""

    def __init__(self, hub: TableHub[Shown], stand_in_seconds: float) -> None:
        self._tables = hub
        self._stand_in_seconds = stand_in_seconds

    @abstractmethod
    async def _ask(self, live: Shown, level: str, view: Any, seat: int) -> str:
        """The move that a bot chooses; BotTrouble if it fails."""

    def _on_late_move(self, live: Shown, seat: int, error: Exception) -> None:
        """A bot's move came too late."""

    def wake(self, live: Shown) -> None:
        """Start the task of a table if a bot is to move there."""
        if live.bot_task is None and not self._tables.stopping.is_set() and live.table.bots_due():
            live.bot_task = self._tables.spawn(self._run(live), "bots")

    async def _run(self, live: Shown) -> None:
        try:
            await self._move_all(live)
        finally:
            live.bot_task = None

    async def _move_all(self, live: Shown) -> None:
        failures = 0
        while due := live.table.bots_due():
            try:
                await self._move(live, due[0])
            except StorageTrouble:
                # Nothing is lost: the bot chooses again when the store is back.
                await asyncio.sleep(min(5.0, 0.5 * 2**failures))
                failures += 1
                async with live.lock:
                    live.may_be_stale = True
            else:
                failures = 0

    async def _move(self, live: Shown, seat: int) -> None:
        table = live.table
        level, view = table.seats[seat].bot, live.view(seat)
        decision = None if table.match is None else table.match.decision(seat)
        if level is None or view is None or decision is None:
            return
        choosing = self._choose(live, level, view, seat)
        text = await self._while_open(live, seat, decision.id, choosing)
        if text is None:
            return

        def act(trial: Table) -> None:
            if trial.state == "playing" and trial.seats[seat].bot is not None:
                trial.play(seat, text, decision.id, self._tables.clock.now(), by_bot=True)

        try:
            await self._tables.change(live, act)
        except (MoveError, Refused) as error:
            self._on_late_move(live, seat, error)
            if live.table is table:
                raise

    async def _choose(self, live: Shown, level: str, view: Any, seat: int) -> str:
        """The bot's move. A bot that stands in for a person takes at least the time that a person would."""
        table = live.table
        pause = self._stand_in_seconds if table.seats[seat].stand_in else 0.0
        ready = monotonic() + pause
        try:
            text = await self._ask(live, level, view, seat)
        except BotTrouble as error:
            why = f"{error} A plain move is played instead, so that the game goes on."
            self._tables.notice(live, "bot_trouble", why)
            text = _random_move(table, seat)
        await asyncio.sleep(max(0.0, ready - monotonic()))
        return text

    async def _while_open(self, live: Shown, seat: int, decision: str, work: Coroutine[Any, Any, str]) -> str | None:
        """The result of the work. None, and the work is cancelled, once the bot no longer has this decision: it was
        taken back, or the person plays again."""
        choosing = asyncio.create_task(work, name="a bot's move")
        try:
            while not choosing.done() and live.table.bot_decides(seat, decision):
                changed = asyncio.create_task(live.changed.wait(), name="wait for a change")
                try:
                    await asyncio.wait({choosing, changed}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    changed.cancel()
            return choosing.result() if choosing.done() else None
        finally:
            if not choosing.done():
                choosing.cancel()
                await asyncio.gather(choosing, return_exceptions=True)


def _random_move(table: Table, seat: int) -> str:
    """A legal move at random, for a bot that has failed."""
    assert table.match is not None
    moves = table.match.choices(seat)
    move = moves[Stream(random_bytes(16)).randrange(len(moves))]
    return table.spec.move_text(table.match.state, seat, move)
