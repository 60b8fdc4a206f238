"""The tables of this device that are in memory, and the one way to change them.

A change is tried on a fork, stored, and only then shown. Every tab of a browser has a hub of its own over one store: if
another tab has stored the next entry first, this one catches up from the store and tries again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import Any, Final

from wellies.core.errors import WelliesError
from wellies.core.sources import now_millis
from wellies.local.bots import BotWorker, LocalBots, Thinking
from wellies.local.live_table import LocalTable, LocalViewer
from wellies.local.messages import message
from wellies.local.store import LocalStore, StoredTable
from wellies.table import LogEntry, Refused, Table
from wellies.table.connection import CLOSE_NO_TABLE
from wellies.table.errors import StorageTrouble
from wellies.table.hub import TableHub
from wellies.table.ids import is_local_id
from wellies.table.rows import row_of, table_from_row
from wellies.table.settings import STAND_IN_LEVEL, STAND_IN_SECONDS

DEVICE: Final = "device"
"""The identity of whoever uses this device. It holds every seat that is not a bot's."""
KEPT: Final = 4
"""Tables kept in memory at which nobody looks."""
RESCUE_SECONDS: Final = 10.0
"""Bots are moved by the tab that made the last change. If it does not do it for so long, another tab does."""

_log = logging.getLogger("wellies.local")


class DeviceClock:
    """The clock of this device, made so that it never goes back."""

    def __init__(self) -> None:
        self._last = 0

    def now(self) -> int:
        self._last = max(self._last, now_millis())
        return self._last


def no_table() -> Refused:
    return Refused("no_table", "There is no such table on this device.", 404)


class LocalHub(TableHub[LocalTable]):
    """All tables of one device, as one tab knows them."""

    def __init__(self, store: LocalStore, worker: BotWorker, stand_in_seconds: float = STAND_IN_SECONDS) -> None:
        super().__init__()
        self.clock = DeviceClock()
        self.store = store
        self.thinking = Thinking(worker)
        self.bots = LocalBots(self, stand_in_seconds, self.thinking)
        self.tables: OrderedDict[str, LocalTable] = OrderedDict()
        """Those in memory, the least recently used first."""
        self._loading: dict[str, asyncio.Task[LocalTable]] = {}

    async def stop(self) -> None:
        """Stop all tasks; what is being stored is stored to the end."""
        self.stopping.set()
        for live in self.tables.values():
            live.stop_timers()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._changes, *self._loading.values(), return_exceptions=True)

    # --- finding tables --------------------------------------------------------------------------------------------

    async def get(self, table_id: str) -> LocalTable:
        """The table, loaded if need be; Refused (404) if there is none."""
        if not is_local_id(table_id):
            raise no_table()
        live = self.tables.get(table_id)
        if live is None:
            live = await self._load_once(table_id)
        elif live.may_be_stale:
            async with live.lock:
                await self.catch_up(live)
        if live.gone:
            raise no_table()
        self._keep(live)
        return live

    async def _load_once(self, table_id: str) -> LocalTable:
        """Load a table. All who ask for it meanwhile wait for the same, and get the same."""
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id), name="load a table")
            loading.add_done_callback(lambda task: self._on_loaded(table_id, task))
        return await asyncio.shield(loading)

    def _on_loaded(self, table_id: str, task: asyncio.Task[LocalTable]) -> None:
        del self._loading[table_id]
        if not task.cancelled():
            task.exception()  # whoever asked is told, unless they are gone

    async def _load(self, table_id: str) -> LocalTable:
        found = await self._read(table_id)
        table = table_from_row(found.row)
        await self._apply(table, found.entries)
        return self._live(table, found.row)

    async def _read(self, table_id: str) -> StoredTable:
        found = await self.store.load(table_id)
        if found is None:
            raise no_table()
        return found

    def _live(self, table: Table, row: dict[str, Any]) -> LocalTable:
        live = self.tables.get(table.id)
        if live is None:
            live = LocalTable(table, row)
        self._keep(live)
        self._set_clock(live)
        return live

    def _keep(self, live: LocalTable) -> None:
        """Keep a table in memory, and drop those that were not used for longest if there are too many."""
        self.tables[live.table.id] = live
        self.tables.move_to_end(live.table.id)
        idle = [each for each in self.tables.values() if each.idle and each is not live]
        for each in idle[: max(0, len(idle) - KEPT)]:
            each.stop_timers()
            del self.tables[each.table.id]

    # --- changing tables -------------------------------------------------------------------------------------------

    async def create(self, table: Table) -> LocalTable:
        """Store a new table with the entries it begins with."""
        return await self._to_the_end(self._create(table))

    async def _create(self, table: Table) -> LocalTable:
        row = row_of(table)
        await self.store.store(table.id, 1, table.uncommitted, row)
        table.take_uncommitted()
        live = self._live(table, row)
        self.bots.wake(live)
        return live

    async def _store(self, trial: Table) -> None:
        live = self.tables.get(trial.id)
        row = {**({} if live is None else live.row), **row_of(trial)}
        await self.store.store(trial.id, trial.uncommitted[0].number, trial.uncommitted, row)
        if live is not None:
            live.row = row

    def _announce(self, live: LocalTable, trial: Table) -> None:
        trial.take_uncommitted()
        live.show(trial)
        self._set_clock(live)
        self.bots.wake(live)

    async def _entries_after(self, table_id: str, version: int) -> list[LogEntry]:
        found = await self.store.load(table_id)
        if found is None:
            self.forget(table_id)
            raise no_table()
        live = self.tables.get(table_id)
        if live is not None:
            live.row = found.row
        return found.entries[version:]

    def _may_have_missed(self, live: LocalTable) -> bool:
        """Another tab may have been first at any time, and nobody may have told us yet."""
        return True

    async def note(self, live: LocalTable, **columns: Any) -> None:
        """Store something in the row of a table that is not part of its log."""
        async with live.lock:
            row = {**live.row, **columns}
            await self.store.put_row(live.table.id, row)
            live.row = row

    async def remove(self, table_id: str) -> None:
        """Remove a table for good; Refused (404) if there is none."""
        live = await self.get(table_id)
        async with live.lock:
            await self.store.remove(table_id)
            self.forget(table_id)

    def forget(self, table_id: str) -> None:
        """A table was removed, here or by another tab."""
        live = self.tables.pop(table_id, None)
        if live is None:
            return
        live.gone = True
        live.stop_timers()
        if live.bot_task is not None:
            live.bot_task.cancel()
        for viewer in list(live.viewers):
            viewer.close(CLOSE_NO_TABLE, "this table was deleted")

    async def stored_elsewhere(self, table_id: str) -> None:
        """Another tab has stored or removed something: catch up, if we have the table in memory."""
        live = self.tables.get(table_id)
        if live is None:
            return
        async with live.lock:
            try:
                await self.catch_up(live)
            except StorageTrouble:
                live.may_be_stale = True
            except Refused:
                return  # it was removed, and those who looked at it have been told
        self._set_clock(live)
        self._rescue(live)

    # --- viewers ---------------------------------------------------------------------------------------------------

    def enter(self, live: LocalTable, viewer: LocalViewer) -> None:
        """Somebody looks at the table from now on."""
        live.viewers[viewer] = None
        self._tell_presence(live)

    def leave(self, live: LocalTable, viewer: LocalViewer) -> None:
        """Somebody no longer looks at the table."""
        live.viewers.pop(viewer, None)
        self._tell_presence(live)

    def _tell_presence(self, live: LocalTable) -> None:
        text = message("presence", presence=live.presence())
        for viewer in list(live.viewers):
            viewer.on_presence(text)

    def notice(self, live: LocalTable, code: str, text: str) -> None:
        live.tell(message("notice", code=code, message=text))

    # --- timers ----------------------------------------------------------------------------------------------------

    def _rescue(self, live: LocalTable) -> None:
        """Move the bots after a while, if the tab that should do it has been closed."""
        if live.rescue_timer is not None:
            live.rescue_timer.cancel()
        live.rescue_timer = None
        if live.table.bots_due() and not live.gone:
            loop = asyncio.get_running_loop()
            live.rescue_timer = loop.call_later(RESCUE_SECONDS, self.bots.wake, live)

    def _set_clock(self, live: LocalTable) -> None:
        """Wait for the next clock to run out."""
        if live.clock_timer is not None:
            live.clock_timer.cancel()
        live.clock_timer = None
        deadline = live.table.clocks.deadline() if live.table.state == "playing" and not live.gone else None
        if deadline is not None:
            wait = max(0.0, (deadline - self.clock.now()) / 1000)
            live.clock_timer = asyncio.get_running_loop().call_later(wait, self._on_time_out, live)

    def _on_time_out(self, live: LocalTable) -> None:
        live.clock_timer = None
        if not self.stopping.is_set():
            self.spawn(self._time_out(live), "a clock has run out")

    async def _time_out(self, live: LocalTable) -> None:
        if live.table.run_out(self.clock.now()):
            here, _ = live.watched_here()
            try:
                await self.change(live, lambda trial: trial.time_out(STAND_IN_LEVEL, self.clock.now(), here))
            except StorageTrouble as error:
                _log.warning("a clock could not be stored: %s", error)
                await asyncio.sleep(1.0)
        self._set_clock(live)

    # --- failures --------------------------------------------------------------------------------------------------

    def _on_failed_task(self, name: str, error: BaseException) -> None:
        _log.error("a task failed: %s", name, exc_info=error)

    def _on_failed_return(self, live: LocalTable, error: WelliesError) -> None:
        _log.warning("a seat could not be given back: %s", error)
