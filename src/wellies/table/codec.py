"""Dataclasses as JSON text and back, with the standard library alone."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any

from wellies.core.events import Json


def encode(value: object) -> str:
    """Compact JSON of a value made of dataclasses, lists, dictionaries and plain values."""
    return json.dumps(value, default=_plain, ensure_ascii=False, separators=(",", ":"))


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def decode(text: str) -> Json:
    """The JSON object in a text."""
    value: Json = json.loads(text)
    return value


def known_fields(kind: Any, given: Json) -> Json:
    """The values in `given` that are fields of a dataclass; others were written by a newer version."""
    return {field.name: given[field.name] for field in fields(kind) if field.name in given}
