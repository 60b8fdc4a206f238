"""What each legal move would score at once, from what its seat knows: the page writes it on every place."""

from __future__ import annotations

from wellies.core.dice import Stream
from wellies.core.events import Event
from wellies.core.state import GameState


def promised_points(state: GameState, seat: int, moves: list[int]) -> list[int]:
    """The points of each move for its own seat, as far as they are sure: each is tried on a state dealt afresh, and
    what comes after something hidden is revealed does not count. What the move offers its seat is declined."""
    known = state.resample(seat, Stream(0))
    return [_sure_points(known.clone(), seat, move) for move in moves]


def _sure_points(state: GameState, seat: int, move: int) -> int:
    events: list[Event] = []
    step_and_decline(state, seat, move, events)
    points = 0
    for event in events:
        if event.reveals:
            break
        points += sum(line.points for scorer, line in event.lines if scorer == seat)
    return points


def step_and_decline(state: GameState, seat: int, move: int, events: list[Event]) -> None:
    """Make a move and decline what it offers, so that all it scores by itself is known."""
    state.step(seat, move, events.append)
    declining = state.declining(seat)
    if declining is not None:
        state.step(seat, declining, events.append)
