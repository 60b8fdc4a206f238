"""Packs what a browser needs to play without a server: `make page` runs it before the page is built.

It writes into a folder:

- `engine.zip`: the sources of the engine, the tables and `wellies.local`, as they are. The same sources always make the
  same bytes.
- `catalogue.json`: the answers to `GET /api/v1/games`, `/games/NAME` and `/bots`, by path. So shelf and rules can be
  shown before the engine is there.

It needs nothing but Python.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = ROOT / "src"
LAYERS: Final = ("core", "games", "bots", "match", "table", "local")
"""What runs in a browser; tests/test_structure.py knows all layers."""
SUFFIXES: Final = (".py", ".json", ".md")
LEFT_OUT: Final = (
    "wellies/bots/arena/*",
    "wellies/bots/process_pool.py",
    "wellies/bots/processor_time.py",
    "wellies/bots/simulate.py",
    "wellies/games/*/generate_tiles.py",
    "wellies/games/*/terminal.py",
)
"""What no table needs: contests of bots, other processes, and drawings for terminals."""
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The oldest time that an archive can hold: when a file was written does not matter."""


def engine_files() -> list[Path]:
    """The files of the archive, relative to the folder of the sources, in a fixed order."""
    found = [Path("wellies/__init__.py")]
    for layer in LAYERS:
        paths = (path.relative_to(SOURCE) for path in (SOURCE / "wellies" / layer).rglob("*") if path.is_file())
        found += [path for path in paths if path.suffix in SUFFIXES and not any(map(path.match, LEFT_OUT))]
    return sorted(found)


def pack() -> bytes:
    """The archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in engine_files():
            entry = zipfile.ZipInfo(path.as_posix(), LONG_AGO)
            entry.create_system = 3  # else Windows would make other bytes
            archive.writestr(entry, (SOURCE / path).read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


async def catalogue() -> dict[str, object]:
    """What the routes answer that no table is needed for, by path."""
    from wellies.local.browser import open_app

    app = open_app(None)  # no table is asked for, so nothing is stored or shown
    paths = ["/games", "/bots"]
    answers: dict[str, object] = {}
    for path in paths:
        answer = json.loads(await app.request("GET", f"/api/v1{path}"))
        assert answer["status"] == 200, f"{path}: {answer}"
        answers[path] = answer["body"]
        if path == "/games":
            paths += [f"/games/{game['name']}" for game in answer["body"]]
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to write")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(SOURCE))
    (folder / "engine.zip").write_bytes(pack())
    text = json.dumps(asyncio.run(catalogue()), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    (folder / "catalogue.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
