"""Moves for a page (fields) and for people (words)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Json
from wellies.core.texts import listed, seat_mark, some
from wellies.games.marram import moves
from wellies.games.marram.material import TileSet
from wellies.games.marram.moves import CHANGE, ESCAPE, NO_CLAIM, PASS
from wellies.games.marram.placed_tile import BARE, ORNAMENT_WORDS, PlacedTile
from wellies.games.marram.places import CORNER, CORNER_WORDS, GROUND_NAMES, at_place, parity, place_json, place_text
from wellies.games.marram.segments import EDGE_WORDS, PART_OF, ROLE_NAMES, kind_of, role_of

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
    if kind == moves.FIRST:
        return {"kind": "first", "seat": moves.payload(move)}
    if kind in (moves.FLY, moves.FROG):
        return {"kind": "fly" if kind == moves.FLY else "frog", "at": place_json(moves.payload(move))}
    return {"kind": moves.WORDS[move]}


def move_words(state: MarramState, move: int) -> str:
    """A move as a phrase."""
    kind = moves.kind_of_move(move)
    if kind == moves.LAY:
        number = moves.lay_tile(move)
        face, turn = "ab"[moves.lay_face(move)], moves.lay_turn(move)
        place = place_text(moves.lay_cell(move))
        return f"lay {box_words(state.box, number)} [{number} face {face} turned {turn} at {place}]"
    if kind == moves.FLIP:
        cell = moves.flip_cell(move)
        lying = state.board.tiles.get(cell)
        what = "a tile" if lying is None else lying_words(lying)
        return f"flip {what} [to turn {moves.flip_turn(move)}] {at_place(cell)}"
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
        return "guess that it escapes" if number == ESCAPE else f"guess {some(number, 'hop')}"
    if kind == moves.DRAW:
        return f"draw {box_words(state.box, moves.payload(move))} [{moves.payload(move)}]"
    if kind == moves.FIRST:
        return f"{seat_mark(moves.payload(move))} begins"
    animal = "fly" if kind == moves.FLY else "frog"
    return f"the {animal} hops [to {place_text(moves.payload(move))}]"


def _claim_words(state: MarramState, move: int) -> str:
    slot = moves.claim_slot(move)
    edge = f" [at the {EDGE_WORDS[slot]} edge]" if slot < moves.CORNER_SLOT else ""
    return f"put a {moves.PIECE_NAMES[moves.claim_piece(move)]} on {claimed_words(state, slot)}{edge}"


def claimed_words(state: MarramState, slot: int) -> str:
    """What one claims at a slot of the tile just played: "the blue snake", "the patch of grass at the bridge"."""
    tile = state.board.tiles.get(state.played)
    if slot == moves.BRIDGE_SLOT:
        ground = "" if tile is None else f"{GROUND_NAMES[tile.bridge]} "
        return f"the {ground}bridge"
    if slot >= moves.CORNER_SLOT:
        corner = slot - moves.CORNER_SLOT
        ground = GROUND_NAMES[parity(state.played + CORNER[corner])]
        return f"the {ground} at the {CORNER_WORDS[corner]} corner"
    segment = -1 if tile is None else tile.segment_at(slot)
    if segment < 0:
        return f"the beast at the {EDGE_WORDS[slot]} edge"
    return f"the {_segment_words(segment)}"


# --- tiles ------------------------------------------------------------------------------------------------------------


def _segment_words(segment: int) -> str:
    """A part of a beast: "blue tail", "worm saddle"."""
    return f"{PART_OF[kind_of(segment)]} {ROLE_NAMES[role_of(segment)]}"


def segments_words(segments: tuple[int, ...]) -> str:
    """The beasts of a tile: "a blue head and two worm bodies"."""
    counts: dict[str, int] = {}
    for segment in segments:
        words = _segment_words(segment)
        counts[words] = counts.get(words, 0) + 1
    return listed([_many(words, count) for words, count in counts.items()])


def _many(words: str, count: int) -> str:
    if count == 1:
        return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
    return f"{('two', 'three', 'four')[count - 2]} {words[:-1] + 'ies' if words.endswith('y') else words + 's'}"


def _tile_words(segments: tuple[int, ...], more: list[str]) -> str:
    shown = [segments_words(segments)] if segments else []
    shown += more
    return f"a tile with {listed(shown)}" if shown else "a plain tile"


def box_words(tiles: TileSet, number: int) -> str:
    """A tile of the box, by what it shows."""
    box = tiles.tiles[number]
    more = [] if box.ornaments[0] == BARE else [f"a {ORNAMENT_WORDS[box.ornaments[0]]}"]
    return _tile_words(box.segments, more + (["a spade"] if box.spade else []))


def lying_words(tile: PlacedTile) -> str:
    """A tile on the table, by what it shows."""
    return _tile_words(tile.segments, [] if tile.ornament == BARE else [f"a {ORNAMENT_WORDS[tile.ornament]}"])
