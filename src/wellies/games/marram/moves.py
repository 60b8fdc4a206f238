"""Moves as numbers, as text, as JSON fields and in words.

A move's meaning never depends on the state. The kind is above bit 30; below it lie the tile, the place, the face and
the turn, or whatever else the kind needs. Different kinds fill ranges of their own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellies.core.errors import BadNotation, UnknownPiece, nearest, not_a_move
from wellies.core.events import Json
from wellies.core.state import CHANCE
from wellies.core.texts import seat_mark, some
from wellies.games.marram.places import (
    CORNER,
    CORNER_NAMES,
    CORNER_WORDS,
    GROUND_NAMES,
    HALF,
    STRIDE,
    at_place,
    cell_at,
    parity,
    place_json,
    place_text,
)
from wellies.games.marram.segments import EDGE_NAMES, EDGE_WORDS
from wellies.games.marram.tile_words import box_words, placed_tile_words, segment_words

if TYPE_CHECKING:
    from wellies.games.marram.state import MarramState

KIND_SHIFT: Final = 30
PAYLOAD: Final = (1 << KIND_SHIFT) - 1

LAY: Final = 1
FLIP: Final = 2
CLAIM: Final = 3
WORD: Final = 4
GUESS: Final = 5
DRAW: Final = 6
FLY: Final = 7
FROG: Final = 8
FIRST: Final = 9

NO_CLAIM: Final = WORD << KIND_SHIFT
CHANGE: Final = NO_CLAIM + 1
PASS: Final = NO_CLAIM + 2
WORDS: Final = {NO_CLAIM: "no claim", CHANGE: "change", PASS: "pass"}

BOOT: Final = 0
FORK: Final = 1
PIECE_NAMES: Final = ("boot", "fork")

# Where a piece stands on a tile: on the segment at an edge (0-3), on a corner (4-7), or on the bridge.
CORNER_SLOT: Final = 4
BRIDGE_SLOT: Final = 8
SLOT_NAMES: Final = (*EDGE_NAMES, *CORNER_NAMES, "bridge")

LONGEST_GUESS: Final = 30
ESCAPE: Final = 1000
"""The guess that an animal escapes."""

MOST_SEATS: Final = 4

TURN_BITS: Final = 3
CELL_SHIFT: Final = 3
TILE_SHIFT: Final = 23
CELL_MASK: Final = (1 << 20) - 1


def kind_of_move(move: int) -> int:
    return move >> KIND_SHIFT


def lay_base(tile: int, face: int, turn: int) -> int:
    """A lay with its place left out: add `cell << CELL_SHIFT`."""
    return LAY << KIND_SHIFT | tile << TILE_SHIFT | face << 2 | turn


def lay_move(tile: int, face: int, turn: int, cell: int) -> int:
    return lay_base(tile, face, turn) | cell << CELL_SHIFT


def lay_tile(move: int) -> int:
    return (move & PAYLOAD) >> TILE_SHIFT


def lay_cell(move: int) -> int:
    return move >> CELL_SHIFT & CELL_MASK


def lay_face(move: int) -> int:
    return move >> 2 & 1


def lay_turn(move: int) -> int:
    return move & 3


def flip_move(cell: int, turn: int) -> int:
    return FLIP << KIND_SHIFT | cell << 2 | turn


def flip_cell(move: int) -> int:
    return (move & PAYLOAD) >> 2


def flip_turn(move: int) -> int:
    return move & 3


def claim_move(piece: int, slot: int) -> int:
    return CLAIM << KIND_SHIFT | piece << 4 | slot


def claim_piece(move: int) -> int:
    return (move & PAYLOAD) >> 4


def claim_slot(move: int) -> int:
    return move & 15


def guess_move(number: int) -> int:
    return GUESS << KIND_SHIFT | number


def draw_move(tile: int) -> int:
    return DRAW << KIND_SHIFT | tile


def first_move(seat: int) -> int:
    """This seat begins."""
    return FIRST << KIND_SHIFT | seat


def animal_move(kind: int, cell: int) -> int:
    """An animal (FLY or FROG) appears at a place or hops to it."""
    return kind << KIND_SHIFT | cell


def tile_named(move: int) -> int:
    """The number of the tile that a move lays or draws; 0 for other moves."""
    kind = move >> KIND_SHIFT
    return lay_tile(move) if kind == LAY else payload(move) if kind == DRAW else 0


def payload(move: int) -> int:
    return move & PAYLOAD


# --- writing ----------------------------------------------------------------------------------------------------------


def move_text(move: int) -> str:
    """A move in notation. BadNotation for a number that is no move."""
    kind = move >> KIND_SHIFT
    rest = move & PAYLOAD
    if kind == LAY:
        return f"{lay_tile(move)}{'ab'[lay_face(move)]}{lay_turn(move)}@{place_text(lay_cell(move))}"
    if kind == FLIP:
        return f"flip {place_text(flip_cell(move))} {flip_turn(move)}"
    if kind == CLAIM and claim_piece(move) < 2 and claim_slot(move) < len(SLOT_NAMES):
        return f"{PIECE_NAMES[claim_piece(move)]} {SLOT_NAMES[claim_slot(move)]}"
    if move in WORDS:
        return WORDS[move]
    if kind == GUESS and rest <= ESCAPE:
        return "guess escape" if rest == ESCAPE else f"guess {rest}"
    if kind == DRAW:
        return f"draw {rest}"
    if kind == FLY:
        return f"fly {place_text(rest)}"
    if kind == FROG:
        return f"frog {place_text(rest)}"
    if kind == FIRST and rest < MOST_SEATS:
        return f"first {rest}"
    raise not_a_move(move, "Marram")


# --- reading ----------------------------------------------------------------------------------------------------------

_PLACE: Final = r"(-?\d{1,6})\s*,\s*(-?\d{1,6})"
_LAY: Final = re.compile(rf"(\d{{1,6}})\s*([ab])\s*(\d)\s*@\s*{_PLACE}", re.ASCII)
_FLIP: Final = re.compile(rf"flip\s*{_PLACE}\s+(\d)", re.ASCII)
_CLAIM: Final = re.compile(r"(boot|fork)\s+([A-Za-z]{1,20})", re.ASCII)
_GUESS: Final = re.compile(r"guess\s*(\d{1,6}|escape)", re.ASCII)
_DRAW: Final = re.compile(r"draw\s*(\d{1,6})", re.ASCII)
_FIRST: Final = re.compile(r"first\s*(\d{1,6})", re.ASCII)
_HOP: Final = re.compile(rf"(fly|frog)\s*{_PLACE}", re.ASCII)

PLAYER_FORMS: Final = (
    "17a1@2,-1 (lay tile 17, face a, one quarter turn, at x=2 y=-1), flip 2,-1 3, boot bridge, boot NW, fork N, "
    "no claim, change, pass, guess 12 or guess escape"
)
CHANCE_FORMS: Final = "first 1, draw 17, fly 3,2 or frog 0,1"


def read_move(seat: int, typed: str, tiles: int) -> int:
    """The move of a text, as it is written. BadNotation if malformed; UnknownPiece if it names what does not exist."""
    words = typed.strip()
    match = _LAY.fullmatch(words)
    if match is not None:
        tile = _tile(match[1], tiles)
        return lay_move(tile, "ab".index(match[2]), _turn(match[3]), _cell(match[4], match[5]))
    match = _FLIP.fullmatch(words)
    if match is not None:
        return flip_move(_cell(match[1], match[2]), _turn(match[3]))
    joined = " ".join(words.split())
    for move, name in WORDS.items():
        if joined == name or joined == name.replace(" ", ""):
            return move
    match = _CLAIM.fullmatch(words)
    if match is not None:
        if match[2] not in SLOT_NAMES:
            hint = nearest(match[2], list(SLOT_NAMES))
            raise UnknownPiece(f"A tile has no {match[2]!r}; claim one of {', '.join(SLOT_NAMES)}.{hint}")
        return claim_move(PIECE_NAMES.index(match[1]), SLOT_NAMES.index(match[2]))
    match = _GUESS.fullmatch(words)
    if match is not None:
        return guess_move(ESCAPE if match[1] == "escape" else min(int(match[1]), ESCAPE - 1))
    match = _DRAW.fullmatch(words)
    if match is not None:
        return draw_move(_tile(match[1], tiles))
    match = _FIRST.fullmatch(words)
    if match is not None:
        if int(match[1]) >= MOST_SEATS:
            raise UnknownPiece(f"There is no seat {int(match[1])}; seats run from 0 to {MOST_SEATS - 1}.")
        return first_move(int(match[1]))
    match = _HOP.fullmatch(words)
    if match is not None:
        return animal_move(FLY if match[1] == "fly" else FROG, _cell(match[2], match[3]))
    forms = CHANCE_FORMS if seat == CHANCE else PLAYER_FORMS
    raise BadNotation(f"{typed[:60]!r} is not a move of Marram; write it as {forms}.")


def _tile(digits: str, tiles: int) -> int:
    number = int(digits)
    if not 1 <= number <= tiles:
        raise UnknownPiece(f"There is no tile {number} to lay; tiles are numbered from 1 to {tiles}.")
    return number


def _turn(digit: str) -> int:
    if digit not in "0123":
        raise BadNotation(f"A tile is turned 0 to 3 quarter turns, not {digit}; 17a1@2,-1 is one quarter turn.")
    return int(digit)


def _cell(x: str, y: str) -> int:
    if not (-HALF < int(x) < HALF - 1 and -HALF < int(y) < STRIDE - HALF - 1):
        raise UnknownPiece(f"There is no place {x},{y} on the table; x and y run from {1 - HALF} to {HALF - 2}.")
    return cell_at(int(x), int(y))


# --- for pages and people ---------------------------------------------------------------------------------------------


def move_fields(move: int) -> Json:
    """A move taken apart."""
    kind = kind_of_move(move)
    if kind == LAY:
        return {
            "kind": "lay",
            "tile": lay_tile(move),
            "face": "ab"[lay_face(move)],
            "turn": lay_turn(move),
            "at": place_json(lay_cell(move)),
        }
    if kind == FLIP:
        return {"kind": "flip", "at": place_json(flip_cell(move)), "turn": flip_turn(move)}
    if kind == CLAIM:
        piece = PIECE_NAMES[claim_piece(move)]
        return {"kind": "claim", "piece": piece, "on": SLOT_NAMES[claim_slot(move)]}
    if kind == GUESS:
        number = payload(move)
        return {"kind": "guess", "guess": "escape" if number == ESCAPE else number}
    if kind == DRAW:
        return {"kind": "draw", "tile": payload(move)}
    if kind == FIRST:
        return {"kind": "first", "seat": payload(move)}
    if kind in (FLY, FROG):
        return {"kind": "fly" if kind == FLY else "frog", "at": place_json(payload(move))}
    return {"kind": WORDS[move]}


def move_words(state: MarramState, move: int) -> str:
    """A move as a phrase."""
    kind = kind_of_move(move)
    if kind == LAY:
        number = lay_tile(move)
        face, turn = "ab"[lay_face(move)], lay_turn(move)
        place = place_text(lay_cell(move))
        return f"lay {box_words(state.box, number)} [{number} face {face} turned {turn} at {place}]"
    if kind == FLIP:
        cell = flip_cell(move)
        tile = state.board.tiles.get(cell)
        what = "a tile" if tile is None else placed_tile_words(tile)
        return f"flip {what} [to turn {flip_turn(move)}] {at_place(cell)}"
    if kind == CLAIM:
        return _claim_words(state, move)
    if move == NO_CLAIM:
        return "claim nothing"
    if move == CHANGE:
        return "take the whole hand out of the game for fresh tiles"
    if move == PASS:
        return "pass"
    if kind == GUESS:
        number = payload(move)
        return "guess that it escapes" if number == ESCAPE else f"guess {some(number, 'hop')}"
    if kind == DRAW:
        return f"draw {box_words(state.box, payload(move))} [{payload(move)}]"
    if kind == FIRST:
        return f"{seat_mark(payload(move))} begins"
    animal = "fly" if kind == FLY else "frog"
    return f"the {animal} hops [to {place_text(payload(move))}]"


def _claim_words(state: MarramState, move: int) -> str:
    slot = claim_slot(move)
    edge = f" [at the {EDGE_WORDS[slot]} edge]" if slot < CORNER_SLOT else ""
    return f"put a {PIECE_NAMES[claim_piece(move)]} on {claimed_words(state, slot)}{edge}"


def claimed_words(state: MarramState, slot: int) -> str:
    """What one claims at a slot of the tile just played: "the blue snake", "the patch of grass at the bridge"."""
    tile = state.board.tiles.get(state.played)
    if slot == BRIDGE_SLOT:
        ground = "" if tile is None else f"{GROUND_NAMES[tile.bridge]} "
        return f"the {ground}bridge"
    if slot >= CORNER_SLOT:
        corner = slot - CORNER_SLOT
        ground = GROUND_NAMES[parity(state.played + CORNER[corner])]
        return f"the {ground} at the {CORNER_WORDS[corner]} corner"
    segment = -1 if tile is None else tile.segment_at(slot)
    if segment < 0:
        return f"the beast at the {EDGE_WORDS[slot]} edge"
    return f"the {segment_words(segment)}"
