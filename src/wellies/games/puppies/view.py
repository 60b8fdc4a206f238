"""What a page or a terminal wants beside the position. All of it follows from what lies open on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Json
from wellies.games.puppies.material import BREEDS, CARDS, FIRST_DOGGO, Cards
from wellies.games.puppies.phases import TRICK
from wellies.games.puppies.scoring import bonus_points, upgrades
from wellies.games.puppies.texts import step_text

if TYPE_CHECKING:
    from wellies.games.puppies.state import PuppiesState


def extra(state: PuppiesState) -> Json:
    """`bonuses`: what each seat's groups would gain if the game ended as the yards stand (at the end: what they gain).

    `asks`: the part of the trick that is being decided, in words. `texts`: what the cards of a corrected file do.
    """
    cards = state.cards
    bonuses: list[list[Json]] = []
    for yard in state.yards:
        bonuses.append(
            [
                {
                    "breed": cards.keys[group],
                    "points": bonus_points(cards, yard, group),
                    "bones": upgrades(cards, yard, group),
                }
                for group in yard.groups_by_age()
                if group < BREEDS
            ]
        )
    asks = ""
    if state.phase == TRICK:
        frame = state.frames[-1]
        steps = cards.tricks[frame.card].steps
        asks = f"{cards.titles[frame.card]}: {step_text(steps[frame.part])} (N = {frame.pups}, done: {frame.done})"
    found: Json = {"bonuses": bonuses, "asks": asks}
    if state.options["cards"] != "standard":
        found["texts"] = _texts(cards)
    return found


def _texts(cards: Cards) -> Json:
    """What corrected cards do, since nobody can know them by heart."""
    return {
        "tricks": [cards.tricks[digit].text for digit in range(10)],
        "doggos": [cards.tricks[card].text for card in range(FIRST_DOGGO, CARDS)],
        "bonuses": [breed.text for breed in cards.breeds],
    }
