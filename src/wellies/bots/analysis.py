"""Analysis of a finished game: how many points each move lost, and which move was better.

The search of the strongest bots judges every decision, from what the player could see at that moment. So a bad outcome
of a good gamble is not a mistake. The played move and the best one found are compared over the same simulated games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Protocol

from wellies.bots.reasons import Explanation, explain, gap, rounded_chance, winning_chance
from wellies.bots.search.root import Budget, Evaluation, SearchResult, heuristics_of, search
from wellies.bots.search.tree import Node
from wellies.core.dice import Stream
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState


class Finding:
    """The analysis of one decision."""

    __slots__ = (
        *("best", "best_words", "chance", "choices", "error", "lead", "lost", "nodes", "number", "played", "proved"),
        *("seat", "why", "words"),
    )

    def __init__(self, number: int, seat: int, played: str, words: str, choices: int) -> None:
        self.number = number
        """The number of the move in the record, counted from 1, with chance moves."""
        self.seat = seat
        self.played = played
        self.words = words
        self.choices = choices
        """The number of legal moves."""
        self.best = played
        self.best_words = words
        self.lost = 0.0
        """Expected points that the played move loses against the best one; 0 if it is the best."""
        self.error = 0.0
        """The standard error of `lost`."""
        self.lead = 0.0
        """Expected points by which the player is ahead of the strongest opponent after the best move, as far as the
        search looks."""
        self.nodes = 0
        self.proved = False
        """Whether every line was followed to the end of the game: then nothing of this is a guess."""
        self.chance: float | None = None
        """The winning chance after the played move; None where there is no rival."""
        self.why = Explanation()
        """What there is to say for the best move, beside the played one if that is another."""

    @property
    def better(self) -> str:
        """The best move in words, if it was not played."""
        return self.best_words if self.lost > 0 else ""

    @property
    def kind(self) -> str:
        """What the best move is better for than the played one."""
        return self.why.kind if self.lost > 0 else ""

    @property
    def gap(self) -> float:
        """By how many points the best move is ahead of the next best, if that is more than chance; else 0."""
        others = self.why.others
        if len(others) < 2 or others[1].behind <= 2 * others[1].error:
            return 0.0
        return others[1].behind

    @property
    def sure(self) -> bool:
        """Whether the loss is significant: half a point or more, and more than twice its standard error."""
        return self.lost >= 0.5 and self.lost > 2 * self.error

    def to_json(self) -> Json:
        return {
            "number": self.number,
            "seat": self.seat,
            "played": self.played,
            "words": self.words,
            "choices": self.choices,
            "best": self.best,
            "best_words": self.best_words,
            "lost": round(self.lost, 2),
            "error": round(self.error, 2),
            "sure": self.sure,
            "lead": round(self.lead, 2),
            "nodes": self.nodes,
            "proved": self.proved,
            "chance": rounded_chance(self.chance),
            "best_chance": rounded_chance(self.why.chance),
            "kind": self.kind,
            "gap": round(self.gap, 2),
            "reasons": self.why.reasons,
            "line": [step.to_json() for step in self.why.line],
            "others": [other.to_json() for other in self.why.others],
        }


def analyse(
    spec: GameSpec,
    start: GameState,
    moves: list[tuple[int, str]],
    nodes: int = 0,
    seed: int = 0,
    seat: int = -1,
    deep: bool = False,
) -> Iterator[Finding | None]:
    """The analysis of each move of a game, in order. It is None for chance moves, for moves that were the only legal
    one, and for seats other than `seat` if one is given.

    Each decision gets `nodes` simulated games (0: as many as the bot storm uses, or monsoon if `deep`, which also looks
    further ahead in some games). The same arguments give the same findings.
    """
    nodes = nodes or heuristics_of(spec, deep).nodes
    state = start.clone()
    for number, (mover, text) in enumerate(moves, 1):
        move = spec.parse_move(state, mover, text)
        legal = state.legal(mover)
        if mover == CHANCE or len(legal) == 1 or seat not in (-1, mover):
            yield None
        else:
            yield judge(spec, state, number, mover, move, len(legal), nodes, seed, deep)
        state.step(mover, move)


def judge(
    spec: GameSpec,
    state: GameState,
    number: int,
    seat: int,
    move: int,
    choices: int,
    nodes: int,
    seed: int,
    deep: bool = False,
) -> Finding:
    """The analysis of one move, from what its seat sees."""
    dice = Stream(hashlib.sha256(b"analysis %d %d %d" % (seed, number, seat)).digest())
    seen = state.resample(seat, dice)
    heuristics, seed, root = heuristics_of(spec, deep), dice.randrange(1 << 62), Node()
    result = search(seen, seat, heuristics, Budget(nodes), seed, root, move)
    finding = Finding(number, seat, spec.move_text(state, seat, move), spec.move_words(state, seat, move), choices)
    finding.nodes = result.nodes
    finding.proved = result.proved
    finding.lead = result.best.margin() / 100
    played = _of(result, move)
    if played is not result.best:
        lost, error = gap(result.best, played)
        if lost > 0:
            best = result.best.move
            finding.best, finding.best_words = spec.move_text(state, seat, best), spec.move_words(state, seat, best)
            finding.lost, finding.error = lost, error
        else:
            # As good over the same games: then the played move is the one to give reasons for.
            result.evaluations.remove(played)
            result.evaluations.insert(0, played)
    finding.why = explain(seen, seat, result, root, heuristics, seed, played=played)
    finding.chance = winning_chance(played, seen, heuristics, result.proved)
    return finding


def _of(result: SearchResult, move: int) -> Evaluation:
    for each in result.evaluations:
        if each.move == move:
            return each
    raise AssertionError("the move that was played is always compared")


class Judged(Protocol):
    """What the summary needs of a judged move."""

    @property
    def seat(self) -> int: ...

    @property
    def lost(self) -> float: ...

    @property
    def sure(self) -> bool: ...


def summary(findings: Sequence[Judged], seats: int) -> list[Json]:
    """By seat: the number of decisions, best moves and clear mistakes, and the points lost in all and on average."""
    rows: list[Json] = []
    for seat in range(seats):
        mine = [each for each in findings if each.seat == seat]
        lost = sum([each.lost for each in mine])
        rows.append(
            {
                "seat": seat,
                "decisions": len(mine),
                "best": sum([1 for each in mine if each.lost == 0]),
                "mistakes": sum([1 for each in mine if each.sure]),
                "lost": round(lost, 2),
                "lost_each": round(lost / len(mine), 3) if mine else 0.0,
            }
        )
    return rows
