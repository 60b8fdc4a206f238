"""Wellies: five rainy-day board games, one engine for the browser, the terminal and research.

>>> import wellies
>>> match = wellies.Match(wellies.game("guppies"), seats=2, seed=7)
"""

from __future__ import annotations

from wellies.bots import list_bots
from wellies.bots import make_bot as bot
from wellies.core.dice import Rng, Stream
from wellies.core.errors import (
    BadGame,
    BadMaterial,
    BadNotation,
    BadOption,
    BadPosition,
    BadRecord,
    IllegalMove,
    MoveError,
    NotYourTurn,
    StaleDecision,
    UndoRefused,
    UnknownBot,
    UnknownGame,
    UnknownPiece,
    UnknownSeat,
    WelliesError,
)
from wellies.core.events import Event, ScoreLine
from wellies.core.outcome import Ending, Outcome
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState
from wellies.core.types import Move, Seat, View
from wellies.games import game, list_games, register
from wellies.match import Decision, Match, Preview, Record

__version__ = "0.2.0"

__all__ = [
    "CHANCE",
    "BadGame",
    "BadMaterial",
    "BadNotation",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Decision",
    "Ending",
    "Event",
    "GameSpec",
    "GameState",
    "IllegalMove",
    "Match",
    "Move",
    "MoveError",
    "NotYourTurn",
    "Outcome",
    "Preview",
    "Record",
    "Rng",
    "ScoreLine",
    "Seat",
    "StaleDecision",
    "Stream",
    "UndoRefused",
    "UnknownBot",
    "UnknownGame",
    "UnknownPiece",
    "UnknownSeat",
    "View",
    "WelliesError",
    "__version__",
    "bot",
    "game",
    "list_bots",
    "list_games",
    "register",
]
