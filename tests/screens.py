"""A person at a screen of some size: the real session and layout, drawn on a terminal in memory."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pyte
from rich.console import Console, RenderableType

from wellies.cli.console_io import Complete
from wellies.cli.play import Leave, Session
from wellies.cli.seating import Seating
from wellies.core.canvas import Canvas
from wellies.core.dice import Stream
from wellies.match import Match


class Glass(io.StringIO):
    """A file that is a screen."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)

    def write(self, text: str) -> int:
        self._stream.feed(text.replace("\n", "\r\n"))
        return len(text)

    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        """What is to be seen."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()


class Sitter:
    """A `ConsoleIO` for somebody who plays moves at random, or types what is in `todo`, and looks at every page."""

    live = True

    def __init__(self, columns: int, rows: int, moves: int, todo: list[str] | None = None) -> None:
        self.width = self.max_width = columns
        self.height = rows
        self.glass = Glass(columns, rows)
        self.console = Console(
            file=self.glass, force_terminal=True, color_system="truecolor", width=columns, height=rows, markup=False
        )
        self.moves = moves
        self.todo = todo or []
        self.rng = Stream("sitter")
        self.session: Session | None = None
        self.pages: list[str] = []

    def show(self, *things: RenderableType) -> None:
        for thing in things:
            self.console.print(thing)

    def page(self, thing: RenderableType) -> None:
        self.show(thing)

    def clear(self, *, scrollback: bool = False) -> None:
        self.glass.write("\x1b[H\x1b[2J")

    def wait(self, seconds: float) -> None:
        pass

    def ask(self, prompt: str, complete: Complete | None = None) -> str:
        self.glass.write(prompt)
        self.pages.append(self.glass.text())
        answer = self.answer(prompt)
        self.glass.write(answer + "\n")
        return answer

    def answer(self, prompt: str) -> str:
        session = self.session
        assert session is not None
        if prompt.startswith("Enter"):
            return ""
        self.look()
        if self.todo:
            return self.todo.pop(0)
        if self.moves == 0:
            raise Leave
        self.moves -= 1
        assert session.picker is not None
        return str(1 + self.rng.randrange(len(session.picker)))

    def look(self) -> None:
        """What a test checks at each prompt."""


def sit(sitter: Sitter, game: str, seats: int, seed: int = 1, options: dict[str, Any] | None = None) -> Match:
    """Let a person and random bots play, until the person leaves or the game is over."""
    match = Match(game, seats=seats, options=options or {}, seed=seed)
    seating = Seating(["Ann", *["bot:random"] * (seats - 1)])
    sitter.session = Session(match, seating, sitter, lambda: None, lambda name: name, "here")
    with contextlib.suppress(Leave):
        sitter.session.run()
    return match


def lines_of(canvas: Canvas) -> list[str]:
    """The lines of a drawing that have something on them, without blanks around them."""
    return [line.strip() for line in canvas.plain().splitlines() if line.strip()]
