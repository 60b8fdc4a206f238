"""Finds puzzles: positions from games between bots where one move is clearly the best, and the obvious one is not.

A game is played by a quick search. Where the search prefers another move than the obvious one, the one with the most
points in sight (what the bot shower plays), the position may be a puzzle. It is checked by a much longer search, which
starts from what the seat sees and from nothing else: see `check`. `docs/puzzles.md` describes it for people.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from wellies.bots.search.beam import Candidate, beam_search
from wellies.bots.search.rollout import Rollout
from wellies.bots.search.root import Budget, heuristics_of, search
from wellies.bots.search.tree import Node
from wellies.bots.simple import LOOKS, greedy_value
from wellies.core.dice import Rng, Stream
from wellies.core.events import Json
from wellies.core.heuristics import Heuristics
from wellies.core.preview import preview_points
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState

FEWEST_MOVES: Final = 3
"""A choice of two is no puzzle."""

MOST_OBVIOUS: Final = 4
"""If more moves than this look equally good at first sight, none of them is the obvious one."""

FIRST_VISITS: Final = 16
"""How many rollouts each legal move gets."""

SECOND_VISITS: Final = (24, 40, 96)
"""How many more each of the better moves gets, in steps, before the long comparison."""

LONG_SHARES: Final = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
"""After which shares of the long comparison is looked whether it is decided."""

LISTED: Final = 10
"""How many moves a puzzle lists with their values, at most."""

CONTENDERS: Final = 5
"""How many moves are compared to the end, at most."""

SURE: Final = 4.0
"""By how many standard errors the best move must be ahead of every other."""

OUT: Final = 6.0
"""A move that is behind by so many standard errors is not compared any longer."""

HOPELESS: Final = 2.5
"""A comparison ends when the best move would have to gain more than so many standard errors to be far enough ahead."""

MARGIN_SHARE: Final = 0.03
"""By how much the best move must be ahead of every other: this share of the lead with which a game counts as half
decided (`Heuristics.scale`)."""

PER_GAME: Final = 3
"""How many puzzles one game gives, at most."""

CHECKED_PER_GAME: Final = 8
"""How many positions of a game are checked by the long search, at most."""


class Following(Heuristics):
    """The heuristics of a game, which also remember what each seat has at the end of a rollout."""

    def __init__(self, inner: Heuristics, horizon: int) -> None:
        super().__init__()
        self.inner = inner
        self.width = inner.width
        self.horizon = horizon
        self.scale = inner.scale
        self.beam_budget = inner.beam_budget
        self.reply_sample = inner.reply_sample
        self.widening = inner.widening
        self.prior_weight = inner.prior_weight
        self.ends: list[int] = []
        """The estimate of each seat at the end of the last rollout."""

    def estimate(self, state: GameState, seat: int) -> int:
        return self.inner.estimate(state, seat)

    def estimates(self, state: GameState) -> list[int]:
        return self.inner.estimates(state)

    def margins(self, state: GameState) -> list[int]:
        self.ends = self.inner.estimates(state)
        return self.inner.margins(state)

    def margin(self, state: GameState, seat: int) -> int:
        return self.inner.margin(state, seat)

    def priors(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        return self.inner.priors(state, seat, moves)

    def reply(self, state: GameState, seat: int, rng: Rng) -> int:
        return self.inner.reply(state, seat, rng)

    def forget_choices(self, state: GameState, seat: int) -> None:
        self.inner.forget_choices(state, seat)

    def plan_draws(self, state: GameState, dice: Rng) -> list[int]:
        return self.inner.plan_draws(state, dice)

    def next_draw(self, state: GameState, planned: list[int], dice: Rng) -> int:
        return self.inner.next_draw(state, planned, dice)


@dataclass
class Spot:
    """A position where a quick search prefers another move than the obvious one."""

    position: Json
    """As its seat sees it."""
    seat: int
    number: int
    """Which decision of the game this is, counted from 0."""
    gap: float
    """By how much the search prefers its move, in standard errors."""


class Tally:
    """The rollouts of one move: its margins and values, and what each side has at the end."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.margins: list[int] = []
        self.values: list[float] = []
        self.mine = 0
        self.theirs = 0

    @property
    def move(self) -> int:
        return self.candidate.move

    def mean(self) -> float:
        return sum(self.margins) / len(self.margins)


class Comparison:
    """Rollouts of several moves of a seat from one position, with the same hidden cards and dice for each."""

    def __init__(self, state: GameState, seat: int, horizon: int, seed: int) -> None:
        self.heuristics = Following(heuristics_of(state.spec, True), horizon)
        self.rollout = Rollout(state, seat, self.heuristics, seed, Node())
        self.seat = seat

    def run(self, tallies: list[Tally], visits: int) -> None:
        """So many rollouts of each."""
        for _ in range(visits):
            for tally in tallies:
                value = self.rollout.run(tally.move, tally.candidate.follow, len(tally.margins))
                ends = self.heuristics.ends
                tally.values.append(value)
                tally.margins.append(self.rollout.margin)
                tally.mine += ends[self.seat]
                tally.theirs += max([each for seat, each in enumerate(ends) if seat != self.seat], default=0)


def gap(best: list[int] | list[float], other: list[int] | list[float]) -> tuple[float, float]:
    """The mean difference over the rollouts that both have, and its standard error."""
    count = min(len(best), len(other))
    gaps = [best[index] - other[index] for index in range(count)]
    mean = sum(gaps) / count
    spread = sum([(each - mean) ** 2 for each in gaps]) / max(1, count - 1)
    return mean, math.sqrt(spread / count)


def obvious_moves(state: GameState, seat: int) -> list[int]:
    """The moves with the most points in sight, the first in the order of the search first: any of them is what the bot
    shower plays."""
    candidates = beam_search(state, seat, greedy_value, LOOKS)
    found = [each for each in candidates if each.complete and each.value == candidates[0].value]
    found.sort(key=lambda each: each.order)
    return [each.move for each in found]


def rank_at_sight(state: GameState, seat: int, move: int) -> int:
    """How many moves have more points in sight than this one."""
    candidates = beam_search(state, seat, greedy_value, LOOKS)
    value = next(each.value for each in candidates if each.move == move)
    return sum([1 for each in candidates if each.value > value])


def least_margin(spec: GameSpec) -> float:
    """By how many hundredths of a point the best move must be ahead of every other."""
    return MARGIN_SHARE * heuristics_of(spec).scale


def find(spec: GameSpec, options: Json, seats: int, seed: int) -> tuple[list[Spot], int]:
    """Play one game; returns where the search prefers a move that is not obvious, and how many decisions there were."""
    dice = Stream(seed).fork("puzzle game")
    state = spec.start(seats, options)
    heuristics = heuristics_of(spec)
    least = least_margin(spec)
    spots: list[Spot] = []
    number = 0
    while due := state.due():
        seat = due[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(dice))
            continue
        legal = state.legal(seat)
        if len(legal) == 1:
            state.step(seat, legal[0])
            continue
        seen = state.resample(seat, dice)
        obvious = obvious_moves(seen, seat)
        result = search(seen, seat, heuristics, Budget(heuristics.nodes), dice.randrange(1 << 62), None, obvious[0])
        best = result.best
        if len(legal) >= FEWEST_MOVES and len(obvious) <= MOST_OBVIOUS and best.move not in obvious:
            usual = next(each for each in result.evaluations if each.move == obvious[0])
            if best.margins and usual.margins:
                ahead, error = gap(best.margins, usual.margins)
                clear = ahead >= least / 2 and ahead >= 1.5 * error
                if clear and not _scores_more(seen, seat, best.move, obvious):
                    spots.append(Spot(state.position(seat), seat, number, ahead / (error + 1)))
        state.step(seat, best.move)
        number += 1
    return spots, number


def check(spec: GameSpec, position: Json, seat: int, rollouts: int, seed: int) -> Json | None:
    """The puzzle of a position, or None if it is none.

    Every legal move is tried, the worse ones are dropped, and at last the best few are compared over so many rollouts
    with the same luck for each, with a seed of their own. The best must be ahead of all others, by margin and by value
    (which counts a win besides), by `SURE` standard errors and by `least_margin`. It must not score more at once than
    the obvious move.
    """
    state = spec.from_position(position).resample(seat, Stream(seed))
    if state.position(seat) != position:
        return None
    obvious = obvious_moves(state, seat)
    horizon = max(heuristics_of(spec, True).horizon, 2 * state.seats - 1)
    least = least_margin(spec)
    candidates = beam_search(state, seat, heuristics_of(spec, True).margin, heuristics_of(spec, True).beam_budget)
    tallies = [Tally(each) for each in candidates]
    before = Comparison(state, seat, horizon, 2 * seed)
    before.run(tallies, FIRST_VISITS)
    tallies.sort(key=Tally.mean, reverse=True)
    listed = [each for place, each in enumerate(tallies) if place < LISTED or each.move in obvious]
    if _is_hopeless(listed, obvious, least):
        return None
    for visits in SECOND_VISITS:
        before.run(listed, visits)
        listed.sort(key=Tally.mean, reverse=True)
        if _is_hopeless(listed, obvious, least):
            return None
    best = listed[0]
    if best.move in obvious or _scores_more(state, seat, best.move, obvious):
        return None
    finalists = [
        Tally(each.candidate)
        for place, each in enumerate(listed)
        if each.move in obvious or (place < CONTENDERS and not _is_out(best, each, least))
    ]
    compared = {each.move: each for each in finalists}
    if any(not _is_behind(best, each, least) for each in listed if each.move not in compared):
        return None
    if not _is_surely_best(Comparison(state, seat, horizon, 2 * seed + 1), finalists, rollouts, least):
        return None
    best = finalists[0]
    known = {each.move: each for each in listed}
    scores = state.scores()
    mine, theirs = scores[seat], max([each for other, each in enumerate(scores) if other != seat], default=0)
    rows: list[Json] = []
    for each in listed:
        tally = compared.get(each.move, each)
        reference = best if each.move in compared else known[best.move]
        lost, error = gap(reference.margins, tally.margins)
        rows.append(
            {
                "move": spec.move_text(state, seat, each.move),
                "lost": round(lost / 100, 2),
                "error": round(error / 100, 2),
                "mine": round(tally.mine / len(tally.margins) / 100 - mine, 2),
                "theirs": round(tally.theirs / len(tally.margins) / 100 - theirs, 2),
                "rollouts": len(tally.margins),
            }
        )
    rows.sort(key=lambda row: float(row["lost"]))
    rest = [each for each in tallies if each.move not in known]
    losses = [gap(known[best.move].margins, each.margins)[0] / 100 for each in rest]
    return {
        "position": position,
        "seat": seat,
        "value": round(best.mean() / 100, 2),
        "moves": rows,
        "obvious": [spec.move_text(state, seat, move) for move in obvious],
        "rest": {"number": len(rest), "lost": round(min(losses), 2)} if rest else None,
        "rank": rank_at_sight(state, seat, best.move),
        "found_by": _found_by(state, seat, best.move, seed),
        "tries": TRIES,
    }


def _scores_more(state: GameState, seat: int, move: int, others: list[int]) -> bool:
    """Whether a move scores more at once than one of the others."""
    points = [each["points"] for each in preview_points(state, seat, [move, *others])]
    return points[0] > min(points[1:])


def _is_hopeless(listed: list[Tally], obvious: list[int], least: float) -> bool:
    """Whether the best of these moves that is not obvious is surely not ahead of all others by `least`."""
    best = next((each for each in listed if each.move not in obvious), None)
    if best is None:
        return True
    for other in listed:
        ahead, error = gap(best.margins, other.margins)
        if other is not best and ahead + HOPELESS * error < least:
            return True
    return False


def _is_behind(best: Tally, other: Tally, least: float) -> bool:
    """Whether a move that is not compared any further is behind by `least`, and by more than luck."""
    ahead, error = gap(best.margins, other.margins)
    return ahead >= max(least, 2 * error)


def _is_out(best: Tally, other: Tally, least: float) -> bool:
    """Whether a move is so far behind that it need not be compared any longer."""
    ahead, error = gap(best.margins, other.margins)
    win, win_error = gap(best.values, other.values)
    return other is not best and ahead > OUT * error and ahead - 2 * error > least and win > OUT * win_error


def _is_surely_best(long: Comparison, finalists: list[Tally], rollouts: int, least: float) -> bool:
    """Compare the first of these moves with the others over so many rollouts each, or until it is decided: whether it
    is ahead of all of them, by `SURE` standard errors and by `least`."""
    best, others = finalists[0], finalists[1:]
    done = 0
    for share in LONG_SHARES:
        until = max(2, round(share * rollouts))
        long.run([best, *others], until - done)
        done = until
        for other in others:
            ahead, error = gap(best.margins, other.margins)
            win, win_error = gap(best.values, other.values)
            # The errors will be smaller at the end.
            sure = SURE * math.sqrt(share)
            hope = HOPELESS * math.sqrt(1 - share)
            if ahead + hope * error < max(least, sure * error) or win + hope * win_error < sure * win_error:
                return False
            if win <= 0 and share == 1:
                return False
        if share >= 1 / 4:
            others = [each for each in others if not _is_out(best, each, least)]
        if not others:
            break
    return True


TRIES: Final = 8
"""How many times a quick search with different dice is asked, to see how hard a puzzle is."""


def _found_by(state: GameState, seat: int, move: int, seed: int) -> int:
    """How many of `TRIES` searches as quick as those of the bot storm find this move."""
    heuristics = heuristics_of(state.spec)
    found = 0
    for number in range(TRIES):
        seen = state.resample(seat, Stream(f"{seed} tries {number}"))
        result = search(seen, seat, heuristics, Budget(heuristics.nodes), TRIES * seed + number)
        found += result.best.move == move
    return found


def make_from_game(name: str, options: Json, seats: int, seed: int, rollouts: int) -> list[Json]:
    """The puzzles that one game gives: what runs in a process."""
    from wellies.games import game

    spec = game(name)
    spots, decisions = find(spec, options, seats, seed)
    spots.sort(key=lambda spot: spot.gap, reverse=True)
    made: list[Json] = []
    taken: list[int] = []
    for spot in spots[:CHECKED_PER_GAME]:
        if any(abs(spot.number - each) < decisions // 8 for each in taken):
            continue
        puzzle = check(spec, spot.position, spot.seat, rollouts, seed)
        if puzzle is not None:
            puzzle["part"] = min(2, 3 * spot.number // max(1, decisions))
            made.append(puzzle)
            taken.append(spot.number)
            if len(made) == PER_GAME:
                break
    return made
