"""What all tests share.

Property tests try the same examples everywhere, and no clock judges them: the machine may be busy. Tests that wait for
other processes (a browser, servers that are killed) may be tried again, and pytest counts each rerun in its last line.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from engine_modules import listed_modules, stale_modules, uncompiled_modules
from hypothesis import settings

from wellies.core.engine import engine_words

settings.register_profile("wellies", deadline=None, derandomize=True)
settings.load_profile("wellies")

OTHER_PROCESSES = {"page", "server"}


def pytest_configure() -> None:
    """The tests are of the engine that was asked for, and of the sources as they are now, or there are none."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # A shell makes what it runs in the background deaf to Ctrl-C, with all its children; some tests send it.
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


def pytest_report_header() -> str:
    return f"wellies: {engine_words()}, {len(listed_modules())} modules can be compiled"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("reruns") is not None:
        return  # `--reruns 0` tries everything once
    here = Path(__file__).parent
    for item in items:
        if item.path.relative_to(here).parts[0] in OTHER_PROCESSES and not item.get_closest_marker("flaky"):
            item.add_marker(pytest.mark.flaky(reruns=2))
