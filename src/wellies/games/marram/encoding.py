"""States and moves of Marram as arrays.

The board is a window of 24 by 24 cells that wraps around (see `core.window`): a row for each y, a column for each x.
Random games span 19 cells on average and games of bots 16. A tile to lay is named by its place in the hand, which is in
the order of tile numbers, and the face follows from the turn and the place.
"""

from __future__ import annotations

from typing import Final

from wellies.core.encoding import MOST, NO_MOVE, Axis, Channel, Encoding, Memory, code, numbered, seat_labels
from wellies.core.events import Json
from wellies.core.native import mypyc_attr
from wellies.core.state import CHANCE, GameState
from wellies.core.window import Window
from wellies.games.marram import moves
from wellies.games.marram.animals import NO_GUESS, NOWHERE, Animal
from wellies.games.marram.board import Board
from wellies.games.marram.claims import piece_for
from wellies.games.marram.material import STARTER, TILES
from wellies.games.marram.material_file import load_material
from wellies.games.marram.moves import CHANGE, ESCAPE, FLY, FROG, LONGEST_GUESS, NO_CLAIM, PASS, SLOT_NAMES, WORDS
from wellies.games.marram.phases import LOT, MOVE, OVER, PHASE_NAMES
from wellies.games.marram.placed_tile import ORNAMENT_WORDS, PARITY_BIT, PlacedTile
from wellies.games.marram.places import GROUND_NAMES, STRIDE, cell_at, parity, x_of, y_of
from wellies.games.marram.segments import (
    BODY,
    EDGE_NAMES,
    KIND_NAMES,
    PART_OF,
    ROLE_NAMES,
    ROLES_OF_KIND,
    SADDLE,
    pack,
)
from wellies.games.marram.state import MarramState
from wellies.games.marram.variants import ANIMALS, HAND, MOVES_A_TURN, numbers_for

SIDE: Final = 24
TURNS: Final = 4
LAYS: Final = HAND * TURNS
"""The ways to lay a tile at one place."""

WHERE_TO: Final = ("next", "opposite", "last")
"""Where a body leads to from its edge: to the next edge clockwise, the opposite one, or the last one before."""

# The cells of a tile: its edges and so on never change while it lies as it does; the others are written one by one.
TILE_CELLS: Final = 9
OWNER: Final = 9
STANDS_ON: Final = 10
MARK: Final = 11
ANIMAL: Final = 12
CAME_FROM: Final = 13

JUST_LAID: Final = 1
JUST_FLIPPED: Final = 2
FLIPPED: Final = 3
MARKS: Final = ("just laid", "just flipped", "flipped in this turn")
ANIMAL_CODES: Final = ("fly", "frog", "fly and frog")

HAND_CELLS: Final = 9
MAY_BE: Final = 1
IS_THERE: Final = 2


def _edge_codes() -> tuple[str, ...]:
    """All that an edge of a tile can show."""
    found = ["no beast"]
    for kind in range(1, len(KIND_NAMES)):
        for role in ROLES_OF_KIND[kind]:
            name = f"{PART_OF[kind]} {ROLE_NAMES[role]}"
            found += [f"{name} to the {way}" for way in WHERE_TO] if role in (BODY, SADDLE) else [name]
    return tuple(found)


EDGE_CODES: Final = _edge_codes()


def _code_table() -> dict[int, int]:
    """The code of a part of a beast, by kind and role packed as in segments; a body's first of three."""
    found: dict[int, int] = {}
    at = 2
    for kind in range(1, len(KIND_NAMES)):
        for role in ROLES_OF_KIND[kind]:
            found[pack(kind, role, 0)] = at
            at += len(WHERE_TO) if role in (BODY, SADDLE) else 1
    return found


_CODE_OF: Final = _code_table()
_ORNAMENTS: Final = ORNAMENT_WORDS[1:]


def edge_cells(segments: tuple[int, ...]) -> list[int]:
    """What the four edges of a tile show, as codes."""
    found = [1, 1, 1, 1]
    for segment in segments:
        first = _CODE_OF[segment & ~15]
        edges = [edge for edge in range(4) if segment >> edge & 1]
        for edge in edges:
            found[edge] = first
        if len(edges) == 2:
            found[edges[0]] += edges[1] - edges[0] - 1
            found[edges[1]] += edges[0] - edges[1] + 3
    return found


@mypyc_attr(allow_interpreted_subclasses=True)
class MarramMemory(Memory):
    """What of the state was observed last, and which cells of the board have marks."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.board = Board()
        self.changes = 0
        """How many of its changes were observed."""
        self.stock: list[int] = []
        self.in_stock = 0
        """What the cells of the stock have for a tile that is there."""
        self.marked: list[int] = []
        """The cells of the window with a piece, a mark or an animal."""


class MarramEncoding(Encoding):
    def __init__(self, seats: int, options: Json) -> None:
        super().__init__("marram", seats, options)
        self.variant = numbers_for(options["variant"], options["length"], seats).variant
        self.box = load_material(options.get("cards"))
        self.window = Window(SIDE, SIDE, most_open(TILES))
        """For open places."""
        self.tile_window = Window(SIDE, SIDE, TILES)
        """For laid tiles."""
        self._describe_actions()
        self._describe_table()
        self.longest = longest(seats, seats * numbers_for(options["variant"], options["length"], seats).spades)
        self.seal()
        channels = self.fields[0].shape[1]
        self._channels = channels
        self._tile_slices: list[slice] = [
            slice(channels * cell, channels * cell + TILE_CELLS) for cell in range(SIDE * SIDE)
        ]
        self._mark_slices: list[slice] = [
            slice(channels * cell + TILE_CELLS, channels * cell + channels) for cell in range(SIDE * SIDE)
        ]
        self._no_tile = bytearray(TILE_CELLS)
        self._no_marks = bytearray(channels - TILE_CELLS)
        self._piece_slices: list[slice] = [
            slice(channels * cell + OWNER, channels * cell + STANDS_ON + 1) for cell in range(SIDE * SIDE)
        ]
        self._piece_cells: list[bytearray] = [
            bytearray([seat + 1, slot + 1]) for seat in range(seats) for slot in range(len(SLOT_NAMES))
        ]
        """The cells of a piece, by seat and slot."""
        self._hand_slices: list[slice] = [
            slice(self._hands + HAND_CELLS * index, self._hands + HAND_CELLS * (index + 1))
            for index in range(seats * HAND)
        ]
        self._hands_slice = slice(self._hands, self._stock)
        self._stock_slice = slice(self._stock, self._left)
        self._rest = slice(self._left, self.size)
        """All that comes after the stock."""
        self._no_hands = self.nothing[self._hands_slice]
        self._no_rest = self.nothing[self._rest]
        self._no_stock = bytearray(TILES)
        self._tiles: dict[int, bytearray] = {}
        """The cells of each tile that has been seen on a board."""
        self._lay_slices: list[slice] = [
            slice(self._lay + TURNS * place, self._lay + TURNS * place + TURNS) for place in range(SIDE * SIDE * HAND)
        ]
        self._demands: list[int] = [-1] * (2 * PARITY_BIT)
        """A small number for each demand of a place that has been seen; -1 for the others."""
        self._demands_seen = 0
        self._turns: list[list[bytearray | None]] = [[] for _ in range(TILES + 1)]
        """For each tile and such number: 1 for the turns in which it can be laid there; None where this was not asked
        yet. Far smaller than a table of all demands: it stays in the processor's cache."""
        self._turn_masks: list[bytearray] = [
            bytearray([bits >> turn & 1 for turn in range(TURNS)]) for bits in range(16)
        ]
        self._no_turns = self._turn_masks[0]
        self._hand_tiles: list[bytearray] = [self._hand_tile(tile) for tile in range(TILES + 1)]

    def _describe_actions(self) -> None:
        rows, columns = Axis("row", numbered(SIDE)), Axis("column", numbered(SIDE))
        tile, turn = Axis("tile", numbered(HAND)), Axis("turn", numbered(TURNS))
        spare, spare_tile = Axis("spare cell", numbered(self.window.spare)), Axis("spare cell", numbered(TILES))
        self._lay = self.add_actions(
            "lay",
            [rows, columns, tile, turn],
            "Lay a tile of the hand, counted in the order of tile numbers, at the open place that has this cell of the "
            "window, turned by so many quarter turns.",
        )
        self._flip = self.add_actions(
            "flip", [rows, columns, turn], "Flip the tile that has this cell of the window, to this quarter turn."
        )
        self._claim = self.add_actions(
            "claim", [Axis("where", SLOT_NAMES)], "Claim this part of the tile just played, with the piece that may."
        )
        self._words = self.add_actions(
            "word", [Axis("word", list(WORDS.values()))], "Claim nothing, change the hand, pass."
        )
        self._guess = self.actions
        if self.variant == ANIMALS:
            self.add_actions(
                "guess",
                [Axis("hops", [*numbered(LONGEST_GUESS, 1), "escape"])],
                "Guess how many hops the animal makes, or that it escapes.",
            )
        self._lay_beyond = self.add_actions(
            "lay beyond",
            [spare, tile, turn],
            "Lay a tile at an open place whose cell of the window belongs to another open place.",
        )
        self._flip_beyond = self.add_actions(
            "flip beyond", [spare_tile, turn], "Flip a tile whose cell of the window belongs to another tile."
        )
        self._firsts = TILES
        self._flies = TILES + self.seats
        self._frogs = self._flies + self.tile_window.size + TILES
        self.outcomes = self._frogs + self.tile_window.size + TILES if self.variant == ANIMALS else self._flies

    def _describe_table(self) -> None:
        who = seat_labels(self.seats)
        seats = self.seat_axis()
        animals = self.variant == ANIMALS
        edges = [code(edge, EDGE_CODES) for edge in EDGE_NAMES]
        self.add_board(
            "board",
            Axis("place", [f"{row},{column}" for row in range(SIDE) for column in range(SIDE)]),
            "The tile at each cell of the window (row, column). Edges show parts of beasts; a body also says where it "
            "leads: to the next edge clockwise, to the opposite one, or to the last one before.",
            [
                *edges,
                code("bridge", GROUND_NAMES),
                code("ornament", _ORNAMENTS),
                code("below", _ORNAMENTS),
                Channel("flips left", 3),
                Channel("was flipped", 1),
                code("piece of", who),
                code("stands on", SLOT_NAMES),
                code("mark", MARKS),
                *([code("animal", ANIMAL_CODES), code("came from", ANIMAL_CODES)] if animals else []),
            ],
            (SIDE, SIDE),
            range(SIDE * SIDE),
        )
        self._beyond = self.add_numbers("beyond", [], "How many tiles the window has no cell for.")
        self._hands = self.add_channels(
            "hands",
            [seats, Axis("tile", numbered(HAND))],
            "The tiles of each hand in the order of their numbers, face a up and not turned.",
            [
                Channel("number", TILES),
                *edges,
                Channel("spade", 1),
                code("bridge", GROUND_NAMES),
                code("ornament", _ORNAMENTS),
                code("below", _ORNAMENTS),
            ],
        )
        self._stock = self.add_codes(
            "stock", [Axis("tile", numbered(TILES, 1))], "Which tiles may still be drawn.", ["may be there", "is there"]
        )
        self._left = self.add_numbers("left", [], "How many tiles are in the stock.", TILES)
        self._pieces = self.add_numbers(
            "pieces",
            [seats, Axis("kind", ["boots", "forks", "spades", "retired boots", "retired forks"])],
            "The pieces and spade cards that each seat has left, and the pieces that left the game.",
        )
        self._phase = self.add_codes("phase", [], "What is to be done next.", PHASE_NAMES)
        self._turn = self.add_codes("turn", [], "Whose turn it is.", who)
        self._acts = self.add_codes(
            "acts", [], "Who decides now: in a guess it is not always the one whose turn it is.", who
        )
        self._move = self.add_numbers("move", [], "Which move of the turn it is.", MOVES_A_TURN)
        self._fresh = self.add_numbers(
            "fresh", [], "How many tiles are still to come for a hand that was changed.", HAND
        )
        self._passes = self.add_numbers("passes", [], "How many seats have passed in a row at the end.", self.seats)
        self._hops = self._guesses = self.size
        if animals:
            kinds = Axis("animal", ["fly", "frog"])
            self._hops = self.add_numbers(
                "hops", [kinds], "How often each animal on the table has hopped.", LONGEST_GUESS
            )
            self._guesses = self.add_codes(
                "guesses", [kinds, seats], "What each seat has guessed.", [*numbered(LONGEST_GUESS, 1), "escape"]
            )
        self._scores = self.add_scores()

    # --- places and cells ---------------------------------------------------------------------------------------------

    def _crowded(self, state: MarramState) -> bool:
        """Whether two open places, or two tiles, may have the same cell of the window."""
        if not state.checked:
            return True
        board = state.board
        if len(board.tiles) + 2 <= SIDE:
            return False
        cells = board.open_cells
        if (cells[-1] >> 10) - (cells[0] >> 10) >= SIDE:
            return True
        return board.high_x - board.low_x + 2 >= SIDE  # open places are at most one column beyond the tiles

    def _open_cells(self, state: MarramState) -> dict[int, int]:
        """The cell of each open place, where two may have the same in the window."""
        window = self.window
        places = state.board.open_cells
        cells = window.spread([window.cell(x_of(place), y_of(place)) for place in places])
        return {place: cells[index] for index, place in enumerate(places)}

    def _tile_cells(self, board: Board) -> dict[int, int]:
        """The cell of each tile, where two may have the same in the window."""
        window = self.tile_window
        places = sorted(board.tiles)
        cells = window.spread([window.cell(x_of(place), y_of(place)) for place in places])
        return {place: cells[index] for index, place in enumerate(places)}

    def _cell(self, place: int) -> int:
        return self.window.column_part[place & STRIDE - 1] + self.window.row_part[place >> 10]

    # --- actions ------------------------------------------------------------------------------------------------------

    def action_of(self, state: GameState, seat: int, move: int) -> int:
        assert isinstance(state, MarramState)
        return self._actions_of(state, seat, [move])[0]

    def legal_actions(self, state: GameState, seat: int) -> list[int]:
        assert isinstance(state, MarramState)
        return self._actions_of(state, seat, state.legal(seat))

    def write_mask(self, state: GameState, seat: int, mask: bytearray) -> None:
        """As `legal_actions` has it; the lays, without a list of them."""
        assert isinstance(state, MarramState)
        if state.phase != MOVE or seat != state.to_move or self._crowded(state):
            super().write_mask(state, seat, mask)
            return
        mask[self._all_actions] = self._no_action
        if not self._mask_lays(state, seat, mask):
            word = CHANGE if state.hands[seat] else PASS
            mask[self._words + word - NO_CLAIM] = 1
        if state.spades[seat] > 0:
            column_part, row_part = self.window.column_part, self.window.row_part
            for move in state.flips():
                place = moves.flip_cell(move)
                cell = column_part[place & STRIDE - 1] + row_part[place >> 10]
                mask[self._flip + cell * TURNS + (move & 3)] = 1

    def _mask_lays(self, state: MarramState, seat: int, mask: bytearray) -> bool:
        """Returns whether there are any."""
        column_part, row_part = self.window.column_part, self.window.row_part
        slices, demands, no_turns = self._lay_slices, self._demands, self._no_turns
        hand = sorted(state.hands[seat])
        tables = [self._turns[tile] for tile in hand]
        for slot in range(1, len(hand)):
            if hand[slot] == hand[slot - 1]:  # a position can have a tile twice: the first stands for both
                tables[slot] = []
        places = state.board.open_cells
        codes = state.board.open_codes
        found = False
        for at in range(len(places)):
            demand = demands[codes[at]]
            if demand < 0:
                demand = self._new_demand(codes[at])
            first = -1
            slot = -1
            for table in tables:
                slot += 1
                if not table:
                    continue
                turns = table[demand]
                if turns is None:
                    turns = self._turns_of(hand[slot], codes[at], demand)
                if turns is not no_turns:
                    if first < 0:
                        place = places[at]
                        first = (column_part[place & STRIDE - 1] + row_part[place >> 10]) * HAND
                        found = True
                    mask[slices[first + slot]] = turns
        return found

    def _new_demand(self, code: int) -> int:
        number = self._demands_seen
        self._demands_seen += 1
        self._demands[code] = number
        for table in self._turns:
            table.append(None)
        return number

    def _turns_of(self, tile: int, code: int, demand: int) -> bytearray:
        """The turns in which a tile can be laid where this is demanded."""
        lays = self.box.lays_by_demand(tile)[code]
        if lays is None:
            lays = self.box.lays_for(tile, code)
        bits = 0
        for lay in lays:
            bits |= 1 << (lay & 3)
        self._turns[tile][demand] = self._turn_masks[bits]
        return self._turn_masks[bits]

    def _actions_of(self, state: MarramState, seat: int, wanted: list[int]) -> list[int]:
        crowded = self._crowded(state)
        open_cells = self._open_cells(state) if crowded else {}
        tile_cells = self._tile_cells(state.board) if crowded else {}
        hand = sorted(state.hands[seat])
        found: list[int] = []
        tile = -1
        slot = -1
        for move in wanted:
            kind = move >> moves.KIND_SHIFT
            if kind == moves.LAY:
                if tile != moves.lay_tile(move):
                    tile = moves.lay_tile(move)
                    slot = hand.index(tile)
                place = moves.lay_cell(move)
                cell = open_cells[place] if crowded else self._cell(place)
                found.append(self._lay_action(cell, slot, move & 3))
            elif kind == moves.FLIP:
                place = moves.flip_cell(move)
                cell = tile_cells[place] if crowded else self._cell(place)
                found.append(self._flip_action(cell, move & 3))
            elif kind == moves.CLAIM:
                found.append(self._claim + moves.claim_slot(move))
            elif kind == moves.WORD:
                found.append(self._words + move - NO_CLAIM)
            else:
                number = moves.payload(move)
                found.append(self._guess + (LONGEST_GUESS if number == ESCAPE else number - 1))
        return found

    def _lay_action(self, cell: int, slot: int, turn: int) -> int:
        beyond = cell - self.window.size
        first = self._lay + cell * LAYS if beyond < 0 else self._lay_beyond + beyond * LAYS
        return first + slot * TURNS + turn

    def _flip_action(self, cell: int, turn: int) -> int:
        beyond = cell - self.tile_window.size
        return (self._flip + cell * TURNS if beyond < 0 else self._flip_beyond + beyond * TURNS) + turn

    def move_of(self, state: GameState, seat: int, action: int) -> int:
        assert isinstance(state, MarramState)
        if action < self._flip:
            return self._lay_of(state, seat, action - self._lay)
        if action < self._claim:
            return self._flip_of(state, action - self._flip)
        if action < self._words:
            slot = action - self._claim
            return moves.claim_move(piece_for(slot, self.variant), slot)
        if action < self._guess:
            return (NO_CLAIM, CHANGE, PASS)[action - self._words]
        if action < self._lay_beyond:
            number = action - self._guess + 1
            return moves.guess_move(ESCAPE if number > LONGEST_GUESS else number)
        if action < self._flip_beyond:
            return self._lay_of(state, seat, action - self._lay_beyond + self.window.size * LAYS)
        return self._flip_of(state, action - self._flip_beyond + self.tile_window.size * TURNS)

    def _lay_of(self, state: MarramState, seat: int, index: int) -> int:
        cell, rest = divmod(index, LAYS)
        slot, turn = divmod(rest, TURNS)
        hand = sorted(state.hands[seat])
        if slot >= len(hand):
            return NO_MOVE
        if self._crowded(state):
            for place, its_cell in self._open_cells(state).items():
                if its_cell == cell:
                    return self._lay_move(hand[slot], turn, place)
        elif cell < self.window.size:
            nearest = cell_at(self.window.nearest_x(cell), self.window.nearest_y(cell))
            if state.board.open_code(nearest) >= 0:  # as nearly always
                return self._lay_move(hand[slot], turn, nearest)
            for place in state.board.open_cells:
                if self._cell(place) == cell:
                    return self._lay_move(hand[slot], turn, place)
        if cell >= self.window.size:
            return NO_MOVE
        return self._lay_move(hand[slot], turn, cell_at(self.window.nearest_x(cell), self.window.nearest_y(cell)))

    def _lay_move(self, tile: int, turn: int, place: int) -> int:
        return moves.lay_move(tile, self.box.tiles[tile].face_at(turn, parity(place)), turn, place)

    def _flip_of(self, state: MarramState, index: int) -> int:
        cell, turn = divmod(index, TURNS)
        place = self._tile_place(state, cell)
        return NO_MOVE if place < 0 else moves.flip_move(place, turn)

    def _tile_place(self, state: MarramState, cell: int) -> int:
        """The place of the tile that has this cell; one without a tile if there is none; -1 for a spare cell."""
        if self._crowded(state):
            for place, its_cell in self._tile_cells(state.board).items():
                if its_cell == cell:
                    return place
        else:
            for place in state.board.tiles:
                if self._cell(place) == cell:
                    return place
        if cell >= self.tile_window.size:
            return -1
        return cell_at(self.window.nearest_x(cell), self.window.nearest_y(cell))

    # --- chance -------------------------------------------------------------------------------------------------------

    def outcome_of(self, state: GameState, move: int) -> int:
        """Draws of tiles come first, then who begins, then where the fly and the frog go."""
        assert isinstance(state, MarramState)
        kind = move >> moves.KIND_SHIFT
        where = moves.payload(move)
        if kind == moves.DRAW:
            return where - 1
        if kind == moves.FIRST:
            return self._firsts + where
        cell = self._tile_cells(state.board)[where] if self._crowded(state) else self._cell(where)
        return (self._flies if kind == FLY else self._frogs) + cell

    def chance_of(self, state: GameState, outcome: int) -> int:
        assert isinstance(state, MarramState)
        if outcome < self._firsts:
            return moves.draw_move(outcome + 1)
        if outcome < self._flies:
            return moves.first_move(outcome - self._firsts)
        kind = FLY if outcome < self._frogs else FROG
        place = self._tile_place(state, outcome - (self._flies if kind == FLY else self._frogs))
        return NO_MOVE if place < 0 else moves.animal_move(kind, place)

    # --- observations -------------------------------------------------------------------------------------------------

    def observe(self, state: GameState, seat: int, cells: bytearray) -> None:
        assert isinstance(state, MarramState)
        cells[:] = self.nothing
        crowded = self._crowded(state)
        tile_cells = self._tile_cells(state.board) if crowded else {}
        self._write_board(state, tile_cells, cells)
        self._write_marks(state, seat, tile_cells, cells, [])
        self._write_stock(state, cells)
        self._write_rest(state, seat, cells)

    def new_memory(self) -> Memory:
        return MarramMemory(self.size)

    def observe_again(self, state: GameState, seat: int, memory: Memory) -> None:
        """A board tells which of its tiles have changed."""
        assert isinstance(state, MarramState)
        assert isinstance(memory, MarramMemory)
        cells = memory.cells
        if self._crowded(state):
            self.observe(state, seat, cells)
            memory.state = None
            return
        if memory.state is None:
            memory.state = state
            cells[:] = self.nothing
            memory.board = Board()
            memory.changes = 0
            memory.stock = []
            memory.marked = []
        self._write_changed_tiles(state.board, memory)
        for cell in memory.marked:
            cells[self._mark_slices[cell]] = self._no_marks
        memory.marked = []
        self._write_marks(state, seat, {}, cells, memory.marked)
        in_stock = IS_THERE if state.stock_count == len(state.stock) else MAY_BE
        if in_stock != memory.in_stock or not self._take_from_stock(state.stock, memory):
            cells[self._stock_slice] = self._no_stock
            self._write_stock(state, cells)
            memory.in_stock = in_stock
            memory.stock = state.stock.copy()
        cells[self._hands_slice] = self._no_hands
        cells[self._rest] = self._no_rest
        self._write_rest(state, seat, cells)

    def _write_changed_tiles(self, board: Board, memory: MarramMemory) -> None:
        cells = memory.cells
        slices = self._tile_slices
        tiles = board.tiles
        if memory.board is board:
            changed = board.changed
            for at in range(memory.changes, len(changed)):
                place = changed[at]
                cells[slices[self._cell(place)]] = self._shown(tiles[place])
        else:
            for place in memory.board.tiles:
                cells[slices[self._cell(place)]] = self._no_tile
            for place, tile in tiles.items():
                cells[slices[self._cell(place)]] = self._shown(tile)
            memory.board = board
        memory.changes = len(board.changed)

    def _take_from_stock(self, stock: list[int], memory: MarramMemory) -> bool:
        """Write that some tiles are not in the stock any more. Returns whether that was all that has changed there."""
        before = memory.stock
        gone = len(before) - len(stock)
        if gone == 0:
            return stock == before
        if gone < 0 or gone > 2 * HAND:
            return False
        at = 0
        while at < len(before):
            if at < len(stock) and stock[at] == before[at]:
                at += 1
            elif gone == 0:
                return False
            else:
                memory.cells[self._stock - 1 + before.pop(at)] = 0
                gone -= 1
        return True

    def _write_stock(self, state: MarramState, cells: bytearray) -> None:
        in_stock = IS_THERE if state.stock_count == len(state.stock) else MAY_BE
        at = self._stock - 1
        for tile in state.stock:
            cells[at + tile] = in_stock

    def _write_rest(self, state: MarramState, seat: int, cells: bytearray) -> None:
        """The hands, and all that comes after the stock. The cells are 0 before."""
        seats = self.seats
        pieces = self._pieces
        for index in range(seats):
            other = (seat + index) % seats
            at = HAND * index
            for tile in sorted(state.hands[other]):
                cells[self._hand_slices[at]] = self._hand_tiles[tile]
                at += 1
            cells[pieces] = state.boots[other]
            cells[pieces + 1] = state.forks[other]
            cells[pieces + 2] = state.spades[other]
            cells[pieces + 3] = state.retired_boots[other]
            cells[pieces + 4] = state.retired_forks[other]
            pieces += 5
        cells[self._left] = state.stock_count
        phase = state.phase
        cells[self._phase] = phase + 1
        if phase not in (LOT, OVER):
            cells[self._turn] = (state.to_move - seat) % seats + 1
            active = state.active()[0]
            if active != CHANCE:
                cells[self._acts] = (active - seat) % seats + 1
        cells[self._move] = state.move_number
        cells[self._fresh] = state.fresh
        cells[self._passes] = state.passes
        if state.fly is not None:
            self._write_animal(state.fly, 0, seat, cells)
        if state.frog is not None:
            self._write_animal(state.frog, 1, seat, cells)
        self.write_scores(cells, self._scores, state.points, seat)

    def _shown(self, tile: PlacedTile) -> bytearray:
        """The cells of a laid tile that do not change while it lies as it does."""
        key = (((tile.bridge << 2 | tile.ornament) << 2 | tile.other) << 4 | tile.flips) << 1 | tile.flipped
        for segment in tile.segments:
            key = key << 11 | segment
        known = self._tiles.get(key)
        if known is None:
            known = tile_cells_of(tile)
            self._tiles[key] = known
        return known

    def _write_board(self, state: MarramState, tile_cells: dict[int, int], cells: bytearray) -> None:
        """The tiles. `tile_cells` has their cells where two may have the same in the window, and is empty otherwise."""
        beyond = 0
        for place, tile in state.board.tiles.items():
            cell = tile_cells[place] if tile_cells else self._cell(place)
            if cell < SIDE * SIDE:
                cells[self._tile_slices[cell]] = self._shown(tile)
            else:
                beyond += 1
        cells[self._beyond] = beyond

    def _write_marks(
        self, state: MarramState, seat: int, tile_cells: dict[int, int], cells: bytearray, marked: list[int]
    ) -> None:
        """Pieces, marks and animals. The cells that have any are added to `marked`."""
        seats = self.seats
        for place, piece in state.board.pieces.items():
            cell = tile_cells[place] if tile_cells else self._cell(place)
            if cell < SIDE * SIDE:
                which = (piece.seat - seat) % seats * len(SLOT_NAMES) + piece.slot
                cells[self._piece_slices[cell]] = self._piece_cells[which]
                marked.append(cell)
        for place in state.flipped_now:
            self._mark(place, MARK, FLIPPED, tile_cells, cells, marked)
        if state.played != NOWHERE:
            mark = JUST_LAID if state.laid_it else JUST_FLIPPED
            self._mark(state.played, MARK, mark, tile_cells, cells, marked)
        fly, frog = state.fly, state.frog
        if fly is None and frog is None:
            return
        for channel in (ANIMAL, CAME_FROM):
            fly_at = frog_at = NOWHERE
            if fly is not None:
                fly_at = fly.at if channel == ANIMAL else fly.came_from
                if fly_at != NOWHERE:
                    self._mark(fly_at, channel, 1, tile_cells, cells, marked)
            if frog is not None:
                frog_at = frog.at if channel == ANIMAL else frog.came_from
                if frog_at != NOWHERE:
                    self._mark(frog_at, channel, 3 if frog_at == fly_at else 2, tile_cells, cells, marked)

    def _mark(
        self, place: int, channel: int, value: int, tile_cells: dict[int, int], cells: bytearray, marked: list[int]
    ) -> None:
        cell = tile_cells[place] if tile_cells else self._cell(place)
        if cell < SIDE * SIDE:
            cells[cell * self._channels + channel] = value
            marked.append(cell)

    def _write_animal(self, animal: Animal, index: int, seat: int, cells: bytearray) -> None:
        cells[self._hops + index] = animal.hops
        seats = self.seats
        for other in range(seats):
            guess = animal.guesses[(seat + other) % seats]
            if guess != NO_GUESS:
                cells[self._guesses + seats * index + other] = LONGEST_GUESS + 1 if guess == ESCAPE else guess

    def _hand_tile(self, number: int) -> bytearray:
        """The cells of a tile in a hand."""
        tile = self.box.tiles[number]
        cells = [number, *edge_cells(tile.segments), tile.spade, tile.bridge + 1, *tile.ornaments]
        return bytearray(cells if number != STARTER else HAND_CELLS)


def tile_cells_of(tile: PlacedTile) -> bytearray:
    """The cells of a laid tile that do not change while it lies as it does."""
    flips = min(tile.flips, MOST)
    return bytearray([*edge_cells(tile.segments), tile.bridge + 1, tile.ornament, tile.other, flips, tile.flipped])


def most_open(tiles: int) -> int:
    """The most open places that so many tiles can have: four beside the first. Each further tile takes one and opens at
    most three."""
    return 2 * tiles + 2


def longest(seats: int, spades: int) -> int:
    """The most decisions of a game with so many spade cards in all: each tile is laid or changed, each card pays for a
    flip, each of these may be followed by a claim and by a pass of every seat, and there are two animals to guess."""
    turns = TILES + spades
    return 2 * turns + seats * (turns + 1) + 2 * seats
