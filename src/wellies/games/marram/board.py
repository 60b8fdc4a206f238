"""The board: the laid tiles, the open places with what they demand, and the features, all updated with each change.

A lay joins features; a flip splits some and joins others; a removal takes a whole beast away. Only the features that a
flip splits are computed anew. The tests compare all this with a plain recomputation.
"""

from __future__ import annotations

from bisect import bisect_left

from wellies.core.native import mypyc_attr
from wellies.games.marram.features import ONE_OF_ROLE, Chain, Patch, one_piece
from wellies.games.marram.moves import BRIDGE_SLOT, CORNER_SLOT
from wellies.games.marram.placed_tile import (
    BARE,
    FIRST_LABEL,
    FLOWER,
    FREE,
    GOLD,
    OPEN_CHAIN,
    PARITY_BIT,
    SILVER,
    PlacedTile,
    bridge_corners,
)
from wellies.games.marram.places import CORNER, HALF, NEIGHBOUR, STRIDE
from wellies.games.marram.segments import ANY, first_edge


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Piece:
    """A boot or fork on a tile: whose it is, which of the two, and where on the tile (a slot of `moves`)."""

    def __init__(self, seat: int, piece: int, slot: int) -> None:
        self.seat = seat
        self.piece = piece
        self.slot = slot


@mypyc_attr(allow_interpreted_subclasses=True)
class Board:
    """Places are cells (see `places`); an end of a segment is cell * 4 + edge."""

    def __init__(self) -> None:
        self.tiles: dict[int, PlacedTile] = {}
        self.changed: list[int] = []
        """The places at which a tile was laid, flipped or otherwise changed, since this object was made."""
        self.pieces: dict[int, Piece] = {}
        self.open_cells: list[int] = []
        """The open places beside laid tiles, in order."""
        self.open_codes: list[int] = []
        """What each of them demands (see `placed_tile`)."""
        self.flippable: dict[int, int] = {}
        """The places of tiles with flips left."""
        self.heads = 0
        """Blue heads on the table."""
        self.low_x = self.high_x = HALF
        """The tiles span these columns, as places have them."""
        self.around: dict[int, int] = {}
        """How many tiles lie around each vertex."""
        self.patch_of: dict[int, int] = {}
        self.patches: dict[int, Patch] = {}
        self.chain_of: dict[int, int] = {}
        self.chains: dict[int, Chain] = {}
        self._serial = 0

    def clone(self) -> Board:
        other = Board()
        other.tiles = self.tiles.copy()
        other.pieces = self.pieces.copy()
        other.open_cells = self.open_cells.copy()
        other.open_codes = self.open_codes.copy()
        other.flippable = self.flippable.copy()
        other.heads = self.heads
        other.low_x = self.low_x
        other.high_x = self.high_x
        other.around = self.around.copy()
        other.patch_of = self.patch_of.copy()
        other.patches = self.patches.copy()
        other.chain_of = self.chain_of.copy()
        other.chains = self.chains.copy()
        other._serial = self._serial
        return other

    # --- tiles ------------------------------------------------------------------------------------------------------

    def lay(self, cell: int, placed: PlacedTile) -> None:
        """A tile comes onto the table."""
        self.tiles[cell] = placed
        self.changed.append(cell)
        x = cell & STRIDE - 1
        if x < self.low_x:
            self.low_x = x
        elif x > self.high_x:
            self.high_x = x
        self._count_tile(cell, placed)
        self._touch_corners(cell)
        self._join_bridge(cell, placed)
        self._join_chains(cell, placed)
        self._close_place(cell, self.tiles[cell])

    def flip(self, cell: int, placed: PlacedTile) -> None:
        """The tile here shows its other face. No piece may stand on it any more."""
        old = self.tiles.pop(cell)
        self.heads -= old.heads
        ends = self._cut_chains(cell, old)
        self._part_bridge(cell, old)
        self.tiles[cell] = placed
        self.changed.append(cell)
        self._count_tile(cell, placed)
        self._join_bridge(cell, placed)
        self._join_chains(cell, placed)
        self._close_place(cell, self.tiles[cell])
        for end in ends:
            # What waits at the loose ends of the beasts that were cut may have changed, far from here.
            self._refresh_beyond(self.chains[self.chain_of[end]])

    def remove(self, chain_id: int) -> list[int]:
        """A complete beast vanishes from its tiles. Returns the tiles that it has left."""
        chain = self.chains.pop(chain_id)
        masks: dict[int, int] = {}
        for member in chain.members:
            cell = member >> 2
            segment = self.tiles[cell].segment_at(member & 3)
            masks[cell] = masks.get(cell, 0) | segment & 15
        for cell, mask in masks.items():
            old = self.tiles[cell]
            for edge in range(4):
                if mask >> edge & 1:
                    del self.chain_of[cell << 2 | edge]
            self.heads -= old.heads
            new = old.without(mask, self._flips_after_loss(cell, old, mask))
            self.tiles[cell] = new
            self.changed.append(cell)
            self._count_tile(cell, new)
        return list(masks)

    def _flips_after_loss(self, cell: int, old: PlacedTile, mask: int) -> int:
        """A tile that loses its last segment may be flipped once, unless it has been, or a boot stands on it; one that
        loses only some cannot be flipped for now."""
        for segment in old.segments:
            if not segment & mask:
                return 0
        return 0 if old.flipped or cell in self.pieces else 1

    def _count_tile(self, cell: int, placed: PlacedTile) -> None:
        self.heads += placed.heads
        if placed.flips > 0:
            self.flippable[cell] = 1
        elif cell in self.flippable:
            del self.flippable[cell]

    # --- open places ------------------------------------------------------------------------------------------------

    def _close_place(self, cell: int, placed: PlacedTile) -> None:
        """This place is taken; the open ones beside it demand what the tile shows them."""
        at = bisect_left(self.open_cells, cell)
        if at < len(self.open_cells) and self.open_cells[at] == cell:
            self.open_cells.pop(at)
            self.open_codes.pop(at)
        tiles = self.tiles
        kinds = placed.kinds
        for edge in range(4):
            beside = cell + NEIGHBOUR[edge]
            if beside in tiles:
                continue
            kind = kinds[edge]
            if kind == ANY:
                self._open_place(beside, self.demand(beside))
                continue
            shift = 3 * (edge ^ 2)
            code = self.open_code(beside)
            if code < 0:
                code = PARITY_BIT if (beside ^ beside >> 10) & 1 else 0
            self._open_place(beside, code & ~(7 << shift) | (kind + 1) << shift)

    def _open_place(self, cell: int, code: int) -> None:
        """An open place demands this from now on."""
        at = bisect_left(self.open_cells, cell)
        if at < len(self.open_cells) and self.open_cells[at] == cell:
            self.open_codes[at] = code
        else:
            self.open_cells.insert(at, cell)
            self.open_codes.insert(at, code)

    def open_code(self, cell: int) -> int:
        """What an open place beside a laid tile demands; -1 if this is none."""
        at = bisect_left(self.open_cells, cell)
        return self.open_codes[at] if at < len(self.open_cells) and self.open_cells[at] == cell else -1

    def demand(self, cell: int) -> int:
        """What the tiles around a place demand of one laid there."""
        code = PARITY_BIT if (cell ^ cell >> 10) & 1 else 0
        beastly = False
        for edge in range(4):
            beside = cell + NEIGHBOUR[edge]
            tile = self.tiles.get(beside)
            if tile is None:
                continue
            kind = tile.kinds[edge ^ 2]
            if kind == ANY:
                kind = self.chains[self.chain_of[beside << 2 | edge ^ 2]].kind
                beastly = beastly or kind == ANY
            code |= (kind + 1) << 3 * edge
        return self._labelled(cell, code) if beastly else code

    def _labelled(self, cell: int, code: int) -> int:
        """A demand with a label at both ends of each open Beastly chain that waits here with both."""
        waiting: dict[int, list[int]] = {}
        for edge in range(4):
            if code >> 3 * edge & 7 == OPEN_CHAIN:
                chain_id = self.chain_of[cell + NEIGHBOUR[edge] << 2 | edge ^ 2]
                waiting.setdefault(chain_id, []).append(edge)
        label = FIRST_LABEL
        for edges in waiting.values():
            if len(edges) == 2:
                for edge in edges:
                    code = code & ~(7 << 3 * edge) | label << 3 * edge
                label += 1
        return code

    def _refresh_beyond(self, chain: Chain) -> None:
        """The places at the loose ends of a beast demand what it is now."""
        for end in chain.loose:
            beyond = (end >> 2) + NEIGHBOUR[end & 3]
            if beyond not in self.tiles:
                self._open_place(beyond, self.demand(beyond))

    # --- patches ------------------------------------------------------------------------------------------------------

    def _touch_corners(self, cell: int) -> None:
        """One more tile lies around each of these four vertices."""
        around = self.around
        for step in CORNER:
            vertex = cell + step
            tiles = around.get(vertex, 0) + 1
            around[vertex] = tiles
            if tiles == 1:
                self._serial += 1
                self.patch_of[vertex] = self._serial
                self.patches[self._serial] = Patch((vertex,), 1, 0, 0, 0, 0)
            elif tiles == 4:
                patch_id = self.patch_of[vertex]
                self.patches[patch_id] = self.patches[patch_id].with_open(-1)

    def bridge_ends(self, cell: int, placed: PlacedTile) -> tuple[int, int]:
        """The two vertices that the bridge of a tile joins."""
        if (placed.bridge ^ cell ^ cell >> 10) & 1:
            return (cell + 1, cell + STRIDE)
        return (cell, cell + STRIDE + 1)

    def _join_bridge(self, cell: int, placed: PlacedTile) -> None:
        patches = self.patches
        a, b = self.bridge_ends(cell, placed)
        kept = self.patch_of[a]
        lost = self.patch_of[b]
        if kept != lost:
            if len(patches[kept].members) < len(patches[lost].members):
                kept, lost = lost, kept
            other = patches.pop(lost)
            for vertex in other.members:
                self.patch_of[vertex] = kept
            patches[kept] = patches[kept].joined(other)
        if placed.ornament != BARE:
            patches[kept] = patches[kept].with_ornament(placed.ornament, 1)

    def _part_bridge(self, cell: int, placed: PlacedTile) -> None:
        """The bridge of a tile already taken off the table joins nothing any more."""
        a, b = self.bridge_ends(cell, placed)
        patch_id = self.patch_of[a]
        patch = self.patches[patch_id]
        if placed.ornament != BARE:
            patch = patch.with_ornament(placed.ornament, -1)
            self.patches[patch_id] = patch
        reached = self._reached_from(a)
        if b in reached:
            return
        rest = tuple([vertex for vertex in patch.members if vertex not in reached])
        self._serial += 1
        for vertex in rest:
            self.patch_of[vertex] = self._serial
        self.patches[self._serial] = self._survey(rest, self._serial)
        self.patches[patch_id] = self._survey(tuple(reached), patch_id)

    def _reached_from(self, start: int) -> dict[int, int]:
        """All vertices that bridges join to this one."""
        tiles = self.tiles
        reached = {start: 1}
        todo = [start]
        while todo:
            vertex = todo.pop()
            for step in CORNER:
                cell = vertex - step
                tile = tiles.get(cell)
                if tile is None:
                    continue
                a, b = self.bridge_ends(cell, tile)
                other = b if vertex == a else a if vertex == b else -1
                if other >= 0 and other not in reached:
                    reached[other] = 1
                    todo.append(other)
        return reached

    def _survey(self, members: tuple[int, ...], patch_id: int) -> Patch:
        """A patch counted from its vertices, which are labelled already."""
        open_bulges = 0
        ornaments = [0, 0, 0, 0]
        for vertex in members:
            if self.around[vertex] < 4:
                open_bulges += 1
            # Each bridge is counted at its northern end: the north-west or north-east corner of its tile.
            for cell in (vertex, vertex - 1):
                tile = self.tiles.get(cell)
                if tile is not None and tile.ornament != BARE and self.bridge_ends(cell, tile)[0] == vertex:
                    ornaments[tile.ornament] += 1
        pieces = 0
        for cell, piece in self.pieces.items():
            if piece.slot >= CORNER_SLOT and self.patch_of[self.vertex_of(cell, piece.slot)] == patch_id:
                pieces += one_piece(piece.seat)
        return Patch(members, open_bulges, ornaments[GOLD], ornaments[SILVER], ornaments[FLOWER], pieces)

    # --- beasts -------------------------------------------------------------------------------------------------------

    def _join_chains(self, cell: int, placed: PlacedTile) -> None:
        """Each segment of the tile joins what waits beyond its edges."""
        beastly = False
        for segment in placed.segments:
            if self._add_segment(cell, segment, 0):
                beastly = True
        if beastly:
            for chain_id in self.chains_at(cell):
                self._settle(self.chains[chain_id], False)
                self._refresh_beyond(self.chains[chain_id])

    def _settle(self, chain: Chain, cut: bool) -> None:
        """Beastly bodies are of the beast that they have joined, for good. Only a flip can part them from it: so it is
        written on tiles that can be flipped, and on the others when their beast is cut."""
        if chain.kind == ANY:
            return
        for member in chain.members:
            tile = self.tiles.get(member >> 2)
            if tile is not None and tile.kinds[member & 3] == ANY and (cut or tile.flips > 0):
                self.tiles[member >> 2] = tile.settled(member & 3, chain.kind)
                self.changed.append(member >> 2)

    def _add_segment(self, cell: int, segment: int, pieces: int) -> bool:
        """Returns whether anything Beastly is in the beast, so that what its ends demand may have changed."""
        chains = self.chains
        chain_of = self.chain_of
        self._serial += 1
        mine = self._serial
        ends = [cell << 2 | edge for edge in range(4) if segment >> edge & 1]
        for end in ends:
            chain_of[end] = mine
        kind = segment >> 8
        chain = Chain((ends[0],), tuple(ends), kind, ONE_OF_ROLE[segment >> 4 & 15], pieces)
        beastly = kind == ANY
        for end in ends:
            beyond = (end >> 2) + NEIGHBOUR[end & 3] << 2 | (end & 3) ^ 2
            theirs = chain_of.get(beyond, -1)
            if theirs < 0:
                continue
            if theirs == mine:
                if beyond in chain.loose:
                    chain = chain.without_end(beyond).without_end(end)
                continue
            other = chains.pop(theirs)
            beastly = beastly or other.kind == ANY
            chain = chain.without_end(end).joined(other.without_end(beyond))
            for member in other.members:
                chain_of[member] = mine
                second = self.tiles[member >> 2].partners[member & 3]
                if second >= 0:
                    chain_of[member & ~3 | second] = mine
        chains[mine] = chain
        return beastly

    def _cut_chains(self, cell: int, old: PlacedTile) -> list[int]:
        """The beasts of a tile already taken off the table are cut there. Returns an end of each piece that is left."""
        left: list[int] = []
        for segment in old.segments:
            end = cell << 2 | first_edge(segment)
            if end not in self.chain_of:
                continue
            chain = self.chains.pop(self.chain_of[end])
            self._settle(chain, True)
            for member in chain.members:
                tile = old if member >> 2 == cell else self.tiles[member >> 2]
                del self.chain_of[member]
                second = tile.partners[member & 3]
                if second >= 0:
                    del self.chain_of[member & ~3 | second]
            for member in chain.members:
                if member >> 2 != cell:
                    piece = self.pieces.get(member >> 2)
                    stands = piece is not None and piece.slot == member & 3
                    pieces = one_piece(piece.seat) if piece is not None and stands else 0
                    self._add_segment(member >> 2, self.tiles[member >> 2].segment_at(member & 3), pieces)
                    left.append(member)
        return left

    # --- pieces -------------------------------------------------------------------------------------------------------

    def vertex_of(self, cell: int, slot: int) -> int:
        """A vertex of the patch region of a tile that a slot names."""
        if slot == BRIDGE_SLOT:
            return self.bridge_ends(cell, self.tiles[cell])[0]
        return cell + CORNER[slot - CORNER_SLOT]

    def place_piece(self, cell: int, piece: Piece) -> None:
        """A piece comes onto the tile here."""
        self.pieces[cell] = piece
        self._count_piece(cell, piece, 1)

    def take_piece(self, cell: int) -> Piece:
        """The piece on the tile here leaves it."""
        piece = self.pieces.pop(cell)
        self._count_piece(cell, piece, -1)
        return piece

    def _count_piece(self, cell: int, piece: Piece, change: int) -> None:
        change *= one_piece(piece.seat)
        if piece.slot < CORNER_SLOT:
            chain_id = self.chain_of[cell << 2 | piece.slot]
            self.chains[chain_id] = self.chains[chain_id].with_pieces(change)
        else:
            patch_id = self.patch_of[self.vertex_of(cell, piece.slot)]
            self.patches[patch_id] = self.patches[patch_id].with_pieces(change)

    def pieces_on_chain(self, chain_id: int) -> list[int]:
        """The tiles on which pieces stand on this beast."""
        return [
            cell
            for cell, piece in self.pieces.items()
            if piece.slot < CORNER_SLOT and self.chain_of[cell << 2 | piece.slot] == chain_id
        ]

    def pieces_on_patch(self, patch_id: int) -> list[int]:
        """The tiles on which pieces stand on this patch."""
        return [
            cell
            for cell, piece in self.pieces.items()
            if piece.slot >= CORNER_SLOT and self.patch_of[self.vertex_of(cell, piece.slot)] == patch_id
        ]

    # --- what a tile touches ----------------------------------------------------------------------------------------

    def chains_at(self, cell: int) -> list[int]:
        """The beasts of a tile, each once, by edge."""
        found: list[int] = []
        for segment in self.tiles[cell].segments:
            for edge in range(4):
                if segment >> edge & 1:
                    chain_id = self.chain_of[cell << 2 | edge]
                    if chain_id not in found:
                        found.append(chain_id)
                    break
        return found

    def patches_at(self, cell: int) -> list[int]:
        """The patches of a tile, each once: the bridge's first, then the separate corners'."""
        first, _ = bridge_corners(self.tiles[cell].bridge, (cell ^ cell >> 10) & 1)
        found = [self.patch_of[cell + CORNER[first]]]
        for corner in (1 - first, 3 - first):
            patch_id = self.patch_of[cell + CORNER[corner]]
            if patch_id not in found:
                found.append(patch_id)
        return found

    def mismatch(self, cell: int) -> int:
        """The first edge at which a laid tile does not match its neighbour in beasts; -1 if all match."""
        tile = self.tiles[cell]
        code = self.demand(cell)
        for edge in range(4):
            demand = code >> 3 * edge & 7
            if demand == FREE:
                continue
            mine = tile.kinds[edge]
            if (mine == 0) != (demand == 1):
                return edge
            if mine not in (0, ANY) and demand < OPEN_CHAIN and mine != demand - 1:
                return edge
        return -1
