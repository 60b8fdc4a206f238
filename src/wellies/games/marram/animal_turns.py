"""The fly and the frog in play: they hop after every move, appear, are guessed about, and are eaten or escape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import ScoreLine, Sink
from wellies.core.texts import seat_mark
from wellies.games.marram import events
from wellies.games.marram.animals import NO_GUESS, NOWHERE, Animal, hops_from
from wellies.games.marram.moves import ESCAPE, FLY, FROG, LONGEST_GUESS
from wellies.games.marram.phases import FLY_APPEARS, FLY_GUESS, FLY_HOPS, FROG_APPEARS, FROG_GUESS, FROG_HOPS
from wellies.games.marram.places import place_json
from wellies.games.marram.scoring import guess_points
from wellies.games.marram.variants import FLY_AFTER, FROG_AFTER

if TYPE_CHECKING:
    from wellies.games.marram.state import MarramState


def go_on(state: MarramState, stage: int, sink: Sink | None) -> None:
    """From this stage on, stop at the first thing that chance or a seat has to decide; else the move is over."""
    if stage <= FLY_HOPS and state.fly is not None and hops_from(state.board, FLY, state.fly.at):
        state.phase = FLY_HOPS
        return
    if stage <= FROG_HOPS and state.frog is not None and hops_from(state.board, FROG, state.frog.at):
        state.phase = FROG_HOPS
        return
    laid = len(state.board.tiles) - 1 if state.laid_it else 0
    if stage <= FLY_APPEARS and laid == FLY_AFTER and state.fly is None:
        state.phase = FLY_APPEARS
        return
    if stage <= FROG_APPEARS and laid == FROG_AFTER and state.frog is None:
        state.phase = FROG_APPEARS
        return
    state.end_move(sink)


def move(state: MarramState, kind: int, cell: int, sink: Sink | None) -> None:
    """An animal appears at a place, or hops to it and may be eaten there."""
    animal = state.fly if kind == FLY else state.frog
    if animal is None:
        appeared = Animal(cell, NOWHERE, 0, [NO_GUESS] * state.seats)
        if kind == FLY:
            state.fly = appeared
            state.phase = FLY_GUESS
        else:
            state.frog = appeared
            state.phase = FROG_GUESS
        if sink is not None:
            sink(events.appeared(kind, cell))
        return
    animal.came_from = animal.at
    animal.at = cell
    animal.hops += 1
    if sink is not None:
        sink(events.hopped(kind, animal))
    if state.board.tiles[cell].heads > 0:
        _settle(state, kind, animal, animal.hops, sink)
    elif animal.hops >= LONGEST_GUESS:
        _settle(state, kind, animal, 0, sink)
    go_on(state, state.phase + 1, sink)


def _settle(state: MarramState, kind: int, animal: Animal, hops: int, sink: Sink | None) -> None:
    """The animal is eaten at this hop, or has escaped (hops 0): the guesses are paid."""
    name = events.animal_name(kind)
    fate = f"eaten at hop {hops}" if hops else "escaped"
    lines: list[tuple[int, ScoreLine]] = []
    for seat, points in enumerate(guess_points(animal.guesses, hops, ESCAPE)):
        if points > 0:
            guess = "that" if animal.guesses[seat] == ESCAPE else str(animal.guesses[seat])
            why = f"{name.capitalize()} {fate}; {seat_mark(seat)} guessed {guess}"
            line = ScoreLine(name, points, [place_json(animal.at)], why)
            state.points[seat] += points
            state.lines[seat].append(line)
            lines.append((seat, line))
    if kind == FLY:
        state.fly = None
    else:
        state.frog = None
    if sink is not None:
        sink(events.settled(kind, hops, lines))


def guess(state: MarramState, seat: int, number: int, sink: Sink | None) -> None:
    """A seat says openly how many hops the animal will take, or that it escapes."""
    fly = state.phase == FLY_GUESS
    animal = state.fly if fly else state.frog
    assert animal is not None
    animal.guesses[seat] = number
    if sink is not None:
        sink(events.guessed(FLY if fly else FROG, seat, number))
    if NO_GUESS not in animal.guesses:
        go_on(state, state.phase + 1, sink)
