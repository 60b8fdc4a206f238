"""The time of a server process: that of the entries in the logs of tables, by which clocks are charged.

It runs as evenly as the monotonic clock. At the start it is set by a reference: the clock of PostgreSQL, which is the
same for all workers, or with SQLite the clock of the machine. Later it only approaches the reference, by one percent of
the time that passes. So if the clock of a machine is set forward or back, nobody loses a game by that. Only if the
database was slow to answer at the start is the time set once more, by its first quick answer.
"""

from __future__ import annotations

from typing import Final

import structlog

from wellies.core.sources import monotonic, now_millis

APPROACH: Final = 0.01
"""Milliseconds for each millisecond, at most, by which this clock runs faster or slower to approach its reference."""
LONGEST_STEP: Final = 5.0
"""Seconds that count for that, at most, however long ago the reference was last read."""
LONGEST_READ: Final = 0.1
"""Seconds that the answer of a database may take for its clock to be followed: it is off by up to half of them."""
JUMP: Final = 2_000
"""Milliseconds between this clock and its reference that are worth a warning."""

log = structlog.get_logger("wellies.clock")


class ServerClock:
    """Milliseconds since 1970 that never go back and never jump."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._followed = 0.0
        self._last = 0
        self._warned = False
        self.is_accurate = True
        """Whether the reference was read quickly enough to go by."""
        self.set(None)

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        self._last = max(self._last, int(monotonic() * 1000 + self._offset))
        return self._last

    def set(self, reference: int | None, took: float = 0.0) -> None:
        """Take the time of the reference (None: of the machine) at once: at the start, before anybody plays. It took so
        many seconds to read."""
        self._take(reference)
        self._last = 0
        self.is_accurate = reference is None or took <= LONGEST_READ

    def follow(self, reference: int | None, took: float = 0.0) -> None:
        """Approach the time of the reference (None: of the machine). One that took long to read says little."""
        if reference is not None and took > LONGEST_READ:
            return
        if not self.is_accurate:
            self._take(reference)
            self.is_accurate = True
            return
        moment = monotonic()
        gap = (now_millis() if reference is None else reference) - (moment * 1000 + self._offset)
        most = APPROACH * 1000 * min(LONGEST_STEP, moment - self._followed)
        self._offset += max(-most, min(most, gap))
        self._followed = moment
        self._warn(gap)

    def _take(self, reference: int | None) -> None:
        self._followed = monotonic()
        self._offset = (now_millis() if reference is None else reference) - self._followed * 1000

    def _warn(self, gap: float) -> None:
        if abs(gap) < JUMP:
            self._warned = False
        elif not self._warned:
            self._warned = True
            log.warning(
                "the clock of the machine or of the database was changed; games go on by the time of this server, "
                "which approaches it slowly; a restart takes it over at once",
                seconds=round(gap / 1000, 1),
            )
