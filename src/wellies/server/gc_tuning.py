"""Python's collector of cyclic garbage, kept from holding everybody up.

By itself it looks through all that lives, now and then: with hundreds of tables in memory that is a quarter of a second
in which nobody's move is answered. Almost all of ours is freed by counting references, long before. So here the young
are looked through seldom, and once a minute what has lived through it is set aside and not looked at again.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Final

YOUNG: Final = (2_000, 5, 1_000_000)
"""How many new objects, and then how many rounds, until each generation is looked through; the last: never."""
EVERY: Final = 60.0
"""Seconds between two rounds of tidying."""
AFRESH: Final = 240
"""So many rounds after which what was set aside is looked through too: every four hours."""


async def tune_gc() -> None:
    """Tidy from time to time, until cancelled; then the collector is left as it was."""
    before = gc.get_threshold()
    gc.set_threshold(*YOUNG)
    rounds = 0
    try:
        while True:
            tidy(everything=rounds % AFRESH == 0)
            rounds += 1
            await asyncio.sleep(EVERY)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def tidy(*, everything: bool) -> None:
    """Free what is lost in circles, and set aside what is left."""
    if everything:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
