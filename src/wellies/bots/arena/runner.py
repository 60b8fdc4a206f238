"""Hands the games of a plan to a crew until all are played or the time is up."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from wellies.bots.arena.executors import Crew
from wellies.bots.arena.playing import Result
from wellies.core.errors import WelliesError

TRIES: Final = 5
"""A game whose worker is lost so many times is itself the reason."""

CHUNK: Final = 16


def run(todo: list[int], crew: Crew, keep: Callable[[list[Result]], None], seconds: float | None = None) -> None:
    """Play these games; `keep` hears of results as they come. After `seconds` no game is begun any more.

    What was begun is finished, for whoever breaks off long games counts too many short ones.
    """
    until = None if seconds is None else time.time() + seconds
    waiting = deque(todo)
    losses: dict[int, int] = {}
    chunk = 1
    open_tasks = 0
    while True:
        out_of_time = until is not None and time.time() >= until
        while waiting and not out_of_time and open_tasks < 2 * crew.width:
            size = min(chunk, max(1, len(waiting) // (2 * crew.width)))
            crew.submit([waiting.popleft() for _ in range(min(size, len(waiting)))], until)
            open_tasks += 1
        if not open_tasks:
            return
        for numbers, results in crew.collect():
            open_tasks -= 1
            if results is None:
                _count_losses(numbers, losses)
                waiting.extendleft(reversed(numbers))
                continue
            keep(results)
            played = {result.number for result in results}
            left = [number for number in numbers if number not in played]
            waiting.extendleft(reversed(left))
            # Hand out more at a time while games are quick, so that handing out costs nothing beside them.
            chunk = min(CHUNK, 2 * chunk) if not left else max(1, len(played))


def _count_losses(numbers: list[int], losses: dict[int, int]) -> None:
    for number in numbers:
        losses[number] = losses.get(number, 0) + 1
        if losses[number] >= TRIES:
            raise WelliesError(
                f"the process that plays game {number} was lost {TRIES} times; is there enough memory? "
                "What was played is kept; go on with fewer --jobs."
            )
