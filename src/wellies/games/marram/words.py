"""Moves for a page (fields) and for people (words)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Json
from wellies.games.marram import moves
from wellies.games.marram.material import BOX
from wellies.games.marram.moves import CHANGE, ESCAPE, NO_CLAIM, PASS
from wellies.games.marram.places import CORNER_WORDS, place_json, place_text
from wellies.games.marram.segments import KIND_NAMES, ROLE_NAMES, kind_of, role_of, text_of

if TYPE_CHECKING:
    from wellies.games.marram.state import MarramState


def move_fields(move: int) -> Json:
    """A move taken apart."""
    kind = moves.kind_of_move(move)
    if kind == moves.LAY:
        return {
            "kind": "lay",
            "tile": moves.lay_tile(move),
            "face": "ab"[moves.lay_face(move)],
            "turn": moves.lay_turn(move),
            "at": place_json(moves.lay_cell(move)),
        }
    if kind == moves.FLIP:
        return {"kind": "flip", "at": place_json(moves.flip_cell(move)), "turn": moves.flip_turn(move)}
    if kind == moves.CLAIM:
        piece = moves.PIECE_NAMES[moves.claim_piece(move)]
        return {"kind": "claim", "piece": piece, "on": moves.SLOT_NAMES[moves.claim_slot(move)]}
    if kind == moves.GUESS:
        number = moves.payload(move)
        return {"kind": "guess", "guess": "escape" if number == ESCAPE else number}
    if kind == moves.DRAW:
        return {"kind": "draw", "tile": moves.payload(move)}
    if kind in (moves.FLY, moves.FROG):
        return {"kind": "fly" if kind == moves.FLY else "frog", "at": place_json(moves.payload(move))}
    return {"kind": moves.WORDS[move]}


def move_words(state: MarramState, move: int) -> str:
    """A move as a phrase."""
    kind = moves.kind_of_move(move)
    if kind == moves.LAY:
        beasts = tile_words(moves.lay_tile(move))
        return f"lay tile {moves.lay_tile(move)} ({beasts}) at {place_text(moves.lay_cell(move))}"
    if kind == moves.FLIP:
        return f"flip the tile at {place_text(moves.flip_cell(move))}"
    if kind == moves.CLAIM:
        return _claim_words(state, move)
    if move == NO_CLAIM:
        return "claim nothing"
    if move == CHANGE:
        return "take the whole hand out of the game for fresh tiles"
    if move == PASS:
        return "pass"
    if kind == moves.GUESS:
        number = moves.payload(move)
        return "guess that it escapes" if number == ESCAPE else f"guess {number} hops"
    if kind == moves.DRAW:
        return f"draw tile {moves.payload(move)} ({tile_words(moves.payload(move))})"
    animal = "fly" if kind == moves.FLY else "frog"
    return f"the {animal} goes to {place_text(moves.payload(move))}"


def _claim_words(state: MarramState, move: int) -> str:
    piece = moves.PIECE_NAMES[moves.claim_piece(move)]
    slot = moves.claim_slot(move)
    tile = state.board.tiles.get(state.played)
    if slot == moves.BRIDGE_SLOT:
        return f"put a {piece} on the bridge"
    if slot >= moves.CORNER_SLOT:
        return f"put a {piece} on the {CORNER_WORDS[slot - moves.CORNER_SLOT]} corner"
    segment = -1 if tile is None else tile.segment_at(slot)
    if segment < 0:
        return f"put a {piece} on the beast at {moves.SLOT_NAMES[slot]}"
    return f"put a {piece} on the {KIND_NAMES[kind_of(segment)]} {ROLE_NAMES[role_of(segment)]}"


def tile_words(tile: int) -> str:
    """What a tile of the box shows."""
    box = BOX[tile]
    beasts = ", ".join(text_of(segment) for segment in box.segments) or "no beasts"
    return beasts + (", spade" if box.spade else "")
