"""The points of features, complete and at the end, and the score lines that say why."""

from __future__ import annotations

from typing import Final

from wellies.core.events import ScoreLine
from wellies.core.texts import capital, listed, seat_mark, some
from wellies.games.marram.board import Board
from wellies.games.marram.features import Chain, Patch, count_of
from wellies.games.marram.moves import BOOT, FORK
from wellies.games.marram.places import CORNER, GROUND_NAMES, parity, place_json
from wellies.games.marram.segments import ANY, BLUE, ORANGE, WORM
from wellies.games.marram.variants import CLASSIC, Numbers

FREAK: Final = 3
"""Points of a freak, whatever its size."""

_PER_SEGMENT: Final = {BLUE: 3, ORANGE: 1, WORM: 2}
_BEAST_RULE: Final = {BLUE: "blue", ORANGE: "orange", WORM: "worm"}
_BEAST_WORDS: Final = {BLUE: "blue snake", ORANGE: "orange snake", WORM: "worm", ANY: "Beastly body"}

END_SEGMENT: Final = 1
END_BULGE: Final = 2
END_ORNAMENT: Final = 1

PRIZE: Final = 12
"""Points shared for a guess about an animal; as many again for an exact one."""


# --- beasts -----------------------------------------------------------------------------------------------------------


def beast_rule(chain: Chain) -> str:
    """The name of a complete beast's score line."""
    return _BEAST_RULE[chain.kind] if chain.regular() else "freak"


def beast_points(chain: Chain) -> int:
    """The points of a complete beast."""
    return _PER_SEGMENT[chain.kind] * len(chain.members) if chain.regular() else FREAK


def beast_words(chain: Chain) -> str:
    """A beast in words: "blue snake of 3 segments"."""
    size = f"of {some(len(chain.members), 'segment')}"
    if chain.loose:
        return f"unfinished {_BEAST_WORDS[chain.kind]} {size}"
    if chain.kind == ANY:
        return f"freak Beastly ring {size}"
    return f"{'' if chain.regular() else 'freak '}{_BEAST_WORDS[chain.kind]} {size}"


def beast_tiles(chain: Chain) -> list[list[int]]:
    """The places that a beast crosses."""
    return [place_json(cell) for cell in sorted({member >> 2 for member in chain.members})]


# --- patches ----------------------------------------------------------------------------------------------------------


def patch_points(patch: Patch, numbers: Numbers) -> int:
    """The points of a complete patch."""
    return (
        numbers.bulge * len(patch.members)
        + numbers.gold * patch.gold
        + numbers.silver * patch.silver
        + numbers.flower * patch.flowers
    )


def end_patch_points(patch: Patch) -> int:
    """The points of an incomplete patch at the end of the game."""
    bulges = len(patch.members) - patch.open
    return END_BULGE * bulges + END_ORNAMENT * (patch.gold + patch.silver + patch.flowers)


def patch_words(patch: Patch) -> str:
    """A patch in words: "grass patch of 2 bulges with 1 gold coin"."""
    ground = GROUND_NAMES[parity(patch.members[0])]
    bulges = len(patch.members) - patch.open
    size = some(bulges, "bulge" if patch.open == 0 else "complete bulge") if bulges else "no complete bulge"
    words = f"{'unfinished ' if patch.open else ''}{ground} patch of {size}"
    things = []
    if patch.gold:
        things.append(some(patch.gold, "gold coin"))
    if patch.silver:
        things.append(some(patch.silver, "silver coin"))
    if patch.flowers:
        things.append(some(patch.flowers, "flower"))
    return words + (" with " + listed(things) if things else "")


def patch_tiles(board: Board, patch: Patch) -> list[list[int]]:
    """The places of all tiles on which a patch shows."""
    cells = {vertex - step for vertex in patch.members for step in CORNER}
    return [place_json(cell) for cell in sorted(cells) if cell in board.tiles]


# --- lines ------------------------------------------------------------------------------------------------------------


def line_for(
    rule: str, points: int, where: list[list[int]], feature: str, pieces: int, on_beast: bool, numbers: Numbers
) -> ScoreLine:
    """The line of everyone who leads on a feature: what it was, and who had how many pieces on it."""
    piece = FORK if on_beast and numbers.variant != CLASSIC else BOOT
    name = ("boot", "fork")[piece]
    seats = [seat for seat in range(4) if count_of(pieces, seat) > 0]
    had = [f"{seat_mark(seat)} had {some(count_of(pieces, seat), name)}" for seat in seats]
    return ScoreLine(rule, points, where, f"{capital(feature)}; {', '.join(had)}")


# --- animals ----------------------------------------------------------------------------------------------------------


def guess_points(guesses: list[int], hops: int, escape: int) -> list[int]:
    """What each seat wins when an animal is eaten at this hop, or escapes (hops 0). Shares are whole."""
    points = [0] * len(guesses)
    if hops == 0:
        right = [seat for seat, guess in enumerate(guesses) if guess == escape]
        for seat in right:
            points[seat] += PRIZE // len(right)
        return points
    named = [seat for seat, guess in enumerate(guesses) if guess != escape]
    if not named:
        return points
    best = min(abs(guesses[seat] - hops) for seat in named)
    closest = [seat for seat in named if abs(guesses[seat] - hops) == best]
    for seat in closest:
        points[seat] += PRIZE // len(closest)
        if best == 0:
            points[seat] += PRIZE // len(closest)
    return points
