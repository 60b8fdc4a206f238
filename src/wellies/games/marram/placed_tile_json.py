"""A laid tile in a position, both ways: as it lies, with its number if it is known, its flips and the piece on it."""

from __future__ import annotations

from typing import Any, Final

from wellies.core.errors import BadPosition
from wellies.core.events import Json
from wellies.core.fields import Fields, pair
from wellies.games.marram.board import Board, Piece
from wellies.games.marram.claims import canonical_slot, piece_for, pieces_at
from wellies.games.marram.material import TILES, Tile, TileSet
from wellies.games.marram.moves import PIECE_NAMES, SLOT_NAMES
from wellies.games.marram.placed_tile import BARE, NO_TILE, ORNAMENT_NAMES, PlacedTile
from wellies.games.marram.places import GROUND_NAMES, LIMIT, cell_at, parity, place_json
from wellies.games.marram.segments import ANY, kind_of, read_all, text_of, turned
from wellies.games.marram.variants import CLASSIC, Numbers

FIELDS: Final = (
    "at",
    "tile",
    "turn",
    "bridge",
    "segments",
    "ornament",
    "reverse_ornament",
    "spade",
    "flips",
    "flipped",
    "claim",
)
MOST_FLIPS: Final = 9


def write_laid(board: Board, cell: int, box: TileSet) -> Json:
    """A laid tile as JSON."""
    placed = board.tiles[cell]
    result: Json = {"at": place_json(cell)}
    if placed.tile != NO_TILE:
        result["tile"] = placed.tile
    result["turn"] = placed.turn
    result["bridge"] = GROUND_NAMES[placed.bridge]
    result["segments"] = [text_of(segment) for segment in placed.segments]
    ornament, other = BARE, BARE
    if placed.tile != NO_TILE:
        ornament, other = _ornaments(box.tiles[placed.tile], placed.turn, parity(cell), placed.flipped)
    if placed.ornament != BARE or ornament != BARE:
        result["ornament"] = ORNAMENT_NAMES[placed.ornament]
    if placed.other != other:
        result["reverse_ornament"] = ORNAMENT_NAMES[placed.other]
    result["flips"] = placed.flips
    if placed.flipped:
        result["flipped"] = True
    piece = board.pieces.get(cell)
    if piece is not None:
        result["claim"] = {"seat": piece.seat, "piece": PIECE_NAMES[piece.piece], "on": SLOT_NAMES[piece.slot]}
    return result


def _ornaments(box: Tile, turn: int, place_parity: int, flipped: bool) -> tuple[int, int]:
    """What a tile of the box shows above and below when it lies so."""
    face = box.face_at(turn, place_parity)
    if box.spade:
        return (box.ornaments[face], box.ornaments[1 - face])
    if flipped:
        # An ordinary tile is flipped only when bare; what it showed is now below.
        return (BARE, box.ornaments[1 - face])
    return (box.ornaments[face], BARE)


def read_laid(
    entry: Any, path: str, seats: int, numbers: Numbers, checked: bool, tiles: TileSet
) -> tuple[int, PlacedTile, Piece | None]:
    """The place, the tile as it lies, and the piece on it."""
    fields = Fields(entry, path, FIELDS)
    if not fields.has("at"):
        raise fields.missing("at", "say where the tile lies, such as [0, 1]")
    x, y = pair(fields.get("at"), f"{path}.at", -LIMIT, LIMIT)
    cell = cell_at(x, y)
    if fields.has("tile"):
        placed = _read_known(fields, path, cell, numbers, checked, tiles)
    else:
        placed = _read_written_out(fields, path, cell, numbers)
    if checked:
        _check_placed(placed, path, numbers)
    return cell, placed, _read_claim(fields, path, cell, placed, seats, numbers)


def _check_placed(placed: PlacedTile, path: str, numbers: Numbers) -> None:
    """Coins lie on grass and flowers on sand; a tile is flipped only so often."""
    name, ground = ORNAMENT_NAMES[placed.ornament], GROUND_NAMES[placed.bridge]
    if placed.ornament != BARE and (name == "flower") != (ground == "sand"):
        raise BadPosition(
            f"{path}.ornament: coins lie on grass and flowers on sand, and this bridge is {ground}; "
            'or add "check": false.'
        )
    if placed.flips > numbers.flips:
        times = "once" if numbers.flips == 1 else f"{numbers.flips} times"
        raise BadPosition(f'{path}.flips: a tile is flipped at most {times} in this variant; or add "check": false.')


def _segments(fields: Fields, path: str) -> tuple[int, ...]:
    texts = fields.items("segments")
    for text in texts:
        if not isinstance(text, str):
            raise BadPosition(f'{path}.segments must be texts such as "blue body NS", not {text!r}.')
    try:
        return read_all(texts)
    except ValueError as error:
        raise BadPosition(f"{path}.segments: {error}.") from error


def _ornament(fields: Fields, name: str, default: int) -> int:
    return ORNAMENT_NAMES.index(fields.word(name, ORNAMENT_NAMES[default], list(ORNAMENT_NAMES)))


def _read_written_out(fields: Fields, path: str, cell: int, numbers: Numbers) -> PlacedTile:
    """A tile that is described and not numbered."""
    if not fields.has("bridge"):
        raise fields.missing("bridge", 'say "grass" or "sand", or give the number of the tile')
    bridge = GROUND_NAMES.index(fields.word("bridge", "grass", list(GROUND_NAMES)))
    segments = _segments(fields, path)
    spade = fields.boolean("spade", False)
    # Without a turn, the face with the grass bridge is taken for the front.
    turn = fields.integer("turn", (bridge + parity(cell)) & 1, 0, 3)
    return PlacedTile(
        NO_TILE,
        turn,
        bridge,
        segments,
        _ornament(fields, "ornament", BARE),
        _ornament(fields, "reverse_ornament", BARE),
        fields.integer("flips", numbers.flips if spade else 0, 0, MOST_FLIPS),
        fields.boolean("flipped", False),
    )


def _read_known(fields: Fields, path: str, cell: int, numbers: Numbers, checked: bool, tiles: TileSet) -> PlacedTile:
    """A tile of the box; what is not said of it is taken from there."""
    box = tiles.tiles[fields.integer("tile", 0, 0, TILES)]
    if fields.has("spade") and fields.boolean("spade", False) != box.spade:
        raise BadPosition(f"{path}.spade: tile {box.number} has {'a' if box.spade else 'no'} spade.")
    flipped = fields.boolean("flipped", False)
    segments = _segments(fields, path) if fields.has("segments") else None
    bridge = GROUND_NAMES.index(fields.word("bridge", "grass", list(GROUND_NAMES))) if fields.has("bridge") else None
    turn = 0
    if fields.has("turn"):
        turn = fields.integer("turn", 0, 0, 3)
        if box.symmetric:
            turn &= 1
    else:
        for each in box.turns():
            if _suits(box, each, cell, flipped, bridge, segments, numbers):
                turn = each
                break
    if checked and not _suits(box, turn, cell, flipped, bridge, segments, numbers):
        shows = ", ".join(text_of(segment) for segment in turned(box.segments, turn)) or "no beasts"
        ground = GROUND_NAMES[_bridge(box, turn, cell, flipped)]
        raise BadPosition(
            f"{path}: tile {box.number} in turn {turn} shows {shows} and a {ground} bridge here; "
            "correct bridge, segments or turn, or leave the number of the tile out."
        )
    if segments is None:
        segments = turned(box.segments, turn)
    if bridge is None:
        bridge = _bridge(box, turn, cell, flipped)
    ornament, other = _ornaments(box, turn, parity(cell), flipped)
    if checked and fields.has("ornament") and _ornament(fields, "ornament", ornament) != ornament:
        shown = ORNAMENT_NAMES[ornament]
        raise BadPosition(f'{path}.ornament: tile {box.number} shows {shown} when it lies so; or add "check": false.')
    flips = numbers.flips if box.spade and len(segments) == len(box.segments) else 0
    if numbers.variant != CLASSIC and not segments and box.segments and not fields.has("claim"):
        flips = 1
    return PlacedTile(
        box.number,
        turn,
        bridge,
        segments,
        _ornament(fields, "ornament", ornament),
        _ornament(fields, "reverse_ornament", other),
        fields.integer("flips", 0 if flipped and numbers.variant != CLASSIC else flips, 0, MOST_FLIPS),
        flipped,
    )


def _bridge(box: Tile, turn: int, cell: int, flipped: bool) -> int:
    """The ground of the bridge that shows: of a spade tile by its face, of another by whether it was flipped."""
    swapped = box.face_at(turn, parity(cell)) == 1 if box.spade else flipped
    return 1 - box.bridge if swapped else box.bridge


def _suits(
    box: Tile,
    turn: int,
    cell: int,
    flipped: bool,
    bridge: int | None,
    segments: tuple[int, ...] | None,
    numbers: Numbers,
) -> bool:
    """Whether a tile of the box can lie so. Where beasts are removed it may have lost some."""
    if bridge is not None and bridge != _bridge(box, turn, cell, flipped):
        return False
    if segments is None:
        return True
    whole = turned(box.segments, turn)
    if numbers.variant == CLASSIC:
        return len(segments) == len(whole) and all(_shows(whole, segment) for segment in segments)
    return all(_shows(whole, segment) for segment in segments)


def _shows(whole: tuple[int, ...], segment: int) -> bool:
    """Whether a segment is one of these; a Beastly body may have become one of the beast that it joined."""
    return any(each == segment or (kind_of(each) == ANY and each & 255 == segment & 255) for each in whole)


def _read_claim(fields: Fields, path: str, cell: int, placed: PlacedTile, seats: int, numbers: Numbers) -> Piece | None:
    if fields.get("claim") is None:
        return None
    given = Fields(fields.get("claim"), f"{path}.claim", ("seat", "piece", "on"))
    seat = given.integer("seat", 0, 0, seats - 1)
    named = SLOT_NAMES.index(given.word("on", None, list(SLOT_NAMES)))
    # The slot is read on a table with nothing but this tile.
    alone = Board()
    alone.lay(cell, placed)
    slot = canonical_slot(alone, cell, named)
    if pieces_at(alone, cell, slot) < 0:
        raise BadPosition(f"{path}.claim.on: the tile has nothing at {SLOT_NAMES[named]} to claim.")
    right = PIECE_NAMES[piece_for(slot, numbers.variant)]
    piece = given.word("piece", right, list(PIECE_NAMES))
    if piece != right:
        what = "a beast" if slot < 4 else "a patch"
        raise BadPosition(f"{path}.claim.piece: in this variant {what} is claimed with a {right}, not a {piece}.")
    return Piece(seat, PIECE_NAMES.index(piece), slot)
