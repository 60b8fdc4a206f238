"""Players without a body. They see what their seat sees and nothing more."""

from __future__ import annotations

from wellies.bots.base import Bot
from wellies.bots.simple import GreedyBot, RandomBot
from wellies.core.errors import UnknownBot, nearest

__all__ = ["Bot", "bot", "bots"]

_BOTS: dict[str, Bot] = {each.name: each for each in (GreedyBot(), RandomBot())}


def bots() -> list[str]:
    """The names of all bots."""
    return sorted(_BOTS)


def bot(name: str) -> Bot:
    """The bot of this name; UnknownBot lists the names and suggests the nearest."""
    if name not in _BOTS:
        raise UnknownBot(f"there is no bot {name!r}; there are: {', '.join(bots())}.{nearest(str(name), bots())}")
    return _BOTS[name]
