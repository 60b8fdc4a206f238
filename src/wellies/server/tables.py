"""The life of a table, as a fold over its log: pure decisions, no input or output.

Every change is an entry. `Table.apply` folds an entry that is already in the log. The methods for people's requests
check the request, apply the entries it needs, and leave them in `uncommitted` for the caller to store. A caller works
on a `fork` and keeps it only after `uncommitted` is stored, so memory is never ahead of the store.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

from wellies.bots import bot
from wellies.core.dice import seed_hash
from wellies.core.errors import BadOption, BadPosition, UndoRefused, WelliesError
from wellies.core.events import Event
from wellies.core.options import check_options, refuse_paths
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE
from wellies.games import game, game_title
from wellies.match import Match, Record, UndoPlan
from wellies.server.clocks import Clocks
from wellies.server.messages import (
    Clock,
    Decision,
    EntryInfo,
    HintOffer,
    Hints,
    Json,
    SeatInfo,
    State,
    TableInfo,
    Takebacks,
    UndoKind,
    UndoOffer,
    UndoRequest,
    Why,
)

BEGINNER_GAMES: Final = 3
"""Who has finished fewer games of a game than these is a beginner in it."""
PATIENT_DAYS: Final = 2
"""So many moves in a row may be missed on a clock of days before a bot plays on for somebody who is away."""


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
    once: bool = False
    """Whether the bot makes one move only, after which the seat is its owner's again."""


class Aids(msgspec.Struct, frozen=True):
    """What a table allows besides the rules. None: as is usual for those who sit there."""

    hints: Hints | None = None
    badges: bool | None = None
    takebacks: Takebacks | None = None

    def with_changes(self, new: Aids) -> Aids:
        return Aids(
            self.hints if new.hints is None else new.hints,
            self.badges if new.badges is None else new.badges,
            self.takebacks if new.takebacks is None else new.takebacks,
        )

    def hints_for(self, seats: list[Seat]) -> Hints:
        """Hints are usual for one person alone with bots, and not where two or more people play."""
        if self.hints is not None:
            return self.hints
        return "off" if sum(1 for seat in seats if seat.kind != "bot") > 1 else "all"

    @property
    def shows_badges(self) -> bool:
        return self.badges is not False

    @property
    def takes_back(self) -> Takebacks:
        return self.takebacks or "ask"


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
    aids: Aids = Aids()


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
    aids: Aids = Aids()


class BackTo(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a takeback goes: so many moves stand. `shown`: something new was seen since; `agreed`: the other people
    were asked."""

    to: int
    shown: bool = False
    agreed: bool = False


class Asked(msgspec.Struct, frozen=True):
    """A takeback that waits for the answers of the other people: the entry that asks, whose move it is, how far it
    goes, and which seats have agreed."""

    number: int
    seat: int
    back: BackTo
    agreed: frozenset[int] = frozenset()


class Line:
    """One entry of the log, with what happened; for an undo, the number of the first move that it takes back."""

    __slots__ = ("at", "back", "events", "kind", "number", "seat", "text", "words")

    def __init__(self, number: int, kind: str, seat: int | None, text: str, at: int, events: list[Event]) -> None:
        self.number = number
        self.kind = kind
        self.seat = seat
        self.text = text
        self.at = at
        self.events = events
        self.back: int | None = None
        self.words: str | None = None
        """What it says, for lines about chairs: these are told as they were then, for seats are counted anew when a
        chair goes."""


_MARKS: Final = str.maketrans("[]{}", "()()")
_PLAIN_KINDS: Final = ("undo", "ask", "agree", "decline", "withdraw")
"""Entries that change nothing of what lists tell."""
_WORDS: Final[dict[str, str]] = {
    "join": "",
    "leave": "",
    "seat": "",
    "name": "",
    "chair": "The host adds a chair.",
    "unchair": "The host takes a chair away.",
    "change": "The host changes the settings.",
    "start": "The game begins.",
    "undo": "{%s} takes the last move back.",
    "ask": "{%s} asks to take the last move back.",
    "agree": "{%s} agrees.",
    "decline": "{%s} would rather let it stand.",
    "withdraw": "{%s} lets it stand after all.",
    "handover": "{%s} lets a bot play on.",
    "late": "{%s}'s time ran out; a bot makes this move.",
    "timeout": "{%s} has run out of time; a bot plays on until they are back.",
    "takeback": "{%s} is back.",
    "resign": "{%s} resigns; a bot plays on.",
    "rematch": "There is a new table for another game.",
    "move": "",
}


def check_game_options(spec: GameSpec, given: Json, seats: int) -> Json:
    """Options as they come over the network: one that names a file is refused."""
    refuse_paths(spec.options, given)
    return check_options(spec.options, given, seats, spec.title)


def fit_options(spec: GameSpec, options: Json, before: int, after: int) -> Json:
    """The options of a game for so many seats, for another number: what was chosen stays wherever it fits."""
    fitted: Json = {}
    for option in spec.options:
        chosen = options.get(option.name, option.fallback(before))
        fitted[option.name] = option.fallback(after)
        if chosen != option.fallback(before):
            with contextlib.suppress(BadOption):
                fitted[option.name] = option.check(chosen, after)
    return fitted


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
        # A table that was stored before the rules had versions leaves options out that mean something else now.
        self.options = self.spec.options_of(setup.options, 1)
        self.seats = list(setup.seats)
        self.private = setup.private
        self.clock = setup.clock
        self.aids = setup.aids
        self.state: State = "open"
        self.match: Match | None = None
        self.clocks = Clocks(setup.clock, len(setup.seats))
        self.version = 0
        self.lines: list[Line] = []
        self.uncommitted: list[Line] = []
        self.started: int | None = None
        self.finished: int | None = None
        self.rematch: str | None = None
        self.moves: list[int] = []
        """The numbers of the entries that hold the moves that stand, one for each entry of the match's own log."""
        self.asked: Asked | None = None
        """A takeback that the other people have been asked for."""
        self.declined: int | None = None
        """The entry of a move that somebody did not want to be taken back: it is not asked for again."""
        self.missed: dict[int, int] = {}
        """How many decisions in a row each seat has left to a bot, because its time ran out."""
        self.only_moves = True
        """Whether `uncommitted` holds nothing but moves that leave the table as it is for lists."""

    def fork(self) -> Table:
        """A table of its own, to try a wish on."""
        other = Table.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.seats = self.seats.copy()
        other.match = None if self.match is None else self.match.fork()
        other.clocks = self.clocks.copy()
        other.lines = self.lines.copy()
        other.moves = self.moves.copy()
        other.missed = self.missed.copy()
        other.uncommitted = []
        other.only_moves = True
        return other

    def initial(self) -> Table:
        """This table before the first entry of its log."""
        return Table(self.id, self.setup, self.seed, self.invite, self.created, self.imported)

    # --- the fold --------------------------------------------------------------------------------------------------

    def apply(self, number: int, kind: str, seat: int | None, text: str, at: int) -> None:
        """Take the next entry of the log."""
        if number != self.version + 1:
            raise AssertionError(f"table {self.id}: entry {number} after {self.version}")
        events: list[Event] = []
        before = self.seats.copy()
        if kind == "move":
            assert seat is not None
            events = self._match().apply_logged(seat, text)
        else:
            self._fold(kind, seat, text, at)
        self._add(kind, seat, text, at, events).words = _chair_words(kind, seat, before, self.seats)
        self._settle(kind, seat, at)

    def _add(self, kind: str, seat: int | None, text: str, at: int, events: list[Event]) -> Line:
        self.version += 1
        line = Line(self.version, kind, seat, text, at, events)
        self.lines.append(line)
        if kind == "move":
            self.moves.append(line.number)
            self._has_moved(seat)
        elif kind == "undo":
            left = len(self._match().log)
            line.back = self.moves[left]
            del self.moves[left:]
        return line

    def _has_moved(self, seat: int | None) -> None:
        """After a move: a bot that made one move for somebody gives the seat back, and a question is forgotten when
        people go on without an answer."""
        if seat is None or seat == CHANCE or self.seats[seat].kind != "person":
            return
        self.asked = None
        chair = self.seats[seat]
        if chair.bot is None:
            self.missed.pop(seat, None)
        elif chair.once:
            self.seats[seat] = msgspec.structs.replace(chair, bot=None, why="", once=False)
            self.only_moves = False

    def _new(self, kind: str, seat: int | None, text: str, at: int) -> None:
        """An entry that is not yet in the log."""
        before = self.seats.copy()
        self._fold(kind, seat, text, at)
        self.uncommitted.append(self._add(kind, seat, text, at, []))
        self.uncommitted[-1].words = _chair_words(kind, seat, before, self.seats)
        self.only_moves = self.only_moves and kind in _PLAIN_KINDS
        self._settle(kind, seat, at)

    def _fold(self, kind: str, seat: int | None, text: str, at: int) -> None:
        """What an entry other than a move does to the table."""
        if kind == "start":
            self._begin(at)
        elif kind == "undo":
            assert seat is not None
            self.asked = None
            # A text was written by tables that can take back more than one move.
            self._match().undo(seat, msgspec.json.decode(text, type=BackTo).to if text else None)
            # What a bot was about to do for somebody is not to be done any more.
            self.seats = [self._seat_after("takeback", chair, "") if chair.once else chair for chair in self.seats]
        elif kind == "ask":
            assert seat is not None
            self.asked = Asked(self.version + 1, seat, msgspec.json.decode(text, type=BackTo))
        elif kind == "agree":
            assert seat is not None
            assert self.asked is not None
            self.asked = msgspec.structs.replace(self.asked, agreed=self.asked.agreed | {seat})
        elif kind in ("decline", "withdraw"):
            assert self.asked is not None
            self.declined = self.moves[self.asked.back.to] if kind == "decline" else self.declined
            self.asked = None
        elif kind == "change":
            change = msgspec.json.decode(text, type=Change)
            self.options = self.options if change.options is None else change.options
            self.private = self.private if change.private is None else change.private
            if change.clock is not None:
                self.clock = change.clock
                self.clocks = Clocks(change.clock, len(self.seats))
            if change.aids is not None:
                self.aids = self.aids.with_changes(change.aids)
        elif kind == "rematch":
            self.rematch = text
        elif kind in ("chair", "unchair"):
            assert seat is not None
            self.seats[seat : seat + 1] = [Seat()] if kind == "chair" else []
            self.options = msgspec.json.decode(text, type=dict[str, Any])
            self.clocks = Clocks(self.clock, len(self.seats))
        elif seat is not None:
            self.seats[seat] = self._seat_after(kind, self.seats[seat], text)
            self.asked = None
            if kind == "takeback":
                self.clocks.returned(seat)
                self.missed.pop(seat, None)
            elif kind == "late":
                self.clocks.late(seat)
                self.missed[seat] = self.missed.get(seat, 0) + 1

    def _seat_after(self, kind: str, seat: Seat, text: str) -> Seat:
        if kind == "name":
            return msgspec.structs.replace(seat, name=text)
        if kind in ("join", "seat"):
            return msgspec.json.decode(text, type=Seat)
        if kind == "leave":
            return Seat()
        if kind == "takeback":
            return msgspec.structs.replace(seat, bot=None, why="", once=False)
        why: dict[str, Why] = {"handover": "handover", "late": "timeout", "timeout": "timeout", "resign": "resigned"}
        return msgspec.structs.replace(seat, bot=text, why=why[kind], once=kind == "late")

    def _begin(self, at: int) -> None:
        self.match = Match.for_replay(
            self.spec,
            len(self.seats),
            self.options,
            self.seed,
            proves=self.setup.proves,
            position=self._start_position(),
            players=[seat.name for seat in self.seats],
        )
        self.state = "playing"
        self.started = at

    def _start_position(self) -> Json | None:
        """The position that the game begins from. It was checked when the table was made: where checks have become
        stricter since, an old table goes on without them."""
        position = self.setup.position
        if position is None:
            return None
        try:
            self.spec.from_position(position)
        except BadPosition:
            return {**position, "check": False}
        return position

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
            self.only_moves = False
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
            self.uncommitted.append(self._add("move", entry.seat, entry.text, at, entry.events))
            if self.clocks.ticks:
                self.clocks.moved(entry.seat, at)
        self._settle("", None, at)

    def _own_hands(self, seat: int) -> None:
        if self.state != "playing" or self.seats[seat].bot is None:
            return
        if self.seats[seat].once:
            raise Refused("bot_plays", "Your time for this move ran out; a bot makes it, and the next one is yours.")
        raise Refused("bot_plays", "A bot plays this seat; take it back first.")

    # --- taking back -----------------------------------------------------------------------------------------------

    def undo(self, seat: int, at: int) -> None:
        """Go back to the last decision of whoever holds this seat, where nobody need be asked; UndoRefused says why
        not."""
        plan = self._undo_wish(seat, ("free", "takeback"))
        self._new("undo", plan.seat, _text(BackTo(plan.to, plan.shown)), at)

    def ask_undo(self, seat: int, at: int) -> None:
        """Ask the other people for it."""
        plan = self._undo_wish(seat, ("ask",))
        self._new("ask", plan.seat, _text(BackTo(plan.to, plan.shown)), at)

    def answer_undo(self, seat: int, request: int, accept: bool, at: int) -> None:
        """What somebody at this seat says to it. When all have agreed, it is done."""
        self._own_hands(seat)
        asked = self.asked
        if asked is None or asked.number != request:
            raise Refused("stale", "This is no longer asked.")
        if self.seats[seat].identity == self.seats[asked.seat].identity:
            if accept:
                raise Refused("not_yours", "The others are asked, not you.", 403)
            self._new("withdraw", asked.seat, "", at)
        elif not accept:
            self._new("decline", seat, "", at)
        elif seat not in asked.agreed:
            self._new("agree", seat, "", at)
            if not self._unanswered():
                back = msgspec.structs.replace(asked.back, agreed=True)
                self._new("undo", asked.seat, _text(back), at)

    def _undo_wish(self, seat: int, kinds: tuple[UndoKind, ...]) -> UndoPlan:
        self._match()
        self._own_hands(seat)
        offer, plan = self._undo_offer(seat)
        if plan is None or offer.kind not in kinds:
            raise UndoRefused(offer.why)
        return plan

    def undo_for(self, seat: int | None) -> UndoOffer:
        """What undo would do now for somebody at this seat."""
        return UndoOffer("", "", None) if seat is None else self._undo_offer(seat)[0]

    def _undo_offer(self, seat: int) -> tuple[UndoOffer, UndoPlan | None]:
        def offer(kind: UndoKind, why: str) -> tuple[UndoOffer, UndoPlan | None]:
            return UndoOffer(kind, why, self.moves[plan.to] if plan is not None and kind else None), plan

        plan: UndoPlan | None = None
        chair = self.seats[seat]
        if self.match is None:
            return offer("", "The game has not begun.")
        if self.state != "playing":
            return offer("", "The game is over.")
        if chair.bot is not None:
            return offer("", "A bot plays this seat.")
        plan = self.match.undo_plan(self.seats_of(chair.identity) or [seat], len(self.setup.prefix))
        if plan is None:
            return offer("", "There is nothing of yours to take back.")
        takebacks = self.aids.takes_back
        if not plan.others and not plan.shown:
            return offer("free", "Back to your last decision.")
        if takebacks == "off":
            return offer("", "Takebacks are off at this table, and something has happened since your move.")
        rivals = [other for other in self.seats if other.kind == "person" and other.identity != chair.identity]
        rivals = [other for other in rivals if other.why != "resigned"]
        if not rivals or (takebacks == "free" and not plan.shown):
            back = "Back to your last decision" + (", behind what others did since" if plan.others else "")
            if plan.shown:
                return offer("takeback", f"{back}. What has come up by chance comes up again.")
            return offer("free", f"{back}.")
        if self.asked is not None:
            return offer("", "A takeback is being asked for already.")
        if self.declined == self.moves[plan.to]:
            return offer("", "The others would rather let this move stand.")
        if all(other.bot is not None for other in rivals):
            return offer("", "The people you play with are away, so nobody can agree.")
        return offer("ask", "The other people at the table must agree: ask them.")

    def _unanswered(self) -> list[int]:
        """The seats of people who play themselves and have not yet agreed to what is asked; one answer of a person
        counts for all their seats."""
        asked = self.asked
        if asked is None:
            return []
        done = {self.seats[seat].identity for seat in (*asked.agreed, asked.seat)}
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.kind == "person" and seat.bot is None and seat.identity not in done
        ]

    def request(self) -> UndoRequest | None:
        """The takeback that waits for answers, as everybody may know it."""
        asked = self.asked
        if asked is None:
            return None
        return UndoRequest(asked.number, asked.seat, sorted(asked.agreed), self._unanswered(), asked.back.shown)

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

    def name_seat(self, identity: str, seat: int, name: str, at: int) -> None:
        """Call oneself, or somebody beside oneself, by another name before the game."""
        self._mine(identity, seat)
        self._while_open()
        if self.seats[seat].name != name:
            self._new("name", seat, name, at)

    def add_chair(self, identity: str, at: int) -> None:
        """The host puts one more open chair at the end."""
        self._chairs(identity, len(self.seats) + 1)
        self._new("chair", len(self.seats), self._options_for(len(self.seats) + 1), at)

    def remove_chair(self, identity: str, seat: int, at: int) -> None:
        """The host takes a chair away on which nobody sits; those behind it move up."""
        self._chairs(identity, len(self.seats) - 1)
        self._exists(seat)
        if self.seats[seat].kind == "person":
            raise Refused("taken", f"{self.seats[seat].name} sits there; free the chair first.")
        self._new("unchair", seat, self._options_for(len(self.seats) - 1), at)

    def _chairs(self, identity: str, count: int) -> None:
        """Refused unless the host may have so many chairs now."""
        self._host_only(identity)
        self._while_open()
        if self.setup.position is not None or self.setup.prefix:
            raise Refused("bad_seats", "This game goes on from another one; it has as many chairs as that had.")
        if not self.spec.min_seats <= count <= self.spec.max_seats:
            least, most = self.spec.min_seats, self.spec.max_seats
            raise Refused("bad_seats", f"{self.spec.title} is for {least} to {most} players.")

    def _options_for(self, count: int) -> str:
        return _text(fit_options(self.spec, self.options, len(self.seats), count))

    def change(
        self,
        identity: str,
        options: Json | None,
        clock: Clock | None,
        private: bool | None,
        at: int,
        aids: Aids | None = None,
    ) -> None:
        """The host changes options, clock, privacy or what is allowed besides the rules, before the game."""
        self._host_only(identity)
        self._while_open()
        checked = None if options is None else check_game_options(self.spec, options, len(self.seats))
        change = Change(checked, None if clock is None else check_clock(clock), private, aids)
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
            match.apply_logged(seat, text)
        match.roll()
        self._take_new(match, 0, at)

    def hand_over(self, identity: str, seat: int | None, level: str, at: int) -> None:
        for number in self._playing_seats(identity, seat):
            if self.seats[number].bot is not None:
                raise Refused("bot_plays", "A bot plays this seat already.")
            self._new("handover", number, check_level(level), at)

    def reclaim_seat(self, identity: str, seat: int | None, at: int) -> None:
        mine = self._playing_seats(identity, seat)
        back = [number for number in mine if self.seats[number].bot is not None]
        if any(self.seats[number].why == "resigned" for number in back):
            raise Refused("resigned", "This seat has resigned; a bot plays it to the end.")
        if any(self.seats[number].once for number in back):
            raise Refused("bot_plays", "A bot makes this one move, for its time ran out; the next one is yours.")
        if not back:
            raise Refused("own_hands", "You play this seat yourself already.")
        for number in back:
            self._new("takeback", number, "", at)

    def resign(self, identity: str, seat: int | None, level: str, at: int) -> None:
        for number in self._playing_seats(identity, seat):
            if self.seats[number].why == "resigned":
                raise Refused("resigned", "This seat has resigned already.")
            self._new("resign", number, level, at)

    def come_back(self, identity: str, at: int) -> None:
        """Somebody is at the table again: they get back the seats that a bot plays because their time ran out."""
        for number in self.seats_of(identity):
            if self.has_missed(number) and self.state == "playing":
                self._new("takeback", number, "", at)

    def has_missed(self, seat: int) -> bool:
        """Whether a bot plays on in this seat because its owner's time ran out."""
        chair = self.seats[seat]
        return chair.why == "timeout" and not chair.once

    def run_out(self, now: int) -> list[int]:
        """The seats whose time is over."""
        return self.clocks.run_out(now) if self.state == "playing" else []

    def time_out(self, level: str, now: int, there: Collection[int]) -> None:
        """Let a bot move for those whose time is over. It makes this one move, and the seat is theirs again; it plays
        on only for somebody who is not `there` while others wait."""
        for seat in self.run_out(now):
            self._new("late" if seat in there or self._can_wait(seat) else "timeout", seat, level, now)

    def _can_wait(self, seat: int) -> bool:
        """Whether the game may wait for the next move of somebody who is away: nobody else waits, or it is played over
        days, when nobody is expected to sit there."""
        mine = self.seats[seat].identity
        waits = any(other.kind == "person" and other.bot is None and other.identity != mine for other in self.seats)
        return not waits or (self.clock.kind == "days" and self.missed.get(seat, 0) < PATIENT_DAYS)

    def rematch_id(self) -> str:
        """The name of the table for another game: the same for all who ask, and not to be guessed by others."""
        return hashlib.sha256(f"{self.id} {self.invite} rematch".encode()).hexdigest()[:12]

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

    def hint_for(self, seat: int | None, games: int) -> HintOffer:
        """Whether somebody at this seat, who has finished so many games of this game, may ask for hints."""
        if seat is None:
            return HintOffer(False, "Hints are for those who play.")
        hints = self.aids.hints_for(self.seats)
        if hints == "off":
            return HintOffer(False, "Hints are off at this table.")
        if hints == "beginners" and games >= BEGINNER_GAMES:
            return HintOffer(
                False,
                f"Hints here are for beginners, who have finished fewer than {BEGINNER_GAMES} games of "
                f"{self.spec.title}.",
            )
        return HintOffer(True, "")

    def entry_for(self, line: Line, seat: int | None) -> EntryInfo:
        """The one door for entries. A move's notation may name what is hidden: it is told to its maker only, and to
        all when the game is over."""
        told = line.kind == "move" and (self.state == "finished" or (seat is not None and line.seat == seat))
        words = _words(line) if line.words is None else line.words
        return EntryInfo(
            line.number,
            line.at,
            line.kind,
            line.seat,
            line.text if told else None,
            words % line.seat if line.words is None and "%s" in words else words,
            [event.seen_by(seat) for event in line.events],
            line.back,
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
        """The seats whose bots should move now; those that stand in for people, who take their time, come last."""
        if self.state != "playing":
            return []
        return sorted((seat for seat in self.waiting() if self.seats[seat].bot is not None), key=self.stands_in)

    def only_bots(self) -> bool:
        """Whether the game goes on without any person."""
        return self.state == "playing" and all(seat.bot is not None for seat in self.seats)

    def stands_in(self, seat: int) -> bool:
        """Whether a bot plays this seat in the place of somebody who may come back."""
        chair = self.seats[seat]
        return chair.kind == "person" and chair.bot is not None and chair.why != "resigned"

    def bot_faces(self, seat: int, decision: str) -> bool:
        """Whether a bot has this decision before it in that seat."""
        if self.match is None or self.state != "playing" or self.seats[seat].bot is None:
            return False
        return any(each.id == decision for each in self.match.decisions())

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
            next((seat.name for seat in self.seats if seat.identity == self.setup.host != ""), self.setup.host_name),
            self.outcome(),
            [] if self.match is None else self.match.state.scores(),
            self.rematch,
            self.started,
            self.finished,
            self.setup.proves,
            self.aids,
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
    aids: Aids | None = None


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
        SeatInfo(number, seat.kind, seat.name, seat.identity == identity != "", seat.bot, seat.why, seat.once)
        for number, seat in enumerate(summary.seats)
    ]
    belongs = identity == host or any(seat.mine for seat in seats)
    return TableInfo(
        id=table_id,
        game=game_name,
        title=game_title(game_name),
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
        hints=summary.aids.hints_for(summary.seats),
        badges=summary.aids.shows_badges,
        takebacks=summary.aids.takes_back,
    )


def _words(line: Line) -> str:
    """What an entry other than a move says."""
    if line.kind == "undo" and line.text:
        back = msgspec.json.decode(line.text, type=BackTo)
        agreed = ", as agreed" if back.agreed else ""
        return f"{{%s}} takes the last move back{agreed}{'; the same draws come again' if back.shown else ''}."
    return _WORDS[line.kind]


def _chair_words(kind: str, seat: int | None, before: list[Seat], after: list[Seat]) -> str | None:
    """What a line about a chair says, in the names of then; None for all other lines."""
    if seat is None or kind not in ("join", "leave", "seat", "name"):
        return None
    was, now = (msgspec.structs.replace(chair, name=unmarked(chair.name)) for chair in (before[seat], after[seat]))
    if kind == "join":
        return f"{now.name} joins the table."
    if kind == "leave":
        return f"{was.name} leaves the table."
    if kind == "name":
        return f"{was.name} is now called {now.name}."
    if now.kind == "bot":
        return f"The host gives chair {seat + 1} to {now.name.capitalize()}, a bot."
    return f"The host frees chair {seat + 1}."


def unmarked(name: str) -> str:
    """A name without what texts use as marks: `{0}` stands for a seat, and notation stands in square brackets."""
    return name.translate(_MARKS)


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _date(millis: int) -> str:
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d")
