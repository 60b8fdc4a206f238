"""Pools of processes, and what every process of ours does first."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Final

STOPPING: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def make_pool(width: int) -> ProcessPoolExecutor:
    """A pool of so many processes, which start at once. A signal that comes meanwhile is heard afterwards: what its
    handler raises would be lost in the middle of a fork, and a worker would run the handler of its parent."""
    with held_back():
        pool = ProcessPoolExecutor(max_workers=width, initializer=init_worker)
        pool.submit(int)
    return pool


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Signals that would end us wait, where the system can do that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def init_worker() -> None:
    """In a worker: Ctrl-C and a closed terminal are the parent's to handle, and without a parent there is nothing left
    to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
    threading.Thread(target=_mourn, daemon=True).start()


def _mourn() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
