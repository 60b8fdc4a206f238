"""Signals as exceptions, so that a command cleans up when it is stopped or its terminal is closed."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from types import FrameType


class Terminated(BaseException):
    """SIGTERM or SIGHUP has come. It is not an Exception, so that no handler for errors catches it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def raise_on_signals() -> Iterator[None]:
    """Raise Terminated for SIGTERM and SIGHUP, and KeyboardInterrupt for SIGINT."""
    ours = os.getpid()

    def handle(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != ours:
            os._exit(128 + number)  # a new worker process that has not set its own handlers yet
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise Terminated(number)

    with signal_handlers(handle, ("SIGINT", "SIGTERM", "SIGHUP")):
        yield


@contextlib.contextmanager
def ignore_signals() -> Iterator[None]:
    """Ignore the signals that stop a command, while it saves and reports."""
    with signal_handlers(signal.SIG_IGN, ("SIGINT", "SIGTERM", "SIGHUP")):
        yield


@contextlib.contextmanager
def signal_handlers(handler: signal._HANDLER, names: tuple[str, ...]) -> Iterator[None]:
    """Set other signal handlers for a while, if the system has these signals and this is the main thread."""
    before: list[tuple[int, signal._HANDLER]] = []
    try:
        for name in names:
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(ValueError):
                    before.append((number, signal.signal(number, handler)))
        yield
    finally:
        for number, old in before:
            signal.signal(number, old)
