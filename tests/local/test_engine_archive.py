"""The archive that a browser gets: what is in it, that it is always the same, and that it runs where there is nothing
but Python, without threads and processes."""

from __future__ import annotations

import ast
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from helpers import HERE
from test_makefile import prerequisites_of

import wellies

ROOT = HERE.parent
SCRIPT = ROOT / "scripts" / "build_engine.py"
STRIPPED = re.compile(r"const NOT_NEEDED = `([^`]+)`\.split")
ENCODINGS = re.compile(r"const ENCODINGS = \[([^\]]+)\];")
NOT_IN_PYODIDE = {
    *("_posixsubprocess", "antigravity", "curses", "dbm", "ensurepip", "fcntl", "grp", "idlelib", "lib2to3"),
    *("msvcrt", "nis", "nt", "ossaudiodev", "pwd", "readline", "resource", "spwd", "syslog", "termios", "tkinter"),
    *("tty", "pty", "turtle", "turtledemo", "venv", "winreg", "winsound"),
    *("lzma", "_lzma", "sqlite3", "_sqlite3", "ssl", "_ssl", "test"),
}
"""Modules that Python in a browser lacks, or that Pyodide has as packages of their own, which we do not load."""
USELESS = {
    *("threading", "_thread", "multiprocessing", "_multiprocessing", "concurrent", "subprocess"),
    *("socket", "_socket", "socketserver", "select", "selectors", "signal", "ctypes", "mmap"),
}
"""Modules that are there but cannot do anything in a browser. Python's own modules may import them; ours may not."""


def stripped_modules() -> set[str]:
    """The modules that the page leaves out of Python's library."""
    found = STRIPPED.search((ROOT / "web" / "scripts" / "engine.ts").read_text(encoding="utf-8"))
    assert found is not None
    return set(found[1].split())


def kept_encodings() -> set[str]:
    found = ENCODINGS.search((ROOT / "web" / "scripts" / "engine.ts").read_text(encoding="utf-8"))
    assert found is not None
    return set(re.findall(r"'(\w+)'", found[1]))


def build(script: Path, folder: Path, **environment: str) -> tuple[bytes, bytes]:
    """The archive and the catalogue, built by a Python that has nothing but its own library."""
    command = [sys.executable, "-I", "-S", str(script), str(folder)]
    plain = {"PATH": os.environ["PATH"], **environment}
    subprocess.run(command, check=True, env=plain, cwd=folder.parent)
    return (folder / "engine.zip").read_bytes(), (folder / "catalogue.json").read_bytes()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes, bytes]:
    folder = tmp_path_factory.mktemp("engine") / "built"
    return folder, *build(SCRIPT, folder)


def test_the_same_sources_make_the_same_bytes(built: tuple[Path, bytes, bytes], tmp_path: Path) -> None:
    """Elsewhere, at another time, with other rights, beside compiled files and caches."""
    _, archive, catalogue = built
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "src" / "wellies", copy / "src" / "wellies")
    (copy / "scripts").mkdir()
    shutil.copy(SCRIPT, copy / "scripts")
    for number, path in enumerate(sorted((copy / "src").rglob("*"), reverse=True)):
        os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))
        if path.is_file():
            path.chmod(0o600)
    (copy / "src" / "wellies" / "core" / "dice.cpython-314-x86_64-linux-gnu.so").write_bytes(b"compiled")
    (copy / "src" / "wellies" / "core" / ".dice.py.swp").write_bytes(b"an editor's")
    again = build(copy / "scripts" / SCRIPT.name, tmp_path / "again", TZ="Pacific/Auckland", PYTHONHASHSEED="7")
    assert again == (archive, catalogue)


def test_another_source_makes_another_archive(built: tuple[Path, bytes, bytes], tmp_path: Path) -> None:
    _, archive, _ = built
    shutil.copytree(ROOT / "src" / "wellies", tmp_path / "src" / "wellies")
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts")
    with (tmp_path / "src" / "wellies" / "local" / "hub.py").open("a", encoding="utf-8") as file:
        file.write("# a change\n")
    assert build(tmp_path / "scripts" / SCRIPT.name, tmp_path / "built")[0] != archive


def test_the_catalogue_is_what_the_server_tells_of_games_and_bots(built: tuple[Path, bytes, bytes]) -> None:
    catalogue = json.loads(built[2])
    own = sorted(path.parent.name for path in (ROOT / "src" / "wellies" / "games").glob("*/spec.py"))
    assert sorted(catalogue) == sorted(["/games", "/bots", "/puzzles", *(f"/games/{game}" for game in own)])
    for game in own:
        assert catalogue[f"/games/{game}"] == json.loads(json.dumps(wellies.game(game).describe_fully()))
    assert [game["name"] for game in catalogue["/games"]] == [name for name in wellies.list_games() if name in own]
    assert [bot["name"] for bot in catalogue["/bots"]] == wellies.list_bots()


def archived_modules(archive: Path) -> dict[str, ast.Module]:
    with zipfile.ZipFile(archive) as file:
        return {
            name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): ast.parse(file.read(name), name)
            for name in file.namelist()
            if name.endswith(".py")
        }


def imports(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The modules that are imported when the module is loaded, and those that functions import; types do not count."""
    at_once: set[str] = set()
    later: set[str] = set()

    def visit(node: ast.AST, found: set[str]) -> None:
        if isinstance(node, ast.Import):
            found.update(each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            found.add(node.module)
            if node.module.startswith("wellies"):
                found.update(f"{node.module}.{each.name}" for each in node.names)
        for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        inner = later if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else found
        for child in node.orelse if for_types else ast.iter_child_nodes(node):  # type: ignore[attr-defined]
            visit(child, inner)

    visit(tree, at_once)
    return at_once, later


def test_the_archive_imports_python_and_itself_alone(built: tuple[Path, bytes, bytes]) -> None:
    modules = archived_modules(built[0] / "engine.zip")
    assert "wellies.local.browser" in modules
    missing = stripped_modules() | NOT_IN_PYODIDE
    assert {"unittest", "sqlite3", "xml"} <= missing, "the list is read"
    left_out = runpy.run_path(str(SCRIPT))["LEFT_OUT"]
    for name, tree in modules.items():
        at_once, later = imports(tree)
        for imported in at_once | later:
            first = imported.partition(".")[0]
            if first != "wellies":
                assert first in sys.stdlib_module_names, f"{name} imports {imported}"
                assert first not in missing, f"{name} imports {imported}, which a browser does not have"
                assert first not in USELESS, f"{name} imports {imported}, which is of no use in a browser"
            elif imported not in modules and imported.rpartition(".")[0] not in modules:
                # What is left out may be imported by functions that no table calls: for terminals and research.
                assert imported not in at_once, f"{name} imports {imported}, which is not in the archive"
                path = Path(*imported.split("."))
                known = (path.with_suffix(".py"), path.parent.with_suffix(".py"))
                assert any(each.match(pattern) for each in known for pattern in left_out), f"{name}: no {imported}"


FORBID = """
import sys

class Forbidden:
    def __init__(self, names, encodings):
        self.names, self.encodings = set(names), set(encodings)

    def find_spec(self, name, path=None, target=None):
        first, _, rest = name.partition(".")
        if first in self.names or (first == "encodings" and rest and rest not in self.encodings):
            raise ImportError(f"a browser has no {name}", name=name)
        return None

import asyncio, _thread, threading, subprocess, os  # what Python's own event loop needs on this system
import runpy  # what this program needs itself
import importlib.metadata  # it needs more in older versions of Python than in the browser's
def refuse(*_args, **_more):
    raise AssertionError("a browser has no threads and no processes")
_thread.start_new_thread = _thread.start_joinable_thread = threading._start_new_thread = refuse
threading._start_joinable_thread = refuse
threading.Thread.start = refuse
subprocess.Popen = refuse
os.fork = os.posix_spawn = os.system = refuse
names, encodings, archive, program, arguments = %r
sys.meta_path.insert(0, Forbidden(names, encodings))
sys.path.insert(0, archive)
sys.argv[1:] = arguments
runpy.run_path(program, run_name="__main__")
asked = {name.partition(".")[0] for name in sys.modules}
assert not asked & {"multiprocessing", "msgspec", "litestar"}, asked
"""


def run_bare(built: tuple[Path, bytes, bytes], program: Path, *arguments: str) -> Any:
    """What a program prints in a Python where nothing is installed but the archive, and where nothing works that does
    not work in a browser."""
    forbidden = stripped_modules() | NOT_IN_PYODIDE | {"multiprocessing"}
    archive = str(built[0] / "engine.zip")
    given = (sorted(forbidden), sorted(kept_encodings()), archive, str(program), list(arguments))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", FORBID % (given,)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("game", ["aquarium", "guppies", "marram", "puppies", "umbradeco"])
def test_the_archive_plays_where_there_is_nothing_but_python(built: tuple[Path, bytes, bytes], game: str) -> None:
    found = run_bare(built, HERE / "local" / "bare_device.py", "drizzle", game)
    assert found["verified"]
    assert found["analysis"] == "done"
    assert found["judged"] > 0


@pytest.mark.parametrize(
    ("program", "refusal"),
    [
        ("import sqlite3", "a browser has no sqlite3"),
        ("import multiprocessing.pool", "a browser has no multiprocessing"),
        ("import msgspec", "No module named 'msgspec'"),
        ("''.encode('cp1252')", "unknown encoding"),
        ("import wellies.server", "No module named 'wellies.server'"),
        ("import asyncio; asyncio.run(asyncio.to_thread(print))", "no threads and no processes"),
        ("import concurrent.futures; concurrent.futures.ThreadPoolExecutor().submit(print)", "no threads"),
        ("import subprocess; subprocess.run(['true'])", "no threads and no processes"),
    ],
)
def test_what_a_browser_does_not_have_is_noticed(
    built: tuple[Path, bytes, bytes], tmp_path: Path, program: str, refusal: str
) -> None:
    """The test above can fail."""
    (tmp_path / "program.py").write_text(f"{program}\nprint(1)\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=refusal):
        run_bare(built, tmp_path / "program.py")


def test_the_packed_sources_that_make_knows_are_those_of_the_script() -> None:
    """`make page` packs again when one of them has changed."""
    files = runpy.run_path(str(SCRIPT))["engine_files"]()
    known = prerequisites_of("build/browser/engine.zip")
    assert {f"src/{path.as_posix()}" for path in files} | {"scripts/build_engine.py"} <= known
