"""What one seat gets of a table: how it stands, its legal moves, and previews of moves. Clients get this as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from wellies.core.dice import Stream
from wellies.core.errors import MoveError
from wellies.core.events import Json, lines_json
from wellies.core.preview import plan_ahead, preview_points, preview_text
from wellies.core.state import GameState
from wellies.match import Decision
from wellies.table.clocks import ClockFace
from wellies.table.errors import Refused
from wellies.table.info import HintOffer
from wellies.table.log import EntryInfo
from wellies.table.table import Table
from wellies.table.undo import UndoOffer, UndoRequest

LegalMode = Literal["full", "text", "none"]
"""How legal moves are given: with all that a page needs, as notation alone, or not at all."""


class DecisionInfo(TypedDict):
    """The choice before this connection's seat. `due`: the game waits for it (else the seat may act, and need not)."""

    id: str
    due: bool


class Standing(TypedDict):
    """How a table stands for one seat, beside its view and its legal moves: fields of `hello` and `update` messages."""

    version: int
    entries: list[EntryInfo]
    decision: DecisionInfo | None
    now: int
    clocks: list[ClockFace]
    undo: UndoOffer
    asked: UndoRequest | None
    hint: HintOffer
    plan: bool
    """Whether this seat can choose its next move already, while others move."""


@dataclass(frozen=True, slots=True)
class MovePreview:
    """What a move would do. Not `certain` where chance or a secret comes in: then only what is sure is in it."""

    move: str
    certain: bool
    events: list[Json]
    gains: list[int]
    lines: list[Json]
    offers: list[Json]
    """The moves that the seat could make next to score at once, each with the score lines it would add."""


def standing(table: Table, seat: int | None, since: int, now: int, games: int) -> Standing:
    """How the table stands for a seat (None: a spectator) with the entries after `since`. `games` is how many games of
    this game the person has finished."""
    return {
        "version": table.version,
        "entries": [table.entry_for(entry, seat) for entry in table.log[since:]],
        "decision": decision_info(table.decision_for(seat)),
        "now": now,
        "clocks": table.clocks.faces(now),
        "undo": table.undo_for(seat),
        "asked": table.undo_request(),
        "hint": table.hint_for(seat, games),
        "plan": _plans(table, seat),
    }


def decision_info(decision: Decision | None) -> DecisionInfo | None:
    return None if decision is None else {"id": decision.id, "due": decision.due}


def legal_moves(table: Table, seat: int | None, mode: LegalMode = "full") -> list[Any]:
    """The legal moves of the open decision of the person at this seat, as a client gets them."""
    if seat is None or mode == "none" or table.match is None or table.seats[seat].bot is not None:
        return []
    moves = table.match.choices(seat)
    spec, state = table.spec, table.match.state
    if mode == "text":
        return [spec.move_text(state, seat, move) for move in moves]
    return _listed(table, state, seat, moves)


def _listed(table: Table, state: GameState, seat: int, moves: list[int]) -> list[Any]:
    """Moves of this state with all that a page needs to show them."""
    spec = table.spec
    return [
        {
            **spec.move_fields(state, seat, move),
            "move": spec.move_text(state, seat, move),
            "words": spec.move_words(state, seat, move),
            **points,
        }
        for move, points in zip(moves, _points(table, state, seat, moves), strict=True)
    ]


def _points(table: Table, state: GameState, seat: int, moves: list[int]) -> Sequence[Mapping[str, int | None]]:
    """What each move would score; nothing at a table that shows no points before a move."""
    if not table.aids.shows_badges or not moves:
        return [{"points": None}] * len(moves)
    return preview_points(state, seat, moves)


# --- planning ahead -----------------------------------------------------------------------------------------------


def _plans(table: Table, seat: int | None) -> bool:
    """Whether the person at this seat can choose their next move already."""
    if seat is None or table.match is None or table.state != "playing" or table.seats[seat].bot is not None:
        return False
    return table.match.state.can_plan(seat)


def planned_moves(table: Table, seat: int) -> tuple[Any, list[Any]]:
    """What a seat that plans ahead chooses from: the view that it would have if it were its turn now, and the moves
    that would be legal then, without those that it can make at once."""
    state = _planning(table, seat)
    now = set(_state(table).legal(seat))
    moves = [move for move in state.legal(seat) if move not in now]
    return state.view(seat), _listed(table, state, seat, moves)


def _planning(table: Table, seat: int) -> GameState:
    planned = plan_ahead(_state(table), seat) if _plans(table, seat) else None
    if planned is None:
        raise Refused("no_plan", "There is nothing to plan ahead now.")
    return planned


# --- one move -----------------------------------------------------------------------------------------------------


def preview(table: Table, seat: int, text: str, *, ahead: bool = False) -> MovePreview:
    """What a move would do, from what the seat knows; without points at a table that shows none before a move. `ahead`:
    if it were the seat's turn now."""
    state = _planning(table, seat) if ahead else _state(table)
    found = preview_text(state, seat, text)
    move = state.move_text(seat, found.move)
    if not table.aids.shows_badges:
        return MovePreview(move, found.certain, [], [], [], [])
    return MovePreview(
        move,
        found.certain,
        [event.seen_by(seat) for event in found.events],
        found.gains,
        lines_json(found.lines),
        [{"move": offer.text, "lines": lines_json(offer.lines)} for offer in found.offers],
    )


def why_not(table: Table, seat: int, text: str, *, ahead: bool = False) -> str | None:
    """The rule that forbids a move, from what the seat knows; None if it is legal. `ahead`: as for `preview`."""
    state = _planning(table, seat) if ahead else _state(table).resample(seat, Stream(0))
    try:
        table.spec.parse_move(state, seat, text)
    except MoveError as error:
        return error.text
    return None


def _state(table: Table) -> GameState:
    if table.match is None:
        raise Refused("not_playing", "The game has not begun.")
    return table.match.state
