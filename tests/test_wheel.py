"""The built wheel where nothing can be compiled: plain Python, said in a plain sentence, with all its data.

The compiled wheel is built by `make agree`, which runs the tests of the engine on it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from helpers import HERE

ROOT = HERE.parent
SOURCE = ROOT / "src" / "wellies"


def _build(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build a wheel from a copy of the sources, as pip does."""
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(SOURCE, folder / "src" / "wellies", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return subprocess.run(
        [sys.executable, "setup.py", "--quiet", "bdist_wheel"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (
            {"WELLIES_COMPILE": "0"},
            "the engine is not compiled, since WELLIES_COMPILE is 0; it will run as plain Python.",
        ),
        ({"CC": "no-such-compiler", "WELLIES_COMPILE": ""}, "will run as plain Python: there is no C compiler here"),
    ],
    ids=["not wanted", "no compiler"],
)
def test_a_wheel_without_compiled_code_says_so_and_works(
    tmp_path: Path, environment: dict[str, str], said: str
) -> None:
    built = _build(tmp_path, **environment)
    assert built.returncode == 0, built.stderr
    assert said in built.stderr
    assert "Traceback" not in built.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(unpacked)
    wanted = [path for path in SOURCE.rglob("*") if path.suffix in {".py", ".md", ".json", ".html", ".typed"}]
    missing = [path for path in wanted if not (unpacked / "wellies" / path.relative_to(SOURCE)).is_file()]
    assert not missing
    assert not list(unpacked.rglob("*.so"))
    told = subprocess.run(
        [sys.executable, "-m", "wellies", "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "(interpreted engine, Python " in told.stdout


def test_compiled_code_that_was_asked_for_and_cannot_be_had_is_an_error(tmp_path: Path) -> None:
    built = _build(tmp_path, CC="no-such-compiler", WELLIES_COMPILE="1")
    assert built.returncode != 0
    assert "wellies: the engine cannot be compiled: there is no C compiler here" in built.stderr
    assert not list(tmp_path.glob("dist/*.whl"))
