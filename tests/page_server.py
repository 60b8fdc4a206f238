"""`wellies serve` for tests, benchmarks and pictures of the page, and where the browser is."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, ViewportSize

ROOT = Path(__file__).parent.parent
OUTPUT = ROOT / "tests" / "output"
PAGE = ROOT / "src" / "wellies" / "server" / "page" / "index.html"
BROWSER_FLAGS = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync""".split()
LONGEST = 120.0
"""Seconds that a test waits for what it expects of a page: far above what a busy machine needs."""
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


Opener = Callable[..., Page]


def find_browser(*, whole: bool = False) -> str | None:
    """The system's Chromium, if there is one without windows: it is lighter, but shows no notifications, so `whole`
    leaves it out. None leaves it to Playwright's own."""
    for name in (*([] if whole else ["chromium-headless-shell"]), "chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None


def note_errors(context: BrowserContext, errors: list[str]) -> None:
    """Every error of any page of this browser, and in its console, from now on."""
    context.on("weberror", lambda error: errors.append(f"{error.error} at {error.page and error.page.url}"))
    context.on(
        "console",
        lambda said: errors.append(f"{said.text} ({said.location['url']})") if said.type == "error" else None,
    )
    context.on(
        "response", lambda answer: errors.append(f"{answer.url}: {answer.text()}") if answer.status == 409 else None
    )


class ServerProcess:
    """`wellies serve` as a process of its own, on a port and database of its own."""

    def __init__(self, folder: Path, **settings: str) -> None:
        """`settings` are further variables of its environment."""
        self.folder = folder
        self.settings = settings
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self._read = 0

    def start(self) -> None:
        environment = {
            **os.environ,
            "WELLIES_REQUESTS_PER_SECOND": "0",
            "WELLIES_GUESTS_PER_MINUTE": "0",
            "WELLIES_LOGINS_PER_MINUTE": "0",
            "WELLIES_SOCKETS_EACH": "0",
            "WELLIES_BOT_PROCESSES": "1",
            "WELLIES_ANALYSIS_SECONDS": "6",
            "WELLIES_ANALYSES_PER_HOUR": "0",
            **self.settings,
        }
        command = [sys.executable, "-m", "wellies", "serve", "--port", str(self.port), "--data", str(self.folder)]
        if not (ROOT / "src" / "wellies" / "__main__.py").exists():
            command[1:3] = ["-c", "from wellies.cli.app import run; run()"]
        log = (self.folder / "server.log").open("ab")
        self.process = subprocess.Popen([*command, "--log", "warning"], env=environment, stdout=log, stderr=log)
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/health", timeout=5):
                return
            assert self.process.poll() is None, (self.folder / "server.log").read_text()
            time.sleep(0.05)
        raise AssertionError("the server takes too long to start")

    def new_errors(self) -> list[str]:
        """The errors in the server's log since this was last asked."""
        with (self.folder / "server.log").open(encoding="utf-8", errors="replace") as log:
            log.seek(self._read)
            lines = log.readlines()
            self._read = log.tell()
        return [line for line in lines if re.search(r'"level": "(error|critical)"|Traceback|Error:', line)]

    def stop(self, *, hard: bool = False) -> None:
        """End it politely, or as a power cut does."""
        if self.process is not None:
            self.process.kill() if hard else self.process.terminate()
            try:
                self.process.wait(LONGEST)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None
