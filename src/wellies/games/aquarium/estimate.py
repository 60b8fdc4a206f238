"""An estimate of a seat's final score, for bots. A rule of thumb, not a rule of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.games.aquarium.moves import NET, PAIRS, RESTOCK
from wellies.games.aquarium.phases import NETS, SETUP, STOCK, TURN
from wellies.games.aquarium.scoring import tank_points

if TYPE_CHECKING:
    from wellies.games.aquarium.state import AquariumState

# What is not used yet, in hundredths of a point, for a bot that looks one step ahead. It keeps the bot from wasting a
# net or a restock on a point; the exact numbers hardly matter (docs/balance.md).
NET_VALUE: Final = 250
RESTOCK_VALUE: Final = 60
TAKE_VALUE: Final = 150


def estimate(state: AquariumState, seat: int) -> int:
    """The tank, with the seat's own secret cards, and something for what it has not used yet."""
    if state.phase == SETUP:
        return 100 * tank_points(state.cards, state.planned_tank(seat))
    value = 100 * state.points[seat]
    if state.phase == STOCK or state.phase == TURN:
        if state.nets[seat]:
            value += NET_VALUE
        if state.restocks[seat]:
            value += RESTOCK_VALUE
        if state.waits(seat):
            value += TAKE_VALUE
    elif state.phase == NETS and NET <= state.answers[seat] < RESTOCK:
        tank = state.tanks[seat].copy()
        one, two = PAIRS[state.answers[seat] - NET]
        tank[one], tank[two] = tank[two], tank[one]
        value = 100 * tank_points(state.cards, tank)
    return value
