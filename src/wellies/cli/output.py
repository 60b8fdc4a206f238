"""Output to terminals, pipes and files in any encoding.

A character that the encoding lacks is replaced by ASCII of the same width, so that drawings stay aligned. If the reader
closes the pipe early (`wellies replay FILE | head -1`), the command ends quietly.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
import unicodedata
from typing import Any, Final

from rich.console import Console, Group
from rich.measure import Measurement
from rich.table import Table

from wellies.core.canvas import width

ERRORS: Final = "wellies-plain"
"""The name under which Python knows `plain_signs`."""

_PLAIN: Final = {
    **dict.fromkeys("─━═┄╌┈—–−‐‑", "-"),
    **dict.fromkeys("│┃║┆╎┊", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼┏┓┗┛╔╗╚╝╟╢╤╧╦╩╫╭╮╰╯╞╡╪╠╣╬╴╸╺┡┩╇┳┻╋┣┫", "+"),
    **dict.fromkeys("▶▸→»›►", ">"),
    **dict.fromkeys("←«‹◀", "<"),
    **dict.fromkeys("·•∙", "."),
    **dict.fromkeys("‘’′", "'"),
    **dict.fromkeys("“”„″", '"'),
    **dict.fromkeys("█▓▒░▄▀■", "#"),
    **dict.fromkeys("↑", "^"),
    **dict.fromkeys("↓", "v"),
    "…": "~",
    "±": "~",
    "×": "x",
    "✓": "x",
    "♛": "!",
    "♥": "H",
    "★": "S",
    "♣": "C",
    "◆": "D",
    "✿": "F",
    "♠": "S",
    "\u00a0": " ",
}
"""ASCII for the characters that we draw and write with."""


def plain_sign(sign: str) -> str:
    """ASCII that takes as many columns: a letter without its accent, lines as - | and +."""
    known = _PLAIN.get(sign)
    if known is not None:
        return known
    bare = "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))
    columns = width(sign)
    if bare.isascii() and bare.isprintable() and len(bare) == columns:
        return bare
    return "?" * columns


def plain_signs(error: UnicodeError) -> tuple[str, int]:
    """The replacement for characters that an encoding lacks (an error handler of `codecs`)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(plain_sign(sign) for sign in error.object[error.start : error.end]), error.end


codecs.register_error(ERRORS, plain_signs)


def prepare_streams() -> None:
    """Let every character be written, and every byte be read, whatever the encoding."""
    for stream, errors in ((sys.stdout, ERRORS), (sys.stderr, ERRORS), (sys.stdin, "replace")):
        change = getattr(stream, "reconfigure", None)
        if change is not None:
            change(errors=errors)


def discard_output() -> None:
    """Send the rest of the output to nowhere, since its reader has closed the pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


class Output(Console):
    """A console that does not cut tables and drawings on pipes and in files: they take the columns that they need."""

    def print(self, *objects: Any, **settings: Any) -> None:
        if self.is_terminal or settings.get("soft_wrap", self.soft_wrap):
            super().print(*objects, **settings)
            return
        settings.setdefault("crop", False)
        before = self.width
        self.width = max([before, *(self._needed(each) for each in objects)])
        try:
            super().print(*objects, **settings)
        finally:
            self.width = before

    def _needed(self, thing: Any) -> int:
        """The columns that something needs so that no word is cut."""
        if isinstance(thing, Group):
            return max((self._needed(part) for part in thing.renderables), default=0)
        if not isinstance(thing, Table):
            return 0
        total = 1
        for column in thing.columns:
            sizes = [
                Measurement.get(self, self.options.update(max_width=10_000), part)
                for part in (column.header, column.footer, *column.cells)
            ]
            total += 3 + max(size.maximum if column.no_wrap else size.minimum for size in sizes)
        return total


def make_console(*, to_errors: bool = False, color: bool = True, soft_wrap: bool = False) -> Output:
    """A console that prints texts as they are: no markup, no emoji codes, no highlighting. rich itself respects
    NO_COLOR and terminals without colour."""
    plain = None if color else True
    return Output(stderr=to_errors, no_color=plain, markup=False, emoji=False, highlight=False, soft_wrap=soft_wrap)


def print_json(value: Any, console: Console) -> None:
    """Print JSON; characters outside ASCII are escaped unless the encoding is UTF-8."""
    plain = not console.encoding.lower().startswith("utf")
    console.print(json.dumps(value, indent=2, ensure_ascii=plain), soft_wrap=True)
