"""Guppies on the shelf: its name, seats and options."""

from __future__ import annotations

from typing import Any

from wellies.core.canvas import Panes
from wellies.core.encoding import Encoding
from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.core.heuristics import Heuristics
from wellies.core.options import Choice, Option, TilesOption
from wellies.core.spec import GameSpec, Shapes
from wellies.core.state import GameState
from wellies.core.types import View
from wellies.games.guppies import moves, position, schema
from wellies.games.guppies.faces import COLOURS
from wellies.games.guppies.material import TILES
from wellies.games.guppies.material_file import BOX, load_material, tile_rows
from wellies.games.guppies.state import GuppiesState, new_game


class ColoursOption(Option):
    """Which fish each seat plays."""

    def __init__(self) -> None:
        super().__init__(
            "colours",
            "Colours",
            "The fish of each seat in order, such as purple,green. Two or three players have different colours; "
            "with four or more, no colour has more than two players, and they are rivals.",
            [],
            None,
        )

    def allowed(self) -> str:
        return "one of green, orange, purple for each seat"

    def fallback(self, seats: int) -> Any:
        return [COLOURS[seat % 3] for seat in range(seats)]

    def check(self, value: Any, seats: int) -> Any:
        if value is None:
            return self.fallback(seats)
        names = [part.strip().lower() for part in value.split(",")] if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or any(name not in COLOURS for name in names):
            raise BadOption(f"option colours: {value!r} is not allowed; give {self.allowed()}, such as purple,green.")
        if len(names) != seats:
            raise BadOption(f"option colours: {len(names)} colours for {seats} seats; give {self.allowed()}.")
        most = 1 if seats <= len(COLOURS) else 2
        for name in COLOURS:
            if list(names).count(name) > most:
                often = "one player" if most == 1 else "two players"
                raise BadOption(
                    f"option colours: {name} is taken by more than {often}; at {seats} seats that is the most."
                )
        return list(names)


def read_tile_file(value: Any) -> Json:
    """The complete content of a tile file, given as a path or as what is in one."""
    return load_material(value).to_json()


class GuppiesSpec(GameSpec):
    def __init__(self) -> None:
        self.name = "guppies"
        self.title = "Guppies"
        self.summary = "Lay hexagonal tiles so that halves of fish become whole ones; your own colour counts threefold."
        self.min_seats = 2
        self.max_seats = 6
        self.minutes = "90-120"
        self.secret = False
        self.rules_version = 1
        self.options = [
            Option(
                "table",
                "Table",
                "How much room there is.",
                [
                    Choice("endless", "There is always another table to push up to this one."),
                    Choice("one", "A single table of 17 by 15 spaces; nothing may be laid outside."),
                ],
                "endless",
            ),
            Option(
                "tiles",
                "Tiles",
                "How many tiles are in the bag.",
                [
                    Choice(128, "The whole set."),
                    Choice(64, "A short game with half of the set, taken at random; the squid is always in."),
                ],
                128,
            ),
            ColoursOption(),
            TilesOption("128 tiles of our own making, after what the rulebook says of them.", read_tile_file),
        ]

    def new_state(self, seats: int, options: Json) -> GuppiesState:
        return new_game(self, seats, options)

    def read_position(self, position_json: Json) -> GuppiesState:
        return position.read_position(self, position_json)

    def move_text(self, state: GameState, seat: int, move: int) -> str:
        return moves.move_text(move)

    def read_move(self, state: GameState, seat: int, text: str) -> int:
        move = moves.read_move(text, TILES)
        assert isinstance(state, GuppiesState)
        if not state.tile or moves.is_draw(move):
            return move
        # Turns that look the same are one move, and so are all turns of the first tile: any of them may be written.
        if not state.board and move >> 4 == moves.ORIGIN:
            return moves.ORIGIN << 4 | state.same_way(6 * ((move & 15) // 6))
        return (move >> 4) << 4 | state.same_way(move & 15)

    def move_fields(self, state: GameState, seat: int, move: int) -> Json:
        return moves.move_fields(move)

    def move_words(self, state: GameState, seat: int, move: int) -> str:
        return moves.move_words(move)

    def shapes(self) -> Shapes:
        return Shapes(schema.Position, schema.Extra, schema.MOVES, schema.BoxTile)

    def heuristics(self, deep: bool = False) -> Heuristics:
        from wellies.games.guppies.heuristics import GuppiesHeuristics

        return GuppiesHeuristics(deep)

    def new_encoding(self, seats: int, options: Json) -> Encoding:
        from wellies.games.guppies.encoding import GuppiesEncoding

        return GuppiesEncoding(seats, options)

    def notation_help(self) -> str:
        return (
            "face, turn and place: a2@1,-1 lays face a, turned two steps clockwise, at q=1 r=-1. "
            "East is q+1; south-east is r+1; every open space shows its q,r."
        )

    def box(self) -> list[Json]:
        return list(BOX)

    def card_table(self, cards: object = None) -> list[Json]:
        return tile_rows(load_material(cards))

    def card_file(self) -> Json:
        return load_material(None).to_json()

    def panes(self, view: View, marks: dict[Any, str] | None = None, width: int = 100, small: bool = False) -> Panes:
        from wellies.games.guppies import terminal

        return terminal.panes(view, marks or {}, width, small)


SPEC = GuppiesSpec()
