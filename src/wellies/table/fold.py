"""A table as the sum of its log: `TableFold.apply` takes one entry after the other.

There is one way for every entry: made here by a request, made by another worker, or read from the store.
"""

from __future__ import annotations

import hmac
from dataclasses import replace

from wellies.core.errors import BadPosition
from wellies.core.events import Json
from wellies.core.state import CHANCE
from wellies.core.types import OutcomeView, View
from wellies.games import game
from wellies.match import Decision, Match
from wellies.table.clocks import Clocks
from wellies.table.codec import decode
from wellies.table.errors import Refused
from wellies.table.log import MINOR_KINDS, EntryInfo, LogEntry, entry_sentence
from wellies.table.seats import SOMEONE, Seat, seat_after
from wellies.table.settings import Change, Setup, State
from wellies.table.undo import BackTo, PendingUndo


class TableFold:
    """A table at one moment of its log, and what may be known of it."""

    def __init__(self, table_id: str, setup: Setup, seed: bytes, invite: str, created: int, imported: bool) -> None:
        self.id = table_id
        self.setup = setup
        self.seed = seed
        self.invite = invite
        self.created = created
        self.imported = imported
        self.spec = game(setup.game)
        # A table that was stored before the rules had versions leaves out options that mean something else now.
        self.options: Json = self.spec.options_of(setup.options, 1)
        self.seats = list(setup.seats)
        self.private = setup.private
        self.clock = setup.clock
        self.aids = setup.aids
        self.rated = setup.rated
        self.state: State = "open"
        self.match: Match | None = None
        self.clocks = Clocks(setup.clock, len(setup.seats))
        self.log: list[LogEntry] = []
        self.started: int | None = None
        self.finished: int | None = None
        self.finished_by: int | None = None
        """The number of the entry that ended the game."""
        self.rematch: str | None = None
        self.standing: list[LogEntry] = []
        """The entries of the moves that have not been taken back, one for each move in the match's own log."""
        self.pending_undo: PendingUndo | None = None
        """A takeback that the other people have been asked for."""
        self.declined: int | None = None
        """The number of a move whose takeback was declined: nobody can ask for it again."""
        self.missed: dict[int, int] = {}
        """How many decisions in a row each seat has left to a bot because its time ran out."""
        self.uncommitted: list[LogEntry] = []
        """Entries made by requests here that are not yet stored."""
        self.only_moves = True
        """Whether `uncommitted` changes nothing of what lists of tables show."""

    @property
    def version(self) -> int:
        """The number of the last entry."""
        return len(self.log)

    @property
    def updated(self) -> int:
        """The time of the last entry; that of the table's making if there is none."""
        return self.log[-1].at if self.log else self.created

    def initial(self) -> TableFold:
        """This table before the first entry of its log."""
        return TableFold(self.id, self.setup, self.seed, self.invite, self.created, self.imported)

    # --- the fold --------------------------------------------------------------------------------------------------

    def apply(self, entry: LogEntry) -> None:
        """Take the next entry of the log. A move that the match has not made yet is made here."""
        if entry.number != len(self.log) + 1:
            raise AssertionError(f"table {self.id}: entry {entry.number} after {len(self.log)}")
        self.log.append(entry)
        if entry.kind == "move":
            self._apply_move(entry)
        else:
            before = self.seats.copy()
            self._apply_other(entry)
            entry.sentence = entry_sentence(entry, before, self.seats)
            self.only_moves = self.only_moves and entry.kind in MINOR_KINDS
        self._settle(entry.at)

    def _apply_move(self, entry: LogEntry) -> None:
        seat = entry.seat
        assert seat is not None
        if entry.played is None:
            entry.played = self._match().apply_logged(seat, entry.text)
        self.standing.append(entry)
        if self.clocks.ticks:
            self.clocks.moved(seat, entry.at)
        if seat == CHANCE or self.seats[seat].kind != "person":
            return
        # A person's seat has moved: nobody waits for an answer any more.
        self.pending_undo = None
        holder = self.seats[seat]
        if holder.bot is None:
            self.missed.pop(seat, None)
        elif holder.once:
            self.seats[seat] = holder.without_bot()
            self.only_moves = False

    def _apply_other(self, entry: LogEntry) -> None:
        kind, seat, text = entry.kind, entry.seat, entry.text
        if kind == "start":
            self._begin(entry.at)
        elif kind == "rematch":
            self.rematch = text
        elif kind == "change":
            self._change(Change.from_json(decode(text)))
        elif seat is None:
            raise AssertionError(f"table {self.id}: an entry of kind {kind} names a seat")
        elif kind == "undo":
            self._take_back(entry, seat)
        elif kind == "ask":
            self.pending_undo = PendingUndo(entry.number, seat, BackTo.from_json(decode(text)))
        elif kind in ("agree", "decline", "withdraw"):
            self._answer(kind, seat)
        elif kind in ("chair", "unchair"):
            self.seats[seat : seat + 1] = [Seat()] if kind == "chair" else []
            self.options = decode(text)
            self.clocks = Clocks(self.clock, len(self.seats))
        else:
            self._change_seat(kind, seat, text, entry.at)

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
        """The position that the game begins from. It was checked when the table was made; an old table goes on even
        if the checks have become stricter since."""
        position = self.setup.position
        if position is None:
            return None
        try:
            self.spec.from_position(position)
        except BadPosition:
            return {**position, "check": False}
        return position

    def _change(self, change: Change) -> None:
        self.options = self.options if change.options is None else change.options
        self.private = self.private if change.private is None else change.private
        if change.clock is not None:
            self.clock = change.clock
            self.clocks = Clocks(change.clock, len(self.seats))
        if change.aids is not None:
            self.aids = self.aids.with_changes(change.aids)
        self.rated = self.rated if change.rated is None else change.rated

    def _take_back(self, entry: LogEntry, seat: int) -> None:
        match = self._match()
        self.pending_undo = None
        # Tables of the first versions wrote no text: they took back one move.
        match.undo(seat, BackTo.from_json(decode(entry.text)).to if entry.text else None)
        entry.back = self.standing[len(match.log)].number
        del self.standing[len(match.log) :]
        # A bot that was to make one move need not make it any more.
        self.seats = [holder.without_bot() if holder.once else holder for holder in self.seats]

    def _answer(self, kind: str, seat: int) -> None:
        pending = self.pending_undo
        assert pending is not None
        if kind == "agree":
            self.pending_undo = replace(pending, agreed=pending.agreed | {seat})
            return
        if kind == "decline":
            self.declined = self.standing[pending.back.to].number
        self.pending_undo = None

    def _change_seat(self, kind: str, seat: int, text: str, at: int) -> None:
        if kind == "forget" and self.seats[seat].identity == self.setup.host:
            self.setup = replace(self.setup, host="", host_name=SOMEONE)
        self.seats[seat] = seat_after(kind, self.seats[seat], text)
        if kind not in ("away", "back"):
            self.pending_undo = None
        if kind == "takeback":
            self.clocks.returned(seat)
            self.missed.pop(seat, None)
        elif kind == "away":
            self.clocks.leave(seat, at, int(text))
        elif kind == "back":
            self.clocks.come_back(seat, at)
        elif kind == "late":
            self.clocks.late(seat)
            self.missed[seat] = self.missed.get(seat, 0) + 1

    def _settle(self, at: int) -> None:
        """After each entry: run the clocks of those whom the game waits for, and see whether the game is over."""
        match = self.match
        if match is None or self.state == "finished":
            return
        if self.clocks.ticks:
            due = match.state.due()
            if due != [CHANCE]:
                self.clocks.wait_for([seat for seat in due if self.seats[seat].bot is None], at)
        if not match.state.active():
            self.state = "finished"
            self.finished = at
            self.finished_by = len(self.log)
            self.only_moves = False
            self.clocks.wait_for([], at)

    def _match(self) -> Match:
        if self.match is None:
            raise Refused("not_playing", "The game has not begun.")
        return self.match

    # --- who and when ----------------------------------------------------------------------------------------------

    def seats_of(self, identity: str) -> list[int]:
        """The seats that a person holds."""
        return [number for number, seat in enumerate(self.seats) if seat.identity == identity != ""]

    def holders(self) -> list[str]:
        """The people who hold a seat."""
        return sorted({seat.identity for seat in self.seats if seat.identity})

    def visible_to(self, identity: str, invite: str | None) -> bool:
        """Whether somebody may know of this table at all."""
        return (
            not self.private
            or identity == self.setup.host != ""
            or bool(self.seats_of(identity))
            or (invite is not None and hmac.compare_digest(invite.encode("utf-8", "replace"), self.invite.encode()))
        )

    def waiting(self) -> list[int]:
        """The seats the game waits for."""
        if self.match is None:
            return []
        return [seat for seat in self.match.state.due() if seat != CHANCE]

    def bots_due(self) -> list[int]:
        """The seats whose bots should move now. Bots that stand in for people move at a person's pace and come last."""
        if self.state != "playing":
            return []
        due = [seat for seat in self.waiting() if self.seats[seat].bot is not None]
        return sorted(due, key=lambda seat: self.seats[seat].stand_in)

    def only_bots(self) -> bool:
        """Whether the game goes on without any person."""
        return self.state == "playing" and all(seat.bot is not None for seat in self.seats)

    def bot_decides(self, seat: int, decision: str) -> bool:
        """Whether a bot plays this seat and this decision is open for it."""
        if self.match is None or self.state != "playing" or self.seats[seat].bot is None:
            return False
        mine = self.match.decision(seat)
        return mine is not None and mine.id == decision

    def run_out(self, now: int) -> list[int]:
        """The seats whose time is over."""
        return self.clocks.run_out(now) if self.state == "playing" else []

    def wake_at(self, now: int, rescue: int) -> int | None:
        """When somebody should look after this table if nothing happens before: when a clock runs out, or when a bot
        has not moved after `rescue` milliseconds, because the worker that ran it has died."""
        if self.state != "playing":
            return None
        deadline = self.clocks.deadline()
        if not self.bots_due():
            return deadline
        return now + rescue if deadline is None else min(deadline, now + rescue)

    # --- the one door ----------------------------------------------------------------------------------------------

    def view_for(self, seat: int | None) -> View | None:
        """What this seat (None: a spectator) may know of the game now; None before it begins. The outcome in it is
        the table's, with resignations."""
        if self.match is None:
            return None
        view = self.match.view_for(seat)
        if view["outcome"] is not None:
            view["outcome"] = self.outcome()
        return view

    def outcome(self) -> OutcomeView | None:
        """How the game ended, and who resigned; None while it goes on. Those who resigned rank after all who stayed,
        whatever the bot has made of their seats since."""
        outcome = None if self.match is None else self.match.state.outcome()
        if outcome is None:
            return None
        resigned = [number for number, seat in enumerate(self.seats) if seat.why == "resigned"]
        shown: OutcomeView = {**outcome.to_json(), "resigned": resigned}
        if 0 < len(resigned) < len(self.seats):
            order = [(number in resigned, -score) for number, score in enumerate(outcome.scores)]
            shown["ranks"] = [1 + sum(1 for other in order if other < mine) for mine in order]
            shown["winners"] = [number for number, rank in enumerate(shown["ranks"]) if rank == 1]
        return shown

    def scores(self) -> list[int]:
        """The points of each seat now; empty before the game."""
        return [] if self.match is None else self.match.state.scores()

    def decision_for(self, seat: int | None) -> Decision | None:
        """The open decision of the person at this seat; None if a bot plays it."""
        if self.match is None or seat is None or self.seats[seat].bot is not None:
            return None
        return self.match.decision(seat)

    def entry_for(self, entry: LogEntry, seat: int | None) -> EntryInfo:
        """An entry of the log as this seat (None: a spectator) may see it now."""
        return entry.seen_by(seat, self.state == "finished")
