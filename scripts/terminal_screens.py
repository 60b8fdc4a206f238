"""Writes docs/terminal-screens.md: every game at the prompt, on terminals of two sizes. `make screens` runs it."""

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

This page shows what `wellies play GAME` prints at a prompt, after a few random moves, without colours. Each screen is
complete: the first row is the title, and the last row is where you type. If a board is larger than its window, `<`,
`>`, `^` and `v` move it.

`make screens` (`scripts/terminal_screens.py`) makes this page: it runs the real program on a terminal in memory.
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
    print(f"Wrote {TARGET.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
