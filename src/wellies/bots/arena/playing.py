"""Plays single games of an arena, from the plan and the game's number."""

from __future__ import annotations

import time
from typing import Final

from wellies.bots import make_bot
from wellies.bots.arena import external_bot
from wellies.bots.arena.participants import Participant
from wellies.bots.arena.plan import Plan
from wellies.bots.simulate import play_out
from wellies.core.dice import Stream
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.core.state import GameState
from wellies.games import game

BATCH_SECONDS: Final = 0.5
"""After this time a worker that has several games to play returns those that are done."""


class Result:
    """The result of one game, by seat. `think` has the microseconds of each decision with more than one legal move, and
    `processor` the microseconds of processor time for all decisions (0 for an external bot, which runs in a process of
    its own). They are the only fields that differ when the game is played again."""

    def __init__(
        self,
        number: int,
        scores: list[int],
        ranks: list[int],
        decisions: int,
        chances: int,
        reason: str,
        think: list[list[int]],
        processor: list[int],
    ) -> None:
        self.number = number
        self.scores = scores
        self.ranks = ranks
        self.decisions = decisions
        self.chances = chances
        self.reason = reason
        self.think = think
        self.processor = processor

    @property
    def winners(self) -> list[int]:
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1]

    def to_json(self) -> Json:
        return dict(vars(self))

    @classmethod
    def from_json(cls, value: Json) -> Result:
        """KeyError, TypeError or ValueError if it is not one."""
        names = ("number", "scores", "ranks", "decisions", "chances", "reason", "think")
        # Files of earlier versions have no processor times.
        unknown = [0] * len(value["scores"])
        result = cls(**{name: value[name] for name in names}, processor=value.get("processor", unknown))
        whole = [result.number, result.decisions, result.chances, *result.scores, *result.ranks, *result.processor]
        if not all(isinstance(each, int) for each in whole) or not isinstance(result.reason, str):
            raise ValueError("not the numbers of a game")
        if not len(result.scores) == len(result.ranks) == len(result.think) == len(result.processor):
            raise ValueError("not as many scores as seats")
        return result


class _Player:
    """A participant in one seat of one game."""

    def __init__(self, who: Participant, spec: GameSpec) -> None:
        self.spec = spec
        self.external = external_bot.external_bot(who, spec.name) if who.home else None
        self.session = None if who.home else make_bot(who.bot_text()).session()

    def choose(self, state: GameState, seat: int, table: str, choice: int) -> int:
        random = f"{table} seat {seat} choice {choice}"
        if self.session is not None:
            return self.session.choose(state, seat, Stream(random))
        assert self.external is not None
        return self.external.choose(self.spec, state, seat, table, random)


def play_game(plan: Plan, number: int) -> Result:
    """Play this game of the plan. If the process of an external bot is lost, the game is played once more."""
    try:
        return _play(plan, number)
    except external_bot.ExternalBotLost:
        external_bot.close_all()
        return _play(plan, number)


def _play(plan: Plan, number: int) -> Result:
    spec = game(plan.game)
    state = spec.start(plan.seats, plan.options)
    key = plan.key(number)
    dice = Stream(key).fork("dice")
    players = [_Player(plan.participants[index], spec) for index in plan.seated(number)]
    think: list[list[int]] = [[] for _ in players]
    processor = [0.0 for _ in players]

    def choose(seat: int, choice: int) -> int:
        forced = len(state.legal(seat)) == 1
        started, used = time.perf_counter(), time.process_time()
        # Each decision has its own random stream, seeded by a text, so that external bots can use the same one.
        move = players[seat].choose(state, seat, key, choice)
        if players[seat].session is not None:
            processor[seat] += time.process_time() - used
        if not forced:
            think[seat].append(round(1e6 * (time.perf_counter() - started)))
        return move

    decisions, chances, outcome = play_out(state, dice, choose, number)
    spent = [round(1e6 * seconds) for seconds in processor]
    return Result(number, outcome.scores, outcome.ranks, decisions, chances, outcome.reason, think, spent)


def play_some(plan: Plan, numbers: list[int], until: float | None) -> list[Result]:
    """Play these games in order, until about BATCH_SECONDS have passed. At least one is played, but none is begun
    after the time of day `until`."""
    started = time.monotonic()
    results: list[Result] = []
    for number in numbers:
        if until is not None and time.time() >= until:
            break
        results.append(play_game(plan, number))
        if time.monotonic() - started > BATCH_SECONDS:
            break
    return results
