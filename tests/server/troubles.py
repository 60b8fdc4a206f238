"""Bots that go wrong, to be run in a bot's process."""

from __future__ import annotations

import os
import signal


def die(_level: str, _view: bytes, _seat: int, _seed: int) -> tuple[str, str]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def fail(_level: str, _view: bytes, _seat: int, _seed: int) -> tuple[str, str]:
    raise ZeroDivisionError("a mistake in a bot")
