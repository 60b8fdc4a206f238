"""A sheet of styled characters on which games draw themselves for a terminal.

No terminal library is known here: a style is a plain string such as "bold red on white", which the front end renders.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from wellies.core.texts import default_names

_JOINER: Final = "\u200d"
_AS_EMOJI: Final = "\ufe0f"


def cells(text: str) -> list[tuple[str, int]]:
    """A text as a terminal shows it: each character, together with all that combines with it, and its columns.

    Wide characters take two columns, accents and joined emoji none of their own. Python's own tables are used, so that
    the engine needs no package; the terminal's library, rich, measures the same.
    """
    if text.isascii():
        return [(char, 1) for char in text]
    found: list[tuple[str, int]] = []
    joined = False
    for char in text:
        if found and (joined or _combines(char)):
            whole, columns = found[-1]
            found[-1] = (whole + char, 2 if char == _AS_EMOJI else columns)
            joined = char == _JOINER
        else:
            wide = unicodedata.east_asian_width(char) in "WF"
            found.append((char, 0 if _combines(char) else 2 if wide else 1))
    return found


def _combines(char: str) -> bool:
    """Whether a character takes no column of its own: accents, joiners, and the skin tones of emoji."""
    return unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf") or "\U0001f3fb" <= char <= "\U0001f3ff"


def width(text: str) -> int:
    """How many columns a text takes."""
    return len(text) if text.isascii() else sum([columns for _, columns in cells(text)])


def clip(text: str, columns: int) -> str:
    """The beginning of a text that fits into so many columns."""
    for at, (_, taken) in enumerate(pieces := cells(text)):
        columns -= taken
        if columns < 0:
            return "".join([piece for piece, _ in pieces[:at]])
    return text


def seat_names(view: Mapping[str, Any], longest: int = 12) -> list[str]:
    """What to call each seat in a drawing: the names that came with the view, or "seat 0" and so on."""
    names: list[str] = view.get("names") or default_names(view["seats"])
    return [name if width(name) <= longest else clip(name, longest - 1) + "…" for name in names]


def wrap(text: str, columns: int) -> list[str]:
    """A text in lines of at most so many columns, broken at spaces; a longer word is cut in two."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and width(line) + 1 + width(word) > columns:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
        while width(line) > columns:
            part = clip(line, columns) or line[0]
            lines.append(part)
            line = line[len(part) :]
    return [*lines, line] if line or not lines else lines


class Canvas:
    """Characters by row and column, growing as needed; columns and rows may be negative while drawing."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write a text from this place to the right, over what was there."""
        for piece, taken in cells(text):
            if taken:
                self._cells[(row, column)] = (piece, style)
            if taken == 2:
                self._cells[(row, column + 1)] = ("", style)
            column += taken

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

    @property
    def height(self) -> int:
        """How many rows it takes."""
        top, _, bottom, _ = self.bounds()
        return bottom - top + 1 if self._cells else 0

    @property
    def width(self) -> int:
        """How many columns it takes."""
        _, left, _, right = self.bounds()
        return right - left + 1 if self._cells else 0

    def text(self, row: int, column: int, text: str, right: int, style: str = "") -> int:
        """Write a text between two columns, on as many rows as it needs; returns the row after it."""
        for line in wrap(text, right - column):
            self.put(row, column, line, style)
            row += 1
        return row

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


class Panes:
    """A table in parts, one below the other. On a screen that is too small only the board is moved under a window; all
    else stays where it is."""

    def __init__(
        self,
        board: Canvas,
        *,
        head: Canvas | None = None,
        table: Canvas | None = None,
        hand: Canvas | None = None,
        notes: Canvas | None = None,
        fixed: tuple[int, int] = (0, 0),
        focus: tuple[int, int] | None = None,
        places: dict[Any, tuple[int, int]] | None = None,
        scored: bool = False,
    ) -> None:
        self.board = board
        self.head = head or Canvas()
        """What is above the board."""
        self.table = table or Canvas()
        """What lies beside the board: pieces, piles, players."""
        self.hand = hand or Canvas()
        """What the viewer chooses from."""
        self.notes = notes or Canvas()
        """What the signs mean, and other texts that are left out where there is no room."""
        self.fixed = fixed
        """So many rows at the top and columns at the left of the board are headings, which are not moved away."""
        self.focus = focus
        """The row and column of the board that matter most, counted from its top left corner."""
        self.places = places or {}
        """The row and column of each place, keyed as marks are: where something happened last, the window is."""
        self.scored = scored
        """Whether the table says every seat's points."""

    def sheet(self) -> Canvas:
        """All parts on one sheet."""
        sheet = Canvas()
        row = 0
        for pane in (self.head, self.board, self.table, self.hand, self.notes):
            if pane.height:
                sheet.paste(row, 0, pane)
                row += pane.height + 1
        return sheet
