"""Why a move is refused, in words that teach the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.state import CHANCE
from wellies.games.guppies.faces import EDGE_WORDS, MATE, letter_name
from wellies.games.guppies.material import shown_face
from wellies.games.guppies.moves import DRAW, ORIGIN, at_place, is_draw, is_lay
from wellies.games.guppies.open_spaces import on_one_table

if TYPE_CHECKING:
    from wellies.games.guppies.state import GuppiesState


def rule_against(state: GuppiesState, seat: int, move: int) -> str | None:
    """None exactly when the move is one of `state.legal(seat)`."""
    if seat == CHANCE:
        return _against_draw(state, move)
    if is_draw(move):
        return "Tiles are drawn by chance; lay the tile that was drawn."
    if not is_lay(move):
        return "That is not a move of Guppies; lay the drawn tile [as face, turn and place, such as a2@1,-1]."
    place, way = move >> 4, move & 15
    if not state.board:
        if place != ORIGIN or way % 6:
            return "The first tile goes to the middle, unturned [a0@0,0 or b0@0,0]."
        if move not in state.all_lays():
            return "Both faces of this tile are alike; lay the first [a0@0,0]."
        return None
    if place in state.board:
        return f"There is a tile already {at_place(place)}; lay yours on an open space that touches a tile."
    if state.one_table and not on_one_table(place):
        return f"That space {at_place(place)} is off the table: a tile must lie wholly on it."
    slots = state.slots_at(place)
    if not slots:
        return f"That space {at_place(place)} touches no laid tile; every tile must touch at least one."
    face = shown_face(state.tile, way)
    for slot in sorted(slots):
        edge, wanted = slot >> 3, slot & 7
        shown = face >> (3 * edge) & 7
        if shown != wanted:
            return (
                f"The {EDGE_WORDS[edge]} edge would put {letter_name(shown)} against {letter_name(MATE[wanted])}; "
                "only head to tail of one colour, or water to water, may touch."
            )
    twin = state.same_way(way)
    if twin != way:
        return f"Turned like this the tile looks as in another turn; play that [{'ab'[twin // 6]}{twin % 6}]."
    return None


def _against_draw(state: GuppiesState, move: int) -> str | None:
    if not is_draw(move):
        return "Chance draws a tile [draw 57]."
    number = move - DRAW
    if number not in state.bag:
        return f"Tile {number} is not in the bag."
    return None
