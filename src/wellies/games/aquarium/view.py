"""What a view has beside the position: the points of each card, card texts, and one's own secret plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Json
from wellies.games.aquarium.material import BALANCED
from wellies.games.aquarium.phases import EMPTY, KEPT, NETS, SETUP
from wellies.games.aquarium.scoring import card_points, tank_lines, tank_points
from wellies.games.aquarium.tank_spaces import SPACE_NAMES, rows

if TYPE_CHECKING:
    from wellies.games.aquarium.state import AquariumState


def reasons(state: AquariumState, tank: list[int]) -> list[Json]:
    """The bonuses that count in a tank: whose they are, and the cards that bring them."""
    return [
        {"space": line.where[0], "points": line.points, "of": line.where[1:], "why": line.why}
        for line in tank_lines(state.cards, tank)
        if line.rule == "bonus"
    ]


def extra(state: AquariumState, viewer: int | None) -> Json:
    """Only what lies open, and what the viewer holds itself."""
    result: Json = {
        "rounds": state.rounds,
        "store_size": state.store_size,
        "values": [rows(card_points(state.cards, tank)) for tank in state.tanks],
        "reasons": [reasons(state, tank) for tank in state.tanks],
        "plan": None,
    }
    seen = {card for tank in state.tanks for card in tank} | set(state.store)
    if state.options["cards"] != BALANCED:
        seen = set(range(len(state.cards.cards)))  # nobody knows other cards than the default ones by heart
    if viewer is not None and 0 <= viewer < state.seats:
        seen |= {card for card in state.hands[viewer] + state.placed[viewer] + state.aside[viewer] if card >= 0}
        if state.phase == SETUP:
            result["plan"] = _plan(state, viewer)
    if state.phase == SETUP:
        result["placed"] = [state.placed_count(seat) for seat in range(state.seats)]
        result["to_place"] = KEPT
    if state.phase == NETS:
        result["asked"] = [state.asked(seat) for seat in range(state.seats)]
    result["cards"] = {
        state.cards.names[card]: {
            "type": state.cards.cards[card].type,
            "base": state.cards.bases[card],
            "text": state.cards.text(card),
        }
        for card in sorted(seen)
    }
    return result


def _plan(state: AquariumState, seat: int) -> Json:
    """The viewer's own tank as it will be when all is revealed, as far as it is laid."""
    tank = state.tanks[seat].copy()
    for space, card in enumerate(state.placed[seat]):
        if card != EMPTY:
            tank[space] = card
    values = card_points(state.cards, tank)
    return {
        "grid": rows([state.cards.names[card] for card in tank]),
        "values": rows(values),
        "points": sum(values),
        "reasons": reasons(state, tank),
        "gains": {
            state.cards.names[card]: _gains(state, tank, card) for card in sorted(set(state.hands[seat])) if card >= 0
        },
    }


def _gains(state: AquariumState, tank: list[int], card: int) -> dict[str, int]:
    """What a card of the hand would change on each space."""
    now = tank_points(state.cards, tank)
    gains: dict[str, int] = {}
    for space, name in enumerate(SPACE_NAMES):
        changed = tank.copy()
        changed[space] = card
        gains[name] = tank_points(state.cards, changed) - now
    return gains
