"""A sheet of styled characters on which games draw themselves for a terminal.

No terminal library is known here: a style is a plain string such as "bold red on white", which the front end renders.
"""

from __future__ import annotations

import unicodedata

from wellies.core.events import Json


def width(text: str) -> int:
    """How many columns a text takes: wide characters take two, combining marks none."""
    columns = 0
    for char in text:
        if unicodedata.combining(char):
            continue
        columns += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return columns


def seat_names(view: Json, longest: int = 12) -> list[str]:
    """What to call each seat in a drawing: the names that came with the view, or "seat 0" and so on."""
    names: list[str] = view.get("names") or [f"seat {seat}" for seat in range(view["seats"])]
    return [name if width(name) <= longest else name[: longest - 1] + "…" for name in names]


class Canvas:
    """Characters by row and column, growing as needed; columns and rows may be negative while drawing."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write a text from this place to the right, over what was there."""
        for char in text:
            self._cells[(row, column)] = (char, style)
            step = width(char)
            if step == 2:
                self._cells[(row, column + 1)] = ("", style)
            column += step

    def paste(self, row: int, column: int, other: Canvas) -> None:
        """Lay another sheet over this one, its top left corner at this place."""
        top, left, _, _ = other.bounds()
        for (r, c), cell in other._cells.items():
            self._cells[(r - top + row, c - left + column)] = cell

    def bounds(self) -> tuple[int, int, int, int]:
        """Top, left, bottom and right, all inclusive."""
        if not self._cells:
            return (0, 0, 0, 0)
        rows = [row for row, _ in self._cells]
        columns = [column for _, column in self._cells]
        return (min(rows), min(columns), max(rows), max(columns))

    def lines(self) -> list[list[tuple[str, str]]]:
        """The sheet from top to bottom, each line as runs of (text, style), blanks at the right cut off."""
        if not self._cells:
            return []
        top, left, bottom, right = self.bounds()
        result: list[list[tuple[str, str]]] = []
        for row in range(top, bottom + 1):
            runs: list[tuple[str, str]] = []
            for column in range(left, right + 1):
                char, style = self._cells.get((row, column), (" ", ""))
                if runs and runs[-1][1] == style:
                    runs[-1] = (runs[-1][0] + char, style)
                else:
                    runs.append((char, style))
            while runs and not runs[-1][1] and not runs[-1][0].strip():
                runs.pop()
            result.append(runs)
        return result

    def plain(self) -> str:
        """The sheet without styles."""
        return "\n".join("".join(text for text, _ in runs).rstrip() for runs in self.lines())
