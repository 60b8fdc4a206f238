"""The tree of an information-set search: which moves were tried where, and how they turned out.

A node is what the searching seat has seen happen since the root, not a position: the same node is reached with
different cards in the rivals' hands. So the legal moves of a node differ from visit to visit, and an edge counts how
often its move was available beside how often it was chosen.
"""

from __future__ import annotations

import math
from typing import Final

EXPLORATION: Final = 0.7
"""The weight of exploration in the choice of a move, in standard deviations of the values seen."""


class Edge:
    """One move of one seat at one node."""

    __slots__ = ("available", "move", "prior", "seat", "total", "visits")

    def __init__(self, seat: int, move: int, prior: int) -> None:
        self.seat = seat
        self.move = move
        self.prior = prior
        self.available = 0
        """How often the move was legal and within the width of its node."""
        self.visits = 0
        self.total = 0.0
        """The sum of the values of all visits."""


class SeatChoices:
    """The choices of one seat at one node. Where several seats choose at once, each has choices of its own, so that
    no choice depends on another that is still secret."""

    __slots__ = ("edges", "legal", "order", "visits")

    def __init__(self) -> None:
        self.edges: dict[int, Edge] = {}
        self.visits = 0
        self.legal: list[int] = []
        """The legal moves of the last visit; mostly they do not change."""
        self.order: list[Edge] = []
        """Their edges, the highest prior first."""

    def missing(self, legal: list[int]) -> list[int]:
        """Those of these moves that have no edge yet."""
        if legal == self.legal:
            return []
        return [move for move in legal if move not in self.edges]

    def choose(self, legal: list[int], widening: float, deviation: float) -> Edge:
        """The move to try now: progressive widening by prior, then UCB. All of `legal` must have edges."""
        if legal != self.legal:
            self.legal = legal
            self.order = [self.edges[move] for move in legal]
            self.order.sort(key=_prior, reverse=True)
        self.visits += 1
        width = 1 + int(widening * math.sqrt(self.visits))
        best = self.order[0]
        best_score = -1e18
        for edge in self.order[:width]:
            edge.available += 1
            if edge.visits == 0:
                score = 1e18
            else:
                bonus = math.sqrt(math.log(edge.available + 1) / edge.visits)
                score = edge.total / edge.visits + EXPLORATION * deviation * bonus
            if score > best_score:
                best, best_score = edge, score
        return best


def _prior(edge: Edge) -> int:
    return edge.prior


class Node:
    """A node: the choices of each seat that decides here, and the children by what happens next."""

    __slots__ = ("children", "choices")

    def __init__(self) -> None:
        self.choices: dict[int, SeatChoices] = {}
        self.children: dict[tuple[int, ...], Node] = {}

    def choices_of(self, seat: int) -> SeatChoices:
        """The choices of a seat; they are added if there are none yet."""
        choices = self.choices.get(seat)
        if choices is None:
            choices = SeatChoices()
            self.choices[seat] = choices
        return choices


class Deviation:
    """The standard deviation of numbers that come one by one."""

    __slots__ = ("count", "mean", "squares")

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        off = value - self.mean
        self.mean += off / self.count
        self.squares += off * (value - self.mean)

    def value(self) -> float:
        if self.count < 2:
            return 0.1
        return math.sqrt(self.squares / (self.count - 1)) + 1e-6
