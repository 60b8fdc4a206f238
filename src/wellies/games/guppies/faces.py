"""Faces of tiles as small numbers, and the six directions of the board.

A face is six letters, clockwise from east: `G O P` a head, `g o p` a tail, `.` water. Packed, each edge takes three
bits, edge 0 lowest; the squid is six water edges and one bit more. An open space is described in the same bits by what
its edges demand: the letter that must lie there, and a mask over the edges that demand anything at all.
"""

from __future__ import annotations

from typing import Final

LETTERS: Final = ".GgOoPp"
MATE: Final[tuple[int, ...]] = (0, 2, 1, 4, 3, 6, 5)
"""The letter that may lie against each letter: water to water, head to tail of the same colour."""

COLOURS: Final[tuple[str, ...]] = ("green", "orange", "purple")
SQUID: Final = 1 << 18
EDGES: Final = 0o777777

STEPS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""(q, r) towards edges 0 to 5: E, SE, SW, W, NW, NE."""

EDGE_NAMES: Final = ("E", "SE", "SW", "W", "NW", "NE")
EDGE_WORDS: Final = ("east", "south-east", "south-west", "west", "north-west", "north-east")


def pack_face(text: str) -> int:
    """The number of a face written as six letters or `SQUID`; -1 if it is neither."""
    if text == "SQUID":
        return SQUID
    if len(text) != 6:
        return -1
    face = 0
    for edge, letter in enumerate(text):
        value = LETTERS.find(letter)
        if value < 0:
            return -1
        face |= value << (3 * edge)
    return face


def face_text(face: int) -> str:
    """The face as people write it."""
    if face & SQUID:
        return "SQUID"
    return "".join(LETTERS[(face >> (3 * edge)) & 7] for edge in range(6))


def turn_face(face: int, turn: int) -> int:
    """The face turned clockwise: edge i moves to edge i + turn."""
    bits = face & EDGES
    shift = 3 * (turn % 6)
    return (face & SQUID) | ((bits << shift) & EDGES) | (bits >> (18 - shift))


def lowest_turn(face: int) -> int:
    """The smallest number among the six turns of a face: the same for two faces exactly when they are alike."""
    return min(turn_face(face, turn) for turn in range(6))


def letter_name(letter: int) -> str:
    """A letter in words."""
    if letter == 0:
        return "water"
    return f"{'a' if COLOURS[(letter - 1) // 2] != 'orange' else 'an'} {COLOURS[(letter - 1) // 2]} " + (
        "head" if letter % 2 else "tail"
    )
