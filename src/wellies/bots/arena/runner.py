"""Gives the games of a plan to an executor until all are played or the time is up."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from wellies.bots.arena.executors import Executor
from wellies.bots.arena.playing import Result
from wellies.core.errors import WelliesError

MAX_LOSSES: Final = 5
"""A game whose worker is lost this many times is itself the cause."""

MAX_BATCH: Final = 16
"""The most games that a worker gets at a time."""


def run(
    todo: list[int], executor: Executor, on_results: Callable[[list[Result]], None], seconds: float | None = None
) -> None:
    """Play these games and call `on_results` as they end. After `seconds` no game is begun any more.

    Games that have begun are played to the end: stopping games midway would favour short games.
    """
    until = None if seconds is None else time.time() + seconds
    waiting = deque(todo)
    losses: dict[int, int] = {}
    batch = 1
    open_tasks = 0
    while True:
        out_of_time = until is not None and time.time() >= until
        while waiting and not out_of_time and open_tasks < 2 * executor.width:
            size = min(batch, max(1, len(waiting) // (2 * executor.width)))
            executor.submit([waiting.popleft() for _ in range(min(size, len(waiting)))], until)
            open_tasks += 1
        if not open_tasks:
            return
        for numbers, results in executor.collect():
            open_tasks -= 1
            if results is None:
                _count_losses(numbers, losses)
                waiting.extendleft(reversed(numbers))
                continue
            on_results(results)
            played = {result.number for result in results}
            left = [number for number in numbers if number not in played]
            waiting.extendleft(reversed(left))
            # Quick games are given out in larger batches, so that the overhead stays small.
            batch = min(MAX_BATCH, 2 * batch) if not left else max(1, len(played))


def _count_losses(numbers: list[int], losses: dict[int, int]) -> None:
    for number in numbers:
        losses[number] = losses.get(number, 0) + 1
        if losses[number] >= MAX_LOSSES:
            raise WelliesError(
                f"the process that plays game {number} was lost {MAX_LOSSES} times; is there enough memory? "
                "What was played is kept; go on with fewer --jobs."
            )
