"""What all tests share.

Property tests try the same examples everywhere, and no clock judges them: the machine may be busy. Tests that drive a
browser may be tried again, and pytest counts each rerun in its last line. A run starts the PostgreSQL and the Redis
that its tests ask for (`services.py`); its last lines name every program that was missing.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
import services
from engine_modules import listed_modules, stale_modules, uncompiled_modules
from hypothesis import settings

from wellies.core.engine import engine_words

settings.register_profile("wellies", deadline=None, derandomize=True)
settings.load_profile("wellies")

SLOW = [
    "test_network.py",
    "test_kills.py",
    "test_fuzz.py",
    "test_security.py",
    "test_cluster.py",
    "test_wheel.py",
    "test_examples.py",
    "test_guides.py",
    "test_whole_games.py",
    "test_reading.py",
    "test_aquarium.py",
]
"""These begin first, so that no processor waits for the last of them."""

OWNS_SERVERS = pytest.StashKey[bool]()
"""Whether this process is the one that stops the servers of the tests at the end, and not a worker of xdist."""


def pytest_configure(config: pytest.Config) -> None:
    """The tests are of the engine that was asked for, and of the sources as they are now, or there are none."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # A shell lets what it runs in the background ignore Ctrl-C, with all its children; some tests send it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.environ.get("WELLIES_ENGINE") == "compiled":
        plain = uncompiled_modules()
        if plain:
            pytest.exit(f"WELLIES_ENGINE is compiled, but these run as plain Python: {', '.join(plain)}", returncode=4)
    stale = stale_modules()
    if stale:
        pytest.exit(
            f"compiled modules hide newer sources: {', '.join(stale)}; run `make compiled` or `make interpreted`",
            returncode=4,
        )

    config.stash[OWNS_SERVERS] = services.open_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    if config.stash.get(OWNS_SERVERS, False):
        services.close_run()


def pytest_report_header() -> str:
    return f"wellies: {engine_words()}, {len(listed_modules())} modules can be compiled"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what tests have measured (their property `says`) and what was not tested; the latter also in the file that
    WELLIES_NOT_TESTED names, for the end of `make test`."""
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties:
            if name == "says":
                terminalreporter.write_line(str(text))
    reasons = [report.longrepr[2] for report in terminalreporter.getreports("skipped")]
    lines = services.not_tested(reasons)
    for line in lines:
        terminalreporter.write_line(line, yellow=True)
    if lines and "WELLIES_NOT_TESTED" in os.environ:
        with Path(os.environ["WELLIES_NOT_TESTED"]).open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: SLOW.index(item.path.name) if item.path.name in SLOW else len(SLOW))
    if config.getoption("reruns") is not None:
        return  # `--reruns 0` tries everything once
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("flaky"):
            item.add_marker(pytest.mark.flaky(reruns=2))
