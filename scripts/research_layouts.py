"""Write docs/research-layouts.md: the actions and observations of all games. `make layouts` runs it."""

from __future__ import annotations

from pathlib import Path

import wellies
from wellies.research.layouts import layout

FILE = Path(__file__).parent.parent / "docs" / "research-layouts.md"

HEAD = """# Actions and observations, cell by cell

`make layouts` writes this page from the games' own descriptions, and a test checks that it is current. It shows every
game with its fewest seats and its default options. `wellies research describe GAME --seats N --option NAME=VALUE`
prints the same for others. In Python, use `wellies.game(name).encoding(seats, options)`.

- The action of the axes (i, j, k) of a group is `first + (i * J + j) * K + k`: the last axis runs fastest. So do cells.
- A cell is a number, or a code. Code 0 means that there is nothing.
- The observer is the seat `me`; the others are counted from it in turn order.
- [Research](research.md) says how the parts become arrays, and why they are as they are.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name in wellies.list_games():
        spec = wellies.game(name)
        encoding = spec.encoding()
        if encoding is not None and type(spec).__module__.startswith("wellies."):
            parts.append(f"\n## {spec.title}\n\n{layout(encoding)}")
    return "".join(parts)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
    print(f"{FILE} is written.")
