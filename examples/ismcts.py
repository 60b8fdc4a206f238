"""Information-set Monte Carlo tree search in sixty lines, as an example of the Python API. It plays every game.

    python examples/ismcts.py guppies --games 10 --against greedy --iterations 200

Each iteration imagines what the seat cannot see (`state.resample`), walks down the tree by UCB among the moves that are
legal there, adds a node, finishes the game at random, and counts the result along the way. This is the textbook
algorithm without any knowledge of the games. `storm`, a bot of Wellies, has much more: see docs/bots.md.
"""

from __future__ import annotations

import argparse
import math
import random
import sys

import wellies
from wellies import CHANCE, GameState, Rng


class Node:
    """What followed one move of the game so far, as far as the seat could see it."""

    def __init__(self) -> None:
        self.children: dict[int, Node] = {}
        self.visits = 0
        self.total = 0.0
        self.chances = 0
        """How often this move was legal when its parent was visited."""


def ismcts(state: GameState, seat: int, rng: Rng, iterations: int = 200, c: float = 0.7) -> int:
    """A move for this seat, which learns nothing from `state` but what it may see."""
    moves = state.legal(seat)
    if len(moves) == 1:
        return moves[0]
    root = Node()
    for _ in range(iterations):
        imagined = state.resample(seat, rng)
        node, path = root, []
        while due := imagined.due():
            mover = due[0] if seat not in due else seat
            if mover == CHANCE:
                imagined.step(CHANCE, imagined.chance(rng))
                continue
            legal = imagined.legal(mover)
            fresh = [move for move in legal if move not in node.children]
            if fresh:
                move = fresh[rng.randrange(len(fresh))]
                node.children[move] = Node()
            else:
                move = max(legal, key=lambda each: ucb(node.children[each], c))
            for each in legal:
                if each in node.children:
                    node.children[each].chances += 1
            node = node.children[move]
            path.append((node, mover))
            imagined.step(mover, move)
            if fresh:
                break
        worth = playout(imagined, rng)
        for visited, mover in path:
            visited.visits += 1
            visited.total += worth[mover]
    return max(root.children, key=lambda move: root.children[move].visits)


def ucb(node: Node, c: float) -> float:
    return node.total / node.visits + c * math.sqrt(math.log(node.chances) / node.visits)


def playout(state: GameState, rng: Rng) -> list[float]:
    """Finish a game at random, in place. For each seat, from 0 to 1: mostly whether it won, and by how much."""
    while due := state.due():
        moves = state.legal(due[0]) if due[0] != CHANCE else []
        state.step(due[0], moves[rng.randrange(len(moves))] if moves else state.chance(rng))
    scores = state.scores()
    worth: list[float] = []
    for seat, score in enumerate(scores):
        lead = score - max(other for index, other in enumerate(scores) if index != seat)
        worth.append(0.5 + 0.35 * ((lead > 0) - (lead < 0)) + 0.15 * lead / (20 + abs(lead)))
    return worth


def play(game: str, rival: str, iterations: int, number: int) -> float:
    """One game of two seats against a bot: 1 for a win, 0.5 for a shared one."""
    state, bot, rng = wellies.game(game).start(2), wellies.bot(rival), random.Random(number)
    mine = number % 2
    while due := state.due():
        seat = due[0]
        if seat == CHANCE:
            move = state.chance(rng)
        else:
            move = ismcts(state, seat, rng, iterations) if seat == mine else bot.choose(state, seat, rng)
        state.step(seat, move)
    lead = state.scores()[mine] - state.scores()[1 - mine]
    return 0.5 + 0.5 * ((lead > 0) - (lead < 0))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("game", help="one of " + ", ".join(wellies.list_games()))
    parser.add_argument("--against", default="random", metavar="BOT")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=200, help="imagined games for each move")
    args = parser.parse_args()
    try:
        wins = sum(play(args.game, args.against, args.iterations, number) for number in range(args.games))
    except wellies.WelliesError as error:
        print(f"ismcts: {error}", file=sys.stderr)
        return 2
    print(f"{args.game}: ISMCTS with {args.iterations} iterations wins {wins:g} of {args.games} against {args.against}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
