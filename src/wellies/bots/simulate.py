"""Many games between bots: the same seed gives the same games, whatever the number of processes.

The random numbers of game `k` depend on the seed and on `k` only, and each bot has a random stream of its own. So games
can be played in any order and in any process, and a single game can be played again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Final

from wellies.bots import make_bot
from wellies.bots.process_pool import ProcessPool
from wellies.core.dice import Stream
from wellies.core.errors import BadOption, WelliesError
from wellies.core.events import Json
from wellies.core.outcome import Outcome
from wellies.core.state import CHANCE, GameState
from wellies.games import game

MAX_DECISIONS: Final = 20_000
"""A game with more decisions than this is stuck."""

RETRIES: Final = 4
"""How often games are played again whose worker process was lost."""

Z95: Final = 1.959963984540054


class Plan:
    """What to play. `bots` are the bots of game 0 by seat; with `rotate` they change seats from game to game."""

    def __init__(self, game: str, bots: list[str], options: Json, games: int, seed: int, rotate: bool) -> None:
        self.game = game
        self.bots = bots
        self.options = options
        self.games = games
        self.seed = seed
        self.rotate = rotate

    def seated(self, number: int) -> list[int]:
        """For each seat of this game, the index of its bot in `bots`."""
        count = len(self.bots)
        shift = number % count if self.rotate else 0
        return [(seat - shift) % count for seat in range(count)]


class Result:
    """The result of one game. Scores are by seat."""

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
    """A plan whose parts have been checked. If there are fewer bots than seats, they are repeated in their order."""
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
    """Play a game to its end, in place. `choose(seat, number of the decision)` returns a move. Returns the number of
    decisions, the number of chance moves, and the outcome."""
    decisions = 0
    chances = 0
    while due := state.due():
        seat = due[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(dice))
            chances += 1
            continue
        if decisions >= MAX_DECISIONS:
            raise WelliesError(
                f"game {number} does not end after {MAX_DECISIONS} decisions; try other bots or options."
            )
        state.step(seat, choose(seat, decisions))
        decisions += 1
    outcome = state.outcome()
    if outcome is None:
        raise AssertionError(f"{state.spec.name}: nobody is to move, and there is no outcome")
    return decisions, chances, outcome


# --- many games -----------------------------------------------------------------------------------------------------


def run(plan: Plan, jobs: int = 1, on_progress: Callable[[int], None] | None = None) -> list[Result]:
    """All games of a plan, in order. `on_progress` is called from time to time with the number of further games that
    are done."""
    if jobs <= 1 or plan.games == 1:
        results = []
        for number in range(plan.games):
            results.append(play_game(plan, number))
            if on_progress is not None:
                on_progress(1)
        return results
    return _run_jobs(plan, jobs, on_progress)


def _run_jobs(plan: Plan, jobs: int, on_progress: Callable[[int], None] | None) -> list[Result]:
    chunk = max(1, min(16, plan.games // (jobs * 4)))
    results: list[Result] = []
    open_tasks: set[Future[list[Result]]] = set()
    with ProcessPool(min(jobs, plan.games)) as pool:
        for start in range(0, plan.games, chunk):
            stop = min(start + chunk, plan.games)
            open_tasks.add(pool.submit(_play_chunk, plan, start, stop, retries=RETRIES))
            # A few tasks more than there are workers keep all of them busy.
            while len(open_tasks) >= 3 * jobs or (open_tasks and stop == plan.games):
                done, open_tasks = wait(open_tasks, return_when=FIRST_COMPLETED)
                for task in done:
                    results += task.result()
                    if on_progress is not None:
                        on_progress(len(task.result()))
    return sorted(results, key=_number)


def _number(result: Result) -> int:
    return result.number


def _play_chunk(plan: Plan, start: int, stop: int) -> list[Result]:
    return [play_game(plan, number) for number in range(start, stop)]


# --- statistics ----------------------------------------------------------------------------------------------------


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a win rate (Wilson score interval). It holds for few games too."""
    if games == 0:
        return (0.0, 1.0)
    rate = wins / games
    spread = Z95 * Z95 / games
    middle = (rate + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return (max(0.0, middle - half), min(1.0, middle + half))


class Tally:
    """A list of numbers, summed up as mean, standard deviation, minimum and maximum."""

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
    """Scores and wins of one bot, or of one seat."""

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
    """The statistics as JSON. The same plan gives the same text. A shared win is split between its winners.

    A bot that has several seats in one game counts once for each.
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


def timed(plan: Plan, jobs: int = 1, on_progress: Callable[[int], None] | None = None) -> tuple[list[Result], Json]:
    """The results and how long they took. The time is not part of the summary, which must be reproducible."""
    started = time.perf_counter()
    results = run(plan, jobs, on_progress)
    seconds = time.perf_counter() - started
    decisions = sum(result.decisions for result in results)
    timing: dict[str, Any] = {
        "seconds": round(seconds, 3),
        "jobs": jobs,
        "decisions_per_second": round(decisions / seconds) if seconds else 0,
        "games_per_second": round(len(results) / seconds, 2) if seconds else 0,
    }
    return results, timing
