"""What a bot or the analysis is asked to do, as plain values: for another process, or another worker of a browser."""

from __future__ import annotations

import json
from typing import Any

from wellies.bots import analysis, bot, reasons
from wellies.core.dice import Stream
from wellies.core.preview import preview_points
from wellies.games import game


def load() -> None:
    """Does nothing. A worker that runs it has imported this module and all that it needs."""


def choose(level: str, view: bytes | str, seat: int, seed: int) -> tuple[str, str]:
    """The move that this bot chooses from the seat's view, in notation and in words."""
    seen = json.loads(view)
    move = bot(level).choose(seen, seat, Stream(seed))
    spec = game(seen["game"])
    state = spec.from_position(seen["position"])
    return spec.move_text(state, seat, move), spec.move_words(state, seat, move)


def hint(level: str, view: bytes | str, seat: int, seed: int) -> dict[str, Any]:
    """The move that this bot would choose from the seat's view, as `move` and `words`, and why: an
    `reasons.Explanation` as JSON."""
    state, move, why = reasons.hint(bot(level), json.loads(view), seat, Stream(seed))
    spec = state.spec
    return {"move": spec.move_text(state, seat, move), "words": spec.move_words(state, seat, move), **why.to_json()}


def judge(view: bytes | str, seat: int, move: str, number: int, nodes: int) -> dict[str, Any]:
    """The analysis of a move, from the view of its seat before it: an `analysis.Finding` as JSON, with the `fields` of
    the best move, from which the page draws it."""
    seen = json.loads(view)
    spec = game(seen["game"])
    state = spec.from_position(seen["position"]).resample(seat, Stream(number))
    played = spec.parse_move(state, seat, move)
    finding = analysis.judge(spec, state, number, seat, played, len(state.legal(seat)), nodes, 0)
    best = spec.parse_move(state, seat, finding.best)
    fields = {**spec.move_fields(state, seat, best), **preview_points(state, seat, [best])[0]}
    return {**finding.to_json(), "fields": fields}
