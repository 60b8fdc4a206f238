"""States and moves of Guppies as arrays.

The board is a window that wraps around (see `core.window`): a row of cells for each r and a column for each q. Random
games of 128 tiles span 27 cells on average, games of bots 24; the window has 32. A short game has 24. The single table
of 17 by 15 spaces fits exactly: in each of its rows, 17 neighbouring spaces have 17 different columns.
"""

from __future__ import annotations

from typing import Final

from wellies.core.encoding import MOST, NO_MOVE, Axis, Encoding, Memory, code, numbered, seat_labels
from wellies.core.events import Json
from wellies.core.state import GameState
from wellies.core.window import Window
from wellies.games.guppies.faces import COLOURS, EDGE_NAMES, SQUID
from wellies.games.guppies.material import ALL_WAYS, TILES, WAYS
from wellies.games.guppies.moves import DRAW, pack_place
from wellies.games.guppies.open_spaces import TABLE_COLUMNS, TABLE_ROWS, find_space
from wellies.games.guppies.state import GuppiesState

LONG_WINDOW: Final = 32
SHORT_WINDOW: Final = 24

EDGE_CODES: Final = ("water", *[f"{colour} {half}" for colour in COLOURS for half in ("head", "tail")])
MAY_BE: Final = 1
IS_THERE: Final = 2


class GuppiesEncoding(Encoding):
    def __init__(self, seats: int, options: Json) -> None:
        super().__init__("guppies", seats, options)
        if options["table"] == "one":
            self.window = Window(2 * TABLE_COLUMNS + 1, 2 * TABLE_ROWS + 1, 0)
        else:
            side = LONG_WINDOW if options["tiles"] == TILES else SHORT_WINDOW
            self.window = Window(side, side, most_open(options["tiles"] - 1))
        self._describe()
        self.seal()
        self._small = min(self.window.rows, self.window.columns) - 2
        """So many tiles fit into the window however they lie."""
        self._slices: list[slice] = [slice(6 * cell, 6 * cell + 6) for cell in range(self.window.size)]
        self._action_slices: list[slice] = [slice(WAYS * cell, WAYS * cell + WAYS) for cell in range(self.window.size)]
        self._ways_masks: list[bytearray | None] = [None] * (ALL_WAYS + 1)
        self._rest = slice(self._laid, self.size)
        """All but the board."""
        self._no_rest = self.nothing[self._rest]
        self._bag_slice = slice(self._bag, self._bag + TILES)
        self._no_bag = bytearray(TILES)
        self._tile_slice = slice(self._tile, self._left)
        self._tiles: dict[tuple[int, ...], bytearray] = {}
        """The cells of each drawn tile that has been seen, by its faces."""
        self._faces: dict[int, bytearray] = {}
        """The six cells of each face that has been seen on a board."""

    def _describe(self) -> None:
        window = self.window
        rows, columns = numbered(window.rows), numbered(window.columns)
        ways = Axis("way", [f"{side}{turn}" for side in "ab" for turn in range(6)])
        self.add_actions(
            "lay",
            [Axis("row", rows), Axis("column", columns), ways],
            "Lay the drawn tile at the open space that has this cell of the window, with face a or b up, turned by so "
            "many steps clockwise.",
        )
        if window.spare:
            self.add_actions(
                "lay beyond",
                [Axis("spare cell", numbered(window.spare)), ways],
                "The same at an open space whose cell of the window belongs to another open space.",
            )
        places = Axis("place", [f"{row},{column}" for row in rows for column in columns])
        edges = Axis("edge", EDGE_NAMES)
        self.add_board(
            "board",
            places,
            "What the tile at each cell of the window (row, column) shows at each of its six edges; nothing where no "
            "tile lies.",
            [code(edge, EDGE_CODES) for edge in EDGE_NAMES],
            (window.rows, window.columns),
            range(window.size),
        )
        self._bag = self.add_codes(
            "bag", [Axis("tile", numbered(TILES, 1))], "Which tiles may be in the bag.", ["may be there", "is there"]
        )
        self._laid = self.add_numbers("laid", [], "How many tiles are on the table.", TILES)
        self._beyond = self.add_numbers("beyond", [], "How many tiles the window has no cell for.")
        faces = Axis("face", ["a", "b"])
        self._tile = self.add_codes("tile", [faces, edges], "The two faces of the drawn tile, not turned.", EDGE_CODES)
        self._squid = self.add_numbers("squid", [faces], "1 for the face of the drawn tile that is the squid.", 1)
        self._left = self.add_numbers("left", [], "How many tiles are in the bag.", TILES)
        self._colours = self.add_codes("colours", [self.seat_axis()], "The fish of each seat.", COLOURS)
        self._turn = self.add_codes(
            "turn", [], "Whose turn it is; nobody's when the game is over.", seat_labels(self.seats)
        )
        self._scores = self.add_scores()
        self.outcomes = TILES
        self.longest = TILES

    # --- actions ------------------------------------------------------------------------------------------------------

    def _cell(self, place: int) -> int:
        return self.window.column_part[place >> 10] + self.window.row_part[place & 1023]

    def _crowded(self, state: GuppiesState) -> bool:
        """Whether two open spaces may have the same cell of the window."""
        if not state.checked:
            return True
        window = self.window
        if not window.spare or len(state.board) <= self._small:
            return False
        spaces = state.spaces
        if (spaces[-1].place >> 10) - (spaces[0].place >> 10) >= window.columns:
            return True
        return state.high_r - state.low_r + 2 >= window.rows  # open spaces are at most one row beyond the tiles

    def _open_cells(self, state: GuppiesState) -> list[int]:
        """The cell of each open space."""
        return self.window.spread([self._cell(space.place) for space in state.spaces])

    def action_of(self, state: GameState, seat: int, move: int) -> int:
        assert isinstance(state, GuppiesState)
        place = move >> 4
        if state.board and self._crowded(state):
            return self._open_cells(state)[find_space(state.spaces, place)] * WAYS + (move & 15)
        return self._cell(place) * WAYS + (move & 15)

    def move_of(self, state: GameState, seat: int, action: int) -> int:
        assert isinstance(state, GuppiesState)
        cell, way = action // WAYS, action % WAYS
        window = self.window
        if state.board and self._crowded(state):
            cells = self._open_cells(state)
            if cell in cells:
                return state.spaces[cells.index(cell)].place << 4 | way
        elif cell < window.size:
            # A start tile at 0,0 and a table that is not wider than the window leave four candidates.
            q, r = window.nearest_x(cell), window.nearest_y(cell)
            other_q = q + window.columns if q < 0 else q - window.columns
            other_r = r + window.rows if r < 0 else r - window.rows
            for each_q in (q, other_q):
                for each_r in (r, other_r):
                    place = pack_place(each_q, each_r)
                    at = find_space(state.spaces, place)
                    if at < len(state.spaces) and state.spaces[at].place == place:
                        return place << 4 | way
            for space in state.spaces:  # a position that was set up elsewhere
                if self._cell(space.place) == cell:
                    return space.place << 4 | way
        if cell >= window.size:
            return NO_MOVE
        return pack_place(window.nearest_x(cell), window.nearest_y(cell)) << 4 | way

    def legal_actions(self, state: GameState, seat: int) -> list[int]:
        assert isinstance(state, GuppiesState)
        if state.board and self._crowded(state):
            by_place: dict[int, int] = {}
            cells = self._open_cells(state)
            for index, space in enumerate(state.spaces):
                by_place[space.place] = cells[index] * WAYS
            return [by_place[move >> 4] + (move & 15) for move in state.legal(seat)]
        found: list[int] = []
        last = -1
        base = 0
        for move in state.legal(seat):
            place = move >> 4
            if place != last:
                last = place
                base = self._cell(place) * WAYS
            found.append(base + (move & 15))
        return found

    def write_mask(self, state: GameState, seat: int, mask: bytearray) -> None:
        assert isinstance(state, GuppiesState)
        mask[self._all_actions] = self._no_action
        if state.board and self._crowded(state):
            for action in self.legal_actions(state, seat):
                mask[action] = 1
            return
        if seat != state.to_move or not state.tile or state.ended:
            return
        # The lays at one place are written at once.
        column_part, row_part = self.window.column_part, self.window.row_part
        slices, masks = self._action_slices, self._ways_masks
        for fit in state.fits:
            ways = fit & ALL_WAYS
            known = masks[ways]
            if known is None:
                known = self._ways_mask(ways)
            place = fit >> WAYS
            mask[slices[column_part[place >> 10] + row_part[place & 1023]]] = known

    def _ways_mask(self, ways: int) -> bytearray:
        """Some ways of a tile, given as bits, as the twelve cells of a mask."""
        known = self._ways_masks[ways]
        if known is None:
            known = bytearray([ways >> way & 1 for way in range(WAYS)])
            self._ways_masks[ways] = known
        return known

    def outcome_of(self, state: GameState, move: int) -> int:
        return move - DRAW - 1

    def chance_of(self, state: GameState, outcome: int) -> int:
        return DRAW | (outcome + 1)

    # --- observations -------------------------------------------------------------------------------------------------

    def observe(self, state: GameState, seat: int, cells: bytearray) -> None:
        assert isinstance(state, GuppiesState)
        cells[:] = self.nothing
        self._write_board(state, cells)
        self._write_bag(state, cells)
        self._write_rest(state, seat, cells)

    def observe_again(self, state: GameState, seat: int, memory: Memory) -> None:
        """Tiles are only ever added, so those laid since are the last ones of the board."""
        assert isinstance(state, GuppiesState)
        cells = memory.cells
        before = cells[self._laid]
        new = len(state.board) - before
        if memory.state is not state or self._crowded(state):
            self.observe(state, seat, cells)
            memory.state = state
            return
        left = cells[self._left]
        for place in reversed(state.board):
            if new == 0:
                break
            cells[self._slices[self._cell(place)]] = self._face(state.board[place])
            new -= 1
        if left == state.bag_size + 1 and state.tile_number > 0 and state.bag_size == len(state.bag):
            cells[self._bag + state.tile_number - 1] = 0
        elif left != state.bag_size or state.sure:
            cells[self._bag_slice] = self._no_bag
            self._write_bag(state, cells)
        cells[self._rest] = self._no_rest
        self._write_rest(state, seat, cells)

    def _write_bag(self, state: GuppiesState, cells: bytearray) -> None:
        in_bag = IS_THERE if state.bag_size == len(state.bag) else MAY_BE
        at = self._bag - 1
        for number in state.bag:
            cells[at + number] = in_bag
        for number in state.sure:
            cells[at + number] = IS_THERE

    def _write_rest(self, state: GuppiesState, seat: int, cells: bytearray) -> None:
        cells[self._laid] = min(len(state.board), MOST)
        if state.tile:
            self._write_tile(state, cells)
        cells[self._left] = state.bag_size
        seats = self.seats
        for index in range(seats):
            cells[self._colours + index] = state.colours[(seat + index) % seats] + 1
        if not state.ended:
            cells[self._turn] = (state.to_move - seat) % seats + 1
        self.write_scores(cells, self._scores, state.points, seat)

    def _write_board(self, state: GuppiesState, cells: bytearray) -> None:
        slices = self._slices
        faces = self._faces
        if state.board and self._crowded(state):
            shown: set[int] = set()
            for place in sorted(state.board):
                cell = self._cell(place)
                if cell not in shown:
                    shown.add(cell)
                    cells[slices[cell]] = self._face(state.board[place])
            cells[self._beyond] = min(len(state.board) - len(shown), MOST)
            return
        for place, face in state.board.items():
            known = faces.get(face)
            if known is None:
                known = self._face(face)
            cells[slices[self._cell(place)]] = known

    def _face(self, face: int) -> bytearray:
        """The six cells of a face, as it lies."""
        known = self._faces.get(face)
        if known is None:
            known = bytearray([(face >> (3 * edge) & 7) + 1 for edge in range(6)])
            self._faces[face] = known
        return known

    def _write_tile(self, state: GuppiesState, cells: bytearray) -> None:
        known = self._tiles.get(state.tile)
        if known is None:
            codes = [(face >> (3 * edge) & 7) + 1 for face in state.tile for edge in range(6)]
            known = bytearray(codes + [1 if face & SQUID else 0 for face in state.tile])
            self._tiles[state.tile] = known
        cells[self._tile_slice] = known


def most_open(tiles: int) -> int:
    """The most open spaces that so many tiles can have: six beside the first. Each further tile takes an open space and
    opens at most three, for of its six neighbours one is a tile and two touched that tile already."""
    return 2 * tiles + 4
