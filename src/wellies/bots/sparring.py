"""Three plain searches, each from the textbook, as sparring partners for the levels that search.

They know a game by `GameState` alone. A level that loses to one of them at equal processor time has a fault, and more
time will not mend it. docs/bots.md has the results.
"""

from __future__ import annotations

import math
from typing import Final

from wellies.bots.base import Bot, check_settings, whole_setting
from wellies.core.dice import Rng
from wellies.core.heuristics import sample_moves
from wellies.core.state import CHANCE, GameState

FEW_MOVES: Final = 8
"""So many moves are compared by the bot `margin`."""

REPLY_SAMPLE: Final = 10
"""A greedy reply is the best of so many moves, at most, picked at random."""

TURNS_EACH: Final = 2
"""The bot `margin` plays on for so many turns of each player."""

EXPLORATION: Final = 0.7
"""How much the bot `ismcts` explores."""


class SparringBot(Bot):
    """A bot with one setting, `nodes`: the number of rollouts for a move."""

    def __init__(self, nodes: int = 0) -> None:
        self.nodes = nodes or self.usual_nodes

    usual_nodes: int

    def configured(self, settings: dict[str, str]) -> Bot:
        check_settings(self.name, settings, ["nodes"])
        return type(self)(whole_setting(self.name, settings, "nodes", self.nodes, 1, 10_000_000))


class MarginBot(SparringBot):
    """Compares the moves after which its lead looks best, each on the same deals, by greedy replies for a few turns."""

    name = "margin"
    summary = "Plays out the moves of the best lead for two turns of each, with greedy replies."
    usual_nodes = 12 * FEW_MOVES

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        leads = {move: lead_after(state, seat, move) for move in moves}
        best = sorted(moves, key=lambda move: -leads[move])[:FEW_MOVES]
        totals = dict.fromkeys(best, 0)
        for _ in range(max(1, self.nodes // len(best))):
            deal = state.resample(seat, rng)
            for move in best:
                after = deal.clone()
                after.step(seat, move)
                play_turns(after, TURNS_EACH * state.seats, rng)
                totals[move] += lead(after, seat)
        return max(best, key=lambda move: totals[move])


class FlatBot(SparringBot):
    """Plays every move out to the end of the game, equally often, at random."""

    name = "flat"
    summary = "Plays every move out to the end of the game at random, equally often."
    usual_nodes = 450

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        totals = dict.fromkeys(moves, 0.0)
        for _ in range(max(1, self.nodes // len(moves))):
            deal = state.resample(seat, rng)
            for move in moves:
                after = deal.clone()
                after.step(seat, move)
                play_at_random(after, rng)
                totals[move] += worth(after)[seat]
        return max(moves, key=lambda move: totals[move])


class Node:
    """What followed one move of the game so far."""

    def __init__(self) -> None:
        self.children: dict[int, Node] = {}
        self.visits = 0
        self.total = 0.0
        self.chances = 0
        """How often this move was legal when its parent was visited."""

    def score(self) -> float:
        return self.total / self.visits + EXPLORATION * math.sqrt(math.log(self.chances) / self.visits)


class IsmctsBot(SparringBot):
    """Information-set Monte Carlo tree search without any knowledge of the games."""

    name = "ismcts"
    summary = "Builds a tree of all moves and plays out at random."
    usual_nodes = 400

    def pick(self, state: GameState, seat: int, moves: list[int], rng: Rng) -> int:
        root = Node()
        for _ in range(self.nodes):
            imagined = state.resample(seat, rng)
            node, path = root, []
            while due := imagined.due():
                mover = seat if node is root else due[0]
                if mover == CHANCE:
                    imagined.step(CHANCE, imagined.chance(rng))
                    continue
                legal = imagined.legal(mover)
                fresh = [move for move in legal if move not in node.children]
                if fresh:
                    move = fresh[rng.randrange(len(fresh))]
                    node.children[move] = Node()
                else:
                    move = max(legal, key=lambda each: node.children[each].score())
                for each in legal:
                    if each in node.children:
                        node.children[each].chances += 1
                node = node.children[move]
                path.append((node, mover))
                imagined.step(mover, move)
                if fresh:
                    break
            play_at_random(imagined, rng)
            values = worth(imagined)
            for visited, mover in path:
                visited.visits += 1
                visited.total += values[mover]
        tried = [move for move in moves if move in root.children]
        return max(tried, key=lambda move: root.children[move].visits)


def lead(state: GameState, seat: int) -> int:
    """How far a seat is ahead of its strongest rival by the game's estimate, in hundredths of a point."""
    rivals = [state.estimate(other) for other in range(state.seats) if other != seat]
    return state.estimate(seat) - max(rivals, default=0)


def lead_after(state: GameState, seat: int, move: int) -> int:
    after = state.clone()
    after.step(seat, move)
    return lead(after, seat)


def play_turns(state: GameState, turns: int, rng: Rng) -> None:
    """Play on by greedy replies for so many turns, in place."""
    last = -1
    while due := state.due():
        seat = due[0]
        if seat == CHANCE:
            state.step(CHANCE, state.chance(rng))
            continue
        if seat != last:
            last = seat
            turns -= 1
            if turns < 0:
                return
        moves = state.legal(seat)
        if len(moves) > REPLY_SAMPLE:
            moves = sample_moves(moves, REPLY_SAMPLE, rng)
        move = moves[0] if len(moves) == 1 else max(moves, key=lambda each: lead_after(state, due[0], each))
        state.step(seat, move)


def play_at_random(state: GameState, rng: Rng) -> None:
    """Play a game to its end at random, in place."""
    while due := state.due():
        if due[0] == CHANCE:
            state.step(CHANCE, state.chance(rng))
        else:
            moves = state.legal(due[0])
            state.step(due[0], moves[rng.randrange(len(moves))])


def worth(state: GameState) -> list[float]:
    """What the end of a game is worth for each seat, from 0 to 1: mostly whether it won, and by how much."""
    scores = state.scores()
    found: list[float] = []
    for seat, score in enumerate(scores):
        ahead = score - max([other for index, other in enumerate(scores) if index != seat], default=0)
        found.append(0.5 + 0.35 * ((ahead > 0) - (ahead < 0)) + 0.15 * ahead / (20 + abs(ahead)))
    return found
