"""The puzzles that are shipped, and which of them belongs to which day.

The file of a game lists its puzzles, numbered from 1, and a schedule. Each entry of the schedule says: from this day
on, the first so many puzzles come one after the other, beginning with that one, and then from the start again. New
puzzles are appended, with an entry that begins on a later day. So the puzzle of a day that was is the same for ever.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from importlib import resources
from typing import Final

from wellies.core.dice import Stream
from wellies.core.errors import nearest
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.core.state import GameState
from wellies.games import game
from wellies.table.errors import Refused

EPOCH: Final = date(2026, 11, 18)
"""The day of puzzle number 1 of every game."""

ROTATION: Final = ("umbradeco", "guppies", "marram", "aquarium", "puppies")
"""The games with puzzles. The puzzle of the day comes from one after the other."""

DAY_MILLIS: Final = 86_400_000


@dataclass(frozen=True)
class Row:
    """A move with what the search found about it."""

    move: str
    lost: float
    """Expected points that it loses against the best move."""
    error: float
    """The standard error of `lost`."""
    mine: float
    theirs: float
    """The points that the seat, and its strongest rival, gain until the search stops looking, on average."""
    rollouts: int


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A position with one best move. Each puzzle is there once, so that what is computed from it can be cached."""

    game: str
    number: int
    """From 1 on, by game."""
    position: Json
    """As the seat sees it."""
    seat: int
    value: float
    """The expected lead over the strongest rival after the best move, as far as the search looks."""
    rows: list[Row]
    """The moves that the search compared closely, the best first."""
    obvious: list[str]
    """The moves with the most points in sight. The best move is not one of them."""
    others: int
    """How many legal moves are not in `rows`."""
    others_lost: float
    """What the best of those loses, at least."""
    stars: int
    """How hard it is, from 1 to 3."""
    part: int
    """From which third of its game it comes: 0, 1 or 2."""

    @property
    def spec(self) -> GameSpec:
        return game(self.game)

    @property
    def best(self) -> Row:
        return self.rows[0]

    def state(self) -> GameState:
        """The position, with all that the seat has not seen dealt afresh, always in the same way."""
        return self.spec.from_position(self.position).resample(self.seat, Stream(0))

    def row(self, move: str) -> Row | None:
        """What is known about a move; None if the search did not compare it closely."""
        return next((row for row in self.rows if row.move == move), None)


@dataclass(frozen=True)
class Term:
    """An entry of the schedule."""

    begins: date
    start: int
    count: int


@dataclass(frozen=True)
class PuzzleSet:
    """The puzzles of a game."""

    game: str
    puzzles: list[Puzzle]
    schedule: list[Term]
    made: list[Json]
    """How they were made, in order."""

    def on(self, day: date) -> Puzzle:
        """The puzzle of a day from `EPOCH` on."""
        term = next(term for term in reversed(self.schedule) if term.begins <= day)
        return self.puzzles[(term.start + (day - term.begins).days) % term.count]


def stars_of(rank: int, found_by: int, tries: int) -> int:
    """How hard a puzzle is: by how many moves look better, and by how many quick searches miss the best one."""
    return min(3, max(1, rank) + (found_by < tries))


def read_set(content: Json) -> PuzzleSet:
    """A set from the JSON of its file."""
    name = content["game"]
    puzzles = [read_puzzle(name, number, each) for number, each in enumerate(content["puzzles"], 1)]
    schedule = [Term(date.fromisoformat(each["from"]), each["start"], each["count"]) for each in content["schedule"]]
    return PuzzleSet(name, puzzles, schedule, content["made"])


def read_puzzle(name: str, number: int, each: Json) -> Puzzle:
    """A puzzle as it is written in a file."""
    rest = each["rest"] or {"number": 0, "lost": 0.0}
    rows = [Row(**row) for row in each["moves"]]
    stars = stars_of(each["rank"], each["found_by"], each["tries"])
    return Puzzle(
        name,
        number,
        each["position"],
        each["seat"],
        each["value"],
        rows,
        each["obvious"],
        rest["number"],
        rest["lost"],
        stars,
        each["part"],
    )


_SETS: Final[dict[str, PuzzleSet]] = {}


def puzzle_set(name: str) -> PuzzleSet:
    """The puzzles that are shipped for a game. Refused if there are none."""
    if name not in ROTATION:
        known = sorted(ROTATION)
        raise Refused(
            "no_puzzle",
            f"There are no puzzles of {name!r}; there are some of {', '.join(known)}.{nearest(name, known)}",
            404,
        )
    known_set = _SETS.get(name)
    if known_set is None:
        text = resources.files("wellies.puzzles").joinpath("data", f"{name}.json").read_text(encoding="utf-8")
        known_set = _SETS[name] = read_set(json.loads(text))
    return known_set


# --- days -----------------------------------------------------------------------------------------------------------


def day_of(millis: int) -> date:
    """The day (UTC) of a moment in milliseconds since 1970."""
    return date(1970, 1, 1) + timedelta(days=millis // DAY_MILLIS)


def read_day(text: str | None, today: date) -> date:
    """A day as it is written, today if none is given. Refused unless it has a puzzle already."""
    try:
        if text and len(text) != 10:
            raise ValueError
        day = date.fromisoformat(text) if text else today
    except ValueError:
        given = (text or "")[:20]
        raise Refused("bad_date", f"{given!r} is not a date; write one such as {today.isoformat()}.", 400) from None
    if day < EPOCH:
        raise Refused("no_puzzle", f"The first puzzles are those of {EPOCH.isoformat()}.", 404)
    if day > today:
        raise Refused("no_puzzle", f"That day has not come yet; it is {today.isoformat()} (UTC).", 404)
    return day


def game_of_day(day: date) -> str:
    """The game of the puzzle of the day."""
    return ROTATION[(day - EPOCH).days % len(ROTATION)]


def puzzle_on(name: str, day: date) -> Puzzle:
    """The puzzle of a game on a day."""
    return puzzle_set(name).on(day)


def overview() -> Json:
    """What a calendar needs: the first day, and the games by turns. It is the same on every day."""
    return {"first": EPOCH.isoformat(), "games": list(ROTATION)}


def number_of_day(day: date) -> int:
    """The number of a day, from 1 on."""
    return (day - EPOCH).days + 1
