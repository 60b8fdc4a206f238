"""Input and output of the interactive commands: showing things and asking for a line.

Play, replay and the chooser use `ConsoleIO` only, so that tests can put a script in its place.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from typing import Protocol

from rich.console import Console, RenderableType

Complete = Callable[[str], list[str]]
"""Given what is typed so far, the lines it may become."""


class ConsoleIO(Protocol):
    """What an interactive command needs of its terminal."""

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def max_width(self) -> int | None:
        """The columns that fit; None if the output is a pipe or a file."""
        ...

    @property
    def live(self) -> bool:
        """Whether a person sits at a terminal."""
        ...

    def show(self, *things: RenderableType) -> None:
        """Print, one below the other."""
        ...

    def page(self, thing: RenderableType) -> None:
        """Print something long, to be read page by page."""
        ...

    def clear(self, *, scrollback: bool = False) -> None:
        """Clear the screen; with `scrollback` also the lines above it, which the next person must not see."""
        ...

    def ask(self, prompt: str, complete: Complete | None = None) -> str:
        """One line from the person. EOFError when there is no more, KeyboardInterrupt on Ctrl-C."""
        ...

    def wait(self, seconds: float) -> None:
        """A short pause while something is shown."""
        ...


class Terminal:
    """A real terminal: rich for output, readline for line editing if it is available."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._editing = False

    @property
    def width(self) -> int:
        return self.console.width

    @property
    def height(self) -> int:
        return self.console.height if self.live else 40

    @property
    def max_width(self) -> int | None:
        return self.console.width if self.console.is_terminal else None

    @property
    def live(self) -> bool:
        return self.console.is_terminal and sys.stdin is not None and sys.stdin.isatty()

    def show(self, *things: RenderableType) -> None:
        for thing in things:
            self.console.print(thing)

    def page(self, thing: RenderableType) -> None:
        if not self.live:
            self.console.print(thing)
            return
        os.environ.setdefault("LESS", "-FRX")
        with self.console.pager(styles=not self.console.no_color):
            self.console.print(thing)

    def clear(self, *, scrollback: bool = False) -> None:
        if scrollback and self._editing:
            with contextlib.suppress(ImportError):
                import readline

                readline.clear_history()
        if not self.live or self.console.is_dumb_terminal:
            self.console.print()
            return
        # "3J" clears the scrollback too.
        self.console.file.write("\x1b[H\x1b[2J\x1b[3J" if scrollback else "\x1b[H\x1b[2J")
        self.console.file.flush()

    def ask(self, prompt: str, complete: Complete | None = None) -> str:
        self.console.file.flush()
        if self.live:
            self._edit(complete)
            return input(prompt)
        # Not a terminal: the prompt and the answer are printed, so that the output reads as a session.
        typed = sys.stdin is not None and sys.stdin.isatty()
        if typed:
            self.console.print(prompt, end="", soft_wrap=True)
            self.console.file.flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        answer = line.rstrip("\r\n")
        self.console.print(answer if typed else prompt + answer, soft_wrap=True)
        if not line:
            raise EOFError
        return answer

    def _edit(self, complete: Complete | None) -> None:
        """Line editing, history within the session, and Tab."""
        with contextlib.suppress(ImportError):
            import readline

            if not self._editing:
                readline.set_auto_history(True)
                readline.parse_and_bind("tab: complete")
                readline.set_completer_delims("")
                self._editing = True

            def offer(typed: str, number: int) -> str | None:
                options = complete(typed) if complete is not None else []
                return options[number] if number < len(options) else None

            readline.set_completer(offer)

    def wait(self, seconds: float) -> None:
        if self.live:
            import time

            time.sleep(seconds)
