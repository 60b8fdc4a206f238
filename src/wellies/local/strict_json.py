"""JSON as the server reads it: stricter than Python's own."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from wellies.match.record import DEEPEST, nested_deeper


def read_strictly(text: str) -> Any:
    """The value of a JSON text. ValueError says why it is none: also if it holds NaN, halves of characters, or is
    nested too deeply."""
    try:
        value = json.loads(text, parse_constant=_refuse)
        deep = nested_deeper(value, DEEPEST)
    except RecursionError:
        deep = True
    if deep:
        raise ValueError(f"it is nested deeper than {DEEPEST} levels")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError("it holds half of a character") from error
    return value


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"it holds {name}")
