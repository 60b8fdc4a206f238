"""Positions of Marram as JSON, both ways. Nothing is hidden, so all viewers get the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wellies.core.errors import BadPosition
from wellies.core.events import Json, ScoreLine
from wellies.core.fields import Fields, integer, pair, word
from wellies.core.options import check_options
from wellies.games.marram.animals import NO_GUESS, NOWHERE, Animal, steps_of
from wellies.games.marram.beast_removal import find_kept
from wellies.games.marram.board import Piece
from wellies.games.marram.material import TILES
from wellies.games.marram.moves import BOOT, ESCAPE, FLY, FROG, LONGEST_GUESS
from wellies.games.marram.phases import (
    CLAIM_DUE,
    DEAL,
    DRAWING,
    END_NAMES,
    FLY_APPEARS,
    FLY_GUESS,
    FLY_HOPS,
    FRESH,
    FROG_APPEARS,
    FROG_GUESS,
    FROG_HOPS,
    LOT,
    MOVE,
    MOVE_OVER,
    OVER,
    PHASE_NAMES,
)
from wellies.games.marram.placed_tile_json import read_laid, write_laid
from wellies.games.marram.places import LIMIT, cell_at, place_json, place_text
from wellies.games.marram.variants import ANIMALS, HAND, MOVES_A_TURN

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec
    from wellies.games.marram.state import MarramState

FIELDS: Final = (
    "game",
    "options",
    "check",
    "phase",
    "to_move",
    "move",
    "seats",
    "laid",
    "stock",
    "out",
    "played",
    "flipped",
    "fresh",
    "passes",
    "fly",
    "frog",
    "ended",
)
SEAT_FIELDS: Final = ("score", "boots", "forks", "spades", "hand", "retired_boots", "retired_forks")
ANIMAL_FIELDS: Final = ("at", "from", "hops", "guesses")
MOST_POINTS: Final = 99_999
MOST_PIECES: Final = 60
_NEEDS_FLY: Final = (FLY_HOPS, FLY_GUESS)
_NEEDS_FROG: Final = (FROG_HOPS, FROG_GUESS)


# --- writing ----------------------------------------------------------------------------------------------------------


def write_position(state: MarramState) -> Json:
    """The position of a state, complete."""
    board = state.board
    seats: list[Json] = []
    for seat in range(state.seats):
        entry: Json = {
            "score": state.points[seat],
            "boots": state.boots[seat],
            "forks": state.forks[seat],
            "spades": state.spades[seat],
            "hand": list(state.hands[seat]),
        }
        if state.retired_boots[seat]:
            entry["retired_boots"] = state.retired_boots[seat]
        if state.retired_forks[seat]:
            entry["retired_forks"] = state.retired_forks[seat]
        seats.append(entry)
    result: Json = {
        "game": state.spec.name,
        "options": dict(state.options),
        "phase": PHASE_NAMES[state.phase],
        "to_move": state.to_move,
        "move": state.move_number,
        "seats": seats,
        "laid": [write_laid(board, cell, state.box) for cell in sorted(board.tiles)],
        "stock": list(state.stock) if state.stock_count == len(state.stock) else state.stock_count,
    }
    if not state.checked:
        result["check"] = False
    if state.out:
        result["out"] = list(state.out)
    if state.played != NOWHERE:
        result["played"] = {"at": place_json(state.played), "how": "lay" if state.laid_it else "flip"}
    if state.flipped_now:
        result["flipped"] = [place_json(cell) for cell in state.flipped_now]
    if state.fresh:
        result["fresh"] = state.fresh
    if state.passes:
        result["passes"] = state.passes
    if state.fly is not None:
        result["fly"] = _write_animal(state.fly)
    if state.frog is not None:
        result["frog"] = _write_animal(state.frog)
    if state.ended:
        result["ended"] = END_NAMES[state.ended]
    return result


def _write_animal(animal: Animal) -> Json:
    guesses: list[Any] = []
    for guess in animal.guesses:
        guesses.append(None if guess == NO_GUESS else "escape" if guess == ESCAPE else guess)
    came_from = None if animal.came_from == NOWHERE else place_json(animal.came_from)
    return {"at": place_json(animal.at), "from": came_from, "hops": animal.hops, "guesses": guesses}


# --- reading ----------------------------------------------------------------------------------------------------------


def read_position(spec: GameSpec, position: Json) -> MarramState:
    """Set a position up; BadPosition names the field and what is wrong with it."""
    from wellies.games.marram.state import blank_game

    fields = Fields(position, "", FIELDS)
    seats = len(fields.items("seats")) if fields.has("seats") else spec.min_seats
    if not spec.min_seats <= seats <= spec.max_seats:
        raise BadPosition(f"seats lists {seats}; {spec.title} is for {spec.min_seats} to {spec.max_seats}.")
    state = blank_game(spec, seats, check_options(spec.options, fields.get("options"), seats, spec.title))
    _fill(state, fields)
    return state


def _fill(state: MarramState, fields: Fields) -> None:
    """Fill a blank state from a position."""
    state.checked = fields.boolean("check", True)
    _read_table(fields, state)
    _read_seats(fields, state)
    _read_stock(fields, state)
    state.to_move = fields.integer("to_move", 0, 0, state.seats - 1)
    state.move_number = fields.integer("move", 1, 1, MOVES_A_TURN)
    state.passes = fields.integer("passes", 0, 0, state.seats)
    state.fresh = fields.integer("fresh", 0, 0, HAND)
    state.ended = END_NAMES.index(fields.word("ended", "", list(END_NAMES)))
    state.flipped_now = [
        _laid_cell(state, place, f"flipped[{index}]") for index, place in enumerate(fields.items("flipped"))
    ]
    state.fly = _read_animal(fields, state, "fly")
    state.frog = _read_animal(fields, state, "frog")
    _read_phase(fields, state)
    if state.checked:
        _check_turn(state)
    state.kept = find_kept(state.board, state.played if state.phase == CLAIM_DUE else NOWHERE)
    if state.phase == MOVE:
        # A seat that has nothing to move with passes by itself, as it would have in play.
        state.begin_move(None)
    elif state.phase == DEAL and all(len(hand) >= HAND for hand in state.hands):
        state.begin_move(None)


def _read_table(fields: Fields, state: MarramState) -> None:
    """The laid tiles and the pieces on them; the starter alone if none are given."""
    if not fields.has("laid"):
        state.set_up()
        return
    entries = fields.items("laid")
    if not entries:
        raise BadPosition("laid is empty; at least the starter lies on the table.")
    board = state.board
    pieces: list[tuple[int, Piece, str]] = []
    for index, entry in enumerate(entries):
        path = f"laid[{index}]"
        cell, placed, piece = read_laid(entry, path, state.seats, state.numbers, state.checked, state.box)
        if cell in board.tiles:
            raise BadPosition(f"{path}.at: two tiles lie at {place_text(cell)}.")
        board.lay(cell, placed)
        if piece is not None:
            pieces.append((cell, piece, path))
    for cell, piece, _ in pieces:
        board.place_piece(cell, piece)
    if state.checked:
        _check_edges(state)


def _check_edges(state: MarramState) -> None:
    board = state.board
    first = min(board.tiles)
    reached = {first}
    todo = [first]
    while todo:
        cell = todo.pop()
        edge = board.mismatch(cell)
        if edge >= 0:
            raise BadPosition(
                f"laid: the tile at {place_text(cell)} does not match its neighbour at its {'NESW'[edge]} edge; "
                "both must show the same beast or none."
            )
        for step in (-1024, 1, 1024, -1):
            if cell + step in board.tiles and cell + step not in reached:
                reached.add(cell + step)
                todo.append(cell + step)
    if len(reached) < len(board.tiles):
        alone = min(cell for cell in board.tiles if cell not in reached)
        raise BadPosition(f"laid: the tile at {place_text(alone)} is not joined to the others by edges.")


def _read_seats(fields: Fields, state: MarramState) -> None:
    entries = fields.items("seats") if fields.has("seats") else [{} for _ in range(state.seats)]
    numbers = state.numbers
    standing = [[0, 0] for _ in range(state.seats)]
    for piece in state.board.pieces.values():
        standing[piece.seat][piece.piece] += 1
    for seat, entry in enumerate(entries):
        path = f"seats[{seat}]"
        given = Fields(entry, path, SEAT_FIELDS)
        score = given.integer("score", 0, 0, MOST_POINTS)
        state.points[seat] = score
        if score:
            state.lines[seat] = [ScoreLine("before", score, [], "Scored before this position")]
        state.retired_boots[seat] = given.integer("retired_boots", 0, 0, MOST_PIECES)
        state.retired_forks[seat] = given.integer("retired_forks", 0, 0, MOST_PIECES)
        boots_left = numbers.boots - standing[seat][BOOT] - state.retired_boots[seat]
        forks_left = numbers.forks - standing[seat][1] - state.retired_forks[seat]
        state.boots[seat] = given.integer("boots", max(0, boots_left), 0, MOST_PIECES)
        state.forks[seat] = given.integer("forks", max(0, forks_left), 0, MOST_PIECES)
        state.spades[seat] = given.integer("spades", numbers.spades, 0, MOST_PIECES)
        hand: list[int] = []
        for index, tile in enumerate(given.items("hand")):
            hand.append(integer(tile, f"{path}.hand[{index}]", 1, TILES))
        state.hands[seat] = hand
        if not state.checked:
            continue
        if len(hand) > HAND:
            raise BadPosition(f"{path}.hand has {len(hand)} tiles; a hand has at most {HAND}.")
        if state.boots[seat] > boots_left:
            raise BadPosition(
                f"{path}.boots: a seat has {numbers.boots} boots in all, and {boots_left} are left for it."
            )
        if state.forks[seat] > forks_left:
            raise BadPosition(
                f"{path}.forks: a seat has {numbers.forks} forks in all, and {forks_left} are left for it."
            )
        if state.spades[seat] > numbers.spades:
            raise BadPosition(f"{path}.spades: a seat gets {numbers.spades} spade cards in this game.")


def _read_stock(fields: Fields, state: MarramState) -> None:
    """The stock: "full" (every tile not used here), a list of tiles, or a count of unknown ones."""
    state.out = [integer(tile, f"out[{index}]", 1, TILES) for index, tile in enumerate(fields.items("out"))]
    places: dict[int, str] = {}
    used: list[tuple[int, str]] = [(tile, "out") for tile in state.out]
    for seat, hand in enumerate(state.hands):
        used += [(tile, f"seats[{seat}].hand") for tile in hand]
    for cell in sorted(state.board.tiles):
        tile = state.board.tiles[cell].tile
        if tile >= 0:
            used.append((tile, f"the tile at {place_text(cell)}"))
    value = fields.get("stock") if fields.has("stock") else "full"
    if isinstance(value, list):
        stock = [integer(tile, f"stock[{index}]", 1, TILES) for index, tile in enumerate(value)]
        used += [(tile, "stock") for tile in stock]
    for tile, path in used:
        if tile in places and state.checked:
            raise BadPosition(f"tile {tile} is in two places: {places[tile]} and {path}.")
        places[tile] = path
    if isinstance(value, list):
        state.stock = sorted(set(stock))
        state.stock_count = len(state.stock)
        return
    state.stock = [tile for tile in range(1, TILES + 1) if tile not in places]
    if value == "full":
        state.stock_count = len(state.stock)
    elif isinstance(value, int) and not isinstance(value, bool):
        state.stock_count = integer(value, "stock", 0, len(state.stock))
        if state.stock_count == 0:
            state.stock = []
    else:
        raise BadPosition(f'stock must be "full", a list of tile numbers or a count, not {value!r}.')


def _laid_cell(state: MarramState, value: Any, path: str) -> int:
    x, y = pair(value, path, -LIMIT - 100, LIMIT + 100)
    cell = cell_at(x, y)
    if cell not in state.board.tiles:
        raise BadPosition(f"{path}: no tile lies at {x},{y}.")
    return cell


def _read_animal(fields: Fields, state: MarramState, name: str) -> Animal | None:
    if fields.get(name) is None:
        return None
    if state.numbers.variant != ANIMALS:
        raise BadPosition(f"{name}: there are no animals in this variant; set options.variant to animals.")
    given = Fields(fields.get(name), name, ANIMAL_FIELDS)
    if not given.has("at"):
        raise BadPosition(f"{name}.at is missing; say where it sits, such as [0, 1].")
    at = _laid_cell(state, given.get("at"), f"{name}.at")
    came_from = NOWHERE
    if given.get("from") is not None:
        came_from = _laid_cell(state, given.get("from"), f"{name}.from")
    hops = given.integer("hops", 0, 0, LONGEST_GUESS - 1)
    if state.checked:
        _check_animal(state, name, at, came_from, hops)
    guesses = [NO_GUESS] * state.seats
    listed = given.items("guesses")
    if len(listed) > state.seats:
        raise BadPosition(f"{name}.guesses has {len(listed)} guesses for {state.seats} seats.")
    for seat, guess in enumerate(listed):
        path = f"{name}.guesses[{seat}]"
        if isinstance(guess, str):
            word(guess, path, ["escape"])
            guesses[seat] = ESCAPE
        elif guess is not None:
            guesses[seat] = integer(guess, path, 1, LONGEST_GUESS)
    return Animal(at, came_from, hops, guesses)


def _check_animal(state: MarramState, name: str, at: int, came_from: int, hops: int) -> None:
    """An animal that is still there was not eaten, and has come from where it can have come from."""
    if state.board.tiles[at].heads:
        raise BadPosition(f'{name}.at: a blue head lies there, so the {name} would be eaten; or add "check": false.')
    if came_from == NOWHERE:
        return
    if hops == 0:
        raise BadPosition(f'{name}.from: with no hop made it has come from nowhere; or add "check": false.')
    if at - came_from not in steps_of(FLY if name == "fly" else FROG):
        raise BadPosition(f'{name}.from: the {name} cannot hop so far; or add "check": false.')


def _check_turn(state: MarramState) -> None:
    """What the position says of this turn and of passing agrees with the table."""
    if state.passes >= state.seats and state.phase != OVER:
        raise BadPosition('passes: when all have passed in a row the game is over; or add "check": false.')
    for index, cell in enumerate(state.flipped_now):
        if not state.board.tiles[cell].flipped:
            raise BadPosition(
                f"flipped[{index}]: the tile at {place_text(cell)} was never flipped; say so in laid, or add "
                '"check": false.'
            )


def _read_phase(fields: Fields, state: MarramState) -> None:
    # A position that shows a game under way is at a move, unless it says otherwise.
    under_way = any(fields.has(name) for name in ("to_move", "move", "laid")) or any(state.hands)
    names = [name for name in PHASE_NAMES if name != PHASE_NAMES[MOVE_OVER]]
    phase = PHASE_NAMES.index(fields.word("phase", PHASE_NAMES[MOVE if under_way else LOT], names))
    state.phase = phase
    if fields.has("played"):
        given = Fields(fields.get("played"), "played", ("at", "how"))
        state.played = _laid_cell(state, given.get("at"), "played.at")
        state.laid_it = given.word("how", "lay", ["lay", "flip"]) == "lay"
    needs_played = CLAIM_DUE <= phase < MOVE_OVER
    if needs_played and state.played == NOWHERE:
        raise BadPosition(f'phase "{PHASE_NAMES[phase]}" needs played, the tile of the move under way.')
    if not needs_played and state.played != NOWHERE:
        raise BadPosition(f'played is the tile of a move under way, and there is none in phase "{PHASE_NAMES[phase]}".')
    if phase == CLAIM_DUE and state.played in state.board.pieces:
        raise BadPosition('phase "claim": the tile just played bears a piece already.')
    if phase in DRAWING and state.stock_count == 0:
        raise BadPosition(f'phase "{PHASE_NAMES[phase]}" draws a tile, but the stock is empty.')
    if (phase == FRESH) != (state.fresh > 0):
        raise BadPosition('fresh is how many tiles are still to come in phase "fresh tiles", and 0 in any other.')
    if (phase == OVER) != (state.ended > 0):
        raise BadPosition('phase "over" and ended ("knock-out" or "all passed") go together.')
    if phase in (FLY_APPEARS, FROG_APPEARS) and state.numbers.variant != ANIMALS:
        raise BadPosition(f'phase "{PHASE_NAMES[phase]}": there are no animals in this variant.')
    for name, animal, needs, appears, guess in (
        ("fly", state.fly, _NEEDS_FLY, FLY_APPEARS, FLY_GUESS),
        ("frog", state.frog, _NEEDS_FROG, FROG_APPEARS, FROG_GUESS),
    ):
        if phase in needs and animal is None:
            raise BadPosition(f'phase "{PHASE_NAMES[phase]}" needs a {name}.')
        if phase == appears and animal is not None:
            raise BadPosition(f'phase "{PHASE_NAMES[phase]}": the {name} is there already.')
        if animal is not None and (phase == guess) != (NO_GUESS in animal.guesses):
            raise BadPosition(f'{name}.guesses: all seats have guessed, but for those to come in phase "{name} guess".')
