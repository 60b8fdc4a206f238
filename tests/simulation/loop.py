"""An event loop whose time is simulated: when nothing can run, time jumps to the next timer.

Everything runs in one thread and in an order that depends on nothing but the program. Each worker of the simulation has
a context of its own; when a worker is dead, whatever belongs to its context no longer runs.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import heapq
import sys
from collections.abc import Callable, Coroutine
from typing import Any, Protocol
from weakref import ref

from simulation.failures import SimulationFailure

MOST_STEPS = 3_000_000
"""A history that takes more steps than this never ends."""


class Mortal(Protocol):
    """A worker, as the loop knows it."""

    alive: bool

    def on_step(self) -> None:
        """Called before each of its steps; it may die here."""


WORKER: contextvars.ContextVar[Any] = contextvars.ContextVar("worker", default=None)
"""The worker that runs now; None for the world around the workers."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """An event loop with simulated time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.steps = 0
        self._tasks: list[tuple[ref[asyncio.Task[Any]], Any]] = []
        """All tasks that were made, each with its worker. They are not kept alive: a task that has ended keeps its
        result, and what is still in use must depend on nothing but the server."""
        self.set_task_factory(self._make_task)  # type: ignore[arg-type]

    def time(self) -> float:
        return self.now

    def _make_task(self, loop: Any, work: Coroutine[Any, Any, Any], **more: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(work, loop=loop, **more)
        context = more.get("context")
        self._tasks.append((ref(task), WORKER.get() if context is None else context.get(WORKER)))
        return task

    def open_tasks(self) -> list[tuple[asyncio.Task[Any], Any]]:
        """The tasks that have not ended, each with its worker."""
        found = ((task(), worker) for task, worker in self._tasks)
        return [(task, worker) for task, worker in found if task is not None and not task.done()]

    def _write_to_self(self) -> None:
        """There is no other thread to be woken by."""

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run the function at once."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def _run_once(self) -> None:
        """All steps that are ready; if none is, those of the next moment at which something happens."""
        ready: Any = self._ready  # type: ignore[attr-defined]
        timers: Any = self._scheduled  # type: ignore[attr-defined]
        if not ready:
            while timers and timers[0]._cancelled:
                heapq.heappop(timers)._scheduled = False
            if not timers:
                raise SimulationFailure("stuck", "everybody waits, and no timer is set")
            self.now = max(self.now, timers[0]._when)
        while timers and timers[0]._when <= self.now:
            timer = heapq.heappop(timers)
            timer._scheduled = False
            ready.append(timer)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if handle._cancelled:
                continue
            worker = handle._context.get(WORKER)
            if worker is not None:
                worker.on_step()
                if not worker.alive:
                    continue
            self.steps += 1
            handle._run()
        if self.steps > MOST_STEPS:
            raise SimulationFailure("endless", f"more than {MOST_STEPS} steps")

    def expect_loss(self, worker: Any) -> None:
        """This worker dies, and its tasks with it, which asyncio would complain of."""
        for task, owner in self.open_tasks():
            if owner is worker:
                task._log_destroy_pending = False  # type: ignore[attr-defined]

    def close_down(self) -> None:
        """Close the loop, and the coroutines of dead workers, whose last words nobody hears."""
        self.set_exception_handler(lambda _loop, _context: None)
        before = sys.unraisablehook
        sys.unraisablehook = lambda _problem: None
        try:
            for task, _ in self.open_tasks():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                _close(task.get_coro())
            self._tasks.clear()
            self.close()
            gc.collect(0)
        finally:
            sys.unraisablehook = before


def _close(work: Any) -> None:
    """Close a coroutine, however often it goes on to wait for something."""
    for _ in range(100):
        try:
            work.close()
        except BaseException:
            continue
        return
