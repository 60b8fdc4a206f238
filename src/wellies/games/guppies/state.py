"""The rules of Guppies.

The board is kept with its frontier: every open space that touches a tile, with what its edges demand. Laying a tile
changes one space and its neighbours, and nothing is ever searched for. The spaces are kept in order, and so the legal
moves come out in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.core.dice import Rng
from wellies.core.events import Event, Json, ScoreLine, Sink
from wellies.core.native import mypyc_attr
from wellies.core.outcome import Ending, Outcome
from wellies.core.state import ALL_SEEING, CHANCE, GameState
from wellies.core.texts import some
from wellies.games.guppies import position
from wellies.games.guppies.bag import halves_left
from wellies.games.guppies.faces import COLOURS, EDGE_WORDS, MATE, face_text, letter_name
from wellies.games.guppies.material import (
    ALL_WAYS,
    STANDARD_NAME,
    TILES,
    WAYS,
    WAYS_IN,
    TileSet,
    distinct_ways,
    lying,
    tile_set,
    way_row,
    ways_of,
)
from wellies.games.guppies.moves import DELTAS, DRAW, ORIGIN, at_place, in_reach, is_draw, is_lay, place_q, place_r
from wellies.games.guppies.scoring import lay_line, lay_lines, lay_points
from wellies.games.guppies.spaces import Space, find_space

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec

NO_TILE: Final = 0
STRANGE_TILE: Final = -1
"""A drawn tile that is not of the set: positions may hold any."""

TABLE_ROWS: Final = 7
TABLE_COLUMNS: Final = 8
"""The single table reaches so far from its middle, each way."""


def on_one_table(place: int) -> bool:
    """Whether a place is on the single table of 17 columns and 15 rows."""
    r = place_r(place)
    return abs(r) <= TABLE_ROWS and abs(place_q(place) + r // 2) <= TABLE_COLUMNS


@mypyc_attr(allow_interpreted_subclasses=True)
class Lay:
    """A lay that scored: who laid which face where, and what was demanded there. It never changes."""

    def __init__(self, seat: int, place: int, slots: tuple[int, ...], face: int) -> None:
        self.seat = seat
        self.place = place
        self.slots = slots
        self.face = face


@mypyc_attr(allow_interpreted_subclasses=True)
class GuppiesState(GameState):
    """One game of Guppies. Nothing is hidden in it but what the bag will give next."""

    def __init__(self, spec: GameSpec, seats: int, options: Json) -> None:
        """A state with nothing in it yet, to be filled by `new_game` or `clone`."""
        super().__init__(spec, seats, options)
        self.box: TileSet = tile_set(options.get("cards"))
        self.one_table = False
        self.colours: list[int] = []
        self.to_move = 0
        self.points: list[int] = []
        self.brought: list[int] = []
        """Points that a position came with, for which there is no history."""
        self.history: list[Lay] = []
        """Each lay that scored, from which the score lines are written."""

        self.board: dict[int, int] = {}
        self.spaces: list[Space] = []
        """The open spaces that touch a tile, in order of place."""

        self.tile: tuple[int, ...] = ()
        self.tile_number: int = NO_TILE
        self.lays: list[int] = []
        """The legal lays of the drawn tile: made when it is drawn, never changed."""

        self.bag: list[int] = []
        """The tiles that may be in the bag, in order."""
        self.bag_size = 0
        self.sure: list[int] = []
        """The tiles known to be in the bag, where the bag holds fewer than may be in it."""
        self.bag_ways = 0
        """The ways of all tiles in `bag`, as bits like those of `TileSet.ways`."""
        self.ended = ""
        self.checked = True
        """False for a position that was let pass unchecked."""

    def clone(self) -> GuppiesState:
        other = GuppiesState(self.spec, self.seats, self.options)
        other.one_table = self.one_table
        other.colours = self.colours
        other.to_move = self.to_move
        other.points = self.points.copy()
        other.brought = self.brought
        other.history = self.history.copy()
        other.board = self.board.copy()
        other.spaces = self.spaces.copy()
        other.tile = self.tile
        other.tile_number = self.tile_number
        other.lays = self.lays
        other.bag = self.bag.copy()
        other.bag_size = self.bag_size
        other.sure = self.sure.copy()
        other.bag_ways = self.bag_ways
        other.ended = self.ended
        other.checked = self.checked
        return other

    # --- the turn: draw, lay, score -----------------------------------------------------------------------------------

    def active(self) -> list[int]:
        if self.ended:
            return []
        return [self.to_move] if self.tile else [CHANCE]

    def legal(self, seat: int) -> list[int]:
        if self.ended:
            return []
        if seat == CHANCE:
            return [] if self.tile else [DRAW | number for number in self.bag]
        return self.lays.copy() if self.tile and seat == self.to_move else []

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        if seat == CHANCE:
            self._draw(move - DRAW, sink)
        else:
            self._lay(move >> 4, move & 15, sink)

    def _lay(self, place: int, way: int, sink: Sink | None) -> None:
        seat = self.to_move
        face = lying(self.tile, way)
        slots = self.slots_at(place)
        points = lay_points(slots, face, self.colours[seat])
        if points:
            self.points[seat] += points
            self.history.append(Lay(seat, place, slots, face))
        if sink is not None:
            sink(self._lay_event(seat, place, way, face, slots, points))
        self.put(place, face)
        self.to_move = (seat + 1) % self.seats
        self.tile = ()
        self.tile_number = NO_TILE
        self.lays = []
        self.check_end(sink)

    def _lay_event(self, seat: int, place: int, way: int, face: int, slots: tuple[int, ...], points: int) -> Event:
        why = ""
        if points:
            whole = lay_line(slots, face, self.colours[seat], place).why
            why = f" for {some(points, 'point')}: {whole[0].lower()}{whole[1:]}"
        return Event(
            "lay",
            seat,
            f"{{{seat}}} lays a tile {at_place(place)}{why}.",
            {
                "tile": self.tile_number,
                "at": [place_q(place), place_r(place)],
                "face": face_text(face),
                "side": "ab"[way // 6],
                "turn": way % 6,
                "points": points,
            },
            lines=[(seat, each) for each in lay_lines(slots, face, self.colours[seat], place)],
        )

    def slots_at(self, place: int) -> tuple[int, ...]:
        """What the neighbours of an open space demand there; nothing if it touches no tile."""
        at = find_space(self.spaces, place)
        if at < len(self.spaces) and self.spaces[at].place == place:
            return self.spaces[at].slots
        return ()

    def put(self, place: int, face: int) -> None:
        """Lay a face on the board, and tell its neighbours what they must match from now on."""
        spaces = self.spaces
        at = find_space(spaces, place)
        if at < len(spaces) and spaces[at].place == place:
            spaces.pop(at)
        self.board[place] = face
        for edge in range(6):
            beside = place + DELTAS[edge]
            if beside in self.board:
                continue
            slot = 8 * ((edge + 3) % 6) + MATE[face >> (3 * edge) & 7]
            at = find_space(spaces, beside)
            if at < len(spaces) and spaces[at].place == beside:
                spaces[at] = Space(beside, (*spaces[at].slots, slot))
            elif on_one_table(beside) if self.one_table else in_reach(beside):
                spaces.insert(at, Space(beside, (slot,)))

    # --- the bag ------------------------------------------------------------------------------------------------------

    def weight(self, move: int) -> int:
        """Every tile in the bag is as likely as the others. Where the bag holds fewer tiles than may be in it, a tile
        known
        to be there is likelier than one that may not be."""
        if self.bag_size == len(self.bag):
            return 1
        if move - DRAW in self.sure:
            return len(self.bag) - len(self.sure)
        return self.bag_size - len(self.sure)

    def chance(self, rng: Rng) -> int:
        if self.bag_size == len(self.bag):
            return DRAW | self.bag[rng.randrange(self.bag_size)]
        return super().chance(rng)

    def _draw(self, number: int, sink: Sink | None) -> None:
        self.hold(self.box.tiles[number], number)
        fits = bool(self.lays)
        if sink is not None:
            faces = " and ".join(f'"{face_text(face)}"' for face in self.tile)
            does = "draws a tile" if fits else "draws a tile that fits nowhere and puts it back"
            sink(
                Event(
                    "draw" if fits else "redraw",
                    self.to_move,
                    f"{{{self.to_move}}} {does} [number {number}, faces {faces}].",
                    {"tile": number, "faces": [face_text(face) for face in self.tile]},
                )
            )
        if fits:
            self.take_from_bag(number)
            return
        self.tile = ()
        self.tile_number = NO_TILE
        if self.bag_size < len(self.bag) and number not in self.sure:
            self.sure = sorted([*self.sure, number])
            self._settle_bag()
            self.check_end(sink)

    def hold(self, faces: tuple[int, ...], number: int) -> None:
        """Hold a tile as drawn, and find where it can be laid."""
        self.tile = faces
        self.tile_number = number
        printed = number > 0 and self.box.tiles[number] == faces
        row = self.box.rows[number] if printed else way_row(faces)
        self.lays = self._find_lays(row)

    def _find_lays(self, row: tuple[int, ...]) -> list[int]:
        """All ways and places of a tile: the first tile is free in the middle, and its turn does not matter."""
        if not self.board:
            return [ORIGIN << 4 | way for way in (0, 6) if distinct_ways(row) >> way & 1]
        lays: list[int] = []
        for space in self.spaces:
            ways = ALL_WAYS
            for slot in space.slots:
                ways &= row[slot]
                if ways == 0:
                    break
            if ways != 0:
                spot = space.place << 4
                for way in WAYS_IN[ways]:
                    lays.append(spot | way)
        return lays

    def take_from_bag(self, number: int) -> None:
        """A tile leaves the bag for good."""
        self.bag.remove(number)
        self.bag_ways &= ~(ALL_WAYS << (WAYS * number))
        self.bag_size -= 1
        if number in self.sure:
            self.sure.remove(number)
        self._settle_bag()

    def _settle_bag(self) -> None:
        """Once every tile in the bag is known, the others that might have been there are out of the game."""
        if self.bag_size == len(self.sure):
            self.bag = self.sure
            self.bag_ways = ways_of(self.bag)
        if self.bag_size == len(self.bag):
            self.sure = []

    # --- the end ------------------------------------------------------------------------------------------------------

    def check_end(self, sink: Sink | None = None) -> None:
        """The game ends when the bag is empty, or when nothing in it fits anywhere."""
        if self.tile or self.ended:
            return
        if self.bag_size == 0:
            self.ended = "All tiles are laid."
        elif not self._anything_fits():
            self.ended = "No tile left in the bag fits anywhere."
        if self.ended and sink is not None:
            sink(self.end_event())

    def _anything_fits(self) -> bool:
        """Whether some tile that may be in the bag fits somewhere: asked of all tiles at once, for each space; nearly
        always the first space answers."""
        if not self.board:
            return True
        for space in self.spaces:
            ways = self.bag_ways
            for slot in space.slots:
                ways &= self.box.ways[slot]
                if ways == 0:
                    break
            if ways != 0:
                return True
        return False

    def outcome(self) -> Outcome | None:
        if not self.ended:
            return None
        return Outcome(self.points.copy(), self.ended, Ending.NO_MOVES if self.bag_size else Ending.SUPPLY_EMPTY)

    # --- the score ----------------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return self.points.copy()

    def score_lines(self, seat: int) -> list[ScoreLine]:
        lines: list[ScoreLine] = []
        if self.brought[seat]:
            lines.append(ScoreLine("before", self.brought[seat], [], "Scored before this position"))
        for lay in self.history:
            if lay.seat == seat:
                lines.extend(lay_lines(lay.slots, lay.face, self.colours[seat], lay.place))
        return lines

    # --- refusals -----------------------------------------------------------------------------------------------------

    def rule_against(self, seat: int, move: int) -> str | None:
        if seat == CHANCE:
            return self._rule_against_draw(move)
        if is_draw(move):
            return "Tiles are drawn by chance; lay the tile that was drawn."
        if not is_lay(move):
            return "That is not a move of Guppies; lay the drawn tile [as face, turn and place, such as a2@1,-1]."
        place, way = move >> 4, move & 15
        if not self.board:
            if place != ORIGIN or way % 6:
                return "The first tile goes to the middle, unturned [a0@0,0 or b0@0,0]."
            if move not in self.lays:
                return "Both faces of this tile are alike; lay the first [a0@0,0]."
            return None
        if place in self.board:
            return f"There is a tile already {at_place(place)}; lay yours on an open space that touches a tile."
        if self.one_table and not on_one_table(place):
            return f"That space {at_place(place)} is off the table: a tile must lie wholly on it."
        slots = self.slots_at(place)
        if not slots:
            return f"That space {at_place(place)} touches no laid tile; every tile must touch at least one."
        face = lying(self.tile, way)
        for slot in sorted(slots):
            edge, wanted = slot >> 3, slot & 7
            shown = face >> (3 * edge) & 7
            if shown != wanted:
                return (
                    f"The {EDGE_WORDS[edge]} edge would put {letter_name(shown)} against {letter_name(MATE[wanted])}; "
                    "only head to tail of one colour, or water to water, may touch."
                )
        twin = self.same_way(way)
        if twin != way:
            return f"Turned like this the tile looks as in another turn; play that [{'ab'[twin // 6]}{twin % 6}]."
        return None

    def _rule_against_draw(self, move: int) -> str | None:
        if not is_draw(move):
            return "Chance draws a tile [draw 57]."
        number = move - DRAW
        if number not in self.bag:
            return f"Tile {number} is not in the bag."
        return None

    def same_way(self, way: int) -> int:
        """The lowest way of the drawn tile that looks the same as this one."""
        face = lying(self.tile, way)
        for other in range(way):
            if lying(self.tile, other) == face:
                return other
        return way

    # --- as JSON ------------------------------------------------------------------------------------------------------

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        return position.write_position(self)

    def extra(self, viewer: int | None) -> Json:
        return {
            "bag": self.bag_size,
            "may_be_in_bag": self.bag.copy(),
            "halves": halves_left(self.box, self.bag),
            "tile": self.tile_number,
            "open": self._open_spaces(),
        }

    def _open_spaces(self) -> list[list[int]]:
        return [[place_q(space.place), place_r(space.place)] for space in self.spaces]


def new_game(spec: GameSpec, seats: int, options: Json) -> GuppiesState:
    """The start: an empty table and a full bag. The usual tiles need not be named in the options."""
    settled = {name: value for name, value in options.items() if name != "cards" or value != STANDARD_NAME}
    state = GuppiesState(spec, seats, settled)
    state.one_table = options["table"] == "one"
    state.colours = [COLOURS.index(colour) for colour in options["colours"]]
    state.points = [0] * seats
    state.brought = [0] * seats
    state.bag = list(range(1, TILES + 1))
    state.bag_size = options["tiles"]
    state.sure = [state.box.squid] if state.bag_size < len(state.bag) else []
    state.bag_ways = ways_of(state.bag)
    return state
