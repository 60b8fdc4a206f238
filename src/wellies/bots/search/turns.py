"""The moves worth comparing: one's own turn looked through to its end, so that a step which brings nothing by itself
is judged by the best that it can lead to."""

from __future__ import annotations

from typing import Final

from wellies.bots.search.heuristics import Heuristics
from wellies.core.state import GameState

STEPS: Final = 12
"""No turn of ours is so long, but one might be endless."""


class Beginning:
    """The first moves of a turn, where they led, and what they promise."""

    __slots__ = ("moves", "promise", "state")

    def __init__(self, promise: int, moves: tuple[int, ...], state: GameState) -> None:
        self.promise = promise
        self.moves = moves
        self.state = state


class Candidate:
    """A first move with the best way found to go on with the turn."""

    __slots__ = ("follow", "move", "promise")

    def __init__(self, move: int, promise: int, follow: tuple[int, ...]) -> None:
        self.move = move
        self.promise = promise
        self.follow = follow
        """The moves of the same seat that should follow, as far as nobody else comes between."""


def look_through(state: GameState, seat: int, heuristics: Heuristics) -> list[Candidate]:
    """Every legal move, the most promising first. Turns of several steps are followed as far as the looks last; a
    move that was not followed to the end of its turn stands behind all that were."""
    whole: dict[int, Candidate] = {}
    part: dict[int, Candidate] = {}
    begun = [Beginning(0, (), state)]
    for step in range(STEPS):
        longer: list[Beginning] = []
        for beginning in begun:
            before = beginning.state
            for move in before.legal(seat):
                after = before.clone()
                after.step(seat, move)
                promise = heuristics.margin(after, seat)
                following = (*beginning.moves, move)
                if step < STEPS - 1 and after.due() == [seat]:
                    longer.append(Beginning(promise, following, after))
                    _keep(part, following, promise)
                else:
                    _keep(whole, following, promise)
        if not longer:
            break
        begun = _most_promising(longer, seat, heuristics.looks)
    for move, candidate in part.items():
        if move not in whole:
            # It is compared by its half-way promise, which is not of the same kind as the others.
            whole[move] = Candidate(move, candidate.promise - 1_000_000, ())
    found = list(whole.values())
    found.sort(key=_promise, reverse=True)
    for candidate in found:
        if candidate.promise < -500_000:
            candidate.promise += 1_000_000
    return found


def _keep(best: dict[int, Candidate], moves: tuple[int, ...], promise: int) -> None:
    known = best.get(moves[0])
    if known is None or promise > known.promise:
        best[moves[0]] = Candidate(moves[0], promise, moves[1:])


def _promise(candidate: Candidate) -> int:
    return candidate.promise


def _beginning(beginning: Beginning) -> int:
    return beginning.promise


def _most_promising(begun: list[Beginning], seat: int, most: int) -> list[Beginning]:
    """The best of these beginnings, as many as can be looked through in one more step; one at least."""
    begun.sort(key=_beginning, reverse=True)
    looks = 0
    for number, beginning in enumerate(begun):
        looks += len(beginning.state.legal(seat))
        if looks > most and number > 0:
            return begun[:number]
    return begun
