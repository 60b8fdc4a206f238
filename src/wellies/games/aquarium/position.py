"""Positions of Ultimate Aquarium as JSON, both ways.

    {"game": "aquarium", "options": {"cards": "standard"}, "phase": "turn", "round": 3, "first": 1, "to_move": 1,
     "store": ["Seahorse", "Driftwood"], "deck": 40, "discards": ["Anthias"],
     "seats": [{"grid": [["Water", ...], ...], "net": true, "restock": false, "aside": ["?", "?"]}, ...]}

`grid` is row by row from the top. In the set-up a seat also has its `hand` and what it has `placed` (such as
{"b2": "Seahorse"}, or a count where that is secret); afterwards, `aside` has the two cards it did not keep. While the
last nets are asked for, `answer` is "net a1 b2", "keep net" or "?". `?` is a card not seen. What is in the deck is
never listed: it is everything that is not elsewhere; if `deck` is smaller than that, the rest is lost, nobody knows
which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wellies.core.errors import BadPosition, MoveError, nearest
from wellies.core.events import Json
from wellies.core.fields import Fields, integer
from wellies.core.options import check_options
from wellies.core.state import ALL_SEEING
from wellies.games.aquarium import moves
from wellies.games.aquarium.phases import (
    DEAL,
    EMPTY,
    HAND,
    KEPT,
    NETS,
    OVER,
    PHASES,
    SECRET_ANSWER,
    SETUP,
    STOCK,
    TOKEN,
    TURN,
    UNANSWERED,
    UNKNOWN,
)
from wellies.games.aquarium.scoring import tank_points
from wellies.games.aquarium.tank_spaces import SPACE_NAMES, SPACES, rows

if TYPE_CHECKING:
    from wellies.core.spec import GameSpec
    from wellies.games.aquarium.state import AquariumState

FIELDS: Final = (
    "game",
    "options",
    "phase",
    "round",
    "first",
    "to_move",
    "store",
    "seats",
    "deck",
    "discards",
    "check",
)
SEAT_FIELDS: Final = ("grid", "net", "restock", "hand", "placed", "aside", "answer")
NOT_CHECKED: Final = ' (or add "check": false)'


# --- writing --------------------------------------------------------------------------------------------------------


def write_position(state: AquariumState, viewer: int | None) -> Json:
    """The position as the viewer may see it. What is hidden is listed as `?` or as a count."""
    cards = state.cards
    named = state.options["cards"]
    position: Json = {
        "game": "aquarium",
        "options": {"cards": named if isinstance(named, str) else cards.to_json()},
        "phase": PHASES[state.phase],
        "round": state.round,
    }
    if state.phase != TOKEN:
        position["first"] = state.first
    if state.phase == STOCK or state.phase == TURN:
        position["to_move"] = state.to_move
        position["store"] = [cards.names[card] for card in state.store]
    position["seats"] = [_write_seat(state, seat, viewer in (seat, ALL_SEEING)) for seat in range(state.seats)]
    position["deck"] = state.deck_size
    position["discards"] = [cards.names[card] for card, count in enumerate(state.discards) for _ in range(count)]
    if not state.checked:
        position["check"] = False
    return position


def _write_seat(state: AquariumState, seat: int, open: bool) -> Json:
    names = state.cards.names
    result: Json = {
        "grid": rows([names[card] for card in state.tanks[seat]]),
        "net": state.nets[seat],
        "restock": state.restocks[seat],
    }
    if state.phase in (DEAL, SETUP):
        result["hand"] = [names[card] if open and card >= 0 else "?" for card in state.hands[seat]]
    if state.phase == SETUP:
        if open and not state.unseen_placed[seat]:
            result["placed"] = {
                SPACE_NAMES[at]: names[card] for at, card in enumerate(state.placed[seat]) if card != EMPTY
            }
        else:
            result["placed"] = state.placed_count(seat)
    if state.phase in (STOCK, TURN, NETS, OVER):
        result["aside"] = [names[card] if open and card >= 0 else "?" for card in state.aside[seat]]
    if state.phase == NETS and state.answers[seat] != UNANSWERED:
        answer = state.answers[seat]
        result["answer"] = moves.move_text(state.cards, answer) if open and answer >= 0 else "?"
    return result


# --- reading --------------------------------------------------------------------------------------------------------


def read_position(spec: GameSpec, position: Json) -> AquariumState:
    """Set a position up; BadPosition names the field and what is wrong with it."""
    from wellies.games.aquarium.state import new_game

    fields = Fields(position, "", FIELDS)
    listed = fields.items("seats")
    seats = max(len(listed), spec.min_seats)  # a seat left out sits before its starting tank, like any field left out
    spec.check_seats(seats)
    state = new_game(spec, seats, check_options(spec.options, fields.get("options"), seats, spec.title))
    state.checked = fields.boolean("check", True)
    each = [Fields(entry, f"seats[{seat}]", SEAT_FIELDS) for seat, entry in enumerate(listed)]
    state.phase = _read_phase(fields, each)
    playing = state.phase >= STOCK
    default = state.rounds if state.phase >= NETS else 1 if playing else 0
    state.round = fields.integer("round", default, 1 if playing else 0, state.rounds if playing else 0)
    if fields.has("first") and state.phase == TOKEN:
        raise BadPosition('first: in phase "token" nobody has the fish token yet; leave it out, or say phase "deal".')
    state.first = fields.integer("first", 0, 0, seats - 1)
    state.to_move = fields.integer("to_move", state.first, 0, seats - 1)
    state.store = [
        _card(state, name, f"store[{index}]", unseen=False) for index, name in enumerate(fields.items("store"))
    ]
    for seat, seat_fields in enumerate(each):
        _read_seat(state, seat, seat_fields)
    for index, name in enumerate(fields.items("discards")):
        card = _card(state, name, f"discards[{index}]", unseen=False)
        if state.cards.starters[card]:
            raise BadPosition(f"discards[{index}]: {name} is a starter; discarded starters are not kept count of.")
        state.discards[card] += 1
    _fill_deck(state, fields)
    _check_phase(state)
    if not playing:
        state.to_move = 0
    return state


def _read_phase(fields: Fields, seats: list[Fields]) -> int:
    """The phase as given, or what the other fields say it must be."""
    if fields.has("phase"):
        return PHASES.index(fields.word("phase", "", list(PHASES)))
    if fields.items("store"):
        return TURN
    if fields.has("round") and fields.get("round") != 0:
        return STOCK
    if any(seat.has("placed") for seat in seats):
        return SETUP
    hands = [len(seat.items("hand")) for seat in seats]
    if hands and min(hands) == HAND:
        return SETUP
    return DEAL if fields.has("first") or any(hands) else TOKEN


def _card(state: AquariumState, name: Any, path: str, unseen: bool) -> int:
    """The index of a card by its name; where cards can be hidden, `?` is one not seen."""
    if unseen and name == "?":
        return UNKNOWN
    card = state.cards.ids.get(name) if isinstance(name, str) else None
    if card is None:
        hint = nearest(name, state.cards.names) if isinstance(name, str) else ""
        raise BadPosition(f"{path}: {name!r} is not the name of a card in this game.{hint}")
    return card


def _read_seat(state: AquariumState, seat: int, fields: Fields) -> None:
    path = f"seats[{seat}]"
    if fields.has("grid"):
        state.tanks[seat] = _read_grid(state, fields.get("grid"), f"{path}.grid")
        state.points[seat] = tank_points(state.cards, state.tanks[seat])
    state.nets[seat] = fields.boolean("net", True)
    state.restocks[seat] = fields.boolean("restock", True)
    state.hands[seat] = _read_hidden(state, fields, "hand", path, HAND)
    state.aside[seat] = _read_hidden(state, fields, "aside", path, HAND - KEPT)
    if fields.has("placed"):
        _read_placed(state, seat, fields.get("placed"), f"{path}.placed")
    if fields.get("answer") is not None:
        state.answers[seat] = _read_answer(state, fields.get("answer"), f"{path}.answer")


def _read_grid(state: AquariumState, value: Any, path: str) -> list[int]:
    if not isinstance(value, list) or len(value) != 3 or any(not isinstance(r, list) or len(r) != 3 for r in value):
        raise BadPosition(f"{path} must be three rows of three card names, the top row first.")
    return [
        _card(state, name, f"{path}[{row}][{column}]", unseen=False)
        for row, names in enumerate(value)
        for column, name in enumerate(names)
    ]


def _read_hidden(state: AquariumState, fields: Fields, name: str, path: str, most: int) -> list[int]:
    """Cards that are hidden from other seats, in the fixed order."""
    cards = [_card(state, item, f"{path}.{name}[{i}]", unseen=True) for i, item in enumerate(fields.items(name))]
    if len(cards) > most:
        raise BadPosition(f"{path}.{name} has {len(cards)} cards; there are at most {most}.")
    for i, card in enumerate(cards):
        if card >= 0 and state.cards.starters[card]:
            raise BadPosition(
                f"{path}.{name}[{i}]: {state.cards.names[card]} is a starter, and starters are not dealt."
            )
    return sorted(cards)


def _read_placed(state: AquariumState, seat: int, value: Any, path: str) -> None:
    if not isinstance(value, dict):
        state.unseen_placed[seat] = integer(value, path, 0, KEPT)
        return
    placed = [EMPTY] * SPACES
    for space, name in value.items():
        at = moves.space_index(space)
        if at < 0:
            raise BadPosition(f"{path}: {space!r} is not a space; columns are a to c, rows 1 to 3, such as b2.")
        placed[at] = _card(state, name, f"{path}.{space}", unseen=False)
        if state.cards.starters[placed[at]]:
            raise BadPosition(f"{path}.{space}: {name} is a starter, and starters are not dealt.")
        if placed[at] == state.tanks[seat][at]:
            raise BadPosition(f"{path}.{space}: a card never replaces one of its own name.")
    if len(value) > KEPT:
        raise BadPosition(f"{path} has {len(value)} cards; only {KEPT} are kept.")
    state.placed[seat] = placed


def _read_answer(state: AquariumState, value: Any, path: str) -> int:
    if value == "?":
        return SECRET_ANSWER
    try:
        move = moves.read_move(state.cards, value) if isinstance(value, str) else -1
    except MoveError:
        move = -1
    if move != moves.KEEP_NET and not moves.NET <= move < moves.RESTOCK:
        raise BadPosition(f'{path} must be like "net a1 b2", or "keep net", or "?" for a secret one, not {value!r}.')
    return move


def _fill_deck(state: AquariumState, fields: Fields) -> None:
    """The deck is what is nowhere else; no card may be about more often than the box has it."""
    used = state.discards.copy()
    unknown = sum(state.unseen_placed)
    places = [state.store, *state.tanks, *state.hands, *state.placed, *state.aside]
    for place in places:
        for card in place:
            if card >= 0:
                used[card] += 1
            elif card == UNKNOWN:
                unknown += 1
    for card, count in enumerate(used):
        most = state.cards.in_box[card]
        if state.checked and count > most:
            name = state.cards.names[card]
            raise BadPosition(f"there are {count} cards {name} here, and only {most} in the box{NOT_CHECKED}.")
        state.deck[card] = max(0, state.cards.in_deck[card] - count)
    left = sum(state.deck) - unknown
    if left < 0:
        raise BadPosition(f"there are {unknown} unseen cards here, and only {left + unknown} that they could be.")
    state.deck_size = left
    if fields.has("deck"):
        size = integer(fields.get("deck"), "deck", 0, sum(state.cards.in_deck))
        if size > left:
            raise BadPosition(f"deck: {size} cards cannot be in it; only {left} are not elsewhere.")
        state.deck_size = size


# --- what must hold in each phase -----------------------------------------------------------------------------------


def _check_phase(state: AquariumState) -> None:
    """Refuse what the rules could not go on from, whatever `check` says."""
    phase = state.phase
    for seat in range(state.seats):
        path = f"seats[{seat}]"
        hand = len(state.hands[seat])
        placed = state.placed_count(seat)
        if phase not in (DEAL, SETUP) and hand:
            raise BadPosition(f'{path}.hand: cards are in hand in the phases "deal" and "setup" only.')
        if phase != SETUP and placed:
            raise BadPosition(f'{path}.placed: cards lie face down on a tank in the phase "setup" only.')
        if phase < STOCK and state.aside[seat]:
            raise BadPosition(f"{path}.aside: cards are set aside when the set-up is over, not before.")
        if phase == SETUP and hand + placed != HAND:
            raise BadPosition(
                f"{path}: hand and placed together must be {HAND} cards in the set-up, not {hand + placed}."
            )
        if state.answers[seat] != UNANSWERED:
            _check_answer(state, seat, f"{path}.answer")
    if state.store and phase not in (STOCK, TURN):
        raise BadPosition(f'store: there is no store in the phase "{PHASES[phase]}"; leave it out.')
    if state.checked and len(state.store) > state.store_size:
        raise BadPosition(
            f"store: {len(state.store)} cards are too many; it holds {state.store_size} at {state.seats} seats"
            f"{NOT_CHECKED}."
        )
    if phase in (TOKEN, DEAL):
        _check_deal(state)
    elif phase == SETUP and not state.due():
        raise BadPosition('seats: everyone has placed three cards, so the set-up is over; say phase "stock".')
    elif phase == STOCK:
        if len(state.store) >= state.store_size:
            raise BadPosition('store: it is full, so the phase is "turn", not "stock".')
        if state.deck_size == 0:
            raise BadPosition("deck: it is empty, so the store cannot be filled; give a store or some cards.")
    elif phase == TURN:
        if not state.store:
            raise BadPosition(
                'store: someone is to take a card, and it is empty; list its cards, or say phase "stock".'
            )
        if not state.can_take(state.to_move):
            raise BadPosition("store: the seat to move has nine cards of one name, and the store has no other card.")
    if state.checked and phase >= NETS and state.round < state.rounds and state.deck_size:
        raise BadPosition(
            f"round: the game goes on to round {state.rounds} while the deck has cards, so the phase "
            f'"{PHASES[phase]}" cannot be{NOT_CHECKED}.'
        )
    if phase == NETS and not state.due():
        raise BadPosition('seats: nobody has a net to decide about, so the phase is "over", not "nets".')


def _check_answer(state: AquariumState, seat: int, path: str) -> None:
    if state.phase != NETS or not state.nets[seat]:
        raise BadPosition(f'{path}: only seats with a net have an answer, and in the phase "nets" only.')
    answer = state.answers[seat]
    if moves.NET <= answer < moves.RESTOCK:
        one, two = moves.PAIRS[answer - moves.NET]
        if state.tanks[seat][one] == state.tanks[seat][two]:
            raise BadPosition(f"{path}: swapping two cards of the same name changes nothing; it cannot be the answer.")


def _check_deal(state: AquariumState) -> None:
    sizes = [len(hand) for hand in state.hands]
    receiver = state.receiver()
    if receiver < 0:
        raise BadPosition('seats: every hand has five cards, so the phase is "setup".')
    if any(sizes[receiver + 1 :]) or (state.phase == TOKEN and any(sizes)):
        raise BadPosition("seats: hands are dealt after the fish token, seat by seat, five cards to each.")
    needed = HAND * state.seats - sum(sizes)
    if state.deck_size < needed:
        raise BadPosition(f"deck: {needed} cards are still to be dealt, and it has {state.deck_size}.")
