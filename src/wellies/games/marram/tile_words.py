"""Tiles in words, by what they show: "a tile with a blue head and two worm bodies"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.texts import listed
from wellies.games.marram.placed_tile import BARE, ORNAMENT_WORDS, PlacedTile
from wellies.games.marram.segments import PART_OF, ROLE_NAMES, kind_of, role_of

if TYPE_CHECKING:
    from wellies.games.marram.material import TileSet


def segment_words(segment: int) -> str:
    """A part of a beast: "blue tail", "worm saddle"."""
    return f"{PART_OF[kind_of(segment)]} {ROLE_NAMES[role_of(segment)]}"


def segments_words(segments: tuple[int, ...]) -> str:
    """The beasts of a tile: "a blue head and two worm bodies"."""
    counts: dict[str, int] = {}
    for segment in segments:
        words = segment_words(segment)
        counts[words] = counts.get(words, 0) + 1
    return listed([_many(words, count) for words, count in counts.items()])


def _many(words: str, count: int) -> str:
    if count == 1:
        return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
    return f"{('two', 'three', 'four')[count - 2]} {words[:-1] + 'ies' if words.endswith('y') else words + 's'}"


def _tile_words(segments: tuple[int, ...], more: list[str]) -> str:
    shown = [segments_words(segments)] if segments else []
    shown += more
    return f"a tile with {listed(shown)}" if shown else "a plain tile"


def box_words(tiles: TileSet, number: int) -> str:
    """A tile of the box, by what it shows."""
    box = tiles.tiles[number]
    more = [] if box.ornaments[0] == BARE else [f"a {ORNAMENT_WORDS[box.ornaments[0]]}"]
    return _tile_words(box.segments, more + (["a spade"] if box.spade else []))


def placed_tile_words(tile: PlacedTile) -> str:
    """A tile on the table, by what it shows."""
    return _tile_words(tile.segments, [] if tile.ornament == BARE else [f"a {ORNAMENT_WORDS[tile.ornament]}"])
