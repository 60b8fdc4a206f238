"""The puzzles on a device: the same requests as at a server."""

from __future__ import annotations

from wellies.core.events import Json
from wellies.core.fields import Fields
from wellies.core.sources import now_millis
from wellies.local.messages import MOST_MOVE
from wellies.puzzles import verdict
from wellies.puzzles.puzzle import Puzzle, day_of, puzzle_on, read_day


def find(game: str, day: str | None) -> Puzzle:
    """The puzzle of a game on a day, today if none is given."""
    return puzzle_on(game, read_day(day, day_of(now_millis())))


def info(game: str, day: str | None) -> Json:
    """The puzzle as it is shown before a try."""
    shown = read_day(day, day_of(now_millis()))
    return dict(verdict.info(puzzle_on(game, shown), shown))


def answer(what: str, game: str, day: str | None, fields: Fields) -> Json:
    """A request with a move in its body: `preview`, `why` or `try`."""
    move = fields.text("move", None, MOST_MOVE)
    puzzle = find(game, day)
    if what == "preview":
        return dict(verdict.preview(puzzle, move))
    if what == "why":
        return {"refusal": verdict.why_not(puzzle, move)}
    return dict(verdict.judge(puzzle, move))
