"""The phases of a game, its sizes, and the numbers that mean unknown or empty."""

from __future__ import annotations

from typing import Final

TOKEN: Final = 0
DEAL: Final = 1
SETUP: Final = 2
STOCK: Final = 3
TURN: Final = 4
NETS: Final = 5
OVER: Final = 6
PHASES: Final = ("token", "deal", "setup", "stock", "turn", "nets", "over")

HAND: Final = 5
"""Cards dealt to each seat at the start."""
KEPT: Final = 3
"""How many of them go on the tank."""

UNKNOWN: Final = -1
"""A card that whoever this position was written for has not seen."""
EMPTY: Final = -2
"""A space on which nothing was put in the set-up."""
UNANSWERED: Final = -1
SECRET_ANSWER: Final = -2
"""An answer to the last net question that whoever this position was written for has not seen."""


def rounds_for(seats: int) -> int:
    return 9 if seats == 3 else 8


def store_size_for(seats: int) -> int:
    return 6 if seats == 4 else 5


def most_draws(seats: int) -> int:
    """How many cards a game can draw at most: the hands, every store, and every restock."""
    return HAND * seats + store_size_for(seats) * (rounds_for(seats) + seats)
