"""How long another process has worked: the time in which it only waited for a processor does not count.

So a limit holds on a busy machine as on a quiet one. Linux tells it for every process; elsewhere all time counts, and a
limit is made longer by the load of the machine.
"""

from __future__ import annotations

import os
import time
from typing import Final, NamedTuple

NANOSECONDS: Final = 1e-9


class Reading(NamedTuple):
    """What the system says of a process at a moment: the seconds that it has run and that it has waited for a
    processor, and whether it runs or waits for one now."""

    moment: float
    ran: float
    waited: float
    runnable: bool


def read(pid: int | None) -> Reading | None:
    """The reading of a process now; None if the system does not tell, or there is no such process."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            ran, waited = file.read().split()[:2]
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            state = file.read().rpartition(")")[2].split()[0]
    except (OSError, ValueError, IndexError):
        return None
    return Reading(time.monotonic(), int(ran) * NANOSECONDS, int(waited) * NANOSECONDS, state == "R")


def worked(before: Reading, now: Reading) -> float:
    """The seconds between two readings in which the process did not wait for a processor: it ran, or it slept."""
    if now.runnable:
        # The wait that goes on is not in the reading yet.
        return now.ran - before.ran
    return now.moment - before.moment - (now.waited - before.waited)


def load_factor() -> float:
    """How many times longer than on an idle machine something may take now; 1 if the load is not known."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):
        return 1.0
    return max(1.0, load / (os.cpu_count() or 1))
