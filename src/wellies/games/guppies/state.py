"""The rules of Guppies.

The state keeps the open spaces that touch a tile, with what their edges demand. Laying a tile changes one space and its
neighbours, so nothing is searched for. The spaces are sorted, and so are the legal moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.core.dice import Rng
from wellies.core.events import Json, ScoreLine, Sink
from wellies.core.native import mypyc_attr
from wellies.core.outcome import Ending, Outcome
from wellies.core.state import ALL_SEEING, CHANCE, GameState
from wellies.games.guppies import events, position, refusals, view
from wellies.games.guppies.faces import COLOURS, MATE
from wellies.games.guppies.material import (
    ALL_WAYS,
    STANDARD_NAME,
    TILES,
    UNTURNED,
    WAYS,
    WAYS_IN,
    TileSet,
    distinct_ways,
    shown_face,
    way_row,
    ways_of,
)
from wellies.games.guppies.material_file import load_material
from wellies.games.guppies.moves import DELTAS, DRAW, ORIGIN, in_reach
from wellies.games.guppies.open_spaces import Space, find_space, on_one_table
from wellies.games.guppies.scoring import lay_lines, lay_points

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec

NO_TILE: Final = 0
STRANGE_TILE: Final = -1
"""The number of a drawn tile that is not of the set; a position may have one."""


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
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
        self.box: TileSet = load_material(options.get("cards"))
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
        self.low_r = self.high_r = ORIGIN & 1023
        """The tiles span these rows, as places have them."""

        self.tile: tuple[int, ...] = ()
        self.tile_number: int = NO_TILE
        self.fits: list[int] = []
        """Where the drawn tile can be laid, and how, in order of place: `place << WAYS | ways`."""
        self.lays: list[int] = []
        """The legal lays: made of `fits` when first asked for, never changed."""

        self.bag: list[int] = []
        """The tiles that may be in the bag, in order."""
        self.bag_size = 0
        self.sure: list[int] = []
        """The tiles known to be in the bag, where the bag holds fewer than may be in it."""
        self.bag_ways = 0
        """The ways of all tiles in `bag`, as bits like those of `TileSet.ways`."""
        self.ended = ""
        self.checked = True
        """False for a position with `"check": false`."""

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
        other.low_r = self.low_r
        other.high_r = self.high_r
        other.tile = self.tile
        other.tile_number = self.tile_number
        other.fits = self.fits
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
        return self.all_lays().copy() if self.tile and seat == self.to_move else []

    def step(self, seat: int, move: int, sink: Sink | None = None) -> None:
        if seat == CHANCE:
            self._draw(move - DRAW, sink)
        else:
            self._lay(move >> 4, move & 15, sink)

    def _lay(self, place: int, way: int, sink: Sink | None) -> None:
        seat = self.to_move
        face = shown_face(self.tile, way)
        slots = self.slots_at(place)
        points = lay_points(slots, face, self.colours[seat])
        if points:
            self.points[seat] += points
            self.history.append(Lay(seat, place, slots, face))
        if sink is not None:
            sink(events.laid(self, place, way, face, slots, points))
        self.put(place, face)
        self.to_move = (seat + 1) % self.seats
        self.tile = ()
        self.tile_number = NO_TILE
        self.fits = []
        self.lays = []
        self.check_end(sink)

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
        r = place & 1023
        if r < self.low_r:
            self.low_r = r
        elif r > self.high_r:
            self.high_r = r
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
        """Every tile in the bag is equally likely. Where the bag holds fewer tiles than may be in it, those that are
        known to be there are likelier than the others."""
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
        fits = bool(self.fits)
        if sink is not None:
            sink(events.drew(self, fits))
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
        self.fits = self._find_fits(row)
        self.lays = []

    def _find_fits(self, row: tuple[int, ...]) -> list[int]:
        """All places and ways of a tile: the first tile is free in the middle, and its turn does not matter."""
        if not self.board:
            ways = distinct_ways(row) & UNTURNED
            return [ORIGIN << WAYS | ways] if ways else []
        fits: list[int] = []
        for space in self.spaces:
            ways = ALL_WAYS
            for slot in space.slots:
                ways &= row[slot]
                if ways == 0:
                    break
            if ways != 0:
                fits.append(space.place << WAYS | ways)
        return fits

    def all_lays(self) -> list[int]:
        """The legal lays of the drawn tile."""
        if not self.lays and self.fits:
            lays: list[int] = []
            for fit in self.fits:
                spot = fit >> WAYS << 4
                for way in WAYS_IN[fit & ALL_WAYS]:
                    lays.append(spot | way)
            self.lays = lays
        return self.lays

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
        self.check_seat(seat)
        lines: list[ScoreLine] = []
        if self.brought[seat]:
            lines.append(ScoreLine("before", self.brought[seat], [], "Scored before this position"))
        for lay in self.history:
            if lay.seat == seat:
                lines.extend(lay_lines(lay.slots, lay.face, self.colours[seat], lay.place))
        return lines

    # --- refusals -----------------------------------------------------------------------------------------------------

    def rule_against(self, seat: int, move: int) -> str | None:
        return refusals.rule_against(self, seat, move)

    def same_way(self, way: int) -> int:
        """The lowest way of the drawn tile that looks the same as this one."""
        face = shown_face(self.tile, way)
        for other in range(way):
            if shown_face(self.tile, other) == face:
                return other
        return way

    # --- as JSON ------------------------------------------------------------------------------------------------------

    def position(self, viewer: int | None = ALL_SEEING) -> Json:
        return position.write_position(self)

    def extra(self, viewer: int | None) -> Json:
        return view.extra(self)


def new_game(spec: GameSpec, seats: int, options: Json) -> GuppiesState:
    """The start: an empty table and a full bag. The standard tiles are not named in a state's options."""
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
