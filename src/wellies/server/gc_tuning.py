"""Settings for Python's cyclic garbage collector, which would otherwise pause the server.

By default the collector sometimes examines all objects. With hundreds of tables in memory that takes a quarter of a
second, in which no move is answered. Reference counting frees almost all of our objects anyway. So here young objects
are collected rarely, and once a minute the survivors are frozen: the collector does not examine them again.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Final

THRESHOLDS: Final = (2_000, 5, 1_000_000)
"""For `gc.set_threshold`. The last one means that the oldest generation is never collected automatically."""
INTERVAL_SECONDS: Final = 60.0
"""Time between two collections."""
FULL_EVERY: Final = 240
"""Every so many collections, frozen objects are collected too: every four hours."""


async def tune_gc() -> None:
    """Collect at intervals until cancelled; then restore the collector's settings."""
    before = gc.get_threshold()
    gc.set_threshold(*THRESHOLDS)
    rounds = 0
    try:
        while True:
            collect(full=rounds % FULL_EVERY == 0)
            rounds += 1
            await asyncio.sleep(INTERVAL_SECONDS)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def collect(*, full: bool) -> None:
    """Collect garbage, and freeze the objects that are left."""
    if full:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
