"""The shelf: finds games by their folders, and loads one only when it is asked for."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable

from wellies.core.errors import UnknownGame, nearest
from wellies.core.spec import GameSpec


class Shelf:
    """Games by name. A folder with a `spec.py` that has a `SPEC` is a game; nothing else need be told of it."""

    def __init__(self, package: str, path: Iterable[str]) -> None:
        self._package = package
        self._names = sorted(found.name for found in pkgutil.iter_modules(path) if found.ispkg)
        self._specs: dict[str, GameSpec] = {}

    def names(self) -> list[str]:
        """All games, in alphabetical order."""
        return sorted({*self._names, *self._specs})

    def add(self, spec: GameSpec) -> None:
        """Put a game from outside the package on the shelf."""
        self._specs[spec.name] = spec

    def get(self, name: str) -> GameSpec:
        """The game of this name. UnknownGame lists the names and suggests the nearest."""
        if name in self._specs:
            return self._specs[name]
        if name not in self._names:
            listed = ", ".join(self.names())
            raise UnknownGame(f"there is no game {name!r}; there are: {listed}.{nearest(str(name), self.names())}")
        module = importlib.import_module(f"{self._package}.{name}.spec")
        spec: GameSpec = module.SPEC
        self._specs[name] = spec
        return spec
