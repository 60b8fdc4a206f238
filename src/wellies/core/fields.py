"""Reading JSON that people write by hand: positions, card files and tile files.

Every mistake is an error of one type (`BadPosition` or `BadMaterial`) that names the path of the field, what was
expected, and what is there.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.errors import BadPosition, WelliesError, nearest
from wellies.core.events import Json

LONGEST_SHOWN: Final = 60
"""A value in an error message is cut off after so many characters."""


class Fields:
    """A JSON object being read. A name that is not one of `known` is refused, so that no typing error is ignored.

    A getter with the default None is for a field that must be there.
    """

    def __init__(
        self,
        value: Any,
        path: str,
        known: tuple[str, ...],
        error: type[WelliesError] = BadPosition,
        whole: str = "the position",
    ) -> None:
        """`whole` is what the object is called if it has no path."""
        if not isinstance(value, dict):
            raise error(f"{path or whole} must be an object with {', '.join(known)}, not {show(value)}.")
        self.value: Json = value
        self.path = path
        self.error = error
        for name in value:
            if name not in known:
                hint = nearest(str(name), list(known))
                field = self.at(str(name)[:LONGEST_SHOWN])
                raise error(f"{field} is not a field; leave it out, or use one of {', '.join(known)}.{hint}")

    def at(self, name: str) -> str:
        """The path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def wrong(self, name: str, problem: str) -> WelliesError:
        """The error for a field with this problem, to be raised; the problem should end with the cure."""
        return self.error(f"{self.at(name)}: {problem}.")

    def missing(self, name: str, cure: str) -> WelliesError:
        """The error for a field that must be there, to be raised."""
        return self.error(f"{self.at(name)} is missing; {cure}.")

    def has(self, name: str) -> bool:
        return name in self.value

    def get(self, name: str) -> Any:
        """The value as it is; None if it is left out."""
        return self.value.get(name)

    def object(self, name: str, known: tuple[str, ...]) -> Fields:
        """An object in this one."""
        return Fields(self.value.get(name), self.at(name), known, self.error)

    def integer(self, name: str, default: int | None, low: int, high: int) -> int:
        """A whole number within bounds."""
        if name in self.value:
            return integer(self.value[name], self.at(name), low, high, self.error)
        if default is None:
            raise self.missing(name, f"add a whole number from {low} to {high}")
        return default

    def boolean(self, name: str, default: bool | None) -> bool:
        """True or false."""
        if name not in self.value:
            if default is None:
                raise self.missing(name, "add true or false")
            return default
        value = self.value[name]
        if not isinstance(value, bool):
            raise self.error(f"{self.at(name)} must be true or false, not {show(value)}.")
        return value

    def word(self, name: str, default: str | None, allowed: list[str]) -> str:
        """One of some words."""
        if name in self.value:
            return word(self.value[name], self.at(name), allowed, self.error)
        if default is None:
            raise self.missing(name, f"add one of {', '.join(allowed)}")
        return default

    def text(self, name: str, default: str | None, longest: int) -> str:
        """A text, perhaps an empty one."""
        if name not in self.value:
            if default is None:
                raise self.missing(name, f"add a text of at most {longest} characters")
            return default
        value = self.value[name]
        if not isinstance(value, str) or len(value) > longest:
            raise self.error(f"{self.at(name)} must be a text of at most {longest} characters, not {show(value)}.")
        return value

    def items(self, name: str) -> list[Any]:
        """A list, empty if left out."""
        value = self.value.get(name, [])
        if not isinstance(value, list):
            raise self.error(f"{self.at(name)} must be a list, not {show(value)}.")
        return value

    def leave_out(self, names: list[str], reason: str) -> None:
        """Refuse fields that do not go with others."""
        for name in names:
            if name in self.value:
                raise self.wrong(name, f"does not go with {reason}; leave it out")


def integer(value: Any, path: str, low: int, high: int, error: type[WelliesError] = BadPosition) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise error(f"{path} must be a whole number from {low} to {high}, not {show(value)}.")
    if not low <= value <= high:
        raise error(f"{path} must be from {low} to {high}, not {show(value)}.")
    return value


def word(value: Any, path: str, allowed: list[str], error: type[WelliesError] = BadPosition) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in allowed:
        hint = nearest(value, allowed) if isinstance(value, str) else ""
        raise error(f"{path} must be one of {', '.join(allowed)}, not {show(value)}.{hint}")
    return value


def pair(value: Any, path: str, low: int, high: int) -> tuple[int, int]:
    """A place: two whole numbers."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise BadPosition(f"{path} must be two whole numbers such as [0, 1], not {show(value)}.")
    return (integer(value[0], f"{path}[0]", low, high), integer(value[1], f"{path}[1]", low, high))


def show(value: Any) -> str:
    """A value in an error message: a list or an object by its kind, anything else as it is, cut off if it is long."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | str):
        text = repr(value)
        return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."
    return "a list" if isinstance(value, list | tuple) else "an object"
