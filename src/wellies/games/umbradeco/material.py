"""What is in the box: forty umbrella tiles in five colours, and the mats. The data is `material.json`.

The rulebook gives the numbers: five colours of eight tiles. The colours, their emblems and the shape of the mat are
ours, since the rulebook shows them only in pictures.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from wellies.core.errors import BadMaterial
from wellies.core.events import Json
from wellies.core.fields import Fields

COLOUR_COUNT: Final = 5
"""A colour is an int from 0 to 4 everywhere in this game; `UNKNOWN` is a tile whose colour has not been seen."""

UNKNOWN: Final = 5
NONE: Final = -1
SPACES: Final = 61
"""Spaces of the largest mat. The spaces of a smaller mat are the first of these."""


SOURCES: Final = ["rulebook", "reconstructed"]


def _read_material() -> Json:
    """The data, checked."""
    text = resources.files("wellies.games.umbradeco").joinpath("material.json").read_text(encoding="utf-8")
    file = Fields(json.loads(text), "", ("colours", "counts", "mats"), BadMaterial, "material.json")
    counts = file.object("counts", ("colours", "tiles", "provenance"))
    counts.word("provenance", None, SOURCES)
    tiles = 0
    for index, entry in enumerate(file.items("colours")):
        colour = Fields(entry, f"colours[{index}]", ("name", "tiles", "emblem", "provenance"), BadMaterial)
        colour.word("provenance", None, SOURCES)
        tiles += colour.integer("tiles", None, 1, 99)
    for index, entry in enumerate(file.items("mats")):
        mat = Fields(entry, f"mats[{index}]", ("name", "side", "spaces", "provenance"), BadMaterial)
        mat.word("provenance", None, SOURCES)
        mat.integer("spaces", None, 1, SPACES)
    if len(file.items("colours")) != COLOUR_COUNT:
        raise file.wrong("colours", f"must be {COLOUR_COUNT}, as in the rulebook; correct the list")
    if tiles != counts.integer("tiles", None, 1, 999):
        raise counts.wrong("tiles", f"the colours have {tiles} tiles together; correct one of the two numbers")
    return file.value


_DATA: Final = _read_material()

COLOURS: Final[tuple[str, ...]] = tuple(str(entry["name"]) for entry in _DATA["colours"])
EMBLEMS: Final[tuple[str, ...]] = tuple(str(entry["emblem"]) for entry in _DATA["colours"])
TILES: Final[tuple[int, ...]] = tuple(int(entry["tiles"]) for entry in _DATA["colours"])
"""How many tiles there are of each colour."""

BOX: Final[list[dict[str, Any]]] = [
    {
        "colour": entry["name"],
        "tiles": entry["tiles"],
        "emblem": entry["emblem"],
        "source": entry["provenance"],
    }
    for entry in _DATA["colours"]
]
"""The colours for the encyclopaedia."""

COLOUR_NUMBER: Final[dict[str, int]] = {name: number for number, name in enumerate(COLOURS)}
MAT_SIDES: Final[dict[str, int]] = {str(entry["name"]): int(entry["side"]) for entry in _DATA["mats"]}


def tile_name(colour: int) -> str:
    """The colour in words; `?` for a tile not seen."""
    return "?" if colour == UNKNOWN else COLOURS[colour]
