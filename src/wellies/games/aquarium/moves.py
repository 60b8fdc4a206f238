"""Moves as numbers, as text, as JSON fields and in words.

    put CARD on SPACE     0 + 9 * card + space       `put Seahorse@b2`
    take CARD to SPACE    576 + 9 * card + space     `take Seahorse@b2`
    net SPACE SPACE       1152 + pair                `net a1 b2`
    restock               1188                       `restock`
    keep the net          1189                       `keep net`
    chance: draw CARD     1190 + card                `draw Seahorse`
    chance: first SEAT    1254 + seat                `first 0`

Cards are numbered as in the card file, spaces row by row from the top left.
"""

from __future__ import annotations

import re
from typing import Final

from wellies.core.errors import BadNotation, UnknownPiece, nearest, not_a_move
from wellies.core.events import Json
from wellies.core.texts import seat_mark
from wellies.games.aquarium.material import MOST_CARDS, Material, compact_name
from wellies.games.aquarium.tank_spaces import SPACE_NAMES, SPACES

PUT: Final = 0
TAKE: Final = PUT + MOST_CARDS * SPACES
NET: Final = TAKE + MOST_CARDS * SPACES
PAIRS: Final = tuple((a, b) for a in range(SPACES) for b in range(a + 1, SPACES))
RESTOCK: Final = NET + len(PAIRS)
KEEP_NET: Final = RESTOCK + 1
DRAW: Final = KEEP_NET + 1
FIRST: Final = DRAW + MOST_CARDS
END: Final = FIRST + 4

FORMS: Final = "put CARD@SPACE, take CARD@SPACE, net SPACE SPACE, restock, keep net"
EXAMPLES: Final = '"take Seahorse@b2", "net a1 b2" or "restock"'

_PLACING: Final = re.compile(r"(put|take)([^@]+)@([^@]+)")
_SWAP: Final = re.compile(r"net([a-z][0-9]+)[,-]?([a-z][0-9]+)")
_SEAT: Final = re.compile(r"first([0-9]{1,3})")
_SPACE: Final = re.compile(r"[a-z][0-9]+")


def pack_net(one: int, two: int) -> int:
    """The swap of two different spaces."""
    low, high = (one, two) if one < two else (two, one)
    return NET + low * (2 * SPACES - 1 - low) // 2 + high - low - 1


def space_index(name: str) -> int:
    """The number of a space, or -1."""
    return SPACE_NAMES.index(name) if name in SPACE_NAMES else -1


def move_text(cards: Material, move: int) -> str:
    """The move as records keep it. BadNotation for a number that is no move."""
    if 0 <= move < NET:
        card, space = divmod(move - PUT if move < TAKE else move - TAKE, SPACES)
        if card < len(cards.names):
            return f"{'put' if move < TAKE else 'take'} {cards.names[card]}@{SPACE_NAMES[space]}"
    elif NET <= move < RESTOCK:
        one, two = PAIRS[move - NET]
        return f"net {SPACE_NAMES[one]} {SPACE_NAMES[two]}"
    elif move == RESTOCK:
        return "restock"
    elif move == KEEP_NET:
        return "keep net"
    elif DRAW <= move < FIRST:
        if move - DRAW < len(cards.names):
            return f"draw {cards.names[move - DRAW]}"
    elif FIRST <= move < END:
        return f"first {move - FIRST}"
    raise not_a_move(move, "Ultimate Aquarium")


def read_move(cards: Material, text: str) -> int:
    """The move that a text stands for, legal or not; spaces may be missing. BadNotation or UnknownPiece."""
    plain = compact_name(text)
    if plain == "restock":
        return RESTOCK
    if plain == "keepnet":
        return KEEP_NET
    placing = _PLACING.fullmatch(plain)
    if placing is not None and _SPACE.fullmatch(placing[3]):
        base = PUT if placing[1] == "put" else TAKE
        return base + SPACES * _card(cards, placing[2]) + _space(placing[3])
    swap = _SWAP.fullmatch(plain)
    if swap is not None:
        one, two = _space(swap[1]), _space(swap[2])
        if one == two:
            raise BadNotation(f'"{text}" names one space twice; a net swaps two different spaces, such as "net a1 b2".')
        return pack_net(one, two)
    seat = _SEAT.fullmatch(plain)
    if seat is not None:
        if int(seat[1]) >= END - FIRST:
            raise UnknownPiece(f"There is no seat {int(seat[1])}; seats run from 0 to {END - FIRST - 1}.")
        return FIRST + int(seat[1])
    if plain.startswith("draw") and len(plain) > 4 and "@" not in plain:
        return DRAW + _card(cards, plain[4:])
    raise BadNotation(
        f"{text[:60]!r} is not a move of Ultimate Aquarium; the forms are {FORMS}, for example {EXAMPLES}."
    )


def _card(cards: Material, compact: str) -> int:
    card = cards.by_compact_name.get(compact)
    if card is None:
        close = nearest(compact, list(cards.by_compact_name))
        for name in cards.names:
            close = close.replace(f'"{compact_name(name)}"', f'"{name}"')
        raise UnknownPiece(f'There is no card "{compact[:40]}" in this game.{close}')
    return card


def _space(name: str) -> int:
    space = space_index(name)
    if space < 0:
        raise UnknownPiece(f'There is no space "{name[:10]}"; columns are a to c, rows 1 (top) to 3, such as b2.')
    return space


# --- for pages and people ---------------------------------------------------------------------------------------------


def move_fields(cards: Material, tank: list[int], move: int) -> Json:
    """The move taken apart; `tank` is that of the seat."""
    names = cards.names
    if move < NET:
        kind = "put" if move < TAKE else "take"
        card, space = divmod(move - (PUT if kind == "put" else TAKE), SPACES)
        return {"kind": kind, "card": names[card], "space": SPACE_NAMES[space], "replaces": names[tank[space]]}
    if move < RESTOCK:
        one, two = PAIRS[move - NET]
        return {"kind": "net", "spaces": [SPACE_NAMES[one], SPACE_NAMES[two]]}
    if move == RESTOCK:
        return {"kind": "restock"}
    if move == KEEP_NET:
        return {"kind": "keep net"}
    if move < FIRST:
        return {"kind": "draw", "card": names[move - DRAW]}
    return {"kind": "first", "seat": move - FIRST}


def move_words(cards: Material, tank: list[int], move: int) -> str:
    """The move as a phrase; `tank` is that of the seat."""
    fields = move_fields(cards, tank, move)
    kind = fields["kind"]
    if kind in ("put", "take"):
        return f"{kind} {fields['card']} in place of {fields['replaces']} [on {fields['space']}]"
    if kind == "net":
        one, two = fields["spaces"]
        names = [cards.names[tank[SPACE_NAMES.index(space)]] for space in (one, two)]
        return f"swap {names[0]} [on {one}] and {names[1]} [on {two}] with the net"
    if kind == "restock":
        return "restock: discard the whole store and fill it again"
    if kind == "keep net":
        return "leave the tank as it is and keep the net unused"
    if kind == "draw":
        return f"draw {fields['card']}"
    return f"the fish token goes to {seat_mark(fields['seat'])}"
