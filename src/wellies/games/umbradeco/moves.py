"""Moves as numbers, as text, as JSON fields and in words.

A move is a number whose meaning is the same in every state and on every mat:

    place   0..304       colour * 61 + space
    push    305..2134    (colour * 61 + space) * 6 + direction, of the tile that is pushed away from the space
    stack   2135..2439   colour * 61 + space
    drop    2440..2444   colour
    take    2445..2449   colour
    draw    2450..2454   colour, by chance
    first   2455..2458   seat, by chance
"""

from __future__ import annotations

import re
from typing import Final

from wellies.core.errors import BadNotation, UnknownPiece, nearest, not_a_move
from wellies.core.events import Json
from wellies.core.texts import seat_mark
from wellies.games.umbradeco.mat_geometry import (
    COORDINATES,
    DIRECTION_WORDS,
    DIRECTIONS,
    SPACE_AT,
    MatGeometry,
    at_space,
    place_name,
)
from wellies.games.umbradeco.material import COLOUR_COUNT, COLOUR_NUMBER, COLOURS, SPACES

PLACE: Final = 0
PUSH: Final = PLACE + COLOUR_COUNT * SPACES
STACK: Final = PUSH + COLOUR_COUNT * SPACES * 6
DROP: Final = STACK + COLOUR_COUNT * SPACES
TAKE: Final = DROP + COLOUR_COUNT
DRAW: Final = TAKE + COLOUR_COUNT
FIRST: Final = DRAW + COLOUR_COUNT
END: Final = FIRST + 4
"""Moves run from 0 to END - 1; each name above is where its kind begins."""

HELP: Final = (
    "Place: red@1,-1   push the tile at 0,1 to the SE: red>0,1:SE   stack: red^0,1   "
    "when nothing fits: drop red   then: take blue\n"
    "Colours: red, yellow, green, blue, violet. Directions: N, NE, SE, S, SW, NW."
)

_EXPECTED: Final = (
    'a move looks like "red@1,-1" (place), "red>0,1:SE" (push), "red^0,1" (stack), "drop red" or "take blue"'
)


class Parts:
    """A move taken apart. What a kind does not have is -1."""

    __slots__ = ("colour", "direction", "kind", "seat", "space")

    def __init__(self, kind: str, colour: int = -1, space: int = -1, direction: int = -1, seat: int = -1) -> None:
        self.kind = kind
        self.colour = colour
        self.space = space
        self.direction = direction
        self.seat = seat


def take_apart(move: int) -> Parts | None:
    """The parts of a move; None for a number that is no move."""
    if move < PLACE or move >= END:
        return None
    if move < PUSH:
        return Parts("place", move // SPACES, move % SPACES)
    if move < STACK:
        tile = (move - PUSH) // 6
        return Parts("push", tile // SPACES, tile % SPACES, (move - PUSH) % 6)
    if move < DROP:
        return Parts("stack", (move - STACK) // SPACES, (move - STACK) % SPACES)
    if move < TAKE:
        return Parts("drop", move - DROP)
    if move < DRAW:
        return Parts("take", move - TAKE)
    if move < FIRST:
        return Parts("draw", move - DRAW)
    return Parts("first", seat=move - FIRST)


def _parts(move: int) -> Parts:
    parts = take_apart(move)
    if parts is None:
        raise not_a_move(move, "Umbradeco")
    return parts


# --- notation -------------------------------------------------------------------------------------------------------


def move_text(move: int) -> str:
    """The move in notation."""
    parts = _parts(move)
    if parts.kind == "first":
        return f"first {parts.seat}"
    colour = COLOURS[parts.colour]
    if parts.kind == "place":
        return f"{colour}@{place_name(parts.space)}"
    if parts.kind == "push":
        return f"{colour}>{place_name(parts.space)}:{DIRECTIONS[parts.direction]}"
    if parts.kind == "stack":
        return f"{colour}^{place_name(parts.space)}"
    return f"{parts.kind} {colour}"


_PLACING: Final = re.compile(
    r"\s*([A-Za-z]+)\s*([@^>])\s*(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})\s*(?::\s*([A-Za-z]+)\s*)?", re.ASCII
)
_NAMING: Final = re.compile(r"\s*(drop|take|draw)\s*([A-Za-z]+)\s*", re.ASCII)
_FIRST: Final = re.compile(r"\s*first\s*([0-9]{1,6})\s*", re.ASCII)


def read_move(text: str, geometry: MatGeometry, seats: int) -> int:
    """The move that a text stands for, legal or not: BadNotation, or UnknownPiece for a colour or place that is not."""
    found = _PLACING.fullmatch(text)
    if found is not None:
        return _read_placing(text, found, geometry)
    found = _NAMING.fullmatch(text)
    if found is not None:
        kind, colour = found.group(1), _read_colour(found.group(2))
        return (DROP if kind == "drop" else TAKE if kind == "take" else DRAW) + colour
    found = _FIRST.fullmatch(text)
    if found is not None:
        seat = int(found.group(1))
        if seat >= seats:
            raise UnknownPiece(f"There is no seat {seat} at this table; seats run from 0 to {seats - 1}.")
        return FIRST + seat
    raise BadNotation(f"{text[:60]!r} is not a move of Umbradeco; {_EXPECTED}.")


def _read_placing(text: str, found: re.Match[str], geometry: MatGeometry) -> int:
    word, sign, q, r, way = found.groups()
    if (sign == ">") != (way is not None):
        if sign == ">":
            raise BadNotation(
                f'{text[:60]!r} does not say where the pushed tile goes; add a direction, as in "red>0,1:SE".'
            )
        raise BadNotation(f'{text[:60]!r} has a direction, and only a push has one, as in "red>0,1:SE".')
    colour = _read_colour(word)
    space = SPACE_AT.get((int(q), int(r)), SPACES)
    if space >= geometry.spaces:
        raise UnknownPiece(
            f"There is no space {int(q)},{int(r)} on the {geometry.name} mat; it is a hexagon with {geometry.side} "
            f"spaces to a side around 0,0."
        )
    tile = colour * SPACES + space
    if sign == "@":
        return PLACE + tile
    if sign == "^":
        return STACK + tile
    if way not in DIRECTIONS:
        hint = nearest(way, list(DIRECTIONS))
        raise UnknownPiece(f"There is no direction {way[:20]!r}; there are: {', '.join(DIRECTIONS)}.{hint}")
    return PUSH + tile * 6 + DIRECTIONS.index(way)


def _read_colour(word: str) -> int:
    if word not in COLOUR_NUMBER:
        raise UnknownPiece(
            f"There is no colour {word[:20]!r}; there are: {', '.join(COLOURS)}.{nearest(word, list(COLOURS))}"
        )
    return COLOUR_NUMBER[word]


# --- for people and pages -------------------------------------------------------------------------------------------


def umbrella(colour: int) -> str:
    """An umbrella of a colour, in a text for people."""
    return f"a {COLOURS[colour]} umbrella"


def move_words(move: int) -> str:
    """The move as a phrase: "open a red umbrella [at 1,-1]"."""
    parts = _parts(move)
    if parts.kind == "first":
        return f"{seat_mark(parts.seat)} begins"
    colour = COLOURS[parts.colour]
    if parts.kind == "place":
        return f"open {umbrella(parts.colour)} {at_space(parts.space)}"
    if parts.kind == "push":
        way = DIRECTION_WORDS[parts.direction]
        return f"push the tile {at_space(parts.space)} to the {way} and open {colour} in its place"
    if parts.kind == "stack":
        return f"stack {colour} on the tile {at_space(parts.space)}"
    if parts.kind == "drop":
        return f"discard {colour}"
    if parts.kind == "take":
        return f"take {colour} from the market"
    return f"draw {colour}"


def move_fields(move: int) -> Json:
    """The move as JSON fields, for a page."""
    parts = _parts(move)
    fields: Json = {"kind": parts.kind}
    if parts.colour >= 0:
        fields["colour"] = COLOURS[parts.colour]
    if parts.space >= 0:
        fields["at"] = list(COORDINATES[parts.space])
    if parts.direction >= 0:
        fields["direction"] = DIRECTIONS[parts.direction]
    if parts.seat >= 0:
        fields["seat"] = parts.seat
    return fields
