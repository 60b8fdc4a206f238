"""A table on a screen of any size: which parts go where, and a window onto a board that is too large.

Title, scores, hand and log always have their place; only the board is cut to what is left, and can be moved under its
window in both directions. Where there is room, blank lines and the legend come in.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.text import Text

from wellies.cli.screen import cut_text, to_text, whole_board
from wellies.core.canvas import Canvas, Panes
from wellies.core.canvas import width as columns
from wellies.core.events import Json

LEAST: Final = 5
"""Rows of a board that are shown on the smallest screen."""

WAYS: Final = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0)}
"""What is typed to move the window, and where it goes: rows and columns."""

GAP: Final = 2
"""Columns between a board and what stands beside it."""

Draw = Callable[[bool], Panes]
"""A table in parts, small or not."""


class Window:
    """Where the window is on a board that is larger than it. It shows what matters most until it is moved."""

    def __init__(self) -> None:
        self._at: tuple[int, int] | None = None
        self._shown = (0, 0)
        self._size = (0, 0)

    def reset(self) -> None:
        """Back to what matters most."""
        self._at = None

    def move(self, way: str) -> None:
        """Half a window on: `<`, `>`, `^` or `v`."""
        down, right = WAYS[way]
        self._at = (
            max(0, self._shown[0] + down * max(1, self._size[0] // 2)),
            max(0, self._shown[1] + right * max(1, self._size[1] // 2)),
        )

    def cut(self, panes: Panes, rows: int, width: int, place: Any) -> list[Text]:
        """So much of the board as fits, with this place in the middle, and a line that says which part it is."""
        lines = [to_text(runs) for runs in panes.board.lines()]
        tall, wide = len(lines), panes.board.width
        rows = min(rows, tall)
        top, left = panes.fixed
        focus = panes.places.get(place) or panes.focus or (tall // 2, wide // 2)
        wanted = self._at or (focus[0] - top - (rows - top) // 2, focus[1] - left - (width - left) // 2)
        row = max(0, min(wanted[0], tall - rows))
        column = max(0, min(wanted[1], wide - width))
        self._shown, self._size = (row, column), (rows - top, width - left)
        shown = [*lines[:top], *lines[top + row : row + rows]]
        parts = []
        if rows < tall:
            parts.append(f"rows {row + 1} to {row + rows} of {tall}")
        if width < wide:
            parts.append(f"columns {column + 1} to {column + width} of {wide}")
            shown = [_cut(line, left, column, width) for line in shown]
        how = "type < > ^ v to see the rest"
        notes = [f" {', '.join(parts)}: {how} ", f" {how} ", how, "< > ^ v"]
        note = next((each for each in notes if len(each) <= width), "")
        return [*shown, Text(note.center(width, "─"), style="dim", no_wrap=True)]


def _cut(line: Text, fixed: int, shift: int, width: int) -> Text:
    """A line without the columns that were moved away behind the first ones, which stay."""
    if not fixed:
        return cut_text(line, shift, width)
    head = cut_text(line, 0, fixed)
    head.append(" " * (fixed - columns(head.plain)))
    head.append_text(cut_text(line, fixed + shift, width - fixed))
    return head


class Page:
    """One screen: a title, the table, and what is told below it."""

    def __init__(
        self, title: RenderableType, scores: Text, width: int, height: int, window: Window, events: list[Json]
    ) -> None:
        self.title = title
        self.scores = scores
        self.width = width
        self.height = height
        self.window = window
        self.place = last_place(events)

    def arrange(self, draw: Draw, tails: list[list[list[RenderableType]]]) -> list[RenderableType]:
        """The parts of the screen, from top to bottom, so that they and a line to type in fit.

        `tails` are texts that could stand below the table, in groups, from the longest to the shortest. The first one
        is used that leaves room for the whole board, drawn large or else small. If none does, the last one is used,
        and the board is cut to a window.
        """
        drawn: dict[bool, Panes] = {}
        for group in tails:
            for small in (False, True):
                if small not in drawn:
                    drawn[small] = draw(small)
                for beside in (False, True):
                    for tail in group:
                        spare = self._spare(drawn[small], beside, tail)
                        if spare >= 0:
                            return self._whole(drawn[small], beside, tail, spare)
        return self._cut(drawn[True], tails[-1][-1])

    def _others(self, panes: Panes, tail: list[RenderableType]) -> int:
        """The rows of all but the board and what stands with it, the line to type in included."""
        rows = 2 + self._rows(panes.head) + self._rows(panes.hand) + sum(rows_of(part, self.width) for part in tail)
        return rows if panes.scored else rows + rows_of(self.scores, self.width)

    def _spare(self, panes: Panes, beside: bool, tail: list[RenderableType]) -> int:
        """How many rows stay empty if the whole board is shown; less than 0 if it does not fit."""
        board, table = panes.board, panes.table
        broad = board.width + (GAP + table.width if beside else 0)
        if broad > self.width or (beside and not table.height):
            return -1
        middle = max(board.height, table.height) if beside else board.height + self._rows(table)
        return self.height - self._others(panes, tail) - middle

    def _rows(self, canvas: Canvas) -> int:
        """The rows of a part that is never cut: one that is too broad is put in strips."""
        strips = -(-canvas.width // self.width)
        return canvas.height * strips + max(0, strips - 1)

    def _whole(self, panes: Panes, beside: bool, tail: list[RenderableType], spare: int) -> list[RenderableType]:
        board = panes.board
        if beside:
            board = Canvas()
            board.paste(0, 0, panes.board)
            board.paste(0, panes.board.width + GAP, panes.table)
        middle = [Group(*[to_text(runs) for runs in board.lines()])]
        return self._stack(panes, middle, [] if beside else [panes.table], tail, spare)

    def _cut(self, panes: Panes, tail: list[RenderableType]) -> list[RenderableType]:
        """With a window on the board, the table beside it or below it, whichever leaves more of the board."""
        free = self.height - self._others(panes, tail) - 1
        room = self.width - GAP - panes.table.width
        if panes.table.height and panes.board.width <= room:
            rows = max(LEAST, free, panes.table.height)
            lines = self.window.cut(panes, rows, room, self.place)
            for line, runs in zip(lines, panes.table.lines(), strict=False):
                line.append(" " * (room + GAP - columns(line.plain)))
                line.append_text(to_text(runs))
            return self._stack(panes, [Group(*lines)], [], tail, 0)
        rows = max(LEAST, free - self._rows(panes.table))
        return self._stack(
            panes, [Group(*self.window.cut(panes, rows, self.width, self.place))], [panes.table], tail, 0
        )

    def _stack(
        self, panes: Panes, board: list[Group], below: list[Canvas], tail: list[RenderableType], spare: int
    ) -> list[RenderableType]:
        """All parts one below the other; spare rows become blank lines, then room for the legend."""
        parts: list[RenderableType] = [self.title]
        blanks = max(0, min(spare, 3))
        spare -= blanks
        if panes.head.height:
            parts.append(whole_board(panes.head, self.width))
        parts += board
        for canvas in [*below, panes.hand]:
            if canvas.height:
                if blanks:
                    parts.append(Text())
                    blanks -= 1
                parts.append(whole_board(canvas, self.width))
        if not panes.scored:
            if blanks:
                parts.append(Text())
                blanks -= 1
            parts.append(self.scores)
        if panes.notes.height and self._rows(panes.notes) < spare:
            parts.append(whole_board(panes.notes, self.width))
        if blanks and tail:
            parts.append(Text())
        return [*parts, *tail]


def last_place(events: list[Json]) -> Any:
    """The place of the last event that had one, keyed as marks are; None if there is none."""
    for event in reversed(events):
        place = event["data"].get("at")
        if place is not None:
            return tuple(place) if isinstance(place, list) else place
    return None


def rows_of(thing: RenderableType, width: int) -> int:
    """How many rows something takes on a screen of this width."""
    console = Console(width=width, file=io.StringIO(), markup=False, emoji=False, highlight=False)
    return len(console.render_lines(thing, console.options, pad=False))
