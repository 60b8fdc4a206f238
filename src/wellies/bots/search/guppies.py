"""Guppies for the search: what the next tile promises each player is reckoned for the whole bag at once."""

from __future__ import annotations

from typing import Final

from wellies.bots.search.heuristics import Heuristics
from wellies.core.dice import Rng
from wellies.core.state import GameState
from wellies.games.guppies.faces import COLOURS, SQUID
from wellies.games.guppies.material import TILES, WAYS
from wellies.games.guppies.scoring import OTHER_FISH, OWN_FISH, SQUID_EDGE
from wellies.games.guppies.state import GuppiesState

LATER: Final = 70
"""Per cent of what the board offers that is still there a turn later."""

_FOLD: Final = sum([1 << (WAYS * number) for number in range(TILES + 1)])
"""The lowest bit of each tile's ways."""

_WORTH: Final[dict[tuple[int, ...], list[int]]] = {}


def demands(state: GuppiesState) -> list[tuple[int, ...]]:
    """What the open spaces demand, each demand once."""
    found: dict[tuple[int, ...], None] = {}
    for space in state.spaces:
        found[space.slots] = None
    return list(found)


def demand_at(state: GuppiesState, place: int) -> tuple[int, ...]:
    """What one open space demands; nothing if it touches no tile."""
    return state.slots_at(place)


def worth_of(slots: tuple[int, ...]) -> list[int]:
    """The points for meeting a demand, for each colour of player: all tiles that fit score alike but the squid."""
    known = _WORTH.get(slots)
    if known is None:
        known = []
        for colour in range(len(COLOURS)):
            fish = 0
            for slot in slots:
                letter = slot & 7
                if letter:
                    fish += OWN_FISH if (letter - 1) // 2 == colour else OTHER_FISH
            known.append(fish * len(slots))
        _WORTH[slots] = known
    return known


def outlook(state: GuppiesState, colour: int) -> int:
    """The points that the best lay brings a player of this colour on average over the bag, in hundredths.

    The demands are gone through from the dearest down, and the tiles of the bag that fit one are done with. The
    squid's other scoring is left out: it is one tile.
    """
    dear: list[tuple[int, tuple[int, ...]]] = []
    for slots in demands(state):
        points = worth_of(slots)[colour]
        if points > 0:
            dear.append((points, slots))
    dear.sort(reverse=True)
    left = state.bag_ways
    total = 0
    ways_at = state.box.ways
    for points, slots in dear:
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
    def __init__(self) -> None:
        super().__init__()
        self.width = 16
        self.horizon = 2
        self.scale = 5000
        self.nodes = 240

    def deepen(self) -> None:
        """Two turns of each."""
        self.horizon = 4
        self.nodes = 720

    def worth(self, state: GameState, seat: int) -> int:
        """The score and what the next tile promises, less with each player who comes before."""
        assert isinstance(state, GuppiesState)
        value = 100 * state.points[seat]
        wait = (seat - state.to_move) % state.seats
        if state.ended or not state.board or state.bag_size <= wait:
            return value
        promise = outlook(state, state.colours[seat])
        for _ in range(wait):
            promise = promise * LATER // 100
        return value + promise

    def promises(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        """The points at once."""
        assert isinstance(state, GuppiesState)
        colour = state.colours[seat]
        found: list[int] = []
        for move in moves:
            slots = demand_at(state, move >> 4)
            squid = state.tile[(move & 15) // 6] & SQUID
            found.append(SQUID_EDGE * len(slots) if squid else worth_of(slots)[colour])
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        """The dearest lay; of equal ones any."""
        assert isinstance(state, GuppiesState)
        moves = state.lays
        promises = self.promises(state, seat, moves)
        best = max(promises)
        equal = [index for index in range(len(moves)) if promises[index] == best]
        return moves[equal[rng.randrange(len(equal))]]
