"""The games, one folder each, with the same rooms in every folder; `CONTRIBUTING.md` says how to add one."""

from __future__ import annotations

from wellies.core.registry import Shelf
from wellies.core.spec import GameSpec

SHELF = Shelf(__name__, __path__)


def list_games() -> list[str]:
    """The names of all games."""
    return SHELF.names()


def game(name: str) -> GameSpec:
    """The game of this name; UnknownGame lists the names and suggests the nearest."""
    return SHELF.get(name)
