"""What is judged of a finished game, and what is told of it. Pure: no input or output."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from wellies.bots.analysis import summary
from wellies.server.messages import Json
from wellies.server.tables import Table

FEWEST: Final = 24
"""Imagined games with which a move is judged at the least; with fewer there is nothing to say."""

Progress = Literal["none", "waiting", "thinking", "done", "failed"]


class JudgedMove(msgspec.Struct):
    """What is thought of one move, from what its seat could see. `number` is its entry of the table's log. `lost` is
    how many points it is expected to cost against the best move found, `error` the standard error of that, and `sure`
    whether it is more than noise. `best` is the better move as a legal move is told (with `move` and `words`), null if
    none was found. `lead` is by how much the seat is expected to be ahead after the best move."""

    number: int
    seat: int
    move: str
    words: str
    choices: int
    lost: float
    error: float
    sure: bool
    lead: float
    best: Json | None


class SeatSum(msgspec.Struct):
    """All of one seat's judged moves: how many, how many of them were the best found, how many clear mistakes, and how
    many points they lost in all."""

    seat: int
    decisions: int
    best: int
    mistakes: int
    lost: float


class Analysis(msgspec.Struct):
    """How far the analysis of a game is (`done` of `total` moves), and when it is done, what was found. `missed` moves
    were not judged, for time ran out."""

    state: Progress
    done: int = 0
    total: int = 0
    missed: int = 0
    moves: list[JudgedMove] = []
    seats: list[SeatSum] = []
    message: str = ""


class Question(msgspec.Struct):
    """A move to be judged: the entry that it is, and what its seat saw before."""

    number: int
    seat: int
    move: str
    view: bytes


def questions(table: Table) -> list[Question]:
    """The moves of a finished game in which people had a choice; of all, if only bots have played. What was taken back
    does not count, nor what came from another game."""
    seats = [number for number, seat in enumerate(table.seats) if seat.kind == "person"] or range(len(table.seats))
    borrowed = 0 if table.imported else len(table.setup.prefix)
    again = table.initial()
    asked: list[Question | None] = []
    for line in table.lines:
        if line.kind == "move":
            judge = line.seat is not None and line.seat in seats
            asked.append(_question(again, line.number, line.seat or 0, line.text) if judge else None)
        again.apply(line.number, line.kind, line.seat, line.text, line.at)
        if line.kind == "undo" and again.match is not None:
            del asked[len(again.match.log) :]
    return [each for each in asked[borrowed:] if each is not None]


def _question(before: Table, number: int, seat: int, move: str) -> Question | None:
    """None where there was no choice, or where a bot chose in a person's place."""
    chair, match = before.seats[seat], before.match
    if match is None or (chair.kind == "person" and chair.bot is not None) or len(match.choices(seat)) < 2:
        return None
    return Question(number, seat, move, msgspec.json.encode(before.view_for(seat)))


def judged(question: Question, found: Json) -> JudgedMove:
    """A finding of the analysis as it is told."""
    best = None
    if found["lost"] > 0:
        best = {**found["fields"], "move": found["best"], "words": found["best_words"]}
    return JudgedMove(
        question.number,
        question.seat,
        found["played"],
        found["words"],
        found["choices"],
        found["lost"],
        found["error"],
        found["sure"],
        found["lead"],
        best,
    )


def sums(moves: list[JudgedMove]) -> list[SeatSum]:
    """By seat, for those of whom something was judged."""
    rows = summary(moves, 1 + max((move.seat for move in moves), default=-1))
    return [
        SeatSum(row["seat"], row["decisions"], row["best"], row["mistakes"], row["lost"])
        for row in rows
        if row["decisions"]
    ]


class Effort:
    """How many games to imagine for each move, so that all moves together keep within their time: the usual number if
    there is time, fewer if the machine is slow or the game long."""

    def __init__(self, usual: int, moves: int, seconds: float) -> None:
        self._usual = usual
        self._left = moves
        self._seconds = seconds
        self._end = -0.5 * seconds
        self._cost = 0.0
        """Seconds for one imagined game, as seen so far."""

    @property
    def over(self) -> bool:
        """Whether the time is over, and half of it again."""
        return self._seconds < self._end

    def nodes(self) -> int:
        """For the next move."""
        if not self._cost or not self._left:
            return self._usual
        return max(FEWEST, min(self._usual, int(self._seconds / self._left / self._cost)))

    def spent(self, seconds: float, nodes: int) -> None:
        """A move has been judged with so many imagined games."""
        self._seconds -= seconds
        self._left -= 1
        if nodes:
            cost = seconds / nodes
            self._cost = cost if not self._cost else 0.7 * self._cost + 0.3 * cost
