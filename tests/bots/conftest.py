"""The toy game on the shelf."""

from __future__ import annotations

import pytest
from toy import ToySpec

from wellies.games import SHELF


@pytest.fixture(autouse=True)
def _shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SHELF._specs, "toy", ToySpec())
