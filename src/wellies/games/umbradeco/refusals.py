"""Why a move is refused, in words that teach the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.state import CHANCE
from wellies.games.umbradeco import hidden
from wellies.games.umbradeco.mat import Mat
from wellies.games.umbradeco.mat_geometry import DIRECTION_WORDS, at_space
from wellies.games.umbradeco.material import COLOURS, NONE
from wellies.games.umbradeco.moves import Parts, move_text, take_apart
from wellies.games.umbradeco.phases import TAKING, WHO_BEGINS

if TYPE_CHECKING:
    from wellies.games.umbradeco.state import UmbradecoState


def rule_against(state: UmbradecoState, seat: int, move: int) -> str | None:
    """None exactly when the move is one of `state.legal(seat)`."""
    if seat not in state.active():
        return state.turn_refusal(seat)
    parts = take_apart(move)
    if parts is None:
        return "That is not a move of Umbradeco."
    if seat == CHANCE:
        return _against_chance(state, parts)
    if parts.kind in ("draw", "first"):
        return "That is for chance to do; place a tile of yours, or take one from the market."
    if state.phase == TAKING:
        return _against_taking(state, parts)
    if parts.kind == "take":
        return "Place a tile first; one from the market is taken after that."
    if parts.colour not in state.hand_colours(seat):
        return f"There is no {COLOURS[parts.colour]} tile in your hand."
    if parts.kind == "drop":
        return _against_dropping(state, seat, move)
    if parts.space >= state.mat.geometry.spaces:
        return f"That space {at_space(parts.space)} lies outside the mat."
    if parts.kind == "place":
        return _against_placing(state.mat, parts.colour, parts.space)
    if parts.kind == "push":
        return _against_pushing(state.mat, parts.colour, parts.space, parts.direction)
    return _against_stacking(state.mat, parts.colour, parts.space)


def _against_dropping(state: UmbradecoState, seat: int, move: int) -> str | None:
    legal = state.legal(seat)
    if move in legal:
        return None
    return (
        "A tile is discarded only when no tile of the hand can be placed, and one of yours can be "
        f"[such as {move_text(legal[0])}]."
    )


def _against_taking(state: UmbradecoState, parts: Parts) -> str | None:
    if parts.kind != "take":
        return "The tile of this turn is placed or discarded; now take one from the market."
    if parts.colour not in state.market:
        return f"There is no {COLOURS[parts.colour]} tile in the market."
    return None


def _against_chance(state: UmbradecoState, parts: Parts) -> str | None:
    if state.next_chance() == WHO_BEGINS:
        if parts.kind != "first":
            return "All is set up; chance now decides who begins [first 0]."
        return None if parts.seat < state.seats else f"There is no seat {parts.seat} at this table."
    if parts.kind != "draw":
        return "A tile is drawn now [draw red]."
    if not state.pool[parts.colour]:
        return f"No {COLOURS[parts.colour]} tile is left to draw."
    if not hidden.draw_weight(state, parts.colour):
        return f"Every {COLOURS[parts.colour]} tile left must be in a hand, as a discard has shown."
    if parts.colour == state.barred_colour():
        return (
            f"The first tile on the mat is {COLOURS[parts.colour]} too, so this one goes back into the deck; draw "
            f"one of another colour."
        )
    return None


# --- placing a tile ---------------------------------------------------------------------------------------------------


def _against_placing(mat: Mat, colour: int, space: int) -> str | None:
    """Why this colour may not be laid on an empty space here; None if it may."""
    if mat.top[space] != NONE:
        return (
            f"A tile lies there already {at_space(space)}. Put yours on an empty space beside a tile, push that "
            f"tile over, or stack on it."
        )
    if not mat.geometry.near[space] & mat.occupied:
        return f"That space {at_space(space)} touches no tile; a tile goes beside one that lies on the mat."
    return _clash(mat, colour, space, NONE)


def _against_pushing(mat: Mat, colour: int, space: int, direction: int) -> str | None:
    """Why the tile of this space may not be pushed that way to make room for this colour; None if it may."""
    if mat.top[space] == NONE:
        return f"There is no tile {at_space(space)} to push over."
    if space in mat.under:
        return f"A stack lies there {at_space(space)}, and a stack is never pushed; only a single tile is."
    beyond = mat.geometry.beyond[space * 6 + direction]
    if beyond == NONE:
        return f"The tile {at_space(space)} would leave the mat; push it to an empty space on the mat."
    if mat.top[beyond] != NONE:
        return f"The space beyond it {at_space(beyond)} is taken; a tile is pushed to an empty space beside it."
    pushed = mat.top[space]
    if pushed == colour:
        return (
            f"The pushed tile would touch yours, and both are {COLOURS[colour]}; two touching spaces never show "
            f"the same colour."
        )
    why = _clash(mat, colour, space, NONE)
    if why is not None:
        return why
    why = _clash(mat, pushed, beyond, space)
    return None if why is None else f"The pushed tile cannot lie there: {why[0].lower()}{why[1:]}"


def _against_stacking(mat: Mat, colour: int, space: int) -> str | None:
    """Why this colour may not be stacked on this space; None if it may."""
    if mat.top[space] == NONE:
        return f"There is no tile {at_space(space)} to stack on."
    if space in mat.under:
        return f"The stack {at_space(space)} is two tiles high already, and that is the limit."
    gaps = mat.geometry.listed(mat.geometry.near[space] & ~mat.occupied)
    if gaps:
        return (
            f"A tile can be stacked on only when all spaces around it are taken; the one to the "
            f"{_direction(mat, space, gaps[0])} {at_space(gaps[0])} is empty."
        )
    if mat.top[space] == colour:
        return f"The tile {at_space(space)} is {COLOURS[colour]} too; stack on a tile of another colour."
    return _clash(mat, colour, space, NONE)


def _clash(mat: Mat, colour: int, space: int, leaving: int) -> str | None:
    """The colour rule for a tile on this space, when the tile at `leaving` (or NONE) is no longer there."""
    clashes = mat.geometry.near[space] & mat.showing[colour]
    if leaving != NONE:
        clashes &= ~mat.geometry.bit[leaving]
    if not clashes:
        return None
    other = mat.geometry.listed(clashes)[0]
    return (
        f"{COLOURS[colour].capitalize()} {at_space(space)} would touch {COLOURS[colour]} to the "
        f"{_direction(mat, space, other)} {at_space(other)}; two touching spaces never show the same colour."
    )


def _direction(mat: Mat, space: int, beside: int) -> str:
    """In which direction of a space another one lies."""
    return DIRECTION_WORDS[mat.geometry.beyond[space * 6 : space * 6 + 6].index(beside)]
