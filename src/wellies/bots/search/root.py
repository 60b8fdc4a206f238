"""Which of the moves at hand is best, within a budget.

The candidates are compared by sequential halving: all get the same number of visits, the worse half goes, and so on
until one is left. A move that is clearly beaten goes at once, so an easy choice is made early.
"""

from __future__ import annotations

import math
import time
from typing import Final

from wellies.bots.search.heuristics import Heuristics
from wellies.bots.search.rollout import Rollout, squashed
from wellies.bots.search.tree import Node
from wellies.bots.search.turns import Candidate, look_through
from wellies.core.state import GameState

SURE: Final = 3.0
"""A move that trails the leader by so many standard errors, over the same imagined games, cannot catch up."""

FEWEST: Final = 8
"""Nothing is said to be sure on fewer visits."""


class Budget:
    """How long to think: visits to the root, and seconds (0: as long as the visits take)."""

    __slots__ = ("nodes", "seconds")

    def __init__(self, nodes: int, seconds: float = 0.0) -> None:
        self.nodes = nodes
        self.seconds = seconds


class Weighed:
    """A candidate with all that its visits said."""

    __slots__ = ("candidate", "impression", "leads", "total", "trust", "values")

    def __init__(self, candidate: Candidate, impression: float, trust: float) -> None:
        self.candidate = candidate
        self.trust = trust
        """How many visits the first impression counts for."""
        self.impression = impression
        self.values: list[float] = []
        self.leads: list[int] = []
        self.total = 0.0

    @property
    def move(self) -> int:
        return self.candidate.move

    @property
    def visits(self) -> int:
        return len(self.values)

    def add(self, value: float, lead: int) -> None:
        self.values.append(value)
        self.leads.append(lead)
        self.total += value

    def mean(self) -> float:
        """The mean of the visits and of the first impression."""
        weight = len(self.values) + self.trust
        return (self.total + self.trust * self.impression) / weight if weight else 0.0

    def lead(self) -> float:
        """The margin that this move leads to on average, in hundredths of a point."""
        return sum(self.leads) / len(self.leads) if self.leads else float(self.candidate.promise)


class Verdict:
    """What a search found: the moves compared, the best first."""

    __slots__ = ("nodes", "seconds", "weighed")

    def __init__(self, weighed: list[Weighed], nodes: int, seconds: float) -> None:
        self.weighed = weighed
        self.nodes = nodes
        self.seconds = seconds

    @property
    def best(self) -> Weighed:
        return self.weighed[0]


def weigh(
    state: GameState,
    seat: int,
    heuristics: Heuristics,
    budget: Budget,
    seed: int,
    root: Node | None = None,
    must: int = -1,
) -> Verdict:
    """Compare the moves of a seat. `root` is a tree to grow on: it knows from an earlier search how games go on from
    here, while the moves themselves are compared anew, since visits of other imagined games cannot be set against
    each other. `must` is a move to compare to the very end."""
    begun = time.monotonic()
    deadline = begun + budget.seconds if budget.seconds > 0 else math.inf
    candidates = look_through(state, seat, heuristics)
    kept = candidates[: heuristics.width]
    for each in candidates[heuristics.width :]:
        if each.move == must:
            kept.append(each)
    weighed = [Weighed(each, squashed(each.promise, heuristics.scale), heuristics.trust) for each in kept]
    if root is None:
        root = Node()
    rollout = Rollout(state, seat, heuristics, seed, root)
    nodes = 0
    if len(weighed) > 1:
        most = max(1, budget.nodes * heuristics.share(state) // 100)
        nodes = _halve(weighed, rollout, most, deadline, must)
    return Verdict(weighed, nodes, time.monotonic() - begun)


def _halve(weighed: list[Weighed], rollout: Rollout, nodes: int, deadline: float, must: int) -> int:
    """Sort the list, the best first, with so many visits at most; returns how many there were."""
    left = len(weighed)
    rounds = max(1, math.ceil(math.log2(left)))
    spent = 0
    for number in range(rounds):
        each = max(1, (nodes - spent) // ((rounds - number) * left))
        for _ in range(each):
            if spent + left > nodes and spent > 0:
                break
            for one in weighed[:left]:
                value = rollout.walk(one.move, one.candidate.follow, one.visits)
                one.add(value, rollout.lead)
                spent += 1
                if time.monotonic() >= deadline:
                    _sort(weighed, left)
                    return spent
            left = _drop_beaten(weighed, left, must)
            if left == 1:
                return spent
        _sort(weighed, left)
        left = _keep(weighed, left, (left + 1) // 2, must)
        if left == 1:
            break
    return spent


def _sort(weighed: list[Weighed], left: int) -> None:
    """The best of those left first. Equal ones keep their order, which is that of the first impression."""
    best = weighed[:left]
    best.sort(key=_mean, reverse=True)
    weighed[:left] = best


def _mean(one: Weighed) -> float:
    return one.mean()


def _keep(weighed: list[Weighed], left: int, number: int, must: int) -> int:
    """How many stay; the one that must stay is moved up among them."""
    if number < 2 and must >= 0:
        number = min(left, 2)
    for index in range(number, left):
        if weighed[index].move == must:
            weighed.insert(number - 1, weighed.pop(index))
    return number


def _drop_beaten(weighed: list[Weighed], left: int, must: int) -> int:
    """Move those that cannot catch the leader behind the others; returns how many are left."""
    visits = weighed[0].visits
    if visits < FEWEST or visits & 3:
        return left
    _sort(weighed, left)
    leader = weighed[0]
    stay = [leader]
    gone: list[Weighed] = []
    for one in weighed[1:left]:
        if one.move != must and _beaten(leader, one):
            gone.append(one)
        else:
            stay.append(one)
    weighed[:left] = stay + gone
    return len(stay)


def _beaten(leader: Weighed, one: Weighed) -> bool:
    """Whether the leader is better for sure, as far as the same imagined games tell; or just as good in every one."""
    count = one.visits
    total = 0.0
    squares = 0.0
    for index in range(count):
        gap = leader.values[index] - one.values[index]
        total += gap
        squares += gap * gap
    if squares == 0.0:
        return True
    mean = total / count
    noise = math.sqrt(max(0.0, squares / count - mean * mean) / count)
    return mean > SURE * noise and mean > 1e-9
