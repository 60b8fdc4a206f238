"""Who plays the games: this process, several processes, or (in `cluster.py`) several machines.

A crew takes lists of game numbers and gives results back in any order. A worker that is lost loses no games: its
numbers come back and are played again.
"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from wellies.bots.arena import external_bot
from wellies.bots.arena.plan import Plan
from wellies.bots.arena.playing import Result, play_some
from wellies.bots.processes import make_pool

Answer = tuple[list[int], list[Result] | None]
"""The numbers that were handed out, and the results; None if whoever played them is gone."""


class Crew(Protocol):
    """`width` is how many games can be played at the same time."""

    width: int

    def submit(self, numbers: list[int], until: float | None) -> None: ...

    def collect(self) -> list[Answer]:
        """Wait until something is done, and return it."""
        ...

    def close(self, *, at_once: bool) -> None:
        """Leave nothing behind; `at_once` ends what still plays."""
        ...


class Alone:
    """This process plays everything itself."""

    width = 1

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._tasks: list[tuple[list[int], float | None]] = []

    def submit(self, numbers: list[int], until: float | None) -> None:
        self._tasks.append((numbers, until))

    def collect(self) -> list[Answer]:
        numbers, until = self._tasks.pop(0)
        return [(numbers, play_some(self._plan, numbers, until))]

    def close(self, *, at_once: bool) -> None:
        external_bot.dismiss_all()


class Processes:
    """Several processes on this machine."""

    def __init__(self, plan: Plan, width: int) -> None:
        self._plan = plan
        self.width = width
        self._before = set(multiprocessing.active_children())
        self._tasks: dict[Future[list[Result]], list[int]] = {}
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        pool = make_pool(self.width)  # the processes start now, before a progress bar has a thread that they would copy
        pool.submit(int).result()
        return pool

    def submit(self, numbers: list[int], until: float | None) -> None:
        try:
            task = self._pool.submit(play_some, self._plan, numbers, until)
        except BrokenProcessPool:
            task = Future()
            task.set_exception(BrokenProcessPool())
        self._tasks[task] = numbers

    def collect(self) -> list[Answer]:
        done, _ = wait(self._tasks, return_when=FIRST_COMPLETED)
        answers = [self._answer(task) for task in done]
        if any(results is None for _, results in answers):
            # A pool that has lost one worker is of no more use: all its open tasks fail.
            wait(self._tasks)
            answers += [self._answer(task) for task in list(self._tasks)]
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = self._new_pool()
        return answers

    def _answer(self, task: Future[list[Result]]) -> Answer:
        numbers = self._tasks.pop(task)
        try:
            return numbers, task.result()
        except BrokenProcessPool:
            return numbers, None

    def close(self, *, at_once: bool) -> None:
        self._pool.shutdown(wait=not at_once, cancel_futures=True)
        for child in multiprocessing.active_children() if at_once else []:
            if child not in self._before:
                child.terminate()
                child.join(2)
