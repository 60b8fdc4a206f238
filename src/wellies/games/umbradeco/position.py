"""Positions of Umbradeco as JSON, both ways.

Fields beyond the usual: `phase` (`setup`, `place`, `take`, `refill`, `over`), `shown` (how many tiles of each hand,
those listed first, everyone knows), `out` (tiles that left the game unseen), `discarded`, and `excluded` (colours that
the last hidden tile of a hand cannot have, as a discard has proved). The last three are left out when there are none,
and `to_move` while nobody is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wellies.core.errors import BadPosition, nearest
from wellies.core.events import Json
from wellies.core.fields import Fields, integer, pair, word
from wellies.core.options import check_options
from wellies.core.state import ALL_SEEING
from wellies.games.umbradeco import hidden
from wellies.games.umbradeco.mat_geometry import COORDINATES, SPACE_AT, place_name
from wellies.games.umbradeco.material import (
    COLOUR_COUNT,
    COLOUR_NUMBER,
    COLOURS,
    NONE,
    SPACES,
    TILES,
    UNKNOWN,
    tile_name,
)
from wellies.games.umbradeco.phases import OVER, PHASES, PLACING, SECOND_SPACE, SETTING_UP, TAKING

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec
    from wellies.games.umbradeco.state import UmbradecoState

FIELDS: Final = (
    "game",
    "options",
    "phase",
    "to_move",
    "scores",
    "mat",
    "hands",
    "shown",
    "excluded",
    "market",
    "deck",
    "out",
    "discarded",
    "check",
)
MOST_POINTS: Final = 1_000_000
_OR_UNCHECKED: Final = 'or add "check": false'


# --- writing ----------------------------------------------------------------------------------------------------------


def write_position(state: UmbradecoState, viewer: int | None) -> Json:
    """The position as a viewer sees it: the hidden tiles of the others and those out of the game are `?`."""
    position: Json = {"game": "umbradeco", "options": dict(state.options), "phase": PHASES[state.phase]}
    if state.phase not in (SETTING_UP, OVER):
        position["to_move"] = state.to_move
    position["scores"] = state.points.copy()
    position["mat"] = [
        {"at": list(COORDINATES[space]), "tiles": _write_space(state, space)}
        for space in range(state.mat.geometry.spaces)
        if state.mat.top[space] != NONE
    ]
    position["hands"] = [_write_hand(state, seat, viewer) for seat in range(state.seats)]
    position["shown"] = [len(shown) for shown in state.shown]
    position["market"] = [COLOURS[tile] for tile in state.market]
    position["deck"] = state.deck
    if state.out:
        position["out"] = [tile_name(tile) if viewer == ALL_SEEING else "?" for tile in state.out]
    if state.discarded:
        position["discarded"] = [COLOURS[tile] for tile in state.discarded]
    if any(state.excluded):
        position["excluded"] = [
            [COLOURS[colour] for colour in range(COLOUR_COUNT) if mask >> colour & 1] for mask in state.excluded
        ]
    if not state.checked:
        position["check"] = False
    return position


def _write_space(state: UmbradecoState, space: int) -> list[str]:
    top = COLOURS[state.mat.top[space]]
    return [COLOURS[state.mat.under[space]], top] if space in state.mat.under else [top]


def _write_hand(state: UmbradecoState, seat: int, viewer: int | None) -> list[str]:
    known = [COLOURS[tile] for tile in state.shown[seat]]
    if viewer in (seat, ALL_SEEING):
        return known + [tile_name(tile) for tile in state.hidden[seat]]
    return known + ["?"] * len(state.hidden[seat])


# --- reading ----------------------------------------------------------------------------------------------------------


def read_position(spec: GameSpec, position: Json) -> UmbradecoState:
    """Set a position up; BadPosition names the field and what is wrong with it."""
    from wellies.games.umbradeco.state import new_game

    fields = Fields(position, "", FIELDS)
    hands = fields.items("hands")
    scores = fields.items("scores")
    seats = len(hands) or len(scores) or spec.min_seats
    if not spec.min_seats <= seats <= spec.max_seats:
        field = "hands" if hands else "scores"
        raise BadPosition(f"{field}: {spec.title} is for {spec.min_seats} to {spec.max_seats} seats, not {seats}.")
    options = fields.get("options")
    state = new_game(spec, seats, check_options(spec.options, options, seats, spec.title))
    state.checked = fields.boolean("check", True)
    _same_length(scores, "scores", seats)
    state.points = [integer(score, f"scores[{seat}]", 0, MOST_POINTS) for seat, score in enumerate(scores)]
    state.points = state.points or [0] * seats
    state.brought = state.points.copy()
    _read_mat(state, fields.items("mat"))
    _read_hands(state, fields, hands)
    state.market = _read_tiles(fields, "market", False)
    if len(state.market) > 2:
        raise BadPosition(f"market has {len(state.market)} tiles; it holds two at most.")
    state.out = tuple(sorted(_read_tiles(fields, "out", True)))
    state.discarded = tuple(sorted(_read_tiles(fields, "discarded", False)))
    named_phase = fields.word("phase", "place" if hands else "setup", list(PHASES))
    state.phase = PHASES.index(named_phase)
    _read_deck(state, fields)
    if state.checked and not hidden.can_be(state):
        raise BadPosition(
            f"excluded: no tile is left that the hidden tiles of these hands could be; exclude less, {_OR_UNCHECKED}."
        )
    if state.phase == SETTING_UP:
        _check_setup(state, fields)
    else:
        _begin(state, fields.integer("to_move", 0, 0, seats - 1))
        if state.checked:
            _check_reachable(state)
    return state


def _same_length(values: list[Any], path: str, seats: int) -> None:
    if values and len(values) != seats:
        raise BadPosition(f"{path} has {len(values)} entries for {seats} seats; give one for each seat.")


def _read_tile(value: Any, path: str, may_be_unseen: bool) -> int:
    if value == "?":
        if may_be_unseen:
            return UNKNOWN
        raise BadPosition(f'{path}: "?" is a tile not seen, and tiles there are seen by all; name its colour.')
    if not isinstance(value, str) or value not in COLOUR_NUMBER:
        hint = nearest(value, list(COLOURS)) if isinstance(value, str) else ""
        raise BadPosition(f"{path} must be one of {', '.join(COLOURS)}, not {value!r}.{hint}")
    return COLOUR_NUMBER[value]


def _read_tiles(fields: Fields, name: str, may_be_unseen: bool) -> tuple[int, ...]:
    values = fields.items(name)
    return tuple(_read_tile(value, f"{name}[{index}]", may_be_unseen) for index, value in enumerate(values))


def _read_mat(state: UmbradecoState, rows: list[Any]) -> None:
    mat = state.mat
    for index, row in enumerate(rows):
        path = f"mat[{index}]"
        each = Fields(row, path, ("at", "tiles"))
        q, r = pair(each.get("at"), f"{path}.at", -1000, 1000)
        space = SPACE_AT.get((q, r), SPACES)
        if space >= mat.geometry.spaces:
            raise BadPosition(
                f"{path}.at: there is no space {q},{r} on the {mat.geometry.name} mat, a hexagon with "
                f"{mat.geometry.side} spaces to a side around 0,0."
            )
        if mat.top[space] != NONE:
            raise BadPosition(f"{path}.at: {q},{r} is given twice; write a stack as two tiles of one entry.")
        tiles = [_read_tile(tile, f"{path}.tiles[{i}]", False) for i, tile in enumerate(each.items("tiles"))]
        if len(tiles) not in (1, 2):
            raise BadPosition(f"{path}.tiles: a space with {len(tiles)} tiles; give one, or two for a stack.")
        if state.checked and len(tiles) == 2 and tiles[0] == tiles[1]:
            raise BadPosition(
                f"{path}.tiles: a stack of {COLOURS[tiles[0]]} on {COLOURS[tiles[0]]}; the two must differ, "
                f"{_OR_UNCHECKED}."
            )
        clash = mat.geometry.near[space] & mat.showing[tiles[-1]]
        if state.checked and clash:
            raise BadPosition(
                f"{path}: {q},{r} and {place_name(mat.geometry.listed(clash)[0])} touch and both show "
                f"{COLOURS[tiles[-1]]}; change one, {_OR_UNCHECKED}."
            )
        mat.put(space, tiles[0])
        if len(tiles) == 2:
            mat.stack(space, tiles[1])


def _read_hands(state: UmbradecoState, fields: Fields, hands: list[Any]) -> None:
    shown = fields.items("shown")
    _same_length(shown, "shown", state.seats)
    for seat, hand in enumerate(hands):
        path = f"hands[{seat}]"
        if not isinstance(hand, list):
            raise BadPosition(f'{path} must be a list of tiles such as ["red", "?"], not {hand!r}.')
        if len(hand) > 2:
            raise BadPosition(f"{path} has {len(hand)} tiles; a hand holds two at most.")
        tiles = [_read_tile(tile, f"{path}[{index}]", True) for index, tile in enumerate(hand)]
        if shown:
            known = integer(shown[seat], f"shown[{seat}]", 0, len(tiles))
            if UNKNOWN in tiles[:known]:
                raise BadPosition(f'shown[{seat}]: the first {known} of {path} are known to all, so none can be "?".')
        elif UNKNOWN in tiles:  # as someone sees it: what is named in the hand is known to all
            tiles.sort()
            known = len(tiles) - tiles.count(UNKNOWN)
        else:
            known = 0
        state.shown[seat] = tuple(sorted(tiles[:known]))
        state.hidden[seat] = tuple(sorted(tiles[known:]))
    _read_excluded(state, fields)


def _read_excluded(state: UmbradecoState, fields: Fields) -> None:
    rows = fields.items("excluded")
    _same_length(rows, "excluded", state.seats)
    for seat, row in enumerate(rows):
        path = f"excluded[{seat}]"
        if not isinstance(row, list):
            raise BadPosition(f"{path} must be a list of colours, not {row!r}.")
        mask = 0
        for index, colour in enumerate(row):
            mask |= 1 << COLOUR_NUMBER[word(colour, f"{path}[{index}]", list(COLOURS))]
        if state.checked and mask == (1 << COLOUR_COUNT) - 1:
            raise BadPosition(f"{path} excludes every colour; a tile has one of them. Exclude less, {_OR_UNCHECKED}.")
        hidden = state.hidden[seat]
        if mask and len(hidden) != 1:
            raise BadPosition(f"{path}: hands[{seat}] has no single hidden tile that this could be about; empty it.")
        if state.checked and mask and hidden[0] != UNKNOWN and mask >> hidden[0] & 1:
            raise BadPosition(
                f"{path}: the hidden tile of hands[{seat}] is {COLOURS[hidden[0]]}, which is excluded here; change "
                f"one, {_OR_UNCHECKED}."
            )
        state.excluded[seat] = mask


def _read_deck(state: UmbradecoState, fields: Fields) -> None:
    """Count what is named; the rest is in the deck, in hidden places, or out of the game unseen."""
    named = [*state.mat.top, *state.mat.under.values(), *state.market, *state.out, *state.discarded]
    for seat in range(state.seats):
        named += state.shown[seat] + state.hidden[seat]
    for colour in range(COLOUR_COUNT):
        count = named.count(colour)
        if state.checked and count > TILES[colour]:
            raise BadPosition(
                f"there are {count} {COLOURS[colour]} tiles here, and the box has {TILES[colour]}; remove some, "
                f"{_OR_UNCHECKED}."
            )
        state.pool[colour] = max(0, TILES[colour] - count)
    room = sum(state.pool) - named.count(UNKNOWN)
    if room < 0:
        raise BadPosition(
            f'{named.count(UNKNOWN)} tiles are "?", and only {sum(state.pool)} of the {sum(TILES)} are not named here; '
            f"remove some."
        )
    rest = room
    if state.phase != SETTING_UP and not fields.has("out"):
        rest = max(0, room - state.unseen_tiles())
    state.deck = fields.integer("deck", rest, 0, sum(TILES))
    if state.deck > room:
        if state.checked:
            raise BadPosition(
                f"deck: {state.deck} tiles, and only {room} of the {sum(TILES)} are left for it; lower it, "
                f"{_OR_UNCHECKED}."
            )
        state.deck = room
    state.out += (UNKNOWN,) * (room - state.deck)


def _check_setup(state: UmbradecoState, fields: Fields) -> None:
    """A set-up that is under way has been done in its order, and has touched nothing else."""
    if fields.integer("to_move", 0, 0, state.seats - 1):
        raise BadPosition('to_move: chance decides who begins when all is set up; leave it out, or add "phase".')
    if len(state.out) > state.unseen_tiles():
        raise BadPosition(
            f"deck: during the set-up for {state.seats} seats {state.unseen_tiles()} tiles are out of the game, here "
            f"{len(state.out)}; leave deck out, or add a phase such as place."
        )
    if state.discarded or any(state.shown) or state.mat.stacked:
        raise BadPosition("during the set-up nothing is discarded, taken or stacked; add a phase such as place.")
    goals = [len(state.out) == state.unseen_tiles(), state.mat.top[0] != NONE, state.mat.top[SECOND_SPACE] != NONE]
    if state.mat.occupied & ~(state.mat.geometry.bit[0] | state.mat.geometry.bit[SECOND_SPACE]):
        raise BadPosition("mat: during the set-up only 0,0 and 0,1 have tiles; add a phase such as place.")
    for seat in range(state.seats):
        goals += [len(state.hidden[seat]) > 0, len(state.hidden[seat]) > 1]
    goals += [len(state.market) > 0, len(state.market) > 1]
    if goals != sorted(goals, reverse=True):
        raise BadPosition(
            "the set-up goes in order: tiles out of the game (with 3 or 4 seats), 0,0 and 0,1 on the mat, the hands by "
            "seat, the market; here something is missing. Complete it, or add a phase such as place."
        )


def _check_reachable(state: UmbradecoState) -> None:
    """What holds in every game after its set-up: a space once covered stays covered, tiles are placed beside others,
    stacks where all around is covered, and no tile is lost."""
    mat = state.mat
    geometry = mat.geometry
    if mat.top[0] == NONE:
        raise BadPosition(f"mat: 0,0 is empty, and a game begins with a tile there; cover it, {_OR_UNCHECKED}.")
    joined = geometry.bit[0]
    reached = 0
    while joined != reached:
        reached = joined
        joined |= geometry.around(reached) & mat.occupied
    apart = mat.occupied & ~joined
    if apart:
        raise BadPosition(
            f"mat: the tile at {place_name(geometry.listed(apart)[0])} hangs together with 0,0 by no tiles in between; "
            f"move it, {_OR_UNCHECKED}."
        )
    for space in sorted(mat.under):
        empty = geometry.listed(geometry.near[space] & ~mat.occupied)
        if empty:
            raise BadPosition(
                f"mat: the stack at {place_name(space)} has an empty neighbour, {place_name(empty[0])}; "
                f"a stack is built only where all around is covered. Cover it, {_OR_UNCHECKED}."
            )
    if len(state.out) != state.unseen_tiles():
        raise BadPosition(
            f"deck: {state.deck} leaves {len(state.out)} tiles out of the game unseen, and with {state.seats} seats it "
            f"is {state.unseen_tiles()}; leave deck out, list what was discarded, {_OR_UNCHECKED}."
        )


def _begin(state: UmbradecoState, seat: int) -> None:
    """Go on from the phase given; what cannot be done there (taking from an empty market) is passed over."""
    state.to_move = seat
    if state.phase == PLACING:
        state.begin_turn(seat)
    elif state.phase == TAKING:
        if len(state.hidden[seat]) + len(state.shown[seat]) > 1:
            raise BadPosition(f"hands[{seat}] has two tiles, but seat {seat} has placed one and is about to take.")
        state.after_placing()
    elif state.phase == OVER:
        if any(state.hidden) or any(state.shown):
            raise BadPosition("phase: the game is over when every hand is empty, and here are tiles; use place.")
    else:
        state.end_turn()
