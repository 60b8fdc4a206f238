"""What runs inside a bot's process. It imports the games and bots, and next to nothing of the server."""

from __future__ import annotations

import json
from typing import Any

from wellies.bots import analysis, bot
from wellies.core.dice import Stream
from wellies.games import game
from wellies.match.preview import preview_points


def ready() -> None:
    """Nothing: whoever has called this has a process that has imported all that it needs."""


def choose(level: str, view: bytes, seat: int, seed: int) -> tuple[str, str]:
    """The move this bot chooses from what the seat may see, as notation and in words."""
    seen = json.loads(view)
    move = bot(level).choose(seen, seat, Stream(seed))
    spec = game(seen["game"])
    state = spec.from_position(seen["position"])
    return spec.move_text(state, seat, move), spec.move_words(state, seat, move)


def judge(view: bytes, seat: int, move: str, number: int, nodes: int) -> dict[str, Any]:
    """What is thought of a move, from what its seat saw before it: as `analysis.Finding` tells it, and with the
    `fields` of the best move, by which the page draws it."""
    seen = json.loads(view)
    spec = game(seen["game"])
    state = spec.from_position(seen["position"]).resample(seat, Stream(number))
    played = spec.parse_move(state, seat, move)
    finding = analysis.judge(spec, state, number, seat, played, len(state.legal(seat)), nodes, 0)
    best = spec.parse_move(state, seat, finding.best)
    fields = {**spec.move_fields(state, seat, best), **preview_points(state, seat, [best])[0]}
    return {**finding.to_json(), "fields": fields}
