"""An estimate of a seat's final score, for bots: a claim counts for what it will bring, by how likely that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.games.marram.animals import NO_GUESS
from wellies.games.marram.features import Chain, Patch, count_of, parts
from wellies.games.marram.moves import BOOT, ESCAPE
from wellies.games.marram.phases import KNOCK_OUT, OVER
from wellies.games.marram.scoring import FREAK, end_patch_points, patch_points
from wellies.games.marram.segments import BLUE, BODY, HEAD, ORANGE, SADDLE, TAIL, WORM
from wellies.games.marram.variants import CLASSIC

if TYPE_CHECKING:
    from wellies.games.marram.state import MarramState

# All in hundredths of a point, or percent.
SPADE: Final = 350
"""A spade card: it may still flip a tile that completes a patch."""

LAST_SPADE: Final = 50
"""A spade card when all tiles are gone: it should be used."""

PIECE: Final[tuple[int, ...]] = (0, 780, 1290, 1680, 1980, 2220, 2400, 2550)
"""So many boots (or forks) in stock: each further one counts less."""

CLOSING: Final[tuple[int, ...]] = (100, 62, 36)
"""How likely a beast with so many loose ends is to be completed, while many tiles are left."""

BULGE: Final[tuple[int, ...]] = (100, 60, 36, 22, 13, 8, 5, 3, 2)
"""How likely a patch with so many open bulges is to be completed."""

USUAL_HOPS: Final = 12
"""Half of the animals that are eaten are eaten by about this hop; three in ten escape."""

HALF_GONE: Final = 48
"""With fewer tiles left than this, the chance to complete anything shrinks in proportion."""


KNOCKED_OUT: Final = 5000
"""Winning by a knock-out: more than all that a longer game could bring."""

SCORED_IN_A_RACE: Final = 150
"""While a knock-out is possible, a point scored counts for so much: it also brings the goal nearer."""

UNFINISHED_IN_A_RACE: Final = 30
"""And a point for something unfinished for so much: at a knock-out it pays nothing."""


def estimate(state: MarramState, seat: int) -> int:
    """In hundredths of a point."""
    return estimates(state)[seat]


def estimates(state: MarramState) -> list[int]:
    """Of every seat, in one pass over the claimed features."""
    racing = state.numbers.knock_out > 0 and state.phase != OVER and state.tiles_left()
    values = [(SCORED_IN_A_RACE if racing else 100) * points for points in state.points]
    if state.phase == OVER:
        if state.ended == KNOCK_OUT:
            most = max(values)
            values = [value + KNOCKED_OUT if value == most else value for value in values]
        return values
    board = state.board
    lasts = chance_to_go_on(state) if racing else 100
    unfinished = UNFINISHED_IN_A_RACE * lasts // 100 if racing else 100
    left = state.stock_count
    for hand in state.hands:
        left += len(hand)
    time_left = min(lasts, 100 * left // HALF_GONE)
    for chain in board.chains.values():
        if chain.pieces:
            _share(values, chain.pieces, beast_estimate(chain, time_left, unfinished))
    for patch in board.patches.values():
        if patch.pieces:
            _share(
                values, patch.pieces, patch_estimate(patch, patch_points(patch, state.numbers), time_left, unfinished)
            )
    for cell, piece in board.pieces.items():
        # A piece on a tile that can be flipped may be retired.
        if board.tiles[cell].flips > 0:
            values[piece.seat] -= 80 if piece.piece == BOOT else 60
    for seat in range(state.seats):
        values[seat] += (SPADE * lasts // 100 if left > 0 else LAST_SPADE) * state.spades[seat]
        if left > 0:
            values[seat] += PIECE[min(state.boots[seat], 7)] * time_left // 100
            if state.numbers.variant != CLASSIC:
                values[seat] += PIECE[min(state.forks[seat], 7)] * time_left // 200
        for animal in (state.fly, state.frog):
            if animal is not None:
                values[seat] += guess_estimate(animal.guesses, seat, animal.hops)
    return values


def chance_to_go_on(state: MarramState) -> int:
    """How likely a short game is to last, in percent: it falls from the middle on, with what the leader still needs for
    the knock-out."""
    goal = state.numbers.knock_out
    return max(0, min(100, 200 * (goal - max(state.points)) // goal))


def _share(values: list[int], pieces: int, value: int) -> None:
    """What a feature will bring goes to each seat with most pieces on it."""
    most = 0
    for seat in range(len(values)):
        most = max(most, count_of(pieces, seat))
    for seat in range(len(values)):
        if count_of(pieces, seat) == most:
            values[seat] += value


def beast_estimate(chain: Chain, time_left: int, unfinished: int = 100) -> int:
    """What a claimed beast will bring: as a proper one, as a freak, or a point for each segment at the end.

    `time_left` is how much of the usual chance to complete it is left, in percent."""
    if not chain.loose:
        return 0
    segments = len(chain.members)
    sure = unfinished * segments
    chance = CLOSING[len(chain.loose)] * time_left // 100
    ends = len(chain.loose)
    counts = chain.counts
    heads, tails = parts(counts, HEAD), parts(counts, TAIL)
    if chain.kind == BLUE:
        proper = heads <= 1 and tails <= 1
        whole = 3 * max(3, segments + ends)
    elif chain.kind == ORANGE:
        proper = True
        whole = segments + ends
    elif chain.kind == WORM:
        proper = parts(counts, SADDLE) <= 1
        whole = 2 * max(3, segments + ends)
        if proper and parts(counts, SADDLE) == 0:
            # The saddle is still to come, and few tiles have one.
            chance = chance * 60 // 100
    else:
        proper = True
        whole = 2 * (segments + ends)
    if chain.kind == BLUE and proper and ends == 1 and parts(counts, BODY) == 0:
        # A bare head or tail next to its mate would be a freak; one body must come first.
        chance = chance * 85 // 100
    points = 100 * (whole if proper else FREAK)
    return sure + max(0, points - sure) * chance // 100


def patch_estimate(patch: Patch, points: int, time_left: int, unfinished: int = 100) -> int:
    """What a claimed patch will bring: complete, as far as it now reaches, or at the end."""
    if patch.open == 0:
        return 0
    chance = BULGE[min(patch.open, 8)] * time_left // 100
    sure = unfinished * end_patch_points(patch)
    return sure + max(0, 100 * points - sure) * chance // 100


def guess_estimate(guesses: list[int], seat: int, hops: int) -> int:
    """What a guess about an animal will bring: more if it is near the usual number of hops, less if it is shared."""
    mine = guesses[seat]
    if mine == NO_GUESS:
        return 0
    shared = 100 if guesses.count(mine) > 1 else 0
    if mine == ESCAPE:
        return 360 + 20 * hops - shared
    if hops > mine:
        return 150
    return max(200, 650 - 25 * abs(mine - USUAL_HOPS)) - shared
