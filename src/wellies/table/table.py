"""What people and bots may do at a table. No input or output.

A request is checked, then the entries it needs are applied and left in `uncommitted`. A caller that must store them
first makes the request on a `fork`, stores `uncommitted`, and then keeps the fork.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from wellies.core.errors import UndoRefused
from wellies.core.events import Json
from wellies.core.texts import listed
from wellies.match import PlayedMove, Record, UndoPlan
from wellies.table.codec import encode
from wellies.table.errors import Refused
from wellies.table.fold import TableFold
from wellies.table.ids import LOCAL, id_from
from wellies.table.info import HintOffer, Summary, TableInfo, hint_offer, info_for, summary_of
from wellies.table.log import LogEntry
from wellies.table.seats import Seat
from wellies.table.settings import (
    Aids,
    Change,
    Clock,
    check_clock,
    check_game_options,
    check_level,
    check_rated,
    check_rated_seats,
    fit_options,
)
from wellies.table.undo import (
    BackTo,
    UndoKind,
    UndoOffer,
    UndoRequest,
    unanswered,
    undo_offer,
    undo_request,
)

MISSES_ON_DAYS: Final = 2
"""So many moves in a row may be missed on a clock of days before a bot plays on for a person who is away."""


class Table(TableFold):
    """A table that takes requests."""

    def fork(self) -> Table:
        """An independent copy, to try a request on."""
        other = Table.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.seats = self.seats.copy()
        other.match = None if self.match is None else self.match.fork()
        other.clocks = self.clocks.copy()
        other.log = self.log.copy()
        other.standing = self.standing.copy()
        other.missed = self.missed.copy()
        other.uncommitted = []
        other.only_moves = True
        return other

    def _append(self, kind: str, seat: int | None, text: str, at: int, played: PlayedMove | None = None) -> None:
        """Make and apply an entry that is not yet stored. Its time is never before that of the entry before it: the
        clocks of two workers may differ."""
        at = max(at, self.log[-1].at) if self.log else at
        entry = LogEntry(len(self.log) + 1, kind, seat, text, at, played)
        self.apply(entry)
        self.uncommitted.append(entry)

    def take_uncommitted(self) -> list[LogEntry]:
        """The entries that were not stored yet, which the caller has stored now."""
        entries, self.uncommitted = self.uncommitted, []
        self.only_moves = True
        return entries

    # --- playing ---------------------------------------------------------------------------------------------------

    def play(self, seat: int, text: str, decision: str | None, at: int, *, by_bot: bool = False) -> None:
        """Make a move, then let chance make the moves that are due. MoveError says why not."""
        match = self._match()
        if not by_bot:
            self._refuse_if_bot_plays(seat)
        self._append_move(match.play_one(seat, text, decision), at)
        self._roll(at)

    def _append_move(self, played: PlayedMove, at: int) -> None:
        self._append("move", played.seat, played.text, at, played)

    def _roll(self, at: int) -> None:
        match = self._match()
        while (rolled := match.roll_one()) is not None:
            self._append_move(rolled, at)

    def _refuse_if_bot_plays(self, seat: int) -> None:
        holder = self.seats[seat]
        if self.state != "playing" or holder.bot is None:
            return
        if holder.once:
            raise Refused("bot_plays", "Your time for this move ran out; a bot makes it, and the next one is yours.")
        raise Refused("bot_plays", "A bot plays this seat; take it back first.")

    # --- taking back -----------------------------------------------------------------------------------------------

    def undo(self, seat: int, at: int) -> None:
        """Go back to the last decision of whoever holds this seat, where nobody need be asked; UndoRefused says why
        not."""
        plan = self._undo_plan(seat, ("free", "takeback"))
        self._append("undo", plan.seat, BackTo(plan.to, plan.shown).to_text(), at)

    def ask_undo(self, seat: int, at: int) -> None:
        """Ask the other people for it."""
        plan = self._undo_plan(seat, ("ask",))
        self._append("ask", plan.seat, BackTo(plan.to, plan.shown).to_text(), at)

    def answer_undo(self, seat: int, request: int, accept: bool, at: int) -> None:
        """The answer of the person at this seat. When all have agreed, the move is taken back."""
        self._refuse_if_bot_plays(seat)
        pending = self.pending_undo
        if pending is None or pending.number != request:
            raise Refused("stale", "This is no longer asked.")
        if self.seats[seat].identity == self.seats[pending.seat].identity:
            if accept:
                raise Refused("not_yours", "The others are asked, not you.", 403)
            self._append("withdraw", pending.seat, "", at)
        elif not accept:
            self._append("decline", seat, "", at)
        elif seat not in pending.agreed:
            self._append("agree", seat, "", at)
            if not unanswered(self):
                back = BackTo(pending.back.to, pending.back.shown, agreed=True)
                self._append("undo", pending.seat, back.to_text(), at)

    def _undo_plan(self, seat: int, kinds: tuple[UndoKind, ...]) -> UndoPlan:
        self._match()
        self._refuse_if_bot_plays(seat)
        offer, plan = undo_offer(self, seat)
        if plan is None or offer.kind not in kinds:
            raise UndoRefused(offer.why)
        return plan

    def undo_for(self, seat: int | None) -> UndoOffer:
        """What undo would do now for the person at this seat."""
        return UndoOffer("", "", None) if seat is None else undo_offer(self, seat)[0]

    def undo_request(self) -> UndoRequest | None:
        """The takeback that waits for answers, as everybody may know it."""
        return undo_request(self)

    # --- before the game -------------------------------------------------------------------------------------------

    def join(self, identity: str, name: str, seat: int | None, at: int) -> int:
        """Take a seat; returns its number. Without a choice: the first that is open."""
        self._require_open()
        open_seats = [number for number, holder in enumerate(self.seats) if holder.kind == "open"]
        if not open_seats:
            raise Refused("full", "All chairs are taken.")
        if seat is None:
            seat = open_seats[0]
        self._require_seat(seat)
        if seat not in open_seats:
            free = listed([str(number + 1) for number in open_seats])
            raise Refused("taken", f"Chair {seat + 1} is taken; still free: {free}.")
        self._append("join", seat, encode(Seat("person", identity, name)), at)
        return seat

    def leave(self, identity: str, seat: int | None, level: str, at: int) -> None:
        """Give one's seats up: before the game they are open again, during it a bot plays on."""
        for number in self._own_seats(identity, seat):
            if self.state == "open":
                self._append("leave", number, "", at)
            elif self.state == "playing" and self.seats[number].bot is None:
                self._append("handover", number, level, at)

    def set_seat(self, identity: str, seat: int, kind: str, level: str, at: int) -> None:
        """The host gives a seat to a bot or opens it."""
        self._require_host(identity)
        self._require_open()
        self._require_seat(seat)
        holder = Seat("bot", "", check_level(level), check_level(level)) if kind == "bot" else Seat()
        self._append("seat", seat, encode(holder), at)

    def name_seat(self, identity: str, seat: int, name: str, at: int) -> None:
        """Give a seat of one's own another name before the game."""
        self._own_seats(identity, seat)
        self._require_open()
        if self.seats[seat].name != name:
            self._append("name", seat, name, at)

    def add_chair(self, identity: str, at: int) -> None:
        """The host adds an open seat at the end."""
        self._check_chairs(identity, len(self.seats) + 1)
        self._append("chair", len(self.seats), self._options_for(len(self.seats) + 1), at)

    def remove_chair(self, identity: str, seat: int, at: int) -> None:
        """The host removes a seat that no person holds; those behind it move up."""
        self._check_chairs(identity, len(self.seats) - 1)
        self._require_seat(seat)
        if self.seats[seat].kind == "person":
            raise Refused("taken", f"{self.seats[seat].name} sits there; free the chair first.")
        self._append("unchair", seat, self._options_for(len(self.seats) - 1), at)

    def _check_chairs(self, identity: str, count: int) -> None:
        """Refused unless the host may have so many seats now."""
        self._require_host(identity)
        self._require_open()
        if self.setup.goes_on:
            raise Refused("bad_seats", "This game goes on from another one; it has as many chairs as that had.")
        if not self.spec.min_seats <= count <= self.spec.max_seats:
            least, most = self.spec.min_seats, self.spec.max_seats
            raise Refused("bad_seats", f"{self.spec.title} is for {least} to {most} players.")

    def _options_for(self, count: int) -> str:
        return encode(fit_options(self.spec, self.options, len(self.seats), count))

    def change(
        self,
        identity: str,
        options: Json | None,
        clock: Clock | None,
        private: bool | None,
        at: int,
        aids: Aids | None = None,
        rated: bool | None = None,
    ) -> None:
        """The host changes options, clock, privacy, what is allowed besides the rules, or whether the game is rated,
        before the game."""
        self._require_host(identity)
        self._require_open()
        if options is not None and self.setup.goes_on:
            raise Refused("bad_options", "This game goes on from another one, and is played with the options of that.")
        checked = None if options is None else check_game_options(self.spec, options, len(self.seats))
        if rated:
            aids = check_rated(self.setup, aids or Aids())
        elif rated is None and self.rated and aids is not None:
            aids = check_rated(self.setup, aids)
        change = Change(checked, None if clock is None else check_clock(clock), private, aids, rated)
        self._append("change", None, encode(change), at)

    def start(self, identity: str, at: int) -> None:
        """The host begins the game."""
        self._require_host(identity)
        self._require_open()
        free = [number for number, seat in enumerate(self.seats) if seat.kind == "open"]
        if free:
            raise Refused("not_full", f"There are open chairs: {', '.join(map(str, free))}; fill them or add bots.")
        if self.rated:
            check_rated_seats(self.seats, self.clock)
        self.begin(at)

    def begin(self, at: int) -> None:
        """Begin, with the moves that were played elsewhere if there are any, then let chance move."""
        self._append("start", None, "", at)
        for seat, text in self.setup.prefix:
            self._append_move(self._match().apply_logged(seat, text), at)
        self._roll(at)

    # --- bots in people's seats ------------------------------------------------------------------------------------

    def hand_over(self, identity: str, seat: int | None, level: str, at: int) -> None:
        """Let a bot play on."""
        for number in self._playing_seats(identity, seat):
            if self.seats[number].bot is not None:
                raise Refused("bot_plays", "A bot plays this seat already.")
            self._append("handover", number, check_level(level), at)

    def reclaim_seat(self, identity: str, seat: int | None, at: int) -> None:
        """Play on instead of the bot."""
        mine = self._playing_seats(identity, seat)
        back = [number for number in mine if self.seats[number].bot is not None]
        if any(self.seats[number].why == "resigned" for number in back):
            raise Refused("resigned", "This seat has resigned; a bot plays it to the end.")
        if any(self.seats[number].once for number in back):
            raise Refused("bot_plays", "A bot makes this one move, for its time ran out; the next one is yours.")
        if not back:
            raise Refused("own_hands", "You play this seat yourself already.")
        for number in back:
            self._append("takeback", number, "", at)

    def forget(self, identity: str, level: str, at: int) -> None:
        """A person has deleted their account: they resign the seats of a running game, get up before it, and have no
        name any more."""
        for number in self.seats_of(identity):
            if self.state == "open":
                self._append("leave", number, "", at)
                continue
            if self.state == "playing" and self.seats[number].why != "resigned":
                self._append("resign", number, level, at)
            self._append("forget", number, "", at)
        if self.state == "open" and identity == self.setup.host and not self.private:
            self._append("change", None, encode(Change(private=True)), at)

    def return_to_seats(self, identity: str, at: int) -> None:
        """A person is at the table again: they get back the seats that a bot plays because their time ran out."""
        for number in self.seats_of(identity):
            if self.seats[number].timed_out and self.state == "playing":
                self._append("takeback", number, "", at)

    def go_on_vacation(self, identity: str, until: int, at: int) -> None:
        """Let a person's clocks stand still until a time, in a game that is played over days. A time that has passed:
        they are back. Nothing happens where it is so already, or where their time has run out."""
        if self.state != "playing" or self.clock.kind != "days":
            return
        late = self.run_out(at)
        for number in self.seats_of(identity):
            away = self.seats[number].away
            if until > at and away != until and number not in late:
                self._append("away", number, str(until), at)
            elif until <= at < away:
                self._append("back", number, "", at)

    def resign(self, identity: str, seat: int | None, level: str, at: int) -> None:
        """Give up: a bot plays the seat to the end."""
        for number in self._playing_seats(identity, seat):
            if self.seats[number].why == "resigned":
                raise Refused("resigned", "This seat has resigned already.")
            self._append("resign", number, level, at)

    def time_out(self, level: str, now: int, connected: Collection[int]) -> None:
        """Let a bot move in the seats whose time is over. It makes this one move; it plays on only for a person who is
        not connected while others wait."""
        for seat in self.run_out(now):
            once = seat in connected or self._can_wait_for(seat)
            self._append("late" if once else "timeout", seat, level, now)

    def _can_wait_for(self, seat: int) -> bool:
        """Whether the game may wait for the next move of a person who is away: nobody else waits, or it is played over
        days, when nobody is expected to be connected."""
        mine = self.seats[seat].identity
        waits = any(other.kind == "person" and other.bot is None and other.identity != mine for other in self.seats)
        return not waits or (self.clock.kind == "days" and self.missed.get(seat, 0) < MISSES_ON_DAYS)

    # --- afterwards ------------------------------------------------------------------------------------------------

    def rematch_id(self) -> str:
        """The id of the table for another game: the same for all who ask, and nobody else can guess it."""
        found = id_from(hashlib.sha256(f"{self.id} {self.invite} rematch".encode()).digest())
        return LOCAL + found if self.id.startswith(LOCAL) else found

    def name_rematch(self, identity: str, table_id: str, at: int) -> None:
        """Note the table for another game."""
        self._own_seats(identity, None)
        if self.state != "finished":
            raise Refused("not_finished", "The game is not over yet.")
        if self.rematch is None:
            self._append("rematch", None, table_id, at)

    def record(self, *, unfinished: bool = False) -> Record:
        """The whole game with its seed, when it is over. `unfinished`: also while it goes on, without the seed, so that
        it can go on elsewhere. Such a record shows what is hidden: it is for whoever may know all seats."""
        if self.state != "finished" and not unfinished:
            raise Refused("not_finished", "The record can be had when the game is over.")
        if self.match is None:
            raise Refused("not_playing", "The game has not begun.")
        record = self.match.record()
        started = self.started or self.created
        record.date = datetime.fromtimestamp(started / 1000, UTC).strftime("%Y-%m-%d")
        return record

    # --- what requests require -------------------------------------------------------------------------------------

    def _require_open(self) -> None:
        if self.state != "open":
            raise Refused("begun", "The game has begun already.")

    def _require_host(self, identity: str) -> None:
        if identity != self.setup.host:
            raise Refused("not_host", "Only the host of the table may do that.", 403)

    def _require_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refused("no_seat", f"There is no seat {seat}; seats run from 0 to {len(self.seats) - 1}.", 400)

    def _own_seats(self, identity: str, seat: int | None) -> list[int]:
        """This seat, or all that the person holds. Refused if it is not theirs."""
        mine = self.seats_of(identity)
        if seat is not None:
            self._require_seat(seat)
            if seat not in mine:
                raise Refused("not_seated", "That seat is not yours.", 403)
            return [seat]
        if not mine:
            raise Refused("not_seated", "You have no seat at this table.", 403)
        return mine

    def _playing_seats(self, identity: str, seat: int | None) -> list[int]:
        mine = self._own_seats(identity, seat)
        if self.state != "playing":
            raise Refused("not_playing", "The game is not being played.")
        return mine

    # --- what people see of it -------------------------------------------------------------------------------------

    def summary(self) -> Summary:
        """What lists show of this table."""
        return summary_of(self)

    def info_for(self, identity: str) -> TableInfo:
        """The table as this person may know it."""
        return info_for(self, identity)

    def hint_for(self, seat: int | None, games: int) -> HintOffer:
        """Whether a person at this seat, who has finished so many games of this game, may ask for hints."""
        return hint_offer(self, seat, games)
