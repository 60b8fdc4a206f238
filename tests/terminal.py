"""A terminal for tests: a real pseudo-terminal with a program in it, driven by keys."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Self

ANSI = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>()][A-Z0-9]?)")
CLEAR = "\x1b[H\x1b[2J"
CLEAR_ALL = CLEAR + "\x1b[3J"


def plain(text: str) -> str:
    """A screen's text without colours and line-end noise."""
    return ANSI.sub("", text).replace("\r", "")


class Terminal:
    """A program at a terminal of its own. `expect` reads on until a text is there; `send` types a line."""

    def __init__(
        self, arguments: list[str], data: Path, *, rows: int = 40, columns: int = 110, env: dict[str, str] | None = None
    ) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        surroundings = {**os.environ, "XDG_DATA_HOME": str(data), "TERM": "xterm-256color", "PYTHONUTF8": "1"}
        for name in ("NO_COLOR", "COLUMNS", "LINES", "INPUTRC", "PAGER"):
            surroundings.pop(name, None)
        surroundings["PAGER"] = "cat"
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**surroundings, **(env or {})},
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(slave)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a sign may come in two pieces
        self._from = 0

    def expect(self, text: str, seconds: float = 300) -> str:
        """Wait for a text in what has come since the last `expect`; returns all of that, up to the text, plain."""
        return self.expect_one_of([text], seconds)

    def expect_one_of(self, texts: list[str], seconds: float = 60) -> str:
        """The same for whichever of several texts comes first."""
        end = time.monotonic() + seconds
        while True:
            fresh = plain(self.raw)[self._from :]
            ends = [fresh.find(text) + len(text) for text in texts if text in fresh]
            if ends:
                self._from += min(ends)
                return fresh[: min(ends)]
            left = end - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f"{texts} did not come; the screen says:\n{fresh}")

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], max(0.0, seconds))
        if not ready:
            return False
        with contextlib.suppress(OSError):
            data = os.read(self.master, 65536)
            if data:
                self.raw += self._decoder.decode(data)
                return True
        return False

    def send(self, line: str) -> None:
        os.write(self.master, (line + "\n").encode())

    def key(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def interrupt(self, number: signal.Signals, text: str) -> str:
        """Send a signal (SIGINT: by its key) and wait for an answer.

        Between printing its prompt and waiting for a key, readline hears a signal only with the next key: so one that
        was too quick is sent again.
        """
        for _ in range(20):
            if number == signal.SIGINT:
                self.key("\x03")
            else:
                os.kill(self.process.pid, number)
            with contextlib.suppress(AssertionError):
                return self.expect(text, 2)
        return self.expect(text, 2)

    def finish(self, seconds: float = 300) -> int:
        """Read to the end; the exit code."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._read(end - time.monotonic()):
            pass
        return self.process.wait(max(0.1, end - time.monotonic()))

    def hang_up(self) -> None:
        """Close the terminal under the program."""
        os.close(self.master)
        self.master = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        if self.master >= 0:
            os.close(self.master)


def _own_terminal() -> None:
    """In the child: make the pseudo-terminal the controlling one, so that Ctrl-C and hanging up work as they do."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
