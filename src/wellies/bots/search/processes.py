"""Several processes think about one move: each searches with dice of its own, and what they found is added up.

A process gets what the seat sees, as JSON, and nothing else. For the same seed, nodes and number of processes the
result is the same.
"""

from __future__ import annotations

from wellies.bots.process_pool import shared_pool
from wellies.bots.search.games import heuristics_for
from wellies.bots.search.root import Budget, weigh
from wellies.core.dice import Stream
from wellies.core.events import Json
from wellies.core.state import GameState
from wellies.games import game

Found = tuple[int, int, float]
"""A move, its visits, and the sum of their values."""


def best_together(state: GameState, seat: int, deep: bool, budget: Budget, seed: int, processes: int) -> int:
    """The move that so many searches, each with its share of the nodes, find best together."""
    pool = shared_pool(processes)
    share = max(1, budget.nodes // processes)
    name, position = state.spec.name, state.position(seat)
    tasks = [
        pool.submit(search_apart, name, position, seat, deep, share, budget.seconds, seed * 1009 + number, retries=2)
        for number in range(processes)
    ]
    return added_up([task.result() for task in tasks])


def search_apart(
    name: str, position: Json, seat: int, deep: bool, nodes: int, seconds: float, seed: int
) -> list[Found]:
    """What runs in a process: all moves it compared, the best first."""
    state = game(name).from_position(position).resample(seat, Stream(seed))
    verdict = weigh(state, seat, heuristics_for(name, deep), Budget(nodes, seconds), seed)
    return [(each.move, each.visits, each.total) for each in verdict.weighed]


def added_up(findings: list[list[Found]]) -> int:
    """The move with most visits over all, since only good moves are visited often; of equals the one of most value."""
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for found in findings:
        for move, count, total in found:
            visits[move] = visits.get(move, 0) + count
            totals[move] = totals.get(move, 0.0) + total
    best = findings[0][0][0]
    for move, count in visits.items():
        if (count, totals[move]) > (visits[best], totals[best]):
            best = move
    return best
