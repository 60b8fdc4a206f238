"""The built wheel: plain Python where nothing can be compiled, and installed into empty environments, extra by extra.

The compiled wheel is built by `make agree`, which runs the tests of the engine on it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
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


# --- extras ---------------------------------------------------------------------------------------------------------


class Installed:
    """An environment with the wheel and one of its extras in it, and nothing else."""

    def __init__(self, folder: Path, wheel: Path, extra: str) -> None:
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WELLIES_", "PYTHON"))}
        self.environment = {**kept, "VIRTUAL_ENV": str(folder / "venv"), "XDG_DATA_HOME": str(folder / "data")}
        self.bin = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self._uv("venv", "--python", sys.executable, str(folder / "venv")).check_returncode()
        wanted = f"wellies[{extra}]" if extra else "wellies"
        done = self._uv("pip", "install", f"{wanted} @ {wheel.as_uri()}")
        if done.returncode != 0:
            if self._uv("pip", "install", "--reinstall", "typer").returncode != 0 and os.environ.get("CI") != "true":
                pytest.skip("the package registry cannot be reached, so the extras cannot be installed")
            raise AssertionError(done.stderr)

    def _uv(self, *words: str) -> subprocess.CompletedProcess[str]:
        uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
        return subprocess.run([uv, *words], env=self.environment, capture_output=True, text=True, check=False)

    def packages(self) -> list[str]:
        return [each["name"] for each in json.loads(self._uv("pip", "list", "--format", "json").stdout)]

    def run(self, program: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.bin / program), *words],
            cwd=self.folder,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def lacks(self, extra: str, program: str, *words: str, **environment: str) -> None:
        """One line with the cure, and exit code 2."""
        done = self.run(program, *words, **environment)
        assert done.returncode == 2, done
        assert re.fullmatch(rf'wellies: [^\n]+; pip install "wellies\[{extra}\]"\n', done.stderr), done.stderr


@pytest.fixture(scope="module")
def plain_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = _build(folder, WELLIES_COMPILE="0")
    assert built.returncode == 0, built.stderr
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


GAME = """
import wellies
from wellies.bots.simulate import make_plan, run
match = wellies.Match(wellies.game("guppies"), seats=2, seed=7)
while match.state.due():
    seat = match.state.due()[0]
    match.play_move(seat, wellies.bot("greedy").choose(match.state, seat, wellies.Stream(1)))
print(match.state.outcome().reason)
print(len(run(make_plan("umbradeco", ["random"], games=4), jobs=2)))
"""


def test_without_extras_the_engine_is_all_there_is(plain_wheel: Path, tmp_path: Path) -> None:
    engine = Installed(tmp_path, plain_wheel, "")
    assert engine.packages() == ["wellies"]
    script = tmp_path / "game.py"
    script.write_text("if __name__ == '__main__':\n" + GAME.replace("\n", "\n    "), encoding="utf-8")
    played = engine.run("python", str(script))
    assert played.returncode == 0, played.stderr
    assert played.stdout.endswith("\n4\n")
    engine.lacks("cli", "wellies")
    engine.lacks("cli", "wellies", "simulate", "guppies")
    engine.lacks("cli", "python", "-m", "wellies", "--version")
    engine.lacks("cli", "wellies", _WELLIES_COMPLETE="complete_bash", COMP_WORDS="wellies si", COMP_CWORD="1")
    told = engine.run("python", "-c", "import wellies.client").stderr
    assert "wellies.client needs packages that are not installed" in told
    assert 'pip install "wellies[client]"' in told


def test_the_extra_cli_is_enough_for_the_terminal(plain_wheel: Path, tmp_path: Path) -> None:
    terminal = Installed(tmp_path, plain_wheel, "cli")
    assert {"litestar", "sqlalchemy", "redis", "ray", "httpx"}.isdisjoint(terminal.packages())
    done = terminal.run("wellies", "simulate", "guppies", "--bots", "greedy,random", "--games", "2", "--json")
    assert json.loads(done.stdout)["games"] == 2, done.stderr
    done = terminal.run("wellies", "play", "umbradeco", "-p", "bot:random", "-p", "bot:greedy", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "wellies replay" in done.stdout
    terminal.lacks("server", "wellies", "serve")
    terminal.lacks("server", "wellies", "schemas", "schemas")
    terminal.lacks("scale", "wellies", "think", "--redis", "redis://127.0.0.1:6379/0")
    terminal.lacks("cluster", "wellies", "arena", "guppies", "--cluster", "local")
    terminal.lacks("plot", "wellies", "arena", "guppies", "--plot", "ratings.png")


def test_the_extra_server_is_enough_to_serve_the_page(plain_wheel: Path, tmp_path: Path) -> None:
    server = Installed(tmp_path, plain_wheel, "server")
    assert {"asyncpg", "redis", "saq", "ray"}.isdisjoint(server.packages())
    server.lacks("scale", "wellies", "serve", "--redis", "redis://127.0.0.1:6379/0")
    server.lacks("scale", "wellies", "serve", "--database", "postgresql://somebody@127.0.0.1/wellies")
    server.lacks("scale", "wellies", "serve", "--redis", "redis://127.0.0.1:6379/0", "--bots", "queue")
    process = subprocess.Popen(
        [str(server.bin / "wellies"), "serve", "--port", "0", "--log", "error"],
        env=server.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        with urllib.request.urlopen(found[0], timeout=60) as answer:
            assert answer.headers["content-type"].startswith("text/html")
            assert b"<title>Wellies" in answer.read()
        with urllib.request.urlopen(f"{found[0]}/metrics", timeout=60) as answer:
            assert b"# TYPE wellies_moves_total counter\nwellies_moves_total 0.0\n" in answer.read()
    finally:
        process.terminate()
        process.wait(60)
        if process.stdout is not None:
            process.stdout.close()
