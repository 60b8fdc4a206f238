"""What `bench/offline.py` measures in two Pythons: that of this machine, and that of a browser. It needs `wellies` and
`playouts.py` alone."""

from __future__ import annotations

import random
import time

import playouts

import wellies


def decisions(name: str, seconds: float) -> int:
    """How many decisions are made in random play, in about so many seconds by the clock, at the smallest table."""
    spec, rng = wellies.game(name), random.Random(1)
    made, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        made += playouts.play_one(spec, spec.min_seats, {}, rng)
    return made


def think_times(name: str, level: str, moves: int) -> list[float]:
    """Seconds that a bot thinks about its moves, evenly spread over a game; all other moves are made by a quick bot."""
    spec = wellies.game(name)
    match, rng = wellies.Match(spec, spec.min_seats, None, 7), wellies.Stream(7)
    quick, thinker = wellies.bot("drizzle"), wellies.bot(level)
    length = _length(name)
    asked: list[float] = []
    decision = 0
    while match.state.outcome() is None and len(asked) < moves:
        seat = match.state.due()[0]
        view = match.view_for(seat)
        if decision >= len(asked) * length // moves and len(match.state.legal(seat)) > 1:
            start = time.perf_counter()
            thinker.choose(view, seat, rng)
            asked.append(time.perf_counter() - start)
        match.play_move(seat, quick.choose(view, seat, rng))
        decision += 1
    return asked


def _length(name: str) -> int:
    """How many decisions such a game has."""
    spec = wellies.game(name)
    match, rng = wellies.Match(spec, spec.min_seats, None, 7), wellies.Stream(7)
    bot = wellies.bot("random")
    count = 0
    while match.state.outcome() is None:
        seat = match.state.due()[0]
        match.play_move(seat, bot.choose(match.view_for(seat), seat, rng))
        count += 1
    return count
