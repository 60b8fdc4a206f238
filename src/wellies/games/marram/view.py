"""What a view has beside the position. Nothing in Marram is hidden, so all viewers get the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.events import Json
from wellies.games.marram.features import count_of, leaders
from wellies.games.marram.material import Tile
from wellies.games.marram.phases import CLAIM_DUE
from wellies.games.marram.placed_tile import ORNAMENT_NAMES
from wellies.games.marram.places import GROUND_NAMES, parity, place_json
from wellies.games.marram.scoring import beast_points, beast_tiles, end_patch_points, patch_points, patch_tiles
from wellies.games.marram.segments import EDGE_NAMES, KIND_NAMES, text_of

if TYPE_CHECKING:
    from wellies.games.marram.state import MarramState


def extra(state: MarramState) -> Json:
    """Open places, the features with pieces on them and their points now, the tiles in all hands, and the stock.

    While a claim is due, the features of the tile just played are listed too, whether claimed or not.
    """
    board = state.board
    claimable = state.phase == CLAIM_DUE
    here_beasts = board.chains_at(state.played) if claimable else []
    here_patches = board.patches_at(state.played) if claimable else []
    beasts: list[Json] = []
    for chain_id in sorted(board.chains, key=lambda each: min(board.chains[each].members)):
        chain = board.chains[chain_id]
        if chain.pieces or chain_id in here_beasts:
            beasts.append(
                {
                    "kind": KIND_NAMES[chain.kind],
                    "segments": len(chain.members),
                    "loose": len(chain.loose),
                    "tiles": beast_tiles(chain),
                    "parts": [
                        {"at": place_json(member >> 2), "on": EDGE_NAMES[member & 3]}
                        for member in sorted(chain.members)
                    ],
                    "pieces": [count_of(chain.pieces, seat) for seat in range(state.seats)],
                    "leads": leaders(chain.pieces, state.seats),
                    "points": len(chain.members) if chain.loose else beast_points(chain),
                }
            )
    patches: list[Json] = []
    for patch_id in sorted(board.patches, key=lambda each: min(board.patches[each].members)):
        patch = board.patches[patch_id]
        if patch.pieces or patch_id in here_patches:
            patches.append(
                {
                    "ground": GROUND_NAMES[parity(patch.members[0])],
                    "bulges": len(patch.members),
                    "open": patch.open,
                    "tiles": patch_tiles(board, patch),
                    "corners": [place_json(vertex) for vertex in sorted(patch.members)],
                    "pieces": [count_of(patch.pieces, seat) for seat in range(state.seats)],
                    "leads": leaders(patch.pieces, state.seats),
                    "points": end_patch_points(patch) if patch.open else patch_points(patch, state.numbers),
                }
            )
    return {
        "open": [place_json(cell) for cell in board.open_cells],
        "beasts": beasts,
        "patches": patches,
        "hands": [tile_json(state.box.tiles[tile]) for tile in sorted([tile for hand in state.hands for tile in hand])],
        "stock": state.stock_count,
        "knock_out": state.numbers.knock_out,
    }


def tile_json(tile: Tile) -> Json:
    """A tile of the box with both its faces, in base position."""
    bridges = [tile.bridge, 1 - tile.bridge if tile.spade else tile.bridge]
    return {
        "tile": tile.number,
        "spade": tile.spade,
        "segments": [text_of(segment) for segment in tile.segments],
        "bridges": [GROUND_NAMES[bridge] for bridge in bridges],
        "ornaments": [ORNAMENT_NAMES[ornament] for ornament in tile.ornaments],
    }
