"""Time and randomness of the simulation. Each worker has clocks and dice of its own."""

from __future__ import annotations

from random import Random
from typing import Final

from simulation.loop import WORKER, SimulatedLoop
from wellies.core.sources import Sources

EPOCH: Final = 1_800_000_000_000
"""The time at which every history begins, in milliseconds since 1970."""


class SimulatedSources(Sources):
    """What `wellies.core.sources` gives while a world runs."""

    def __init__(self, loop: SimulatedLoop, random: Random) -> None:
        self._loop = loop
        self._random = random

    def monotonic(self) -> float:
        worker = WORKER.get()
        return self._loop.now + (worker.monotonic_base if worker is not None else 0.0)

    def now_millis(self) -> int:
        worker = WORKER.get()
        return EPOCH + int(self._loop.now * 1000) + (worker.skew_millis if worker is not None else 0)

    def random_bytes(self, count: int) -> bytes:
        worker = WORKER.get()
        return (worker.random if worker is not None else self._random).randbytes(count)
