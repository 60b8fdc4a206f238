"""The tree of an information-set search: what was tried where, and how it went.

A node is what the searching seat has seen happen since the root, not a position: the same node is met with different
cards in the rivals' hands. So its moves come and go from visit to visit, and a move counts how often it was there to be
chosen (`seen`) beside how often it was.
"""

from __future__ import annotations

import math
from typing import Final

EXPLORING: Final = 0.7
"""How much is spent on moves that may be better than they look, in spreads of the values seen."""


class Edge:
    """One move of one seat at one node."""

    __slots__ = ("impression", "move", "seat", "seen", "total", "visits")

    def __init__(self, seat: int, move: int, impression: int) -> None:
        self.seat = seat
        self.move = move
        self.impression = impression
        self.seen = 0
        self.visits = 0
        self.total = 0.0


class SeatChoices:
    """The choices of one seat at one node. Where several seats choose at once, each has a table of its own, so that
    no choice depends on another that is still secret."""

    __slots__ = ("edges", "legal", "order", "visits")

    def __init__(self) -> None:
        self.edges: dict[int, Edge] = {}
        self.visits = 0
        self.legal: list[int] = []
        """The moves of the last visit, and their edges from the most promising down: mostly they do not change."""
        self.order: list[Edge] = []

    def missing(self, legal: list[int]) -> list[int]:
        """Those of these moves that are new here."""
        if legal == self.legal:
            return []
        return [move for move in legal if move not in self.edges]

    def choose(self, legal: list[int], widening: float, spread: float) -> Edge:
        """The move to try now. All of `legal` must have edges."""
        if legal != self.legal:
            self.legal = legal
            self.order = [self.edges[move] for move in legal]
            self.order.sort(key=_impression, reverse=True)
        self.visits += 1
        width = 1 + int(widening * math.sqrt(self.visits))
        best = self.order[0]
        best_score = -1e18
        for edge in self.order[:width]:
            edge.seen += 1
            if edge.visits == 0:
                score = 1e18
            else:
                rest = math.sqrt(math.log(edge.seen + 1) / edge.visits)
                score = edge.total / edge.visits + EXPLORING * spread * rest
            if score > best_score:
                best, best_score = edge, score
        return best


def _impression(edge: Edge) -> int:
    return edge.impression


class Node:
    """A place in the tree: the tables of those who choose here, and what follows each thing that may happen."""

    __slots__ = ("children", "tables")

    def __init__(self) -> None:
        self.tables: dict[int, SeatChoices] = {}
        self.children: dict[tuple[int, ...], Node] = {}

    def table(self, seat: int) -> SeatChoices:
        table = self.tables.get(seat)
        if table is None:
            table = SeatChoices()
            self.tables[seat] = table
        return table


class Spread:
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
