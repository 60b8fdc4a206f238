"""Where time comes from."""

from __future__ import annotations

import time

import pytest

from wellies.core import sources


def test_a_clock_that_has_a_name_but_does_not_work_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Python for browsers, which knows CLOCK_BOOTTIME and cannot read it."""
    broken: set[int] = set()

    def read(clock: int) -> float:
        if clock in broken:
            raise OSError(28, "Invalid argument")
        return 1.0

    monkeypatch.setattr(time, "CLOCK_BOOTTIME", 7, raising=False)
    monkeypatch.setattr(time, "CLOCK_MONOTONIC", 1, raising=False)
    monkeypatch.setattr(time, "clock_gettime", read, raising=False)
    assert sources._awake_and_asleep() == 7
    broken.add(7)
    assert sources._awake_and_asleep() == 1
    broken.add(1)
    assert sources._awake_and_asleep() is None
    monkeypatch.setattr(sources, "_CLOCK", None)
    before = sources.Sources().monotonic()
    assert sources.Sources().monotonic() >= before > 0
