"""What a seat has not seen, dealt afresh: hands, cards put down in secret, cards not kept, secret answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.dice import Rng
from wellies.games.aquarium.phases import EMPTY, SECRET_ANSWER, UNANSWERED, UNKNOWN
from wellies.games.aquarium.tank_spaces import SPACES

if TYPE_CHECKING:
    from wellies.games.aquarium.state import AquariumState


def resample(state: AquariumState, seat: int, rng: Rng) -> AquariumState:
    """Gather every card that this seat has not seen, and deal the hidden places from them.

    The cards are gathered as counts, so that two states that look the same to the seat are dealt the same.
    """
    dealt = state.clone()
    for other in range(state.seats):
        if other != seat:
            _forget(dealt, other)
    pool: list[int] = []
    for card, count in enumerate(dealt.deck):
        pool += [card] * count
    for other in range(state.seats):
        _deal(dealt, other, pool, rng)
        if dealt.answers[other] == SECRET_ANSWER:
            dealt.answers[other] = UNANSWERED
            moves = dealt.legal(other)
            dealt.answers[other] = moves[rng.randrange(len(moves))]
    dealt.deck = [0] * len(state.deck)
    for card in pool:
        dealt.deck[card] += 1
    return dealt


def _forget(state: AquariumState, seat: int) -> None:
    """Make unknown what only this seat knows, and put its cards with the deck."""
    count = state.placed_count(seat)
    for card in state.hands[seat] + state.aside[seat] + state.placed[seat]:
        if card >= 0:
            state.deck[card] += 1
    state.hands[seat] = [UNKNOWN] * len(state.hands[seat])
    state.aside[seat] = [UNKNOWN] * len(state.aside[seat])
    state.placed[seat] = [EMPTY] * SPACES
    state.unseen_placed[seat] = count
    if state.answers[seat] != UNANSWERED:
        state.answers[seat] = SECRET_ANSWER


def _deal(state: AquariumState, seat: int, pool: list[int], rng: Rng) -> None:
    """Give a seat cards of the pool for all it holds unknown."""
    state.hands[seat] = sorted([_draw(pool, rng) if card == UNKNOWN else card for card in state.hands[seat]])
    state.aside[seat] = sorted([_draw(pool, rng) if card == UNKNOWN else card for card in state.aside[seat]])
    placed = state.placed[seat].copy()
    for _ in range(state.unseen_placed[seat]):
        card = _draw(pool, rng)
        free = [space for space in range(SPACES) if placed[space] == EMPTY and state.tanks[seat][space] != card]
        if not free:  # only in tanks that no game leads to
            free = [space for space in range(SPACES) if placed[space] == EMPTY]
        placed[free[rng.randrange(len(free))]] = card
    state.placed[seat] = placed
    state.unseen_placed[seat] = 0


def _draw(pool: list[int], rng: Rng) -> int:
    """Any card of the pool, which loses it; the last card takes its place."""
    at = rng.randrange(len(pool))
    card = pool[at]
    pool[at] = pool[-1]
    pool.pop()
    return card
