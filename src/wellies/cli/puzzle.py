"""A puzzle at the terminal: the table is shown, one move is asked for, and the verdict is told."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import platformdirs
from rich.console import RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from wellies.cli import files
from wellies.cli.console_io import ConsoleIO
from wellies.cli.files import FileTrouble
from wellies.cli.play import COMMANDS, Leave, Session
from wellies.cli.screen import points_text
from wellies.cli.seating import Seating
from wellies.cli.signals import Terminated, raise_on_signals
from wellies.core.texts import capital, some, with_notation
from wellies.match import Match
from wellies.puzzles.puzzle import EPOCH, Puzzle, game_of_day, number_of_day, puzzle_on
from wellies.puzzles.results import Result, Results, read_result, streak
from wellies.puzzles.verdict import MOST_BOOTS, PuzzleVerdict, judge, names_of, share_text

CTRL_C: Final = 130
NOT_HERE: Final = {"hint", "undo", "save [FILE]", "as NAME MOVE", "wait"}
"""Commands of a game that a puzzle does not have."""

LISTED_DAYS: Final = 14


def results_file() -> Path:
    """Where the results of puzzles are kept."""
    return Path(platformdirs.user_data_dir("wellies", appauthor=False)) / "puzzles.json"


def load_results(path: Path) -> dict[tuple[str, date], Result]:
    """The first tries of all puzzles. FileTrouble if the file is damaged."""
    if not path.exists():
        return {}
    content = files.read_json(path, "file of puzzle results")
    try:
        found = {}
        for key, value in content["first_tries"].items():
            name, _, day = key.partition(" ")
            found[(name, date.fromisoformat(day))] = read_result(value)
        return found
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FileTrouble(f"{path} is no list of puzzle results ({error}); delete it to begin a new one.") from error


def save_results(path: Path, results: Results) -> None:
    """Write them atomically. The folder is created if it is missing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileTrouble(f"results cannot be kept in {path.parent} ({files.reason(error)}).") from error
    tries = {f"{name} {day.isoformat()}": each.to_json() for (name, day), each in sorted(results.items())}
    files.write_text(path, json.dumps({"first_tries": tries}, indent=1) + "\n")


class Answered(Exception):
    """The person has answered with this move."""

    def __init__(self, move: str) -> None:
        super().__init__(move)
        self.move = move


class PuzzleSession(Session):
    """One decision, asked for as in a game. The move is not made: it is the answer."""

    def __init__(self, puzzle: Puzzle, io: ConsoleIO) -> None:
        match = Match(puzzle.spec, position=puzzle.position, seed=0, rolls=False)
        super().__init__(match, Seating(names_of(puzzle)), io, lambda: None, lambda _: "", "")
        self.seat = puzzle.seat
        self.people = [puzzle.seat]
        self.viewer = puzzle.seat

    def solve(self) -> str:
        """The move that the person chooses, in notation."""
        try:
            self.turn(self.seat)
        except Answered as answered:
            return answered.move
        raise AssertionError("a turn of a puzzle ends with an answer")

    def make(self, seat: int, move: int) -> None:
        raise Answered(self.spec.move_text(self.match.state, seat, move))

    def answer(self, seat: int, line: str) -> bool:
        word = line.partition(" ")[0].lower()
        if word in ("hint", "undo", "save", "as", "wait"):
            self.say(f"There is no {word} in a puzzle: find the move, or quit.", "dim")
            return False
        return super().answer(seat, line)

    def words_at_hand(self) -> str:
        return "best, scores, quit"

    def commands(self) -> list[tuple[str, str]]:
        stop = ("quit", "stop; the puzzle stays as it is")
        return [each for each in COMMANDS if each[0] not in NOT_HERE and each[0] != "quit"] + [stop]


def run_puzzle(name: str, day: date, today: date, io: ConsoleIO) -> int:
    """Show the puzzle of a day, ask for a move, and tell the verdict. The first try counts. Returns the exit code."""
    puzzle = puzzle_on(name, day)
    path = results_file()
    results = load_results(path)
    first = results.get((name, day))
    session = PuzzleSession(puzzle, io)
    io.show(*_heading(puzzle, day, first))
    try:
        with raise_on_signals():
            move = session.solve()
    except (Leave, EOFError):
        return 0
    except KeyboardInterrupt:
        return CTRL_C
    except Terminated as terminated:
        return 128 + terminated.number
    verdict = judge(puzzle, move)
    if first is None:
        first = Result(move, verdict["boots"], today)
        results[(name, day)] = first
        save_results(path, results)
        counts = True
    else:
        counts = False
    io.show(*_verdict(verdict, session.seating))
    if not counts:
        io.show(Text("Your first try is the one that counts.", style="dim"))
    io.show(Text(), Text("To share:", style="dim"), Text(share_text(puzzle, day, first.boots, streak(results, today))))
    return 0


def _heading(puzzle: Puzzle, day: date, first: Result | None) -> list[RenderableType]:
    hard = "★" * puzzle.stars
    lines: list[RenderableType] = [
        Rule(f"Puzzle {number_of_day(day)} · {puzzle.spec.title} · {day.isoformat()} · {hard}", style="dim"),
        Text("One move is clearly the best, and it is not the obvious one. Which is it?"),
    ]
    if first is not None:
        lines.append(
            Text(f"You have tried it: {first.boots} of {MOST_BOOTS} boots. Try again as you like.", style="dim")
        )
    return lines


def _verdict(verdict: PuzzleVerdict, seating: Seating) -> list[RenderableType]:
    """The sentences, and a table of the moves that were compared."""
    shown: list[RenderableType] = [Text(), Rule("the verdict", style="dim")]
    shown += [Text(capital(seating.fill(each))) for each in verdict["says"]]
    best = verdict["moves"][0]
    for line in best["lines"]:
        shown.append(Text(f"  {line['points']:+d} {with_notation(line['why'] or line['rule'], seating.names)}"))
    table = Table(box=None, padding=(0, 1), show_edge=False)
    for title, right in (("", False), ("move", False), ("at once", True), ("loses", True), ("you", True)):
        table.add_column(title, justify="right" if right else "left", no_wrap=True)
    table.add_column("others", justify="right", no_wrap=True)
    table.add_column("")
    for row in verdict["moves"]:
        mark = (
            "best" if row["best"] else "you" if row["move"] == verdict["move"] else "obvious" if row["obvious"] else ""
        )
        lost = "-" if row["best"] else f"{row['lost']:.1f}"
        cells = (f"{row['mine']:+.1f}", f"{row['theirs']:+.1f}")
        words = Text(seating.fill(row["words"]))
        table.add_row(mark, row["move"], points_text(row["points"]), lost, *cells, words)
    return [*shown, Text(), table, Text("Points on average, as far as the search looks ahead.", style="dim")]


def list_days(today: date, io: ConsoleIO) -> None:
    """The last days with the results."""
    results = load_results(results_file())
    table = Table(box=None, padding=(0, 1), show_edge=False)
    table.add_column("day", no_wrap=True)
    table.add_column("puzzle of the day", no_wrap=True)
    table.add_column("boots")
    day = today
    for _ in range(LISTED_DAYS):
        if day < EPOCH:
            break
        of_day = game_of_day(day)
        mine = results.get((of_day, day))
        more = [f"{name} {each.boots}" for (name, on), each in sorted(results.items()) if on == day and name != of_day]
        boots = "not tried" if mine is None else f"{mine.boots} of {MOST_BOOTS}"
        table.add_row(day.isoformat(), of_day, ", ".join([boots, *more]))
        day -= timedelta(days=1)
    io.show(table, Text(f"{some(streak(results, today), 'day')} in a row.", style="dim"))
