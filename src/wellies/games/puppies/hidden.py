"""What a seat has not seen, dealt afresh: the other hands, and choices that are still secret."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

from wellies.core.dice import Rng
from wellies.games.puppies.phases import UNKNOWN

if TYPE_CHECKING:
    from wellies.games.puppies.state import PuppiesState


def resample(state: PuppiesState, seat: int, rng: Rng) -> PuppiesState:
    """Deal the hidden cards of the other hands afresh, and choose for those who have chosen in secret.

    Cards taken from the park stay in their hands, where everyone has seen them go. A chosen card is still a card of
    its hand.
    """
    other = state.clone()
    pool = other.unseen
    for owner in range(state.seats):
        if owner != seat:
            known = other.open[owner]
            for card in other.hands[owner]:
                if card != UNKNOWN and card not in known:
                    insort(pool, card)
    for owner in range(state.seats):
        hand = other.hands[owner]
        kept = other.open[owner] if owner != seat else [card for card in hand if card != UNKNOWN]
        if len(kept) < len(hand):
            dealt = kept[:]
            for _ in range(len(hand) - len(kept)):
                insort(dealt, pool.pop(rng.randrange(len(pool))))
            other.hands[owner] = dealt
    for owner in range(state.seats):
        chosen = other.chosen[owner]
        if chosen and (owner != seat or UNKNOWN in chosen):
            other.chosen[owner] = _sample(other.hands[owner], len(chosen), rng)
    return other


def _sample(hand: list[int], number: int, rng: Rng) -> list[int]:
    """So many cards of a hand, at random."""
    left = hand[:]
    picked: list[int] = []
    for _ in range(number):
        insort(picked, left.pop(rng.randrange(len(left))))
    return picked
