"""Umbradeco on the shelf: its name, seats and options."""

from __future__ import annotations

from typing import Any

from wellies.core.canvas import Panes
from wellies.core.encoding import Encoding
from wellies.core.events import Json
from wellies.core.heuristics import Heuristics
from wellies.core.options import Choice, Option
from wellies.core.spec import GameSpec, Shapes
from wellies.core.state import GameState
from wellies.core.types import View
from wellies.games.umbradeco import moves, position, schema
from wellies.games.umbradeco.material import BOX
from wellies.games.umbradeco.state import UmbradecoState, new_game


class UmbradecoSpec(GameSpec):
    def __init__(self) -> None:
        self.name = "umbradeco"
        self.title = "Umbradeco"
        self.summary = "Lay, push and stack umbrellas so that no two of one colour touch, yet line up far apart."
        self.min_seats = 2
        self.max_seats = 4
        self.minutes = "20-30"
        self.rules_version = 1
        self.options = [
            Option(
                "mat",
                "Mat",
                "How large the mat is.",
                [
                    Choice("small", "A hexagon with 3 spaces to a side, 19 in all: crowded, and full of stacks."),
                    Choice("standard", "A hexagon with 4 spaces to a side, 37 in all."),
                    Choice("large", "A hexagon with 5 spaces to a side, 61 in all: long lines, few stacks."),
                ],
                "standard",
            ),
            Option(
                "rows",
                "Rows",
                "Which tiles on the lines through a placed tile score.",
                [
                    Choice("open", "All that show its colour, across empty spaces too."),
                    Choice("unbroken", "Only those before the first empty space."),
                ],
                "open",
            ),
        ]

    def new_state(self, seats: int, options: Json) -> UmbradecoState:
        return new_game(self, seats, options)

    def read_position(self, position_json: Json) -> UmbradecoState:
        return position.read_position(self, position_json)

    def move_text(self, state: GameState, seat: int, move: int) -> str:
        return moves.move_text(move)

    def read_move(self, state: GameState, seat: int, text: str) -> int:
        assert isinstance(state, UmbradecoState)
        return moves.read_move(text, state.mat.geometry, state.seats)

    def move_fields(self, state: GameState, seat: int, move: int) -> Json:
        return moves.move_fields(move)

    def move_words(self, state: GameState, seat: int, move: int) -> str:
        return moves.move_words(move)

    def shapes(self) -> Shapes:
        return Shapes(schema.Position, schema.Extra, schema.MOVES, schema.BoxColour)

    def heuristics(self, deep: bool = False) -> Heuristics:
        from wellies.games.umbradeco.heuristics import UmbradecoHeuristics

        return UmbradecoHeuristics(deep)

    def new_encoding(self, seats: int, options: Json) -> Encoding:
        from wellies.games.umbradeco.encoding import UmbradecoEncoding

        return UmbradecoEncoding(seats, options)

    def notation_help(self) -> str:
        return moves.HELP

    def box(self) -> list[Json]:
        return list(BOX)

    def panes(self, view: View, marks: dict[Any, str] | None = None, width: int = 100, small: bool = False) -> Panes:
        from wellies.games.umbradeco import terminal

        return terminal.panes(view, marks or {}, width, small)


SPEC = UmbradecoSpec()
