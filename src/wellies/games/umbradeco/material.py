"""What is in the box: forty umbrella tiles in five colours, and the mats. The data is `material.json`.

The book gives the numbers (five colours of eight tiles). Which colours they are, their emblems and the shape of the mat
are ours: the book shows them only in pictures.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from wellies.core.errors import BadMaterial

COLOUR_COUNT: Final = 5
"""A colour is an int from 0 to 4 everywhere in this game; `UNKNOWN` is a tile whose colour has not been seen."""

UNKNOWN: Final = 5
NONE: Final = -1
SPACES: Final = 61
"""Spaces of the largest mat. The spaces of a smaller mat are the first of these."""


def _load() -> Any:
    text = resources.files("wellies.games.umbradeco").joinpath("material.json").read_text(encoding="utf-8")
    data = json.loads(text)
    if len(data["colours"]) != COLOUR_COUNT:
        raise BadMaterial(f"material.json: colours must be {COLOUR_COUNT}, as in the book; mend the list.")
    for entry in [*data["colours"], *data["mats"], data["counts"]]:
        if entry.get("provenance") not in ("rulebook", "reconstructed"):
            raise BadMaterial(f'material.json: {entry} needs a provenance, "rulebook" or "reconstructed".')
    if sum(colour["tiles"] for colour in data["colours"]) != data["counts"]["tiles"]:
        raise BadMaterial(f"material.json: the tiles of all colours must sum to {data['counts']['tiles']}.")
    return data


_DATA: Final = _load()

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
"""What the encyclopaedia tells of each colour."""

COLOUR_NUMBER: Final[dict[str, int]] = {name: number for number, name in enumerate(COLOURS)}
MAT_SIDES: Final[dict[str, int]] = {str(entry["name"]): int(entry["side"]) for entry in _DATA["mats"]}


def tile_name(colour: int) -> str:
    """The colour in words; `?` for a tile not seen."""
    return "?" if colour == UNKNOWN else COLOURS[colour]
