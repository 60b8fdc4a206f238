"""The games by name. No game is loaded before it is asked for.

Games come from three places:

- the folders of `wellies.games`: the games that Wellies brings;
- installed packages with an entry point of the group `wellies.games`;
- `register`, for a game that a program makes itself. It is known in that process only.

A name belongs to one game. A built-in game keeps its name: a package that announces the same name is left out, with a
warning in the log. If two packages announce one name, neither is taken: asking for it raises `BadGame`.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from wellies.core.errors import BadGame, UnknownGame, nearest
from wellies.core.spec import GameSpec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "wellies.games"
"""The group of entry points by which packages announce games."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")
_NEEDED: Final = ("title", "summary", "minutes", "min_seats", "max_seats", "rules_version", "options")

_log: Final = logging.getLogger(__name__)


class Shelf:
    """Games by name."""

    def __init__(self, package: str, path: Iterable[str]) -> None:
        self._package = package
        self._builtin = sorted(found.name for found in pkgutil.iter_modules(path) if found.ispkg)
        self._announced: dict[str, list[EntryPoint]] | None = None
        self._registered: dict[str, GameSpec] = {}
        self._loaded: dict[str, GameSpec] = {}
        self._broken: dict[str, str] = {}
        """What is wrong with each package that could not be loaded."""

    def names(self) -> list[str]:
        """All games, in alphabetical order. A package whose game cannot be loaded is among them."""
        return sorted({*self._builtin, *self._outside(), *self._registered})

    def get(self, name: str) -> GameSpec:
        """The game of this name. UnknownGame lists the names and suggests the nearest; BadGame says what is wrong with
        the package that has it."""
        spec = self._registered.get(name) or self._loaded.get(name)
        if spec is not None:
            return spec
        if name in self._builtin:
            spec = importlib.import_module(f"{self._package}.{name}.spec").SPEC
        elif name in self._outside():
            spec = self._load_outside(name)
        else:
            listed = ", ".join(self.names())
            raise UnknownGame(f"there is no game {name!r}; there are: {listed}.{nearest(str(name), self.names())}")
        self._loaded[name] = spec
        return spec

    def load_all(self) -> list[GameSpec]:
        """Every game that can be loaded, in alphabetical order. One that cannot is left out, with a warning in the
        log."""
        specs: list[GameSpec] = []
        for name in self.names():
            known = name in self._broken
            try:
                specs.append(self.get(name))
            except BadGame as error:
                if not known:
                    _log.warning("%s", error)
        return specs

    def register(self, spec: GameSpec) -> None:
        """Add a game that this program made. BadGame if it is not complete, or if its name belongs to another game.

        Registering a name again replaces the game.
        """
        wrong = what_is_wrong(spec)
        if wrong is None and spec.name in self._builtin:
            wrong = f"{spec.name!r} is the name of a built-in game; choose another"
        elif wrong is None and spec.name in self._outside():
            packages = _listed(self._outside()[spec.name])
            wrong = f"{spec.name!r} is the name of a game of the installed {packages}; choose another"
        if wrong is not None:
            raise BadGame(f"the game cannot be registered: {wrong}.")
        self._registered[spec.name] = spec

    def unregister(self, name: str) -> None:
        """Take a registered game away again; nothing happens if there is none of this name."""
        self._registered.pop(name, None)

    # --- installed packages -------------------------------------------------------------------------------------------

    def _outside(self) -> dict[str, list[EntryPoint]]:
        """The entry points of installed packages by name of the game, read once."""
        if self._announced is None:
            from importlib.metadata import entry_points

            self._announced = {}
            for point in entry_points(group=GROUP):
                if point.name in self._builtin:
                    _log.warning(
                        "the %s announces a game %r, which is the name of a built-in game; it is left out",
                        _listed([point]),
                        point.name,
                    )
                    continue
                self._announced.setdefault(point.name, []).append(point)
        return self._announced

    def _load_outside(self, name: str) -> GameSpec:
        """The game that a package announces under this name; BadGame names the package and what is wrong."""
        points = self._outside()[name]
        if name not in self._broken:
            if len(points) > 1:
                self._broken[name] = f"the game {name!r} is in the {_listed(points)}; uninstall all but one."
            else:
                try:
                    return _load(points[0])
                except BadGame as error:
                    self._broken[name] = f"the game {name!r} of the {_listed(points)} cannot be loaded: {error}."
        raise BadGame(self._broken[name])


def _load(point: EntryPoint) -> GameSpec:
    """The game that an entry point leads to, itself or through a function; BadGame says what is wrong with it."""
    try:
        found = point.load()
        if callable(found) and not isinstance(found, GameSpec):
            found = found()
    except Exception as error:
        # Whatever a package does wrong, the other games must go on.
        raise BadGame(f"{type(error).__name__}: {error}".rstrip(".: ")) from error
    wrong = what_is_wrong(found)
    if wrong is not None:
        raise BadGame(f"{point.value}: {wrong}")
    assert isinstance(found, GameSpec)
    if found.name != point.name:
        raise BadGame(f"its entry point is named {point.name!r} and its spec {found.name!r}; give both the same name")
    return found


def what_is_wrong(spec: object) -> str | None:
    """Why this is not the complete spec of a game; None if it is."""
    if not isinstance(spec, GameSpec):
        return f"a GameSpec is needed, not {type(spec).__name__}"
    name = getattr(spec, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return f"its name must be lower-case letters, digits, - and _, such as 'my-game', not {name!r}"
    missing = [each for each in _NEEDED if not hasattr(spec, each)]
    if missing:
        return f"its spec lacks {', '.join(missing)}"
    return None


def _listed(points: list[EntryPoint]) -> str:
    """The packages of some entry points, in words."""
    names = sorted(repr(point.dist.name) if point.dist is not None else repr(point.module) for point in points)
    return f"package {names[0]}" if len(names) == 1 else f"packages {' and '.join(names)}"
