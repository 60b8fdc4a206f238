"""Reading JSON that people wrote by hand: every mistake is named by its path, with what was expected."""

from __future__ import annotations

from typing import Any

from wellies.core.errors import BadPosition, nearest
from wellies.core.events import Json


class Fields:
    """A JSON object being read. Names not asked for in the end are refused, so that a typing error is never ignored."""

    def __init__(self, value: Any, path: str, known: tuple[str, ...]) -> None:
        if not isinstance(value, dict):
            raise BadPosition(f"{path or 'the position'} must be an object, not {_kind(value)}.")
        self.value: Json = value
        self.path = path
        for name in value:
            if name not in known:
                hint = nearest(str(name), list(known))
                raise BadPosition(f"{self._at(str(name))} is not a field; there are: {', '.join(known)}.{hint}")

    def _at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def has(self, name: str) -> bool:
        return name in self.value

    def get(self, name: str) -> Any:
        return self.value.get(name)

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        if name not in self.value:
            return default
        return integer(self.value[name], self._at(name), low, high)

    def boolean(self, name: str, default: bool) -> bool:
        value = self.value.get(name, default)
        if not isinstance(value, bool):
            raise BadPosition(f"{self._at(name)} must be true or false, not {_kind(value)}.")
        return value

    def word(self, name: str, default: str, allowed: list[str]) -> str:
        if name not in self.value:
            return default
        return word(self.value[name], self._at(name), allowed)

    def items(self, name: str) -> list[Any]:
        """A list, empty if left out."""
        value = self.value.get(name, [])
        if not isinstance(value, list):
            raise BadPosition(f"{self._at(name)} must be a list, not {_kind(value)}.")
        return value


def integer(value: Any, path: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadPosition(f"{path} must be a whole number, not {_kind(value)}.")
    if not low <= value <= high:
        raise BadPosition(f"{path} must be from {low} to {high}, not {value}.")
    return value


def word(value: Any, path: str, allowed: list[str]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in allowed:
        hint = nearest(value, allowed) if isinstance(value, str) else ""
        raise BadPosition(f"{path} must be one of {', '.join(allowed)}, not {value!r}.{hint}")
    return value


def pair(value: Any, path: str, low: int, high: int) -> tuple[int, int]:
    """A place: two whole numbers."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise BadPosition(f"{path} must be two whole numbers such as [0, 1], not {value!r}.")
    return (integer(value[0], f"{path}[0]", low, high), integer(value[1], f"{path}[1]", low, high))


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | str):
        return repr(value)
    return "a list" if isinstance(value, list) else "an object"
