"""Games in packages of their own: found by their entry points, loaded when asked for, and never in each other's way."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from example_games import announce
from toy import ToySpec

import wellies
from wellies.core.registry import Shelf
from wellies.core.spec import GameSpec
from wellies.games import SHELF, game_title, unregister

BUILT_IN = Shelf("wellies.games", wellies.games.__path__).names()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where packages can be installed."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def shelf() -> Shelf:
    return Shelf("wellies.games", wellies.games.__path__)


def refused(shelf: Shelf, name: str) -> str:
    with pytest.raises(wellies.BadGame) as caught:
        shelf.get(name)
    return str(caught.value)


def test_a_package_puts_its_game_on_the_shelf_and_is_loaded_when_asked_for(site: Path) -> None:
    (site / "far.py").write_text("from toy import ToySpec\nSPEC = ToySpec()\nSPEC.name = 'far'\n", encoding="utf-8")
    announce(site, "far", "far:SPEC")
    found = shelf()
    assert set(found.names()) == {*BUILT_IN, "far"}
    assert "far" not in sys.modules
    assert found.get("far").title == "Toy"
    assert found.get("far") is found.get("far")
    assert "far" in sys.modules
    del sys.modules["far"]


def test_an_entry_point_may_lead_to_a_class_or_a_function(site: Path) -> None:
    announce(site, "toy", "toy:ToySpec")
    assert isinstance(shelf().get("toy"), ToySpec)


@pytest.mark.parametrize(
    ("value", "source", "wrong"),
    [
        ("missing_module:SPEC", "", "ModuleNotFoundError: No module named 'missing_module'"),
        ("wrong:SPEC", "import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("wrong:SPEC", "1 / 0", "ZeroDivisionError"),
        ("wrong:SPEC", "x =", "SyntaxError"),
        ("wrong:SPEC", "", "has no attribute 'SPEC'"),
        ("wrong:SPEC", "SPEC = 'a text'", "wrong:SPEC: a GameSpec is needed, not str"),
        ("wrong:SPEC", "def SPEC(): return 5", "a GameSpec is needed, not int"),
        ("wrong:SPEC", "def SPEC(more): return 5", "TypeError"),
        ("wrong:SPEC", "from wellies import GameSpec as SPEC", "its name must be lower-case letters"),
        ("toy:ToySpec", "", "its entry point is named 'bad' and its spec 'toy'"),
        (
            "wrong:SPEC",
            "from wellies import GameSpec\nclass SPEC(GameSpec):\n    name = 'bad'\n    title = 'Bad'",
            "its spec lacks summary, minutes, min_seats, max_seats, rules_version, options",
        ),
    ],
)
def test_a_broken_package_is_named_with_what_is_wrong_and_breaks_nothing_else(
    site: Path, caplog: pytest.LogCaptureFixture, value: str, source: str, wrong: str
) -> None:
    sys.modules.pop("wrong", None)
    (site / "wrong.py").write_text(source, encoding="utf-8")
    announce(site, "bad", value)
    found = shelf()
    assert "bad" in found.names()
    for _ in range(2):
        said = refused(found, "bad")
        assert "the game 'bad' of the package 'package-bad' cannot be loaded" in said
        assert wrong in said
    assert found.get("guppies").name == "guppies"
    found = shelf()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert [spec.name for spec in found.load_all()] == BUILT_IN
    assert [record.message for record in caplog.records] == [said], "it is told once"


def test_two_packages_cannot_share_a_name(site: Path) -> None:
    announce(site, "toy", "toy:ToySpec", "one")
    announce(site, "toy", "toy:ToySpec", "two")
    found = shelf()
    assert "the game 'toy' is in the packages 'one' and 'two'; uninstall all but one" in refused(found, "toy")
    assert [spec.name for spec in found.load_all()] == BUILT_IN


def test_a_built_in_game_keeps_its_name(site: Path, caplog: pytest.LogCaptureFixture) -> None:
    announce(site, "guppies", "toy:ToySpec", "cuckoo")
    found = shelf()
    with caplog.at_level(logging.WARNING):
        assert found.names() == BUILT_IN
    assert "the package 'cuckoo' announces a game 'guppies', which is the name of a built-in game" in caplog.text
    assert found.get("guppies").title == "Guppies"


def test_a_program_registers_a_game_of_its_own() -> None:
    first, second = ToySpec(), ToySpec()
    try:
        wellies.register(first)
        assert wellies.game("toy") is first
        assert "toy" in wellies.list_games()
        wellies.register(second)
        assert wellies.game("toy") is second, "a program that is run again replaces its game"
        assert game_title("toy") == "Toy"
    finally:
        unregister("toy")
    with pytest.raises(wellies.UnknownGame):
        wellies.game("toy")
    assert game_title("toy") == "toy", "a table of a game that is gone still has a name"
    unregister("toy")


def test_a_registered_game_is_complete_and_takes_no_name_of_another(site: Path) -> None:
    taken = ToySpec()
    taken.name = "guppies"
    with pytest.raises(wellies.BadGame, match="'guppies' is the name of a built-in game"):
        wellies.register(taken)
    announce(site, "toy", "toy:ToySpec", "first")
    with pytest.raises(wellies.BadGame, match="'toy' is the name of a game of the installed package 'first'"):
        shelf().register(ToySpec())
    with pytest.raises(wellies.BadGame, match="a GameSpec is needed, not type"):
        wellies.register(ToySpec)  # type: ignore[arg-type]
    assert wellies.list_games() == SHELF.names()


def test_no_package_is_looked_for_before_it_is_needed() -> None:
    program = "import sys, wellies; wellies.game('guppies'); print('importlib.metadata' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


def test_rules_come_from_the_class_or_from_a_file_beside_it_or_are_the_summary(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Told(GameSpec):
        title = "Told"
        summary = "A summary."
        rules_text = "# Told\n\nIn full."

    assert Told().rules() == "# Told\n\nIn full."
    package = site / "filed"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "spec.py").write_text("from wellies import GameSpec\nclass Filed(GameSpec): pass\n", encoding="utf-8")
    (package / "rules.md").write_text("# Filed\n", encoding="utf-8")
    from filed.spec import Filed  # type: ignore[import-not-found]

    assert Filed().rules() == "# Filed\n"
    monkeypatch.setattr(Told, "rules_text", "")
    assert Told().rules() == "# Told\n\nA summary.\n"
