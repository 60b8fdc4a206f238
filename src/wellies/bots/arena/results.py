"""The results file of an arena: one line of JSON for the plan, then one line for each game.

Lines are appended as games end. If the machine stops in the middle of a line, that line is dropped when the file is
opened again, and its game is played again.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any, Final

from wellies.bots import make_bot
from wellies.bots.arena.plan import Plan
from wellies.bots.arena.playing import Result
from wellies.core.errors import WelliesError
from wellies.core.events import Json
from wellies.games import game

FORMAT: Final = 1
SYNC_SECONDS: Final = 1.0
_BEGIN: Final = b'{"wellies": "arena"'


class BadResults(WelliesError):
    """A results file that cannot be used: damaged, of another plan, or in use."""


class SavedResults:
    """The content of a results file. `good` is the number of its bytes that are complete lines."""

    def __init__(self, plan: Json, rounds: int, results: dict[int, Result], good: int) -> None:
        self.plan = plan
        self.rounds = rounds
        self.results = results
        self.good = good


def read_results(path: Path, data: bytes) -> SavedResults | None:
    """The plan and the games in a file's bytes; None if there is no complete line."""
    good = data.rfind(b"\n") + 1
    lines = data[:good].split(b"\n")[:-1]
    if not lines:
        if data[: len(_BEGIN)] != _BEGIN[: len(data)]:
            raise BadResults(f"{path} is not a results file of an arena; name another file.")
        return None
    head = _json(lines[0])
    if not isinstance(head, dict) or head.get("wellies") != "arena" or not isinstance(head.get("plan"), dict):
        raise BadResults(f"{path} is not a results file of an arena; name another file.")
    if head.get("format") != FORMAT:
        raise BadResults(
            f"{path} is of format {head.get('format')!r}, and this Wellies reads {FORMAT}; begin a new file."
        )
    results: dict[int, Result] = {}
    seats = head["plan"].get("seats")
    for number, line in enumerate(lines[1:], 2):
        try:
            result = Result.from_json(_json(line))
            if len(result.scores) != seats:
                raise ValueError("wrong number of seats")
        except (KeyError, TypeError, ValueError):
            if number == len(lines) and _json(line) is None:  # the machine stopped before the line was on disk
                good -= len(line) + 1
                break
            raise BadResults(f"{path}, line {number}, is not the result of a game; remove that line.") from None
        results[result.number] = result
    rounds = head.get("rounds")
    return SavedResults(head["plan"], rounds if isinstance(rounds, int) else 1, results, good)


def check_readable(saved: SavedResults, rounds: int) -> Plan:
    """The plan of a file, for an arena that continues it."""
    try:
        plan = Plan.from_json(saved.plan, rounds)
        game(plan.game).start(plan.seats, plan.options)
        if not plan.tables or not all(0 <= index < len(plan.participants) for table in plan.tables for index in table):
            raise ValueError("a table is empty or names unknown participants")
        for one in plan.participants:
            if not one.home:
                make_bot(one.bot_text())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadResults(f"the first line of the results file is damaged ({error}); begin a new file.") from error
    return plan


def check_same(path: Path, saved: Json, plan: Json) -> None:
    """BadResults, with the differences, unless the file holds games of the same plan."""
    ours = json.loads(json.dumps(plan))
    names = {"code": "the code of Wellies", "rules_version": "the rules version", "tables": "who meets whom"}
    differences = []
    for name in sorted({*saved, *ours}):
        there, here = saved.get(name), ours.get(name)
        if there == here:
            continue
        if name == "participants":
            there, here = _labels(there), _labels(here)
        if name in ("code", "tables") or there == here:
            differences.append(f"{names.get(name, name)} differ" + ("s" if name == "code" else ""))
        else:
            differences.append(f"{names.get(name, name)}: {_short(there)} there, {_short(here)} here")
    if differences:
        raise BadResults(
            f"{path} holds the games of another plan ({'; '.join(differences)}); "
            "name another file with --results, or ask for the same as there."
        )


def _labels(participants: Any) -> str:
    with contextlib.suppress(KeyError, TypeError):
        return ",".join(str(one["label"]) for one in participants)
    return "?"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."


class ResultsFile:
    """A results file that is open for writing, by one arena at a time. `saved` is what it held when it was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._synced = time.monotonic()
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise BadResults(f"cannot write {path} ({_why(error)}); choose another place with --results.") from error
        try:
            self._lock()
            self.saved = self._read()
        except BaseException:
            os.close(self._handle)
            raise

    def _read(self) -> SavedResults | None:
        with open(self._handle, "rb", closefd=False) as file:
            file.seek(0)
            return read_results(self.path, file.read())

    def count(self, plan: Plan) -> int:
        """How many games of the plan are in the file on disk. This is right at any moment, even after an interrupt."""
        saved = self._read()
        return 0 if saved is None else sum(number < plan.games for number in saved.results)

    def begin(self, plan: Plan) -> dict[int, Result]:
        """Begin or continue this plan: the results that exist already. BadResults if they are of another plan."""
        if self.saved is not None:
            check_same(self.path, self.saved.plan, plan.to_json())
            os.ftruncate(self._handle, self.saved.good)
            return {number: result for number, result in self.saved.results.items() if 0 <= number < plan.games}
        os.ftruncate(self._handle, 0)
        self._write({"wellies": "arena", "format": FORMAT, "rounds": plan.rounds, "plan": plan.to_json()})
        return {}

    def _lock(self) -> None:
        """Lock the file: two arenas on one file would play every game twice. Some systems have no such locks."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadResults(f"another arena is writing to {self.path}; wait for it, or name another file.") from None

    def add(self, results: list[Result]) -> None:
        for result in results:
            self._write(result.to_json())
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self._sync()

    def _write(self, line: Json) -> None:
        data = json.dumps(line).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            raise BadResults(f"cannot write {self.path} ({_why(error)}); make room, then continue.") from error

    def _sync(self) -> None:
        with contextlib.suppress(OSError):
            os.fsync(self._handle)
        self._synced = time.monotonic()

    def close(self) -> None:
        """Close the file, and remove it if it is empty."""
        self._sync()
        empty = os.fstat(self._handle).st_size == 0
        os.close(self._handle)
        if empty:
            with contextlib.suppress(OSError):
                self.path.unlink()


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
