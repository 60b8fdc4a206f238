"""The starter and the 95 tiles, and how each of them can be laid. `material_file.py` reads them.

At any place each quarter turn of a tile suits exactly one of its faces: the front has grass at NW and SE in base
position, the reverse at NE and SW, and a quarter turn swaps these.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.games.marram.moves import lay_base
from wellies.games.marram.placed_tile import BARE, ORNAMENT_NAMES, PARITY_BIT, PlacedTile, fits
from wellies.games.marram.places import GROUND_NAMES
from wellies.games.marram.segments import text_of, turned

STARTER: Final = 0
TILES: Final = 95
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

    def placed(self, turn: int, face: int, flips: int) -> PlacedTile:
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


class TileSet:
    """The starter and the tiles, by number, with caches of how they can be laid."""

    def __init__(self, tiles: list[Tile]) -> None:
        self.tiles = tiles
        self._placed: dict[int, PlacedTile] = {}
        self._lays: list[list[tuple[int, ...] | None]] = [[] for _ in tiles]

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle has only the tile file, so that states share the set there too."""
        from wellies.games.marram.material_file import STANDARD, load_material

        return load_material, (STANDARD_NAME if self is STANDARD else self.to_json(),)

    def to_json(self) -> dict[str, Any]:
        """The complete tile file of this set, so that a record needs no other file."""
        return {"tiles": [tile.to_json() for tile in self.tiles]}

    def placed(self, tile: int, turn: int, face: int, flips: int) -> PlacedTile:
        """A tile as it lies when laid so; made once."""
        key = tile << 8 | flips << 4 | face << 2 | turn
        known = self._placed.get(key)
        if known is None:
            known = self.tiles[tile].placed(turn, face, flips)
            self._placed[key] = known
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
