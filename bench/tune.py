"""Better weights for the quick replies of a game (wellies/games/*/replies.py), by trial.

    make compiled && python bench/tune.py puppies --seconds 600

Some weights are changed at random; if games of the new weights against the old, each played from both seats with the
same cards, say that they are better, they stay. Every improvement is printed, and at the end how far the best weights
lead over those that the program has now. Compiled, some thousand games of Puppies are played in a second, and some
hundred of Aquarium.
"""

from __future__ import annotations

import argparse
import math
import random
import time

import wellies
from wellies.core.state import CHANCE, GameState
from wellies.games.aquarium import replies as aquarium_replies
from wellies.games.aquarium.heuristics import AquariumHeuristics
from wellies.games.puppies import replies as puppies_replies
from wellies.games.puppies.heuristics import PuppiesHeuristics

Tuned = AquariumHeuristics | PuppiesHeuristics

TUNED: dict[str, tuple[type[Tuned], tuple[int, ...], tuple[int, ...]]] = {
    "aquarium": (
        AquariumHeuristics,
        aquarium_replies.WEIGHTS,
        (15, 25, *(6,) * len(aquarium_replies.CARDS)),
    ),
    "puppies": (
        PuppiesHeuristics,
        puppies_replies.WEIGHTS,
        (15, 20, 20, 20, 20, 30, 8, 8, 30, 30, 30, 8, 50, 80, 40, 20, 8, 20, *(30,) * 9),
    ),
}
"""By game: who plays by weights, the present weights, and how far each may be moved in one go, about."""


def player(kind: type[Tuned], weights: list[int]) -> Tuned:
    """Somebody who plays by these weights."""
    heuristics = kind()
    heuristics.weights = weights
    return heuristics


def lead(first: Tuned, second: Tuned, seeds: list[int], start: GameState) -> tuple[float, float]:
    """By how many points the first beats the second, and the standard error."""
    leads: list[float] = []
    for seed in seeds:
        there = _game(start, (first, second), seed)
        back = _game(start, (second, first), seed)
        leads.append((there[0] - there[1] + back[1] - back[0]) / 2)
    mean = sum(leads) / len(leads)
    return mean, math.sqrt(sum((each - mean) ** 2 for each in leads)) / len(leads)


def _game(start: GameState, players: tuple[Tuned, Tuned], seed: int) -> list[int]:
    state = start.clone()
    rng = random.Random(seed)
    planned = players[0].plan_draws(state, rng)
    while due := state.due():
        if due[0] == CHANCE:
            state.step(CHANCE, players[0].next_draw(state, planned, rng))
        else:
            state.step(due[0], players[due[0]].reply(state, due[0], rng))
    return state.scores()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(TUNED), help="whose weights")
    parser.add_argument("--seconds", type=float, default=300, help="how long to try (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the trials (1)")
    parser.add_argument("--games", type=int, default=4000, help="deals that decide about an improvement (4000)")
    wish = parser.parse_args()
    rng = random.Random(wish.seed)
    start = wellies.game(wish.game).start(2, {})
    kind, weights, reaches = TUNED[wish.game]
    present = player(kind, list(weights))
    best, best_player = list(weights), present
    end = time.monotonic() + wish.seconds
    trial = 0
    while time.monotonic() < end:
        trial += 1
        new = [
            round(weight + rng.gauss(0, 0.6) * reach) if rng.random() < 0.2 else weight
            for weight, reach in zip(best, reaches, strict=True)
        ]
        # A quick look first: most changes are for the worse.
        new_player = player(kind, new)
        mean, error = lead(new_player, best_player, [rng.getrandbits(40) for _ in range(wish.games // 5)], start)
        if mean <= error / 2:
            continue
        mean, error = lead(new_player, best_player, [rng.getrandbits(40) for _ in range(wish.games)], start)
        if mean > 1.3 * error:
            best, best_player = new, new_player
            print(f"trial {trial}: {mean:+.2f} points (standard error {error:.2f}): {tuple(best)}", flush=True)
    mean, error = lead(best_player, present, [rng.getrandbits(40) for _ in range(wish.games)], start)
    print(f"{trial} trials; the best weights lead the present ones by {mean:.2f} points (standard error {error:.2f}):")
    print(tuple(best))


if __name__ == "__main__":
    main()
