"""The one way to change a table: the change is tried on a fork, stored, and only then shown to anybody.

Several processes may change the same table: if another one was first, this one catches up from the log and tries
again.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import Any, Final, Generic, Protocol, TypeVar

from wellies.core.errors import WelliesError
from wellies.table.errors import Conflict, Refused
from wellies.table.live_table import ShownTable
from wellies.table.log import LogEntry
from wellies.table.table import Table

TRIES: Final = 12
"""How often a change is tried because another process was first."""
YIELD_EVERY: Final = 64
"""Entries replayed before other work gets a turn."""

Answer = TypeVar("Answer")
Shown = TypeVar("Shown", bound="ShownTable[Any]")


class TableClock(Protocol):
    """The time by which tables are played."""

    def now(self) -> int:
        """The time in milliseconds since 1970."""


async def result_of(task: asyncio.Task[Answer]) -> Answer:
    """The result of a task, which goes on if whoever waits for it is gone. (From Python 3.14 on, `asyncio.shield`
    reports a refusal that nobody waits for any more as if it were a bug.)"""
    await asyncio.wait({task})
    return task.result()


class TableHub(ABC, Generic[Shown]):
    """Tables in memory that can be changed."""

    clock: TableClock

    def __init__(self) -> None:
        self.stopping = asyncio.Event()
        self._tasks: dict[asyncio.Task[Any], None] = {}
        """In the order in which they began, which is that in which they are cancelled."""
        self._changes: set[asyncio.Task[Any]] = set()
        """Changes under way. They are never cancelled: whatever is stored is also shown."""

    # --- what a hub adds -------------------------------------------------------------------------------------------

    @abstractmethod
    async def _new_entries(self, live: Shown) -> list[LogEntry]:
        """What the store has of a table after the entries that are shown."""

    @abstractmethod
    async def _store(self, live: Shown, trial: Table) -> None:
        """Store what is new of a table. `Conflict`: another process was first."""

    @abstractmethod
    def _announce(self, live: Shown, trial: Table) -> None:
        """A change is stored: show it, and let bots answer."""

    @abstractmethod
    def _may_have_missed(self, live: Shown) -> bool:
        """Whether another process may have changed the table without our knowing."""

    @abstractmethod
    def notice(self, live: Shown, code: str, text: str) -> None:
        """Tell the people at the table something that is not part of the game."""

    def _on_checked(self, live: Shown) -> None:
        """The table is as new as the store."""
        live.may_be_stale = False

    def _on_conflict(self, live: Shown) -> None:
        """Another process was first."""

    def _on_doubt(self, live: Shown) -> None:
        """It is open whether a change was stored."""
        live.may_be_stale = True

    def _on_failed_task(self, name: str, error: BaseException) -> None:
        """A task has failed: a bug."""

    def _on_failed_change(self, error: BaseException) -> None:
        """A change was not made. Whoever asked has been told, unless they are gone."""

    # --- tasks -----------------------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run a task until it ends or the hub stops."""
        task: asyncio.Task[Any] = asyncio.create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._on_failed_task(task.get_name(), error)

    # --- catching up -----------------------------------------------------------------------------------------------

    async def _apply(self, table: Table, entries: list[LogEntry]) -> None:
        for count, entry in enumerate(entries, 1):
            table.apply(entry)
            if count % YIELD_EVERY == 0:
                await asyncio.sleep(0)

    async def catch_up(self, live: Shown) -> bool:
        """Apply what other processes have stored; the caller holds the lock. Whether there was anything."""
        entries = await self._new_entries(live)
        self._on_checked(live)
        if not entries:
            return False
        table = live.table.fork()
        await self._apply(table, entries)
        live.show(table)
        return True

    # --- changing --------------------------------------------------------------------------------------------------

    async def change(
        self, live: Shown, act: Callable[[Table], Answer], on_stored: Callable[[int], None] | None = None
    ) -> Answer:
        """Do something to a table and store it. If `act` raises, nothing has changed. `on_stored` gets the new version
        once it is stored, before anybody sees it."""
        return await self._to_the_end(self._change(live, act, on_stored))

    async def _to_the_end(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Store and show something in a task of its own: it is done even if whoever asked for it is gone."""
        task = asyncio.create_task(work, name="change")
        self._changes.add(task)
        task.add_done_callback(self._on_change_done)
        return await result_of(task)

    def _on_change_done(self, task: asyncio.Task[Any]) -> None:
        self._changes.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._on_failed_change(error)

    async def _change(
        self, live: Shown, act: Callable[[Table], Answer], on_stored: Callable[[int], None] | None
    ) -> Answer:
        async with live.lock:
            if live.may_be_stale:
                await self.catch_up(live)
            for _ in range(TRIES):
                trial = live.table.fork()
                try:
                    answer = act(trial)
                except WelliesError:
                    # This process may be behind: try again on the newest table.
                    if self._may_have_missed(live) and await self.catch_up(live):
                        continue
                    raise
                if not trial.uncommitted:
                    return answer
                try:
                    await self._store(live, trial)
                except Conflict:
                    self._on_conflict(live)
                    await self.catch_up(live)
                    continue
                except BaseException:
                    self._on_doubt(live)
                    raise
                if on_stored is not None:
                    on_stored(trial.version)
                self._announce(live, trial)
                return answer
        raise Refused("busy", "Too much is happening at this table; try again.")

    async def return_to_seats(self, live: Shown, person: str) -> None:
        """A person has opened the table: give back the seats that a bot plays because their time ran out."""
        if not any(live.table.seats[seat].timed_out for seat in live.table.seats_of(person)):
            return
        try:
            await self.change(live, lambda trial: trial.return_to_seats(person, self.clock.now()))
        except WelliesError as error:
            self._on_failed_return(live, error)

    def _on_failed_return(self, live: Shown, error: WelliesError) -> None:
        """A seat could not be given back."""
