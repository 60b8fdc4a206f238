"""The engine in the browser is the engine of this machine: from the same seed both play the same game, move by move.

The files are those that the page loads, sent by the server under its content policy."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import played_games
import pytest
from page_server import PAGE, ROOT, Opener
from playwright.sync_api import Page

import wellies

GAMES = max(1, int(os.environ.get("WELLIES_SOAK", "0")) // 40)
"""Of each game; `make soak` plays 50."""
TOGETHER = [[name] for name in wellies.list_games()] if GAMES > 1 else [wellies.list_games()]
"""The games that one start of Python plays."""

START = """async ([python, code, lock, program]) => {
  const { loadPyodide } = await import(python + 'pyodide.mjs');
  const api = await loadPyodide({ indexURL: python, lockFileContents: lock, packageBaseUrl: python });
  api.FS.writeFile('/wellies.zip', new Uint8Array(await (await fetch(code)).arrayBuffer()));
  api.FS.writeFile('/played_games.py', program);
  api.runPython('import sys; sys.path[:0] = ["/wellies.zip", "/"]');
  window.played = api.pyimport('played_games');
}"""
PLAY = "([name, seed]) => played.tell_game(name, seed).toJs()"


def _only(pattern: str) -> str:
    """The address of the one file of the built page that matches."""
    [found] = PAGE.parent.glob(pattern)
    return f"/{found.relative_to(PAGE.parent).as_posix()}"


def start_python(page: Page) -> None:
    """Start the page's Python in the page itself, with our code and `played_games.py`."""
    python = _only("assets/engine-python-*/pyodide.mjs").removesuffix("pyodide.mjs")
    lock = json.loads((ROOT / "web" / "node_modules" / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    program = Path(played_games.__file__).read_text(encoding="utf-8")
    given = [python, _only("assets/engine-*/wellies.zip"), json.dumps({"info": lock["info"], "packages": {}}), program]
    page.evaluate(START, given)


@pytest.mark.parametrize("games", TOGETHER, ids=" ".join)
def test_both_play_the_same_games(visit: Opener, games: list[str]) -> None:
    page = visit("/settings")
    start_python(page)
    for game, seed in itertools.product(games, range(GAMES)):
        here = played_games.tell_game(game, seed)
        assert len(here) > 20, here
        there: list[str] = page.evaluate(PLAY, [game, seed])
        for number, (mine, its) in enumerate(zip(here, there, strict=False)):
            assert mine == its, f"{game} from seed {seed} differs at line {number}"
        assert len(here) == len(there)
