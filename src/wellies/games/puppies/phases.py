"""The phases of a game, in the order in which a round runs through them, and a few numbers of the set-up."""

from __future__ import annotations

from typing import Final

DEAL: Final = 0  # chance: the hands
PARK: Final = 1  # chance: the park is filled
CHOOSING: Final = 2  # all seats at once
SHOWING: Final = 3  # chance: what a hidden choice was; only in games that go on from what one seat could see
JOINING: Final = 4  # which group does a Doggo join?
TRICK: Final = 5  # the next part of a trick
DRAWING: Final = 6  # chance: a pup for a trick
TAKING: Final = 7  # a card from the park
LEFTOVER: Final = 8  # which group does a leftover Doggo join?
OVER: Final = 9

PHASES: Final = ["deal", "park", "choose", "reveal", "join", "trick", "draw", "take", "leftover", "over"]
"""The phases as positions write them."""

DECKS: Final[tuple[int, ...]] = (45, 60, 75, 90)
"""Cards in the deck for 2, 3, 4 and 5 players; the rest stays in the box."""

UNKNOWN: Final = -1
"""A card in a hand that a state does not know, because it was set up from what one seat could see."""
