"""The phases of a game, what chance decides in the set-up, and the sizes of hands and market."""

from __future__ import annotations

from typing import Final

SETTING_UP: Final = 0
PLACING: Final = 1
TAKING: Final = 2
REFILLING: Final = 3
OVER: Final = 4
PHASES: Final[tuple[str, ...]] = ("setup", "place", "take", "refill", "over")
"""The phases as positions write them."""

HAND_SIZE: Final = 2
MARKET_SIZE: Final = 2
FIRST_TILES: Final = 2
"""Tiles that lie on the mat at the start: on spaces 0 and `SECOND_SPACE`, which are 0,0 and 0,1."""

SECOND_SPACE: Final = 4

# What chance decides next; 0 and up: a tile for that seat's hand.
TO_BOX: Final = -1
TO_MAT: Final = -2
TO_MARKET: Final = -3
WHO_BEGINS: Final = -4
