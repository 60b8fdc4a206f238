"""How fast a game plays at random, on one core: `python bench/playouts.py guppies [--seats 2] [--seconds 5]`.

Prints decisions a second of processor time (draws are not counted, though their time is) and games a second, and what
it costs to clone and to resample a state from anywhere in a game. For the tile-laying games it also prints what a move
costs early and late: the mean time of drawing, listing the moves and making one around the 20th and around the 120th
laid tile (or as far as the game goes).
"""

from __future__ import annotations

import argparse
import random
import sys
import time

import wellies
from wellies import CHANCE, GameSpec, GameState, WelliesError
from wellies.core.engine import engine_words

EARLY = 20
LATE = {"guppies": 120, "marram": 85}


def play_one(spec: GameSpec, seats: int, options: dict[str, object], rng: random.Random) -> int:
    """One random game; returns the number of decisions."""
    state = spec.start(seats, options)
    pick = rng.random
    decisions = 0
    while True:
        due = state.due()
        if not due:
            return decisions
        seat = due[0] if len(due) == 1 else due[int(pick() * len(due))]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        moves = state.legal(seat)
        state.step(seat, moves[int(pick() * len(moves))])
        decisions += 1


def speed(spec: GameSpec, seats: int, options: dict[str, object], seconds: float) -> tuple[float, float]:
    """Decisions and games a second."""
    rng = random.Random(1)
    play_one(spec, seats, options, rng)  # warm the tables
    decisions = games = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        decisions += play_one(spec, seats, options, rng)
        games += 1
    spent = time.process_time() - start
    return decisions / spent, games / spent


def cost_of_copies(spec: GameSpec, seats: int, options: dict[str, object]) -> tuple[float, float]:
    """Mean microseconds of a clone and of a resample, over states from all parts of games."""
    rng = random.Random(3)
    states: list[GameState] = []
    while len(states) < 200:
        state = spec.start(seats, options)
        while due := state.due():
            moves = state.legal(due[0])
            if due[0] != CHANCE and rng.random() < 0.1:
                states.append(state.clone())
            state.step(due[0], state.chance(rng) if due[0] == CHANCE else moves[int(rng.random() * len(moves))])
    start = time.process_time()
    for _ in range(10):
        for state in states:
            state.clone()
    cloned = time.process_time()
    for _ in range(10):
        for state in states:
            state.resample(0, rng)
    resampled = time.process_time()
    each = 1e6 / (10 * len(states))
    return (cloned - start) * each, (resampled - cloned) * each


def cost_by_laid(spec: GameSpec, seats: int, options: dict[str, object], seconds: float) -> dict[int, float]:
    """Mean microseconds of one whole move (draw, list, make) by the number of tiles laid, in steps of ten."""
    rng = random.Random(2)
    spent: dict[int, float] = {}
    count: dict[int, int] = {}
    end = time.process_time() + seconds
    while time.process_time() < end:
        state = spec.start(seats, options)
        laid = 0
        start = time.process_time()
        while due := state.due():
            if due == [CHANCE]:
                state.step(CHANCE, state.chance(rng))
                continue
            moves = state.legal(due[0])
            move = moves[int(rng.random() * len(moves))]
            lays = "@" in spec.move_text(state, due[0], move)
            state.step(due[0], move)
            if lays:
                laid += 1
                now = time.process_time()
                bucket = (laid + 5) // 10 * 10
                spent[bucket] = spent.get(bucket, 0.0) + now - start
                count[bucket] = count.get(bucket, 0) + 1
                start = now
    return {bucket: 1e6 * spent[bucket] / count[bucket] for bucket in sorted(spent)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("game", help="one of " + ", ".join(wellies.list_games()))
    parser.add_argument("--seats", type=int, default=0, help="default: the fewest the game allows")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seconds", type=float, default=5.0)
    args = parser.parse_args()
    try:
        spec = wellies.game(args.game)
        options: dict[str, object] = dict(pair.partition("=")[::2] for pair in args.option)
        seats = args.seats or spec.min_seats
        spec.start(seats, options)
    except WelliesError as error:
        print(f"playouts: {error}", file=sys.stderr)
        return 2
    decisions, games = speed(spec, seats, options, args.seconds)
    print(f"{spec.title}, {seats} seats, {engine_words()}, one core, random play")
    print(f"  {decisions:10,.0f} decisions a second")
    print(f"  {games:10,.1f} games a second")
    clone, resample = cost_of_copies(spec, seats, options)
    print(f"  {clone:10,.1f} µs a clone, {resample:.1f} µs a resample")
    if spec.name in LATE:
        costs = cost_by_laid(spec, seats, options, args.seconds)
        last = max(bucket for bucket in costs if bucket <= LATE[spec.name])
        print(f"  {costs[EARLY]:10,.1f} µs a move at the {EARLY}th laid tile")
        more = costs[last] / costs[EARLY]
        print(f"  {costs[last]:10,.1f} µs a move at the {last}th laid tile: {more:.2f} times as much")
    return 0


if __name__ == "__main__":
    sys.exit(main())
