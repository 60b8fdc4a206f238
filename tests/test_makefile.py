"""The Makefile builds what it should, when it should."""

from __future__ import annotations

import os
import re
import runpy
import subprocess

from engine_modules import ROOT, listed_sources


def prerequisites_of(target: str) -> set[str]:
    """The files that a file is built from, as `make` knows them."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    known = subprocess.run(
        ["make", "-pn", "help"], cwd=ROOT, env=plain, capture_output=True, text=True, check=True
    ).stdout
    found = re.search(rf"^{re.escape(target)}: (.*)$", known, re.MULTILINE)
    assert found is not None
    return set(found[1].split())


def test_the_compiled_copy_is_built_again_exactly_when_a_compiled_module_has_changed() -> None:
    sources = {str(path.relative_to(ROOT)) for path in listed_sources()}
    assert prerequisites_of("build/compiled/.ready") == sources | {".venv/.ready", "setup.py"}
    compiled = runpy.run_path(str(ROOT / "setup.py"))["engine_groups"]()
    assert {path for paths in compiled.values() for path in paths} == sources


def test_every_goal_that_people_use_is_explained() -> None:
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"play", "quick", "test", "check", "soak"} <= {line.split()[0] for line in told.splitlines()}
