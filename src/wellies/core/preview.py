"""What a move would score, from what its seat knows. The page, the terminal and the server all ask here.

A move is tried on a state in which all that the seat has not seen is dealt afresh, so a preview cannot tell a secret.
An optional follow-up, such as a claim, is declined, and what it would score is listed as an offer. A preview ends where
something hidden is shown: what comes after that is not certain.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellies.core.dice import Stream
from wellies.core.errors import NotYourTurn
from wellies.core.events import Event, ScoreLine
from wellies.core.state import CHANCE, GameState
from wellies.core.types import Move, Seat

Lines = list[tuple[Seat, ScoreLine]]
"""Reasons for points, each with the seat that scores."""


@dataclass
class Offer:
    """A follow-up that the seat could choose next and that scores at once, with the lines that it would add."""

    move: Move
    text: str
    lines: Lines


class Preview:
    """What a move would do, as far as that is certain."""

    __slots__ = ("_after", "_before", "complete", "events", "move", "offers", "seat")

    def __init__(
        self,
        seat: Seat,
        move: Move,
        events: list[Event],
        complete: bool,
        offers: list[Offer],
        before: list[int],
        after: GameState,
    ) -> None:
        self.seat = seat
        self.move = move
        self.events = events
        """What would happen, up to the first event that shows something hidden."""
        self.complete = complete
        """Whether these are all events of the move."""
        self.offers = offers
        """The follow-ups with which the seat could score besides."""
        self._before = before
        self._after = after

    @property
    def certain(self) -> bool:
        """Whether nothing hidden is shown by the move, and no draw follows it."""
        return self.complete and self._after.active() != [CHANCE]

    @property
    def lines(self) -> Lines:
        """The reasons for the points of the events."""
        return _lines_of(self.events)

    @property
    def gains(self) -> list[int]:
        """The points that each seat would gain."""
        if self.complete:
            return [after - before for after, before in zip(self._after.scores(), self._before, strict=True)]
        return [_points_in(self.lines, seat) for seat in range(len(self._before))]

    @property
    def points(self) -> int:
        """The points that the seat itself would gain."""
        return self.gains[self.seat]

    @property
    def best_offer(self) -> int:
        """The most points that the seat could gain besides by a follow-up."""
        return max([0, *(_points_in(offer.lines, self.seat) for offer in self.offers)]) if self.offers else 0

    def __repr__(self) -> str:
        return f"<Preview: seat {self.seat} gains {self.points}, {'certain' if self.certain else 'not certain'}>"


def preview_text(state: GameState, seat: Seat, text: str) -> Preview:
    """What a move given as text would do. A move that is not legal is refused in words, from what the seat knows."""
    known = _known_to(state, seat)
    return _preview(known, seat, state.spec.parse_move(known, seat, text), known.scores())


def preview_move(state: GameState, seat: Seat, move: Move) -> Preview:
    """The same for a packed move."""
    known = _known_to(state, seat)
    known.check_move(seat, move)
    return _preview(known, seat, move, known.scores())


def preview_moves(state: GameState, seat: Seat, moves: list[Move]) -> list[Preview]:
    """What each of these moves, which must be legal, would do."""
    known = _known_to(state, seat)
    before = known.scores()
    return [_preview(known.clone(), seat, move, before) for move in moves]


def preview_points(state: GameState, seat: Seat, moves: list[Move]) -> list[dict[str, int]]:
    """The `points` that each move would bring its own seat and, where a follow-up would score, the most it could bring
    as `offer`: what a list of legal moves shows."""
    known = _known_to(state, seat)
    before = known.scores()
    found: list[dict[str, int]] = []
    for move in moves:
        preview = _preview(known.clone(), seat, move, before)
        points, offer = {"points": preview.points}, preview.best_offer
        if offer:
            points["offer"] = offer
        found.append(points)
    return found


def plan_ahead(state: GameState, seat: Seat) -> GameState | None:
    """A state in which it is this seat's turn already, from what it knows: for planning while others move. None where
    nothing can be planned."""
    if not state.can_plan(seat):
        return None
    known = _known_to(state, seat)
    known.give_turn(seat)
    return known


def _known_to(state: GameState, seat: Seat) -> GameState:
    """A state that looks the same to this seat, with all that it has not seen dealt afresh, always in the same way."""
    if not 0 <= seat < state.seats:
        raise NotYourTurn(state.no_seat(seat))
    return state.resample(seat, Stream(0))


def _preview(state: GameState, seat: Seat, move: Move, before: list[int]) -> Preview:
    """Make the move on this state, which is used up by it; `before` are its scores."""
    events: list[Event] = []
    state.step(seat, move, events.append)
    followups = [(each, state.clone()) for each in state.offered(seat)]
    made = len(events)
    decline = state.decline_move(seat)
    if decline is not None:
        state.step(seat, decline, events.append)
    offers: list[Offer] = []
    if followups:
        declined = _lines_of(_until_reveal(events[made:]))
        offers = [_offer(after, seat, each, declined) for each, after in followups]
    certain = _until_reveal(events)
    return Preview(seat, move, certain, len(certain) == len(events), offers, before, state)


def _offer(state: GameState, seat: Seat, move: Move, declined: Lines) -> Offer:
    """A follow-up, with the lines that it adds to those that come if it is declined."""
    text = state.move_text(seat, move)
    events: list[Event] = []
    state.step(seat, move, events.append)
    rest = list(declined)
    added: Lines = []
    for line in _lines_of(_until_reveal(events)):
        if line in rest:
            rest.remove(line)
        else:
            added.append(line)
    return Offer(move, text, added)


def _until_reveal(events: list[Event]) -> list[Event]:
    for number, event in enumerate(events):
        if event.reveals:
            return events[:number]
    return events


def _lines_of(events: list[Event]) -> Lines:
    return [line for event in events for line in event.lines]


def _points_in(lines: Lines, seat: Seat) -> int:
    return sum(line.points for scorer, line in lines if scorer == seat)
