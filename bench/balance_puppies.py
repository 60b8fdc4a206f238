"""Good Puppies: how often each trick is played and drawn, and what each bonus brings. `bench/balance.py` says what is
counted."""

from __future__ import annotations

from typing import Any, Final

from balance import SPREAD, Counts, Row, bounds, error, share

import wellies
from wellies import CHANCE, Stream
from wellies.games.puppies.material import BREEDS, CARDS, FIRST_DOGGO
from wellies.games.puppies.material_file import load_material
from wellies.games.puppies.moves import CHOOSE, TAKE
from wellies.games.puppies.phases import CHOOSING, TAKING
from wellies.games.puppies.scoring import bonus_points
from wellies.games.puppies.state import PuppiesState

HELD: Final = 0
PLAYED: Final = 1
IN_PARK: Final = 2
DRAWN: Final = 3

GROUPS: Final = 0
NOTHING: Final = 1
POINTS: Final = 2


def kind_of(card: int) -> str:
    """Ordinary tricks are alike in all breeds; each Doggo is its own."""
    return str(card) if card >= FIRST_DOGGO else f"x{card % 10}"


KINDS: Final = [kind_of(card) for card in [*range(10), *range(FIRST_DOGGO, CARDS)]]


def play(seats: int, options: dict[str, Any], bot: str, rng: Stream) -> Counts:
    """One game, to its end."""
    state = wellies.game("puppies").start(seats, options)
    assert isinstance(state, PuppiesState)
    counts: Counts = {kind: [0] * 4 for kind in KINDS}
    dice = rng.fork("dice")
    players = [wellies.bot(bot).session() for _ in range(seats)]
    streams = [rng.fork(f"bot {seat}") for seat in range(seats)]
    while due := state.due():
        if due[0] == CHANCE:
            state.step(CHANCE, state.chance(dice))
            continue
        seat = due[0]
        move = players[seat].choose(state, seat, streams[seat])
        if state.phase == CHOOSING:
            for kind in {kind_of(card) for card in state.hands[seat]}:
                counts[kind][HELD] += 1
            counts[kind_of(move - CHOOSE)][PLAYED] += 1
        elif state.phase == TAKING:
            for kind in {kind_of(card) for card in state.park}:
                counts[kind][IN_PARK] += 1
            counts[kind_of(move - TAKE)][DRAWN] += 1
        state.step(seat, move)
    for breed in range(BREEDS):
        found = [0, 0, 0]
        for yard in state.yards:
            if yard.size[breed]:
                points = bonus_points(state.cards, yard, breed)
                found[GROUPS] += 1
                found[NOTHING] += points == 0
                found[POINTS] += points
        counts[f"{breed}x"] = found
    return counts


def rows(counts: Counts, options: dict[str, Any]) -> list[Row]:
    cards = load_material(options["cards"])
    result: list[Row] = []
    for kind in KINDS:
        trick = cards.tricks[int(kind.replace("x", ""))]
        found = counts[kind]
        result.append(
            {
                "card": kind,
                "name": trick.name,
                "source": trick.source,
                "text": trick.text,
                "taken": share(found[PLAYED], found[HELD]),
                "error": error(found[PLAYED], found[HELD]),
                "drawn from the park": share(found[DRAWN], found[IN_PARK]),
                "bonus brings nothing": "",
                "mean points of the bonus": "",
                "bounds": bounds(found[PLAYED], found[HELD], trick.source),
            }
        )
    means = [counts[f"{breed}x"][POINTS] / max(counts[f"{breed}x"][GROUPS], 1) for breed in range(BREEDS)]
    spread = "within" if max(means) <= SPREAD * min(means) else f"{max(means) / max(min(means), 0.01):.1f} to 1"
    for breed in range(BREEDS):
        found = counts[f"{breed}x"]
        result.append(
            {
                "card": f"{breed}x",
                "name": cards.breeds[breed].name,
                "source": cards.breeds[breed].source,
                "text": cards.breeds[breed].text,
                "taken": "",
                "error": "",
                "drawn from the park": "",
                "bonus brings nothing": share(found[NOTHING], found[GROUPS]),
                "mean points of the bonus": f"{means[breed]:.2f}",
                "bounds": spread if means[breed] in (min(means), max(means)) else "within",
            }
        )
    return result
