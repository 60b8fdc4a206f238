"""What a seat may know, and guess: the tiles it has not seen, a fresh deal of them, and what a hand promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellies.core.dice import Rng
from wellies.core.events import Json
from wellies.core.state import ALL_SEEING
from wellies.games.umbradeco.material import COLOUR_COUNT, COLOURS, UNKNOWN
from wellies.games.umbradeco.scoring import best_points

if TYPE_CHECKING:
    from wellies.games.umbradeco.state import UmbradecoState

NEXT_POINT: Final = 25
CHOICE: Final = 30
"""What a point of the next turn and a colour in hand are worth in hundredths, found by trying."""


def unseen(state: UmbradecoState, viewer: int | None) -> list[int]:
    """How many tiles of each colour lie where this viewer cannot see them: in the deck, in the hidden part of other
    hands, or out of the game."""
    counts = state.pool.copy()
    if viewer == ALL_SEEING:
        return counts
    for tile in state.out:
        if tile != UNKNOWN:
            counts[tile] += 1
    for seat in range(state.seats):
        if seat != viewer:
            for tile in state.hidden[seat]:
                if tile != UNKNOWN:
                    counts[tile] += 1
    return counts


def extra(state: UmbradecoState, viewer: int | None) -> Json:
    """The unseen tiles by colour, for players who count."""
    counts = unseen(state, viewer)
    return {"unseen": {COLOURS[colour]: counts[colour] for colour in range(COLOUR_COUNT)}}


# --- resampling -------------------------------------------------------------------------------------------------------


def resample(state: UmbradecoState, seat: int, rng: Rng) -> UmbradecoState:
    """Deal all that this seat has not seen afresh: hidden tiles of the others, tiles out of the game, the deck.

    Every deal that agrees with what is known is as likely as it is at a real table. The tiles about which a discard has
    told something are dealt first, together, by the number of ways each deal of them can come about; the rest is drawn
    tile by tile.
    """
    other = state.clone()
    counts = unseen(state, seat)
    seats: list[int] = []
    for each in range(state.seats):
        hidden = state.hidden[each]
        for tile in hidden:
            if each != seat or tile == UNKNOWN:
                seats.append(each)
        other.hidden[each] = tuple(tile for tile in hidden if tile != UNKNOWN) if each == seat else ()
    told = [each for each in seats if state.excluded[each]]
    masks = [state.excluded[each] for each in told]
    if not _ways(counts, masks, 0):
        masks = [0] * len(masks)  # a position that contradicts itself: deal it all the same
    for index, each in enumerate(told):
        other.hidden[each] += (_deal_told(counts, masks, index, rng),)
    for each in seats:
        if not state.excluded[each]:
            other.hidden[each] += (_deal(counts, rng),)
    for each in range(state.seats):
        other.hidden[each] = tuple(sorted(other.hidden[each]))
    other.out = tuple(sorted([_deal(counts, rng) for _ in state.out]))
    other.pool = counts
    return other


def proofs(state: UmbradecoState) -> list[int]:
    """What discards have told of tiles that this state does not know: for each, the colours it cannot have. Empty in
    every true state."""
    if not any(state.excluded):
        return []
    return [mask for seat, mask in enumerate(state.excluded) if mask and UNKNOWN in state.hidden[seat]]


def can_be(state: UmbradecoState) -> bool:
    """Whether the unseen tiles allow all that discards have told."""
    return _ways(state.pool.copy(), proofs(state), 0) > 0


def draw_weight(state: UmbradecoState, colour: int) -> int:
    """In how many ways this colour can be drawn, so that hidden tiles can still be what discards have told of them."""
    count = state.pool[colour]
    masks = proofs(state)
    if not masks or not count or not can_be(state):
        return count
    counts = state.pool.copy()
    counts[colour] -= 1
    return count * _ways(counts, masks, 0)


def _deal(counts: list[int], rng: Rng) -> int:
    """One tile from the unseen ones, each as likely as the others; it is taken out of the counts."""
    mark = rng.randrange(sum(counts))
    colour = 0
    while mark >= counts[colour]:
        mark -= counts[colour]
        colour += 1
    counts[colour] -= 1
    return colour


def _ways(counts: list[int], masks: list[int], index: int) -> int:
    """In how many ways the tiles from this one on can be dealt without any having a colour that its mask excludes."""
    if index == len(masks):
        return 1
    ways = 0
    for colour in range(COLOUR_COUNT):
        count = counts[colour]
        if count and not masks[index] >> colour & 1:
            counts[colour] -= 1
            ways += count * _ways(counts, masks, index + 1)
            counts[colour] += 1
    return ways


def _deal_told(counts: list[int], masks: list[int], index: int, rng: Rng) -> int:
    """One tile whose colour must not be in its mask, dealt so that those after it can be dealt too."""
    mark = rng.randrange(_ways(counts, masks, index))
    for colour in range(COLOUR_COUNT):
        count = counts[colour]
        if count and not masks[index] >> colour & 1:
            counts[colour] -= 1
            mark -= count * _ways(counts, masks, index + 1)
            if mark < 0:
                return colour
            counts[colour] += 1
    raise AssertionError("the ways to deal do not add up")


# --- a guess at the future --------------------------------------------------------------------------------------------


def estimate(state: UmbradecoState, seat: int) -> int:
    """The score, a quarter of the best points that the hand could make on the mat as it is, and a little for a hand of
    two colours, which has more ways to go. A tile taken with its place in mind wins nine games of ten against one taken
    blindly."""
    colours = state.hand_colours(seat)
    promise = NEXT_POINT * best_points(state.mat, colours, state.unbroken)
    return 100 * state.points[seat] + promise + CHOICE * len(colours)
