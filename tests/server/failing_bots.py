"""Bots that go wrong, to be run in a bot's process."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from wellies.match import bot_tasks

FIRST_PROCESSOR = sorted(os.sched_getaffinity(0))[:1] if hasattr(os, "sched_getaffinity") else []


def die(_level: str, _view: bytes, _seat: int, _seed: int) -> tuple[str, str]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def fail(_level: str, _view: bytes, _seat: int, _seed: int) -> tuple[str, str]:
    raise ZeroDivisionError("a mistake in a bot")


def die_in_analysis(_view: bytes, _seat: int, _move: str, _number: int, _nodes: int) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def fail_sometimes_in_analysis(view: bytes, seat: int, move: str, number: int, nodes: int) -> dict[str, Any]:
    """Now and then."""
    if number % 7 == 0:
        raise ZeroDivisionError("a mistake in the analysis")
    return bot_tasks.judge(view, seat, move, number, nodes)


def think_forever(_level: str, _view: bytes, _seat: int, _seed: int) -> tuple[str, str]:
    """A thought that does not come to an end."""
    time.sleep(600)
    raise AssertionError


def think_slowly(level: str, view: bytes, seat: int, seed: int) -> tuple[str, str]:
    """A strong bot that takes its time and then moves without thinking; the others are as they are."""
    if level in ("storm", "monsoon"):
        time.sleep(0.3)
        level = "random"
    return bot_tasks.choose(level, view, seat, seed)


def think_hard(level: str, view: bytes, seat: int, seed: int) -> tuple[str, str]:
    """Work for most of a second on the first processor, which others keep busy."""
    os.sched_setaffinity(0, FIRST_PROCESSOR)
    end = time.process_time() + 0.7
    while time.process_time() < end:
        pass
    return bot_tasks.choose(level, view, seat, seed)
