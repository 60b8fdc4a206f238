"""Builds the package: with the engine compiled by mypyc, from the same sources, wherever there is a C compiler.

`[tool.wellies.engine]` in pyproject.toml lists the modules. WELLIES_COMPILE=0 leaves all of them plain Python;
WELLIES_COMPILE=1 stops with an error where they cannot be compiled, instead of leaving them so. WELLIES_OPTIMISE is the
C compiler's level, from 0 (builds soonest) to 3 (runs fastest, the default). An editable install never compiles: what
is compiled in place hides later edits (see docs/compiled.md).

It also makes the text of the package page from README.md, whose links are relative, and `address` in
`[tool.wellies.project]` (see docs/publishing.md).
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WISH = os.environ.get("WELLIES_COMPILE", "")
"""0: do not compile; 1: compile or fail; otherwise compile if possible."""


def say(text: str) -> None:
    print(f"wellies: {text}", file=sys.stderr)


def engine_groups() -> dict[str, list[str]]:
    """The files to compile, by package: each package becomes one library, so that they are built in parallel."""
    listed = PROJECT["tool"]["wellies"]["engine"]
    left = {path for pattern in listed["leave"] for path in ROOT.glob(pattern)}
    groups: dict[str, list[str]] = {}
    for pattern in listed["compile"]:
        for path in sorted(ROOT.glob(pattern)):
            if path not in left:
                groups.setdefault("wellies_" + path.parent.name, []).append(str(path.relative_to(ROOT)))
    return groups


def trouble() -> str:
    """What stands in the way of compiling, in words; nothing if all is there."""
    try:
        import mypyc.build  # noqa: F401
    except ImportError:
        return "mypyc, which is part of mypy, is not installed"
    from setuptools._distutils.ccompiler import new_compiler
    from setuptools._distutils.sysconfig import customize_compiler

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "try.c")
        source.write_text("#include <Python.h>\nint wellies_try(void) { return PY_MAJOR_VERSION; }\n")
        compiler = new_compiler()
        customize_compiler(compiler)
        try:
            compiler.compile([str(source)], output_dir=folder, include_dirs=[sysconfig.get_path("include")])
        except Exception:
            return "there is no C compiler here that finds Python's headers (on Debian: gcc and python3-dev)"
    return ""


def give_up(why: str) -> None:
    """Plain Python it is, unless compiled code was asked for."""
    if WISH == "1":
        sys.exit(f"wellies: the engine cannot be compiled: {why}.")
    say(f"the engine is not compiled, and will run as plain Python: {why}.")


def compiled_engine() -> list[Extension]:
    """The extension modules to build; none if this command builds nothing, or nothing can or should be compiled."""
    if not {"bdist_wheel", "build", "build_ext"} & set(sys.argv):
        return []
    if WISH == "0":
        say("the engine is not compiled, since WELLIES_COMPILE is 0; it will run as plain Python.")
        return []
    why = trouble()
    if why:
        give_up(why)
        return []
    from mypyc.build import mypycify

    groups = engine_groups()
    try:
        return mypycify(
            ["--cache-dir", "build/engine/cache", *(path for paths in groups.values() for path in paths)],
            separate=[(paths, name) for name, paths in groups.items()],
            opt_level=os.environ.get("WELLIES_OPTIMISE", "3"),
            debug_level="0",
            target_dir="build/engine",
        )
    except (Exception, SystemExit) as error:
        give_up(f"mypyc refuses the sources ({error})")
        return []


class BuildEngine(build_ext):
    """Builds the libraries side by side; all of them or none, for one cannot do without the others."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            for output in self.get_outputs():
                Path(output).unlink(missing_ok=True)
            self.extensions = []
            give_up(f"the C compiler failed ({error})")


def package_page(text: str, address: str, version: str) -> str:
    """README.md for a package index: relative links lead to this version at the address. Without an address they become
    plain words, and the pictures are left out."""
    if not address:
        text = re.sub(r"(?s)<!-- pictures -->.*?<!-- end of pictures -->\n\n?", "", text)
        return re.sub(r"\[([^\]]+)\]\((?!https?://)[^)]+\)", r"\1", text)
    text = re.sub(r"<!-- (end of )?pictures -->\n", "", text)
    text = re.sub(r"(!\[[^\]]*\])\((?!https?://)", rf"\1({address}/raw/v{version}/", text)
    return re.sub(r"\]\((?!https?://)", rf"]({address}/blob/v{version}/", text)


def project_urls(address: str, version: str) -> dict[str, str]:
    if not address:
        return {}
    return {
        "Source": address,
        "Changes": f"{address}/blob/v{version}/CHANGELOG.md",
        "Documentation": f"{address}/tree/v{version}/docs",
    }


ADDRESS = PROJECT["tool"]["wellies"]["project"]["address"]
VERSION = PROJECT["project"]["version"]

if __name__ == "__main__":
    setup(
        ext_modules=compiled_engine(),
        cmdclass={"build_ext": BuildEngine},
        long_description=package_page((ROOT / "README.md").read_text(encoding="utf-8"), ADDRESS, VERSION),
        long_description_content_type="text/markdown",
        project_urls=project_urls(ADDRESS, VERSION),
    )
