"""Claims: which features of the tile just played are free, and which piece goes where."""

from __future__ import annotations

from wellies.games.marram.board import Board
from wellies.games.marram.moves import BOOT, BRIDGE_SLOT, CORNER_SLOT, FORK, claim_move
from wellies.games.marram.placed_tile import bridge_corners
from wellies.games.marram.places import CORNER
from wellies.games.marram.segments import first_edge
from wellies.games.marram.variants import CLASSIC


def piece_for(slot: int, variant: int) -> int:
    """Boots stand on everything in Classic; in the other two on patches only, and forks on beasts."""
    return FORK if slot < CORNER_SLOT and variant != CLASSIC else BOOT


def canonical_slot(board: Board, cell: int, slot: int) -> int:
    """The one name of the region that a slot names: a segment by its first edge, the bridge not by its corners.

    A slot that names nothing on this tile stays as it is.
    """
    tile = board.tiles[cell]
    if slot < CORNER_SLOT:
        return tile.firsts[slot] if tile.firsts[slot] >= 0 else slot
    if slot < BRIDGE_SLOT and slot - CORNER_SLOT in bridge_corners(tile.bridge, (cell ^ cell >> 10) & 1):
        return BRIDGE_SLOT
    return slot


def pieces_at(board: Board, cell: int, slot: int) -> int:
    """The pieces on the feature that a canonical slot of a tile names; -1 if it names nothing."""
    if slot < CORNER_SLOT:
        if board.tiles[cell].firsts[slot] != slot:
            return -1
        return board.chains[board.chain_of[cell << 2 | slot]].pieces
    if slot > BRIDGE_SLOT or canonical_slot(board, cell, slot) != slot:
        return -1
    return board.patches[board.patch_of[board.vertex_of(cell, slot)]].pieces


def is_complete(board: Board, cell: int, slot: int) -> bool:
    """Whether the feature that a canonical slot of a tile names is complete."""
    if slot < CORNER_SLOT:
        return not board.chains[board.chain_of[cell << 2 | slot]].loose
    return board.patches[board.patch_of[board.vertex_of(cell, slot)]].open == 0


def claims_on(board: Board, cell: int, variant: int, boots: int, forks: int) -> list[int]:
    """All claims that a seat with these pieces in stock may make on the tile here, in order."""
    beasts: list[int] = []
    if (boots if variant == CLASSIC else forks) > 0:
        piece = BOOT if variant == CLASSIC else FORK
        for segment in board.tiles[cell].segments:
            edge = first_edge(segment)
            if board.chains[board.chain_of[cell << 2 | edge]].pieces == 0:
                beasts.append(claim_move(piece, edge))
    if boots <= 0:
        return beasts
    patches: list[int] = []
    patch_of = board.patch_of
    first, _ = bridge_corners(board.tiles[cell].bridge, (cell ^ cell >> 10) & 1)
    for corner in (1 - first, 3 - first):
        if board.patches[patch_of[cell + CORNER[corner]]].pieces == 0:
            patches.append(claim_move(BOOT, CORNER_SLOT + corner))
    if board.patches[patch_of[cell + CORNER[first]]].pieces == 0:
        patches.append(claim_move(BOOT, BRIDGE_SLOT))
    return beasts + patches if variant == CLASSIC else patches + beasts
