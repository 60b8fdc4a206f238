"""What a laid tile scores: its fish, times its matching edges; or the squid."""

from __future__ import annotations

from typing import Final

from wellies.core.events import ScoreLine
from wellies.core.texts import listed, some
from wellies.games.guppies.faces import COLOURS, SQUID
from wellies.games.guppies.moves import DELTAS, place_q, place_r

OWN_FISH: Final = 3
OTHER_FISH: Final = 1
SQUID_EDGE: Final = 5


def lay_points(slots: tuple[int, ...], face: int, colour: int) -> int:
    """The points for laying a face where these slots were demanded (see `spaces`), for a player of this colour."""
    edges = len(slots)
    if face & SQUID:
        return SQUID_EDGE * edges
    points = 0
    for slot in slots:
        letter = slot & 7
        if letter:
            points += OWN_FISH if (letter - 1) // 2 == colour else OTHER_FISH
    return points * edges


def lay_line(slots: tuple[int, ...], face: int, colour: int, place: int) -> ScoreLine:
    """The same as a score line that says why and where."""
    points = lay_points(slots, face, colour)
    where = [[place_q(place), place_r(place)]]
    fish = [0, 0, 0]
    for slot in sorted(slots):
        letter = slot & 7
        if letter:
            fish[(letter - 1) // 2] += 1
        beside = place + DELTAS[slot >> 3]
        where.append([place_q(beside), place_r(beside)])
    edges = some(len(slots), "edge")
    if face & SQUID:
        return ScoreLine("squid", points, where, f"The squid on {edges}, {SQUID_EDGE} for each")
    parts = [f"{number} {COLOURS[which]} fish" for which, number in enumerate(fish) if number]
    makes = "makes" if sum(fish) == 1 else "make"
    return ScoreLine("fish", points, where, f"{listed(parts)} {makes} {points // len(slots)}, times {edges}")


def lay_lines(slots: tuple[int, ...], face: int, colour: int, place: int) -> list[ScoreLine]:
    """The same by colour: a line for each colour of fish that was completed, or one for the squid."""
    if face & SQUID:
        return [lay_line(slots, face, colour, place)]
    lines: list[ScoreLine] = []
    edges = some(len(slots), "edge")
    touched = [place, *(place + DELTAS[slot >> 3] for slot in sorted(slots))]
    where = [[place_q(at), place_r(at)] for at in touched]
    for which in range(len(COLOURS)):
        fish = sum([1 for slot in slots if slot & 7 and ((slot & 7) - 1) // 2 == which])
        if not fish:
            continue
        each = OWN_FISH if which == colour else OTHER_FISH
        points = each * fish
        makes = "makes" if fish == 1 else "make"
        why = f"{fish} {COLOURS[which]} fish {makes} {points}, times {edges}"
        lines.append(ScoreLine(f"{COLOURS[which]} fish", points * len(slots), where, why))
    return lines
