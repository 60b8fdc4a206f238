"""What a bot is, and the one door through which it sees a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellies.core.dice import Rng
from wellies.core.errors import BadOption, NotYourTurn, nearest
from wellies.core.state import GameState
from wellies.core.types import Move, Seat
from wellies.games import game


class Bot:
    """A player without a body. It keeps nothing between moves, so one bot may sit in many seats of many tables."""

    name: str
    summary: str
    strength: str = ""
    """How strong it is, in a few words; empty for bots that are not meant for people."""
    seconds: float = 0.0
    """How long it thinks about a move, at most, on a usual machine; 0 for no time worth speaking of."""

    def session(self) -> BotSession:
        """This bot in one seat for one game, where it may remember what it thought about before."""
        return BotSession(self)

    def configured(self, settings: dict[str, str]) -> Bot:
        """This bot with other settings, as they were typed (`greedy:looks=60`); BadOption names those that it has.

        A bot with settings overrides this and returns a bot of its own; the one on the shelf never changes.
        """
        if settings:
            raise BadOption(f"the bot {self.name} has no settings; leave {', '.join(settings)} out.")
        return self

    def choose(self, table: GameState | Mapping[str, Any], seat: Seat, rng: Rng) -> Move:
        """A legal move for this seat, from a state or from the seat's view.

        Either way the bot thinks about a state dealt afresh: it never learns more than the seat may see.
        """
        state = seen(table, seat, rng)
        moves = state.legal(seat)
        if not moves:
            raise NotYourTurn(state.turn_refusal(seat) or "There is nothing to decide.")
        return moves[0] if len(moves) == 1 else self.pick(state, seat, moves, rng)

    def pick(self, state: GameState, seat: Seat, moves: list[Move], rng: Rng) -> Move:
        """One of these moves; the state is the bot's own, to do with as it likes."""
        raise NotImplementedError


class BotSession:
    """A bot during one game in one seat. This one remembers nothing; `SearchSession` keeps its tree."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def choose(self, table: GameState | Mapping[str, Any], seat: Seat, rng: Rng) -> Move:
        """As `Bot.choose`."""
        return self.bot.choose(table, seat, rng)


def seen(table: GameState | Mapping[str, Any], seat: Seat, rng: Rng) -> GameState:
    """What a bot may think about: the table with all that the seat has not seen dealt afresh."""
    if isinstance(table, GameState):
        return table.resample(seat, rng)
    return game(table["game"]).from_position(table["position"]).resample(seat, rng)


def think_time(bot: Bot) -> str:
    """How long a bot thinks, for people."""
    if bot.seconds <= 0:
        return "at once"
    if bot.seconds < 2:
        return "about a second"
    return f"up to {bot.seconds:g} seconds"


def whole_setting(bot: str, settings: dict[str, str], name: str, default: int, least: int, most: int) -> int:
    """A setting that is a whole number; BadOption says from where to where."""
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
