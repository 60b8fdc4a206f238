"""The built-in games, one folder each, and the shelf of all games. `CONTRIBUTING.md` says how to add one."""

from __future__ import annotations

from wellies.core.errors import WelliesError
from wellies.core.registry import Shelf
from wellies.core.spec import GameSpec

SHELF = Shelf(__name__, __path__)


def list_games() -> list[str]:
    """The names of all games: built-in, installed as packages, and registered. None is loaded for it."""
    return SHELF.names()


def game(name: str) -> GameSpec:
    """The game of this name; UnknownGame lists the names and suggests the nearest."""
    return SHELF.get(name)


def load_games() -> list[GameSpec]:
    """Every game that can be loaded; a package that cannot be is left out, with a warning in the log."""
    return SHELF.load_all()


def game_title(name: str) -> str:
    """The title of a game; its name if it is no longer installed or cannot be loaded."""
    try:
        return SHELF.get(name).title
    except WelliesError:
        return name


def register(spec: GameSpec) -> None:
    """Make a game known in this process. Other processes load games from installed packages only."""
    SHELF.register(spec)


def unregister(name: str) -> None:
    """Take a registered game away again."""
    SHELF.unregister(name)
