"""The routes for puzzles. What they say before a try tells nothing about the solution."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta

from wellies.core.sources import now_millis
from wellies.puzzles import verdict
from wellies.puzzles.puzzle import Puzzle, day_of, overview, puzzle_on, read_day
from wellies.puzzles.verdict import PuzzleInfo, PuzzlePreview, PuzzleVerdict
from wellies.server.http import errors
from wellies.server.messages import MOST_MOVE

Day = FromQuery[str | None]


class PuzzleCalendar(msgspec.Struct):
    """`first` is the first day with puzzles, `games` are those that have some: the puzzle of the day is of one after
    the other, beginning on the first day."""

    first: str
    games: list[str]


class MoveBody(msgspec.Struct, forbid_unknown_fields=True):
    move: Annotated[str, Meta(max_length=MOST_MOVE, description="A move in the game's notation.")]


class WhyAnswer(msgspec.Struct):
    """The rule that forbids a move; null if it is legal."""

    refusal: str | None


def _find(game: str, day: str | None) -> Puzzle:
    return puzzle_on(game, read_day(day, day_of(now_millis())))


@get("/puzzles", operation_id="listPuzzles", tags=["puzzles"], responses=errors())
async def get_calendar() -> PuzzleCalendar:
    """The first day, and the games that have puzzles. Everybody gets the same puzzle on the same day (UTC)."""
    return PuzzleCalendar(**overview())


@get("/puzzles/{game:str}", operation_id="getPuzzle", tags=["puzzles"], responses=errors(404))
async def get_puzzle(game: FromPath[str], date: Day = None) -> PuzzleInfo:
    """The puzzle of a game on a day, such as `2026-11-18`; without one, today's."""
    day = read_day(date, day_of(now_millis()))
    return verdict.info(puzzle_on(game, day), day)


@post(
    "/puzzles/{game:str}/preview",
    status_code=200,
    operation_id="previewPuzzleMove",
    tags=["puzzles"],
    responses=errors(404, 409),
)
async def preview_puzzle_move(game: FromPath[str], data: JSONBody[MoveBody], date: Day = None) -> PuzzlePreview:
    """What a move would do and score at once."""
    return verdict.preview(_find(game, date), data.move)


@post(
    "/puzzles/{game:str}/why",
    status_code=200,
    operation_id="askWhyPuzzleMove",
    tags=["puzzles"],
    responses=errors(404, 409),
)
async def why_puzzle_move(game: FromPath[str], data: JSONBody[MoveBody], date: Day = None) -> WhyAnswer:
    """Which rule forbids a move."""
    return WhyAnswer(verdict.why_not(_find(game, date), data.move))


@post(
    "/puzzles/{game:str}/try", status_code=200, operation_id="tryPuzzle", tags=["puzzles"], responses=errors(404, 409)
)
async def try_puzzle(game: FromPath[str], data: JSONBody[MoveBody], date: Day = None) -> PuzzleVerdict:
    """Answer with a move: what the search says about it, and the solution. The server does not keep who tried what."""
    return verdict.judge(_find(game, date), data.move)


def puzzle_routes() -> Router:
    return Router(
        "/api/v1", route_handlers=[get_calendar, get_puzzle, preview_puzzle_move, why_puzzle_move, try_puzzle]
    )
