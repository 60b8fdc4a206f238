"""The phases of a game: what a seat, or chance, has to decide next. Also why a game ended."""

from __future__ import annotations

from typing import Final

from wellies.core.outcome import Ending

DEAL: Final = 0
MOVE: Final = 1
CLAIM_DUE: Final = 2
# After a move the animals come in this order; `animal_turns.go_on` goes through it.
FLY_HOPS: Final = 3
FROG_HOPS: Final = 4
FLY_APPEARS: Final = 5
FLY_GUESS: Final = 6
FROG_APPEARS: Final = 7
FROG_GUESS: Final = 8
MOVE_OVER: Final = 9
REFILL: Final = 10
FRESH: Final = 11
OVER: Final = 12
LOT: Final = 13
"""Who begins is drawn, before anything is dealt."""

PHASE_NAMES: Final = (
    "deal",
    "move",
    "claim",
    "fly hops",
    "frog hops",
    "fly appears",
    "fly guess",
    "frog appears",
    "frog guess",
    "move over",
    "refill",
    "fresh tiles",
    "over",
    "who begins",
)

DRAWING: Final[tuple[int, ...]] = (DEAL, REFILL, FRESH)

# Why a game ended.
GOES_ON: Final = 0
KNOCK_OUT: Final = 1
ALL_PASSED: Final = 2
END_NAMES: Final = ("", "knock-out", "all passed")
END_WORDS: Final = (
    "",
    "A knock-out: the winning score was reached.",
    "All tiles are gone and everyone has passed.",
)
ENDINGS: Final = (Ending.OTHER, Ending.TARGET_REACHED, Ending.ALL_PASSED)
