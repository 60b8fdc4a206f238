"""Many games between bots: the same seed gives the same games, whatever the number of processes.

Game number `k` draws all its chance from a stream made of the seed and `k` and nothing else; each bot has a stream of
its own beside it. So games can be played in any order and in any process, and a single one can be played again.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Final

from wellies.bots import make_bot
from wellies.bots.processes import make_pool
from wellies.core.dice import Stream
from wellies.core.errors import BadOption, WelliesError
from wellies.core.events import Json
from wellies.core.outcome import Outcome
from wellies.core.state import CHANCE, GameState
from wellies.games import game

LONGEST: Final = 20_000
"""A game with more decisions than this is stuck."""

Z95: Final = 1.959963984540054


class Plan:
    """What to play. `bots` is who sits at the table in game 0, by seat; later games rotate them if `rotate`."""

    def __init__(self, game: str, bots: list[str], options: Json, games: int, seed: int, rotate: bool) -> None:
        self.game = game
        self.bots = bots
        self.options = options
        self.games = games
        self.seed = seed
        self.rotate = rotate

    def seated(self, number: int) -> list[int]:
        """Who of `bots` sits in each seat of this game, as indices."""
        count = len(self.bots)
        shift = number % count if self.rotate else 0
        return [(seat - shift) % count for seat in range(count)]


class Result:
    """How one game went. Scores are by seat."""

    __slots__ = ("chances", "decisions", "number", "reason", "scores", "winners")

    def __init__(
        self, number: int, scores: list[int], winners: list[int], decisions: int, chances: int, reason: str
    ) -> None:
        self.number = number
        self.scores = scores
        self.winners = winners
        self.decisions = decisions
        self.chances = chances
        self.reason = reason


def make_plan(
    name: str,
    bots: list[str],
    seats: int | None = None,
    options: Json | None = None,
    games: int = 100,
    seed: int = 0,
    rotate: bool = True,
) -> Plan:
    """A plan with everything checked. Fewer bots than seats are seated over and over in their order."""
    spec = game(name)
    if not bots:
        raise BadOption("no bots are named; name them with commas, such as greedy,random.")
    for each in bots:
        make_bot(each)
    if seats is None:
        seats = max(len(bots), spec.min_seats, min(2, spec.max_seats))
    spec.check_seats(seats)
    if len(bots) > seats:
        raise BadOption(f"{len(bots)} bots for {seats} seats; ask for {len(bots)} seats or name fewer bots.")
    if games < 1:
        raise BadOption(f"{games} games cannot be played; ask for 1 or more.")
    seated = [bots[seat % len(bots)] for seat in range(seats)]
    checked = spec.start(seats, options).options
    return Plan(spec.name, seated, checked, games, seed, rotate)


def play_game(plan: Plan, number: int) -> Result:
    """Play game `number` of a plan."""
    state = game(plan.game).start(len(plan.bots), plan.options)
    stream = Stream(f"simulate {plan.seed} {number}")
    dice = stream.fork("dice")
    seated = plan.seated(number)
    players = [make_bot(plan.bots[index]).session() for index in seated]
    streams = [stream.fork(f"bot {index}") for index in seated]
    decisions, chances, outcome = play_out(
        state, dice, lambda seat, _choice: players[seat].choose(state, seat, streams[seat]), number
    )
    return Result(number, outcome.scores, outcome.winners, decisions, chances, outcome.reason)


def play_out(
    state: GameState, dice: Stream, choose: Callable[[int, int], int], number: int
) -> tuple[int, int, Outcome]:
    """Play a game to its end, in place. `choose` is asked for the move of a seat, with the number of the choice.
    Returns how many choices and draws there were, and how it ended."""
    decisions = 0
    chances = 0
    while due := state.due():
        seat = due[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(dice))
            chances += 1
            continue
        if decisions >= LONGEST:
            raise WelliesError(f"game {number} does not end after {LONGEST} decisions; try other bots or options.")
        state.step(seat, choose(seat, decisions))
        decisions += 1
    outcome = state.outcome()
    if outcome is None:
        raise AssertionError(f"{state.spec.name}: nobody is to move, and there is no outcome")
    return decisions, chances, outcome


# --- many games -----------------------------------------------------------------------------------------------------


def run(plan: Plan, jobs: int = 1, told: Callable[[int], None] | None = None) -> list[Result]:
    """All games of a plan, in order. `told` hears how many more are done, from time to time."""
    if jobs <= 1 or plan.games == 1:
        results = []
        for number in range(plan.games):
            results.append(play_game(plan, number))
            if told is not None:
                told(1)
        return results
    return _run_jobs(plan, jobs, told)


def _run_jobs(plan: Plan, jobs: int, told: Callable[[int], None] | None) -> list[Result]:
    chunk = max(1, min(16, plan.games // (jobs * 4)))
    starts = iter(range(0, plan.games, chunk))
    results: list[Result | None] = [None] * plan.games
    before = set(multiprocessing.active_children())
    pool = make_pool(min(jobs, plan.games))
    open_tasks: set[Future[list[Result]]] = set()
    try:
        for start in starts:
            open_tasks.add(pool.submit(_play_chunk, plan, start, min(start + chunk, plan.games)))
            if len(open_tasks) < 3 * jobs:
                continue
            open_tasks = _collect(open_tasks, results, told)
        while open_tasks:
            open_tasks = _collect(open_tasks, results, told)
    except BaseException:
        # Whatever went wrong, leave no process behind: those that still play are ours, and are ended.
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            if child not in before:
                child.terminate()
                child.join(2)
        raise
    pool.shutdown()
    return [result for result in results if result is not None]


def _collect(
    tasks: set[Future[list[Result]]], results: list[Result | None], told: Callable[[int], None] | None
) -> set[Future[list[Result]]]:
    done, rest = wait(tasks, return_when=FIRST_COMPLETED)
    for task in done:
        played = task.result()
        for result in played:
            results[result.number] = result
        if told is not None:
            told(len(played))
    return rest


def _play_chunk(plan: Plan, start: int, stop: int) -> list[Result]:
    return [play_game(plan, number) for number in range(start, stop)]


# --- what came out --------------------------------------------------------------------------------------------------


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate, after Wilson; it stays within 0 and 1 and is right for few games too."""
    if games == 0:
        return (0.0, 1.0)
    rate = wins / games
    spread = Z95 * Z95 / games
    middle = (rate + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return (max(0.0, middle - half), min(1.0, middle + half))


class Tally:
    """Numbers of one kind: mean, spread, least and most."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def to_json(self) -> Json:
        count = len(self.values)
        mean = sum(self.values) / count
        spread = math.sqrt(sum((value - mean) ** 2 for value in self.values) / (count - 1)) if count > 1 else 0.0
        return {
            "mean": round(mean, 4),
            "sd": round(spread, 4),
            "min": min(self.values),
            "max": max(self.values),
        }


class Side:
    """The games of one bot, or of one seat."""

    def __init__(self) -> None:
        self.scores = Tally()
        self.wins = 0.0

    def add(self, score: int, share: float) -> None:
        self.scores.values.append(score)
        self.wins += share

    def to_json(self) -> Json:
        played = len(self.scores.values)
        low, high = wilson(self.wins, played)
        return {
            "played": played,
            "score": self.scores.to_json(),
            "wins": round(self.wins, 4),
            "win_rate": round(self.wins / played, 4),
            "win_rate_95": [round(low, 4), round(high, 4)],
        }


def summary(plan: Plan, results: list[Result]) -> Json:
    """All that is worth knowing, as JSON that is the same for the same plan. A shared win is split between its winners.

    A bot that sits in several seats of one game counts once for each.
    """
    names = list(dict.fromkeys(plan.bots))
    by_bot = {name: Side() for name in names}
    by_seat = [Side() for _ in plan.bots]
    decisions = Tally()
    chances = Tally()
    endings: dict[str, int] = {}
    for result in results:
        for seat, index in enumerate(plan.seated(result.number)):
            share = 1 / len(result.winners) if seat in result.winners else 0.0
            by_bot[plan.bots[index]].add(result.scores[seat], share)
            by_seat[seat].add(result.scores[seat], share)
        decisions.values.append(result.decisions)
        chances.values.append(result.chances)
        endings[result.reason] = endings.get(result.reason, 0) + 1
    return {
        "game": plan.game,
        "rules_version": game(plan.game).rules_version,
        "seats": len(plan.bots),
        "options": plan.options,
        "bots": plan.bots,
        "games": len(results),
        "seed": plan.seed,
        "rotate": plan.rotate,
        "by_bot": [{"bot": name, **by_bot[name].to_json()} for name in names],
        "by_seat": [{"seat": seat, **side.to_json()} for seat, side in enumerate(by_seat)],
        "decisions": decisions.to_json(),
        "chance_moves": chances.to_json(),
        "endings": [{"reason": text, "games": count} for text, count in sorted(endings.items())],
    }


def timed(plan: Plan, jobs: int = 1, told: Callable[[int], None] | None = None) -> tuple[list[Result], Json]:
    """The results, and how long they took: never part of the summary, which must be reproducible."""
    begun = time.perf_counter()
    results = run(plan, jobs, told)
    seconds = time.perf_counter() - begun
    decisions = sum(result.decisions for result in results)
    timing: dict[str, Any] = {
        "seconds": round(seconds, 3),
        "jobs": jobs,
        "decisions_per_second": round(decisions / seconds) if seconds else 0,
        "games_per_second": round(len(results) / seconds, 2) if seconds else 0,
    }
    return results, timing
