"""Tables in memory: each is the fold of its log so far, with the people who look at it now.

A change is tried on a fork, stored, and only then seen by anybody. Any worker may change any table: whoever comes
second on a number catches up from the log and tries again.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, TypeVar

import msgspec
import structlog
from msgspec import Raw

from wellies.core.dice import Stream, make_seed
from wellies.core.errors import MoveError, WelliesError
from wellies.match.preview import preview_points
from wellies.server import messages
from wellies.server.botpool import BotPool, BotTrouble
from wellies.server.channels import Channels
from wellies.server.commits import Append, Committer, QuickRow, TableRow
from wellies.server.fair_queue import Purpose
from wellies.server.identity import Identity
from wellies.server.messages import NOTHING, ChatLine, Presence, encode
from wellies.server.metrics import Metrics
from wellies.server.settings import Settings
from wellies.server.storage import Conflict, Row, Storage, StorageTrouble
from wellies.server.tables import Refused, Setup, Table

log = structlog.get_logger("wellies.tables")

TRIES: Final = 12
"""How often a change is decided again because another worker was first."""
YIELD_EVERY: Final = 64
"""Entries replayed before other work gets a turn."""
PRESENCE_FADES: Final = 60.0
PRESENCE_PACE: Final = 0.1
"""Seconds within which those who come and go are told of together."""
SWEEP: Final = 0.5
FRESH: Final = 1.0
"""Seconds for which a table that we follow is taken to be up to date without asking the store."""
LOOK: Final = 1.0
"""Seconds after which the store is asked whether a table has moved on without our hearing of it."""
UNUSED: Final = 600.0
"""Seconds after which a table that nobody looks at is no longer kept replayed."""
CHAT_KEPT: Final = 100
ROLL_CALL: Final = 0.6
"""Seconds in which other workers tell who looks at a table that nobody looks at here."""
IDENTITIES_AT_ONCE: Final = 500
TABLES_AT_ONCE: Final = 500

_TABLE_ID: Final = re.compile(r"[0-9a-f]{12}")

Answer = TypeVar("Answer")
LegalMode = Literal["full", "text", "none"]


def now_millis() -> int:
    return time.time_ns() // 1_000_000


class Viewer(Protocol):
    """A connection, as the table knows it."""

    seat: int | None
    identity: Identity | None

    def poke(self) -> None:
        """The table has moved on."""

    def table_changed(self) -> None:
        """Seats or settings have changed."""

    def overhear(self, message: bytes) -> None:
        """Somebody else has said something. Of what a slow client has not taken, the newest is kept."""

    def present(self, message: bytes) -> None:
        """Who looks at the table; only the newest counts."""

    def check(self, now: float) -> None:
        """Give up if the client has taken nothing for long."""

    def outdated(self) -> None:
        """The person has logged out everywhere or has a new password: who this is must be shown again."""


class News(msgspec.Struct, omit_defaults=True):
    """What workers tell each other about a table."""

    worker: str
    entries: list[tuple[int, str, int | None, str, int]] = []
    chat: ChatLine | None = None
    notice: messages.Notice | None = None
    seats: list[int] | None = None
    watching: int = 0
    ask: bool = False


_decode_news = msgspec.json.Decoder(News).decode


class Live:
    """One table in memory."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.rematching = asyncio.Lock()
        self.used = time.monotonic()
        """When somebody last asked for it."""
        self.viewers: set[Viewer] = set()
        self.unsure = False
        """Whether a commit failed in a way that leaves open whether it happened."""
        self.checked = time.monotonic()
        """When this was last known to be as new as the store."""
        self.chat: list[ChatLine] | None = None
        """The newest lines of chat, while somebody here looks at the table; None: not looked up yet."""
        self.driver: asyncio.Task[None] | None = None
        self.turned = asyncio.Event()
        """Set, and replaced, when the table moves on."""
        self.elsewhere: dict[str, tuple[float, list[int], int]] = {}
        """Who looks at the table through other workers: (until when, seats, spectators) by worker."""
        self.presence_due: asyncio.TimerHandle | None = None
        """Set while who is there is about to be told."""
        self.presence_ask: bool | None = None
        """Whether the other workers are to be asked then, too; None: they need not even be told."""
        self._views: dict[int | None, Raw] = {}
        self._legal: dict[tuple[int, LegalMode], Raw] = {}
        self._made_for: Table | None = None

    # --- what leaves, made once for all who may see the same -------------------------------------------------------

    def _forget(self) -> None:
        if self._made_for is not self.table:
            self._views.clear()
            self._legal.clear()
            self._made_for = self.table

    def view(self, seat: int | None) -> Raw | None:
        """The view of a seat or of spectators, encoded."""
        self._forget()
        made = self._views.get(seat)
        if made is None:
            view = self.table.view_for(seat)
            if view is None:
                return None
            if view["outcome"] is not None:
                view["outcome"] = self.table.outcome()
            made = self._views[seat] = Raw(encode(view))
        return made

    def legal(self, seat: int | None, mode: LegalMode) -> Raw:
        """The legal moves of a seat's open decision, encoded."""
        table = self.table
        if seat is None or mode == "none" or table.match is None or table.seats[seat].bot is not None:
            return NOTHING
        moves = table.match.choices(seat)
        if not moves:
            return NOTHING
        self._forget()
        made = self._legal.get((seat, mode))
        if made is None:
            spec, state = table.spec, table.match.state
            if mode == "text":
                listed: list[Any] = [spec.move_text(state, seat, move) for move in moves]
            else:
                listed = [
                    {
                        **spec.move_fields(state, seat, move),
                        "move": spec.move_text(state, seat, move),
                        "words": spec.move_words(state, seat, move),
                        **promise,
                    }
                    for move, promise in zip(moves, self._promised(seat, moves), strict=True)
                ]
            made = self._legal[(seat, mode)] = Raw(encode(listed))
        return made

    def _promised(self, seat: int, moves: list[int]) -> Sequence[Mapping[str, int | None]]:
        """What each move promises; nothing at a table that shows no points before a move."""
        assert self.table.match is not None
        if not self.table.aids.shows_badges:
            return [{"points": None}] * len(moves)
        return preview_points(self.table.match.state, seat, moves)

    def present_here(self) -> Presence:
        """Who looks at the table through this worker. Whoever holds several seats is on all of them: pass and play."""
        seats: set[int] = set()
        watching = 0
        for viewer in self.viewers:
            held = self.table.seats_of(viewer.identity.id) if viewer.identity is not None else []
            seats.update(held)
            watching += not held
        return Presence(sorted(seats), watching)

    def presence(self) -> Presence:
        now = time.monotonic()
        here = self.present_here()
        seats, watching = set(here.seats), here.watching
        for until, others, more in self.elsewhere.values():
            if until > now:
                seats.update(others)
                watching += more
        return Presence(sorted(seats), watching)


class Hub:
    """All tables that this worker has in memory, and everything that changes one."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        committer: Committer,
        channels: Channels,
        pool: BotPool,
        metrics: Metrics,
    ) -> None:
        self.settings = settings
        self.storage = storage
        self.committer = committer
        self.channels = channels
        self.pool = pool
        self.metrics = metrics
        self.worker = secrets.token_hex(6)
        self.lives: OrderedDict[str, Live] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._changes: set[asyncio.Task[Any]] = set()
        """Changes under way. Nothing cancels them: what is stored is told."""
        self._steady: list[asyncio.Task[Any]] = []
        self._stopping = asyncio.Event()
        self.storage_well = True
        self._rescue = int(settings.rescue_seconds * 1000)

    # --- life of the hub -------------------------------------------------------------------------------------------

    async def start(self) -> None:
        await self.channels.start(self._hear, self._catch_up_all, self._channels_turned)
        self._steady = [self.spawn(self._sweep(), "sweeper"), self.spawn(self._watch(), "watcher")]

    async def stop(self) -> None:
        self._stopping.set()
        # A query that is cut off leaves its connection in doubt: let those under way end first.
        await asyncio.wait(self._steady, timeout=2.0)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*self._changes, return_exceptions=True)
        await self.committer.close()
        await self.channels.stop()

    def spawn(self, work: Any, name: str) -> asyncio.Task[Any]:
        """A task that is remembered until it ends, and whose failure is logged."""
        task: asyncio.Task[Any] = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a task failed", task=task.get_name(), exc_info=task.exception())

    # --- finding ---------------------------------------------------------------------------------------------------

    async def get(self, table_id: str, *, catch_up: bool = False) -> Live:
        """The table, replayed if need be. With `catch_up` it is as new as the store; Refused (404) if there is none."""
        live = self.lives.get(table_id)
        if live is None:
            if not _TABLE_ID.fullmatch(table_id):
                raise Refused("no_table", "There is no such table.", 404)
            lock = self._loading.setdefault(table_id, asyncio.Lock())
            try:
                async with lock:
                    live = self.lives.get(table_id) or await self._load(table_id)
            finally:
                self._loading.pop(table_id, None)
        elif catch_up and self._may_be_behind(live):
            async with live.lock:
                await self._catch_up(live)
        self.lives.move_to_end(table_id)
        live.used = time.monotonic()
        return live

    def _may_be_behind(self, live: Live) -> bool:
        """Whether another worker may have changed the table without our hearing of it: nobody here follows it, or it is
        a while since we looked."""
        deaf = self.channels.shared and not live.viewers
        return deaf or live.unsure or time.monotonic() - live.checked > FRESH

    async def _load(self, table_id: str) -> Live:
        row = await self.storage.table(table_id)
        if row is None:
            raise Refused("no_table", "There is no such table.", 404)
        table = table_from_row(row)
        await self._replay(table, await self.storage.tail(table_id, 0))
        self.metrics.tables_loaded += 1
        return self.keep(table)

    async def _replay(self, table: Table, rows: list[Row]) -> None:
        for count, row in enumerate(rows, 1):
            table.apply(row["number"], row["kind"], row["seat"], row["text"], row["at"])
            if count % YIELD_EVERY == 0:
                await asyncio.sleep(0)

    def keep(self, table: Table) -> Live:
        """Put a table into memory, and let go of those that nobody has looked at for longest."""
        live = self.lives[table.id] = Live(table)
        while len(self.lives) > self.settings.tables_in_memory:
            idle = next((each for each in self.lives.values() if _idle(each) and each is not live), None)
            if idle is None:
                break
            del self.lives[idle.table.id]
        self._note_tables()
        return live

    def let_go(self, unused: float) -> None:
        """Drop the tables that nobody has looked at for so many seconds: a replay from the store is quick."""
        now = time.monotonic()
        for live in [each for each in self.lives.values() if _idle(each) and now - each.used >= unused]:
            del self.lives[live.table.id]
        self._note_tables()

    def _note_tables(self) -> None:
        self.metrics.tables_in_memory = len(self.lives)

    async def _catch_up(self, live: Live) -> bool:
        """Take what other workers have appended; the caller holds the lock. Whether there was anything."""
        rows = await self.storage.tail(live.table.id, live.table.version)
        live.unsure = False
        live.checked = time.monotonic()
        if not rows:
            return False
        table = live.table.fork()
        await self._replay(table, rows)
        self._show(live, table, [line.kind for line in table.lines[live.table.version :]])
        return True

    async def _catch_up_all(self) -> None:
        """After a time in which messages from other workers were lost."""
        for live in list(self.lives.values()):
            if live.viewers:
                async with live.lock:
                    try:
                        await self._catch_up(live)
                    except StorageTrouble:
                        live.unsure = True
                self._tell_presence(live, ask=True)

    # --- changing --------------------------------------------------------------------------------------------------

    async def change(
        self, live: Live, act: Callable[[Table], Answer], on_stored: Callable[[int], None] | None = None
    ) -> Answer:
        """Do something to a table and store it. Whatever `act` raises comes through, and then nothing has changed.
        `on_stored` hears the new version once it is stored, and before anybody else does."""
        return await self._to_the_end(self._change(live, act, on_stored))

    async def _to_the_end(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Do what stores something and tells of it in a task of its own: whoever asked may be gone before it is done,
        and the others hear of it all the same."""
        task = asyncio.create_task(work, name="change")
        self._changes.add(task)
        task.add_done_callback(self._changed)
        return await asyncio.shield(task)

    def _changed(self, task: asyncio.Task[Any]) -> None:
        self._changes.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # Whoever asked has been told, unless they have gone.
            log.debug("a change was not made", reason=repr(error))

    async def _change(
        self, live: Live, act: Callable[[Table], Answer], on_stored: Callable[[int], None] | None
    ) -> Answer:
        async with live.lock:
            if live.unsure:
                await self._catch_up(live)
            for _ in range(TRIES):
                trial = live.table.fork()
                try:
                    answer = act(trial)
                except WelliesError:
                    # Perhaps we are behind, and it is allowed by now.
                    if self.channels.shared and await self._catch_up(live):
                        continue
                    raise
                if not trial.uncommitted:
                    return answer
                try:
                    await self.committer.append(self._append(trial))
                except Conflict:
                    self.metrics.conflicts += 1
                    await self._catch_up(live)
                    continue
                except BaseException:
                    live.unsure = True
                    raise
                if on_stored is not None:
                    on_stored(trial.version)
                self._announce(live, trial)
                return answer
        raise Refused("busy", "Too much is happening at this table; try again.")

    def _append(self, trial: Table) -> Append:
        table_id = trial.id
        rows = [(table_id, line.number, line.kind, line.seat, line.text, line.at) for line in trial.uncommitted]
        waiting = ",".join(map(str, trial.waiting()))
        quick = QuickRow(table_id, trial.version, waiting, trial.wake_at(trial.uncommitted[-1].at, self._rescue))
        if trial.only_moves:
            return Append(rows, quick)
        row = TableRow(
            table_id,
            trial.state,
            trial.private,
            encode(trial.summary()).decode(),
            names_of(trial),
            trial.version,
            waiting,
            quick.wake_at,
        )
        return Append(rows, quick, row, trial.holders())

    def _announce(self, live: Live, trial: Table) -> None:
        """It is stored: let everybody see it."""
        fresh = trial.uncommitted
        trial.uncommitted = []
        self.metrics.moves += sum(1 for line in fresh if line.kind == "move" and line.seat != -1)
        self._show(live, trial, [line.kind for line in fresh])
        if self.channels.shared:
            entries = [(line.number, line.kind, line.seat, line.text, line.at) for line in fresh]
            self.channels.publish(trial.id, encode(News(self.worker, entries)))
        self.drive(live)

    def _show(self, live: Live, table: Table, kinds: list[str]) -> None:
        changed = table.state != live.table.state or any(kind != "move" for kind in kinds)
        changed = changed or table.seats != live.table.seats
        live.table = table
        live.turned.set()
        live.turned = asyncio.Event()
        for viewer in live.viewers:
            viewer.poke()
            if changed:
                viewer.table_changed()

    async def create(self, table: Table) -> Live:
        """Store a new table with what its log begins with."""
        return await self._to_the_end(self._create(table))

    async def _create(self, table: Table) -> Live:
        row: Row = {
            "id": table.id,
            "game": table.setup.game,
            "setup": encode(table.setup).decode(),
            "seed": table.seed.hex(),
            "invite": table.invite,
            "host": table.setup.host,
            "imported": table.imported,
            "created": table.created,
            "state": table.state,
            "private": table.private,
            "summary": encode(table.summary()).decode(),
            "names": names_of(table),
            "version": table.version,
            "waiting": ",".join(map(str, table.waiting())),
            "wake_at": table.wake_at(table.created, self._rescue),
        }
        rows = [(table.id, line.number, line.kind, line.seat, line.text, line.at) for line in table.uncommitted]
        quick = QuickRow(table.id, table.version, row["waiting"], row["wake_at"])
        await self.committer.append(Append(rows, quick, holders=table.holders(), new=row))
        table.uncommitted = []
        table.only_moves = True
        live = self.keep(table)
        if not self.channels.shared:
            live.chat = []
        self.drive(live)
        return live

    def check_bot_tables(self, table: Table, identity_id: str) -> None:
        """Refused if this table, at which only bots would play, is one too many for whoever wants it."""
        most = self.settings.bot_tables_each
        if not most or any(seat.bot is None for seat in table.seats):
            return
        mine = [each for each in self.lives.values() if each.table.setup.host == identity_id]
        if sum(1 for each in mine if each.table.only_bots()) >= most:
            raise Refused(
                "too_many", f"You have {most} tables at which only bots play; wait until a game of theirs is over.", 429
            )

    # --- people looking --------------------------------------------------------------------------------------------

    def enter(self, live: Live, viewer: Viewer) -> None:
        first = not live.viewers
        live.viewers.add(viewer)
        if first:
            self.channels.follow(live.table.id)
        self._tell_presence(live, ask=first)

    def leave(self, live: Live, viewer: Viewer) -> None:
        live.viewers.discard(viewer)
        if not live.viewers:
            self.channels.leave(live.table.id)
            if self.channels.shared:
                # What others say from now on through other workers is not heard here.
                live.chat = None
        self._tell_presence(live, ask=False)

    def _tell_presence(self, live: Live, *, ask: bool) -> None:
        """Who is there has changed here: show it, and tell the other workers."""
        live.presence_ask = bool(live.presence_ask) or ask
        self._show_presence(live)

    def _show_presence(self, live: Live) -> None:
        """Let it be seen who is there; once for all who come and go at about the same time."""
        if live.presence_due is None:
            live.presence_due = asyncio.get_running_loop().call_later(PRESENCE_PACE, self._presence_now, live)

    def _presence_now(self, live: Live) -> None:
        ask, live.presence_ask, live.presence_due = live.presence_ask, None, None
        if live.viewers:
            message = encode(messages.PresenceChanged(live.presence()))
            for viewer in list(live.viewers):
                viewer.present(message)
        if ask is not None and self.channels.shared:
            here = live.present_here()
            news = News(self.worker, seats=here.seats, watching=here.watching, ask=ask)
            self.channels.publish(live.table.id, encode(news))

    async def chat(self, live: Live, identity: Identity, name: str, seat: int | None, text: str) -> None:
        """Store a line of chat and show it to everybody."""
        await self._to_the_end(self._chat(live, identity, name, seat, text))

    async def _chat(self, live: Live, identity: Identity, name: str, seat: int | None, text: str) -> None:
        at = now_millis()
        row = {
            "table_id": live.table.id,
            "identity_id": identity.id,
            "seat": seat,
            "name": name,
            "text": text,
            "at": at,
        }
        line = ChatLine(await self.storage.add_chat(row), at, seat, name, text)
        self._show_chat(live, line)
        if self.channels.shared:
            self.channels.publish(live.table.id, encode(News(self.worker, chat=line)))

    def _show_chat(self, live: Live, line: ChatLine) -> None:
        message = encode(messages.Chat(line))
        if live.chat is not None:
            live.chat = [*live.chat[1 - CHAT_KEPT :], line]
        for viewer in list(live.viewers):
            viewer.overhear(message)

    async def chat_lines(self, live: Live) -> list[ChatLine]:
        """The newest lines of chat; asked by somebody who looks at the table, so that new ones are heard of."""
        if live.chat is None:
            rows = await self.storage.chat_lines(live.table.id, CHAT_KEPT)
            live.chat = [ChatLine(row["id"], row["at"], row["seat"], row["name"], row["text"]) for row in rows]
        return live.chat

    def notice(self, live: Live, code: str, text: str, *, everywhere: bool = True) -> None:
        """Tell the people at the table something that is not part of the game."""
        notice = messages.Notice(code, text)
        message = encode(notice)
        for viewer in list(live.viewers):
            viewer.overhear(message)
        if everywhere and self.channels.shared:
            self.channels.publish(live.table.id, encode(News(self.worker, notice=notice)))

    # --- other workers ---------------------------------------------------------------------------------------------

    async def _hear(self, table_id: str, message: bytes) -> None:
        live = self.lives.get(table_id)
        if live is None:
            return
        try:
            news = _decode_news(message)
        except msgspec.MsgspecError:
            log.warning("a message from another worker cannot be read", table=table_id)
            return
        if news.worker == self.worker:
            return
        if news.entries:
            self.spawn(self._follow(live, news), "following another worker")
        if news.chat is not None:
            self._show_chat(live, news.chat)
        if news.notice is not None:
            self.notice(live, news.notice.code, news.notice.message, everywhere=False)
        if news.seats is not None:
            live.elsewhere[news.worker] = (time.monotonic() + PRESENCE_FADES, news.seats, news.watching)
            self._show_presence(live)
            if news.ask and live.viewers:
                self._tell_presence(live, ask=False)

    async def _follow(self, live: Live, news: News) -> None:
        async with live.lock:
            version = live.table.version
            new = [entry for entry in news.entries if entry[0] > version]
            if not new:
                return
            if new[0][0] != version + 1:
                try:
                    await self._catch_up(live)
                except StorageTrouble:
                    live.unsure = True
                return
            table = live.table.fork()
            for number, kind, seat, text, at in new:
                table.apply(number, kind, seat, text, at)
            self._show(live, table, [entry[1] for entry in new])

    # --- bots and clocks -------------------------------------------------------------------------------------------

    def drive(self, live: Live) -> None:
        """Let bots move where it is their turn; one task per table."""
        if live.driver is None and not self._stopping.is_set() and live.table.bots_due():
            live.driver = self.spawn(self._drive(live), "bots")

    async def _drive(self, live: Live) -> None:
        try:
            await self._move_bots(live)
        finally:
            live.driver = None

    async def _move_bots(self, live: Live) -> None:
        troubles = 0
        while due := live.table.bots_due():
            try:
                await self._bot_move(live, due[0])
            except StorageTrouble:
                # Nothing is lost: the move is thought about again when the store is back.
                await asyncio.sleep(min(5.0, 0.5 * 2**troubles))
                troubles += 1
                async with live.lock:
                    live.unsure = True
            else:
                troubles = 0

    async def _bot_move(self, live: Live, seat: int) -> None:
        table = live.table
        level = table.seats[seat].bot
        view = live.view(seat)
        decisions = [each.id for each in table.match.decisions() if each.seat == seat] if table.match else []
        if level is None or view is None or not decisions:
            return
        pace = self.settings.stand_in_seconds if table.stands_in(seat) else 0.0
        text = await self._while_open(live, seat, decisions[0], self._choose(live, level, bytes(view), seat, pace))
        if text is None:
            return

        def act(trial: Table) -> None:
            if trial.state == "playing" and trial.seats[seat].bot is not None:
                trial.play(seat, text, decisions[0], now_millis(), by_bot=True)

        try:
            await self.change(live, act)
        except (MoveError, Refused) as error:
            # Someone else has moved meanwhile; look again.
            log.info("a bot's move came too late", table=table.id, seat=seat, reason=str(error))
            if live.table is table:
                raise

    async def _choose(self, live: Live, level: str, view: bytes, seat: int, pace: float) -> str:
        """The bot's move, not sooner than a person at that pace would make it."""
        table = live.table
        ready = time.monotonic() + pace
        try:
            purpose = Purpose(table.setup.host, watched=table.only_bots())
            text, _ = await self.pool.choose(level, view, seat, purpose)
        except BotTrouble as error:
            self.notice(live, "bot_trouble", f"{error} A plain move is played instead, so that the game goes on.")
            text = _any_move(table, seat)
        await asyncio.sleep(max(0.0, ready - time.monotonic()))
        return text

    async def _while_open(self, live: Live, seat: int, decision: str, work: Coroutine[Any, Any, str]) -> str | None:
        """What the work comes to; None, and the work is given up, once the bot in that seat no longer has this decision
        before it: it was taken back, or its owner plays again."""
        thought = asyncio.create_task(work, name="a bot's move")
        try:
            while not thought.done() and live.table.bot_faces(seat, decision):
                turned = asyncio.create_task(live.turned.wait())
                await asyncio.wait({thought, turned}, return_when=asyncio.FIRST_COMPLETED)
                turned.cancel()
            return thought.result() if thought.done() else None
        finally:
            if not thought.done():
                thought.cancel()
                await asyncio.gather(thought, return_exceptions=True)

    async def _sweep(self) -> None:
        """Look after tables whose clock has run out or whose bot's worker has died."""
        while not await self._stops_within(SWEEP * (0.75 + secrets.randbelow(500) / 1000)):
            try:
                now = now_millis()
                rows = await self.storage.due_tables(now, 50)
                # Together, for one of them may wait for what other workers say of it.
                woken = [self._wake(row["id"], row["wake_at"], now) for row in rows]
                for outcome in await asyncio.gather(*woken, return_exceptions=True):
                    if isinstance(outcome, BaseException):
                        raise outcome
            except StorageTrouble:
                await self._stops_within(1.0)

    async def _stops_within(self, seconds: float) -> bool:
        """Wait so long, or until the hub stops; whether it does."""
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _wake(self, table_id: str, wake_at: int, now: int) -> None:
        if not await self.storage.claim(table_id, wake_at, now + self._rescue):
            return
        try:
            live = await self.get(table_id, catch_up=True)
            late = live.table.run_out(now_millis())
            if late:
                there = await self._who_is_there(live, late)
                level = self.settings.stand_in_level
                await self.change(live, lambda trial: trial.time_out(level, now_millis(), there))
        except StorageTrouble:
            raise
        except WelliesError as error:
            log.error("a table could not be looked after", table=table_id, reason=str(error))
        else:
            self.drive(live)

    async def _who_is_there(self, live: Live, wanted: list[int]) -> list[int]:
        """The seats whose owners look at the table, through any worker. If nobody looks at it here, the others are
        asked; if they cannot be asked, all count as there: that costs others a little time, and nobody a game."""
        if not self.channels.shared or live.viewers:
            return live.presence().seats
        if not self.channels.well:
            return wanted
        table_id = live.table.id
        live.elsewhere.clear()
        self.channels.follow(table_id)
        end = time.monotonic() + ROLL_CALL
        while time.monotonic() < end and not set(wanted) <= set(live.presence().seats):
            # Asked again and again, for the channel may take a moment to open.
            self.channels.publish(table_id, encode(News(self.worker, seats=[], ask=True)))
            await asyncio.sleep(ROLL_CALL / 6)
        if not live.viewers:
            self.channels.leave(table_id)
        return live.presence().seats

    async def welcome(self, live: Live, identity: Identity | None) -> None:
        """Somebody has come to the table: give back the seats that a bot plays because their time ran out."""
        mine = live.table.seats_of(identity.id) if identity is not None else []
        if identity is None or not any(live.table.has_missed(seat) for seat in mine):
            return
        who = identity.id
        try:
            await self.change(live, lambda trial: trial.come_back(who, now_millis()))
        except WelliesError as error:
            log.warning("a seat could not be given back", table=live.table.id, reason=str(error))

    async def _watch(self) -> None:
        """Know whether the store works, tell the tables when that changes, and look for what was not heard of."""
        beat = 0
        while not await self._stops_within(LOOK):
            beat += 1
            self._check_viewers()
            try:
                await self.storage.ping()
                well = True
            except StorageTrouble:
                well = False
            if well != self.storage_well:
                self.storage_well = well
                log.warning("the store is back" if well else "the store is out of reach")
                if well:
                    self._notice_all("all_well", "The store is back; go on.")
                else:
                    self._notice_all("storage_trouble", "The store is out of reach; moves wait until it is back.")
            if well:
                with contextlib.suppress(StorageTrouble):
                    await self._look_up_all()
            if well and beat % 10 == 0:
                with contextlib.suppress(StorageTrouble):
                    await self.check_identities()
            if beat % 30 == 0:
                self.let_go(UNUSED)
            if self.channels.shared and beat % 20 == 0:
                for live in list(self.lives.values()):
                    if live.viewers:
                        self._tell_presence(live, ask=False)

    async def _look_up_all(self) -> None:
        """Catch up where others have stored something of which we have not heard: their message may be lost, or they
        with it."""
        watched = {live.table.id: live for live in self.lives.values() if live.viewers}
        ids = [table_id for table_id, live in watched.items() if self.channels.shared or live.unsure]
        for start in range(0, len(ids), TABLES_AT_ONCE):
            for table_id, version in (await self.storage.versions(ids[start : start + TABLES_AT_ONCE])).items():
                live = watched[table_id]
                if version > live.table.version or live.unsure:
                    async with live.lock:
                        await self._catch_up(live)

    def _channels_turned(self) -> None:
        if self.channels.well:
            self._notice_all("all_well", "Live updates work again.")
        else:
            self._notice_all("channel_trouble", "Live updates are slow for the moment; nothing is lost.")

    async def check_identities(self) -> None:
        """End the connections of people who have logged out since, here or through another worker."""
        people: dict[str, list[Viewer]] = {}
        for live in self.lives.values():
            for viewer in live.viewers:
                if viewer.identity is not None:
                    people.setdefault(viewer.identity.id, []).append(viewer)
        ids = list(people)
        for start in range(0, len(ids), IDENTITIES_AT_ONCE):
            epochs = await self.storage.epochs(ids[start : start + IDENTITIES_AT_ONCE])
            ended = await self.storage.ended(ids[start : start + IDENTITIES_AT_ONCE])
            for identity_id in ids[start : start + IDENTITIES_AT_ONCE]:
                for viewer in people[identity_id]:
                    seen = viewer.identity
                    if seen is not None and (seen.epoch != epochs.get(identity_id) or seen.session in ended):
                        viewer.outdated()

    def _check_viewers(self) -> None:
        now = time.monotonic()
        for live in list(self.lives.values()):
            for viewer in list(live.viewers):
                viewer.check(now)

    def _notice_all(self, code: str, text: str) -> None:
        for live in list(self.lives.values()):
            if live.viewers:
                self.notice(live, code, text, everywhere=False)


def _idle(live: Live) -> bool:
    return not live.viewers and live.driver is None and not live.lock.locked()


def _any_move(table: Table, seat: int) -> str:
    """Some legal move, when a bot has failed: made of the seat's own choices and chance alone."""
    assert table.match is not None
    moves = table.match.choices(seat)
    move = moves[Stream(secrets.token_bytes(16)).randrange(len(moves))]
    return table.spec.move_text(table.match.state, seat, move)


def names_of(table: Table) -> str:
    """The names at the table, for searching."""
    return "\n".join(seat.name.casefold() for seat in table.seats if seat.name)


def table_from_row(row: Row) -> Table:
    """The table of a row, before its log."""
    setup = msgspec.json.decode(row["setup"], type=Setup)
    return Table(row["id"], setup, bytes.fromhex(row["seed"]), row["invite"], row["created"], bool(row["imported"]))


def new_table(setup: Setup, *, seed: bytes | None = None, imported: bool = False, table_id: str = "") -> Table:
    """A table that is not stored yet."""
    table_id = table_id or secrets.token_hex(6)
    return Table(table_id, setup, make_seed(seed), secrets.token_urlsafe(16), now_millis(), imported)
