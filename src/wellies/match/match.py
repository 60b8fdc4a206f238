"""One game being played: it rolls the chance, takes moves as text, knows which decisions are open, and undoes.

No input or output happens here, and nothing is ever thrown away but by `undo`: the log is the game.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from wellies.core.dice import Draw, make_seed, seed_hash
from wellies.core.errors import MoveError, StaleDecision, UndoRefused
from wellies.core.events import Event, Json
from wellies.core.preview import Preview, preview_move, preview_text
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState, state_line
from wellies.core.types import Move, Seat, View
from wellies.games import game
from wellies.match.record import Record

_OVER: Final = "The game is over and its seed is public, so every move stands."


class Decision:
    """A choice that one seat has before it. The id changes when the choice does, and only then: what the other seats do
    meanwhile in a simultaneous choice leaves it as it is. `due` says whether the game waits for it."""

    __slots__ = ("due", "id", "seat")

    def __init__(self, id: str, seat: Seat, due: bool) -> None:
        self.id = id
        self.seat = seat
        self.due = due

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and (self.id, self.seat, self.due) == (other.id, other.seat, other.due)

    def __hash__(self) -> int:
        return hash((self.id, self.seat))

    def __repr__(self) -> str:
        return f"Decision({self.id!r}, seat {self.seat})"


class PlayedMove:
    """A move that was made: who made it, what it was, and what happened; `forced` if there was no other choice."""

    __slots__ = ("events", "forced", "move", "seat", "text")

    def __init__(self, seat: Seat, move: Move, text: str, events: list[Event], forced: bool = False) -> None:
        self.seat = seat
        self.move = move
        self.text = text
        self.events = events
        self.forced = forced

    @property
    def reveals(self) -> bool:
        """Whether someone learned here what could not be known before."""
        return self.seat == CHANCE or any(event.reveals for event in self.events)


class UndoPlan:
    """How the last decision of some seats could be taken back: `to` entries of the log would stand, the decision was
    `seat`'s, `others` are those who have acted since, and `shown` says whether the seats have seen something since that
    they could not know before: what chance did, or what another had hidden."""

    __slots__ = ("others", "seat", "shown", "to")

    def __init__(self, to: int, seat: Seat, others: set[Seat], shown: bool) -> None:
        self.to = to
        self.seat = seat
        self.others = others
        self.shown = shown


class Match:
    """A game from its first draw to its outcome.

    `seed` is a number or bytes for a game that can be repeated, or None for a secret of its own. With `rolls=False`
    chance waits to be played like any other seat (`match.play(CHANCE, "draw 57")`): so a game from a real table is
    typed in.
    """

    def __init__(
        self,
        spec: GameSpec | str,
        seats: int | None = None,
        options: Json | None = None,
        seed: int | bytes | None = None,
        *,
        position: Json | None = None,
        players: list[str] | None = None,
        date: str = "",
        rolls: bool = True,
    ) -> None:
        self.spec = game(spec) if isinstance(spec, str) else spec
        self.start_position = position
        start = self.spec.start(seats, options) if position is None else self.spec.from_position(position)
        self._begin(start, make_seed(seed), rolls)
        if not rolls:
            self._forget_seed()
        self.players = players
        self.date = date
        self.roll()

    @classmethod
    def for_replay(
        cls,
        spec: GameSpec | str,
        seats: int,
        options: Json | None,
        seed: bytes,
        *,
        proves: bool = True,
        position: Json | None = None,
        players: list[str] | None = None,
        date: str = "",
    ) -> Match:
        """A match in which nothing has been rolled yet: its moves, chance included, come from a log by `apply_logged`.

        `roll` rolls on from wherever it stands. Where the log begins with moves of another game, whose draws are not
        from this seed, it `proves` nothing.
        """
        match = cls.__new__(cls)
        match.spec = game(spec) if isinstance(spec, str) else spec
        match.start_position = position
        start = match.spec.start(seats, options) if position is None else match.spec.from_position(position)
        match._begin(start, seed, True)
        match.players = players
        match.date = date
        if not proves:
            match._forget_seed()
        return match

    def fork(self) -> Match:
        """A match that goes its own way from here: nothing done to either is seen in the other.

        A caller who must store a move before it counts plays it on a fork, and keeps the fork once it is stored.
        """
        other = Match.__new__(Match)
        other.spec = self.spec
        other.start_position = self.start_position
        other.rules_version = self.rules_version
        other._start = self._start
        other.state = self.state.clone()
        other.seed = self.seed
        other.seed_hash = self.seed_hash
        other._secret = self._secret
        other.rolls = self.rolls
        other.log = self.log.copy()
        other._serial = self._serial
        other._draws = self._draws
        other._open = self._open.copy()
        other.players = self.players
        other.date = self.date
        return other

    def _begin(self, start: GameState, seed: bytes, rolls: bool) -> None:
        self._start = start
        self.state = start.clone()
        self.rules_version = self.spec.version_of(start.options)
        self.seed = seed
        self.seed_hash = seed_hash(seed)
        self._secret = True
        """Whether `seed` is what the draws were made from."""
        self.rolls = rolls
        self.log: list[PlayedMove] = []
        self._draws = 0
        """How many moves of chance are in the log. The number says which draw comes next, so what was taken back is
        drawn again just the same."""
        self._serial = 0
        self._open: dict[Seat, tuple[str, list[Move]]] = {}
        self._reopen(None)

    def _forget_seed(self) -> None:
        """The draws are not, or not all, from one known seed: there is nothing that a seed could prove."""
        self._secret = False
        self.seed_hash = ""

    @property
    def seeded(self) -> bool:
        """Whether all draws come from this match's own seed: what is taken back is drawn again just the same."""
        return self._secret

    # --- playing ----------------------------------------------------------------------------------------------------

    def play(self, seat: Seat, text: str, decision: str | None = None) -> list[Event]:
        """Make a move given as text, then let chance do what is due. Returns all that happened, chance included.

        With the id of a decision, a move that answers a decision no longer open is refused as stale. A move that is
        refused for any reason leaves the match as it was.
        """
        return self.play_one(seat, text, decision).events + self.roll()

    def play_one(self, seat: Seat, text: str, decision: str | None = None) -> PlayedMove:
        """`play` without the moves of chance that follow."""
        if decision is not None:
            mine = self._open.get(seat)
            if mine is None or mine[0] != decision:
                raise StaleDecision("That decision is no longer open; look at the table again.")
        return self._make(seat, self.spec.parse_move(self.state, seat, text))

    def roll_one(self) -> PlayedMove | None:
        """Let chance make its next move; None if chance is not to move."""
        if not self.rolls or self.state.active() != [CHANCE]:
            return None
        if not self._secret:
            self.seed_hash = ""
        return self._make(CHANCE, self.state.chance(Draw(self.seed, self._draws)))

    def play_move(self, seat: Seat, move: Move) -> list[Event]:
        """The same for a packed move."""
        self.state.check_move(seat, move)
        return self._make(seat, move).events + self.roll()

    def apply_logged(self, seat: Seat, text: str) -> PlayedMove:
        """Make one move that is already in a log, chance's own among them, and roll nothing after it.

        So a match that is kept in several places, or rebuilt from a store, stands everywhere the same.
        """
        if not self.log:
            self.spec.fit_to_log(self.state, seat, text)
            self._start = self.state.clone()
        return self._make(seat, self.spec.parse_move(self.state, seat, text))

    def _make(self, seat: Seat, move: Move) -> PlayedMove:
        """Make a move that is known to be legal."""
        text = self.spec.move_text(self.state, seat, move)
        events: list[Event] = []
        self.state.step(seat, move, events.append)
        return self._note(seat, move, text, events)

    def roll(self) -> list[Event]:
        """Let chance do all that is due. Called by itself after every move."""
        events: list[Event] = []
        while (played := self.roll_one()) is not None:
            events += played.events
        return events

    def _note(self, seat: Seat, move: Move, text: str, events: list[Event]) -> PlayedMove:
        mine = self._open.get(seat)
        played = PlayedMove(seat, move, text, events, mine is not None and len(mine[1]) == 1)
        self.log.append(played)
        if seat == CHANCE:
            self._draws += 1
        self._serial += 1
        self._reopen(seat)
        return played

    # --- previews -----------------------------------------------------------------------------------------------------

    def preview(self, seat: Seat, text: str) -> Preview:
        """What a move given as text would do, from what the seat knows; nothing is played.

        A move that `play` would refuse is refused in the same way.
        """
        return preview_text(self.state, seat, text)

    def preview_move(self, seat: Seat, move: Move) -> Preview:
        """The same for a packed move."""
        return preview_move(self.state, seat, move)

    # --- decisions --------------------------------------------------------------------------------------------------

    def decisions(self) -> list[Decision]:
        """The decisions open now, by seat; none while chance is due or when the game is over."""
        due = self.state.due()
        return [Decision(id, seat, seat in due) for seat, (id, _) in sorted(self._open.items())]

    def decision(self, seat: Seat) -> Decision | None:
        """This seat's open decision."""
        mine = self._open.get(seat)
        return None if mine is None else Decision(mine[0], seat, seat in self.state.due())

    def choices(self, seat: Seat) -> list[Move]:
        """The legal moves of this seat's open decision; none if it has none. Not to be changed."""
        mine = self._open.get(seat)
        return [] if mine is None else mine[1]

    def _reopen(self, mover: Seat | None) -> None:
        """Keep each decision whose seat still has the same choices; give every other active seat a new one."""
        before = self._open
        self._open = {}
        for seat in self.state.active():
            if seat == CHANCE:
                continue
            legal = self.state.legal(seat)
            old = before.get(seat)
            if old is not None and seat != mover and old[1] == legal:
                self._open[seat] = old
            else:
                self._open[seat] = (f"{seat}.{self._serial}", legal)

    # --- taking back ------------------------------------------------------------------------------------------------

    def undo_refusal(self, seat: Seat) -> str | None:
        """Why this seat cannot take its last move back; None if it can."""
        if not self.state.active():
            return _OVER
        if not any(entry.seat == seat for entry in self.log):
            return "There is nothing of yours to take back."
        last = self.log[-1]
        if last.seat == CHANCE:
            return "Chance has shown something new since your move, so it stands."
        if last.seat != seat:
            return "Another seat has acted since your move, so it stands."
        if last.reveals:
            return "Your move showed what was hidden, so it stands."
        return None

    def undo_plan(self, seats: Collection[Seat], floor: int = 0) -> UndoPlan | None:
        """How the last decision of these seats, who share what they know, could be taken back, with all that came
        after it; None if they have made none, or if the game is over. The first `floor` entries of the log stand
        whatever happens.

        A move without an alternative is no decision: undo goes back behind it.
        """
        if not self.state.active():
            return None
        others: set[Seat] = set()
        shown = False
        for to in range(len(self.log) - 1, floor - 1, -1):
            entry = self.log[to]
            shown = shown or entry.reveals
            if entry.seat in seats and not entry.forced:
                return UndoPlan(to, entry.seat, others, shown or self._others_showed(seats, to, others))
            if entry.seat != CHANCE and entry.seat not in seats:
                others.add(entry.seat)
        return None

    def _others_showed(self, seats: Collection[Seat], since: int, others: set[Seat]) -> bool:
        """Whether another seat has acted since then that had something hidden from these: its move may have shown it.
        That is a careful guess; no game marks what a seat shows of its own."""
        if not others:
            return False
        if self._hides_from(seats, self.state, others):
            return True
        state = self._start.clone()
        for number, entry in enumerate(self.log):
            if number >= since and entry.seat in others and self._hides_from(seats, state, {entry.seat}):
                return True
            state.step(entry.seat, entry.move)
        return False

    def _hides_from(self, seats: Collection[Seat], state: GameState, others: set[Seat]) -> bool:
        """Whether the others see something in this state that these seats do not."""
        known = [state.position(seat) for seat in seats]
        return any(state.position(other) != mine for other in others for mine in known)

    def undo(self, seat: Seat, to: int | None = None) -> None:
        """Take this seat's last move back; UndoRefused says why not. With `to`, so many entries of the log stand,
        whatever came after them: whether that is fair is for the caller to know (`undo_plan`)."""
        if to is None:
            why = self.undo_refusal(seat)
            if why is not None:
                raise UndoRefused(why)
            to = len(self.log) - 1
        if not self.state.active():
            raise UndoRefused(_OVER)
        if not 0 <= to < len(self.log):
            raise UndoRefused("There is nothing to take back.")
        if to < len(self.log) - 1:
            # Much has changed: nobody's choice is what it was, even where it looks the same.
            self._open = {}
        self.log = self.log[:to]
        self._draws = sum(1 for entry in self.log if entry.seat == CHANCE)
        self.state = self._start.clone()
        for entry in self.log:
            self.state.step(entry.seat, entry.move)
        self._serial += 1
        self._reopen(seat)

    # --- what leaves the match ----------------------------------------------------------------------------------------

    def view_for(self, seat: Seat | None) -> View:
        """The one door for views: what this seat (None: a spectator) may know now."""
        return self.state.view(seat)

    def events_for(self, seat: Seat | None, since: int = 0) -> list[Json]:
        """The events of the log from an entry on, as this seat may see them."""
        return [event.seen_by(seat) for entry in self.log[since:] for event in entry.events]

    def record(self, *, reveal: bool = False) -> Record:
        """The game so far. The seed is in it once the game is over, or if asked for (a private save)."""
        outcome = self.state.outcome()
        return Record(
            self.spec.name,
            self.state.seats,
            options=self.state.options,
            moves=[(entry.seat, entry.text) for entry in self.log],
            rules_version=self.rules_version,
            seed_hash=self.seed_hash,
            seed=self.seed.hex() if self._secret and (reveal or outcome is not None) else "",
            players=self.players,
            date=self.date,
            result="" if outcome is None else " ".join(map(str, outcome.scores)) + "; " + outcome.reason,
            position=self.start_position,
        )

    @classmethod
    def from_record(cls, record: Record, *, rolls: bool = True) -> Match:
        """The match at the end of a record. BadRecord names the line that cannot be played.

        With the seed in the record it goes on with the same dice; without it, with new ones.
        """
        match = cls.__new__(cls)
        match.spec = record.spec()
        match.start_position = record.position
        match._begin(record.start(), bytes.fromhex(record.seed) if record.seed else make_seed(None), rolls)
        if not record.seed and record.moves:
            match._forget_seed()
            match.seed_hash = record.seed_hash
        match.rules_version = record.rules_version or match.rules_version
        match.players = record.players
        match.date = record.date
        for number, (seat, text) in enumerate(record.moves):
            try:
                move = match.spec.parse_move(match.state, seat, text)
                text = match.spec.move_text(match.state, seat, move)
            except MoveError as error:
                raise record.wrong_move(number, error) from error
            events: list[Event] = []
            match.state.step(seat, move, events.append)
            match._note(seat, move, text, events)
        match.roll()
        return match

    def __repr__(self) -> str:
        """One short line: the game, seats, whose turn it is, scores, and how many moves were made."""
        return f"<Match of {state_line(self.state)}, {len(self.log)} moves>"

    def __str__(self) -> str:
        """The table as a terminal draws it for a spectator: printing a match shows nothing that a seat hides."""
        view = self.view_for(None)
        if self.players is not None and len(self.players) == self.state.seats:
            view["names"] = self.players
        return self.spec.draw(view).plain()
