"""Marram on the shelf: names, options, notation and how to start."""

from __future__ import annotations

from typing import Any

from wellies.core.canvas import Panes
from wellies.core.encoding import Encoding
from wellies.core.errors import not_a_move
from wellies.core.events import Json
from wellies.core.heuristics import Heuristics
from wellies.core.options import Choice, Option, TilesOption
from wellies.core.spec import GameSpec, Shapes
from wellies.core.state import GameState
from wellies.core.types import View
from wellies.games.marram import moves, position, schema
from wellies.games.marram.claims import canonical_slot
from wellies.games.marram.material import TILES
from wellies.games.marram.material_file import BOX, load_material, tile_rows
from wellies.games.marram.moves import BRIDGE_SLOT
from wellies.games.marram.phases import CLAIM_DUE, DEAL, LOT
from wellies.games.marram.state import MarramState, blank_game
from wellies.games.marram.view import tile_json


def read_tile_file(value: Any) -> Json:
    """The complete content of a tile file, given as a path or as what is in one."""
    return load_material(value).to_json()


class MarramSpec(GameSpec):
    name = "marram"
    title = "Marram"
    summary = "Lay and flip dune tiles; claim snakes, worms, grass and sand with wellies and pitchforks."
    min_seats = 2
    max_seats = 4
    rules_version = 1
    minutes = "15-60"
    options = [  # noqa: RUF012
        Option(
            "variant",
            "Variant",
            "Which of the three games.",
            [
                Choice("classic", "Boots claim everything; spade tiles flip three times."),
                Choice("pitchfork", "Forks claim beasts; completed beasts leave the tiles, and bare tiles flip."),
                Choice("animals", "Pitchfork with a fly and a frog to bet on; always long."),
            ],
            "classic",
        ),
        Option(
            "length",
            "Length",
            "When the game ends.",
            [
                Choice("short", "At a knock-out score (not in Animals), or when all tiles are gone."),
                Choice("long", "When all tiles are gone; unfinished features score."),
            ],
            "long",
        ),
        TilesOption("The kinds are the rulebook's; how many there are of each is ours.", read_tile_file),
    ]

    # --- starting ---------------------------------------------------------------------------------------------------

    def new_state(self, seats: int, options: Json) -> GameState:
        state = blank_game(self, seats, options)
        state.set_up()
        state.phase = LOT
        return state

    def fit_to_log(self, state: GameState, seat: int, text: str) -> None:
        """Where nobody drew who begins, seat 0 did."""
        assert isinstance(state, MarramState)
        if state.phase == LOT and text.lstrip().startswith("draw"):
            state.phase = DEAL

    def read_position(self, position_json: Json) -> GameState:
        return position.read_position(self, position_json)

    # --- moves as text ----------------------------------------------------------------------------------------------

    def move_text(self, state: GameState, seat: int, move: int) -> str:
        if moves.tile_named(move) > TILES:
            raise not_a_move(move, self.title)
        return moves.move_text(move)

    def read_move(self, state: GameState, seat: int, text: str) -> int:
        """Texts that come to the same are read as the one listed: the lower turn, the first edge, the bridge."""
        move = moves.read_move(seat, text, TILES)
        assert isinstance(state, MarramState)
        kind = moves.kind_of_move(move)
        if kind == moves.LAY:
            tile, turn = moves.lay_tile(move), moves.lay_turn(move)
            if state.box.tiles[tile].symmetric:
                return moves.lay_move(tile, moves.lay_face(move), turn & 1, moves.lay_cell(move))
        elif kind == moves.FLIP:
            cell = moves.flip_cell(move)
            if cell in state.board.tiles and state.board.tiles[cell].symmetric:
                return moves.flip_move(cell, moves.flip_turn(move) & 1)
        elif kind == moves.CLAIM and state.phase == CLAIM_DUE and moves.claim_slot(move) <= BRIDGE_SLOT:
            slot = canonical_slot(state.board, state.played, moves.claim_slot(move))
            return moves.claim_move(moves.claim_piece(move), slot)
        return move

    def move_fields(self, state: GameState, seat: int, move: int) -> Json:
        return moves.move_fields(move)

    def move_words(self, state: GameState, seat: int, move: int) -> str:
        assert isinstance(state, MarramState)
        return moves.move_words(state, move)

    def shapes(self) -> Shapes:
        return Shapes(schema.Position, schema.Extra, schema.MOVES, schema.BoxTile)

    def heuristics(self, deep: bool = False) -> Heuristics:
        from wellies.games.marram.heuristics import MarramHeuristics

        return MarramHeuristics(deep)

    def new_encoding(self, seats: int, options: Json) -> Encoding:
        from wellies.games.marram.encoding import MarramEncoding

        return MarramEncoding(seats, options)

    def notation_help(self) -> str:
        return (
            "17a1@2,-1 lays tile 17, face a, one quarter turn clockwise, at x=2 y=-1; flip 2,-1 3 flips a laid tile to "
            "quarter turn 3.\n"
            "Claims: boot bridge, boot NW, boot N, fork N, no claim. Else: change, pass, guess 12, guess escape."
        )

    # --- for people -------------------------------------------------------------------------------------------------

    def box(self) -> list[Json]:
        return [{**tile_json(tile), "source": tile.provenance} for tile in BOX]

    def card_table(self, cards: object = None) -> list[Json]:
        return tile_rows(load_material(cards))

    def card_file(self) -> Json:
        return load_material(None).to_json()

    def panes(self, view: View, marks: dict[Any, str] | None = None, width: int = 100, small: bool = False) -> Panes:
        from wellies.games.marram import terminal

        return terminal.panes(view, marks or {}, width, small)


SPEC = MarramSpec()
