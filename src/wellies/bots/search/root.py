"""The search at the root: which legal move is best, within a budget.

If every line can be followed to the end of the game, the best move is proved (`proof.py`). Otherwise moves are
compared.

Beam search finds the candidates. They are compared by sequential halving: all get the same number of visits, the worse
half is dropped, and so on until one is left. A candidate that is clearly beaten is dropped at once, so an easy choice
takes little time.
"""

from __future__ import annotations

import math
import time
from typing import Final

from wellies.bots.search.beam import Candidate, beam_search
from wellies.bots.search.proof import prove
from wellies.bots.search.rollout import Rollout, value_of_margin
from wellies.bots.search.tree import Node
from wellies.core.heuristics import Heuristics
from wellies.core.spec import GameSpec
from wellies.core.state import GameState

SURE: Final = 3.0
"""A candidate that is behind the leader by so many standard errors, over the same rollouts, is dropped."""

FEWEST: Final = 8
"""No candidate is dropped on fewer visits."""

PROOF_SHARE: Final = 0.3
"""So much of the time limit may go into a proof."""

_HEURISTICS: Final[dict[tuple[GameSpec, bool], Heuristics]] = {}


def heuristics_of(spec: GameSpec, deep: bool = False) -> Heuristics:
    """The heuristics of a game, for quick or for deep searches: made once, since they may cache what they compute."""
    known = _HEURISTICS.get((spec, deep))
    if known is None:
        known = spec.heuristics(deep)
        _HEURISTICS[(spec, deep)] = known
    return known


class Budget:
    """How long to search: visits to the root, and seconds (0: as long as the visits take)."""

    __slots__ = ("nodes", "seconds")

    def __init__(self, nodes: int, seconds: float = 0.0) -> None:
        self.nodes = nodes
        self.seconds = seconds


class Evaluation:
    """A candidate with the results of its visits."""

    __slots__ = ("candidate", "margins", "prior", "prior_weight", "total", "values")

    def __init__(self, candidate: Candidate, prior: float, prior_weight: float) -> None:
        self.candidate = candidate
        self.prior = prior
        self.prior_weight = prior_weight
        """How many visits the prior counts for."""
        self.values: list[float] = []
        self.margins: list[int] = []
        self.total = 0.0

    @property
    def move(self) -> int:
        return self.candidate.move

    @property
    def visits(self) -> int:
        return len(self.values)

    def add(self, value: float, margin: int) -> None:
        self.values.append(value)
        self.margins.append(margin)
        self.total += value

    def mean(self) -> float:
        """The mean value of the visits and of the prior."""
        weight = len(self.values) + self.prior_weight
        return (self.total + self.prior_weight * self.prior) / weight if weight else 0.0

    def margin(self) -> float:
        """The margin that this move leads to on average, in hundredths of a point."""
        return sum(self.margins) / len(self.margins) if self.margins else float(self.candidate.value)


class SearchResult:
    """The candidates compared, the best first."""

    __slots__ = ("evaluations", "nodes", "proved", "seconds")

    def __init__(self, evaluations: list[Evaluation], nodes: int, seconds: float, proved: bool = False) -> None:
        self.evaluations = evaluations
        self.nodes = nodes
        self.seconds = seconds
        self.proved = proved
        """Whether every line was followed to the end: then all legal moves are here, with exact margins."""

    @property
    def best(self) -> Evaluation:
        return self.evaluations[0]


def search(
    state: GameState,
    seat: int,
    heuristics: Heuristics,
    budget: Budget,
    seed: int,
    root: Node | None = None,
    keep: int = -1,
) -> SearchResult:
    """Compare the moves of a seat. `root` is a tree of an earlier search to continue: it tells how games go on from
    here. The candidates start without visits, since those of other rollouts are not comparable.
    `keep` is a move that is compared to the end, however bad it is."""
    started = time.monotonic()
    deadline = started + budget.seconds if budget.seconds > 0 else math.inf
    exact = prove(state, seat, heuristics, started + PROOF_SHARE * budget.seconds if budget.seconds > 0 else math.inf)
    if exact:
        certain = [Evaluation(Candidate(each.move, round(each.margin)), each.value, 1.0) for each in exact]
        for one, proved in zip(certain, exact, strict=True):
            one.add(proved.value, round(proved.margin))
        return SearchResult(certain, 0, time.monotonic() - started, True)
    candidates = beam_search(state, seat, heuristics.margin, heuristics.beam_budget)
    kept = candidates[: heuristics.width]
    for each in candidates[heuristics.width :]:
        if each.move == keep:
            kept.append(each)
    evaluations = [
        Evaluation(each, value_of_margin(each.value, heuristics.scale), heuristics.prior_weight) for each in kept
    ]
    if root is None:
        root = Node()
    rollout = Rollout(state, seat, heuristics, seed, root)
    nodes = 0
    if len(evaluations) > 1:
        most = max(1, budget.nodes * heuristics.budget_share(state) // 100)
        nodes = _sequential_halving(evaluations, rollout, most, deadline, keep)
    return SearchResult(evaluations, nodes, time.monotonic() - started)


def _sequential_halving(evaluations: list[Evaluation], rollout: Rollout, nodes: int, deadline: float, keep: int) -> int:
    """Sort the list, the best first, with so many visits at most; returns how many there were."""
    left = len(evaluations)
    rounds = max(1, math.ceil(math.log2(left)))
    spent = 0
    for number in range(rounds):
        each = max(1, (nodes - spent) // ((rounds - number) * left))
        for _ in range(each):
            if spent + left > nodes and spent > 0:
                break
            for one in evaluations[:left]:
                value = rollout.run(one.move, one.candidate.follow, one.visits)
                one.add(value, rollout.margin)
                spent += 1
                if time.monotonic() >= deadline:
                    _sort(evaluations, left)
                    return spent
            left = _drop_beaten(evaluations, left, keep)
            if left == 1:
                return spent
        _sort(evaluations, left)
        left = _halve(evaluations, left, (left + 1) // 2, keep)
        if left == 1:
            break
    return spent


def _sort(evaluations: list[Evaluation], left: int) -> None:
    """Sort those that are left, the best first. Equal ones keep their order, which is that of the beam search."""
    best = evaluations[:left]
    best.sort(key=_mean, reverse=True)
    evaluations[:left] = best


def _mean(one: Evaluation) -> float:
    return one.mean()


def _halve(evaluations: list[Evaluation], left: int, number: int, keep: int) -> int:
    """How many stay, `number` or one more; the move to keep is moved up among them."""
    if number < 2 and keep >= 0:
        number = min(left, 2)
    for index in range(number, left):
        if evaluations[index].move == keep:
            evaluations.insert(number - 1, evaluations.pop(index))
    return number


def _drop_beaten(evaluations: list[Evaluation], left: int, keep: int) -> int:
    """Move those that cannot catch the leader behind the others; returns how many are left."""
    visits = evaluations[0].visits
    if visits < FEWEST or visits & 3:
        return left
    _sort(evaluations, left)
    leader = evaluations[0]
    stay = [leader]
    dropped: list[Evaluation] = []
    for one in evaluations[1:left]:
        if one.move != keep and beaten(leader, one):
            dropped.append(one)
        else:
            stay.append(one)
    evaluations[:left] = stay + dropped
    return len(stay)


def beaten(leader: Evaluation, one: Evaluation) -> bool:
    """Whether the leader is surely better, as far as the same rollouts tell; or equal in every one of them."""
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
    error = math.sqrt(max(0.0, squares / count - mean * mean) / count)
    return mean > SURE * error and mean > 1e-9
