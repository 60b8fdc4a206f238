"""Positions of Guppies as JSON, both ways."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from wellies.core.errors import BadPosition
from wellies.core.events import Json
from wellies.core.fields import Fields, integer, pair, word
from wellies.core.options import check_options
from wellies.games.guppies.faces import COLOURS, EDGE_NAMES, MATE, face_text, letter_name, lowest_turn, pack_face
from wellies.games.guppies.material import TILES, TileSet, ways_of
from wellies.games.guppies.moves import DELTAS, REACH, pack_place, place_q, place_r, place_text
from wellies.games.guppies.open_spaces import on_one_table

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec
    from wellies.games.guppies.state import GuppiesState

FIELDS: Final = ("game", "options", "to_move", "seats", "laid", "tile", "bag", "check")
MOST_POINTS: Final = 1_000_000


def write_position(state: GuppiesState) -> Json:
    """All there is to know of a game; nothing in Guppies is hidden from anyone."""
    position: Json = {
        "game": "guppies",
        "options": {name: value for name, value in state.options.items() if name != "colours"},
        "to_move": state.to_move,
        "seats": [{"colour": COLOURS[state.colours[seat]], "score": state.points[seat]} for seat in range(state.seats)],
        "laid": [
            {"at": [place_q(at), place_r(at)], "face": face_text(face)} for at, face in sorted(state.board.items())
        ],
    }
    if state.tile:
        position["tile"] = [face_text(face) for face in state.tile]
    position["bag"] = _write_bag(state)
    if not state.checked:
        position["check"] = False
    return position


def _write_bag(state: GuppiesState) -> Any:
    if state.bag_size == len(state.bag):
        full = state.options["tiles"] == TILES and state.bag == _unused(state)
        return "full" if full else state.bag.copy()
    return {"count": state.bag_size, "sure": state.sure.copy()} if state.sure else state.bag_size


def _numbers(box: TileSet, faces: Iterable[int]) -> list[int]:
    """The tiles of the set that have these faces; a face from outside the set has none."""
    return [box.number_of[shape] for shape in map(lowest_turn, faces) if shape in box.number_of]


def _unused(state: GuppiesState) -> list[int]:
    """The tiles of the set that are neither laid nor drawn."""
    used = {*_numbers(state.box, state.board.values()), *_numbers(state.box, state.tile)}
    return [number for number in range(1, TILES + 1) if number not in used]


def read_position(spec: GameSpec, position: Json) -> GuppiesState:
    """Set a position up; BadPosition names the field and what is wrong with it."""
    from wellies.games.guppies.state import new_game

    fields = Fields(position, "", FIELDS)
    check = fields.boolean("check", True)
    seats, colours, scores = _read_seats(spec, fields)
    options = _read_options(spec, fields, seats, colours, check)
    state = new_game(spec, seats, options)
    state.checked = check
    state.points = scores
    state.brought = scores.copy()
    state.to_move = fields.integer("to_move", 0, 0, seats - 1)
    _read_laid(state, fields.items("laid"), check)
    faces, number = _read_tile(state, fields.get("tile"), check)
    state.tile = faces
    _read_bag(state, fields, check)
    if faces:
        state.hold(faces, number)
        if not state.fits:  # as at the table: a tile that fits nowhere goes back, and another is drawn
            state.tile = ()
            state.tile_number = 0
            if number > 0:
                _fill_bag(state, sorted([*state.bag, number]), state.bag_size + 1, state.sure)
    state.check_end()
    return state


def _read_options(spec: GameSpec, fields: Fields, seats: int, colours: list[str] | None, check: bool) -> Json:
    options = fields.get("options") if fields.has("options") else {}
    if not isinstance(options, dict):
        raise BadPosition("options must be an object.")
    if colours is None:
        return check_options(spec.options, options, seats, spec.title)
    if check:
        return check_options(spec.options, {**options, "colours": colours}, seats, spec.title)
    return {**check_options(spec.options, {**options, "colours": None}, seats, spec.title), "colours": colours}


def _read_seats(spec: GameSpec, fields: Fields) -> tuple[int, list[str] | None, list[int]]:
    rows = fields.items("seats")
    seats = len(rows) if rows else spec.min_seats
    spec.check_seats(seats)
    scores = [0] * seats
    colours: list[str] = []
    for seat, row in enumerate(rows):
        each = Fields(row, f"seats[{seat}]", ("colour", "score"))
        scores[seat] = each.integer("score", 0, 0, MOST_POINTS)
        if each.has("colour"):
            colours.append(word(each.get("colour"), f"seats[{seat}].colour", list(COLOURS)))
    if colours and len(colours) < seats:
        raise BadPosition("give every seat a colour, or none of them.")
    return seats, colours or None, scores


def _read_face(value: Any, path: str) -> int:
    face = pack_face(value) if isinstance(value, str) else -1
    if face < 0:
        raise BadPosition(
            f'{path} must be six letters of "GOPgop." from the east edge clockwise, or "SQUID", not {value!r}.'
        )
    return face


def _read_laid(state: GuppiesState, rows: list[Any], check: bool) -> None:
    used: set[int] = set()
    for index, row in enumerate(rows):
        path = f"laid[{index}]"
        each = Fields(row, path, ("at", "face"))
        q, r = pair(each.get("at"), f"{path}.at", -REACH, REACH)
        place = pack_place(q, r)
        if place in state.board:
            raise BadPosition(f"{path}.at: there is a tile at {place_text(place)} already.")
        face = _read_face(each.get("face"), f"{path}.face")
        if check:
            _check_laid(state, place, face, path)
            for number in _numbers(state.box, [face]):
                if number in used:
                    raise BadPosition(f"{path}.face: tile {number} of the set, which has this face, is laid already.")
                used.add(number)
        state.put(place, face)
    if check and len(state.board) > 1:
        _check_joined(state)


def _check_laid(state: GuppiesState, place: int, face: int, path: str) -> None:
    if state.one_table and not on_one_table(place):
        raise BadPosition(f"{path}.at: {place_text(place)} is off the single table.")
    for edge in range(6):
        beside = state.board.get(place + DELTAS[edge])
        if beside is None:
            continue
        mine, theirs = face >> (3 * edge) & 7, beside >> (3 * ((edge + 3) % 6)) & 7
        if MATE[mine] != theirs:
            raise BadPosition(
                f"{path}: the {EDGE_NAMES[edge]} edge of the tile at {place_text(place)} has {letter_name(mine)} "
                f'against {letter_name(theirs)}; correct a face, or add "check": false.'
            )


def _check_joined(state: GuppiesState) -> None:
    """All laid tiles hang together."""
    todo = [next(iter(state.board))]
    reached = {todo[0]}
    while todo:
        place = todo.pop()
        for delta in DELTAS:
            if place + delta in state.board and place + delta not in reached:
                reached.add(place + delta)
                todo.append(place + delta)
    for place in state.board:
        if place not in reached:
            raise BadPosition(f'laid: the tile at {place_text(place)} is apart from the others; or add "check": false.')


def _read_tile(state: GuppiesState, value: Any, check: bool) -> tuple[tuple[int, ...], int]:
    """The faces of the drawn tile, and its number: 0 for no tile, -1 for one that is not of the set."""
    if value is None:
        return (), 0
    if not isinstance(value, list) or len(value) != 2:
        raise BadPosition(f'tile must be the two faces of the drawn tile, such as ["oG.pP.", "SQUID"], not {value!r}.')
    faces = (_read_face(value[0], "tile[0]"), _read_face(value[1], "tile[1]"))
    numbers = _numbers(state.box, faces)
    if check:
        laid = _numbers(state.box, state.board.values())
        for number in numbers:
            if number in laid:
                raise BadPosition(f"tile: a face of tile {number} of the set, which is laid already.")
    whole = len(numbers) == 2 and numbers[0] == numbers[1] and lowest_turn(faces[0]) != lowest_turn(faces[1])
    return faces, numbers[0] if whole else -1


def _read_bag(state: GuppiesState, fields: Fields, check: bool) -> None:
    unused = _unused(state)
    short: bool = state.options["tiles"] < TILES
    value = fields.get("bag") if fields.has("bag") else "full"
    if value == "full":
        if not short:
            _fill_bag(state, unused, len(unused), [])
            return
        laid = len(state.board) + (1 if state.tile else 0)
        size = max(0, min(state.options["tiles"] - laid, len(unused)))
        _fill_bag(state, unused, size, [state.box.squid] if state.box.squid in unused and size else [])
    elif isinstance(value, list):
        numbers = [integer(number, f"bag[{index}]", 1, TILES) for index, number in enumerate(value)]
        for number in numbers:
            if check and number not in unused:
                raise BadPosition(f"bag: tile {number} is laid or drawn already, so it cannot be in the bag.")
            if numbers.count(number) > 1:
                raise BadPosition(f"bag: tile {number} is listed twice.")
        _fill_bag(state, sorted(numbers), len(numbers), [])
    elif isinstance(value, dict):
        each = Fields(value, "bag", ("count", "sure"))
        sure = [integer(number, f"bag.sure[{index}]", 1, TILES) for index, number in enumerate(each.items("sure"))]
        if any(number not in unused for number in sure) or len(set(sure)) < len(sure):
            raise BadPosition(
                "bag.sure: each tile known to be in the bag is listed once, and is neither laid nor drawn."
            )
        _fill_bag(state, unused, each.integer("count", len(unused), len(sure), len(unused)), sorted(sure))
    elif isinstance(value, int) and not isinstance(value, bool):
        _fill_bag(state, unused, integer(value, "bag", 0, len(unused)), [])
    else:
        raise BadPosition(f'bag must be "full", a list of tile numbers, or a count of unknown tiles, not {value!r}.')


def _fill_bag(state: GuppiesState, tiles: list[int], size: int, sure: list[int]) -> None:
    """The bag holds `size` of these tiles, some of which are surely in it."""
    state.bag = tiles.copy() if size > len(sure) else sure.copy()
    state.bag_size = size
    state.sure = sure.copy() if size < len(state.bag) else []
    state.bag_ways = ways_of(state.bag)
