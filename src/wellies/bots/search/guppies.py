"""Guppies for the search: what the next tile promises each player is reckoned for the whole bag at once."""

from __future__ import annotations

from typing import Final

from wellies.bots.search.knowledge import Knowledge
from wellies.core.dice import Rng
from wellies.core.state import GameState
from wellies.games.guppies.material import ALL_WAYS, STANDARD, WAYS
from wellies.games.guppies.scoring import DEMANDS, OTHER_FISH, OWN_FISH, lay_points
from wellies.games.guppies.state import GuppiesState

_FOLD: Final = sum(1 << (WAYS * number) for number in range(len(STANDARD) + 1))
"""The lowest bit of each tile's ways."""

LATER: Final = 70
"""Per cent of what the board offers that is still there a turn later."""


def outlook(state: GuppiesState, colour: int) -> int:
    """The points that the best lay brings a player of this colour on average over the bag, in hundredths.

    Every lay that fits a demand scores alike, so the demands are gone through from the dearest down, and the tiles of
    the bag that fit one are done with. The squid's other scoring is left out: it is one tile.
    """
    dear: list[tuple[int, int]] = []
    for demand in state.filed:
        read = DEMANDS[demand]
        points = (OTHER_FISH * read.all_fish + (OWN_FISH - OTHER_FISH) * read.fish[colour]) * read.edges
        if points:
            dear.append((points, demand))
    dear.sort(reverse=True)
    left = state.bag_ways
    total = 0
    ways_at = STANDARD.ways
    for points, demand in dear:
        ways = left
        for slot in DEMANDS[demand].slots:
            ways &= ways_at[slot]
            if not ways:
                break
        if ways:
            ways |= ways >> 6
            ways |= ways >> 3
            ways |= ways >> 2 | ways >> 1
            tiles = ways & _FOLD
            total += points * tiles.bit_count()
            left &= ~(tiles * ALL_WAYS)
            if not left:
                break
    return 100 * total // max(1, len(state.bag))


class GuppiesKnowledge(Knowledge):
    def __init__(self) -> None:
        super().__init__()
        self.width = 16
        self.horizon = 2
        self.scale = 5000
        self.nodes = 320

    def worth(self, state: GameState, seat: int) -> int:
        """The score and what the next tile promises, less with each player who comes before."""
        assert isinstance(state, GuppiesState)
        value = 100 * state.points[seat]
        if state.ended or not state.board:
            return value
        wait = (seat - state.to_move) % state.seats
        rounds = state.bag_size - wait
        if rounds <= 0:
            return value
        promise = outlook(state, state.colours[seat])
        for _ in range(wait):
            promise = promise * LATER // 100
        return value + promise

    def promises(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        assert isinstance(state, GuppiesState)
        colour = state.colours[seat]
        found: list[int] = []
        for move in moves:
            place = move >> 4
            face = state.tile[(move & 15) // 6]
            found.append(lay_points(state.frontier.get(place, 0), face, colour))
        return found

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        """The dearest lay; of equal ones any."""
        assert isinstance(state, GuppiesState)
        moves = state.lays
        promises = self.promises(state, seat, moves)
        best = max(promises)
        equal = [index for index in range(len(moves)) if promises[index] == best]
        return moves[equal[rng.randrange(len(equal))]]
