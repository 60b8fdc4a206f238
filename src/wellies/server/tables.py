"""The life of a table, as a fold over its log: pure decisions, no input or output.

Every change is an entry. `Table.apply` takes an entry that is in the log; the methods that people's wishes call check
the wish, apply the entries it means, and leave them in `fresh` for the caller to store. A caller works on a `fork` and
keeps it only once `fresh` is stored: so what is in memory is never ahead of the store.
"""

from __future__ import annotations

import hmac
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from wellies.bots import bot
from wellies.core.dice import seed_hash
from wellies.core.errors import BadOption, UndoRefused, WelliesError
from wellies.core.events import Event
from wellies.core.options import check_options
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE
from wellies.games import game
from wellies.match import Match, Record
from wellies.server.clocks import Clocks
from wellies.server.messages import Clock, Decision, EntryInfo, Json, SeatInfo, State, TableInfo, Why

_PLAIN: Final = re.compile(r"[\w ,+-]{0,200}")


class Refused(WelliesError):
    """A wish that cannot be granted; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str, status: int = 409) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class Seat(msgspec.Struct, frozen=True):
    """One chair: whose it is, and which bot plays it now, if one does."""

    kind: Literal["open", "person", "bot"] = "open"
    identity: str = ""
    name: str = ""
    bot: str | None = None
    why: Why = ""


class Setup(msgspec.Struct, frozen=True):
    """How a table was made. It never changes; what is changed later is in the log."""

    game: str
    options: Json
    seats: list[Seat]
    private: bool
    clock: Clock
    host: str
    host_name: str
    proves: bool = True
    """Whether the draws come from this table's seed: not if it began with moves of another game."""
    prefix: list[tuple[int, str]] = []
    """The moves of another game with which this one begins."""
    position: Json | None = None
    """The position from which it begins, if not from the usual one."""


class Summary(msgspec.Struct, frozen=True):
    """What lists tell of a table without replaying it."""

    options: Json
    seats: list[Seat]
    clock: Clock
    host_name: str
    outcome: Json | None
    scores: list[int]
    rematch: str | None
    started: int | None
    finished: int | None
    proves: bool


class Line:
    """One entry of the log, with what happened."""

    __slots__ = ("at", "events", "kind", "number", "seat", "text")

    def __init__(self, number: int, kind: str, seat: int | None, text: str, at: int, events: list[Event]) -> None:
        self.number = number
        self.kind = kind
        self.seat = seat
        self.text = text
        self.at = at
        self.events = events


_WORDS: Final[dict[str, str]] = {
    "join": "{%s} joins the table.",
    "leave": "The chair of seat %s is free again.",
    "seat": "The host changes seat %s.",
    "change": "The host changes the settings.",
    "start": "The game begins.",
    "undo": "{%s} takes the last move back.",
    "handover": "{%s} lets a bot play on.",
    "timeout": "{%s} has run out of time; a bot plays on.",
    "takeback": "{%s} is back.",
    "resign": "{%s} resigns; a bot plays on.",
    "rematch": "There is a new table for another game.",
    "move": "",
}


def check_game_options(spec: GameSpec, given: Json, seats: int) -> Json:
    """Options as they may come from afar: a text that could name a file is refused, for some games read files."""
    for name, value in given.items():
        known = [option for option in spec.options if option.name == name]
        is_free = bool(known) and isinstance(value, str) and value not in known[0].values
        if is_free and (not _PLAIN.fullmatch(value) or Path(value).exists()):
            raise BadOption(f"option {name}: {value[:40]!r} is not allowed here; choose one of the game's values.")
    return check_options(spec.options, given, seats, spec.title)


def check_level(level: str) -> str:
    """UnknownBot lists the bots."""
    return bot(level).name


def check_clock(clock: Clock) -> Clock:
    """The clock without what its kind does not use; Refused if it would leave no time at all."""
    if clock.kind in ("move", "game") and clock.seconds < 5:
        raise Refused("bad_clock", "A clock needs at least 5 seconds.", 400)
    if clock.kind == "days" and clock.days < 1:
        raise Refused("bad_clock", "A clock of days needs at least one.", 400)
    return Clock(
        clock.kind,
        clock.seconds if clock.kind in ("move", "game") else 0,
        clock.increment if clock.kind == "game" else 0,
        clock.days if clock.kind == "days" else 0,
    )


class Table:
    """A table at one moment of its log."""

    def __init__(self, table_id: str, setup: Setup, seed: bytes, invite: str, created: int, imported: bool) -> None:
        self.id = table_id
        self.setup = setup
        self.seed = seed
        self.invite = invite
        self.created = created
        self.imported = imported
        self.spec = game(setup.game)
        self.options = setup.options
        self.seats = list(setup.seats)
        self.private = setup.private
        self.clock = setup.clock
        self.state: State = "open"
        self.match: Match | None = None
        self.clocks = Clocks(setup.clock, len(setup.seats))
        self.version = 0
        self.lines: list[Line] = []
        self.fresh: list[Line] = []
        self.started: int | None = None
        self.finished: int | None = None
        self.rematch: str | None = None
        self.plain = True
        """Whether `fresh` holds nothing but moves that leave the table as it is for lists."""

    def fork(self) -> Table:
        """A table of its own, to try a wish on."""
        other = Table.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.seats = self.seats.copy()
        other.match = None if self.match is None else self.match.fork()
        other.clocks = self.clocks.copy()
        other.lines = self.lines.copy()
        other.fresh = []
        other.plain = True
        return other

    def anew(self) -> Table:
        """This table before the first entry of its log."""
        return Table(self.id, self.setup, self.seed, self.invite, self.created, self.imported)

    # --- the fold --------------------------------------------------------------------------------------------------

    def apply(self, number: int, kind: str, seat: int | None, text: str, at: int) -> None:
        """Take the next entry of the log."""
        if number != self.version + 1:
            raise AssertionError(f"table {self.id}: entry {number} after {self.version}")
        events: list[Event] = []
        if kind == "move":
            assert seat is not None
            events = self._match().follow(seat, text)
        else:
            self._fold(kind, seat, text, at)
        self._add(kind, seat, text, at, events)
        self._settle(kind, seat, at)

    def _add(self, kind: str, seat: int | None, text: str, at: int, events: list[Event]) -> Line:
        self.version += 1
        line = Line(self.version, kind, seat, text, at, events)
        self.lines.append(line)
        return line

    def _new(self, kind: str, seat: int | None, text: str, at: int) -> None:
        """An entry that is not yet in the log."""
        self._fold(kind, seat, text, at)
        self.fresh.append(self._add(kind, seat, text, at, []))
        self.plain = self.plain and kind == "undo"
        self._settle(kind, seat, at)

    def _fold(self, kind: str, seat: int | None, text: str, at: int) -> None:
        """What an entry other than a move does to the table."""
        if kind == "start":
            self._begin(at)
        elif kind == "undo":
            assert seat is not None
            self._match().undo(seat)
        elif kind == "change":
            change = msgspec.json.decode(text, type=Change)
            self.options = self.options if change.options is None else change.options
            self.private = self.private if change.private is None else change.private
            if change.clock is not None:
                self.clock = change.clock
                self.clocks = Clocks(change.clock, len(self.seats))
        elif kind == "rematch":
            self.rematch = text
        elif seat is not None:
            self.seats[seat] = self._seat_after(kind, self.seats[seat], text)
            if kind == "takeback":
                self.clocks.returned(seat)

    def _seat_after(self, kind: str, seat: Seat, text: str) -> Seat:
        if kind in ("join", "seat"):
            return msgspec.json.decode(text, type=Seat)
        if kind == "leave":
            return Seat()
        if kind == "takeback":
            return msgspec.structs.replace(seat, bot=None, why="")
        why: dict[str, Why] = {"handover": "handover", "timeout": "timeout", "resign": "resigned"}
        return msgspec.structs.replace(seat, bot=text, why=why[kind])

    def _begin(self, at: int) -> None:
        self.match = Match.waiting(
            self.spec,
            len(self.seats),
            self.options,
            self.seed,
            proves=self.setup.proves,
            position=self.setup.position,
            players=[seat.name for seat in self.seats],
        )
        self.state = "playing"
        self.started = at

    def _settle(self, kind: str, seat: int | None, at: int) -> None:
        """After each entry: let the clocks run for those who are waited for, and see whether the game is over."""
        match = self.match
        if match is None or self.state == "finished":
            return
        if self.clocks.ticks:
            if kind == "move" and seat is not None:
                self.clocks.moved(seat, at)
            due = match.state.due()
            if due != [CHANCE]:
                self.clocks.wait_for([number for number in due if self.seats[number].bot is None], at)
        if not match.state.active():
            self.state = "finished"
            self.finished = at
            self.plain = False
            self.clocks.wait_for([], at)

    def _match(self) -> Match:
        if self.match is None:
            raise Refused("not_playing", "The game has not begun.")
        return self.match

    # --- playing ---------------------------------------------------------------------------------------------------

    def play(self, seat: int, text: str, decision: str | None, at: int, *, by_bot: bool = False) -> None:
        """Make a move and let chance do what is due. MoveError says why not."""
        match = self._match()
        if not by_bot:
            self._own_hands(seat)
        before = len(match.log)
        match.play(seat, text, decision)
        self._take_new(match, before, at)

    def _take_new(self, match: Match, before: int, at: int) -> None:
        """Entries for all that the match did since."""
        for entry in match.log[before:]:
            self.fresh.append(self._add("move", entry.seat, entry.text, at, entry.events))
            if self.clocks.ticks:
                self.clocks.moved(entry.seat, at)
        self._settle("", None, at)

    def undo(self, seat: int, at: int) -> None:
        """Take the seat's last move back; UndoRefused says why not."""
        match = self._match()
        self._own_hands(seat)
        if self.state == "finished":
            raise UndoRefused("The game is over.")
        why = match.undo_refusal(seat)
        if why is not None:
            raise UndoRefused(why)
        self._new("undo", seat, "", at)

    def _own_hands(self, seat: int) -> None:
        if self.seats[seat].bot is not None and self.state == "playing":
            raise Refused("bot_plays", "A bot plays this seat; take it back first.")

    # --- seats and settings ----------------------------------------------------------------------------------------

    def join(self, identity: str, name: str, seat: int | None, at: int) -> int:
        """Sit down; returns the seat. Without a choice: the first that is open."""
        self._while_open()
        open_seats = [number for number, chair in enumerate(self.seats) if chair.kind == "open"]
        if not open_seats:
            raise Refused("full", "All chairs are taken.")
        if seat is None:
            seat = open_seats[0]
        self._exists(seat)
        if seat not in open_seats:
            raise Refused("taken", f"Seat {seat} is taken; open: {', '.join(map(str, open_seats))}.")
        self._new("join", seat, _text(Seat("person", identity, name)), at)
        return seat

    def leave(self, identity: str, seat: int | None, level: str, at: int) -> None:
        """Get up: before the game the chair is free again, during it a bot plays on."""
        mine = self._mine(identity, seat)
        for number in mine:
            if self.state == "open":
                self._new("leave", number, "", at)
            elif self.state == "playing" and self.seats[number].bot is None:
                self._new("handover", number, level, at)

    def set_seat(self, identity: str, seat: int, kind: str, level: str, at: int) -> None:
        """The host puts a bot on a chair or clears it."""
        self._host_only(identity)
        self._while_open()
        self._exists(seat)
        chair = Seat("bot", "", check_level(level), check_level(level)) if kind == "bot" else Seat()
        self._new("seat", seat, _text(chair), at)

    def change(self, identity: str, options: Json | None, clock: Clock | None, private: bool | None, at: int) -> None:
        """The host changes options, clock or privacy before the game."""
        self._host_only(identity)
        self._while_open()
        checked = None if options is None else check_game_options(self.spec, options, len(self.seats))
        change = Change(checked, None if clock is None else check_clock(clock), private)
        self._new("change", None, _text(change), at)

    def start(self, identity: str, at: int) -> None:
        """The host begins the game."""
        self._host_only(identity)
        self._while_open()
        free = [number for number, seat in enumerate(self.seats) if seat.kind == "open"]
        if free:
            raise Refused("not_full", f"There are open chairs: {', '.join(map(str, free))}; fill them or add bots.")
        self.begin(at)

    def begin(self, at: int) -> None:
        """Begin, with the moves that were played elsewhere if there are any, then let chance do what is due."""
        self._new("start", None, "", at)
        match = self._match()
        for seat, text in self.setup.prefix:
            match.follow(seat, text)
        match.roll()
        self._take_new(match, 0, at)

    def hand_over(self, identity: str, seat: int | None, level: str, at: int) -> None:
        for number in self._playing_seats(identity, seat):
            if self.seats[number].bot is not None:
                raise Refused("bot_plays", "A bot plays this seat already.")
            self._new("handover", number, check_level(level), at)

    def take_back(self, identity: str, seat: int | None, at: int) -> None:
        mine = self._playing_seats(identity, seat)
        back = [number for number in mine if self.seats[number].bot is not None]
        if any(self.seats[number].why == "resigned" for number in back):
            raise Refused("resigned", "This seat has resigned; a bot plays it to the end.")
        if not back:
            raise Refused("own_hands", "You play this seat yourself already.")
        for number in back:
            self._new("takeback", number, "", at)

    def resign(self, identity: str, seat: int | None, level: str, at: int) -> None:
        for number in self._playing_seats(identity, seat):
            if self.seats[number].why == "resigned":
                raise Refused("resigned", "This seat has resigned already.")
            self._new("resign", number, level, at)

    def time_out(self, level: str, now: int) -> bool:
        """Put bots on the seats whose time is over; whether there were any."""
        if self.state != "playing":
            return False
        late = self.clocks.run_out(now)
        for seat in late:
            self._new("timeout", seat, level, now)
        return bool(late)

    def name_rematch(self, identity: str, table_id: str, at: int) -> None:
        self._mine(identity, None)
        if self.state != "finished":
            raise Refused("not_finished", "The game is not over yet.")
        if self.rematch is None:
            self._new("rematch", None, table_id, at)

    def _while_open(self) -> None:
        if self.state != "open":
            raise Refused("begun", "The game has begun already.")

    def _host_only(self, identity: str) -> None:
        if identity != self.setup.host:
            raise Refused("not_host", "Only the host of the table may do that.", 403)

    def _exists(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refused("no_seat", f"There is no seat {seat}; seats run from 0 to {len(self.seats) - 1}.", 400)

    def _mine(self, identity: str, seat: int | None) -> list[int]:
        """The seats meant: this one, or all that the identity holds. Refused if it is not theirs."""
        mine = self.seats_of(identity)
        if seat is not None:
            self._exists(seat)
            if seat not in mine:
                raise Refused("not_seated", "That seat is not yours.", 403)
            return [seat]
        if not mine:
            raise Refused("not_seated", "You have no seat at this table.", 403)
        return mine

    def _playing_seats(self, identity: str, seat: int | None) -> list[int]:
        mine = self._mine(identity, seat)
        if self.state != "playing":
            raise Refused("not_playing", "The game is not being played.")
        return mine

    # --- what may be known -----------------------------------------------------------------------------------------

    def seats_of(self, identity: str) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.identity == identity != ""]

    def visible_to(self, identity: str, invite: str | None) -> bool:
        """Whether somebody may know of this table at all."""
        return (
            not self.private
            or identity == self.setup.host
            or bool(self.seats_of(identity))
            or (invite is not None and _same(invite, self.invite))
        )

    def view_for(self, seat: int | None) -> Json | None:
        """The one door for views; None before the game."""
        return None if self.match is None else self.match.view_for(seat)

    def decision_for(self, seat: int | None) -> Decision | None:
        if self.match is None or seat is None or self.seats[seat].bot is not None:
            return None
        for decision in self.match.decisions():
            if decision.seat == seat:
                return Decision(decision.id, decision.due)
        return None

    def entry_for(self, line: Line, seat: int | None) -> EntryInfo:
        """The one door for entries. A move's notation may name what is hidden: it is told to its maker only, and to
        all when the game is over."""
        told = line.kind == "move" and (self.state == "finished" or (seat is not None and line.seat == seat))
        words = _WORDS[line.kind]
        return EntryInfo(
            line.number,
            line.at,
            line.kind,
            line.seat,
            line.text if told else None,
            words % line.seat if "%s" in words else words,
            [event.seen_by(seat) for event in line.events],
        )

    def outcome(self) -> Json | None:
        outcome = None if self.match is None else self.match.state.outcome()
        if outcome is None:
            return None
        resigned = [number for number, seat in enumerate(self.seats) if seat.why == "resigned"]
        told = {**outcome.to_json(), "resigned": resigned}
        if 0 < len(resigned) < len(self.seats):
            # Who gives up comes after all who stayed, whatever the bot has made of the seat since.
            order = [(number in resigned, -score) for number, score in enumerate(outcome.scores)]
            told["ranks"] = [1 + sum(1 for other in order if other < mine) for mine in order]
            told["winners"] = [number for number, rank in enumerate(told["ranks"]) if rank == 1]
        return told

    def waiting(self) -> list[int]:
        """The seats the game waits for."""
        if self.match is None:
            return []
        return [seat for seat in self.match.state.due() if seat != CHANCE]

    def bots_due(self) -> list[int]:
        """The seats whose bots should move now."""
        if self.state != "playing":
            return []
        return [seat for seat in self.waiting() if self.seats[seat].bot is not None]

    def wake_at(self, now: int, rescue: int) -> int | None:
        """When some worker should look at this table, if nothing happens before: when a clock runs out, or when a bot
        has not moved after `rescue` milliseconds, because the worker that cared for it has died."""
        if self.state != "playing":
            return None
        deadline = self.clocks.deadline()
        if not self.bots_due():
            return deadline
        return now + rescue if deadline is None else min(deadline, now + rescue)

    def holders(self) -> list[str]:
        return sorted({seat.identity for seat in self.seats if seat.identity})

    def summary(self) -> Summary:
        return Summary(
            self.options,
            self.seats,
            self.clock,
            self.setup.host_name,
            self.outcome(),
            [] if self.match is None else self.match.state.scores(),
            self.rematch,
            self.started,
            self.finished,
            self.setup.proves,
        )

    def info_for(self, identity: str) -> TableInfo:
        """The table as this person may know it."""
        return make_info(
            self.id,
            self.setup.game,
            self.summary(),
            identity,
            host=self.setup.host,
            state=self.state,
            private=self.private,
            invite=self.invite,
            seed=self.seed,
            version=self.version,
            waiting=self.waiting(),
            imported=self.imported,
            created=self.created,
        )

    def record(self) -> Record:
        """The whole game, seed and all; only when it is over."""
        if self.match is None or self.state != "finished":
            raise Refused("not_finished", "The record can be had when the game is over.")
        record = self.match.record()
        record.date = _date(self.started or self.created)
        return record


class Change(msgspec.Struct, frozen=True):
    """What a host changed."""

    options: Json | None = None
    clock: Clock | None = None
    private: bool | None = None


def make_info(
    table_id: str,
    game_name: str,
    summary: Summary,
    identity: str,
    *,
    host: str,
    state: State,
    private: bool,
    invite: str,
    seed: bytes,
    version: int,
    waiting: list[int],
    imported: bool,
    created: int,
) -> TableInfo:
    """A table as one person may know it, from its replay or from a row of a list."""
    seats = [
        SeatInfo(number, seat.kind, seat.name, seat.identity == identity != "", seat.bot, seat.why)
        for number, seat in enumerate(summary.seats)
    ]
    belongs = identity == host or any(seat.mine for seat in seats)
    return TableInfo(
        id=table_id,
        game=game_name,
        title=game(game_name).title,
        options=summary.options,
        seats=seats,
        state=state,
        private=private,
        clock=summary.clock,
        host=summary.host_name,
        hosting=identity == host != "",
        invite=invite if belongs else None,
        seed_hash=seed_hash(seed) if summary.proves else "",
        seed=seed.hex() if state == "finished" and summary.proves else None,
        version=version,
        waiting=waiting,
        scores=summary.scores,
        outcome=summary.outcome,
        rematch=summary.rematch,
        imported=imported,
        created=created,
        started=summary.started,
        finished=summary.finished,
    )


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _date(millis: int) -> str:
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d")
