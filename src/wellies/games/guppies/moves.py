"""Moves as numbers, as text, as JSON fields and in words.

A lay is `place << 4 | way` (see `material` for ways), a draw is `DRAW | tile number`. A place packs its two
coordinates.
"""

from __future__ import annotations

import re
from typing import Final

from wellies.core.errors import BadNotation, UnknownPiece, not_a_move
from wellies.core.events import Json

REACH: Final = 500
"""Coordinates run from -REACH to REACH: further than any game can go."""

_SHIFT: Final = 512
DRAW: Final = 1 << 24
NO_PLACE: Final = -1

DELTAS: Final[tuple[int, ...]] = (1024, 1, -1023, -1024, -1, 1023)
"""What to add to a place to step over edges 0 to 5."""

ORIGIN: Final = _SHIFT << 10 | _SHIFT

_LAY: Final = re.compile(r"([ab])\s*([0-9]{1,30})\s*@\s*(-?[0-9]{1,30})\s*,\s*(-?[0-9]{1,30})")
_DRAW: Final = re.compile(r"draw\s*([0-9]{1,30})")


def pack_place(q: int, r: int) -> int:
    """The number of a place; NO_PLACE if it is out of reach."""
    if abs(q) > REACH or abs(r) > REACH:
        return NO_PLACE
    return (q + _SHIFT) << 10 | (r + _SHIFT)


def in_reach(place: int) -> bool:
    """Whether a place that may be one step beyond the last is still within reach."""
    return abs((place >> 10) - _SHIFT) <= REACH and abs((place & 1023) - _SHIFT) <= REACH


def place_q(place: int) -> int:
    return (place >> 10) - _SHIFT


def place_r(place: int) -> int:
    return (place & 1023) - _SHIFT


def place_text(place: int) -> str:
    return f"{place_q(place)},{place_r(place)}"


def at_place(place: int) -> str:
    """A place in a text for people."""
    return f"[at {place_text(place)}]"


def is_lay(move: int) -> bool:
    """Whether a number is a lay in form: a place within reach and one of twelve ways."""
    return 0 <= move < DRAW and move & 15 < 12 and in_reach(move >> 4)


def is_draw(move: int) -> bool:
    return DRAW <= move < 2 * DRAW


def move_text(move: int) -> str:
    """The move in notation: `a2@1,-1` or `draw 57`. BadNotation for a number that is no move."""
    if is_draw(move):
        return f"draw {move - DRAW}"
    if not is_lay(move):
        raise not_a_move(move, "Guppies")
    way = move & 15
    return f"{'ab'[way // 6]}{way % 6}@{place_text(move >> 4)}"


def read_move(text: str, tiles: int) -> int:
    """The number of a move in notation."""
    text = text.strip()
    draw = _DRAW.fullmatch(text)
    if draw:
        number = int(draw[1])
        if not 1 <= number <= tiles:
            raise UnknownPiece(f"There is no tile {number}; tiles run from 1 to {tiles}.")
        return DRAW | number
    lay = _LAY.fullmatch(text)
    if not lay:
        raise BadNotation(
            f"{text[:40]!r} is not a move of Guppies: write face, turn and place, such as a2@1,-1, or draw 57."
        )
    turn = int(lay[2])
    if turn > 5:
        raise BadNotation(f"{text[:40]!r}: a tile turns by 0 to 5 steps, not {turn}.")
    place = pack_place(int(lay[3]), int(lay[4]))
    if place == NO_PLACE:
        raise UnknownPiece(f"There is no place {lay[3]},{lay[4]}; both numbers run from -{REACH} to {REACH}.")
    return place << 4 | (6 * "ab".index(lay[1]) + turn)


# --- for pages and people ---------------------------------------------------------------------------------------------


def move_fields(move: int) -> Json:
    """The move taken apart."""
    if is_draw(move):
        return {"kind": "draw", "tile": move - DRAW}
    place, way = move >> 4, move & 15
    return {"kind": "lay", "side": "ab"[way // 6], "turn": way % 6, "at": [place_q(place), place_r(place)]}


def move_words(move: int) -> str:
    """The move as a phrase."""
    if is_draw(move):
        return f"draw a tile [{move - DRAW}]"
    place, way = move >> 4, move & 15
    turned = f" turned {way % 6}" if way % 6 else ""
    return f"lay the tile [face {'ab'[way // 6]}{turned} at {place_text(place)}]"
