"""Game options that describe and check themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wellies.core.errors import BadMaterial, BadOption, nearest
from wellies.core.events import Json

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


class Choice:
    """One value of an option, with what it means."""

    def __init__(self, value: Any, help: str) -> None:
        self.value = value
        self.help = help


class Option:
    """One option of a game: a name, what it is for, its values and its default.

    A game with an option that is not a plain list of values (colours by seat, a file) inherits and overrides `check`.
    """

    takes_path: bool
    """Whether a text may be the path of a file at this computer. Such a text is never taken from a record, a position
    or the network: there the content of the file stands in its place."""

    def __init__(self, name: str, title: str, help: str, choices: list[Choice], default: Any) -> None:
        self.name = name
        self.title = title
        self.help = help
        self.choices = choices
        self.default = default
        self.takes_path = False

    @property
    def values(self) -> list[Any]:
        return [choice.value for choice in self.choices]

    def allowed(self) -> str:
        """What may be given, in words."""
        return ", ".join(show(value) for value in self.values)

    def check(self, value: Any, seats: int) -> Any:
        """The value in its proper form; text such as "64" or "yes" is understood. BadOption names what is allowed."""
        for known in self.values:
            if type(known) is type(value) and known == value:
                return known
        if isinstance(value, str):
            word = value.strip().lower()
            for known in self.values:
                if isinstance(known, bool):
                    if word in (_TRUE if known else _FALSE):
                        return known
                elif word == str(known).lower():
                    return known
        hint = nearest(value, [str(known) for known in self.values]) if isinstance(value, str) else ""
        raise BadOption(f"option {self.name}: {value!r} is not allowed; choose one of {self.allowed()}.{hint}")

    def fallback(self, seats: int) -> Any:
        """The value when none is given."""
        return self.default

    def to_json(self) -> Json:
        return {
            "name": self.name,
            "title": self.title,
            "help": self.help,
            "choices": [{"value": choice.value, "help": choice.help} for choice in self.choices],
            "default": self.default,
        }


class TilesOption(Option):
    """The usual tiles of a game, or a corrected tile file. What is kept is the whole file, so that a record stands
    alone. It is called `cards` as in the games of cards, so that `--cards FILE` gives it everywhere."""

    def __init__(self, usual: str, read: Callable[[Any], Json]) -> None:
        help = "The tiles to play with: the usual ones, or a tile file of your own."
        super().__init__("cards", "Tiles", help, [Choice("standard", usual)], "standard")
        self.takes_path = True
        self.read = read
        """The complete content of a tile file, given as a path or as what is in one; raises BadMaterial."""

    def allowed(self) -> str:
        return 'standard, the path of a tile file, or what is in one ({"tiles": [...]})'

    def check(self, value: Any, seats: int) -> Any:
        if value is None or (isinstance(value, str) and value.strip().lower() == "standard"):
            return "standard"
        if not isinstance(value, str | dict):
            raise BadOption(f"option cards: {value!r} is not allowed; give {self.allowed()}.")
        try:
            return self.read(value)
        except BadMaterial as error:
            raise BadOption(f"option cards: {error}") from error


def refuse_paths(known: list[Option], given: Any) -> None:
    """BadOption if options from outside (a record, a position, a request) name a file."""
    if not isinstance(given, dict):
        return
    for option in known:
        value = given.get(option.name)
        if option.takes_path and isinstance(value, str) and value.strip().lower() not in option.values:
            raise BadOption(
                f"option {option.name}: a record, a position or a request never names a file; "
                f"put the content of the file there, or one of {show(option.values)}."
            )


def show(value: Any) -> str:
    """An option's value as one would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(show(item) for item in value)
    return str(value)


def check_options(known: list[Option], given: Json | None, seats: int, game: str) -> Json:
    """All options of a game, checked and completed with their defaults."""
    names = [option.name for option in known]
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise BadOption(f"options must be name-value pairs, not {given!r}.")
    for name in given:
        if name not in names:
            listed = ", ".join(names) if names else "none"
            raise BadOption(f"{game} has no option {name!r}; it has: {listed}.{nearest(str(name), names)}")
    return {
        option.name: option.check(given[option.name], seats) if option.name in given else option.fallback(seats)
        for option in known
    }
