"""What a view has beside the position. All of it follows from what is open, so all viewers get the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Json
from wellies.games.puppies.card_text import step_text
from wellies.games.puppies.material import BALANCED, BREEDS, CARDS, EACH, FIRST_DOGGO, MOVE, Cards
from wellies.games.puppies.moves import BURY_AT, STOP, kind_of, move_text, up_bone
from wellies.games.puppies.phases import TRICK
from wellies.games.puppies.scoring import all_bonuses, bonus_points, upgrades
from wellies.games.puppies.tricks import most

if TYPE_CHECKING:
    from wellies.games.puppies.state import PuppiesState
    from wellies.games.puppies.yard import Yard


def extra(state: PuppiesState) -> Json:
    """`bonuses`: what each seat's groups would gain if the game ended now (at the end: what they gain).

    `asks`: the part of the trick that is being decided, in words, with `most`, `groups` and `plain` (see `schema`).
    `texts`: what the cards do, if they are not the default ones.
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
    found: Json = {"bonuses": bonuses, "asks": ""}
    if state.phase == TRICK:
        found.update(_part(state))
    if state.options["cards"] != BALANCED:
        found["texts"] = _texts(cards)
    return found


def _part(state: PuppiesState) -> Json:
    """The part of the trick under way: what it asks, and how much of it can be chosen in one go."""
    cards = state.cards
    frame = state.frames[-1]
    step = cards.tricks[frame.card].steps[frame.part]
    yard = state.yards[state.turns[0] & 7]
    found: Json = {
        "asks": f"{cards.titles[frame.card]}: {step_text(step)} (N = {frame.pups}, done: {frame.done})",
        "most": most(yard, step, frame, state.deck + state.box),
    }
    if step.where == EACH:
        found["groups"] = "one" if step.verb == MOVE else "each"
    moves = [move for move in state.choices if move != STOP]
    if len(moves) == 1 and _gains(cards, yard, moves[0]):
        found["plain"] = move_text(cards, moves[0])
    return found


def _gains(cards: Cards, yard: Yard, move: int) -> bool:
    """Whether burying or upgrading this bone brings points, the bonuses of the end included."""
    after = yard.clone()
    if kind_of(move) == "bury":
        after.bury(move - BURY_AT)
    elif kind_of(move) == "up":
        after.upgrade(up_bone(move))
    return after.value + all_bonuses(cards, after) > yard.value + all_bonuses(cards, yard)


def _texts(cards: Cards) -> Json:
    """What cards do that nobody can know by heart."""
    return {
        "tricks": [cards.tricks[digit].text for digit in range(10)],
        "doggos": [cards.tricks[card].text for card in range(FIRST_DOGGO, CARDS)],
        "bonuses": [breed.text for breed in cards.breeds],
    }
