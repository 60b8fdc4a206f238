"""A pool of worker processes that survives the death of its workers.

Simulations, arenas, searches with several processes and the server's bots all use it. `ProcessPoolExecutor` does not
do: when one of its workers is killed, every open task fails and the pool cannot be used any more. In this pool a lost
worker fails its own task only, which can also be retried; a task can have a time limit; and cancelling a running task
kills its worker.

Workers ignore Ctrl-C and a closed terminal, which are for the parent to handle, and exit when the parent is gone.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError
from multiprocessing import connection, util
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeVar, TypeVarTuple, Unpack

from wellies.bots import processor_time
from wellies.core.errors import WelliesError

MAX_FAILED_STARTS: Final = 5
"""When this many workers in a row end before they are ready, the tasks that wait for one fail."""

FOREVER: Final = float("inf")
SHORTEST_LOOK: Final = 0.05
"""Seconds between two looks at a task that is about to run out of time."""

STOP_SIGNALS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

Result = TypeVar("Result")
Args = TypeVarTuple("Args")


class WorkerLost(WelliesError):
    """The worker process of a task has ended before the task was done."""


class _Task:
    """A pickled call and the future for its result."""

    def __init__(self, call: bytes, timeout: float | None, retries: int) -> None:
        self.call = call
        self.timeout = timeout
        self.retries = retries
        self.future: Future[Any] = Future()
        """It stays pending until it is done, so that it can be cancelled at any time."""


class _Worker:
    """A worker process, the connection to it and the task that it works on."""

    def __init__(self, process: BaseProcess, link: Connection[Any, Any]) -> None:
        self.process = process
        self.link = link
        self.ready = False
        self.task: _Task | None = None
        self.deadline = FOREVER
        """When to look whether the task, or the idle worker, has run out of time."""
        self._before: processor_time.Reading | None = None
        """What the system said of the process when it got the task."""

    def begin(self, task: _Task) -> None:
        """Work on a task from now on."""
        self.task = task
        self._before = processor_time.read(self.process.pid)
        if task.timeout is None:
            self.deadline = FOREVER
        else:
            factor = processor_time.load_factor() if self._before is None else 1.0
            self.deadline = time.monotonic() + task.timeout * factor

    def is_late(self, now: float) -> bool:
        """Whether it has run out of time. On a busy machine a task goes on for as long as it has waited for a
        processor."""
        if self.deadline > now:
            return False
        reading = None if self._before is None else processor_time.read(self.process.pid)
        if self.task is None or self.task.timeout is None or self._before is None or reading is None:
            return True
        left = self.task.timeout - processor_time.worked(self._before, reading)
        self.deadline = now + max(SHORTEST_LOOK, left)
        return left <= 0


class ProcessPool:
    """At most `size` workers, started by the given multiprocessing method (the system's default if None).

    Without `idle_seconds` all workers start at once and stay. With it they start when they are needed and end after so
    many seconds without work. `initializer` runs once in each worker; its time does not count as time of a task.
    """

    def __init__(
        self,
        size: int,
        method: str | None = None,
        initializer: Callable[[], None] | None = None,
        idle_seconds: float | None = None,
    ) -> None:
        self.size = max(1, size)
        self._context: Any = multiprocessing.get_context(method)
        self._initializer = initializer
        self._idle_seconds = idle_seconds
        self._queue: deque[_Task] = deque()
        self._workers: list[_Worker] = []
        self._failed_starts = 0
        self._lock = threading.Lock()
        """Guards the two that follow. All else is changed by the pool's own thread only, or is safe by itself."""
        self._closed = False
        self._woken = False
        self._wake_reader, self._wake_writer = multiprocessing.Pipe(duplex=False)
        # A signal handler that raises in the middle of a fork would be lost, so signals wait. The thread inherits the
        # blocked signals: they are always delivered to the main thread.
        with signals_blocked():
            if idle_seconds is None:
                for _ in range(self.size):
                    self._start_worker()
            self._thread = threading.Thread(target=self._manage, name="process pool", daemon=True)
            self._thread.start()
            # Unlike atexit, this also runs at the end of a process that multiprocessing has started.
            self._at_exit = util.Finalize(None, self.close, exitpriority=10)

    def __enter__(self) -> ProcessPool:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def submit(
        self,
        function: Callable[[Unpack[Args]], Result],
        *args: *Args,
        timeout: float | None = None,
        retries: int = 0,
    ) -> Future[Result]:
        """Run a function of an importable module in a worker. Its exception becomes that of the future.

        The future fails with TimeoutError if the function takes more than `timeout` seconds, and with WorkerLost if the
        worker dies for the (`retries` + 1)th time. Cancelling the future kills the worker that runs it. The time in
        which the worker waits for a processor, for others are busy, does not count.
        """
        task = _Task(pickle.dumps((function, args)), timeout, retries)
        with self._lock:
            if self._closed:
                raise RuntimeError("the process pool is closed")
            self._queue.append(task)
        task.future.add_done_callback(self._on_done)
        self._wake()
        return task.future

    def close(self) -> None:
        """End all workers, also those that work. Open tasks fail with WorkerLost. Closing twice does no harm."""
        with self._lock:
            self._closed = True
        self._wake()
        self._thread.join()
        self._at_exit.cancel()

    def _wake(self) -> None:
        """Let the thread look again at what there is to do."""
        with self._lock:
            if not self._woken:
                self._woken = True
                with contextlib.suppress(OSError):
                    self._wake_writer.send_bytes(b".")

    def _on_done(self, future: Future[Any]) -> None:
        if future.cancelled():
            self._wake()

    # --- in the pool's thread -------------------------------------------------------------------------------------

    def _manage(self) -> None:
        """Hand out tasks and collect results until the pool is closed."""
        while not self._closed:
            self._assign()
            workers = {worker.link: worker for worker in self._workers}
            deadline = min((worker.deadline for worker in self._workers), default=FOREVER)
            wait = None if deadline == FOREVER else max(0.0, deadline - time.monotonic())
            ready = connection.wait([self._wake_reader, *workers], wait)
            if self._wake_reader in ready:
                with self._lock:
                    self._wake_reader.recv_bytes()
                    self._woken = False
            for link, worker in workers.items():
                if link in ready:
                    self._receive(worker)
            self._check_workers()
        for worker in self._workers:
            worker.process.kill()
        for worker in list(self._workers):
            self._lose(worker, WorkerLost("the process pool was closed."))
        while self._queue:
            _fail(self._queue.popleft(), WorkerLost("the process pool was closed."))

    def _assign(self) -> None:
        """Give waiting tasks to workers that are ready, and start workers for the rest."""
        while self._queue:
            if self._queue[0].future.done():  # it was cancelled
                self._queue.popleft()
                continue
            # The worker that was busy last comes first, so that those that are not needed become idle.
            worker = next((each for each in reversed(self._workers) if each.ready and each.task is None), None)
            if worker is None:
                break
            task = self._queue.popleft()
            worker.begin(task)
            with contextlib.suppress(OSError):  # a dead worker is noticed when its answer is read
                worker.link.send_bytes(task.call)
        starting = sum(not worker.ready for worker in self._workers)
        for _ in range(min(len(self._queue) - starting, self.size - len(self._workers))):
            self._start_worker()

    def _start_worker(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, self._initializer), name="wellies worker")
        try:
            with signals_blocked():
                process.start()
        except OSError as error:
            ours.close()
            if not self._workers:
                self._fail_waiting(str(error))
            return
        finally:
            theirs.close()
        self._workers.append(_Worker(process, ours))

    def _fail_waiting(self, reason: str) -> None:
        while self._queue:
            _fail(self._queue.popleft(), WorkerLost(f"worker processes do not start: {reason}"))

    def _receive(self, worker: _Worker) -> None:
        """Read what a worker has sent: that it is ready, or a result."""
        try:
            data = worker.link.recv_bytes()
        except (EOFError, OSError):
            self._lose(worker)
            return
        task, worker.task = worker.task, None
        worker.deadline = FOREVER if self._idle_seconds is None else time.monotonic() + self._idle_seconds
        self._workers.remove(worker)
        self._workers.append(worker)
        if task is not None:
            _finish(task, data)
        else:
            worker.ready = True
            self._failed_starts = 0

    def _lose(self, worker: _Worker, error: Exception | None = None) -> None:
        """Remove a worker that has died, or that must. Its task fails with the error; without one it may be retried."""
        self._workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        worker.link.close()
        lost = WorkerLost(f"the worker process has ended by itself (exit code {worker.process.exitcode}).")
        task = worker.task
        if task is not None:
            if error is None and task.retries > 0:
                task.retries -= 1
                self._queue.appendleft(task)
            else:
                _fail(task, error or lost)
        elif not worker.ready:
            self._failed_starts += 1
            if self._failed_starts >= MAX_FAILED_STARTS:
                self._failed_starts = 0
                self._fail_waiting(str(lost))

    def _check_workers(self) -> None:
        """End the workers whose task was cancelled, and those that are out of time."""
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.task is not None and worker.task.future.done():
                self._lose(worker, WorkerLost("the task was cancelled."))
            elif worker.is_late(now):
                self._lose(worker, TimeoutError("the time limit is exceeded"))


def _fail(task: _Task, error: BaseException) -> None:
    with contextlib.suppress(InvalidStateError):  # it was cancelled
        task.future.set_exception(error)


def _finish(task: _Task, data: bytes) -> None:
    """Put a worker's answer into the future."""
    try:
        done, value = pickle.loads(data)
    except Exception as error:
        _fail(task, error)
        return
    if not done:
        _fail(task, value)
        return
    with contextlib.suppress(InvalidStateError):  # it was cancelled
        task.future.set_result(value)


# --- pools that are kept --------------------------------------------------------------------------------------------

_SHARED: Final[dict[tuple[int, int], ProcessPool]] = {}


def shared_pool(size: int) -> ProcessPool:
    """This process's own pool of this size. It is kept, since starting workers takes longer than a short task."""
    key = (os.getpid(), size)  # a fork has the dictionary of its parent, and none of its threads
    pool = _SHARED.get(key)
    if pool is None:
        pool = _SHARED[key] = ProcessPool(size)
    return pool


# --- in a worker ----------------------------------------------------------------------------------------------------


def _work(link: Connection[Any, Any], initializer: Callable[[], None] | None) -> None:
    """Run calls until the parent is gone."""
    init_worker()
    if initializer is not None:
        initializer()
    with contextlib.suppress(EOFError, OSError):
        link.send_bytes(b"")
        while True:
            link.send_bytes(_answer(link.recv_bytes()))


def _answer(call: bytes) -> bytes:
    """Run one call: whether it succeeded, with its value or its exception."""
    try:
        function, args = pickle.loads(call)
        return pickle.dumps((True, function(*args)))
    except BaseException as error:
        error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)).rstrip())
        try:
            return pickle.dumps((False, error))
        except Exception:
            return pickle.dumps((False, WelliesError(f"{type(error).__name__}: {error}")))


def init_worker() -> None:
    """What every worker does first: leave signals of the terminal to the parent, and exit when it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def signals_blocked() -> Iterator[None]:
    """Signals that would end this process wait until afterwards, where the system can do that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
