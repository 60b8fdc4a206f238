"""Beam search over a seat's own turn.

A turn may have several steps (which group, which card first, which of two tiles), and a step that scores nothing by
itself is worth the best that it can lead to. The greedy bots take the best candidate; the search compares several.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from wellies.core.state import GameState

MOST_STEPS: Final = 12
"""No turn of our games is so long; one of another game might be endless."""


class Line:
    """The first moves of a turn that is not over: the position they lead to, and its value."""

    __slots__ = ("moves", "state", "value")

    def __init__(self, value: int, moves: tuple[int, ...], state: GameState) -> None:
        self.value = value
        self.moves = moves
        self.state = state


class Candidate:
    """A legal move with the best continuation of the turn that was found."""

    __slots__ = ("complete", "follow", "move", "order", "value")

    def __init__(
        self, move: int, value: int, follow: tuple[int, ...] = (), complete: bool = True, order: int = 0
    ) -> None:
        self.move = move
        self.value = value
        """Of the position at the end of the turn, or after the moves that were searched if it is incomplete."""
        self.follow = follow
        """The further moves of the turn, as far as nobody else comes between."""
        self.complete = complete
        """Whether the turn was searched to its end."""
        self.order = order
        """How many positions were evaluated before this value was found."""


def beam_search(state: GameState, seat: int, evaluate: Callable[[GameState, int], int], budget: int) -> list[Candidate]:
    """Every legal move of a seat, the best first. `evaluate` gives the value of a position for the seat.

    Each step of the turn extends the best lines of the step before, as many as `budget` evaluations allow, but at
    least one. Incomplete candidates come after all complete ones, since their values are not comparable.
    """
    complete: dict[int, Candidate] = {}
    incomplete: dict[int, Candidate] = {}
    beam = [Line(0, (), state)]
    order = 0
    for step in range(MOST_STEPS):
        longer: list[Line] = []
        for line in beam:
            before = line.state
            for move in before.legal(seat):
                after = before.clone()
                after.step(seat, move)
                value = evaluate(after, seat)
                order += 1
                moves = (*line.moves, move)
                if step < MOST_STEPS - 1 and after.due() == [seat]:
                    longer.append(Line(value, moves, after))
                    _keep_best(incomplete, moves, value, False, order)
                else:
                    _keep_best(complete, moves, value, True, order)
        if not longer:
            break
        beam = _best_lines(longer, seat, budget)
    found = list(complete.values())
    found.sort(key=_candidate_value, reverse=True)
    rest = [
        Candidate(move, each.value, (), False, each.order) for move, each in incomplete.items() if move not in complete
    ]
    rest.sort(key=_candidate_value, reverse=True)
    return found + rest


def _keep_best(best: dict[int, Candidate], moves: tuple[int, ...], value: int, complete: bool, order: int) -> None:
    known = best.get(moves[0])
    if known is None or value > known.value:
        best[moves[0]] = Candidate(moves[0], value, moves[1:], complete, order)


def _candidate_value(candidate: Candidate) -> int:
    return candidate.value


def _line_value(line: Line) -> int:
    return line.value


def _best_lines(lines: list[Line], seat: int, budget: int) -> list[Line]:
    """The best lines, as many as the budget allows to extend by one step; one at least."""
    lines.sort(key=_line_value, reverse=True)
    cost = 0
    for number, line in enumerate(lines):
        cost += len(line.state.legal(seat))
        if cost > budget and number > 0:
            return lines[:number]
    return lines
