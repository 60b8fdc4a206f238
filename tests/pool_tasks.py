"""Functions for worker processes: some die, fail or sleep. They are in a module that every process can import."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

from wellies.bots.process_pool import shared_pool


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_unless(path: Path) -> int:
    """Leave a sign and die; with the sign there already, return the process's number."""
    if not path.exists():
        path.touch()
        die()
    return os.getpid()


def fail(text: str) -> None:
    raise ZeroDivisionError(text)


def interrupt_oneself() -> int:
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGHUP)
    return os.getpid()


def announce_and_sleep(path: Path) -> None:
    path.write_text(str(os.getpid()), encoding="ascii")
    time.sleep(600)


def through_another_pool(value: int) -> int:
    return shared_pool(2).submit(abs, value).result()


def not_picklable() -> object:
    return threading.Lock()
