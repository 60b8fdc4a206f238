"""Beast segments: which beast, which part of it, and the edges of the tile that it touches, packed into one int.

Edges are N E S W (0 to 3), clockwise; a quarter turn clockwise takes edge e to e + 1.
"""

from __future__ import annotations

from typing import Final

N: Final = 0
E: Final = 1
S: Final = 2
W: Final = 3
EDGE_NAMES: Final = ("N", "E", "S", "W")
EDGE_WORDS: Final = ("north", "east", "south", "west")

# Kinds of beast. ANY is the Beastly tile's: a body of whatever it is joined to.
NO_BEAST: Final = 0
BLUE: Final = 1
ORANGE: Final = 2
WORM: Final = 3
ANY: Final = 4
KIND_NAMES: Final = ("none", "blue", "orange", "worm", "any")
PART_OF: Final = ("", "blue", "orange", "worm", "Beastly")
"""How a part of each kind is called: "blue tail", "worm saddle", "Beastly body"."""
BEAST_WORDS: Final = ("no beast", "a blue snake", "an orange snake", "a worm", "a Beastly body")

HEAD: Final = 0
TAIL: Final = 1
END: Final = 2
BODY: Final = 3
SADDLE: Final = 4
ROLE_NAMES: Final = ("head", "tail", "end", "body", "saddle")

ROLES_OF_KIND: Final = ((), (HEAD, TAIL, BODY), (END, BODY), (END, BODY, SADDLE), (BODY,))
"""The parts each kind of beast is made of."""

# A pair of edges is named as on a compass: north or south first.
_MASK_NAMES: Final = {
    0b0001: "N",
    0b0010: "E",
    0b0100: "S",
    0b1000: "W",
    0b0011: "NE",
    0b0101: "NS",
    0b1001: "NW",
    0b0110: "SE",
    0b1010: "EW",
    0b1100: "SW",
}
_MASKS: Final = {name: mask for mask, name in _MASK_NAMES.items()} | {
    name[::-1]: mask for mask, name in _MASK_NAMES.items()
}


def pack(kind: int, role: int, mask: int) -> int:
    return kind << 8 | role << 4 | mask


def kind_of(segment: int) -> int:
    return segment >> 8


def role_of(segment: int) -> int:
    return segment >> 4 & 15


def mask_of(segment: int) -> int:
    return segment & 15


def edges_of(segment: int) -> tuple[int, ...]:
    """The one or two edges a segment touches, in the order N E S W."""
    return tuple([edge for edge in range(4) if segment >> edge & 1])


def turned(segments: tuple[int, ...], turns: int) -> tuple[int, ...]:
    """The segments after so many quarter turns clockwise, in the order of their first edges."""
    turns &= 3
    result = []
    for segment in segments:
        mask = (segment & 15) << turns
        result.append(segment & ~15 | (mask | mask >> 4) & 15)
    return in_order(result)


def in_order(segments: list[int]) -> tuple[int, ...]:
    """By first edge, so that tiles that lie alike are equal."""
    return tuple(sorted(segments, key=first_edge))


def first_edge(segment: int) -> int:
    """The first edge of a segment: the one it is named by when it is claimed."""
    for edge in range(4):
        if segment >> edge & 1:
            return edge
    raise ValueError(f"segment {segment} touches no edge")


def text_of(segment: int) -> str:
    """A segment in words, such as "blue body NS"."""
    return f"{KIND_NAMES[segment >> 8]} {ROLE_NAMES[segment >> 4 & 15]} {_MASK_NAMES[segment & 15]}"


def read(text: str) -> int:
    """The segment of a text such as "blue body NS"; ValueError says what is wrong."""
    parts = text.split()
    if len(parts) != 3:
        raise ValueError(f'{text!r} is not a segment; write beast, part and edges, such as "blue body NS"')
    if parts[0] not in KIND_NAMES[1:]:
        raise ValueError(f"{parts[0]!r} is not a beast; there are: {', '.join(KIND_NAMES[1:])}")
    kind = KIND_NAMES.index(parts[0])
    allowed = [ROLE_NAMES[role] for role in ROLES_OF_KIND[kind]]
    if parts[1] not in allowed:
        raise ValueError(f"{parts[1]!r} is no part of a beast of kind {parts[0]}; it has: {', '.join(allowed)}")
    role = ROLE_NAMES.index(parts[1])
    if parts[2] not in _MASKS:
        raise ValueError(f"{parts[2]!r} names no edges; write one or two of N, E, S, W, such as N or NE")
    mask = _MASKS[parts[2]]
    wanted = 2 if role in (BODY, SADDLE) else 1
    if mask.bit_count() != wanted:
        raise ValueError(f"a {parts[1]} touches {'two edges' if wanted == 2 else 'one edge'}, not {parts[2]}")
    return pack(kind, role, mask)


def read_all(texts: list[str]) -> tuple[int, ...]:
    """The segments of a face; ValueError if two touch the same edge."""
    segments = [read(text) for text in texts]
    used = 0
    for segment in segments:
        if used & segment & 15:
            raise ValueError("two segments touch the same edge; an edge carries one beast at most")
        used |= segment & 15
    return in_order(segments)
