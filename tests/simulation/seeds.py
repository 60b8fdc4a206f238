"""Many seeds, one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from simulation.history import make_history
from simulation.world import run


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
    for seed in seeds:
        outcome = run(make_history(seed), noted=False)
        total.seeds += 1
        total.acknowledged += outcome.acknowledged
        total.entries += outcome.entries
        total.steps += outcome.steps
        total.seconds += outcome.seconds
        total.struck += outcome.struck
        if outcome.failures:
            total.failed.append((seed, str(outcome.failures[0])))
    return total
