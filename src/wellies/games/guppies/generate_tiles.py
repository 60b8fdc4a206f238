"""Generates the tile set, `tiles.json`, always the same: `python -m wellies.games.guppies.generate_tiles`.

The rulebook prints no list of tiles. The set is drawn from a fixed seed: all letters shuffled and dealt to the faces,
then repaired by swapping letters between faces until `faults` finds none.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from wellies.core.dice import Stream, shuffle
from wellies.games.guppies.faces import LETTERS, lowest_turn, pack_face, turn_face

SEED: Final = "guppies tiles 1"
TILES: Final = 128
FACES: Final = 2 * TILES - 1
WATER: Final = 510
HALVES: Final = 170


def _face_is_poor(face: str) -> bool:
    """Too much water, fewer than two colours, or the same again after a turn (a turn should always matter)."""
    packed = pack_face(face)
    same = any(turn_face(packed, turn) == packed for turn in range(1, 6))
    return face.count(".") > 4 or len(set(face.lower()) - {"."}) < 2 or same


def _too_alike(one: str, other: str) -> bool:
    """Whether the two faces of a tile share more than four letters."""
    return (Counter(one) & Counter(other)).total() > 4


def faults(faces: list[str]) -> list[int]:
    """The faces that break a law of the set. Face 2k and 2k + 1 are one tile; the last is the back of the squid."""
    seen: set[int] = set()
    wrong: list[int] = []
    for number, face in enumerate(faces):
        shape = lowest_turn(pack_face(face))
        alike = number % 2 == 1 and _too_alike(faces[number - 1], face)
        if _face_is_poor(face) or shape in seen or alike:
            wrong.append(number)
        seen.add(shape)
    return wrong


def generate_faces() -> list[str]:
    """255 ordinary faces that keep every law."""
    stream = Stream(SEED)
    letters = [0] * WATER + [half for half in range(1, 7) for _ in range(HALVES)]
    shuffle(letters, stream)
    faces = ["".join(LETTERS[letter] for letter in letters[6 * n : 6 * n + 6]) for n in range(FACES)]
    while wrong := faults(faces):
        for number in wrong:
            other = stream.randrange(FACES)
            mine, theirs = stream.randrange(6), stream.randrange(6)
            if other == number:
                continue
            one, two = list(faces[number]), list(faces[other])
            one[mine], two[theirs] = two[theirs], one[mine]
            if not _face_is_poor("".join(two)):
                faces[number], faces[other] = "".join(one), "".join(two)
    return faces


def generate_file() -> str:
    """The text of `tiles.json`: one tile a line."""
    faces = generate_faces()
    rows = [
        json.dumps({"tile": n + 1, "a": faces[2 * n], "b": faces[2 * n + 1], "source": "reconstructed"})
        for n in range(TILES - 1)
    ]
    rows.append(json.dumps({"tile": TILES, "a": "SQUID", "b": faces[-1], "source": "reconstructed"}))
    return "[\n" + ",\n".join(rows) + "\n]\n"


if __name__ == "__main__":
    Path(__file__).with_name("tiles.json").write_text(generate_file(), encoding="utf-8")
    sys.stdout.write("tiles.json written\n")
