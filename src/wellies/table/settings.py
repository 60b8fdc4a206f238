"""How a table is set up: game, options, clock, and what it allows besides the rules."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from wellies.bots import bot, list_bots
from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.core.options import check_options, refuse_paths
from wellies.core.spec import GameSpec
from wellies.table.codec import known_fields
from wellies.table.errors import Refused
from wellies.table.seats import Seat

State = Literal["open", "playing", "finished"]
ClockKind = Literal["none", "move", "game", "days"]
Hints = Literal["off", "all", "beginners"]
Takebacks = Literal["off", "ask", "free"]

BEGINNER_GAMES: Final = 3
"""A person who has finished fewer games of a game is a beginner in it."""
LEAST_SECONDS: Final = 5
HINT_LEVEL: Final = "storm"
"""The bot that gives hints."""
STAND_IN_LEVEL: Final = "shower"
"""The bot that plays for people whose clock ran out or who resigned."""
STAND_IN_SECONDS: Final = 2.0
"""The shortest time for a move of a bot that stands in for a person."""
ANALYSIS_SECONDS: Final = 120.0
"""The longest time for the analysis of a finished game, all its moves together."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How time is kept. `none`; `move`: so many seconds for each decision; `game`: so many seconds for the whole game,
    plus an increment for each move; `days`: so many days for each decision."""

    kind: ClockKind = "none"
    seconds: int = 0
    increment: int = 0
    days: int = 0

    @classmethod
    def from_json(cls, given: Json) -> Clock:
        return cls(**known_fields(cls, given))


@dataclass(frozen=True, slots=True)
class Aids:
    """What a table allows besides the rules. None: the default for the people who sit there."""

    hints: Hints | None = None
    badges: bool | None = None
    takebacks: Takebacks | None = None

    @classmethod
    def from_json(cls, given: Json) -> Aids:
        return cls(**known_fields(cls, given))

    def with_changes(self, new: Aids) -> Aids:
        return Aids(
            self.hints if new.hints is None else new.hints,
            self.badges if new.badges is None else new.badges,
            self.takebacks if new.takebacks is None else new.takebacks,
        )

    def hints_for(self, seats: list[Seat]) -> Hints:
        """By default hints are on for one person alone with bots, and off where two or more people play."""
        if self.hints is not None:
            return self.hints
        return "off" if sum(1 for seat in seats if seat.kind != "bot") > 1 else "all"

    @property
    def shows_badges(self) -> bool:
        return self.badges is not False

    @property
    def takes_back(self) -> Takebacks:
        return self.takebacks or "ask"


@dataclass(frozen=True, slots=True)
class Setup:
    """How a table was made. It never changes; later changes are in the log."""

    game: str
    options: Json
    seats: list[Seat]
    private: bool
    clock: Clock
    host: str
    host_name: str
    proves: bool = True
    """Whether all draws come from this table's seed: not if it began with moves of another game."""
    prefix: list[tuple[int, str]] = field(default_factory=list)
    """The moves of another game with which this one begins."""
    position: Json | None = None
    """The position from which it begins, if not from the usual one."""
    aids: Aids = Aids()
    rated: bool = False
    """Whether the game is to count for the ratings of its players."""

    @property
    def goes_on(self) -> bool:
        """Whether the game begins where another one was."""
        return self.position is not None or bool(self.prefix)

    @classmethod
    def from_json(cls, given: Json) -> Setup:
        values = known_fields(cls, given)
        values["seats"] = [Seat.from_json(seat) for seat in values["seats"]]
        values["clock"] = Clock.from_json(values["clock"])
        values["prefix"] = [(seat, text) for seat, text in values.get("prefix", [])]
        values["aids"] = Aids.from_json(values.get("aids", {}))
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Change:
    """What a host changed before the game; None: not changed."""

    options: Json | None = None
    clock: Clock | None = None
    private: bool | None = None
    aids: Aids | None = None
    rated: bool | None = None

    @classmethod
    def from_json(cls, given: Json) -> Change:
        values = known_fields(cls, given)
        if values.get("clock") is not None:
            values["clock"] = Clock.from_json(values["clock"])
        if values.get("aids") is not None:
            values["aids"] = Aids.from_json(values["aids"])
        return cls(**values)


def check_clock(clock: Clock) -> Clock:
    """The clock without the fields that its kind does not use; Refused if it would leave no time at all."""
    if clock.kind in ("move", "game") and clock.seconds < LEAST_SECONDS:
        raise Refused("bad_clock", f"A clock needs at least {LEAST_SECONDS} seconds.", 400)
    if clock.kind == "days" and clock.days < 1:
        raise Refused("bad_clock", "A clock of days needs at least one.", 400)
    return Clock(
        clock.kind,
        clock.seconds if clock.kind in ("move", "game") else 0,
        clock.increment if clock.kind == "game" else 0,
        clock.days if clock.kind == "days" else 0,
    )


def check_game_options(spec: GameSpec, given: Json, seats: int) -> Json:
    """Options from somebody else, complete and checked. An option that names a file is refused."""
    refuse_paths(spec.options, given)
    return check_options(spec.options, given, seats, spec.title)


def fit_options(spec: GameSpec, options: Json, before: int, after: int) -> Json:
    """The options for another number of seats: what was chosen stays wherever it fits."""
    fitted: Json = {}
    for option in spec.options:
        chosen = options.get(option.name, option.fallback(before))
        fitted[option.name] = option.fallback(after)
        if chosen != option.fallback(before):
            with contextlib.suppress(BadOption):
                fitted[option.name] = option.check(chosen, after)
    return fitted


def check_level(level: str) -> str:
    """The name of a bot; UnknownBot lists the bots."""
    return bot(level).name


def check_rated(setup: Setup, aids: Aids) -> Aids:
    """What a rated game allows besides the rules: neither hints nor takebacks. Refused if it goes on from another game,
    or if one of the two is asked for."""
    if setup.goes_on:
        raise Refused("bad_rated", "A game that goes on from another one cannot be rated.")
    if (aids.hints or "off") != "off" or (aids.takebacks or "off") != "off":
        raise Refused("bad_rated", "A rated game has neither hints nor takebacks; make it friendly, or leave them off.")
    return replace(aids, hints="off", takebacks="off")


def check_rated_seats(seats: list[Seat], clock: Clock) -> None:
    """Refused if these people and bots cannot play a rated game."""
    people = [seat.identity for seat in seats if seat.kind == "person"]
    if not people:
        raise Refused("bad_rated", "In a rated game at least one person plays.")
    if len(set(people)) < len(people):
        raise Refused("bad_rated", "In a rated game each person plays one seat; make it friendly, or free a chair.")
    if len(people) > 1 and clock.kind == "none":
        raise Refused("bad_rated", "A rated game between people needs a clock; choose one, or make it friendly.")
    levels = [each.name for each in map(bot, list_bots()) if each.strength]
    for seat in seats:
        if seat.kind == "bot" and seat.bot not in levels:
            raise Refused("bad_rated", f"In a rated game bots are of the levels for people: {', '.join(levels)}.")
