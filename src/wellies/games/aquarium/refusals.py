"""Why a move is refused, in words that teach the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.core.state import CHANCE
from wellies.core.texts import seat_mark
from wellies.games.aquarium.moves import DRAW, END, FIRST, NET, PAIRS, PUT, RESTOCK, TAKE
from wellies.games.aquarium.phases import DEAL, EMPTY, KEPT, NETS, OVER, SETUP, STOCK, TOKEN, TURN
from wellies.games.aquarium.tank_spaces import SPACE_NAMES, SPACES

if TYPE_CHECKING:
    from wellies.games.aquarium.state import AquariumState

YOURS_ARE_DOWN: Final = "Three cards of the five are kept, and yours are down; wait until everyone is ready."
NET_USED: Final = "Your net is used up; everyone has one, once a game."
YOU_ANSWERED: Final = "You have answered; wait until everyone has."


def rule_against(state: AquariumState, seat: int, move: int) -> str | None:
    """None exactly when the move is one of `state.legal(seat)`."""
    if seat == CHANCE:
        return _against_chance(state, move)
    if not 0 <= seat < state.seats:
        return f"There is no seat {seat} at this table."
    if not PUT <= move < END:
        return "That is not a move of Ultimate Aquarium."
    if move >= DRAW:
        return "Drawing cards and giving the fish token away is for chance, not for a player."
    if state.phase == OVER:
        return "The game is over."
    if state.phase not in (SETUP, TURN, NETS):
        return "Cards are being drawn; nobody is to move."
    if move < TAKE:
        return _against_put(state, seat, move - PUT)
    if move < NET:
        return _against_take(state, seat, move - TAKE)
    if move < RESTOCK:
        return _against_net(state, seat, move)
    if move == RESTOCK:
        return _against_restock(state, seat)
    return _against_keep(state, seat)


def rule_out_of_turn(state: AquariumState, seat: int, move: int | None) -> str | None:
    """Why a seat that is not active cannot move, beyond whose turn it is."""
    if state.phase == SETUP:
        return YOURS_ARE_DOWN
    if state.phase == NETS:
        return YOU_ANSWERED if state.nets[seat] else NET_USED
    if state.phase == TURN and move is not None and NET <= move < RESTOCK:
        return _against_net(state, seat, move)
    return None


def _against_chance(state: AquariumState, move: int) -> str | None:
    if state.phase == TOKEN:
        if FIRST <= move < FIRST + state.seats:
            return None
        return f"First comes who holds the fish token [first 0 to first {state.seats - 1}]."
    if state.phase not in (DEAL, STOCK):
        return "There is nothing to draw now."
    if not DRAW <= move < FIRST:
        return "A card is to be drawn from the deck."
    card = move - DRAW
    if card >= len(state.deck):
        return "There is no such card in this game."
    if state.deck[card]:
        return None
    if state.cards.starters[card]:
        return f"{state.cards.names[card]} is a starter card; starters are never in the deck."
    return f"No {state.cards.names[card]} is left in the deck."


def _against_put(state: AquariumState, seat: int, packed: int) -> str | None:
    card, space = packed // SPACES, packed % SPACES
    if card >= len(state.cards.names):
        return "There is no such card in this game."
    name = state.cards.names[card]
    if state.phase != SETUP:
        return "Cards of the hand are put on the tank in the set-up only; now cards are taken from the store."
    if state.placed_count(seat) >= KEPT:
        return YOURS_ARE_DOWN
    if card not in state.hand_cards(seat):
        return f"There is no {name} in your hand{_again(state, seat, card)}."
    if state.placed[seat][space] != EMPTY:
        return f"You have put a card there already [on {SPACE_NAMES[space]}]; the three go on three different spaces."
    if state.tanks[seat][space] == card:
        return f"A card never replaces one of its own name, and there is a {name} already [on {SPACE_NAMES[space]}]."
    return None


def _again(state: AquariumState, seat: int, card: int) -> str:
    return ": the one you had is on your tank" if card in state.placed[seat] else ""


def _against_take(state: AquariumState, seat: int, packed: int) -> str | None:
    card, space = packed // SPACES, packed % SPACES
    if card >= len(state.cards.names):
        return "There is no such card in this game."
    name = state.cards.names[card]
    if state.phase == SETUP:
        return "The store opens after the set-up; first put three cards of your hand on your tank."
    if state.phase == NETS:
        return "The last turn is over; all that is left is to use your net or to keep it."
    if seat != state.to_move:
        return f"It is {seat_mark(state.to_move)}'s turn to take a card; out of turn you may only use your net."
    if card not in state.store:
        return f"There is no {name} in the store."
    if state.tanks[seat][space] == card:
        return f"A card never replaces one of its own name, and there is a {name} already [on {SPACE_NAMES[space]}]."
    return None


def _against_net(state: AquariumState, seat: int, move: int) -> str | None:
    if state.phase == SETUP:
        return "The net waits until all cards of the set-up are revealed."
    if not state.nets[seat]:
        return NET_USED
    if state.phase == NETS and not state.asked(seat):
        return YOU_ANSWERED
    one, two = PAIRS[move - NET]
    tank = state.tanks[seat]
    if tank[one] == tank[two]:
        return (
            f"Both spaces [{SPACE_NAMES[one]} and {SPACE_NAMES[two]}] have a {state.cards.names[tank[one]]}; "
            "swapping two cards of the same name changes nothing."
        )
    return None


def _against_restock(state: AquariumState, seat: int) -> str | None:
    if state.phase == SETUP:
        return "There is no store to restock before the first round."
    if state.phase == NETS:
        return "The last turn is over; the store is closed."
    if seat != state.to_move:
        return "You restock on your own turn only, before you take a card."
    if not state.restocks[seat]:
        return "Your restock is used up; everyone has one, once a game."
    if state.deck_size == 0:
        return "The deck is empty; there is nothing to restock with."
    return None


def _against_keep(state: AquariumState, seat: int) -> str | None:
    if state.phase != NETS:
        return "You are asked whether you keep your net after the last turn; until then simply do not use it."
    if not state.nets[seat]:
        return "Your net is used up; there is nothing to keep."
    if not state.asked(seat):
        return YOU_ANSWERED
    return None
