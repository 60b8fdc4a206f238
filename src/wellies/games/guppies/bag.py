"""What may still come out of the bag, by kind. Everyone can know it: it follows from the tiles that are seen."""

from __future__ import annotations

from typing import Final

from wellies.core.events import Json
from wellies.games.guppies.faces import LETTERS, SQUID, face_text
from wellies.games.guppies.material import STANDARD


def _count_halves() -> tuple[dict[str, int], ...]:
    """For each tile, how many of each half are on its two faces together."""
    counts: list[dict[str, int]] = []
    for faces in STANDARD.tiles:
        text = "".join(face_text(face) for face in faces if not face & SQUID)
        counts.append({letter: text.count(letter) for letter in LETTERS[1:]})
    return tuple(counts)


_HALVES: Final = _count_halves()


def halves_left(tiles: list[int]) -> Json:
    """How many heads (G O P) and tails (g o p) are on the faces of these tiles."""
    return {letter: sum(_HALVES[number][letter] for number in tiles) for letter in LETTERS[1:]}
