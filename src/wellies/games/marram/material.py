"""The starter and the 95 tiles, read once from `tiles.json`, and how each of them can be laid.

At any place each quarter turn of a tile suits exactly one of its faces: the front has grass at NW and SE in base
position, the reverse at NE and SW, and a quarter turn swaps these.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from wellies.core.errors import BadMaterial, nearest
from wellies.core.events import Json
from wellies.core.files import made_from
from wellies.games.marram.moves import lay_base
from wellies.games.marram.placed_tile import BARE, ORNAMENT_NAMES, PARITY_BIT, PlacedTile, fits
from wellies.games.marram.places import GROUND_NAMES, SAND
from wellies.games.marram.segments import read_all, text_of, turned

STARTER: Final = 0
TILES: Final = 95
FIELDS: Final = ("tile", "segments", "spade", "bridge", "front", "reverse", "provenance")
PROVENANCES: Final = ("rulebook", "reconstructed", "box")
STANDARD_NAME: Final = "standard"

FRONT: Final = 0
REVERSE: Final = 1


class Tile:
    """One tile of the box, in base position."""

    def __init__(
        self,
        number: int,
        segments: tuple[int, ...],
        spade: bool,
        bridge: int,
        ornaments: tuple[int, ...],
        provenance: str,
    ) -> None:
        self.number = number
        self.segments = segments
        self.spade = spade
        self.bridge = bridge
        self.ornaments = ornaments
        self.provenance = provenance
        self.turned: Final[list[tuple[int, ...]]] = [turned(segments, turn) for turn in range(4)]
        """The segments after each number of quarter turns."""
        self.symmetric = self.turned[2] == segments

    def turns(self) -> tuple[int, ...]:
        """The quarter turns that differ: half a turn more shows the same where the beasts are symmetric."""
        return (0, 1) if self.symmetric else (0, 1, 2, 3)

    def face_at(self, turn: int, place_parity: int) -> int:
        """The face that suits a place of this parity in this turn."""
        return (turn + place_parity) & 1

    def to_json(self) -> dict[str, Any]:
        """The tile as a tile file has it."""
        return {
            "tile": self.number,
            "segments": [text_of(segment) for segment in self.segments],
            "spade": self.spade,
            "bridge": GROUND_NAMES[self.bridge],
            "front": ORNAMENT_NAMES[self.ornaments[FRONT]],
            "reverse": ORNAMENT_NAMES[self.ornaments[REVERSE]],
            "provenance": self.provenance,
        }

    def lying(self, turn: int, face: int, flips: int) -> PlacedTile:
        """The tile laid with this face up; `flips` is what a spade tile allows in this variant."""
        if not self.spade:
            # The reverse of an ordinary tile can never come up once it lies, so what is on it is forgotten.
            return PlacedTile(self.number, turn, self.bridge, self.turned[turn], self.ornaments[face], BARE, 0, False)
        bridge = self.bridge if face == FRONT else 1 - self.bridge
        return PlacedTile(
            self.number,
            turn,
            bridge,
            self.turned[turn],
            self.ornaments[face],
            self.ornaments[1 - face],
            flips,
            False,
        )


def read_tiles(text: str) -> list[Tile]:
    """The tiles of a file such as `tiles.json`, by number. BadMaterial names the entry, the field and the cure."""
    try:
        data: Any = json.loads(text)
    except ValueError as error:
        raise BadMaterial(f"the tile file is not JSON: {error}.") from error
    return check_tiles(data)


def check_tiles(data: Any, standard: list[Tile] | None = None) -> list[Tile]:
    """The tiles of a file that has been parsed. With `"extends": "standard"` it has only those that differ."""
    if not isinstance(data, dict) or not isinstance(data.get("tiles"), list):
        raise BadMaterial('the tile file must be an object with a list "tiles".')
    for name in data:
        if name not in ("about", "extends", "tiles"):
            raise BadMaterial(f"{str(name)[:40]} is not a field of a tile file; there are: about, extends, tiles.")
    entries: list[Any] = data["tiles"]
    if "extends" in data:
        if data["extends"] != STANDARD_NAME or standard is None:
            raise BadMaterial('extends must be "standard"; leave it out in a file with all tiles.')
        whole: list[Any] = [tile.to_json() for tile in standard]
        for index, entry in enumerate(entries):
            number = entry.get("tile") if isinstance(entry, dict) else None
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= TILES:
                raise BadMaterial(f"tiles[{index}].tile must be a number from 0 (the starter) to {TILES}.")
            whole[number] = entry
        entries = whole
    tiles: list[Tile] = []
    for index, entry in enumerate(entries):
        where = f"tiles[{index}]"
        if not isinstance(entry, dict):
            raise BadMaterial(f"{where} must be an object with {', '.join(FIELDS)}.")
        for name in entry:
            if name not in FIELDS:
                hint = nearest(str(name), list(FIELDS))
                raise BadMaterial(f"{where}.{name} is not a field; there are: {', '.join(FIELDS)}.{hint}")
        for name in FIELDS:
            if name not in entry:
                raise BadMaterial(f"{where} has no {name}; add it.")
        if entry["tile"] != index:
            raise BadMaterial(f"{where}.tile must be {index}: tiles are numbered in order, the starter being 0.")
        if not isinstance(entry["spade"], bool):
            raise BadMaterial(f"{where}.spade must be true or false.")
        texts = entry["segments"]
        if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
            raise BadMaterial(f'{where}.segments must be a list of texts such as "blue body NS".')
        try:
            segments = read_all(texts)
        except ValueError as error:
            raise BadMaterial(f"{where}.segments: {error}.") from error
        bridge = _one_of(entry["bridge"], GROUND_NAMES, f"{where}.bridge")
        ornaments = []
        for face, name in enumerate(("front", "reverse")):
            ornament = _one_of(entry[name], ORNAMENT_NAMES, f"{where}.{name}")
            ground = 1 - bridge if face == REVERSE and entry["spade"] else bridge
            if ornament != BARE and (ORNAMENT_NAMES[ornament] == "flower") != (ground == SAND):
                raise BadMaterial(f"{where}.{name}: coins lie on grass and flowers on sand; this bridge is the other.")
            ornaments.append(ornament)
        provenance = PROVENANCES[_one_of(entry["provenance"], PROVENANCES, f"{where}.provenance")]
        tiles.append(Tile(index, segments, entry["spade"], bridge, tuple(ornaments), provenance))
    if len(tiles) != TILES + 1:
        raise BadMaterial(f"the tile file has {len(tiles)} tiles; there must be the starter and {TILES} others.")
    return tiles


def _one_of(value: Any, allowed: tuple[str, ...], where: str) -> int:
    if not isinstance(value, str) or value not in allowed:
        raise BadMaterial(f"{where} must be one of {', '.join(allowed)}, not {value!r}.")
    return allowed.index(value)


class TileSet:
    """The starter and the tiles, by number, and what they can do, worked out once."""

    def __init__(self, tiles: list[Tile]) -> None:
        self.tiles = tiles
        self._lying: dict[int, PlacedTile] = {}
        self._lays: list[list[tuple[int, ...] | None]] = [[] for _ in tiles]

    def __reduce__(self) -> tuple[Any, ...]:
        """In a pickle there is only what it was made from, so that states share it there too."""
        return tile_set, (STANDARD_NAME if self is STANDARD_TILES else self.to_json(),)

    def to_json(self) -> dict[str, Any]:
        """The tile file of this set, complete, so that a record with it stands alone."""
        return {"tiles": [tile.to_json() for tile in self.tiles]}

    def lying(self, tile: int, turn: int, face: int, flips: int) -> PlacedTile:
        """A tile as it lies when laid so."""
        key = tile << 8 | flips << 4 | face << 2 | turn
        known = self._lying.get(key)
        if known is None:
            known = self.tiles[tile].lying(turn, face, flips)
            self._lying[key] = known
        return known

    def lays_by_demand(self, tile: int) -> list[tuple[int, ...] | None]:
        """What is known of how a tile can be laid: by demand, what `lays_for` has answered; None where it was not
        asked."""
        known = self._lays[tile]
        if not known:
            known += [None] * (2 * PARITY_BIT)
        return known

    def lays_for(self, tile: int, code: int) -> tuple[int, ...]:
        """All ways to lay a tile at a place that demands this, in order, as moves with their place left out."""
        place_parity = 1 if code & PARITY_BIT else 0
        box = self.tiles[tile]
        found: list[int] = []
        for turn in box.turns():
            if fits(box.turned[turn], code):
                found.append(lay_base(tile, box.face_at(turn, place_parity), turn))
        found.sort()
        lays = tuple(found)
        self.lays_by_demand(tile)[code] = lays
        return lays


BOX: Final[list[Tile]] = read_tiles(
    resources.files("wellies.games.marram").joinpath("tiles.json").read_text(encoding="utf-8")
)
"""The starter and the tiles of the standard set, by number."""

STANDARD_TILES: Final = TileSet(BOX)
_BY_TEXT: Final[dict[str, TileSet]] = {}


def tile_set(value: Any) -> TileSet:
    """The tiles that a value of the option `cards` means: "standard", a path to a tile file, or what is in one.

    BadMaterial names the tile, the field, what is wrong with it and how to mend it.
    """
    if value is None or value == STANDARD_NAME:
        return STANDARD_TILES
    known: TileSet = made_from(value, "tile file", _BY_TEXT, _checked)
    return known


def _checked(data: Any) -> TileSet:
    return TileSet(check_tiles(data, BOX))


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
