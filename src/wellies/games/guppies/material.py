"""The tiles, and the tables that make laying them quick.

A tile can lie in twelve ways: face a or b, six turns each. `way = 6 * face + turn`; ways that look the same on the
table (the squid's six turns) count once, as the lowest. Which ways put a letter on an edge is kept as bits, so that
the ways that suit an open space are the bitwise "and" of a few small numbers, for one tile (`rows`) or for the whole
set at once (`ways`).
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from wellies.core.errors import BadMaterial, nearest
from wellies.core.events import Json
from wellies.core.files import made_from
from wellies.games.guppies.faces import LETTERS, SQUID, face_text, lowest_turn, pack_face, turn_face

TILES: Final = 128
FIELDS: Final = ("tile", "a", "b", "source")
SOURCES: Final = ("rulebook", "reconstructed", "box")
STANDARD_NAME: Final = "standard"

WAYS: Final = 12
ALL_WAYS: Final = (1 << WAYS) - 1
SLOTS: Final = 48
"""One slot for each edge and letter: slot = 8 * edge + letter."""


def lying(faces: tuple[int, ...], way: int) -> int:
    """The face that shows when a tile lies this way."""
    return turn_face(faces[way // 6], way % 6)


def way_row(faces: tuple[int, ...]) -> tuple[int, ...]:
    """For each slot, the ways (as bits) that put that letter on that edge."""
    row = [0] * SLOTS
    seen: set[int] = set()
    for way in range(WAYS):
        face = lying(faces, way)
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
        """In a pickle there is only what it was made from, so that states share it there too."""
        return tile_set, (STANDARD_NAME if self is STANDARD else self.to_json(),)

    def to_json(self) -> Json:
        """The tile file of this set, complete, so that a record with it stands alone."""
        return {"tiles": self.box}


# --- tile files -------------------------------------------------------------------------------------------------------


def check_tiles(data: Any, standard: list[Json] | None = None) -> list[Json]:
    """The tiles of a file that has been parsed, in order. BadMaterial names the tile, the field and the cure.

    With `"extends": "standard"` a file has only the tiles that differ.
    """
    if isinstance(data, list):
        data = {"tiles": data}
    if not isinstance(data, dict) or not isinstance(data.get("tiles"), list):
        raise BadMaterial('the tile file must be an object with a list "tiles".')
    for name in data:
        if name not in ("about", "extends", "tiles"):
            raise BadMaterial(f"{str(name)[:40]} is not a field of a tile file; there are: about, extends, tiles.")
    rows = [_check_tile(entry, f"tiles[{index}]") for index, entry in enumerate(data["tiles"])]
    if "extends" in data:
        if data["extends"] != STANDARD_NAME or standard is None:
            raise BadMaterial('extends must be "standard"; leave it out in a file with all tiles.')
        whole = list(standard)
        for row in rows:
            whole[row["tile"] - 1] = row
        rows = whole
    if [row["tile"] for row in rows] != list(range(1, TILES + 1)):
        raise BadMaterial(f"tiles must be those numbered 1 to {TILES}, each once and in order.")
    seen: dict[int, str] = {}
    squids = 0
    for row in rows:
        for side in ("a", "b"):
            face = pack_face(row[side])
            squids += 1 if face & SQUID else 0
            here = f"tile {row['tile']}, face {side}"
            twin = seen.setdefault(lowest_turn(face), here)
            if twin != here:
                raise BadMaterial(f"{here} is the same as {twin}, turned; no two faces of a set are alike.")
    if squids != 1:
        raise BadMaterial(f"{squids} faces show the squid; write SQUID for one face of one tile.")
    return rows


def _check_tile(entry: Any, where: str) -> Json:
    if not isinstance(entry, dict):
        raise BadMaterial(f"{where} must be an object with {', '.join(FIELDS)}.")
    for name in entry:
        if name not in FIELDS:
            hint = nearest(str(name), list(FIELDS))
            raise BadMaterial(f"{where}.{str(name)[:40]} is not a field; there are: {', '.join(FIELDS)}.{hint}")
    number = entry.get("tile")
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= TILES:
        raise BadMaterial(f"{where}.tile must be a number from 1 to {TILES}.")
    for side in ("a", "b"):
        face = entry.get(side)
        if not isinstance(face, str) or not (face == "SQUID" or (len(face) == 6 and set(face) <= set(LETTERS))):
            raise BadMaterial(
                f"{where}.{side} must be six letters of {LETTERS}, clockwise from the east, or SQUID; not {face!r}."
            )
    source = entry.get("source", "box")
    if source not in SOURCES:
        raise BadMaterial(f"{where}.source must be one of {', '.join(SOURCES)}, not {source!r}.")
    return {"tile": number, "a": entry["a"], "b": entry["b"], "source": source}


def _load() -> list[Json]:
    text = resources.files("wellies.games.guppies").joinpath("tiles.json").read_text(encoding="utf-8")
    return check_tiles(json.loads(text))


BOX: Final = _load()
"""The standard tiles as the file has them."""
STANDARD: Final = TileSet(BOX)
SQUID_TILE: Final = STANDARD.squid
_BY_TEXT: Final[dict[str, TileSet]] = {}


def tile_set(value: Any) -> TileSet:
    """The tiles that a value of the option `cards` means: "standard", a path to a tile file, or what is in one.

    BadMaterial names the tile, the field, what is wrong with it and how to mend it.
    """
    if value is None or value == STANDARD_NAME:
        return STANDARD
    known: TileSet = made_from(value, "tile file", _BY_TEXT, _checked)
    return known


def _checked(data: Any) -> TileSet:
    return TileSet(check_tiles(data, BOX))


def tile_rows(tiles: TileSet) -> list[Json]:
    """The tiles as rows of a table for people."""
    return [{"tile": str(row["tile"]), "a": row["a"], "b": row["b"], "source": row["source"]} for row in tiles.box]
