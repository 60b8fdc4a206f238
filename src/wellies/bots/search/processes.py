"""One search in several processes: each searches with dice of its own, and their visits are added up.

A process gets what the seat sees, as JSON, and nothing else. For the same seed, nodes and number of processes the
result is the same.
"""

from __future__ import annotations

from wellies.bots.process_pool import shared_pool
from wellies.bots.search.root import Budget, heuristics_of, search
from wellies.core.dice import Stream
from wellies.core.events import Json
from wellies.core.state import GameState
from wellies.games import game

Visits = tuple[int, int, float]
"""A move, its visits, and the sum of their values."""


def parallel_search(state: GameState, seat: int, deep: bool, budget: Budget, seed: int, processes: int) -> int:
    """The move that so many searches, each with its share of the nodes, find best together."""
    pool = shared_pool(processes)
    share = max(1, budget.nodes // processes)
    name, position = state.spec.name, state.position(seat)
    tasks = [
        pool.submit(search_position, name, position, seat, deep, share, budget.seconds, seed * 1009 + number, retries=2)
        for number in range(processes)
    ]
    return most_visited([task.result() for task in tasks])


def search_position(
    name: str, position: Json, seat: int, deep: bool, nodes: int, seconds: float, seed: int
) -> list[Visits]:
    """What runs in a process: all candidates it compared, the best first."""
    spec = game(name)
    state = spec.from_position(position).resample(seat, Stream(seed))
    result = search(state, seat, heuristics_of(spec, deep), Budget(nodes, seconds), seed)
    return [(each.move, each.visits, each.total) for each in result.evaluations]


def most_visited(results: list[list[Visits]]) -> int:
    """The move with most visits over all, since only good moves are visited often; of equal ones that of most value."""
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for result in results:
        for move, count, total in result:
            visits[move] = visits.get(move, 0) + count
            totals[move] = totals.get(move, 0.0) + total
    best = results[0][0][0]
    for move, count in visits.items():
        if (count, totals[move]) > (visits[best], totals[best]):
            best = move
    return best
