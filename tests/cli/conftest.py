"""The toy game on the shelf, a folder of games of its own for each test, and the command run in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from toy import ToySpec

from wellies.cli import app
from wellies.games import register, unregister

Answer = tuple[int, str, str]
Command = Callable[..., Answer]


@pytest.fixture(autouse=True)
def _shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    register(ToySpec())
    monkeypatch.setitem(app.SETTINGS, "color", True)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("WELLIES_DEBUG", raising=False)
    yield
    unregister("toy")


@pytest.fixture
def wellies(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command line as `run` does: exit code, what it printed, and what it said on stderr."""

    def call(*words: str | Path) -> Answer:
        with pytest.raises(SystemExit) as stopped:
            app.run([str(word) for word in words])
        said = capsys.readouterr()
        assert isinstance(stopped.value.code, int)
        return stopped.value.code, said.out, said.err

    return call
