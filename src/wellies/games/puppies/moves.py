"""Moves as numbers, as text, as JSON fields and in words.

0-99      draw 42 (chance)          300-309   join huskies         400-439   up 2 huskies
100-199   choose 83                 310       stop                 500-899   move 5 pugs huskies
200-299   take 42                   311       draw (a player)
                                    320-329   bury huskies
"""

from __future__ import annotations

import re
from typing import Final

from wellies.core.errors import BadNotation, UnknownPiece, nearest, not_a_move
from wellies.core.events import Json
from wellies.games.puppies.material import CARDS, GROUPS, TOP, VALUES, Cards

CHOOSE: Final = 100
TAKE: Final = 200
JOIN: Final = 300
STOP: Final = 310
DIG: Final = 311
"""A player's own `draw`: yes, draw the next pup for the trick. Which pup it is, chance then says."""
BURY_AT: Final = 320
UP: Final = 400
SHIFT: Final = 500
END: Final = 900

_FORMS: Final = (
    '"choose 83", "take 42", "join huskies", "bury huskies", "up 2 huskies", "move 5 pugs huskies" or "stop"'
)
_WORDS: Final = ["choose", "take", "draw", "join", "bury", "up", "move", "stop"]
_CARD: Final = re.compile(r"(choose|take|draw)([0-9]{1,9})")
_GROUP: Final = re.compile(r"(join|bury)([A-Za-z'-]+)")
_UP: Final = re.compile(r"up([0-9]{1,9})([A-Za-z'-]+)")
_MOVE: Final = re.compile(r"move([0-9]{1,9})([A-Za-z'-]+)")


def up(bone: int) -> int:
    """The move that upgrades the bone `group * 4 + level`."""
    return UP + (bone & 3) * GROUPS + (bone >> 2)


def up_bone(move: int) -> int:
    return (move - UP) % GROUPS * 4 + (move - UP) // GROUPS


def shift(bone: int, group: int) -> int:
    """The move that carries the bone `group * 4 + level` to another group."""
    return SHIFT + (bone & 3) * 100 + (bone >> 2) * GROUPS + group


def shift_bone(move: int) -> int:
    return (move - SHIFT) // GROUPS % GROUPS * 4 + (move - SHIFT) // 100


def shift_to(move: int) -> int:
    return (move - SHIFT) % GROUPS


def kind_of(move: int) -> str:
    """The kind of a move: the first word of its text; a player's own draw is "dig"; "" for what is no move."""
    if 0 <= move < CARDS:
        return "draw"
    if CHOOSE <= move < CHOOSE + CARDS:
        return "choose"
    if TAKE <= move < TAKE + CARDS:
        return "take"
    if JOIN <= move < JOIN + GROUPS:
        return "join"
    if move == STOP:
        return "stop"
    if move == DIG:
        return "dig"
    if BURY_AT <= move < BURY_AT + GROUPS:
        return "bury"
    if UP <= move < UP + 4 * GROUPS:
        return "up"
    if SHIFT <= move < END:
        return "move"
    return ""


# --- text -------------------------------------------------------------------------------------------------------------


def move_text(cards: Cards, move: int) -> str:
    """The move in notation. BadNotation for a number that is no move."""
    kind = kind_of(move)
    if kind in ("draw", "choose", "take"):
        return f"{kind} {move % CARDS:02d}"
    if kind == "join":
        return f"join {cards.keys[move - JOIN]}"
    if kind == "bury":
        return f"bury {cards.keys[move - BURY_AT]}"
    if kind == "up":
        bone = up_bone(move)
        return f"up {VALUES[bone & 3]} {cards.keys[bone >> 2]}"
    if kind == "move":
        bone = shift_bone(move)
        return f"move {VALUES[bone & 3]} {cards.keys[bone >> 2]} {cards.keys[shift_to(move)]}"
    if kind == "dig":
        return "draw"
    if kind == "stop":
        return "stop"
    raise not_a_move(move, "Good Puppies")


def read_move(cards: Cards, text: str) -> int:
    """The move a text stands for, whether or not it is legal. Spaces do not matter."""
    if re.search(r"[0-9]\s+[0-9]", text):
        raise BadNotation(f"{text[:60]!r} has a space within a number; write one move at a time, such as {_FORMS}.")
    packed = "".join(text.split())
    if packed == "stop":
        return STOP
    if packed == "draw":
        return DIG
    found = _CARD.fullmatch(packed)
    if found:
        card = _card(found[2])
        return {"draw": 0, "choose": CHOOSE, "take": TAKE}[found[1]] + card
    found = _GROUP.fullmatch(packed)
    if found:
        return {"join": JOIN, "bury": BURY_AT}[found[1]] + _group(cards, found[2])
    found = _UP.fullmatch(packed)
    if found:
        level = _level(found[1])
        return up(_group(cards, found[2]) * 4 + level)
    found = _MOVE.fullmatch(packed)
    if found:
        level = _level(found[1])
        words = text.split("move", 1)[1].strip().lstrip("0123456789").split()
        source, target = _two_groups(cards, found[2], words)
        return shift(source * 4 + level, target)
    first = re.match(r"\s*([A-Za-z]*)", text)
    hint = nearest(first[1], _WORDS) if first and first[1] not in _WORDS else ""
    raise BadNotation(f"{text[:60]!r} is not a move of Good Puppies; write {_FORMS}.{hint}")


def _card(digits: str) -> int:
    card = int(digits)
    if card >= CARDS:
        raise UnknownPiece(f"There is no card {digits}; cards run from 00 to 99.")
    return card


def _level(digits: str) -> int:
    value = int(digits)
    if value not in VALUES:
        raise UnknownPiece(f"There is no bone worth {digits}; bones are worth 1, 2, 5 or 10.")
    return VALUES.index(value)


def _group(cards: Cards, word: str) -> int:
    key = word.replace("-", "").replace("'", "")
    if key not in cards.keys:
        raise UnknownPiece(f"There is no group {word[:40]!r}; there are: {', '.join(cards.keys)}.{_near(word, cards)}")
    return cards.keys.index(key)


def _two_groups(cards: Cards, packed: str, words: list[str]) -> tuple[int, int]:
    """Two groups written one after the other, with or without spaces between or within them."""
    key = packed.replace("-", "").replace("'", "")
    for first, start in enumerate(cards.keys):
        for second, end in enumerate(cards.keys):
            if start + end == key:
                return (first, second)
    if len(words) == 2:
        return (_group(cards, words[0]), _group(cards, words[1]))
    if len(words) == 1 and key in cards.keys:
        raise BadNotation(f'Say where the bone goes as well: "move 5 {key} huskies" carries it from {key} to huskies.')
    raise UnknownPiece(
        f"{' '.join(words)[:60]!r} does not name two groups; there are: {', '.join(cards.keys)}, "
        'and a move is "move 5 pugs huskies".'
    )


def _near(word: str, cards: Cards) -> str:
    return nearest(word, cards.keys)


# --- for pages and people ---------------------------------------------------------------------------------------------


def move_fields(cards: Cards, move: int) -> Json:
    """The move taken apart; `at` is the card or the group that one would point at to make it."""
    kind = kind_of(move)
    if kind == "draw":
        return {"kind": kind, "card": move}
    if kind in ("choose", "take"):
        return {"kind": kind, "at": move % CARDS, "card": move % CARDS}
    if kind in ("join", "bury"):
        key = cards.keys[move - (JOIN if kind == "join" else BURY_AT)]
        return {"kind": kind, "at": key, "group": key}
    if kind == "up":
        bone = up_bone(move)
        level = bone & 3
        return {
            "kind": kind,
            "at": cards.keys[bone >> 2],
            "group": cards.keys[bone >> 2],
            "value": VALUES[level],
            "becomes": VALUES[min(level + 1, TOP)],
        }
    if kind == "move":
        bone = shift_bone(move)
        return {
            "kind": kind,
            "at": cards.keys[bone >> 2],
            "value": VALUES[bone & 3],
            "from": cards.keys[bone >> 2],
            "to": cards.keys[shift_to(move)],
        }
    return {"kind": kind}


def move_words(cards: Cards, move: int) -> str:
    """The move as a phrase."""
    kind = kind_of(move)
    if kind in ("draw", "choose", "take"):
        return f"{kind} {cards.titles[move % CARDS]}"
    if kind == "join":
        return f"join the {cards.names[move - JOIN]}"
    if kind == "bury":
        return f"bury a bone with the {cards.names[move - BURY_AT]}"
    if kind == "up":
        bone = up_bone(move)
        level = bone & 3
        return f"upgrade a bone worth {VALUES[level]} of the {cards.names[bone >> 2]} to {VALUES[min(level + 1, TOP)]}"
    if kind == "move":
        bone = shift_bone(move)
        here, there = cards.names[bone >> 2], cards.names[shift_to(move)]
        return f"move a bone worth {VALUES[bone & 3]} from the {here} to the {there}"
    return {"dig": "draw a pup and play it", "stop": "stop here"}[kind]
