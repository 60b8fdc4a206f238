"""What is wrong with a request, in words: the one place that makes sentences of what msgspec and Litestar say."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

KINDS: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object with named fields",
    "null": "null",
}
GIVEN_NAMES: Final = {"stage": "state", "start": "from", "stop": "to"}
"""Parameters that our functions know by another name."""


def _kinds(text: str) -> str:
    """A type such as `int | null`, in words."""
    return " or ".join(KINDS.get(kind.strip(), kind.strip()) for kind in text.split("|"))


def _length(kind: str, sign: str, count: str) -> str:
    what = "characters" if kind == "str" else "entries"
    if sign == ">=":
        return "must not be empty" if count == "1" else f"must have at least {count} {what}"
    return f"may have {count} {what} at most"


def _bound(sign: str, number: str) -> str:
    return {
        ">=": f"must be {number} or more",
        "<=": f"must be {number} or less",
        ">": f"must be more than {number}",
        "<": f"must be less than {number}",
    }[sign]


_RULES: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]] = (
    (re.compile(r"Expected `(str|array|object)` of length (>=|<=) (\d+)"), lambda m: _length(m[1], m[2], m[3])),
    (re.compile(r"Expected `(?:int|float)[^`]*` (>=|<=|>|<) (\S+)"), lambda m: _bound(m[1], m[2])),
    (
        re.compile(r"Expected `([^`]+)`, got `([^`]+)`"),
        lambda m: f"must be {_kinds(m[1])}, not {_kinds(m[2])}",
    ),
    (re.compile(r"Expected `([^`]+)`"), lambda m: f"must be {_kinds(m[1])}"),
    (re.compile(r"Invalid (?:enum )?value (.+)"), lambda m: f"cannot be {m[1]}; that is none of its values"),
)
_MISSING: Final = re.compile(r"Object missing required field `([^`]+)`")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `([^`]+)`")
_PLACE: Final = re.compile(r" - at `\$?\.?([^`]*)`$")


def sentence(message: str, field: str = "", where: str = "field") -> str:
    """A check that failed, as a sentence that names the field. `message` may end with msgspec's own place of it."""
    place = _PLACE.search(message)
    if place is not None:
        message, field = message[: place.start()], place[1]
    field = "" if field == "data" else GIVEN_NAMES.get(field, field)
    inside = f" in `{field}`" if field else ""
    found = _MISSING.search(message)
    if found:
        return f"The field `{found[1]}`{inside} is missing."
    found = _UNKNOWN.search(message)
    if found:
        return f"There is no field `{found[1]}`{inside} here; leave it out."
    if where == "message":
        what = f"The field `{field}`" if field else "The message"
    else:
        what = f"The {where} `{field}`" if field else "The body"
    for pattern, words in _RULES:
        found = pattern.search(message)
        if found:
            return f"{what} {words(found)}."
    first = message[:1].lower() if message[1:2].islower() else message[:1]
    return f"{what} is not JSON as it should be: {first}{message[1:].rstrip('.')}."
