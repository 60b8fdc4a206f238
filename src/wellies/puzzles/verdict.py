"""What a puzzle shows before a try, and what it says about a move. Front ends get this as JSON.

Before a try nothing here tells which move is best. All texts have the marks of `core/texts.py`.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final, TypedDict

from wellies.core.errors import MoveError
from wellies.core.events import Json, lines_json
from wellies.core.preview import preview_move, preview_points, preview_text
from wellies.core.texts import capital, seat_mark, some
from wellies.puzzles.puzzle import Puzzle, Row, number_of_day

MOST_BOOTS: Final = 3

CACHED: Final = 64
"""For how many puzzles the moves are kept, as they are sent: most people ask for those of today."""


class PuzzleInfo(TypedDict):
    """A puzzle without its solution. `number` is that of the day, `names` are those of the seats, `stars` say how hard
    it is, `legal` lists the moves with all that a page needs."""

    game: str
    title: str
    date: str
    number: int
    seat: int
    stars: int
    names: list[str]
    view: Json
    legal: list[Json]


class PuzzlePreview(TypedDict):
    """What a move would do. Not `certain` where chance or a secret comes in: then only what is sure is in it."""

    move: str
    certain: bool
    events: list[Json]
    gains: list[int]
    lines: list[Json]
    offers: list[Json]


class JudgedRow(TypedDict):
    """A move that the search compared closely: what it loses against the best one, with the standard error; the points
    that the seat and its strongest rival gain until the search stops looking; the points at once, with the reasons."""

    move: str
    words: str
    fields: Json
    best: bool
    obvious: bool
    lost: float
    error: float
    mine: float
    theirs: float
    points: int
    lines: list[Json]


class PuzzleVerdict(TypedDict):
    """What a puzzle says about a move. `boots` are from 0 to 3; `lost` and `error` are null if the search did not
    compare the move closely. `says` are sentences. `moves` are those that were compared, the best first."""

    move: str
    boots: int
    best: bool
    lost: float | None
    error: float | None
    says: list[str]
    moves: list[JudgedRow]


def names_of(puzzle: Puzzle) -> list[str]:
    """What the seats are called: the one that solves is you, the others are neighbours."""
    neighbours = iter(["Ann", "Ben", "Cleo", "Dan", "Eve"])
    return ["You" if seat == puzzle.seat else next(neighbours) for seat in range(puzzle.state().seats)]


def info(puzzle: Puzzle, day: date) -> PuzzleInfo:
    """The puzzle of a day, as it is shown before a try."""
    state, spec, seat = puzzle.state(), puzzle.spec, puzzle.seat
    return {
        "game": puzzle.game,
        "title": spec.title,
        "date": day.isoformat(),
        "number": number_of_day(day),
        "seat": seat,
        "stars": puzzle.stars,
        "names": names_of(puzzle),
        "view": dict(state.view(seat)),
        "legal": _legal(puzzle),
    }


@lru_cache(CACHED)
def _legal(puzzle: Puzzle) -> list[Json]:
    """The legal moves with all that a page needs, in the order of the rules."""
    state, spec, seat = puzzle.state(), puzzle.spec, puzzle.seat
    moves = state.legal(seat)
    return [
        {
            **spec.move_fields(state, seat, move),
            "move": spec.move_text(state, seat, move),
            "words": spec.move_words(state, seat, move),
            **points,
        }
        for move, points in zip(moves, preview_points(state, seat, moves), strict=True)
    ]


def preview(puzzle: Puzzle, text: str) -> PuzzlePreview:
    """What a move would do and score at once. A move that is not legal is refused in words."""
    state = puzzle.state()
    found = preview_text(state, puzzle.seat, text)
    return {
        "move": state.move_text(puzzle.seat, found.move),
        "certain": found.certain,
        "events": [event.seen_by(puzzle.seat) for event in found.events],
        "gains": found.gains,
        "lines": lines_json(found.lines),
        "offers": [{"move": offer.text, "lines": lines_json(offer.lines)} for offer in found.offers],
    }


def why_not(puzzle: Puzzle, text: str) -> str | None:
    """The rule that forbids a move; None if it is legal."""
    try:
        puzzle.spec.parse_move(puzzle.state(), puzzle.seat, text)
    except MoveError as error:
        return str(error)
    return None


def boots_for(puzzle: Puzzle, text: str) -> int:
    """3 for the best move; 2 if less than half of what the obvious move loses is lost, 1 if less than that, else 0."""
    row = puzzle.row(text)
    if row is None:
        return 0
    if row is puzzle.best:
        return MOST_BOOTS
    obvious = min([lost for move in puzzle.obvious if (lost := _lost(puzzle, move)) is not None])
    return 2 if 2 * row.lost < obvious else 1 if row.lost < obvious else 0


def _lost(puzzle: Puzzle, text: str) -> float | None:
    row = puzzle.row(text)
    return None if row is None else row.lost


def judge(puzzle: Puzzle, text: str) -> PuzzleVerdict:
    """What the search says about a move, with the solution. A move that is not legal is refused in words."""
    state, spec, seat = puzzle.state(), puzzle.spec, puzzle.seat
    move = spec.move_text(state, seat, spec.parse_move(state, seat, text))
    row = puzzle.row(move)
    rows = _judged_rows(puzzle)
    return {
        "move": move,
        "boots": boots_for(puzzle, move),
        "best": row is puzzle.best,
        "lost": None if row is None else row.lost,
        "error": None if row is None else row.error,
        "says": _sentences(puzzle, rows, move),
        "moves": rows,
    }


@lru_cache(CACHED)
def _judged_rows(puzzle: Puzzle) -> list[JudgedRow]:
    return [_judged_row(puzzle, each) for each in puzzle.rows]


def _judged_row(puzzle: Puzzle, row: Row) -> JudgedRow:
    state, spec, seat = puzzle.state(), puzzle.spec, puzzle.seat
    move = spec.parse_move(state, seat, row.move)
    found = preview_move(state, seat, move)
    words = spec.move_words(state, seat, move)
    fields = {**spec.move_fields(state, seat, move), "move": row.move, "words": words, "points": found.points}
    return {
        "move": row.move,
        "words": words,
        "fields": fields,
        "best": row is puzzle.best,
        "obvious": row.move in puzzle.obvious,
        "lost": row.lost,
        "error": row.error,
        "mine": row.mine,
        "theirs": row.theirs,
        "points": found.points,
        "lines": lines_json([(scorer, line) for scorer, line in found.lines if scorer == seat]),
    }


def _sentences(puzzle: Puzzle, rows: list[JudgedRow], move: str) -> list[str]:
    """The verdict in words: the move that was tried, the best one, and why not the obvious one."""
    best, tried = rows[0], next((row for row in rows if row["move"] == move), None)
    obvious = next(row for row in rows if row["obvious"])
    said: list[str] = []
    if tried is best:
        said.append(f"Yes: {best['words']}. {_at_once(best)}")
    else:
        if tried is None:
            least = f"; the best of those loses {_points(puzzle.others_lost)}" if puzzle.others_lost > 0 else ""
            said.append(f"That move is not among the {len(rows)} best{least}.")
        else:
            error = f" (give or take {2 * tried['error']:.1f})" if tried["error"] >= 0.05 else ""
            said.append(f"That move loses {_points(tried['lost'])}{error}. {_at_once(tried)}")
        said.append(f"Best is: {best['words']}. {_at_once(best)}")
    if tried is not None and tried is not best and tried is not obvious:
        said.append(_against(puzzle, best, tried, "your move"))
    said.append(_against(puzzle, best, obvious, f"the obvious move ({obvious['words']}, {_points_at_once(obvious)})"))
    return said


def _points(number: float) -> str:
    return f"{number:.1f} points"


def _at_once(row: JudgedRow) -> str:
    return f"It scores {some(row['points'], 'point')} at once." if row["points"] else "It scores nothing at once."


def _points_at_once(row: JudgedRow) -> str:
    return f"{row['points']:+d} at once" if row["points"] else "nothing at once"


def _against(puzzle: Puzzle, best: JudgedRow, other: JudgedRow, called: str) -> str:
    """Where the difference between two moves comes from: own points, and those of the strongest rival."""
    mine, theirs = best["mine"] - other["mine"], best["theirs"] - other["theirs"]
    rival = _rival(puzzle)
    if abs(mine) < 0.05 and abs(theirs) < 0.05:
        parts = "the two end nearly alike"
    else:
        own = (
            f"you get {_points(abs(mine))} {'more' if mine > 0 else 'fewer'}"
            if abs(mine) >= 0.05
            else "you get as much"
        )
        less = "fewer" if theirs < 0 else "more"
        left = f"{rival} gets {abs(theirs):.1f} {less}" if abs(theirs) >= 0.05 else f"{rival} gets as much"
        parts = f"{own}, and {left}"
    return capital(f"compared with {called}, {parts} in what the search sees ahead.")


def _rival(puzzle: Puzzle) -> str:
    seats = puzzle.state().seats
    return seat_mark(1 - puzzle.seat) if seats == 2 else "your strongest rival"


def share_text(puzzle: Puzzle, day: date, boots: int, streak: int) -> str:
    """A result to send to others; it tells nothing about the position or the move."""
    marks = "👢" * boots + "💧" * (MOST_BOOTS - boots)
    days = f"\n☔ {some(streak, 'day')} in a row" if streak > 1 else ""
    return f"Wellies puzzle {number_of_day(day)} · {puzzle.spec.title} · {day.isoformat()}\n{marks}{days}"
