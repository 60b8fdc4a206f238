"""The modules of the engine that can be compiled, as pyproject.toml lists them, and which of them are.

As a program it prints their files, for the Makefile.
"""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def listed_sources() -> list[Path]:
    """The files that setup.py compiles."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["wellies"]["engine"]
    left = {path for pattern in listed["leave"] for path in ROOT.glob(pattern)}
    return sorted({path for pattern in listed["compile"] for path in ROOT.glob(pattern)} - left)


def listed_modules() -> list[str]:
    """All modules that `make compiled` compiles."""
    return [".".join(path.relative_to(ROOT / "src").with_suffix("").parts) for path in listed_sources()]


def file_of(module: str) -> Path:
    """Where a module was loaded from."""
    return Path(str(importlib.import_module(module).__file__))


def uncompiled_modules() -> list[str]:
    """Those that run as plain Python."""
    return [name for name in listed_modules() if file_of(name).suffix == ".py"]


def stale_modules() -> list[str]:
    """Those that were compiled in place before their source was last edited."""
    found: list[str] = []
    for name in listed_modules():
        source = ROOT / "src" / Path(*name.split(".")).with_suffix(".py")
        built = [path for path in source.parent.glob(f"{source.stem}.*") if path.suffix in {".so", ".pyd"}]
        if any(path.stat().st_mtime < source.stat().st_mtime for path in built):
            found.append(name)
    return found


if __name__ == "__main__":
    print(*[path.relative_to(ROOT) for path in listed_sources()], sep="\n")
