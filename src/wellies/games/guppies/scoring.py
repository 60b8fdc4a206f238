"""What a laid tile scores: its fish, times its matching edges; or the squid."""

from __future__ import annotations

from typing import Final

from wellies.core.events import ScoreLine
from wellies.games.guppies.faces import COLOURS, SQUID
from wellies.games.guppies.moves import DELTAS, place_q, place_r

OWN_FISH: Final = 3
OTHER_FISH: Final = 1
SQUID_EDGE: Final = 5

MASK: Final = 18
"""A demand is `mask << MASK | letters`: three bits of mask for each edge that has a neighbour."""


class Demand:
    """What a laid tile's neighbours demanded of it, read once for each kind of space there is."""

    def __init__(self, demand: int) -> None:
        slots: list[int] = []
        fish = [0, 0, 0]
        for edge in range(6):
            if demand >> (MASK + 3 * edge) & 7:
                letter = demand >> (3 * edge) & 7
                slots.append(8 * edge + letter)
                if letter:
                    fish[(letter - 1) // 2] += 1
        self.slots: Final[tuple[int, ...]] = tuple(slots)
        """The edge-and-letter slots that must all be met (see `material`)."""
        self.edges: Final = len(slots)
        self.fish: Final[tuple[int, ...]] = tuple(fish)
        self.all_fish: Final = sum(fish)


DEMANDS: Final[dict[int, Demand]] = {}
"""Every demand met so far; one that an open space makes is always here."""


def read_demand(demand: int) -> Demand:
    """The demand taken apart, remembered: there are at most 7^6 of them, and a game meets a few hundred."""
    known = DEMANDS.get(demand)
    if known is None:
        known = Demand(demand)
        DEMANDS[demand] = known
    return known


def lay_points(demand: int, face: int, colour: int) -> int:
    """The points for laying a face where this was demanded, for a player of this colour."""
    read = read_demand(demand)
    if face & SQUID:
        return SQUID_EDGE * read.edges
    return (OTHER_FISH * read.all_fish + (OWN_FISH - OTHER_FISH) * read.fish[colour]) * read.edges


def lay_line(demand: int, face: int, colour: int, place: int) -> ScoreLine:
    """The same as a score line that says why and where."""
    read = read_demand(demand)
    points = lay_points(demand, face, colour)
    where = [[place_q(place), place_r(place)]]
    for slot in read.slots:
        if face & SQUID or slot & 7:
            beside = place + DELTAS[slot >> 3]
            where.append([place_q(beside), place_r(beside)])
    edges = f"{read.edges} matching edge{'s' if read.edges != 1 else ''}"
    if face & SQUID:
        return ScoreLine("squid", points, where, f"squid on {edges}, {SQUID_EDGE} each")
    parts = [f"{number} {COLOURS[which]} fish" for which, number in enumerate(read.fish) if number]
    each = f"{OWN_FISH} for {COLOURS[colour]}, {OTHER_FISH} for others"
    return ScoreLine("fish", points, where, f"{' and '.join(parts)} ({each}) times {edges}")
