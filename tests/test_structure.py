"""The shape of the house: imports run downward only, and the public names are what they say."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import HERE

import wellies

ROOT = HERE.parent
SOURCE = ROOT / "src" / "wellies"
LAYERS = ["core", "games", "bots", "match", "table", "puzzles", "local", "server", "client", "research", "cli"]
"""From the ground up: each may import what stands before it."""


def _all_imports(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
    return found


def _imports(path: Path) -> list[str]:
    return [name for name in _all_imports(path) if name.startswith("wellies.")]


@pytest.mark.parametrize("path", sorted(SOURCE.glob("*/**/*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_run_downward_only(path: Path) -> None:
    here = path.relative_to(SOURCE).parts
    level = LAYERS.index(here[0])
    for name in _imports(path):
        there = name.split(".")[1:]
        if there[0] not in LAYERS:
            assert here[0] == "cli", f"{name}: only the command line may use the package's front door"
            continue
        assert LAYERS.index(there[0]) <= level, f"{here[0]} must not import {name}"
        if here[0] == there[0] == "games" and len(there) > 1 and len(here) > 2:
            known = (SOURCE / "games" / there[1]).is_dir()
            assert not known or there[1] == here[1], f"the game {here[1]} must not import the game {there[1]}"


def test_the_table_needs_nothing_but_python() -> None:
    """A browser runs `wellies.table` without a server: importing it loads the standard library and wellies alone."""
    code = """
import importlib, pkgutil, sys
before = set(sys.modules)
import wellies.table
for module in pkgutil.iter_modules(wellies.table.__path__):
    importlib.import_module(f"wellies.table.{module.name}")
# `__mp_main__` is multiprocessing's name for this program; the compiled engine has helper modules of its own.
loaded = {name.partition(".")[0] for name in set(sys.modules) - before if not name.endswith("__mypyc")}
print(*sorted(loaded - set(sys.stdlib_module_names) - {"wellies", "__mp_main__"}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


SQL = re.compile(
    r"\bSELECT .+ FROM\b|\bINSERT INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b|\bPRAGMA \w+|\bBEGIN IMMEDIATE\b"
)


def test_sql_is_in_the_storage_package_alone() -> None:
    homes = (SOURCE / "server" / "storage", SOURCE / "server" / "migrations")
    assert any(SQL.search(path.read_text(encoding="utf-8")) for path in homes[0].glob("*.py")), "the search finds SQL"
    for path in sorted(SOURCE.rglob("*.py")):
        if any(home in path.parents for home in homes):
            continue
        text = path.read_text(encoding="utf-8")
        imported = {name.partition(".")[0] for name in _all_imports(path)}
        assert not imported & {"sqlalchemy", "sqlite3", "aiosqlite", "asyncpg", "alembic"}, path
        assert not SQL.search(text), path


ROOMS = """
    spec material state phases moves refusals events scoring hidden estimate heuristics encoding position schema view
    terminal
""".split()
"""The modules of a game: the same concept has the same name in every game."""

ABSENT = {
    "guppies": {"phases", "hidden", "estimate"},
    "marram": {"hidden"},
}
"""Rooms that a game has no use for: it has one phase, hides nothing, or its score is its estimate."""

EXTRA = {
    "aquarium": "card_text material_file replies tank_spaces",
    "guppies": "faces generate_tiles material_file open_spaces",
    "marram": """
        animal_turns animals beast_removal board claims features material_file move_resolution placed_tile
        placed_tile_json places segments tile_words variants
    """,
    "puppies": "card_text material_file position_reader replies tricks yard",
    "umbradeco": "mat mat_geometry",
}
"""Further modules of each game. Those that two games have are the same concept in both."""

GAMES = sorted(path.parent.name for path in SOURCE.glob("games/*/spec.py"))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_same_rooms(game: str) -> None:
    folder = SOURCE / "games" / game
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    wanted = set(ROOMS) - ABSENT.get(game, set())
    assert modules == wanted | set(EXTRA[game].split())
    assert (folder / "rules.md").exists()


def test_the_rooms_are_those_of_the_games_there_are() -> None:
    assert set(EXTRA) == set(GAMES)
    assert set(ABSENT) <= set(GAMES)


@pytest.mark.parametrize("asked", ["pass", "wellies.list_games()", "wellies.list_bots()", "wellies.bot('storm')"])
def test_no_game_is_loaded_before_it_is_asked_for(asked: str) -> None:
    code = f"import sys, wellies; {asked}; print(*[name for name in sys.modules if name.startswith('wellies.games.')])"
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert fresh.stdout.split() == []


def test_a_game_that_is_asked_for_is_loaded_without_the_others_and_without_its_heuristics() -> None:
    code = "import sys, wellies; wellies.game('guppies'); print(*sys.modules)"
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name.split(".")[2:] for name in fresh.stdout.split() if name.startswith("wellies.games.")]
    assert {name[0] for name in loaded} == {"guppies"}
    assert ["guppies", "heuristics"] not in loaded
    assert ["guppies", "terminal"] not in loaded


def test_the_public_names_are_these() -> None:
    """Names that people rely on. Whoever takes one away, or adds one, changes this list on purpose."""
    names = """
        CHANCE BadGame BadMaterial BadNotation BadOption BadPosition BadRecord Decision Ending Event GameSpec
        GameState IllegalMove Match Move MoveError NotYourTurn Outcome Preview Record Rng ScoreLine Seat StaleDecision
        Stream UndoRefused UnknownBot UnknownGame UnknownPiece UnknownSeat View WelliesError __version__ bot game
        list_bots list_games register
    """
    assert sorted(wellies.__all__) == sorted(names.split())


def test_all_that_the_package_offers_is_listed_and_is_there() -> None:
    """What `wellies.` completes to is `__all__`, but for the packages inside it."""
    script = (
        "import json, types, wellies\n"
        "found = {name: value for name, value in vars(wellies).items() if not name.startswith('_')}\n"
        "packages = [name for name, value in found.items() if isinstance(value, types.ModuleType)]\n"
        "print(json.dumps([sorted(set(found) - set(packages) - {'annotations'}), packages]))\n"
    )
    # In a process of its own: other tests import more of the package.
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    names, packages = json.loads(told.stdout)
    assert names == sorted(set(wellies.__all__) - {"__version__"})
    assert {"core", "games", "bots", "match"} == set(packages)


def test_every_public_error_class_and_type_is_documented() -> None:
    for name in wellies.__all__:
        value = getattr(wellies, name)
        if isinstance(value, type) and value.__module__.startswith("wellies"):
            assert value.__doc__, name


def test_no_function_hides_a_package_of_its_name() -> None:
    """`import wellies.bots.search.root as root` works only if `wellies.bots` is the package."""
    import wellies.bots.search.root as root
    import wellies.games.guppies.spec as guppies

    assert root.__name__ == "wellies.bots.search.root"
    assert guppies.SPEC is wellies.game("guppies")
    for path in SOURCE.iterdir():
        if (path / "__init__.py").exists() and hasattr(wellies, path.name):
            assert getattr(wellies, path.name).__name__ == f"wellies.{path.name}"
    assert wellies.bot("storm:ms=0").name == "storm"


def test_every_error_is_a_wellies_error() -> None:
    for name in wellies.__all__:
        value = getattr(wellies, name)
        if isinstance(value, type) and issubclass(value, Exception):
            assert issubclass(value, wellies.WelliesError)


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [ROOT / name for name in listed.stdout.split("\n") if name and (ROOT / name).is_file()]


def test_no_lock_file_names_an_address() -> None:
    locks = [path for path in _tracked() if path.name.endswith((".lock", "-lock.json", "lock.yaml"))]
    for path in locks:
        assert "://" not in path.read_text(encoding="utf-8"), path


def test_the_repository_stands_alone() -> None:
    """No file reads beyond the repository, or names a path of one machine."""
    outside = re.compile(r"\.\./shared|/(?:work|root|home)/[a-z]")
    for path in _tracked():
        if path.suffix in {".py", ".md", ".toml", ".json", ".ts", ".svelte", ".sh"} or path.name in {"Makefile", "run"}:
            if path == Path(__file__):
                continue
            assert not outside.search(path.read_text(encoding="utf-8")), path
