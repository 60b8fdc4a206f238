"""`make audit`: are there known faults in what we depend on, and secrets in what we publish?

- Python packages: pip-audit, for all of `requirements.lock`. Packages of the page: `npm audit`. Both ask services for
  their advisories. Where a service cannot be reached, this says NOT CHECKED and does not fail.
- Secrets: every tracked text file is searched for keys and passwords, without any network.

A finding fails. `scripts/audit_allowed.toml` names the findings that do not, each with a reason; an advisory has a date
too, after which it fails again.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
ALLOWED: Final = Path(__file__).with_name("audit_allowed.toml")
PATIENCE: Final = 180
"""Seconds for one service."""
BINARY: Final = {".webp", ".png", ".ico", ".db", ".woff2", ".gz"}
LOCKS: Final = {"requirements.lock", "package-lock.json"}
"""Files of hashes."""

KEYS: Final[dict[str, str]] = {
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a key of AWS": r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
    "a token of GitHub": r"\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_[0-9A-Za-z_]{60,})",
    "a token of GitLab": r"\bglpat-[0-9A-Za-z_-]{20,}",
    "a token of npm": r"\bnpm_[0-9A-Za-z]{36}\b",
    "a token of PyPI": r"\bpypi-[0-9A-Za-z_-]{50,}",
    "a token of Slack": r"\bxox[abprs]-[0-9A-Za-z-]{10,}",
    "a key of Google": r"\bAIza[0-9A-Za-z_-]{35}\b",
    "a key of Stripe": r"\b[rs]k_live_[0-9A-Za-z]{20,}",
    "a key of an AI service": r"\bsk-(?:ant-|proj-)?[0-9A-Za-z_-]{32,}",
    "a JSON web token": r"\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}",
    "an address with a password": r"\b[a-z][a-z0-9+]{2,}://[^\s:/@'\"{}<>]+:(?!\*|\$|(?i:password)@)[^\s:/@'\"{}<>]{3,}@[^\s'\"]+",
}
_KEYS: Final = [(what, re.compile(pattern)) for what, pattern in KEYS.items()]
_NAMED: Final = re.compile(
    r"""(?ix) \b [\w-]* (?:secret|password|passwd|token|api[_-]?key|private[_-]?key) [\w-]* ["']? \s* [:=]+ \s*
    ["'] ([^"'\s]{16,}) ["']"""
)
RANDOM: Final = 3.5
"""Bits in each character from which a text counts as random."""


@dataclass(frozen=True)
class Found:
    """One finding. `key` is what the allow list names it by."""

    where: str
    what: str
    key: str


# --- secrets ----------------------------------------------------------------------------------------------------------


def secrets_in(text: str, where: str) -> Iterator[Found]:
    """Keys by their known forms, and random texts that are called secret."""
    for number, line in enumerate(text.splitlines(), 1):
        for what, pattern in _KEYS:
            for match in pattern.finditer(line):
                yield Found(f"{where}:{number}", what, fingerprint(match[0]))
        for match in _NAMED.finditer(line):
            if _bits(match[1]) >= RANDOM and any(char.isdigit() for char in match[1]):
                yield Found(f"{where}:{number}", "a random text that is called secret", fingerprint(match[1]))


def fingerprint(secret: str) -> str:
    """Names a secret without telling it."""
    return hashlib.sha256(secret.encode()).hexdigest()[:16]


def _bits(text: str) -> float:
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def tracked_files(root: Path) -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    return [root / name for name in done.stdout.decode().split("\0") if name]


def scan(root: Path) -> list[Found]:
    """The secrets in all tracked files of a repository."""
    found: list[Found] = []
    for path in tracked_files(root):
        if path.suffix in BINARY or path.name in LOCKS or not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        found += secrets_in(text, path.relative_to(root).as_posix())
    return found


# --- advisories -------------------------------------------------------------------------------------------------------


def python_advisories(report: dict[str, Any]) -> tuple[list[Found], str]:
    """The findings in a report of pip-audit, and what was not checked. It calls a package that the service does not
    know a success, so these are counted here."""
    packages = report["dependencies"]
    unknown = [each for each in packages if "skip_reason" in each]
    found = [
        Found(f"{each['name']} {each['version']}", f"{fault['id']}, mended in {fault['fix_versions']}", fault["id"])
        for each in packages
        for fault in each.get("vulns", [])
    ]
    if not unknown:
        return found, ""
    return found, f"the service knows nothing of {len(unknown)} of {len(packages)} packages"


def npm_advisories(report: dict[str, Any]) -> tuple[list[Found], str]:
    """The findings in a report of npm, and what was not checked."""
    if "vulnerabilities" not in report:
        return [], str(report.get("message") or report.get("error") or "npm gave no report")
    found = []
    for name, each in report["vulnerabilities"].items():
        for fault in each["via"]:
            if isinstance(fault, dict):
                found.append(
                    Found(f"{name} (page)", f"{fault['title']} {fault['url']}", fault["url"].rpartition("/")[2])
                )
    return found, ""


def _run_json(command: list[str], folder: Path) -> dict[str, Any] | str:
    """The report of a program, or why there is none."""
    program = shutil.which(command[0], path=None)
    if program is None:
        return f"{command[0]} is not installed"
    try:
        done = subprocess.run([program, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
        report = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return f"no answer within {PATIENCE} seconds"
    except ValueError:
        lines = done.stderr.strip().splitlines()
        return lines[-1] if lines else "no report"
    return report if isinstance(report, dict) else "no report"


def check_python() -> tuple[list[Found], str]:
    uv = str(Path(sys.executable).with_name("uv"))
    options = ["-r", "requirements.lock", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    report = _run_json([uv, "tool", "run", "--quiet", "pip-audit", *options], ROOT)
    return ([], report) if isinstance(report, str) else python_advisories(report)


def check_page() -> tuple[list[Found], str]:
    report = _run_json(["npm", "audit", "--package-lock-only", "--json"], ROOT / "web")
    return ([], report) if isinstance(report, str) else npm_advisories(report)


# --- what is allowed --------------------------------------------------------------------------------------------------


def allowed_keys(text: str, today: date) -> set[str]:
    """The keys of the allow list that hold today. ValueError if one has no reason or, for an advisory, no date."""
    keys = set()
    for kind, entries in tomllib.loads(text).items():
        for entry in entries:
            if not entry.get("reason"):
                raise ValueError(f"{entry} has no reason")
            if kind == "advisory" and not isinstance(entry.get("until"), date):
                raise ValueError(f"{entry} has no date `until`")
            if entry.get("until", today) >= today:
                keys.add(entry["key"])
    return keys


def main() -> int:
    today = datetime.now(UTC).date()
    allowed = allowed_keys(ALLOWED.read_text(encoding="utf-8"), today)
    failed = False
    parts = {
        "secrets": lambda: (scan(ROOT), ""),
        "Python packages": check_python,
        "packages of the page": check_page,
    }
    for name, check in parts.items():
        found, unchecked = check()
        open_findings = [each for each in found if each.key not in allowed]
        for each in open_findings:
            print(f"FOUND: {each.where}: {each.what} (key {each.key})", file=sys.stderr)
        failed = failed or bool(open_findings)
        if unchecked:
            print(f"NOT CHECKED: {name}: {unchecked}.")
        elif not open_findings:
            print(f"{name}: nothing found" + (f", {len(found)} allowed" if found else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
