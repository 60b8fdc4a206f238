"""External bots: bots of another Wellies, or of any program. Each runs in a process of its own and gets views only."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

from wellies.bots.arena import external_bot_host
from wellies.bots.arena.participants import Participant
from wellies.core.errors import BadOption, MoveError, WelliesError
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.core.state import GameState

MOVE_SECONDS: Final = 600.0
"""The longest time for a move. A bot that takes longer is taken to hang."""

START_SECONDS: Final = 60.0
"""The longest time to start."""


class ExternalBotError(WelliesError):
    """An external bot cannot play on; the message says why, with the last line of its standard error."""


class ExternalBotLost(ExternalBotError):
    """The process of an external bot has ended. Its game can be played again with a new process."""


def command_for(home: str) -> tuple[list[str], dict[str, str]]:
    """The command and the environment of an external bot. `home` is a Python, a program, or a folder with a Wellies."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    script = str(Path(__file__).with_name("external_bot_host.py"))
    path = Path(home)
    if path.is_dir():
        for inside in (".venv/bin/python", "bin/python", ".venv/Scripts/python.exe", "Scripts/python.exe"):
            if (path / inside).is_file():
                return [str(path / inside), "-P", script], environment
        for source in (path / "src", path):
            if (source / "wellies" / "__init__.py").is_file():
                # A checkout that is not installed runs from its sources, with our own Python.
                environment["PYTHONPATH"] = str(source)
                return [sys.executable, "-P", script], environment
        raise BadOption(f"{home} holds no Wellies: neither .venv/bin/python nor src/wellies is in it.")
    if not os.access(path, os.X_OK):
        raise BadOption(f"{home} cannot be run; give the folder of the other Wellies, its Python, or a program.")
    if path.name.startswith(("python", "pypy")):
        return [str(path), "-P", script], environment
    return [str(path)], environment


class ExternalBot:
    """One process with one bot, which answers one request at a time."""

    def __init__(self, who: Participant, game: str) -> None:
        self.label = who.label
        command, environment = command_for(who.home)
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                env=environment,
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            self._stderr.close()
            reason = error.strerror or str(error)
            raise BadOption(f"{who.label}: {command[0]} does not start ({reason.lower()}); check its path.") from error
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read_lines, daemon=True).start()
        request = {"protocol": external_bot_host.PROTOCOL, "game": game, "bot": who.bot, "settings": who.settings}
        try:
            self.about = self._ask(request, START_SECONDS)
        except ExternalBotError:
            self.close()
            raise
        if self.about.get("ready") is not True:
            self.close()
            raise ExternalBotError(f"{self.label} did not say that it is ready, but {str(self.about)[:80]!r}.")

    def choose(self, spec: GameSpec, state: GameState, seat: int, table: str, random: str) -> int:
        """The bot's move, from the seat's view."""
        request = {"view": state.view(seat), "seat": seat, "table": table, "random": random}
        answer = self._ask(request, MOVE_SECONDS)
        text = answer.get("move")
        if not isinstance(text, str):
            raise ExternalBotError(f"{self.label} answered without a move: {str(answer)[:80]!r}.")
        try:
            return spec.parse_move(state, seat, text)
        except MoveError as error:
            raise ExternalBotError(f"{self.label} played {text[:60]!r}, which cannot be: {error}") from error

    def close(self) -> None:
        """Close its input, and kill it if it does not exit by itself."""
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._stderr.close()

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put("")

    def _ask(self, message: Json, seconds: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended; what it said before is still read
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise ExternalBotError(f"{self.label} has not answered for {seconds:.0f} seconds; it hangs.") from None
        if not line:
            self._lines.put("")  # for whoever asks again
            raise ExternalBotLost(f"{self.label} has ended by itself{self._last_line()}")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise ExternalBotError(f"{self.label} did not answer in JSON, but {line[:80]!r}.")
        if "error" in answer:
            raise ExternalBotError(f"{self.label} cannot play: {str(answer['error'])[:300]}")
        return answer

    def _last_line(self) -> str:
        """The last line that it wrote to stderr, if any."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        with contextlib.suppress(OSError, ValueError):
            self._stderr.seek(0)
            words = self._stderr.read().decode("utf-8", "replace").strip().split("\n")
            if words[-1]:
                return f": {words[-1][:200]}"
        return "; it said nothing."


_RUNNING: dict[tuple[str, str, str, str], ExternalBot] = {}
"""The external bots of this process, by game, label, home and bot. They are kept, since starting one is slow."""


def external_bot(who: Participant, game: str) -> ExternalBot:
    """The external bot of this participant. It is started when it is first needed."""
    key = (game, who.label, who.home, who.bot_text())
    if key not in _RUNNING:
        _RUNNING[key] = ExternalBot(who, game)
    return _RUNNING[key]


def close_all() -> None:
    """Close all external bots of this process."""
    while _RUNNING:
        _RUNNING.popitem()[1].close()
