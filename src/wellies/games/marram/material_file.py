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
from wellies.core.fields import Fields
from wellies.core.files import material_from
from wellies.games.marram.material import FRONT, REVERSE, STANDARD_NAME, TILES, Tile, TileSet
from wellies.games.marram.placed_tile import BARE, ORNAMENT_NAMES
from wellies.games.marram.places import GROUND_NAMES, SAND
from wellies.games.marram.segments import read_all, text_of

FILE_FIELDS: Final = ("about", "extends", "tiles")
FIELDS: Final = ("tile", "segments", "spade", "bridge", "front", "reverse", "provenance")
SOURCES: Final = ["rulebook", "reconstructed", "box"]


def read_tiles(data: Any, standard: list[Tile] | None = None) -> list[Tile]:
    """The tiles of a parsed file, by number; `standard` are those that a file may extend. BadMaterial names the tile,
    the field and the cure."""
    file = Fields(data, "", FILE_FIELDS, BadMaterial, "the tile file")
    if not file.has("tiles"):
        raise file.missing("tiles", "add a list of tiles")
    entries = file.items("tiles")
    if file.has("extends"):
        file.word("extends", None, [STANDARD_NAME] if standard is not None else [])
        whole: list[Any] = [tile.to_json() for tile in standard or []]
        for index, entry in enumerate(entries):
            whole[Fields(entry, f"tiles[{index}]", FIELDS, BadMaterial).integer("tile", None, 0, TILES)] = entry
        entries = whole
    tiles = [_read_tile(entry, index) for index, entry in enumerate(entries)]
    if len(tiles) != TILES + 1:
        raise BadMaterial(
            f"the tile file has {len(tiles)} tiles; there must be the starter and {TILES} others, "
            f'or add "extends": "{STANDARD_NAME}".'
        )
    return tiles


def _read_tile(entry: Any, number: int) -> Tile:
    fields = Fields(entry, f"tiles[{number}]", FIELDS, BadMaterial)
    if fields.integer("tile", None, 0, TILES) != number:
        raise BadMaterial(f"{fields.at('tile')} must be {number}: tiles are numbered in order, the starter being 0.")
    spade = fields.boolean("spade", None)
    if not fields.has("segments"):
        raise fields.missing("segments", "add a list of texts, such as blue body NS")
    try:
        segments = read_all([_text(text) for text in fields.items("segments")])
    except ValueError as error:
        raise fields.wrong("segments", str(error)) from error
    bridge = GROUND_NAMES.index(fields.word("bridge", None, list(GROUND_NAMES)))
    ornaments: list[int] = []
    for face, name in ((FRONT, "front"), (REVERSE, "reverse")):
        ornament = ORNAMENT_NAMES.index(fields.word(name, None, list(ORNAMENT_NAMES)))
        ground = 1 - bridge if face == REVERSE and spade else bridge
        if ornament != BARE and (ORNAMENT_NAMES[ornament] == "flower") != (ground == SAND):
            right = "none or flower" if ground == SAND else "none, gold or silver"
            raise fields.wrong(
                name, f"coins lie on grass and flowers on sand; this bridge is {GROUND_NAMES[ground]}, write {right}"
            )
        ornaments.append(ornament)
    return Tile(number, segments, spade, bridge, tuple(ornaments), fields.word("provenance", None, SOURCES))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError('must be a list of texts such as "blue body NS"')
    return value


BOX: Final[list[Tile]] = read_tiles(
    json.loads(resources.files("wellies.games.marram").joinpath("tiles.json").read_text(encoding="utf-8"))
)
"""The starter and the standard tiles, by number."""
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
    rows: list[Json] = []
    for tile in tiles.tiles:
        ornaments = [ORNAMENT_NAMES[ornament] if ornament != BARE else "" for ornament in tile.ornaments]
        rows.append(
            {
                "tile": str(tile.number),
                "segments": ", ".join(text_of(segment) for segment in tile.segments) or "none",
                "spade": "spade" if tile.spade else "",
                "bridge": GROUND_NAMES[tile.bridge],
                "front": ornaments[FRONT],
                "reverse": ornaments[REVERSE],
                "source": tile.provenance,
            }
        )
    return rows
