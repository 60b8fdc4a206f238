"""The base classes of bots. A bot sees a game through `seen` only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellies.core.dice import Rng
from wellies.core.errors import BadOption, NotYourTurn, nearest
from wellies.core.events import Json
from wellies.core.state import GameState
from wellies.core.types import Move, Seat
from wellies.games import game


class Bot:
    """A computer player. It has no state between moves, so one bot can play in many seats of many tables."""

    name: str
    summary: str
    strength: str = ""
    """How strong it is, in a few words; empty for bots that are not meant for people."""
    seconds: float = 0.0
    """The longest time for a move on a usual machine; 0 if it is negligible."""

    def __repr__(self) -> str:
        return f"<bot {self.name}>"

    def session(self) -> BotSession:
        """This bot in one seat of one game, where it may keep what it found for earlier moves."""
        return BotSession(self)

    def configured(self, settings: dict[str, str]) -> Bot:
        """This bot with other settings, from a text such as `greedy:looks=60`; BadOption names the settings it has.

        A bot with settings overrides this and returns a new bot; the registered bot never changes.
        """
        if settings:
            raise BadOption(f"the bot {self.name} has no settings; leave {', '.join(settings)} out.")
        return self

    def choose(self, table: GameState | Mapping[str, Any], seat: Seat, rng: Rng) -> Move:
        """A legal move for this seat, from a state or from the seat's view.

        Either way the bot gets a resampled state: it never learns more than the seat may see.
        """
        state = seen(table, seat, rng)
        moves = state.legal(seat)
        if not moves:
            raise NotYourTurn(state.turn_refusal(seat) or "There is nothing to decide.")
        return moves[0] if len(moves) == 1 else self.pick(state, seat, moves, rng)

    def pick(self, state: GameState, seat: Seat, moves: list[Move], rng: Rng) -> Move:
        """One of these moves. The state belongs to the bot, which may change it."""
        raise NotImplementedError


class BotSession:
    """A bot in one seat of one game. This one keeps nothing between moves; `SearchSession` keeps its tree."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    @property
    def proved(self) -> bool:
        """Whether the last move was proved to be the best."""
        return False

    def choose(self, table: GameState | Mapping[str, Any], seat: Seat, rng: Rng) -> Move:
        """As `Bot.choose`."""
        return self.bot.choose(table, seat, rng)


def seen(table: GameState | Mapping[str, Any], seat: Seat, rng: Rng) -> GameState:
    """The state that a bot may use: all that the seat has not seen is resampled."""
    if isinstance(table, GameState):
        return table.resample(seat, rng)
    return game(table["game"]).from_position(table["position"]).resample(seat, rng)


def think_time(bot: Bot) -> str:
    """The think time of a bot, in words."""
    if bot.seconds <= 0:
        return "at once"
    if bot.seconds < 2:
        return "about a second"
    return f"up to {bot.seconds:g} seconds"


def describe_bot(bot: Bot) -> Json:
    """All a chooser wants to know of a bot, as JSON. Those that are not `for_people` are for research."""
    return {
        "name": bot.name,
        "summary": bot.summary,
        "strength": bot.strength,
        "seconds": bot.seconds,
        "thinks": think_time(bot),
        "for_people": bool(bot.strength),
    }


def whole_setting(bot: str, settings: dict[str, str], name: str, default: int, least: int, most: int) -> int:
    """A setting that is a whole number; BadOption gives the range."""
    text = settings.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 12 or not least <= int(text) <= most:
        raise BadOption(f"{bot}:{name}={text[:40]}: {name} must be a whole number from {least} to {most}.")
    return int(text)


def check_settings(bot: str, settings: dict[str, str], known: list[str]) -> None:
    """BadOption if a setting is not one of those that this bot has."""
    for name in settings:
        if name not in known:
            raise BadOption(f"the bot {bot} has no setting {name!r}; it has: {', '.join(known)}.{nearest(name, known)}")
