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
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Protocol
from unittest.mock import patch
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


_RUNNING: dict[int, asyncio.AbstractEventLoop] = {}
"""The simulated loop that runs now, by thread."""
_get_running_loop, _get_running_loop_or_none = asyncio.get_running_loop, asyncio._get_running_loop


def running_loop() -> asyncio.AbstractEventLoop:
    return _RUNNING.get(threading.get_ident()) or _get_running_loop()


def running_loop_or_none() -> asyncio.AbstractEventLoop | None:
    loop = _RUNNING.get(threading.get_ident())
    return loop if loop is not None and loop.is_running() else _get_running_loop_or_none()


@contextmanager
def found_quickly(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """To find the running loop, Python 3.11 asks the operating system for the process id each time, which took a fifth
    of all time. Within this, the thread that runs this loop knows it; others ask as before. A module that is imported
    meanwhile may keep these functions."""
    if sys.version_info >= (3, 12):
        yield
        return
    quick: dict[str, Any] = {"get_running_loop": running_loop, "_get_running_loop": running_loop_or_none}
    thread = threading.get_ident()
    _RUNNING[thread] = loop
    try:
        with patch.multiple(asyncio, **quick), patch.multiple(asyncio.events, **quick):
            yield
    finally:
        del _RUNNING[thread]


class SimulatedLoop(asyncio.BaseEventLoop):
    """An event loop with simulated time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.steps = 0
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        """Those that are set, the next one first; of those at the same time, the one that was set first."""
        self._timers_set = 0
        self._tasks: list[tuple[ref[asyncio.Task[Any]], Any]] = []
        """All tasks that were made, each with its worker. They are not kept alive: a task that has ended keeps its
        result, and what is still in use must depend on nothing but the server."""
        self.set_task_factory(self._make_task)  # type: ignore[arg-type]

    def time(self) -> float:
        return self.now

    def run_forever(self) -> None:
        with found_quickly(self):
            super().run_forever()

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Without the checks of the general one: no other thread calls this."""
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)  # type: ignore[attr-defined]
        return handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Timers are compared by their times and numbers, for to compare the handles themselves takes long."""
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._timers_set += 1
        heapq.heappush(self._timers, (when, self._timers_set, timer))
        return timer

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
        timers: list[tuple[float, int, Any]] = self._timers
        if not ready:
            while timers and timers[0][2]._cancelled:
                heapq.heappop(timers)
            if not timers:
                raise SimulationFailure("stuck", "everybody waits, and no timer is set")
            self.now = max(self.now, timers[0][0])
        while timers and timers[0][0] <= self.now:
            timer = heapq.heappop(timers)[2]
            if not timer._cancelled:
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
        """Close the loop, and the coroutines of dead workers. Call `collect_quietly` when nobody uses it any more."""
        self.set_exception_handler(lambda _loop, _context: None)
        with unheard():
            for task, _ in self.open_tasks():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                _close(task.get_coro())
            self._tasks.clear()
            self._timers.clear()
            self.close()


@contextmanager
def unheard() -> Iterator[None]:
    """Nobody hears the last words of coroutines that end here."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda _problem: None
    try:
        yield
    finally:
        sys.unraisablehook = before


def collect_quietly() -> None:
    """Collect what a history has left. All of it is young, for nothing is collected while one runs."""
    with unheard():
        gc.collect(1)


def _close(work: Any) -> None:
    """Close a coroutine, however often it goes on to wait for something."""
    for _ in range(100):
        try:
            work.close()
        except BaseException:
            continue
        return
