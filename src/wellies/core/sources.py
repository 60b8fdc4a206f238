"""Where tables and servers take time and randomness from: the operating system.

A simulation replaces them by its own, so that one seed gives the same history again. The rules of games use neither:
chance is a move (see `core/dice.py`).
"""

from __future__ import annotations

import base64
import contextlib
import secrets
import time
from typing import Final

# On Linux CLOCK_MONOTONIC stands still while the machine sleeps; on macOS it does not, but `time.monotonic` does.
CLOCKS: Final = ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC")


def _awake_and_asleep() -> int | None:
    """The number of the first of these clocks that works; None if there is none. Python in a browser has names for
    clocks that do not work."""
    for name in CLOCKS:
        clock: int | None = getattr(time, name, None)
        if clock is not None:
            with contextlib.suppress(OSError):
                time.clock_gettime(clock)
                return clock
    return None


_CLOCK: Final = _awake_and_asleep()


class Sources:
    """Time and secure randomness from the operating system."""

    def monotonic(self) -> float:
        """Seconds since some moment. It never goes back, and it goes on while the machine sleeps."""
        return time.clock_gettime(_CLOCK) if _CLOCK is not None else time.monotonic()

    def now_millis(self) -> int:
        """Milliseconds since 1970, as the clock of this machine says. It may jump."""
        return time.time_ns() // 1_000_000

    def random_bytes(self, count: int) -> bytes:
        """Bytes that nobody can guess."""
        return secrets.token_bytes(count)


_sources = Sources()


def replace_sources(sources: Sources) -> Sources:
    """Use other sources from now on; returns those used until now."""
    global _sources
    before, _sources = _sources, sources
    return before


def monotonic() -> float:
    """Seconds since some moment. It never goes back, and it goes on while the machine sleeps."""
    return _sources.monotonic()


def now_millis() -> int:
    """The time in milliseconds since 1970."""
    return _sources.now_millis()


def random_bytes(count: int) -> bytes:
    """Bytes that nobody can guess."""
    return _sources.random_bytes(count)


def random_hex(count: int) -> str:
    """So many random bytes, as hexadecimal digits."""
    return _sources.random_bytes(count).hex()


def random_urlsafe(count: int) -> str:
    """So many random bytes, as letters, digits, `-` and `_`."""
    return base64.urlsafe_b64encode(_sources.random_bytes(count)).rstrip(b"=").decode()


def random_below(stop: int) -> int:
    """A random number from 0 to stop - 1, for jitter and bot seeds; without a noticeable bias below 2**64."""
    return int.from_bytes(_sources.random_bytes(16), "big") % stop
