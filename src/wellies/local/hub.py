"""The tables of this device that are in memory, and the one way to change them.

A change is tried on a fork, stored, and only then shown. Every tab of a browser has a hub of its own over one store: if
another tab has stored the next entry first, this one catches up from the store and tries again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from typing import Final

from wellies.core.errors import WelliesError
from wellies.core.events import Json
from wellies.core.sources import now_millis
from wellies.local.bots import BotWorker, LocalBots, Thinking
from wellies.local.live_table import LocalTable, LocalViewer
from wellies.local.messages import message
from wellies.local.settings import LocalSettings
from wellies.local.store import LocalStore
from wellies.table import LogEntry, Refused, Table, TableInfo
from wellies.table.connection import CLOSE_NO_TABLE
from wellies.table.errors import StorageTrouble
from wellies.table.hub import TableHub, result_of
from wellies.table.ids import is_local_id
from wellies.table.rows import info_from_row, row_of, table_from_row
from wellies.table.settings import STAND_IN_LEVEL

DEVICE: Final = "device"
"""The identity of whoever uses this device. It holds every seat that is not a bot's."""
KEPT: Final = 4
"""Tables kept in memory at which nobody looks."""
LONGEST_WAIT: Final = 3_600.0
"""Seconds that a timer waits at most: a browser's timer cannot wait for weeks, and ends at once instead."""
LONGEST_RETRY: Final = 5.0
"""Seconds between two questions to a store that fails, at most."""

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


def stored_row(table: Table) -> Json:
    """The row of a table, with `info`: what lists show, so that the page can show them without Python."""
    return {**row_of(table), "info": table.info_for(DEVICE)}


class LocalHub(TableHub[LocalTable]):
    """All tables of one device, as one tab knows them."""

    def __init__(self, store: LocalStore, worker: BotWorker, settings: LocalSettings) -> None:
        super().__init__()
        self.clock = DeviceClock()
        self.store = store
        self.settings = settings
        self.thinking = Thinking(worker)
        self.bots = LocalBots(self, settings.stand_in_seconds, self.thinking)
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
        return await result_of(loading)

    def _on_loaded(self, table_id: str, task: asyncio.Task[LocalTable]) -> None:
        del self._loading[table_id]
        if not task.cancelled():
            task.exception()  # whoever asked is told, unless they are gone

    async def _load(self, table_id: str) -> LocalTable:
        try:
            found = await self.store.load(table_id)
            if found is None:
                raise no_table()
            table = table_from_row(found.row)
            await self._apply(table, found.entries)
        except (StorageTrouble, Refused):
            raise
        except Exception as error:
            # Rules and rows may change from version to version, and whatever is stored may be damaged.
            _log.warning("a table cannot be read: %s", table_id, exc_info=True)
            why = "This game was stored by another version of Wellies or is damaged, so it cannot be opened."
            raise Refused("unreadable", f"{why} You can delete it.", 404) from error
        return self._live(table, found.row)

    def _live(self, table: Table, row: Json) -> LocalTable:
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

    async def infos(self) -> list[TableInfo]:
        """What lists show of all tables, in any order. Those that cannot be read are left out."""
        found = []
        for row in await self.store.rows():
            try:
                found.append(info_from_row(row, DEVICE, row["info"].get("updated")))
            except Exception:
                _log.warning("a row cannot be read: %s", row.get("id"), exc_info=True)
        return found

    async def _in_memory(self, table_id: str) -> LocalTable | None:
        """The table if it is in memory, or will be as soon as it is loaded."""
        loading = self._loading.get(table_id)
        if loading is not None:
            await asyncio.wait({loading})
        return self.tables.get(table_id)

    # --- changing tables -------------------------------------------------------------------------------------------

    async def create(self, table: Table) -> LocalTable:
        """Store a new table with the entries it begins with."""
        return await self._to_the_end(self._create(table))

    async def _create(self, table: Table) -> LocalTable:
        row = stored_row(table)
        await self.store.store(table.id, 1, table.uncommitted, row)
        table.take_uncommitted()
        live = self._live(table, row)
        self.bots.wake(live)
        return live

    async def _store(self, live: LocalTable, trial: Table) -> None:
        if live.gone:
            raise no_table()
        row = {**live.row, **stored_row(trial)}
        await self.store.store(trial.id, trial.uncommitted[0].number, trial.uncommitted, row)
        live.row = row

    def _announce(self, live: LocalTable, trial: Table) -> None:
        trial.take_uncommitted()
        live.show(trial)
        self._set_clock(live)
        self.bots.wake(live)

    async def _new_entries(self, live: LocalTable) -> list[LogEntry]:
        found = await self.store.load(live.table.id)
        if found is None:
            self._forget(live)
            raise no_table()
        live.row = found.row
        return found.entries[live.table.version :]

    async def catch_up(self, live: LocalTable) -> bool:
        found = await super().catch_up(live)
        if found:
            self._set_clock(live)
            self._set_rescue(live)
        return found

    def _may_have_missed(self, live: LocalTable) -> bool:
        """Another tab may have been first at any time, and nobody may have told us yet."""
        return True

    def _on_doubt(self, live: LocalTable) -> None:
        """The store has failed: find out how the table stands as soon as it answers."""
        super()._on_doubt(live)
        if live.doubt_task is None and not live.gone and not self.stopping.is_set():
            live.doubt_task = self.spawn(self._end_doubt(live), "ask the store again")

    async def _end_doubt(self, live: LocalTable) -> None:
        wait = self.settings.retry_seconds
        try:
            while live.may_be_stale and not live.gone:
                await asyncio.sleep(wait)
                wait = min(LONGEST_RETRY, 2 * wait)
                async with live.lock:
                    with contextlib.suppress(StorageTrouble, Refused):
                        await self.catch_up(live)
        finally:
            live.doubt_task = None
        if not live.gone:
            self.bots.wake(live)

    async def note(self, live: LocalTable, **columns: object) -> None:
        """Store something in the row of a table that is not part of its log."""
        async with live.lock:
            await self.catch_up(live)
            row = {**live.row, **stored_row(live.table), **columns}
            await self.store.put_row(live.table.id, row)
            live.row = row

    async def remove(self, table_id: str) -> None:
        """Remove a table for good, also one that cannot be read; Refused (404) if there is none."""
        if not await self._is_stored(table_id):
            raise no_table()
        live = await self._in_memory(table_id)
        if live is None:
            await self.store.remove(table_id)
            return
        async with live.lock:
            try:
                await self.store.remove(table_id)
            except BaseException:
                self._on_doubt(live)
                raise
            self._forget(live)

    async def _is_stored(self, table_id: str) -> bool:
        try:
            return await self.store.load(table_id) is not None
        except StorageTrouble:
            raise
        except Exception:
            return True  # whatever is stored there is damaged

    def _forget(self, live: LocalTable) -> None:
        """A table was removed, here or by another tab."""
        live.gone = True
        if self.tables.get(live.table.id) is live:
            del self.tables[live.table.id]
        live.stop_timers()
        if live.bot_task is not None:
            live.bot_task.cancel()
        for viewer in list(live.viewers):
            viewer.close(CLOSE_NO_TABLE, "this table was deleted")

    async def stored_elsewhere(self, table_id: str) -> None:
        """Another tab has stored or removed something: catch up, if we have the table in memory."""
        live = await self._in_memory(table_id)
        if live is None:
            return
        async with live.lock:
            try:
                await self.catch_up(live)
            except StorageTrouble:
                self._on_doubt(live)
            except Refused:
                return  # it was removed, and those who looked at it have been told

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

    def _set_rescue(self, live: LocalTable) -> None:
        """Move the bots after a while, if the tab that should do it has been closed."""
        if live.rescue_timer is not None:
            live.rescue_timer.cancel()
        live.rescue_timer = None
        if live.table.bots_due() and not live.gone and not self.stopping.is_set():
            loop = asyncio.get_running_loop()
            live.rescue_timer = loop.call_later(self.settings.rescue_seconds, self.bots.wake, live)

    def _set_clock(self, live: LocalTable) -> None:
        """Wait for the next clock to run out."""
        if live.clock_timer is not None:
            live.clock_timer.cancel()
        live.clock_timer = None
        if live.table.state != "playing" or live.gone or self.stopping.is_set():
            return
        deadline = live.table.clocks.deadline()
        if deadline is not None:
            wait = min(LONGEST_WAIT, max(0.0, (deadline - self.clock.now()) / 1000))
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
            except (StorageTrouble, Refused) as error:
                _log.warning("a clock could not be stored: %s", error)
                await asyncio.sleep(self.settings.retry_seconds)
        self._set_clock(live)

    # --- failures --------------------------------------------------------------------------------------------------

    def _on_failed_task(self, name: str, error: BaseException) -> None:
        _log.error("a task failed: %s", name, exc_info=error)

    def _on_failed_return(self, live: LocalTable, error: WelliesError) -> None:
        _log.warning("a seat could not be given back: %s", error)
