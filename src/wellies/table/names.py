"""Names and lines of text that people give, as they are shown."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from wellies.table.errors import Refused
from wellies.table.seats import unmarked

MAX_NAME: Final = 24
NAMELESS: Final = "Guest"
"""Whoever has given no name."""
BLANK_LETTERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""What Unicode calls letters or signs, but is drawn as nothing."""
MOST_ACCENTS: Final = 4
"""Accents and the like on one letter, at most: more of them cover the lines above and below."""
_MARK: Final = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
_TOO_MANY_MARKS: Final = re.compile(f"({_MARK}{{{MOST_ACCENTS}}}){_MARK}+")


def clean_name(given: str) -> str:
    """A name as it is shown: one line, no control characters, not too long. Refused says what is wrong."""
    text = _one_line(given)
    if not text:
        raise Refused("bad_name", "Give a name that one can read.", 400)
    if len(text) > MAX_NAME:
        raise Refused("bad_name", f"That name is too long; {MAX_NAME} characters is the most.", 400)
    if text != unmarked(text):
        raise Refused("bad_name", "A name has no square or curly brackets; use round ones.", 400)
    return text


def fit_name(given: str, instead: str) -> str:
    """A name from a record, changed so that it can be shown; `instead` if nothing is left of it."""
    return unmarked(_one_line(given))[:MAX_NAME].strip() or instead


def _one_line(given: str) -> str:
    text = limit_accents(unicodedata.normalize("NFC", given))
    return " ".join("".join(char if _shown(char) else " " for char in text).split())


def _shown(char: str) -> bool:
    return unicodedata.category(char)[0] not in "CZ" and char not in BLANK_LETTERS


def clean_text(given: str) -> str:
    """A line of chat without control characters and without spaces at its ends."""
    return "".join(char if _shown(char) or char == " " else " " for char in given).strip()


def limit_accents(text: str) -> str:
    """The text with no more than a few accents on one letter."""
    return _TOO_MANY_MARKS.sub(r"\1", text)
