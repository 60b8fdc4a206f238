"""What somebody has reached with the puzzles: the first try of each counts. Kept by the front end that is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from wellies.core.events import Json
from wellies.puzzles.verdict import MOST_BOOTS


@dataclass(frozen=True)
class Result:
    """The first try of a puzzle."""

    move: str
    boots: int
    """From 0 to 3."""
    tried: date
    """The day (UTC) on which it was tried."""

    def to_json(self) -> Json:
        return {"move": self.move, "boots": self.boots, "tried": self.tried.isoformat()}


Results = Mapping[tuple[str, date], Result]
"""The first tries, by game and day of the puzzle."""


def read_result(value: Json) -> Result:
    """A result as `to_json` wrote it. ValueError, TypeError or KeyError if it is none."""
    boots = int(value["boots"])
    if not 0 <= boots <= MOST_BOOTS:
        raise ValueError(f"{boots} boots")
    return Result(str(value["move"]), boots, date.fromisoformat(value["tried"]))


def streak(results: Results, today: date) -> int:
    """On how many days in a row a puzzle of that day was solved on the day itself, up to today or, if today's are still
    to be solved, yesterday."""
    solved = {day for (_, day), each in results.items() if each.boots == MOST_BOOTS and each.tried == day}
    day = today if today in solved else today - timedelta(days=1)
    count = 0
    while day in solved:
        count += 1
        day -= timedelta(days=1)
    return count
