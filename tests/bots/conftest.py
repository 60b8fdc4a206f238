"""The toy game on the shelf."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from toy import ToySpec

from wellies.games import register, unregister


@pytest.fixture(autouse=True)
def _shelf() -> Iterator[None]:
    register(ToySpec())
    yield
    unregister("toy")
