"""Which moves of a finished game are worth judging, and what is reported about them. No input or output."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from wellies.bots.analysis import summary
from wellies.bots.review import review
from wellies.bots.search.root import heuristics_of
from wellies.core.events import Json
from wellies.core.sources import monotonic
from wellies.games import game
from wellies.table.errors import BotTrouble, Refused
from wellies.table.fold import TableFold
from wellies.table.log import LogEntry

FEWEST: Final = 24
"""The least number of simulated games with which a move is judged; fewer say nothing."""

MOST_FAILURES: Final = 3
"""Moves in a row that could not be judged before the game is given up."""

Progress = Literal["none", "waiting", "thinking", "done", "failed"]


@dataclass(frozen=True, slots=True)
class ExpectedStep:
    """One step of what is expected: who plays, and what, in words. Where that is open, `words` is empty, and `depends`
    says on what: `draw`, `hidden` cards, or a `choice` of moves that are as likely. `often` is in which part of the
    games that were played on it came so, from 0 to 1. `points` is what the turn brings on average; null where all
    choose at once."""

    seat: int
    words: str
    often: float
    points: float | None
    depends: Literal["", "draw", "hidden", "choice"]


@dataclass(frozen=True, slots=True)
class OtherMove:
    """A candidate, the best one first: the `lead` that it is expected to give, with its standard error, and by how many
    points it is `behind` the best, with the standard `error` of that."""

    move: str
    words: str
    lead: float
    lead_error: float
    behind: float
    error: float


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """What is thought of one move, from what its seat could see. `number` is its entry of the table's log. `lost` is
    how many points it is expected to cost against the best move found, `error` the standard error of that, and `sure`
    whether it is more than noise. `best` is the better move as a legal move is told (with `move` and `words`), null if
    none was found. `lead` is by how much the seat is expected to be ahead after the best move.

    Analyses of before lack all that follows. `chance` is the winning chance after the move, `best_chance` that after
    the best one, from 0 to 1; null if nobody has computed it. `reasons` say why the best move is the best, `line` what
    is expected after it, `others` what the best candidates would give, and `kind` what it is better for: points `at
    once`, what the `rivals` are left, the `next turn`, or something `later`. `gap` is how far it is ahead of the next
    best, if that is more than noise. `proved` says that every line was followed to the end of the game."""

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
    chance: float | None = None
    best_chance: float | None = None
    kind: str = ""
    gap: float = 0.0
    proved: bool = False
    reasons: list[str] = field(default_factory=list)
    line: list[ExpectedStep] = field(default_factory=list)
    others: list[OtherMove] = field(default_factory=list)

    @property
    def better(self) -> str:
        """The better move in words; empty if there is none."""
        return "" if self.best is None else str(self.best["words"])


@dataclass(frozen=True, slots=True)
class SeatReview:
    """What a coach would say to a seat, in a few sentences."""

    seat: int
    sentences: list[str]


@dataclass(frozen=True, slots=True)
class SeatSum:
    """All of one seat's judged moves: how many, how many of them were the best found, how many clear mistakes, and how
    many points they lost in all."""

    seat: int
    decisions: int
    best: int
    mistakes: int
    lost: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """How far the analysis of a game is (`done` of `total` moves), and when it is done, what was found. `missed` moves
    were not judged, for time ran out. Analyses of before have no `review`."""

    state: Progress
    done: int = 0
    total: int = 0
    missed: int = 0
    moves: list[JudgedMove] = field(default_factory=list)
    seats: list[SeatSum] = field(default_factory=list)
    message: str = ""
    review: list[SeatReview] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Question:
    """A move to be judged: the number of its entry, and what its seat saw before it."""

    number: int
    seat: int
    move: str
    view: Mapping[str, Any]


def questions(table: TableFold) -> list[Question]:
    """The moves of a finished game in which people had a choice; if only bots have played, theirs. Moves that were
    taken back or that came from another game are left out."""
    steps = question_steps(table)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: list[Question] = end.value
            return found


def question_steps(table: TableFold) -> Generator[None, None, list[Question]]:
    """The same in many small steps, for a caller with other work to do between them."""
    seats = [number for number, seat in enumerate(table.seats) if seat.kind == "person"] or range(len(table.seats))
    borrowed = 0 if table.imported else len(table.setup.prefix)
    then = table.initial()
    asked: list[Question | None] = []
    for entry in table.log:
        if entry.kind == "move":
            asked.append(_question(then, entry) if entry.seat in seats else None)
        then.apply(LogEntry(*entry.stored()))
        if entry.kind == "undo":
            del asked[len(then.standing) :]
        yield
    return [each for each in asked[borrowed:] if each is not None]


def _question(before: TableFold, entry: LogEntry) -> Question | None:
    """None where there was no choice, or where a bot chose for a person."""
    seat, match = entry.seat, before.match
    if match is None or seat is None or len(match.choices(seat)) < 2:
        return None
    holder, view = before.seats[seat], before.view_for(seat)
    if view is None or (holder.kind == "person" and holder.bot is not None):
        return None
    return Question(entry.number, seat, entry.text, view)


def judged(question: Question, found: Json) -> JudgedMove:
    """A finding of the analysis as it is reported."""
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
        found["chance"],
        found["best_chance"],
        found["kind"],
        found["gap"],
        found["proved"],
        found["reasons"],
        expected_steps(found["line"]),
        other_moves(found["others"]),
    )


def expected_steps(line: list[Json]) -> list[ExpectedStep]:
    """The expected line of an explanation as it is reported."""
    return [ExpectedStep(**step) for step in line]


def other_moves(others: list[Json]) -> list[OtherMove]:
    """Its candidates as they are reported."""
    return [OtherMove(**other) for other in others]


def sums(moves: list[JudgedMove]) -> list[SeatSum]:
    """The judged moves by seat; seats without any are left out."""
    rows = summary(moves, 1 + max((move.seat for move in moves), default=-1))
    return [
        SeatSum(row["seat"], row["decisions"], row["best"], row["mistakes"], row["lost"])
        for row in rows
        if row["decisions"]
    ]


class Effort:
    """How many games to simulate for each move, so that all moves together keep within their time: the usual number if
    there is time, fewer if the machine is slow or the game long."""

    def __init__(self, usual: int, moves: int, seconds: float) -> None:
        self._usual = usual
        self._left = moves
        self._seconds = seconds
        self._end = -0.5 * seconds
        self._cost = 0.0
        """Seconds for one simulated game, as measured so far."""

    @property
    def over(self) -> bool:
        """Whether one and a half times the time has been used."""
        return self._seconds < self._end

    def nodes(self) -> int:
        """The number of games for the next move."""
        if not self._cost or not self._left:
            return self._usual
        return max(FEWEST, min(self._usual, int(self._seconds / self._left / self._cost)))

    def spent(self, seconds: float, nodes: int) -> None:
        """A move has been judged with so many simulated games."""
        self._seconds -= seconds
        self._left -= 1
        if nodes:
            cost = seconds / nodes
            self._cost = cost if not self._cost else 0.7 * self._cost + 0.3 * cost


class AnalysisRun:
    """The analysis of one game while it is made."""

    def __init__(self, table: TableFold) -> None:
        self.table = table
        self.state: Progress = "waiting"
        self.total = 0
        self.done = 0
        self.moves: list[JudgedMove] = []

    def progress(self) -> Analysis:
        return Analysis(self.state, self.done, self.total)

    async def run(
        self, asked: list[Question], seconds: float, judge: Callable[[Question, int], Awaitable[Json]]
    ) -> Analysis:
        """Have the questions judged, each with so many simulated games, within this time. BotTrouble if it fails."""
        effort = Effort(heuristics_of(game(self.table.setup.game)).nodes, len(asked), seconds)
        self.total = len(asked)
        self.state = "thinking"
        failures = 0
        # Every other move first: if time runs out, no part of the game is left out as a whole.
        for question in asked[::2] + asked[1::2]:
            if effort.over:
                break
            started, nodes = monotonic(), effort.nodes()
            try:
                found = await judge(question, nodes)
                effort.spent(monotonic() - started, found["nodes"])
                self.moves.append(judged(question, found))
                failures = 0
            except BotTrouble:
                failures += 1
                if failures == MOST_FAILURES:
                    raise
            self.done += 1
        self.moves.sort(key=lambda move: move.number)
        missed = len(asked) - len(self.moves)
        told = [SeatReview(**each) for each in review(self.moves, len(self.table.seats))]
        return Analysis("done", self.total, self.total, missed, self.moves, sums(self.moves), "", told)


def check_finished(table: TableFold) -> None:
    """Refused while the game goes on."""
    if table.state != "finished":
        raise Refused("not_finished", "Only a finished game is analysed; nobody gets help while it goes on.")
