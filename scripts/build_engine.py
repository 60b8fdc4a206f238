"""Packs what a browser needs to play without a server: `make page` runs it before the page is built.

It writes into a folder:

- `engine.zip`: the sources of the engine, the tables and `wellies.local`, as they are. The same sources always make the
  same bytes.
- `catalogue.json`: the answers to `GET /api/v1/games`, `/games/NAME`, `/bots` and `/puzzles`, by path. So shelf, rules
  and the calendar of puzzles can be shown before the engine is there.

It needs nothing but Python, and looks at nothing else that is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = ROOT / "src"
LAYERS: Final = ("core", "games", "bots", "match", "table", "puzzles", "local")
"""What runs in a browser; tests/test_structure.py knows all layers."""
SUFFIXES: Final = (".py", ".json", ".md")
LEFT_OUT: Final = (
    "wellies/bots/arena/*",
    "wellies/bots/process_pool.py",
    "wellies/bots/processor_time.py",
    "wellies/bots/search/processes.py",
    "wellies/bots/simulate.py",
    "wellies/core/batch.py",
    "wellies/core/extras.py",
    "wellies/core/window.py",
    "wellies/games/*/encoding.py",
    "wellies/games/*/generate_tiles.py",
    "wellies/games/*/terminal.py",
    "wellies/puzzles/collect.py",
    "wellies/puzzles/maker.py",
)
"""What no table needs: contests of bots, learning programs, other processes, making puzzles, and drawings for
terminals."""
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The oldest time that an archive can hold: when a file was written does not matter."""


def engine_files() -> list[Path]:
    """The files of the archive, relative to the folder of the sources, in a fixed order."""
    found = [Path("wellies/__init__.py")]
    for layer in LAYERS:
        paths = (path.relative_to(SOURCE) for path in (SOURCE / "wellies" / layer).rglob("*") if path.is_file())
        found += [path for path in paths if path.suffix in SUFFIXES and not any(map(path.match, LEFT_OUT))]
    return sorted(found, key=lambda path: path.parts)


def pack() -> bytes:
    """The archive. It is not compressed: how well that works differs between systems, and the page does it anyway."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in engine_files():
            entry = zipfile.ZipInfo(path.as_posix(), LONG_AGO)
            entry.create_system = 3  # else Windows would make other bytes
            archive.writestr(entry, (SOURCE / path).read_bytes(), zipfile.ZIP_STORED)
    return packed.getvalue()


async def catalogue() -> dict[str, object]:
    """What the routes answer that no table is needed for, by path."""
    from wellies.local.browser import open_app

    app = open_app(None)  # no table is asked for, so nothing is stored or shown
    paths = ["/games", "/bots", "/puzzles"]
    answers: dict[str, object] = {}
    for path in paths:
        answer = json.loads(await app.request("GET", f"/api/v1{path}"))
        assert answer["status"] == 200, f"{path}: {answer}"
        answers[path] = answer["body"]
        if path == "/games":
            paths += [f"/games/{game['name']}" for game in answer["body"]]
    return answers


def print_catalogue(archive: Path) -> None:
    """Print the catalogue of an archive, whose code this runs."""
    sys.path.insert(0, str(archive))
    found = json.dumps(asyncio.run(catalogue()), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    sys.stdout.buffer.write(f"{found}\n".encode())


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / "engine.zip"
    archive.write_bytes(pack())
    # In a Python of its own without any installed package: games from outside are not in the archive.
    asked = [sys.executable, "-I", "-S", str(Path(__file__).resolve()), "--catalogue", str(archive.resolve())]
    (folder / "catalogue.json").write_bytes(subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to write")
    parser.add_argument("--catalogue", action="store_true", help="print the catalogue of this archive instead")
    given = parser.parse_args()
    if given.catalogue:
        print_catalogue(given.folder)
    else:
        build(given.folder)


if __name__ == "__main__":
    main()
