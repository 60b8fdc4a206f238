"""Why a move is refused, in words that teach the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.core.state import CHANCE
from wellies.core.texts import seat_marks
from wellies.games.marram import moves
from wellies.games.marram.claims import canonical_slot, piece_for, pieces_at
from wellies.games.marram.features import count_of
from wellies.games.marram.moves import (
    BOOT,
    BRIDGE_SLOT,
    CHANGE,
    CORNER_SLOT,
    ESCAPE,
    FORK,
    LONGEST_GUESS,
    NO_CLAIM,
    PASS,
    move_text,
)
from wellies.games.marram.phases import (
    CLAIM_DUE,
    DRAWING,
    FLY_APPEARS,
    FLY_GUESS,
    FLY_HOPS,
    FROG_APPEARS,
    FROG_GUESS,
    LOT,
    MOVE,
)
from wellies.games.marram.placed_tile import OPEN_CHAIN, PARITY_BIT, demand_of, edge_fits, fits, kind_at
from wellies.games.marram.places import CORNER_WORDS, NEIGHBOUR, at_place
from wellies.games.marram.segments import BEAST_WORDS, EDGE_WORDS, NO_BEAST, turned
from wellies.games.marram.tile_words import segments_words
from wellies.games.marram.variants import CLASSIC

if TYPE_CHECKING:
    from wellies.games.marram.state import MarramState

WRONG_WAY_ROUND: Final = "Grass must meet grass and sand meet sand"


def rule_against(state: MarramState, seat: int, move: int) -> str | None:
    """None exactly when the move is one of `state.legal(seat)`."""
    if seat == CHANCE:
        return _against_chance(state, move)
    kind = moves.kind_of_move(move)
    if state.phase == CLAIM_DUE:
        if move == NO_CLAIM:
            return None
        if kind != moves.CLAIM:
            return "The tile just played may be claimed first: put a piece on it, or claim nothing [no claim]."
        return _against_claim(state, seat, move)
    if state.phase in (FLY_GUESS, FROG_GUESS):
        number = moves.payload(move)
        if kind != moves.GUESS:
            return "An animal has appeared: guess how many hops it will take, or that it escapes."
        if number != ESCAPE and not 1 <= number <= LONGEST_GUESS:
            return f"A guess is a number of hops from 1 to {LONGEST_GUESS}, or escape."
        return None
    if state.phase != MOVE:
        return "There is nothing for a seat to decide now."
    if kind == moves.LAY:
        return _against_lay(state, seat, move)
    if kind == moves.FLIP:
        return _against_flip(state, seat, move)
    if move == CHANGE:
        return _against_change(state, seat)
    if move == PASS:
        if state.hands[seat]:
            return "Passing is only for a seat without tiles; lay one, flip one, or change a hand that fits nowhere."
        return None
    if kind == moves.CLAIM or move == NO_CLAIM:
        return "Claims are made on a tile just laid or flipped; lay or flip one first."
    if kind == moves.GUESS:
        return "There is nothing to guess: guesses are made when an animal appears."
    return "That is not a move for a seat; lay a tile of your hand or flip a laid one."


# --- laying -----------------------------------------------------------------------------------------------------------


def _against_lay(state: MarramState, seat: int, move: int) -> str | None:
    tile = moves.lay_tile(move)
    cell = moves.lay_cell(move)
    board = state.board
    if tile not in state.hands[seat]:
        held = ", ".join(str(each) for each in state.hands[seat])
        return f"That tile is not in your hand [{tile}; you hold {held or 'no tiles'}]."
    if cell in board.tiles:
        return f"A tile lies there already {at_place(cell)}; lay yours on an open place beside one."
    code = board.open_code(cell)
    if code < 0:
        return f"A tile must touch one already laid, and that place {at_place(cell)} has no neighbour."
    box = state.box.tiles[tile]
    turn = moves.lay_turn(move)
    face = box.face_at(turn, 1 if code & PARITY_BIT else 0)
    if face != moves.lay_face(move):
        return (
            f"{WRONG_WAY_ROUND}: turned so, this side has them the wrong way round. {_lays_instead(state, move, code)}"
        )
    why = _mismatch(turned(box.segments, turn), code, cell)
    if why is not None:
        return why
    if turn not in box.turns():
        same = moves.lay_move(tile, face, turn - 2, cell)
        return f"Turned half round the tile looks the same; play that [{move_text(same)}]."
    return None


def _lays_instead(state: MarramState, move: int, code: int) -> str:
    """What a tile shown the wrong way round could do at the place it was meant for."""
    tile, cell = moves.lay_tile(move), moves.lay_cell(move)
    good = [base | cell << moves.CELL_SHIFT for base in state.box.lays_for(tile, code)]
    if not good:
        return "The beasts of this tile do not match there in any turn."
    turn = moves.lay_turn(move)
    alike = (turn, turn - 2) if state.box.tiles[tile].symmetric else (turn,)
    for other in good:
        if moves.lay_turn(other) in alike:
            return f"The other side fits there in this turn [{move_text(other)}]."
    return f"The tile fits there in another turn [{move_text(good[0])}]."


def _mismatch(segments: tuple[int, ...], code: int, cell: int) -> str | None:
    """Which edge does not match, and why."""
    for edge in range(4):
        if edge_fits(segments, code, edge):
            continue
        demand = demand_of(code, edge)
        mine = kind_at(segments, edge)
        beside = f"the tile beside it {at_place(cell + NEIGHBOUR[edge])}"
        theirs = BEAST_WORDS[demand - 1] if demand < OPEN_CHAIN else "a Beastly body"
        if mine == NO_BEAST:
            return f"The {EDGE_WORDS[edge]} edge has no beast, but {beside} shows {theirs} there; edges must match."
        if demand - 1 == NO_BEAST:
            return (
                f"The {EDGE_WORDS[edge]} edge carries {BEAST_WORDS[mine]}, but {beside} has no beast there; "
                "edges must match."
            )
        return (
            f"The {EDGE_WORDS[edge]} edge carries {BEAST_WORDS[mine]}, but {beside} shows {theirs} there; "
            "edges must match."
        )
    if not fits(segments, code):
        return "A Beastly body takes the kind of the beast it joins, and here it would join two different ones."
    return None


def _against_change(state: MarramState, seat: int) -> str | None:
    if not state.hands[seat]:
        return "You have no tiles to change; flip a tile or pass."
    lays = state.lays()
    if lays:
        return f"Tiles are changed only when none of them fits anywhere, and one does [such as {move_text(lays[0])}]."
    return None


# --- flipping ---------------------------------------------------------------------------------------------------------


def _against_flip(state: MarramState, seat: int, move: int) -> str | None:
    cell = moves.flip_cell(move)
    turn = moves.flip_turn(move)
    tile = state.board.tiles.get(cell)
    if tile is None:
        return f"No tile lies there {at_place(cell)}."
    if state.spades[seat] <= 0:
        return "A flip costs a spade card, and you have none left."
    if cell in state.flipped_now:
        return f"That tile {at_place(cell)} was flipped in this turn already; not twice in one turn."
    if tile.flips <= 0:
        return _why_no_flips(state, cell)
    if (turn ^ tile.turn) & 1 == 0:
        needs = f"{WRONG_WAY_ROUND}: the other side shows only after an odd number of quarter turns."
        good = " or ".join(move_text(moves.flip_move(cell, each)) for each in state.flip_turns(cell))
        if good:
            return f"{needs} The tile can be flipped here [{good}]."
        return f"{needs} Its beasts do not match the neighbours then, so it cannot be flipped here now."
    turned_to = turned(tile.segments, turn - tile.turn)
    why = _mismatch(turned_to, state.board.demand(cell), cell)
    if why is not None:
        return why
    if turn not in tile.flip_turns():
        same = moves.flip_move(cell, turn - 2)
        return f"Turned half round the tile looks the same; play that [{move_text(same)}]."
    return None


def _why_no_flips(state: MarramState, cell: int) -> str:
    tile = state.board.tiles[cell]
    where = f"That tile {at_place(cell)}"
    if tile.flipped:
        times = "three times" if state.numbers.variant == CLASSIC else "once"
        return f"{where} has no flips left; a tile is flipped at most {times}."
    if state.numbers.variant == CLASSIC:
        return f"{where} has no spade; only spade tiles can be flipped."
    if tile.segments:
        return (
            f"{where} cannot be flipped while it shows {segments_words(tile.segments)}; "
            "it needs a spade and all its beasts, or none."
        )
    return f"{where} can never be flipped: a boot stood on it when its last segment was removed."


# --- claims -----------------------------------------------------------------------------------------------------------


def _against_claim(state: MarramState, seat: int, move: int) -> str | None:
    kind = moves.claim_piece(move)
    slot = moves.claim_slot(move)
    board = state.board
    cell = state.played
    if kind > FORK or slot > BRIDGE_SLOT:
        return "There is no such claim; put a boot or fork on the bridge, a corner or a segment."
    named = canonical_slot(board, cell, slot)
    on = pieces_at(board, cell, named)
    if on < 0:
        return f"The tile {at_place(cell)} has no beast at its {EDGE_WORDS[slot]} edge."
    if kind != piece_for(slot, state.numbers.variant):
        if kind == FORK and state.numbers.variant == CLASSIC:
            return "There are no forks in Classic; boots claim everything."
        if kind == FORK:
            return "Forks claim beasts only; a patch is claimed with a boot."
        return "Boots claim patches only; a beast is claimed with a fork."
    if (state.boots[seat] if kind == BOOT else state.forks[seat]) <= 0:
        return f"You have no {moves.PIECE_NAMES[kind]}s in stock; they come home when their feature is complete."
    if on > 0:
        holders = seat_marks([other for other in range(state.seats) if count_of(on, other) > 0])
        if named < CORNER_SLOT:
            what = "beast"
        elif named == BRIDGE_SLOT:
            what = "patch of the bridge"
        else:
            what = f"patch at the {CORNER_WORDS[named - CORNER_SLOT]} corner"
        return f"Only what is free can be claimed; the {what} is held by {holders}."
    if named != slot:
        return f"That is another name for a claim you can make; play that [{move_text(moves.claim_move(kind, named))}]."
    return None


# --- chance -----------------------------------------------------------------------------------------------------------


def _against_chance(state: MarramState, move: int) -> str | None:
    if move in state.legal(CHANCE):
        return None
    phase = state.phase
    kind = moves.kind_of_move(move)
    if phase == LOT:
        return f"Who begins is drawn before all else [first 0 to first {state.seats - 1}]."
    if phase in DRAWING:
        if kind == moves.DRAW:
            return f"That tile [{moves.payload(move)}] is not in the stock."
        return "A tile is to be drawn from the stock now."
    name = "fly" if phase in (FLY_HOPS, FLY_APPEARS) else "frog"
    if kind not in (moves.FLY, moves.FROG):
        return f"The {name} is to move now."
    if phase in (FLY_APPEARS, FROG_APPEARS):
        return f"The {name} appears as far as possible from every blue head, and not there [{move_text(move)}]."
    corner = "" if name == "fly" else " or a corner"
    return f"The {name} hops to a tile that shares an edge{corner} with its own, and not there [{move_text(move)}]."
