"""What may still come out of the bag, by kind. Everyone can know it: it follows from the tiles that are seen."""

from __future__ import annotations

from wellies.core.events import Json
from wellies.games.guppies.faces import LETTERS
from wellies.games.guppies.material import TileSet


def halves_left(box: TileSet, tiles: list[int]) -> Json:
    """How many heads (G O P) and tails (g o p) are on the faces of these tiles."""
    return {letter: sum(box.halves[number][letter] for number in tiles) for letter in LETTERS[1:]}
