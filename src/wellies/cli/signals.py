"""Signals as exceptions: a closed terminal or a polite kill ends a command in good order."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from types import FrameType


class Hangup(BaseException):
    """The terminal was closed, or the system wants us gone. Not an Exception, so that nothing swallows it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def hangups() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into an exception, so that the game is left in good order; Ctrl-C is one already."""
    ours = os.getpid()

    def handle(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != ours:
            os._exit(128 + number)  # a worker that was just made, before it has handlers of its own
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise Hangup(number)

    with handlers(handle, ("SIGINT", "SIGTERM", "SIGHUP")):
        yield


@contextlib.contextmanager
def ignore_signals() -> Iterator[None]:
    """Nothing interrupts the last words."""
    with handlers(signal.SIG_IGN, ("SIGINT", "SIGTERM", "SIGHUP")):
        yield


@contextlib.contextmanager
def handlers(handler: signal._HANDLER, names: tuple[str, ...]) -> Iterator[None]:
    """Other signal handlers for a while, where the system knows these signals and we are in the main thread."""
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
