"""Many seeds, one after the other."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable

from simulation.history import make_history
from simulation.world import run

COLLECT_EVERY = 10
"""While a history runs no garbage is collected, so this is done after some."""


class Total:
    """Sums over many histories."""

    def __init__(self) -> None:
        self.seeds = 0
        self.acknowledged = 0
        self.entries = 0
        self.steps = 0
        self.seconds = 0.0
        self.struck: Counter[str] = Counter()
        self.failed: list[tuple[int, str]] = []

    def add(self, other: Total) -> None:
        self.seeds += other.seeds
        self.acknowledged += other.acknowledged
        self.entries += other.entries
        self.steps += other.steps
        self.seconds += other.seconds
        self.struck += other.struck
        self.failed += other.failed


def run_seeds(seeds: Iterable[int]) -> Total:
    """Let the histories of some seeds happen."""
    total = Total()
    # All that is there before the first history stays; the collector need not look at it after every few.
    gc.collect()
    gc.freeze()
    for number, seed in enumerate(seeds, 1):
        outcome = run(make_history(seed))
        if number % COLLECT_EVERY == 0:
            gc.collect()
        total.seeds += 1
        total.acknowledged += outcome.acknowledged
        total.entries += outcome.entries
        total.steps += outcome.steps
        total.seconds += outcome.seconds
        total.struck += outcome.struck
        if outcome.failures:
            total.failed.append((seed, str(outcome.failures[0])))
    gc.unfreeze()
    return total
