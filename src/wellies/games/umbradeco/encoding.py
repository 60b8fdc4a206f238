"""States and moves of Umbradeco as arrays.

Spaces are counted in rings from the centre, as everywhere in this game. In planes they lie in a square: a row for each
r and a column for each q, from the smallest to the largest. The corners of the square are no spaces.
"""

from __future__ import annotations

from typing import Final

from wellies.core.encoding import Axis, Encoding, code, numbered, seat_labels
from wellies.core.events import Json
from wellies.core.state import GameState
from wellies.games.umbradeco.hidden import unseen
from wellies.games.umbradeco.mat_geometry import COORDINATES, DIRECTIONS, GEOMETRIES, place_name
from wellies.games.umbradeco.material import COLOUR_COUNT, COLOURS, NONE, SPACES, TILES, UNKNOWN
from wellies.games.umbradeco.moves import DRAW, DROP, PLACE, PUSH, STACK, TAKE
from wellies.games.umbradeco.phases import HAND_SIZE, MARKET_SIZE, OVER, PHASES, SETTING_UP
from wellies.games.umbradeco.state import UmbradecoState

LAYERS: Final = 2
"""The cells of a space: the tile that shows, and the one beneath it."""


class UmbradecoEncoding(Encoding):
    def __init__(self, seats: int, options: Json) -> None:
        super().__init__("umbradeco", seats, options)
        self.geometry = GEOMETRIES[options["mat"]]
        self.spaces = self.geometry.spaces
        self._describe()
        self.seal(DRAW)
        spaces = self.spaces
        for colour in range(COLOUR_COUNT):
            for space in range(spaces):
                tile, action = colour * SPACES + space, colour * spaces + space
                self.pair(PLACE + tile, self._place + action)
                self.pair(STACK + tile, self._stack + action)
                for direction in range(6):
                    self.pair(PUSH + 6 * tile + direction, self._push + 6 * action + direction)
            self.pair(DROP + colour, self._drop + colour)
            self.pair(TAKE + colour, self._take + colour)

    def _describe(self) -> None:
        colours = Axis("colour", COLOURS)
        spaces = Axis("space", [place_name(space) for space in range(self.spaces)])
        self._place = self.add_actions("place", [colours, spaces], "Open an umbrella of this colour on an empty space.")
        self._push = self.add_actions(
            "push",
            [colours, spaces, Axis("direction", DIRECTIONS)],
            "Push the tile of a space one step in a direction, and open an umbrella of this colour in its place.",
        )
        self._stack = self.add_actions("stack", [colours, spaces], "Lay this colour on top of the tile of a space.")
        self._drop = self.add_actions("drop", [colours], "Discard this colour, when nothing fits.")
        self._take = self.add_actions("take", [colours], "Take this colour from the market.")
        side = 2 * self.geometry.side - 1
        reach = self.geometry.side - 1
        self._mat = self.add_board(
            "mat",
            spaces,
            "The colour that each space shows, and the colour beneath it where it has a stack.",
            [code("top", COLOURS), code("under", COLOURS)],
            (side, side),
            [(r + reach) * side + q + reach for q, r in COORDINATES[: self.spaces]],
        )
        tiles = Axis("tile", numbered(HAND_SIZE))
        self._hand = self.add_codes("hand", [tiles], "My own tiles, in the order of colours.", COLOURS)
        self._known = self.add_codes(
            "known", [self.seat_axis(), tiles], "The tiles of each hand that everyone knows, by colour.", COLOURS
        )
        self._hidden = self.add_numbers(
            "hidden", [self.seat_axis()], "How many tiles of each hand only its owner knows.", HAND_SIZE
        )
        self._excluded = self.add_numbers(
            "excluded",
            [self.seat_axis(), colours],
            "1 for each colour that the last hidden tile of a hand cannot have, as a discard has proved.",
            1,
        )
        self._market = self.add_codes(
            "market", [Axis("tile", numbered(MARKET_SIZE))], "The market, in the order of colours.", COLOURS
        )
        self._unseen = self.add_numbers(
            "unseen", [colours], "How many tiles of each colour I have not seen anywhere.", max(TILES)
        )
        self._deck = self.add_numbers("deck", [], "How many tiles are in the deck.", sum(TILES))
        self._phase = self.add_codes("phase", [], "What is to be done next.", PHASES)
        self._turn = self.add_codes(
            "turn", [], "Whose turn it is; nobody's in the set-up and at the end.", seat_labels(self.seats)
        )
        self._scores = self.add_scores()
        self.outcomes = COLOUR_COUNT + self.seats
        self.longest = 2 * sum(TILES)  # each tile is taken once, and placed or discarded once

    # --- chance -------------------------------------------------------------------------------------------------------

    def outcome_of(self, state: GameState, move: int) -> int:
        return move - DRAW

    def chance_of(self, state: GameState, outcome: int) -> int:
        return DRAW + outcome

    # --- observations -------------------------------------------------------------------------------------------------

    def observe(self, state: GameState, seat: int, cells: bytearray) -> None:
        assert isinstance(state, UmbradecoState)
        cells[:] = self.nothing
        at = self._mat
        for colour in state.mat.top:
            if colour != NONE:
                cells[at] = colour + 1
            at += LAYERS
        for space, colour in state.mat.under.items():
            cells[self._mat + LAYERS * space + 1] = colour + 1
        self._write_tiles(cells, self._hand, sorted(state.shown[seat] + state.hidden[seat]))
        seats = self.seats
        for index in range(seats):
            other = (seat + index) % seats
            self._write_tiles(cells, self._known + HAND_SIZE * index, state.shown[other])
            cells[self._hidden + index] = len(state.hidden[other])
            excluded = state.excluded[other]
            if excluded:
                for colour in range(COLOUR_COUNT):
                    cells[self._excluded + COLOUR_COUNT * index + colour] = excluded >> colour & 1
        self._write_tiles(cells, self._market, sorted(state.market))
        at = self._unseen
        for count in unseen(state, seat):
            cells[at] = count
            at += 1
        cells[self._deck] = state.deck
        phase = state.phase
        cells[self._phase] = phase + 1
        if phase != SETTING_UP and phase != OVER:
            cells[self._turn] = (state.to_move - seat) % seats + 1
        self.write_scores(cells, self._scores, state.points, seat)

    def _write_tiles(self, cells: bytearray, at: int, tiles: list[int] | tuple[int, ...]) -> None:
        for colour in tiles:
            if colour != UNKNOWN:
                cells[at] = colour + 1
            at += 1
