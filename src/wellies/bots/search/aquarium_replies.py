"""Quick replies for Ultimate Aquarium: what a sensible player does at first sight, many times in every imagined game.

A card is worth what it makes of the tank, and what it may yet become. What each card may become was read off the ends
of many thousand games between quick replies with the balanced cards (by least squares), and half of it plays best; the
other weights were found by trial. `bench/tune.py` plays new weights against these.
"""

from __future__ import annotations

from heapq import nlargest
from typing import Final

from wellies.bots.search.heuristics import highest
from wellies.games.aquarium.material import Material
from wellies.games.aquarium.moves import KEEP_NET, NET, PAIRS, RESTOCK, TAKE
from wellies.games.aquarium.phases import NETS, STOCK, TURN
from wellies.games.aquarium.scoring import tank_points
from wellies.games.aquarium.state import NET_WORTH, AquariumState
from wellies.games.aquarium.vocabulary import SPACES

CARDS: Final = (
    *("Gravel", "Water", "Clownfish", "Cabbage Coral", "Diver", "Peppermint Shrimp"),
    *("Dragon's Tongue Algae", "Driftwood", "Hermit Crab", "Brine Shrimp", "Asterina Starfish", "Manatee Grass"),
    *("Pink Gravel", "Seahorse", "Spaghetti Algae", "Flowing Water", "Sun Coral", "Bubbly Water"),
    *("Cardinalfish", "Triggerfish", "Neon Gravel", "Harlequin Shrimp", "Anthias", "Clown Goby"),
    *("Skull Cave", "Rainbow Gravel", "Sunken Ship", "Moray Eel", "Treasure Chest", "Dented Brain Coral"),
    *("Shell Gravel", "Mermaid's Fan", "Bubble Jet", "Mangrove"),
)

# What each weight is for.
DENIED: Final = 0  # how much the rival's best answer counts, per cent
POOR: Final = 1  # a store that brings less than this is restocked, in hundredths of a point
FUTURE: Final = 2  # the future of each of CARDS for every turn to come, in hundredths; that of other cards is 0

WEIGHTS: Final = (
    *(100, 100),
    *(28, 20, 16, 10, 8, 6),
    *(6, 5, 4, 2, 2, 1),
    *(1, 0, 0, 0, -1, -2),
    *(-2, -3, -3, -3, -4, -4),
    *(-5, -5, -6, -7, -10, -10),
    *(-11, -12, -12, -12),
)

SERIOUS: Final = 6
"""How many of one's best moves are looked at for what they leave to the rival."""

CARD_BITS: Final = 6
MOST_TANKS: Final = 100_000


class Tanks:
    """What tanks are worth, remembered: imagined games meet the same ones over and over."""

    def __init__(self, cards: Material, weights: list[int]) -> None:
        self.cards = cards
        self.known: dict[int, int] = {}
        future = {name: weights[FUTURE + number] for number, name in enumerate(CARDS)}
        self.future: list[int] = [future.get(name, 0) for name in cards.names]
        """What each card may yet bring, for every turn to come."""

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

    def hopes(self, tank: list[int], turns: int) -> int:
        """What the cards of a tank may yet bring."""
        future = self.future
        total = 0
        for card in tank:
            total += future[card]
        return turns * total

    def best_with(self, tank: list[int], key: int, card: int, turns: int) -> int:
        """What this tank is worth with a new card where it is best."""
        future = self.future
        best = -1_000_000
        for space in range(SPACES):
            if tank[space] != card:
                worth = self.with_card(tank, key, space, card) - turns * future[tank[space]]
                if worth > best:
                    best = worth
        return best + turns * future[card]


def turns_to_come(state: AquariumState, seat: int) -> int:
    """How many cards this seat has yet to take."""
    if state.phase == STOCK or state.phase == TURN:
        return state.rounds - state.round + (1 if state.waits(seat) else 0)
    return state.rounds if state.phase < STOCK else 0


def move_worths(state: AquariumState, seat: int, moves: list[int], tanks: Tanks) -> list[int]:
    """What the tank would be worth, and may yet become."""
    tank = state.laid_out(seat)
    key = tanks.key(tank)
    turns = turns_to_come(state, seat)
    if state.phase == TURN and state.to_move == seat:
        turns -= 1
    future = tanks.future
    hopes = tanks.hopes(tank, turns)
    points = -1
    found: list[int] = []
    for move in moves:
        if move < NET:
            packed = move if move < TAKE else move - TAKE
            space = packed % SPACES
            card = packed // SPACES
            worth = tanks.with_card(tank, key, space, card) + turns * (future[card] - future[tank[space]])
        elif move < RESTOCK:
            one, two = PAIRS[move - NET]
            tank[one], tank[two] = tank[two], tank[one]
            worth = 100 * tank_points(state.cards, tank) - (0 if state.phase == NETS else NET_WORTH)
            tank[one], tank[two] = tank[two], tank[one]
        else:
            if points < 0:
                points = 100 * tank_points(state.cards, tank)
            worth = points + (1 if move == KEEP_NET else 0)
        found.append(worth + hopes)
    return found


def quick_reply(state: AquariumState, seat: int, tanks: Tanks, weights: list[int]) -> int:
    """The best place for the best card; nets are kept for the end, and a poor store is restocked."""
    moves = state.legal(seat)
    if state.phase != TURN or state.to_move != seat:
        return highest(moves, move_worths(state, seat, moves, tanks))
    takes = [move for move in moves if move < NET]
    worths = move_worths(state, seat, takes, tanks)
    best = max(worths)
    turns = turns_to_come(state, seat) - 1
    now = 100 * state.points[seat] + tanks.hopes(state.tanks[seat], turns)
    if best - now < weights[POOR] and RESTOCK in moves:
        return RESTOCK
    rival = (seat + 1) % state.seats
    if rival == state.first or weights[DENIED] == 0:
        return highest(takes, worths)
    return _denying(state, seat, rival, takes, worths, tanks, weights[DENIED] // (state.seats - 1))


def _denying(
    state: AquariumState, seat: int, rival: int, takes: list[int], worths: list[int], tanks: Tanks, weight: int
) -> int:
    """The best of one's own best moves, less what the store then offers to the player who is next in this round."""
    tank = state.tanks[seat]
    theirs = state.tanks[rival].copy()
    key = tanks.key(theirs)
    turns = turns_to_come(state, rival) - 1
    offers: dict[int, int] = {}
    best = takes[0]
    best_worth = -1_000_000_000
    for index in nlargest(SERIOUS, range(len(worths)), key=worths.__getitem__):
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
        worth = 100 * worths[index] - weight * offer
        if worth > best_worth:
            best, best_worth = take, worth
    return best
