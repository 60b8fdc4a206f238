"""The games of `examples/`, each a package of its own: what they are called, where their data is, and how to install
them for a test. Their names are known from their `pyproject.toml` alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from helpers import HERE

EXAMPLES = HERE.parent / "examples"


def example_games() -> dict[str, Path]:
    """The folder of each game that a package in `examples/` announces."""
    found: dict[str, Path] = {}
    for path in sorted(EXAMPLES.glob("*/pyproject.toml")):
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        for name in project["entry-points"]["wellies.games"]:
            found[name] = path.parent
    return found


def is_in_repository(name: str) -> bool:
    """Whether a game is built in or an example; others may be installed here while somebody works on them."""
    return name in example_games() or (HERE.parent / "src" / "wellies" / "games" / name).is_dir()


def golden_folder(name: str) -> Path:
    """Where worked examples and finished games of a game are."""
    project = example_games().get(name)
    return HERE / "golden" / name if project is None else project / "tests" / "golden"


def perft_file(name: str) -> Path:
    """Where the counts of move sequences of a game are."""
    project = example_games().get(name)
    return HERE / "perft" / f"{name}.txt" if project is None else project / "tests" / "perft.txt"


def install(projects: list[Path], work: Path) -> dict[str, str]:
    """Install packages into a folder of their own, without network and without a trace in the environment of the
    tests. Returns the environment for processes that find them there."""
    target = work / "installed"
    for project in projects:
        copy = work / "sources" / project.name  # building leaves files beside the sources
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--target", str(target), str(copy)]
        made = subprocess.run([*_installer(), *options], capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
    path = os.pathsep.join(filter(None, [str(target), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path}


def announce(folder: Path, game: str, value: str, package: str = "") -> None:
    """Make a folder look like one where a package is installed that announces this game."""
    package = package or f"package-{game}"
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[wellies.games]\n{game} = {value}\n", encoding="utf-8")


def _installer() -> list[str]:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    return [uv, "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
