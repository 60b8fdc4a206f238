"""What all tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from server.serving import LONGEST, Running, running, sqlite_file

from wellies.client import Client, TableView, seat


@pytest.fixture(autouse=True, scope="session")
def _patient_clients() -> None:
    """The client's own time limits are for players. On a busy machine a test waits longer for what it expects."""
    TableView.until.__defaults__ = (LONGEST,)
    assert Client.__init__.__kwdefaults__ is not None
    Client.__init__.__kwdefaults__["timeout"] = LONGEST
    seat.OPEN_SECONDS = LONGEST


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """A server with a database of its own, for all tests of a module."""
    with sqlite_file() as database, running(database) as server:
        yield server
