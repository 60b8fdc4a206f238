"""What a seat may know: the tiles it has not seen, what discards have proved of them, and a fresh deal of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellies.core.dice import Rng
from wellies.core.state import ALL_SEEING
from wellies.games.umbradeco.material import COLOUR_COUNT, UNKNOWN

if TYPE_CHECKING:
    from wellies.games.umbradeco.state import UmbradecoState


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


# --- resampling -------------------------------------------------------------------------------------------------------


def resample(state: UmbradecoState, seat: int, rng: Rng) -> UmbradecoState:
    """Deal all that this seat has not seen afresh: hidden tiles of the others, tiles out of the game, the deck.

    Every deal that agrees with what is known is as likely as at a real table. The tiles of which a discard has proved
    something are dealt first, together, by the number of ways each deal of them can come about; the rest is drawn
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
    proved = [each for each in seats if state.excluded[each]]
    masks = [state.excluded[each] for each in proved]
    if not _ways(counts, masks, 0):
        masks = [0] * len(masks)  # a position that contradicts itself: deal it all the same
    for index, each in enumerate(proved):
        other.hidden[each] += (_deal_proved(counts, masks, index, rng),)
    for each in seats:
        if not state.excluded[each]:
            other.hidden[each] += (_deal(counts, rng),)
    for each in range(state.seats):
        other.hidden[each] = tuple(sorted(other.hidden[each]))
    other.out = tuple(sorted([_deal(counts, rng) for _ in state.out]))
    other.pool = counts
    return other


def proofs(state: UmbradecoState) -> list[int]:
    """What discards have proved of tiles that this state does not know: for each, the colours it cannot have. A state
    that knows all tiles has none."""
    if not any(state.excluded):
        return []
    return [mask for seat, mask in enumerate(state.excluded) if mask and UNKNOWN in state.hidden[seat]]


def can_be(state: UmbradecoState) -> bool:
    """Whether the unseen tiles allow all that discards have proved."""
    return _ways(state.pool.copy(), proofs(state), 0) > 0


def draw_weight(state: UmbradecoState, colour: int) -> int:
    """In how many ways this colour can be drawn, so that hidden tiles can still be what discards have proved."""
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


def _deal_proved(counts: list[int], masks: list[int], index: int, rng: Rng) -> int:
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
