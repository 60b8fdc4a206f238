"""How the games of an arena are run: in this process, in several processes, or (`cluster.py`) on several machines.

An executor takes lists of game numbers and returns results in any order. A lost worker loses no games: their numbers
come back, and they are played again.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Protocol

from wellies.bots.arena import external_bot
from wellies.bots.arena.plan import Plan
from wellies.bots.arena.playing import Result, play_some
from wellies.bots.process_pool import ProcessPool, WorkerLost

Batch = tuple[list[int], list[Result] | None]
"""The game numbers of one task, and their results; None if the worker was lost."""


class Executor(Protocol):
    """`width` is how many games can be played at the same time."""

    width: int

    def submit(self, numbers: list[int], until: float | None) -> None:
        """Play these games; none is begun after the time of day `until`."""
        ...

    def collect(self) -> list[Batch]:
        """Wait until a task is done, and return all that are done."""
        ...

    def close(self) -> None:
        """End all workers, also those that still play."""
        ...


class SerialExecutor:
    """Plays all games in this process, one after the other."""

    width = 1

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._tasks: list[tuple[list[int], float | None]] = []

    def submit(self, numbers: list[int], until: float | None) -> None:
        self._tasks.append((numbers, until))

    def collect(self) -> list[Batch]:
        numbers, until = self._tasks.pop(0)
        return [(numbers, play_some(self._plan, numbers, until))]

    def close(self) -> None:
        external_bot.close_all()


class ProcessExecutor:
    """Plays in several processes on this machine."""

    def __init__(self, plan: Plan, width: int) -> None:
        self._plan = plan
        self.width = width
        self._tasks: dict[Future[list[Result]], list[int]] = {}
        self._pool = ProcessPool(width)

    def submit(self, numbers: list[int], until: float | None) -> None:
        self._tasks[self._pool.submit(play_some, self._plan, numbers, until)] = numbers

    def collect(self) -> list[Batch]:
        done, _ = wait(self._tasks, return_when=FIRST_COMPLETED)
        return [self._batch(task) for task in done]

    def _batch(self, task: Future[list[Result]]) -> Batch:
        numbers = self._tasks.pop(task)
        try:
            return numbers, task.result()
        except WorkerLost:
            return numbers, None

    def close(self) -> None:
        self._pool.close()
