"""What is kept of a finished game for its players: for their history, their statistics and their ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from wellies.core.sources import random_hex
from wellies.core.state import CHANCE
from wellies.table import Table
from wellies.table.codec import encode

OPENING: Final = 3
"""Whoever leaves for good before every seat has made so many decisions leaves in the opening."""
LEAVING: Final = ("resign", "handover", "timeout")
"""The entries after which a bot plays on in the seat of a person."""

Result = Literal["won", "shared", "lost", "several"]
"""`shared`: the first place, with others; `several`: a person has played several seats, so it says nothing."""
NotCounted = Literal["", "friendly", "opening", "abandoned"]
"""Why a game does not count for the ratings; empty if it does."""

GONE: Final = "gone:"
"""The same for people who have deleted their account: what follows it says nothing about them."""
BOT: Final = "bot:"
"""What the name of a bot begins with where players are rated."""


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    """How a seat ended. `bot` is the level of a bot's own seat. `lines` are the points by the rule that gave them, as
    JSON. `rating_rank` is the rank that counts for the ratings."""

    seat: int
    identity: str
    bot: str
    name: str
    score: int
    rank: int
    result: Result
    first: bool
    """Whether it is the first seat of its person."""
    lines: str
    rating_rank: int

    @property
    def player(self) -> str:
        """Who is rated for this seat. Whoever has deleted their account meanwhile counts as somebody new."""
        return BOT + self.bot if self.bot else self.identity or f"{GONE}{random_hex(8)}"


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over. `decisions` are the moves of all seats that were not taken back."""

    table_id: str
    game: str
    started: int
    finished: int
    decisions: int
    rated: bool
    not_counted: NotCounted
    seats: list[FinishedSeat]


def finished_game(table: Table) -> FinishedGame | None:
    """What is kept of this table; None if it is not over, or if nobody here has played it."""
    outcome, match = table.outcome(), table.match
    if outcome is None or match is None or table.finished is None or table.imported or not table.holders():
        return None
    ranks = rating_ranks(table, outcome["scores"])
    seats = []
    for number, seat in enumerate(table.seats):
        own = table.seats_of(seat.identity)
        lines: dict[str, int] = {}
        for line in match.state.score_lines(number):
            lines[line.rule] = lines.get(line.rule, 0) + line.points
        won = number in outcome["winners"]
        result: Result = "won" if won and len(outcome["winners"]) == 1 else "shared" if won else "lost"
        seats.append(
            FinishedSeat(
                number,
                seat.identity,
                seat.bot or "" if seat.kind == "bot" else "",
                seat.name,
                outcome["scores"][number],
                outcome["ranks"][number],
                "several" if len(own) > 1 else result,
                not own or own[0] == number,
                encode(lines),
                ranks[number],
            )
        )
    return FinishedGame(
        table.id,
        table.setup.game,
        table.started or table.created,
        table.finished,
        sum(1 for entry in table.standing if entry.seat != CHANCE),
        table.rated,
        not_counted(table),
        seats,
    )


def has_left(table: Table, seat: int) -> bool:
    """Whether a bot has played this seat to the end for a person who did not come back, or who resigned."""
    holder = table.seats[seat]
    return holder.kind == "person" and holder.bot is not None and not holder.once


def rating_ranks(table: Table, scores: list[int]) -> list[int]:
    """The ranks that count: whoever has left ranks behind all who stayed, whatever the bot has made of the seat."""
    order = [(has_left(table, seat), -score) for seat, score in enumerate(scores)]
    return [1 + sum(1 for other in order if other < mine) for mine in order]


def _decisions_before(table: Table, number: int) -> list[int]:
    """How many decisions each seat had made before an entry."""
    made = [0] * len(table.seats)
    for entry in table.standing:
        if entry.seat is not None and entry.seat != CHANCE and entry.number < number:
            made[entry.seat] += 1
    return made


def not_counted(table: Table) -> NotCounted:
    """Why a finished game does not count for the ratings."""
    if not table.rated:
        return "friendly"
    left = {entry.seat: entry.number for entry in table.log if entry.kind in LEAVING}
    early = [number for seat, number in left.items() if seat is not None and has_left(table, seat)]
    if early and min(_decisions_before(table, min(early))) < OPENING:
        return "opening"
    people = [seat for seat, holder in enumerate(table.seats) if holder.kind == "person"]
    if len(people) > 1 and all(has_left(table, seat) for seat in people):
        return "abandoned"
    return ""
