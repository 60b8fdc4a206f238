"""Make docs/terminal-screens.md anew: every game at the prompt, on terminals of two sizes. `make screens` runs it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from screens import Sitter, sit  # noqa: E402

from wellies.games import game, list_games  # noqa: E402

TARGET = ROOT / "docs" / "terminal-screens.md"
SIZES = [(80, 24), (100, 40)]
MOVES = 6
HEAD = """# The games in a terminal
What `wellies play GAME` shows at a prompt, after a few moves at random, without its colours. Each screen is whole: the
title is its first row and the line to type in is below the rest. Where a board is larger than its window, `<`, `>`, `^`
and `v` move it.

This page is made by `make screens` (`scripts/terminal_screens.py`): the session that plays, on a terminal in memory.
"""


def screen(name: str, seats: int, columns: int, rows: int) -> str:
    """The screen of a game when the person is asked for a move."""
    sitter = Sitter(columns, rows, MOVES)
    sit(sitter, name, seats, seed=5)
    return [page for page in sitter.pages if page.rpartition("\n")[2].startswith("Ann:")][-1]


def main() -> None:
    parts = [HEAD]
    for name in list_games():
        spec = game(name)
        for columns, rows in SIZES:
            parts.append(f"## {spec.title}, {spec.max_seats} seats, {columns} by {rows}\n")
            parts.append(f"```text\n{screen(name, spec.max_seats, columns, rows)}\n```\n")
    TARGET.write_text("\n".join(parts), encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)} is made.")


if __name__ == "__main__":
    main()
