"""How much one person may ask: token buckets, kept in memory, bounded in number."""

from __future__ import annotations

import time
from typing import Final

MOST: Final = 50_000


class Bucket:
    """So many at once, and so many a second after that."""

    __slots__ = ("at", "left")

    def __init__(self, left: float, at: float) -> None:
        self.left = left
        self.at = at

    def take(self, rate: float, burst: float, now: float) -> bool:
        self.left = min(burst, self.left + (now - self.at) * rate)
        self.at = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True


class Limit:
    """Buckets by key. A rate of 0 is no limit."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = max(1.0, burst)
        self._buckets: dict[str, Bucket] = {}

    def allows(self, key: str) -> bool:
        if not self.rate:
            return True
        now = time.monotonic()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST:
                self._forget(now)
            bucket = self._buckets[key] = Bucket(self.burst, now)
        return bucket.take(self.rate, self.burst, now)

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again; if that does not help, drop all."""
        rested = self.burst / self.rate
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if now - bucket.at < rested}
        if len(self._buckets) >= MOST:
            self._buckets.clear()
