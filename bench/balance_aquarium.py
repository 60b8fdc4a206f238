"""Ultimate Aquarium: what each card ends with in the tanks of greedy players, and how often they want it."""

from __future__ import annotations

import wellies
from wellies import CHANCE, Stream
from wellies.games.aquarium.moves import NET, PUT, TAKE
from wellies.games.aquarium.phases import SETUP, TURN
from wellies.games.aquarium.scoring import card_points
from wellies.games.aquarium.state import AquariumState
from wellies.games.aquarium.vocabulary import SPACES


class Tally:
    """Counts by card."""

    def __init__(self, cards: int) -> None:
        self.dealt = [0] * cards
        self.kept = [0] * cards
        self.offered = [0] * cards
        self.taken = [0] * cards
        self.ended = [0] * cards
        self.points = [0] * cards


def play(state: AquariumState, rng: Stream, tally: Tally) -> None:
    """One game of greedy players, to its end."""
    bot = wellies.bot("greedy")
    while due := state.due():
        seat = due[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            if state.phase == SETUP:
                for hand in state.hands:
                    for card in hand:
                        tally.dealt[card] += 1
            continue
        move = bot.choose(state, seat, rng)
        if move < TAKE:
            tally.kept[(move - PUT) // SPACES] += 1
        elif state.phase == TURN and move < NET:
            for card in set(state.store):
                tally.offered[card] += 1
            tally.taken[(move - TAKE) // SPACES] += 1
        state.step(seat, move)
    for tank in state.tanks:
        for card, points in zip(tank, card_points(state.cards, tank), strict=True):
            tally.ended[card] += 1
            tally.points[card] += points


def table(games: int, seed: int) -> list[dict[str, str]]:
    """Greedy games at 2, 3 and 4 seats, as many of each."""
    spec = wellies.game("aquarium")
    state = spec.start()
    assert isinstance(state, AquariumState)
    cards = state.cards
    tally = Tally(len(cards.names))
    rng = Stream(f"balance {seed}")
    for seats in range(spec.min_seats, spec.max_seats + 1):
        for _ in range(games):
            state = spec.start(seats)
            assert isinstance(state, AquariumState)
            play(state, rng, tally)
    rows: list[dict[str, str]] = []
    for card, each in enumerate(cards.cards):
        rows.append(
            {
                "card": each.name,
                "source": each.source,
                "base": str(each.base),
                "text": each.text() or "-",
                "kept when dealt": _share(tally.kept[card], tally.dealt[card]),
                "taken when offered": _share(tally.taken[card], tally.offered[card]),
                "in final tanks": str(tally.ended[card]),
                "mean points": f"{tally.points[card] / tally.ended[card]:.2f}" if tally.ended[card] else "-",
            }
        )
    return rows


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "-"
