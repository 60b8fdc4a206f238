"""What all tests share.

Property tests try the same examples everywhere, and no clock judges them: the machine may be busy. Tests that wait for
other processes (a browser, servers that are killed) may be tried again, and pytest counts each rerun in its last line.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("wellies", deadline=None, derandomize=True)
settings.load_profile("wellies")

OTHER_PROCESSES = {"page", "server"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.relative_to(here).parts[0] in OTHER_PROCESSES:
            item.add_marker(pytest.mark.flaky(reruns=2))
