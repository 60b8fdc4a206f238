"""What the search knows of Guppies: what each player's next tile will bring, estimated over the whole bag at once."""

from __future__ import annotations

from typing import Final

from wellies.core.dice import Rng
from wellies.core.heuristics import Heuristics, any_best_move
from wellies.core.state import GameState
from wellies.core.texts import seat_mark, some
from wellies.games.guppies.faces import COLOURS, SQUID
from wellies.games.guppies.material import TILES, WAYS
from wellies.games.guppies.scoring import OTHER_FISH, OWN_FISH, SQUID_EDGE
from wellies.games.guppies.state import GuppiesState

LATER: Final = 70
"""How much of what the board offers is still there a turn later, in percent."""

_FOLD: Final = sum([1 << (WAYS * number) for number in range(TILES + 1)])
"""The lowest bit of each tile's ways."""

_DEMAND_POINTS: Final[dict[tuple[int, ...], list[int]]] = {}


def demands(state: GuppiesState) -> list[tuple[int, ...]]:
    """What the open spaces demand, each demand once."""
    found: dict[tuple[int, ...], None] = {}
    for space in state.spaces:
        found[space.slots] = None
    return list(found)


def demand_at(state: GuppiesState, place: int) -> tuple[int, ...]:
    """What one open space demands; nothing if it touches no tile."""
    return state.slots_at(place)


def demand_points(slots: tuple[int, ...]) -> list[int]:
    """The points of a tile that meets a demand, by player's colour. All tiles that fit score alike but the squid."""
    known = _DEMAND_POINTS.get(slots)
    if known is None:
        known = []
        for colour in range(len(COLOURS)):
            fish = 0
            for slot in slots:
                letter = slot & 7
                if letter:
                    fish += OWN_FISH if (letter - 1) // 2 == colour else OTHER_FISH
            known.append(fish * len(slots))
        _DEMAND_POINTS[slots] = known
    return known


def next_tile_estimate(state: GuppiesState, colour: int) -> int:
    """The points of the best lay for a player of this colour, on average over the bag, in hundredths.

    The demands are tried from the most points down, and each tile of the bag counts for the first demand that it
    meets. The squid's own way of scoring is ignored: it is one tile.
    """
    scoring: list[tuple[int, tuple[int, ...]]] = []
    for slots in demands(state):
        points = demand_points(slots)[colour]
        if points > 0:
            scoring.append((points, slots))
    scoring.sort(reverse=True)
    left = state.bag_ways
    total = 0
    ways_at = state.box.ways
    for points, slots in scoring:
        ways = left
        for slot in slots:
            ways &= ways_at[slot]
            if ways == 0:
                break
        if ways != 0:
            ways |= ways >> 6
            ways |= ways >> 3
            ways |= ways >> 2 | ways >> 1
            tiles = ways & _FOLD
            total += points * tiles.bit_count()
            # All ways of these tiles. A product of such large sets would abort compiled code on Ctrl-C.
            left &= ~((tiles << WAYS) - tiles)
            if left == 0:
                break
    return 100 * total // max(1, len(state.bag))


class GuppiesHeuristics(Heuristics):
    def __init__(self, deep: bool = False) -> None:
        super().__init__(deep)
        self.width = 16
        self.horizon = 4 if deep else 2
        self.scale = 5000
        self.nodes = 720 if deep else 240
        self.swing_each = 410

    def to_come(self, state: GameState) -> int:
        """Tiles that are still to be laid."""
        assert isinstance(state, GuppiesState)
        return state.bag_size + (1 if state.tile else 0)

    def remarks(self, state: GameState, seat: int, move: int) -> list[str]:
        """What the place is worth to the next player, and what best places are left to it."""
        assert isinstance(state, GuppiesState)
        if state.seats < 2 or not state.tile:
            return []
        rival = (seat + 1) % state.seats
        colour = state.colours[rival]
        after = state.clone()
        after.step(seat, move)
        if after.ended:
            return []
        told: list[str] = []
        best = 0
        places = 0
        for space in after.spaces:
            points = demand_points(space.slots)[colour]
            if points > best:
                best, places = points, 0
            if points == best:
                places += 1
        if best > 0:
            told.append(f"It leaves {seat_mark(rival)} {some(places, 'place')} for {best}, if a tile fits.")
        slots = demand_at(state, move >> 4)
        taken = demand_points(slots)[colour] if slots else 0
        if taken > 0 and taken >= best:
            told.insert(0, f"It takes the place that would be worth most to {seat_mark(rival)}: {taken}.")
        return told

    def estimate(self, state: GameState, seat: int) -> int:
        """The score and what the next tile brings, less for each player who moves before."""
        assert isinstance(state, GuppiesState)
        value = 100 * state.points[seat]
        wait = (seat - state.to_move) % state.seats
        if state.ended or not state.board or state.bag_size <= wait:
            return value
        following = next_tile_estimate(state, state.colours[seat])
        for _ in range(wait):
            following = following * LATER // 100
        return value + following

    def priors(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """The points of each lay."""
        assert isinstance(state, GuppiesState)
        colour = state.colours[seat]
        found: list[int] = []
        for move in moves:
            slots = demand_at(state, move >> 4)
            squid = state.tile[(move & 15) // 6] & SQUID
            found.append(SQUID_EDGE * len(slots) if squid else demand_points(slots)[colour])
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        """The lay of most points; of equal ones any."""
        assert isinstance(state, GuppiesState)
        lays = state.all_lays()
        return any_best_move(lays, self.priors(state, seat, lays), rng)
