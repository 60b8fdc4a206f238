"""What a move would score, from what its seat knows: told with every legal move, and line by line in a preview."""

from __future__ import annotations

from dataclasses import dataclass

from wellies.core.dice import Stream
from wellies.core.events import Event, ScoreLine
from wellies.core.state import GameState

Lines = list[tuple[int, ScoreLine]]


@dataclass
class Offer:
    """A move that the seat may make next, with which it would score at once, and the lines it would add."""

    move: int
    lines: Lines

    def points(self, seat: int) -> int:
        return points_in(self.lines, seat)


@dataclass
class Trial:
    """What became of a move that was tried: what it offered was declined, so that all it scores by itself is known."""

    state: GameState
    events: list[Event]
    """As far as they are sure: up to what reveals something hidden."""
    whole: bool
    """Whether these are all."""
    offers: list[Offer]

    def lines(self) -> Lines:
        return [each for event in self.events for each in event.lines]

    def offer(self, seat: int) -> int:
        """The most points that the seat could score by taking up what the move offers."""
        return max([0, *(each.points(seat) for each in self.offers)])


def try_move(state: GameState, seat: int, move: int) -> Trial:
    """Try a move on a state that is given up for it: one that was dealt afresh, so that no secret shows through."""
    events: list[Event] = []
    state.step(seat, move, events.append)
    takers = [(move, state.clone()) for move in state.offered(seat)]
    before = len(events)
    decline_move = state.decline_move(seat)
    if decline_move is not None:
        state.step(seat, decline_move, events.append)
    anyway = [each for event in _sure(events[before:]) for each in event.lines]
    offers = [Offer(taken, _taken(other, seat, taken, anyway)) for taken, other in takers]
    sure = _sure(events)
    return Trial(state, sure, len(sure) == len(events), offers)


def _taken(state: GameState, seat: int, move: int, anyway: Lines) -> Lines:
    """The lines that this move adds to those that come anyway."""
    events: list[Event] = []
    state.step(seat, move, events.append)
    left = list(anyway)
    added: Lines = []
    for each in (each for event in _sure(events) for each in event.lines):
        if each in left:
            left.remove(each)
        else:
            added.append(each)
    return added


def _sure(events: list[Event]) -> list[Event]:
    for number, event in enumerate(events):
        if event.reveals:
            return events[:number]
    return events


def points_in(lines: Lines, seat: int) -> int:
    return sum(line.points for scorer, line in lines if scorer == seat)


def preview_points(state: GameState, seat: int, moves: list[int]) -> list[dict[str, int]]:
    """The `points` of each move for its own seat, as far as they are sure, and as `offer`, if there is any, what the
    seat could score besides by taking up at once what the move offers, such as to claim what it completes."""
    known = state.resample(seat, Stream(0))
    found: list[dict[str, int]] = []
    for move in moves:
        trial = try_move(known.clone(), seat, move)
        promise = {"points": points_in(trial.lines(), seat)}
        offer = trial.offer(seat)
        if offer:
            promise["offer"] = offer
        found.append(promise)
    return found
