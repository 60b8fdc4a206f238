"""How far leads still move until the end, and whether the winning chances made of that come true.

    python bench/chances.py [GAME...] [--games 60] [--seed 1]

Plays games between two showers. At every decision it notes the lead by the heuristics' estimate and how much of the
game is left, and at the end the final lead. It prints the standard deviation of the difference for each thing left to
come, which is what `swing_each` of the game's heuristics should be, and how often positions with a told chance of so
many percent were won.
"""

from __future__ import annotations

import argparse
import math

from wellies import CHANCE, Stream, bot, game, list_games
from wellies.bots.reasons import likely
from wellies.bots.search.root import heuristics_of

BINS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list_games())
    parser.add_argument("--games", dest="count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name in asked.games:
        report(name, asked.count, asked.seed)


def report(name: str, count: int, seed: int) -> None:
    spec = game(name)
    heuristics = heuristics_of(spec)
    player = bot("shower")
    noted: list[tuple[int, int, int, float]] = []
    for number in range(count):
        dice, rng = Stream(f"{seed} {name} {number} dice"), Stream(f"{seed} {name} {number} players")
        state = spec.start(2)
        moments: list[tuple[int, int, int]] = []
        while state.due():
            seat = state.due()[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(dice))
                continue
            move = player.choose(state, seat, rng)
            state.step(seat, move)
            seen = state.resample(seat, rng)
            if seen.due():
                moments.append((heuristics.margin(seen, seat), heuristics.to_come(seen), seat))
        outcome = state.outcome()
        assert outcome is not None
        for margin, left, seat in moments:
            final = 100 * (outcome.scores[seat] - outcome.scores[1 - seat])
            share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
            noted.append((margin, left, final, share))
    each = math.sqrt(sum((final - margin) ** 2 / max(1, left) for margin, left, final, _ in noted) / len(noted))
    print(
        f"{name}: {count} games, {len(noted)} positions; swing_each measured {each:.0f}, in use {heuristics.swing_each}"
    )
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for margin, left, _, share in noted:
        chance = likely(margin, max(1, int(heuristics.swing_each * math.sqrt(max(1, left)))))
        bins[min(BINS - 1, int(BINS * chance))].append((chance, share))
    for some in bins:
        if some:
            told = sum(chance for chance, _ in some) / len(some)
            won = sum(share for _, share in some) / len(some)
            print(f"  told {100 * told:5.1f} %   won {100 * won:5.1f} %   {len(some)} positions")
    error = sum((chance - share) ** 2 for some in bins for chance, share in some) / len(noted)
    print(f"  mean squared error {error:.3f} (0.25 for always saying one half)")


if __name__ == "__main__":
    main()
