"""How fast many games play at once with arrays in and out: `python bench/vector.py [GAME ...] [--games 256]`.

For each game it prints decisions a second of random play with the bare engine (as bench/playouts.py counts them), with
`wellies.research.vector` (flat observations and masks), and their ratio. With one process, both are seconds of
processor time; with more, of the clock. Choosing the actions, which is the learner's part, is not counted.
"""

from __future__ import annotations

import argparse
import sys
import time

import playouts

import wellies
from wellies import WelliesError
from wellies.core.engine import engine_words
from wellies.research.vector import VectorEnv


def vector_speed(
    name: str, seats: int, options: dict[str, object], rows: int, processes: int, seconds: float, observations: str
) -> float:
    """Decisions a second."""
    clock = time.process_time if processes == 1 else time.perf_counter
    with VectorEnv(name, rows, seats, options, processes, seed=1, observations=observations) as env:
        env.reset()
        for _ in range(max(20, 20_000 // rows)):  # until the rows are in all parts of a game
            env.step(env.sample_actions())
        spent = 0.0
        steps = 0
        while spent < seconds:
            actions = env.sample_actions()
            start = clock()
            env.step(actions)
            spent += clock() - start
            steps += 1
    return steps * rows / spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("game", nargs="*", default=wellies.list_games())
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=256, help="how many games at once")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0)
    args = parser.parse_args()
    options: dict[str, object] = dict(pair.partition("=")[::2] for pair in args.option)
    print(f"{engine_words()}, {args.seats} seats, {args.games} games at once, {args.processes} processes, random play")
    print(f"{'':12}{'bare engine':>14}{'vector':>14}{'ratio':>8}{'masks only':>14}{'ratio':>8}   decisions a second")
    for name in args.game:
        try:
            spec = wellies.game(name)
            full, masks = (
                vector_speed(name, args.seats, options, args.games, args.processes, args.seconds, kind)
                for kind in ("flat", "none")
            )
            # Last, for the games before fill tables that all games share: alone it would be measured too slow.
            bare, _games = playouts.speed(spec, args.seats, options, args.seconds)
        except WelliesError as error:
            print(f"vector: {error}", file=sys.stderr)
            return 2
        print(f"{name:12}{bare:14,.0f}{full:14,.0f}{full / bare:8.2f}{masks:14,.0f}{masks / bare:8.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
