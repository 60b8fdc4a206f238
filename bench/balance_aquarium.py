"""Ultimate Aquarium: how often each card is kept and taken, and what it ends with. `bench/balance.py` says what is
counted."""

from __future__ import annotations

from typing import Any, Final

from balance import Counts, Row, bounds, error, share

import wellies
from wellies import CHANCE, Stream
from wellies.games.aquarium.material_file import load_material
from wellies.games.aquarium.moves import NET, PUT, RESTOCK, TAKE
from wellies.games.aquarium.phases import SETUP, TURN
from wellies.games.aquarium.scoring import card_points
from wellies.games.aquarium.state import AquariumState
from wellies.games.aquarium.tank_spaces import SPACES

DEALT: Final = 0
KEPT: Final = 1
OFFERED: Final = 2
TAKEN: Final = 3
ENDED: Final = 4
POINTS: Final = 5


def play(seats: int, options: dict[str, Any], bot: str, rng: Stream) -> Counts:
    """One game, to its end."""
    state = wellies.game("aquarium").start(seats, options)
    assert isinstance(state, AquariumState)
    names = state.cards.names
    counts: Counts = {name: [0] * 6 for name in names}
    dice = rng.fork("dice")
    players = [wellies.bot(bot).session() for _ in range(seats)]
    streams = [rng.fork(f"bot {seat}") for seat in range(seats)]
    while due := state.due():
        if due[0] == CHANCE:
            state.step(CHANCE, state.chance(dice))
            if state.phase == SETUP:
                for hand in state.hands:
                    for card in hand:
                        counts[names[card]][DEALT] += 1
            continue
        seat = due[0]
        move = players[seat].choose(state, seat, streams[seat])
        if move < TAKE:
            counts[names[(move - PUT) // SPACES]][KEPT] += 1
        elif state.phase == TURN and (move < NET or move == RESTOCK):
            for card in set(state.store):
                counts[names[card]][OFFERED] += 1
            if move < NET:
                counts[names[(move - TAKE) // SPACES]][TAKEN] += 1
        state.step(seat, move)
    for tank in state.tanks:
        for card, points in zip(tank, card_points(state.cards, tank), strict=True):
            counts[names[card]][ENDED] += 1
            counts[names[card]][POINTS] += points
    return counts


def rows(counts: Counts, options: dict[str, Any]) -> list[Row]:
    result: list[Row] = []
    for card in load_material(options["cards"]).cards:
        if card.starter:
            continue
        found = counts[card.name]
        result.append(
            {
                "card": card.name,
                "source": card.source,
                "base": str(card.base),
                "text": card.text() or "-",
                "kept when dealt": share(found[KEPT], found[DEALT]),
                "taken": share(found[TAKEN], found[OFFERED]),
                "error": error(found[TAKEN], found[OFFERED]),
                "bounds": bounds(found[TAKEN], found[OFFERED], card.source),
                "mean points at the end": f"{found[POINTS] / found[ENDED]:.2f}" if found[ENDED] else "-",
            }
        )
    return result
