"""Quick replies for Ultimate Aquarium: the moves of rollouts.

A move is worth the points of the tank after it and the future of its cards: what they will bring in later turns. The
futures were fitted by least squares to many thousand games between quick replies with the balanced cards, and halved,
which plays best. The other weights were found by trial. `bench/tune.py` plays new weights against these.
"""

from __future__ import annotations

from heapq import nlargest
from typing import Final

from wellies.core.heuristics import best_move
from wellies.games.aquarium.estimate import NET_VALUE
from wellies.games.aquarium.material import Material
from wellies.games.aquarium.moves import KEEP_NET, NET, PAIRS, RESTOCK, TAKE
from wellies.games.aquarium.phases import NETS, STOCK, TURN
from wellies.games.aquarium.scoring import tank_points
from wellies.games.aquarium.state import AquariumState
from wellies.games.aquarium.tank_spaces import SPACES

CARDS: Final = (
    *("Gravel", "Water", "Clownfish", "Cabbage Coral", "Diver", "Peppermint Shrimp"),
    *("Dragon's Tongue Algae", "Driftwood", "Hermit Crab", "Brine Shrimp", "Asterina Starfish", "Manatee Grass"),
    *("Pink Gravel", "Seahorse", "Spaghetti Algae", "Flowing Water", "Sun Coral", "Bubbly Water"),
    *("Cardinalfish", "Triggerfish", "Neon Gravel", "Harlequin Shrimp", "Anthias", "Clown Goby"),
    *("Skull Cave", "Rainbow Gravel", "Sunken Ship", "Moray Eel", "Treasure Chest", "Dented Brain Coral"),
    *("Shell Gravel", "Mermaid's Fan", "Bubble Jet", "Mangrove"),
)

# What each weight is for.
DENIED: Final = 0  # how much the rival's best reply counts, in percent
POOR: Final = 1  # a store that brings less than this is restocked, in hundredths of a point
FUTURE: Final = 2  # the future of each of CARDS for every turn that is left, in hundredths; that of other cards is 0

WEIGHTS: Final = (
    *(100, 100),
    *(28, 20, 16, 10, 8, 6),
    *(6, 5, 4, 2, 2, 1),
    *(1, 0, 0, 0, -1, -2),
    *(-2, -3, -3, -3, -4, -4),
    *(-5, -5, -6, -7, -10, -10),
    *(-11, -12, -12, -12),
)

DENIAL_MOVES: Final = 6
"""For so many of one's best moves the rival's best reply is considered."""

CARD_BITS: Final = 6
MOST_TANKS: Final = 100_000
"""How many tanks are cached, at most."""


class TankValues:
    """The points of tanks, cached: rollouts meet the same tanks over and over."""

    def __init__(self, cards: Material, weights: list[int]) -> None:
        self.cards = cards
        self.known: dict[int, int] = {}
        future = {name: weights[FUTURE + number] for number, name in enumerate(CARDS)}
        self.future: list[int] = [future.get(name, 0) for name in cards.names]
        """What each card brings later, for every turn that is left."""

    def key(self, tank: list[int]) -> int:
        packed = 0
        for space in range(SPACES):
            packed |= tank[space] << (CARD_BITS * space)
        return packed

    def with_card(self, tank: list[int], key: int, space: int, card: int) -> int:
        """The points of this tank, whose key is given, with another card on a space, in hundredths."""
        before = tank[space]
        shift = CARD_BITS * space
        changed = key ^ (before << shift) ^ (card << shift)
        points = self.known.get(changed, -1)
        if points < 0:
            tank[space] = card
            points = 100 * tank_points(self.cards, tank)
            tank[space] = before
            if len(self.known) >= MOST_TANKS:
                self.known.clear()
            self.known[changed] = points
        return points

    def future_value(self, tank: list[int], turns: int) -> int:
        """What the cards of a tank bring in so many turns to come."""
        future = self.future
        total = 0
        for card in tank:
            total += future[card]
        return turns * total

    def best_with(self, tank: list[int], key: int, card: int, turns: int) -> int:
        """The value of this tank with a new card on the best space for it."""
        future = self.future
        best = -1_000_000
        for space in range(SPACES):
            if tank[space] != card:
                value = self.with_card(tank, key, space, card) - turns * future[tank[space]]
                if value > best:
                    best = value
        return best + turns * future[card]


def turns_left(state: AquariumState, seat: int) -> int:
    """How many cards this seat will still take."""
    if state.phase == STOCK or state.phase == TURN:
        return state.rounds - state.round + (1 if state.waits(seat) else 0)
    return state.rounds if state.phase < STOCK else 0


def move_priors(state: AquariumState, seat: int, moves: list[int], tanks: TankValues) -> list[int]:
    """The points of the tank after each move, and the future of its cards."""
    tank = state.planned_tank(seat)
    key = tanks.key(tank)
    turns = turns_left(state, seat)
    if state.phase == TURN and state.to_move == seat:
        turns -= 1
    future = tanks.future
    base = tanks.future_value(tank, turns)
    points = -1
    found: list[int] = []
    for move in moves:
        if move < NET:
            packed = move if move < TAKE else move - TAKE
            space = packed % SPACES
            card = packed // SPACES
            value = tanks.with_card(tank, key, space, card) + turns * (future[card] - future[tank[space]])
        elif move < RESTOCK:
            one, two = PAIRS[move - NET]
            tank[one], tank[two] = tank[two], tank[one]
            value = 100 * tank_points(state.cards, tank) - (0 if state.phase == NETS else NET_VALUE)
            tank[one], tank[two] = tank[two], tank[one]
        else:
            if points < 0:
                points = 100 * tank_points(state.cards, tank)
            value = points + (1 if move == KEEP_NET else 0)
        found.append(value + base)
    return found


def quick_reply(state: AquariumState, seat: int, tanks: TankValues, weights: list[int]) -> int:
    """The best place for the best card; nets are kept for the end, and a poor store is restocked."""
    moves = state.legal(seat)
    if state.phase != TURN or state.to_move != seat:
        return best_move(moves, move_priors(state, seat, moves, tanks))
    takes = [move for move in moves if move < NET]
    values = move_priors(state, seat, takes, tanks)
    best = max(values)
    turns = turns_left(state, seat) - 1
    now = 100 * state.points[seat] + tanks.future_value(state.tanks[seat], turns)
    if best - now < weights[POOR] and RESTOCK in moves:
        return RESTOCK
    rival = (seat + 1) % state.seats
    if rival == state.first or weights[DENIED] == 0:
        return best_move(takes, values)
    return _deny_rival(state, seat, rival, takes, values, tanks, weights[DENIED] // (state.seats - 1))


def _deny_rival(
    state: AquariumState, seat: int, rival: int, takes: list[int], values: list[int], tanks: TankValues, weight: int
) -> int:
    """The best of one's own best moves, less what the store then offers to the next player in this round."""
    tank = state.tanks[seat]
    theirs = state.tanks[rival].copy()
    key = tanks.key(theirs)
    turns = turns_left(state, rival) - 1
    offers: dict[int, int] = {}
    best = takes[0]
    best_value = -1_000_000_000
    for index in nlargest(DENIAL_MOVES, range(len(values)), key=values.__getitem__):
        take = takes[index]
        card = (take - TAKE) // SPACES
        store = state.store.copy()
        store.remove(card)
        store.append(tank[(take - TAKE) % SPACES])
        offer = -1_000_000_000
        for each in store:
            known = offers.get(each)
            if known is None:
                known = tanks.best_with(theirs, key, each, turns)
                offers[each] = known
            if known > offer:
                offer = known
        value = 100 * values[index] - weight * offer
        if value > best_value:
            best, best_value = take, value
    return best
