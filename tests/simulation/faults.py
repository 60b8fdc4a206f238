"""Which faults there are at the moment, and how often each has struck."""

from __future__ import annotations

from collections import Counter
from random import Random

from simulation.history import Fault
from simulation.loop import SimulatedLoop


class Faults:
    """The faults of a history that last for a while."""

    def __init__(self, loop: SimulatedLoop, faults: tuple[Fault, ...]) -> None:
        self._loop = loop
        self._faults = [fault for fault in faults if fault.kind not in ("crash", "stop", "clock jump")]
        self.struck: Counter[str] = Counter()
        """How often each kind of fault has struck."""
        self.storage_failed = False
        """Whether the store has failed at any time: only then may a commit fail."""
        self.healed = False

    def strikes(self, kinds: tuple[str, ...], worker: int, random: Random) -> str | None:
        """The kind of fault, among these, that strikes now at this worker."""
        if self.healed:
            return None
        now = self._loop.now
        for fault in self._faults:
            if (
                fault.kind in kinds
                and fault.at <= now < fault.at + fault.seconds
                and fault.worker in (-1, worker)
                and random.random() < fault.share
            ):
                return fault.kind
        return None

    def may_strike(self, kinds: tuple[str, ...], worker: int) -> bool:
        """Whether one of these strikes this worker at any time from now on."""
        now = self._loop.now
        return not self.healed and any(
            fault.kind in kinds and fault.worker in (-1, worker) and now < fault.at + fault.seconds
            for fault in self._faults
        )

    def count(self, kind: str) -> None:
        self.struck[kind] += 1
