"""Reading tile files: the one that comes with the game, and corrected ones.

A tile file is JSON: `{"tiles": [...]}`, complete; or `{"extends": "standard", "tiles": [...]}` with only the tiles that
differ from the standard ones.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from wellies.core.errors import BadMaterial
from wellies.core.events import Json
from wellies.core.fields import Fields, show
from wellies.core.files import material_from
from wellies.games.guppies.faces import LETTERS, SQUID, lowest_turn, pack_face
from wellies.games.guppies.material import STANDARD_NAME, TILES, TileSet

FILE_FIELDS: Final = ("about", "extends", "tiles")
FIELDS: Final = ("tile", "a", "b", "source")
SOURCES: Final = ["rulebook", "reconstructed", "box"]


def read_tiles(data: Any, standard: list[Json] | None = None) -> list[Json]:
    """The tiles of a parsed file, in order; `standard` are those that a file may extend. BadMaterial names the tile,
    the field and the cure."""
    file = Fields({"tiles": data} if isinstance(data, list) else data, "", FILE_FIELDS, BadMaterial, "the tile file")
    if not file.has("tiles"):
        raise file.missing("tiles", "add a list of tiles")
    rows = [_read_tile(entry, f"tiles[{index}]") for index, entry in enumerate(file.items("tiles"))]
    if file.has("extends"):
        file.word("extends", None, [STANDARD_NAME] if standard is not None else [])
        whole = list(standard or [])
        for row in rows:
            whole[row["tile"] - 1] = row
        rows = whole
    if [row["tile"] for row in rows] != list(range(1, TILES + 1)):
        raise BadMaterial(
            f'tiles must be those numbered 1 to {TILES}, each once and in order; or add "extends": "{STANDARD_NAME}".'
        )
    _check_faces(rows)
    return rows


def _read_tile(entry: Any, path: str) -> Json:
    fields = Fields(entry, path, FIELDS, BadMaterial)
    number = fields.integer("tile", None, 1, TILES)
    for side in ("a", "b"):
        face = fields.get(side)
        if not isinstance(face, str) or pack_face(face) < 0:
            raise BadMaterial(
                f"{path}.{side} must be six letters of {LETTERS}, clockwise from the east, or SQUID, not {show(face)}."
            )
    source = fields.word("source", "box", SOURCES)
    return {"tile": number, "a": fields.get("a"), "b": fields.get("b"), "source": source}


def _check_faces(rows: list[Json]) -> None:
    """No two faces are alike, and one is the squid."""
    seen: dict[int, str] = {}
    squids = 0
    for row in rows:
        for side in ("a", "b"):
            face = pack_face(row[side])
            squids += 1 if face & SQUID else 0
            here = f"tile {row['tile']}, face {side}"
            twin = seen.setdefault(lowest_turn(face), here)
            if twin != here:
                raise BadMaterial(f"{here} is the same as {twin}, turned; no two faces are alike, so change one.")
    if squids != 1:
        raise BadMaterial(f"{squids} faces show the squid; write SQUID for one face of one tile.")


def _standard_tiles() -> list[Json]:
    text = resources.files("wellies.games.guppies").joinpath("tiles.json").read_text(encoding="utf-8")
    return read_tiles(json.loads(text))


BOX: Final = _standard_tiles()
"""The standard tiles as the file has them."""
STANDARD: Final = TileSet(BOX)
_CACHE: Final[dict[str, TileSet]] = {}


def load_material(value: Any) -> TileSet:
    """The tiles that a value of the option `cards` means: "standard" (also None), a path to a tile file, or what is in
    one. BadMaterial names the tile, the field, what is wrong and the cure."""
    if value is None or value == STANDARD_NAME:
        return STANDARD
    tiles: TileSet = material_from(value, "tile file", _CACHE, _corrected)
    return tiles


def _corrected(data: Any) -> TileSet:
    return TileSet(read_tiles(data, BOX))


def tile_rows(tiles: TileSet) -> list[Json]:
    """The tiles as rows of a table for people."""
    return [{"tile": str(row["tile"]), "a": row["a"], "b": row["b"], "source": row["source"]} for row in tiles.box]
