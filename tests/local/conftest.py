"""No test of a device may leave an error in the console, unless it says that it expects one."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def console() -> Iterator[list[str]]:
    """The errors in the console. A test that expects some takes them out."""
    errors: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(record.getMessage())

    handler = Handler(logging.ERROR)
    logging.getLogger().addHandler(handler)
    yield errors
    logging.getLogger().removeHandler(handler)
    assert not errors
