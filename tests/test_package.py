"""What a package index shows: one version everywhere, complete metadata, and no link that leads nowhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest
from helpers import HERE

import wellies

ROOT = HERE.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LINK = re.compile(r"\]\(([^)\s]+)\)")


def _metadata(folder: Path, address: str) -> Message:
    """The metadata of a build whose project lives at this address."""
    for name in ("setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    text, found = re.subn(r'(?m)^address = ".*"$', f'address = "{address}"', text)
    assert found == 1
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    (folder / "src").mkdir()
    command = [sys.executable, "-W", "ignore", "setup.py", "--quiet", "egg_info", "--egg-base", "."]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return message_from_string((folder / "wellies.egg-info" / "PKG-INFO").read_text(encoding="utf-8"))


def test_the_version_is_the_same_everywhere() -> None:
    version = wellies.__version__
    page = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    interface = json.loads((ROOT / "web" / "schemas" / "openapi.json").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    manual = (ROOT / "docs" / "compiled.md").read_text(encoding="utf-8")
    told = {
        "pyproject.toml": PROJECT["project"]["version"],
        "web/package.json": page["version"],
        "web/package-lock.json": lock["version"],
        "web/package-lock.json, the page": lock["packages"][""]["version"],
        "web/schemas/openapi.json": interface["info"]["version"],
        "CHANGELOG.md": re.findall(r"(?m)^## (\d[\d.]*)", changes)[0],
        **{f"docs/compiled.md {line}": line for line in re.findall(r"(?m)^wellies ([\d.]+) \(", manual)},
    }
    assert told == dict.fromkeys(told, version)


def test_the_metadata_says_who_what_and_under_which_licence(tmp_path: Path) -> None:
    told = _metadata(tmp_path, "https://forge.example/wellies")
    assert told["Name"] == "wellies"
    assert told["Version"] == wellies.__version__
    assert told["License-Expression"] == "MIT"
    assert told["License-File"] == "LICENSE"
    assert told["Author"] == "The Wellies authors"
    assert told["Description-Content-Type"] == "text/markdown"
    classifiers = told.get_all("Classifier") or []
    oldest = int(PROJECT["project"]["requires-python"].removeprefix(">=3."))
    assert f"Programming Language :: Python :: 3.{oldest}" in classifiers
    assert f"Programming Language :: Python :: 3.{oldest - 1}" not in classifiers
    assert "Typing :: Typed" in classifiers
    assert not [each for each in classifiers if each.startswith("License")]  # the expression says it
    assert told.get_all("Project-URL") == [
        "Source, https://forge.example/wellies",
        f"Changes, https://forge.example/wellies/blob/v{wellies.__version__}/CHANGELOG.md",
        f"Documentation, https://forge.example/wellies/tree/v{wellies.__version__}/docs",
    ]


def test_links_of_the_readme_lead_to_files_that_are_there() -> None:
    links = LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 20
    assert [link for link in links if "://" not in link and not (ROOT / link).is_file()] == []


def test_links_on_the_package_page_are_absolute(tmp_path: Path) -> None:
    here = f"https://forge.example/wellies/raw/v{wellies.__version__}/"
    page = str(_metadata(tmp_path, "https://forge.example/wellies").get_payload())
    links = LINK.findall(page)
    assert len(links) == len(LINK.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    assert [link for link in links if not link.startswith("https://")] == []
    assert f"![Guppies in the browser]({here}docs/pictures/page-guppies-wide.webp)" in page


def test_without_an_address_the_package_page_has_no_links_that_lead_nowhere(tmp_path: Path) -> None:
    told = _metadata(tmp_path, "")
    page = str(told.get_payload())
    assert "# Wellies" in page
    assert "| Guppies | 2-6 |" in page  # the words of a link stay
    assert [link for link in LINK.findall(page) if not link.startswith("https://")] == []
    assert "<!--" not in page
    assert "| | | |" not in page
    assert told.get_all("Project-URL") is None


@pytest.mark.parametrize("name", ["LICENSE", "CHANGELOG.md"])
def test_the_source_distribution_lists_what_people_look_for(name: str) -> None:
    assert (ROOT / name).is_file()
    listed = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").split()
    assert name in listed or name in PROJECT["project"]["license-files"]


def test_wheels_for_linux_are_built_for_every_python_that_is_named() -> None:
    wheels = PROJECT["tool"]["cibuildwheel"]
    named = re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert wheels["build"] == [f"cp3{minor}-*" for minor in named]
    assert wheels["linux"]["manylinux-x86_64-image"].startswith("manylinux")
    assert wheels["environment"]["WELLIES_COMPILE"] == "1"  # else a pure wheel would be built, once for each Python
