"""Every game of `examples/`, installed for these tests alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from example_games import example_games, install

Command = Callable[..., str]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the examples are installed."""
    return install(sorted(set(example_games().values())), tmp_path_factory.mktemp("examples"))


@pytest.fixture(scope="session")
def command(installed: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Run the `wellies` command as a process of its own; what it prints."""
    folder = tmp_path_factory.mktemp("commands")

    def call(*words: str | Path) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "wellies", *map(str, words)],
            env={**installed, "XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "120"},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="session", params=sorted(example_games()))
def game(request: pytest.FixtureRequest, command: Command) -> dict[str, object]:
    """Each example as the command line describes it."""
    described: list[dict[str, object]] = json.loads(command("games", "--json"))
    return next(each for each in described if each["name"] == request.param)
