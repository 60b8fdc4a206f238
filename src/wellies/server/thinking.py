"""What runs inside a bot's process. It imports the games and bots, and nothing of the server."""

from __future__ import annotations

import json

from wellies.bots import bot
from wellies.core.dice import Stream
from wellies.games import game


def choose(level: str, view: bytes, seat: int, seed: int) -> tuple[str, str]:
    """The move this bot chooses from what the seat may see, as notation and in words."""
    seen = json.loads(view)
    move = bot(level).choose(seen, seat, Stream(seed))
    spec = game(seen["game"])
    state = spec.from_position(seen["position"])
    return spec.move_text(state, seat, move), spec.move_words(state, seat, move)
