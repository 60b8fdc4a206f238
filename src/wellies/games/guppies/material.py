"""The tiles, and tables for finding quickly where one fits. `material_file.py` reads them.

A tile can lie in twelve ways: face a or b, six turns each. `way = 6 * face + turn`; ways that look the same (the
squid's six turns) count once, as the lowest. Which ways put a letter on an edge is kept as bits, so that
the ways that suit an open space are the bitwise "and" of a few small numbers, for one tile (`rows`) or for the whole
set at once (`ways`).
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.events import Json
from wellies.games.guppies.faces import LETTERS, SQUID, face_text, lowest_turn, pack_face, turn_face

TILES: Final = 128
STANDARD_NAME: Final = "standard"

WAYS: Final = 12
ALL_WAYS: Final = (1 << WAYS) - 1
UNTURNED: Final = 1 | 1 << 6
"""The two faces as they are printed."""
SLOTS: Final = 48
"""One slot for each edge and letter: slot = 8 * edge + letter."""


def shown_face(faces: tuple[int, ...], way: int) -> int:
    """The face that shows when a tile lies this way."""
    return turn_face(faces[way // 6], way % 6)


def way_row(faces: tuple[int, ...]) -> tuple[int, ...]:
    """For each slot, the ways (as bits) that put that letter on that edge."""
    row = [0] * SLOTS
    seen: set[int] = set()
    for way in range(WAYS):
        face = shown_face(faces, way)
        if face in seen:
            continue
        seen.add(face)
        for edge in range(6):
            row[8 * edge + ((face >> (3 * edge)) & 7)] |= 1 << way
    return tuple(row)


def distinct_ways(row: tuple[int, ...]) -> int:
    """All ways of a tile that look different, as bits."""
    bits = 0
    for letter in range(len(LETTERS)):
        bits |= row[letter]
    return bits


def ways_of(tiles: list[int]) -> int:
    """All ways of these tiles, as bits from 12n on for tile n."""
    bits = 0
    for number in tiles:
        bits |= ALL_WAYS << (WAYS * number)
    return bits


def _list_ways() -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(way for way in range(WAYS) if bits >> way & 1) for bits in range(1 << WAYS))


WAYS_IN: Final = _list_ways()
"""The ways in a set of bits, as a list."""


class TileSet:
    """A set of tiles, numbered from 1. The squid is on a face of one of them."""

    def __init__(self, box: list[Json]) -> None:
        self.box = box
        """The tiles as a file has them: number, both faces as letters, and where we know them from."""
        tiles = [(pack_face(row["a"]), pack_face(row["b"])) for row in box]
        self.tiles: Final[list[tuple[int, ...]]] = [(), *tiles]
        self.rows: Final[list[tuple[int, ...]]] = [(), *(way_row(faces) for faces in tiles)]
        ways = [0] * SLOTS
        for number, row in enumerate(self.rows):
            for slot, bits in enumerate(row):
                ways[slot] |= bits << (WAYS * number)
        self.ways: Final[list[int]] = ways
        """For each slot, the ways of all tiles that put that letter on that edge; tile n has bits 12n to 12n + 11."""
        self.number_of: Final[dict[int, int]] = {}
        """The tile that has a face, by the face's lowest turn; no two faces of a set are alike."""
        self.squid = 0
        """The number of the tile with the squid."""
        self.halves: Final[list[dict[str, int]]] = []
        """For each tile, how many of each half are on its two faces together."""
        for number, faces in enumerate(self.tiles):
            text = "".join([face_text(face) for face in faces if not face & SQUID])
            self.halves.append({letter: text.count(letter) for letter in LETTERS[1:]})
            for face in faces:
                self.number_of[lowest_turn(face)] = number
                if face & SQUID:
                    self.squid = number

    def __len__(self) -> int:
        return len(self.tiles) - 1

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle has only the tile file, so that states share the set there too."""
        from wellies.games.guppies.material_file import STANDARD, load_material

        return load_material, (STANDARD_NAME if self is STANDARD else self.to_json(),)

    def to_json(self) -> Json:
        """The complete tile file of this set, so that a record needs no other file."""
        return {"tiles": self.box}
