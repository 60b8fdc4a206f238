"""Computer players. They see what their seat sees and nothing more."""

from __future__ import annotations

from wellies.bots.base import Bot
from wellies.bots.levels import levels
from wellies.bots.simple import GreedyBot, RandomBot
from wellies.bots.sparring import FlatBot, IsmctsBot, MarginBot
from wellies.core.errors import BadOption, UnknownBot, nearest

__all__ = ["Bot", "bot", "list_bots", "make_bot", "split_bot"]

_BOTS: dict[str, Bot] = {
    each.name: each for each in (*levels(), GreedyBot(), RandomBot(), MarginBot(), FlatBot(), IsmctsBot())
}


def list_bots() -> list[str]:
    """The names of all bots: the levels for people from the weakest to the strongest, then those for research."""
    return list(_BOTS)


def bot(name: str) -> Bot:
    """The bot of this name with its usual settings; UnknownBot lists the names and suggests the nearest."""
    if name not in _BOTS:
        raise UnknownBot(
            f"there is no bot {name!r}; there are: {', '.join(list_bots())}.{nearest(str(name), list_bots())}"
        )
    return _BOTS[name]


def split_bot(text: str) -> tuple[str, dict[str, str]]:
    """The name and the settings in a text such as `greedy:looks=60:more=7`; they are not checked yet."""
    name, *pairs = text.split(":")
    settings: dict[str, str] = {}
    for pair in pairs:
        setting, equals, value = pair.partition("=")
        if not equals or not setting or not value:
            raise BadOption(f"{text!r}: {pair!r} is not a setting; write {name or 'greedy'}:NAME=VALUE.")
        if setting in settings:
            raise BadOption(f"{text!r}: {setting} is given twice; keep one.")
        settings[setting] = value
    return name, settings


def make_bot(text: str) -> Bot:
    """The bot for a text such as `storm` or `greedy:looks=60`; UnknownBot or BadOption if there is none."""
    name, settings = split_bot(text)
    return bot(name).configured(settings)
