"""`make audit` finds planted keys and faults, and does not call unchecked what it has not checked."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from helpers import HERE


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", HERE.parent / "scripts" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["audit"] = module
    spec.loader.exec_module(module)
    return module


audit: Any = _load()

# In two halves, so that this file holds none.
PLANTED = {
    "a private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "a key of AWS": "AKIA" + "IOSFODNN7EXAMPL3",
    "a token of GitHub": "ghp_" + "a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6",
    "a token of GitLab": "glpat-" + "a1B2c3D4e5F6a1B2c3D4",
    "a token of npm": "npm_" + "a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6",
    "a token of PyPI": "pypi-" + "AgEIcHlwaS5vcmc" * 4,
    "a token of Slack": "xoxb-" + "123456789012-abcdef",
    "a key of Google": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "a key of Stripe": "sk_live_" + "a1B2c3D4e5F6a1B2c3D4",
    "a key of an AI service": "sk-" + "ant-a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3",
    "a JSON web token": "eyJhbGciOiJI"
    + "UzI1NiJ9."
    + "eyJzdWIiOiIxMjM0NTY3ODkwIn0."
    + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "an address with a password": "postgresql://wellies:" + "hunter2@db/wellies",
    "a random text that is called secret": "cookie_secret = " + "'f3a9c1d07b2e" + "48e6a5c4'",
}


@pytest.mark.parametrize("what", [*audit.KEYS, "a random text that is called secret"])
def test_a_planted_key_is_found(tmp_path: Path, what: str) -> None:
    """In a repository of its own, by the same way that `make audit` goes."""
    (tmp_path / "settings.py").write_text(f"# first line\nvalue = {PLANTED[what]!r}  # {PLANTED[what]}\n")
    (tmp_path / "clean.py").write_text("password = input()\n")
    (tmp_path / "not_tracked.py").write_text(PLANTED[what])
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "settings.py", "clean.py"], cwd=tmp_path, check=True)
    found = audit.scan(tmp_path)
    assert {each.where for each in found} == {"settings.py:2"}
    assert what in {each.what for each in found}
    assert not any(PLANTED[what] in each.key for each in found), "a finding does not tell the secret"


def test_this_repository_holds_no_secret() -> None:
    root = HERE.parent
    if not (root / ".git").exists():
        pytest.skip("this is no repository")
    allowed = audit.allowed_keys(audit.ALLOWED.read_text(encoding="utf-8"), date.today())
    assert [each for each in audit.scan(root) if each.key not in allowed] == []


def test_what_the_service_does_not_know_is_not_called_checked() -> None:
    fault = {"id": "PYSEC-1", "fix_versions": ["2.0"]}
    known = {"name": "a", "version": "1.0", "vulns": [fault]}
    assert audit.python_advisories({"dependencies": [known]})[1] == ""
    found, unchecked = audit.python_advisories({"dependencies": [known, {"name": "b", "skip_reason": "not found"}]})
    assert [each.key for each in found] == ["PYSEC-1"]
    assert "1 of 2" in unchecked


def test_a_report_of_npm_is_read() -> None:
    fault = {"title": "bad", "url": "https://github.com/advisories/GHSA-1"}
    found, unchecked = audit.npm_advisories({"vulnerabilities": {"x": {"via": [fault, "y"]}}})
    assert [each.key for each in found] == ["GHSA-1"]
    assert unchecked == ""
    assert audit.npm_advisories({"message": "405 Method Not Allowed"}) == ([], "405 Method Not Allowed")


def test_what_is_allowed_has_a_reason_and_an_end() -> None:
    entry = '[[advisory]]\nkey = "PYSEC-1"\nreason = "not used"\nuntil = 2026-12-31\n'
    assert audit.allowed_keys(entry, date(2026, 12, 31)) == {"PYSEC-1"}
    assert audit.allowed_keys(entry, date(2027, 1, 1)) == set()
    for missing in ("reason", "until"):
        cut = "\n".join(line for line in entry.splitlines() if not line.startswith(missing))
        with pytest.raises(ValueError, match=missing):
            audit.allowed_keys(cut, date(2026, 12, 31))
