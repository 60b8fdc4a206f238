"""The tables that this worker has in memory. `table.hub` is the one way to change them.

Any worker may change any table: if another worker was first, this one catches up from the log and tries again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

import msgspec
import structlog

from wellies.core.errors import WelliesError
from wellies.core.sources import monotonic, random_hex
from wellies.core.state import CHANCE
from wellies.server.bot_driver import BotDriver
from wellies.server.botpool import BotPool
from wellies.server.channels import Channels
from wellies.server.clock import ServerClock
from wellies.server.commits import Committer
from wellies.server.finished import finished_game
from wellies.server.health import Health
from wellies.server.identity import Identity
from wellies.server.live_table import LiveTable
from wellies.server.messages import Chat, ChatLine, Notice, WorkerMessage, decode_worker, encode
from wellies.server.metrics import Metrics
from wellies.server.presence import PresenceTracker
from wellies.server.recorder import GameRecorder
from wellies.server.settings import Settings
from wellies.server.storage import Listing, NewTable, StorageTrouble, Store, TableChange
from wellies.table import LogEntry, Refused, Table
from wellies.table.hub import TableHub
from wellies.table.ids import is_id, public_id
from wellies.table.rows import first_columns, listing_columns, waiting_column

log = structlog.get_logger("wellies.tables")

IN_DOUBT_SECONDS: Final = 60.0
"""A commit that the database has not answered is in doubt: it may happen up to so many seconds later."""
CLOCK_TRIES: Final = 5
"""How often the store is asked for the time at the start, if it is slow to answer."""
TRUST_SECONDS: Final = 1.0
"""Seconds for which a table that somebody here looks at counts as up to date without asking the store."""
CHAT_SHOWN: Final = 100
"""Lines of chat that a client gets when it opens a table."""


class Hub(TableHub[LiveTable]):
    """All tables of one worker."""

    clock: ServerClock

    def __init__(
        self,
        settings: Settings,
        storage: Store,
        committer: Committer,
        channels: Channels,
        pool: BotPool,
        metrics: Metrics,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.storage = storage
        self.committer = committer
        self.channels = channels
        self.pool = pool
        self.metrics = metrics
        self.worker = random_hex(6)
        self.clock = ServerClock()
        self.rescue_millis = int(settings.rescue_seconds * 1000)
        """A bot that has not moved for so long is taken over by another worker."""
        self.tables: OrderedDict[str, LiveTable] = OrderedDict()
        """Those that are kept in memory by id, the least recently used first."""
        self._in_use: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """All that anybody here still uses, such as a change under way, even if they are no longer kept: so there are
        never two of one table, of which only one would be told what happens."""
        self._started_in_doubt_until = monotonic() + IN_DOUBT_SECONDS
        """A server that was killed before this one started may have left a commit under way in the database."""
        self.presence = PresenceTracker(channels, self.worker)
        self.bots = BotDriver(self)
        self.health = Health(self)
        self.recorder = GameRecorder(self)
        self.found_lock = asyncio.Lock()
        """Held while the table of people who were found for each other is made."""
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._starting: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # --- starting and stopping -------------------------------------------------------------------------------------

    async def start(self) -> None:
        await self._set_clock()
        await self.channels.start(self._on_worker_message, self._catch_up_all, self.health.on_channels)
        self.health.start()
        self.spawn(self.recorder.run(), "finished games")

    async def _set_clock(self) -> None:
        """Set the clock by that of the store, which is asked again if its answer took long."""
        for number in range(CLOCK_TRIES):
            asked = monotonic()
            try:
                reference = await self.storage.ping()
            except StorageTrouble:
                if number:
                    return
                raise
            self.clock.set(reference, monotonic() - asked)
            if self.clock.is_accurate:
                return

    async def stop(self) -> None:
        self.stopping.set()
        await self.health.stop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*self._changes, *self._loading.values(), return_exceptions=True)
        await self.committer.close()
        await self.channels.stop()

    # --- finding tables --------------------------------------------------------------------------------------------

    def watched(self) -> list[LiveTable]:
        """The tables that somebody looks at through this worker."""
        return [live for live in self.tables.values() if live.viewers]

    async def get(self, table_id: str, *, catch_up: bool = False) -> LiveTable:
        """The table, loaded if need be. With `catch_up` it is as new as the store; Refused (404) if there is none."""
        live = self._in_use.get(table_id)
        if live is None:
            if not is_id(table_id):
                raise Refused("no_table", "There is no such table.", 404)
            live = await self._load_once(table_id)
        elif catch_up and self._may_be_behind(live):
            async with live.lock:
                await self.catch_up(live)
        self._keep(live)
        live.used = monotonic()
        return live

    async def _load_once(self, table_id: str) -> LiveTable:
        """Load a table. All who ask for it meanwhile wait for the same, and get the same."""
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id), name="load a table")
            loading.add_done_callback(lambda task: self._on_loaded(table_id, task))
        return await asyncio.shield(loading)

    def _on_loaded(self, table_id: str, task: asyncio.Task[LiveTable]) -> None:
        del self._loading[table_id]
        if not task.cancelled():
            task.exception()  # whoever asked is told, unless they are gone

    def _may_be_behind(self, live: LiveTable) -> bool:
        """Whether another worker may have changed the table without this one knowing: messages about it do not arrive
        here, or the store was not asked for a while."""
        unheard = self.channels.shared and not live.viewers
        return unheard or live.may_be_stale or monotonic() - live.checked > TRUST_SECONDS

    async def _load(self, table_id: str) -> LiveTable:
        table = await self.read_table(table_id)
        self.metrics.tables_loaded += 1
        return self._live(table)

    async def read_table(self, table_id: str) -> Table:
        """A table as it is stored, which is not kept in memory. Refused (404) if there is none."""
        table = await self.storage.table(table_id)
        if table is None:
            raise Refused("no_table", "There is no such table.", 404)
        await self._apply(table, await self.storage.entries(table_id, 0))
        return table

    def _live(self, table: Table) -> LiveTable:
        """The table in memory; it may be there already, for somebody has asked for it as soon as it was stored."""
        live = self._in_use.get(table.id)
        if live is None:
            live = self._in_use[table.id] = LiveTable(table)
            live.in_doubt_until = self._started_in_doubt_until
        self._keep(live)
        return live

    def _keep(self, live: LiveTable) -> None:
        """Keep a table in memory, and drop those that were not used for longest if there are too many."""
        self.tables[live.table.id] = live
        self.tables.move_to_end(live.table.id)
        while len(self.tables) > self.settings.tables_in_memory:
            idle = next((each for each in self.tables.values() if each.idle and each is not live), None)
            if idle is None:
                break
            del self.tables[idle.table.id]
        self.metrics.tables_in_memory = len(self.tables)

    def evict(self, unused: float) -> None:
        """Drop the tables that nobody has used for so many seconds from memory."""
        now = monotonic()
        for live in [each for each in self.tables.values() if each.idle and now - each.used >= unused]:
            del self.tables[live.table.id]
        self.metrics.tables_in_memory = len(self.tables)

    async def _catch_up_all(self) -> None:
        """After a time in which messages from other workers were lost."""
        for live in self.watched():
            async with live.lock:
                try:
                    await self.catch_up(live)
                except StorageTrouble:
                    live.may_be_stale = True
            self.presence.announce(live, ask=True)

    # --- changing tables -------------------------------------------------------------------------------------------

    async def _new_entries(self, live: LiveTable) -> list[LogEntry]:
        return await self.storage.entries(live.table.id, live.table.version)

    async def _store(self, live: LiveTable, trial: Table) -> None:
        await self.committer.store(self._stored_change(trial))

    def _may_have_missed(self, live: LiveTable) -> bool:
        return self.channels.shared or live.in_doubt_until > monotonic()

    def _on_checked(self, live: LiveTable) -> None:
        super()._on_checked(live)
        live.checked = monotonic()

    def _on_conflict(self, live: LiveTable) -> None:
        self.metrics.conflicts += 1

    def _on_doubt(self, live: LiveTable) -> None:
        super()._on_doubt(live)
        live.in_doubt_until = monotonic() + IN_DOUBT_SECONDS

    def _on_failed_task(self, name: str, error: BaseException) -> None:
        log.error("a task failed", task=name, exc_info=error)

    def _on_failed_change(self, error: BaseException) -> None:
        log.debug("a change was not made", reason=repr(error))

    def _on_failed_return(self, live: LiveTable, error: WelliesError) -> None:
        log.warning("a seat could not be given back", table=live.table.id, reason=str(error))

    def _stored_change(self, table: Table, new: NewTable | None = None) -> TableChange:
        """What is to be stored of a table."""
        last = table.uncommitted[-1].at if table.uncommitted else table.created
        change = TableChange(
            table.id,
            table.uncommitted,
            table.version,
            waiting_column(table),
            table.wake_at(last, self.rescue_millis),
            new=new,
        )
        if new is not None or not table.only_moves:
            change.listing = Listing(**listing_columns(table), holders=table.holders())
        if table.finished_by is not None and any(entry.number == table.finished_by for entry in table.uncommitted):
            try:
                change.finished = finished_game(table)
            except Exception:
                # A bug in a game must not keep it from ending. `GameRecorder` tries again later.
                log.exception("a finished game could not be described", table=table.id)
        return change

    def _announce(self, live: LiveTable, trial: Table) -> None:
        """The change is stored: show it to viewers and other workers, and let bots answer."""
        entries = trial.take_uncommitted()
        self.metrics.moves += sum(1 for entry in entries if entry.kind == "move" and entry.seat != CHANCE)
        live.show(trial)
        if self.channels.shared and not self.presence.nobody_else_looks(live):
            self.channels.publish(trial.id, encode(WorkerMessage(self.worker, entries)))
        self.bots.wake(live)

    async def create(self, table: Table) -> LiveTable:
        """Store a new table with the entries it begins with."""
        return await self._to_the_end(self._create(table))

    async def _create(self, table: Table) -> LiveTable:
        await self.committer.store(self._stored_change(table, NewTable(**first_columns(table))))
        table.take_uncommitted()
        live = self._live(table)
        self.bots.wake(live)
        return live

    # --- people who leave for good ---------------------------------------------------------------------------------

    async def finish_deletion(self, identity_id: str) -> None:
        """The same, also if whoever asked for it does not wait."""
        await self._to_the_end(self.delete_person(identity_id))

    async def delete_person(self, identity_id: str) -> None:
        """Bring a deletion that has begun to its end: the person leaves all tables, and then their name does."""
        accounts, level = self.storage.accounts, self.settings.stand_in_level
        while (deletion := await accounts.deletion(identity_id)) is not None:
            for table_id in await accounts.unfinished(deletion.tables):
                live = await self.get(table_id, catch_up=True)
                await self.change(live, lambda trial: trial.forget(identity_id, level, self.clock.now()))
            if not deletion.tables:
                await accounts.end_deletion(deletion)
                return
            while deletion.tables:
                done = deletion.tables
                deletion = await accounts.forget_tables(deletion)
                for table_id in set(done) - set(deletion.tables):
                    self._drop(table_id)

    def _drop(self, table_id: str) -> None:
        """Forget a table that nobody looks at, so that it is read anew."""
        live = self.tables.get(table_id)
        if live is not None and live.idle:
            del self.tables[table_id]
            self._in_use.pop(table_id, None)

    @asynccontextmanager
    async def room_for_bots(self, table: Table, host: str) -> AsyncIterator[None]:
        """Start a table within this. Refused if only bots would play and the host has too many such tables already.
        Starts of one person take turns, so that each is counted before the next."""
        most = self.settings.bot_tables_each
        if not most or any(seat.bot is None for seat in table.seats):
            yield
            return
        lock = self._starting.setdefault(host, asyncio.Lock())
        async with lock:
            if await self.storage.bot_tables(host) >= most:
                raise Refused(
                    "too_many",
                    f"You have {most} tables at which only bots play; wait until a game of theirs is over.",
                    429,
                )
            yield

    # --- chat and notices ------------------------------------------------------------------------------------------

    async def chat(self, live: LiveTable, identity: Identity, name: str, seat: int | None, text: str) -> None:
        """Store a line of chat and show it to everybody."""
        await self._to_the_end(self._chat(live, identity, name, seat, text))

    async def _chat(self, live: LiveTable, identity: Identity, name: str, seat: int | None, text: str) -> None:
        at = self.clock.now()
        row = {
            "table_id": live.table.id,
            "identity_id": identity.id,
            "seat": seat,
            "name": name,
            "text": text,
            "at": at,
        }
        line = ChatLine(await self.storage.add_chat(row), at, seat, name, text, public_id(identity.id))
        self._show_chat(live, line)
        if self.channels.shared:
            self.channels.publish(live.table.id, encode(WorkerMessage(self.worker, chat=line)))

    def _show_chat(self, live: LiveTable, line: ChatLine) -> None:
        message = encode(Chat(line))
        for viewer in list(live.viewers):
            viewer.on_message(message)

    async def chat_lines(self, live: LiveTable) -> list[ChatLine]:
        """The newest lines of chat, from the store: lines through other workers may not have arrived here."""
        rows = await self.storage.chat_lines(live.table.id, CHAT_SHOWN)
        return [
            ChatLine(row["id"], row["at"], row["seat"], row["name"], row["text"], public_id(row["identity_id"]))
            for row in rows
        ]

    def notice(self, live: LiveTable, code: str, text: str, *, everywhere: bool = True) -> None:
        """Tell the people at the table something that is not part of the game."""
        notice = Notice(code, text)
        message = encode(notice)
        for viewer in list(live.viewers):
            viewer.on_message(message)
        if everywhere and self.channels.shared:
            self.channels.publish(live.table.id, encode(WorkerMessage(self.worker, notice=notice)))

    # --- other workers ---------------------------------------------------------------------------------------------

    async def _on_worker_message(self, table_id: str, raw: bytes) -> None:
        live = self._in_use.get(table_id)
        if live is None or self.stopping.is_set():
            return
        try:
            message = decode_worker(raw)
        except msgspec.MsgspecError:
            log.warning("a message from another worker cannot be read", table=table_id)
            return
        if message.worker == self.worker:
            return
        if message.entries:
            self.spawn(self._apply_remote(live, message.entries), "entries of another worker")
        elif live.viewers and message.version > live.table.version:
            self.spawn(self._catch_up_to(live, message.version), "changes of another worker")
        if message.chat is not None:
            self._show_chat(live, message.chat)
        if message.notice is not None:
            self.notice(live, message.notice.code, message.notice.message, everywhere=False)
        self.presence.on_worker_message(live, message)

    async def _catch_up_to(self, live: LiveTable, version: int) -> None:
        """Another worker knows more of the table than we do."""
        async with live.lock:
            if live.table.version < version:
                try:
                    await self.catch_up(live)
                except StorageTrouble:
                    live.may_be_stale = True

    async def _apply_remote(self, live: LiveTable, entries: list[LogEntry]) -> None:
        """Apply what another worker has stored; if something before it is missing, read it from the store."""
        async with live.lock:
            version = live.table.version
            new = [entry for entry in entries if entry.number > version]
            if not new:
                return
            if new[0].number != version + 1:
                try:
                    await self.catch_up(live)
                except StorageTrouble:
                    live.may_be_stale = True
                return
            table = live.table.fork()
            for entry in new:
                table.apply(entry)
            live.show(table)
