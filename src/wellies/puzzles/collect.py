"""Makes a set of puzzles with several processes, and goes on where an earlier run was stopped.

Every game that is done is a line of a journal beside the file. When there are enough puzzles, or no games are left, the
set is chosen and written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from wellies.bots.process_pool import ProcessPool
from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.puzzles.maker import make_from_game
from wellies.puzzles.puzzle import EPOCH

PARTS: Final = 3
"""A set has puzzles from the beginning, the middle and the end of games."""

MOST_SHARE: Final = 0.45
"""The largest share of a set that one of these parts may have, as long as there are games to play."""


@dataclass
class Plan:
    """What a run makes."""

    game: str
    seats: int
    options: Json
    count: int
    games: int
    rollouts: int
    seed: int

    def key(self) -> str:
        """Runs with the same key go on from each other: all that decides about a single game."""
        plain = [self.game, self.seats, self.options, self.rollouts, self.seed]
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


@dataclass
class Progress:
    """How far a run is."""

    games: int
    found: int
    usable: int


def journal_of(out: Path) -> Path:
    """Where the games that are done are written down."""
    return out.with_name(out.name + ".journal")


def read_journal(path: Path, key: str) -> dict[int, list[Json]]:
    """The games that are done, by number. BadOption if they belong to another run. A last line that was cut off is as
    if it were not there."""
    done: dict[int, list[Json]] = {}
    if not path.exists():
        return done
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("key") != key:
            raise BadOption(
                f"{path} belongs to a run with another game, seed or other settings; give another --out, or delete it."
            )
        done[entry["game"]] = entry["puzzles"]
    return done


def position_key(puzzle: Json) -> str:
    """Puzzles with the same key are the same."""
    return json.dumps([puzzle["position"], puzzle["seat"]], sort_keys=True)


def select(found: dict[int, list[Json]], count: int, known: set[str], strict: bool) -> list[Json]:
    """At most so many puzzles, in the order of the games, none of them twice. If `strict`, no part of the games has
    more than its share."""
    most = max(1, round(count * MOST_SHARE))
    taken: list[Json] = []
    left: list[Json] = []
    seen = set(known)
    parts = [0] * PARTS
    for number in sorted(found):
        for puzzle in found[number]:
            key = position_key(puzzle)
            if key in seen or len(taken) == count:
                continue
            seen.add(key)
            if parts[puzzle["part"]] < most:
                parts[puzzle["part"]] += 1
                taken.append(puzzle)
            else:
                left.append(puzzle)
    if not strict:
        taken += left[: count - len(taken)]
    return taken


def collect(plan: Plan, out: Path, jobs: int, known: set[str], tell: Callable[[Progress], None]) -> list[Json]:
    """The puzzles of a set, with games played by so many processes until there are enough, or `plan.games` are played.

    The same plan gives the same puzzles, whatever the number of processes and however often it was stopped.
    """
    journal = journal_of(out)
    key = plan.key()
    done = read_journal(journal, key)
    waiting = iter([number for number in range(plan.games) if number not in done])

    def ready() -> dict[int, list[Json]]:
        """The games without a gap: so it does not matter which process was quick."""
        found: dict[int, list[Json]] = {}
        while len(found) in done:
            found[len(found)] = done[len(found)]
        return found

    def enough() -> bool:
        return len(select(ready(), plan.count, known, True)) >= plan.count

    def report() -> None:
        usable = len(select(done, plan.count, known, True))
        tell(Progress(len(done), sum(map(len, done.values())), usable))

    report()
    if not enough():
        with ProcessPool(jobs) as pool, journal.open("a", encoding="utf-8") as lines:
            running: dict[Future[Any], int] = {}
            _start(pool, plan, waiting, running, jobs)
            while running:
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    number = running.pop(future)
                    done[number] = future.result()
                    lines.write(json.dumps({"key": key, "game": number, "puzzles": done[number]}) + "\n")
                    lines.flush()
                report()
                if enough():
                    break
                _start(pool, plan, waiting, running, jobs)
    found = ready()
    chosen = select(found, plan.count, known, True)
    return chosen if len(chosen) == plan.count else select(found, plan.count, known, False)


def _start(pool: ProcessPool, plan: Plan, waiting: Iterator[int], running: dict[Future[Any], int], jobs: int) -> None:
    while len(running) < jobs:
        number = next(waiting, None)
        if number is None:
            return
        seed = plan.seed * 1_000_000 + number
        call = (plan.game, plan.options, plan.seats, seed, plan.rollouts)
        running[pool.submit(make_from_game, *call, retries=1)] = number


def appended(old: Json | None, name: str, found: list[Json], made: Json, first_day: date) -> Json:
    """A file of puzzles with new ones behind the old ones. They begin on `first_day`; the puzzles of earlier days stay.
    BadOption if that day is not after the last beginning. The schedule of a new file begins with `EPOCH`."""
    if old is None:
        term = {"from": EPOCH.isoformat(), "start": 0, "count": len(found)}
        return {"game": name, "made": [made], "schedule": [term], "puzzles": found}
    last = date.fromisoformat(old["schedule"][-1]["from"])
    if first_day <= last:
        raise BadOption(f"--from {first_day}: the puzzles before begin on {last}; give a later day.")
    before = len(old["puzzles"])
    term = {"from": first_day.isoformat(), "start": before, "count": before + len(found)}
    return {
        **old,
        "made": [*old["made"], made],
        "schedule": [*old["schedule"], term],
        "puzzles": [*old["puzzles"], *found],
    }


def set_text(content: Json) -> str:
    """The text of a file of puzzles: one puzzle per line, so that a change can be read."""
    puzzles = [json.dumps(each, separators=(",", ":"), sort_keys=True) for each in content["puzzles"]]
    head = {name: value for name, value in content.items() if name != "puzzles"}
    return json.dumps(head, indent=1)[:-2] + ',\n "puzzles": [\n' + ",\n".join(puzzles) + "\n]}\n"
