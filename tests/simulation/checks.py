"""What must be true of the logs, and of every message that anybody got, when a history is over.

Each log is folded anew, entry by entry. At each version everything that was sent about it, to anyone, must be exactly
what that person may know then.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import msgspec

from simulation.clock_model import ClockModel
from simulation.failures import SimulationFailure
from simulation.screens import Message, Opened, Received, Sent
from simulation.sources import EPOCH
from wellies.core.dice import Stream
from wellies.core.state import CHANCE
from wellies.server import messages
from wellies.server.finished import finished_game
from wellies.server.messages import encode
from wellies.table import LogEntry, Table, legal_moves, standing
from wellies.table.codec import decode
from wellies.table.ids import public_id

if TYPE_CHECKING:
    from simulation.world import World

OVERDUE_SECONDS: Final = 12.0
"""A clock that has run out, or a bot that is to move, is not left alone for longer than this."""
LOGGED_OUT_SECONDS: Final = 21.0
"""A worker notices after so many seconds that somebody has logged out: it caches people for 10, and checks every 10."""
CLOCK_MILLIS: Final = 40
"""So many milliseconds the clocks of workers may be off that go by the clock of the store."""
KINDS: Final = {"undo": ("undo",), "ask_undo": ("ask",), "answer_undo": ("agree", "decline", "withdraw")}
"""The entries that a request through a socket makes."""


def check_disk(world: World) -> None:
    """SimulationFailure names the first promise that was broken."""
    _check_finished(world, [TableCheck(world, table_id).check() for table_id in world.disk.tables])
    _check_chat(world)
    _check_lists(world)
    _check_sessions(world)


class TableCheck:
    """Checks one table."""

    def __init__(self, world: World, table_id: str) -> None:
        self._world = world
        self._id = table_id
        self._row = world.disk.tables[table_id]
        self._log = world.disk.entries(table_id, 0)
        table = world.disk.table(table_id)
        assert table is not None
        self._table: Table = table
        self._views: dict[int | None, msgspec.Raw | None] = {}
        self._other_views: dict[int | None, bytes] = {}
        """The view of each seat if all that is hidden from it were dealt anew."""
        self._legal: dict[tuple[int | None, str], msgspec.Raw] = {}
        self._sent = [sent for sent in world.sent if sent.opened.table_id == table_id]
        self._answered: dict[tuple[int, str], LogEntry] = {}
        """The entry of the move that answered each decision, by seat and decision."""
        self._free: list[Sent] = []
        self._by_decision: dict[tuple[int | None, str], list[Sent]] = defaultdict(list)
        self._clocks: ClockModel | None = None
        shared = world.history.shared
        self._knows_time = shared or not world.faults.struck["clock jump"]
        self._skew = CLOCK_MILLIS if shared else max(abs(skew) for skew in world.history.skews) + 2

    def _fail(self, kind: str, what: str) -> SimulationFailure:
        return SimulationFailure(kind, f"table {self._id}: {what}")

    def check(self) -> Table:
        """The table, as its log makes it."""
        numbers = [entry.number for entry in self._log]
        if numbers != list(range(1, len(numbers) + 1)):
            raise self._fail("log", f"the numbers of its entries are {numbers}")
        self._sort_plays()
        shown = self._messages()
        infos = self._infos()
        for version in range(len(self._log) + 1):
            if version:
                self._apply(self._log[version - 1])
            self._views.clear()
            self._other_views.clear()
            self._legal.clear()
            for opened, received, since in shown.pop(version, ()):
                self._check_message(opened, received, since)
            for identity, info, what in infos.pop(version, ()):
                self._check_info(identity, info, what)
        for version in [*shown, *infos]:
            raise self._fail(
                "not stored", f"somebody was shown version {version}; the log has {len(self._log)} entries"
            )
        self._check_row()
        self._check_acks()
        self._check_requests()
        self._check_overdue()
        return self._table

    # --- the log ---------------------------------------------------------------------------------------------------

    def _sort_plays(self) -> None:
        for sent in self._sent:
            if sent.message["type"] == "play":
                decision = sent.message.get("decision")
                if decision is None:
                    self._free.append(sent)
                else:
                    self._by_decision[sent.opened.seat, decision].append(sent)

    def _apply(self, entry: LogEntry) -> None:
        table = self._table
        before = table.log[-1].at if table.log else 0
        if entry.at < before:
            raise self._fail("time", f"entry {entry.number} is {before - entry.at} ms before the one before it")
        if entry.kind == "move" and entry.seat is not None and entry.seat != CHANCE:
            self._check_move(entry, entry.seat)
        if entry.kind in ("late", "timeout") and entry.seat is not None and self._clocks is not None:
            left = self._clocks.left(entry.seat, entry.at)
            if left:
                raise self._fail("clocks", f"entry {entry.number}: seat {entry.seat} had {left} ms left")
        table.apply(entry)
        self._check_clocks(entry)

    def _check_move(self, entry: LogEntry, seat: int) -> None:
        """A move of a person was asked for by that person, for this decision, before it was stored."""
        match = self._table.match
        holder = self._table.seats[seat]
        decision = None if match is None else match.decision(seat)
        if decision is None:
            raise self._fail("log", f"entry {entry.number} answers no decision")
        self._answered[seat, decision.id] = entry
        if holder.bot is not None:
            return
        stored = self._world.disk.stored_at[self._id, entry.number]
        fitting = [
            sent
            for sent in (*self._by_decision[seat, decision.id], *self._free)
            if sent.opened.seat == seat
            and sent.opened.identity == holder.identity
            and sent.message["move"] == entry.text
            and sent.at <= stored
        ]
        if not fitting:
            raise self._fail("unasked", f"nobody asked for entry {entry}, which answers {decision}")
        if self._knows_time:
            earliest = EPOCH + int(1000 * min(sent.at for sent in fitting)) - self._skew
            latest = EPOCH + int(1000 * stored) + self._skew
            if not earliest <= entry.at <= latest:
                raise self._fail("time", f"entry {entry} was made between {earliest} and {latest}")

    def _check_clocks(self, entry: LogEntry) -> None:
        table = self._table
        if entry.kind == "start":
            self._clocks = ClockModel(table.clock, len(table.seats)) if table.clock.kind != "none" else None
        if self._clocks is None or table.match is None:
            return
        due = [] if table.state == "finished" else table.match.state.due()
        people = [seat for seat in due if seat != CHANCE and table.seats[seat].bot is None]
        self._clocks.after(entry, None if due == [CHANCE] else people)
        now = entry.at + 700
        found = [(face.left, face.running) for face in table.clocks.faces(now)]
        if found != self._clocks.faces(now):
            raise self._fail("clocks", f"entry {entry.number}: {found} instead of {self._clocks.faces(now)}")

    def _check_row(self) -> None:
        table, row = self._table, self._row
        wanted = {
            "version": table.version,
            "state": table.state,
            "private": table.private,
            "waiting": ",".join(map(str, table.waiting())),
            "names": "\n".join(seat.name.casefold() for seat in table.seats if seat.name),
        }
        found = {name: row[name] for name in wanted}
        if found != wanted or self._world.disk.held[self._id] != table.holders():
            raise self._fail("row", f"lists show {found} instead of {wanted}")

    def _check_overdue(self) -> None:
        """Nothing waits for the server for long."""
        table = self._table
        if table.state != "playing":
            return
        now = EPOCH + int(1000 * (self._world.settled_at - OVERDUE_SECONDS))
        old = [
            entry for entry in self._log if self._world.disk.stored_at[self._id, entry.number] < self._world.settled_at
        ]
        if len(old) < len(self._log):
            return
        if table.run_out(now):
            raise self._fail("overdue", f"the time of seats {table.run_out(now)} is over, and nothing happens")
        last = self._world.disk.stored_at[self._id, len(self._log)]
        if table.bots_due() and last < self._world.settled_at - OVERDUE_SECONDS:
            raise self._fail("overdue", f"the bots of seats {table.bots_due()} do not move")

    # --- what was shown --------------------------------------------------------------------------------------------

    def _messages(self) -> dict[int, list[tuple[Opened, Received, int]]]:
        """By version, all that was shown of it, and after which version its entries begin."""
        found: dict[int, list[tuple[Opened, Received, int]]] = defaultdict(list)
        for opened in self._world.connections:
            if opened.table_id != self._id:
                continue
            since = 0
            for received in opened.received:
                message = received.message
                if message.type == "hello":
                    since = opened.since if opened.since <= message.version else 0
                if message.type in ("hello", "update"):
                    found[message.version].append((opened, received, since))
                    since = message.version
                elif message.type == "table" and message.table is not None:
                    found[message.table.version].append((opened, received, 0))
        return found

    def _infos(self) -> dict[int, list[tuple[str, dict[str, Any], str]]]:
        """By version, the answers to requests."""
        found: dict[int, list[tuple[str, dict[str, Any], str]]] = defaultdict(list)
        for person in self._world.people:
            for what, identity, info in person.done:
                if info["id"] == self._id:
                    found[info["version"]].append((identity, info, what))
        for _, table_id, identity, seat, log in self._world.logs_read:
            if table_id == self._id:
                found[log["version"]].append((identity, {"seat": seat, **log}, "log"))
        return found

    def _check_message(self, opened: Opened, received: Received, since: int) -> None:
        """The message is what its reader may know. Who is logging out may be nobody to the server already."""
        nobody_yet = opened.seat is None and opened.cookie in opened.person.leaving
        for identity in ("", opened.identity) if nobody_yet else (opened.identity,):
            wrong = self._what_is_wrong(opened, identity, received, since)
            if wrong is None:
                return
        assert wrong is not None
        raise wrong

    def _what_is_wrong(self, opened: Opened, identity: str, received: Received, since: int) -> SimulationFailure | None:
        """What is wrong with a message to somebody of this identity."""
        table, seat, message = self._table, opened.seat, received.message
        who = f"{opened.person.name}, seat {seat}, version {table.version}"
        if not table.visible_to(identity, opened.invite):
            return self._fail("leak", f"{who}: the table is private, and they are not of it: {received.text[:300]}")
        if seat is not None and table.seats[seat].identity != identity and message.type != "table":
            return self._fail("leak", f"{who}: the seat is another's: {received.text[:300]}")
        if table.state == "playing":
            self._check_hidden(who, seat, message)
        if message.type == "table":
            wanted: Any = messages.TableChanged(table.info_for(identity))
        else:
            wanted = self._wanted(opened, identity, received, since)
        text = encode(wanted).decode()
        return (
            None if text == received.text else self._fail("leak or lie", f"{who}: {_difference(received.text, text)}")
        )

    def _check_hidden(self, who: str, seat: int | None, message: Message) -> None:
        """What is compared with the server's own idea of a view is also compared with the rules: it must not depend on
        anything that the seat does not know."""
        for entry in message.entries:
            if entry.move is not None and entry.seat != seat:
                raise self._fail("leak", f"{who}: the notation of entry {entry} is shown to others")
        state = None if self._table.match is None else self._table.match.state
        if bytes(message.view) == b"null" or state is None or not self._table.spec.secret or self._table.version % 3:
            return
        if seat not in self._other_views:
            other = state.resample(0 if seat is None else seat, Stream(self._table.version))
            self._other_views[seat] = encode(other.view(seat))
        if self._other_views[seat] != bytes(message.view):
            raise self._fail("leak", f"{who}: the view shows what is hidden from the seat")

    def _wanted(self, opened: Opened, identity: str, received: Received, since: int) -> Any:
        table, seat, message = self._table, opened.seat, received.message
        values: Any = {
            **standing(table, seat, since, message.now, 0),
            "view": self._view(seat),
            "legal": self._legal_moves(seat, opened.legal),
        }
        if message.type == "update":
            return messages.Update(**values, ack=message.ack)
        given = json.loads(received.text)
        return messages.Hello(
            **values,
            protocol=1,
            table=table.info_for(identity),
            seat=seat,
            chat=given["chat"],
            presence=given["presence"],
        )

    def _view(self, seat: int | None) -> msgspec.Raw | None:
        if seat not in self._views:
            view = self._table.view_for(seat)
            self._views[seat] = None if view is None else msgspec.Raw(encode(view))
        return self._views[seat]

    def _legal_moves(self, seat: int | None, mode: Any) -> msgspec.Raw:
        if (seat, mode) not in self._legal:
            self._legal[seat, mode] = msgspec.Raw(encode(legal_moves(self._table, seat, mode)))
        return self._legal[seat, mode]

    def _check_info(self, identity: str, info: dict[str, Any], what: str) -> None:
        table = self._table
        if what != "log":
            wanted = json.loads(encode(table.info_for(identity)))
            if info != wanted:
                raise self._fail(
                    "leak or lie", f"the answer to {what}: {_difference(json.dumps(info), json.dumps(wanted))}"
                )
            return
        seat = info["seat"]
        if seat is not None and table.state != "finished" and seat not in table.seats_of(identity):
            raise self._fail("leak", f"the log of seat {seat} was given to another")
        wanted = json.loads(encode([table.entry_for(entry, seat) for entry in table.log]))
        if info["entries"] != wanted:
            raise self._fail("leak or lie", "the log that was asked for is not the log")

    # --- what was confirmed ----------------------------------------------------------------------------------------

    def _check_acks(self) -> None:
        last: dict[int, int] = {}
        for sent in self._sent:
            kind = sent.message["type"]
            if any(version > len(self._log) for version in sent.acked):
                raise self._fail("lost", f"{sent.message} was confirmed with a version that is not stored")
            if kind == "play" and sent.acked:
                number = self._check_acked_play(sent)
                key = id(sent.opened)
                if number < last.get(key, 0):
                    raise self._fail("order", f"{sent.message} is in the log before what was confirmed earlier")
                last[key] = number
            elif kind in KINDS and sent.acked:
                self._check_acked_undo(sent, KINDS[kind])

    def _check_acked_undo(self, sent: Sent, kinds: tuple[str, ...]) -> None:
        if not any(entry.kind in kinds and entry.number <= sent.acked[0] for entry in self._log):
            raise self._fail("lost", f"{sent.message} was confirmed and is not in the log")

    def _check_acked_play(self, sent: Sent) -> int:
        """The number of the entry of a move that was confirmed."""
        message, seat = sent.message, sent.opened.seat
        decision = message.get("decision")
        if decision is None:
            own = [entry for entry in self._log if entry.seat == seat and entry.text == message["move"]]
            fitting = [entry for entry in own if entry.number <= sent.acked[0]]
            if not fitting or len(sent.acked) > len(own):
                raise self._fail("lost", f"{message} was confirmed and is not in the log")
            return fitting[-1].number
        if len(sent.acked) > 1:
            raise self._fail("twice", f"{message} was confirmed {len(sent.acked)} times")
        entry = self._answered.get((seat if seat is not None else -1, decision))
        if entry is None or entry.text != message["move"] or entry.number > sent.acked[0]:
            raise self._fail("lost", f"{message} was confirmed with version {sent.acked[0]}; the log has {entry}")
        return entry.number

    def _check_requests(self) -> None:
        """What was confirmed to people is in the log."""
        for person in self._world.people:
            for what, identity, info in person.done:
                if info["id"] != self._id:
                    continue
                if what == "join":
                    fits = [e for e in self._log if e.kind == "join" and decode(e.text)["identity"] == identity]
                elif what in ("resign", "handover", "takeback", "start", "change"):
                    fits = [e for e in self._log if e.kind == what]
                else:
                    continue
                if not any(entry.number <= info["version"] for entry in fits):
                    raise self._fail("lost", f"the request to {what} was confirmed and is not in the log")


def _check_finished(world: World, tables: list[Table]) -> None:
    """What is kept of finished games is what their logs amount to; each is kept once, and none that is not over."""
    disk = world.disk
    games = {table.id: finished_game(table) for table in tables}
    over = {table_id: game for table_id, game in games.items() if game is not None}
    if disk.finished != over:
        different = [each for each in {*over, *disk.finished} if over.get(each) != disk.finished.get(each)]
        raise SimulationFailure("history", f"what is kept of the finished games {different} is not what they were")
    if disk.times_finished != len(over):
        raise SimulationFailure("history", f"{len(over)} games are over, and were kept {disk.times_finished} times")


def _check_chat(world: World) -> None:
    """Lines of chat that were confirmed are stored, and nobody was shown a line that is not."""
    stored = {row["id"]: row for row in world.disk.chat}
    texts = [row["text"] for row in world.disk.chat]
    for sent in world.sent:
        if sent.message["type"] == "chat" and sent.acked and texts.count(sent.message["text"]) != 1:
            raise SimulationFailure("chat", f"{sent.message} was confirmed, and is stored not once")
    for opened in world.connections:
        for received in opened.received:
            if received.message.type not in ("chat", "hello"):
                continue
            message = json.loads(received.text)
            lines = [message["line"]] if received.message.type == "chat" else message["chat"]
            for line in lines:
                row = stored.get(line["id"])
                known = {} if row is None else {**row, "person": public_id(row["identity_id"])}
                if known.get("table_id") != opened.table_id or any(known[name] != line[name] for name in line):
                    raise SimulationFailure("chat", f"{opened.person.name} was shown {line}, which is not stored there")


def _check_lists(world: World) -> None:
    for identity, tables in world.lists_read:
        for info in tables:
            belongs = info["hosting"] or any(seat["mine"] for seat in info["seats"])
            if (info["private"] or info["invite"] is not None) and not belongs:
                raise SimulationFailure("leak", f"a list shows {identity} the private table {info['id']}")


def _check_sessions(world: World) -> None:
    """Nothing was sent for long to a session that had ended."""
    for opened in world.connections:
        ended = opened.person.ended.get(opened.cookie)
        if ended is None:
            continue
        if opened.seat is None and opened.began >= opened.person.leaving[opened.cookie]:
            continue  # it may have been opened for somebody unknown, who may watch
        healed = max(ended, world.history.seconds)
        if any(received.sent > healed + LOGGED_OUT_SECONDS for received in opened.received):
            raise SimulationFailure("leak", f"{opened.person.name} still gets messages after logging out")


def _difference(found: str, wanted: str) -> str:
    """The first place at which two texts differ."""
    place = next((at for at, (one, other) in enumerate(zip(found, wanted, strict=False)) if one != other), 0)
    start = max(0, place - 60)
    return f"...{found[start : place + 120]} instead of ...{wanted[start : place + 120]}"
