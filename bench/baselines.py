"""How strong simple players are: `python bench/baselines.py [GAME ...] [--games 20] [--ppo puppies.pt]`.

Every player meets `greedy` in games of two, changing seats, and the table has the share of games that it won (a shared
win counts half) with its 95 % interval. `random`, `greedy` and `storm` are bots of Wellies; `ismcts` is
examples/ismcts.py with `--iterations` imagined games for each move; `ppo` is an agent of examples/ppo.py, if a file is
given, in its own game.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import wellies
from wellies import CHANCE, GameState, WelliesError
from wellies.bots.simulate import wilson
from wellies.core.engine import engine_words

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

import ismcts

Player = Callable[[GameState, int, random.Random], int]
"""From a state, a seat and random numbers to a move."""

RIVAL = "greedy"


def bot_player(name: str) -> Player:
    bot = wellies.bot(name)
    return lambda state, seat, rng: bot.choose(state, seat, rng)


def ismcts_player(iterations: int) -> Player:
    return lambda state, seat, rng: ismcts.ismcts(state, seat, rng, iterations)


def ppo_player(file: str, game: str) -> Player:
    import ppo

    agent, encoding = ppo.load(file, game)
    return lambda state, seat, _rng: ppo.choose(agent, encoding, state, seat)


def wins(game: str, player: Player, rival: Player, games: int, seed: int) -> float:
    """How many games the player wins, changing seats. A shared win counts half."""
    total = 0.0
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        state = wellies.game(game).start(2)
        mine = number % 2
        while due := state.due():
            seat = due[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(rng))
            else:
                state.step(seat, (player if seat == mine else rival)(state, seat, rng))
        lead = state.scores()[mine] - state.scores()[1 - mine]
        total += 0.5 + 0.5 * ((lead > 0) - (lead < 0))
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("game", nargs="*", default=wellies.list_games())
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=200, help="of ismcts, for each move")
    parser.add_argument("--storm", default="storm:ms=0", metavar="BOT", help="how storm plays (default: storm:ms=0)")
    parser.add_argument("--ppo", metavar="FILE", help="an agent that examples/ppo.py has saved")
    parser.add_argument("--ppo-game", default="puppies", metavar="GAME")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(f"{engine_words()}, two seats, {args.games} games each against {RIVAL}, seed {args.seed}")
    print(f"{'':12}{'player':22}{'won':>9}{'95 %':>18}{'seconds':>10}")
    try:
        for game in args.game:
            players = {name: bot_player(name) for name in ("random", "greedy", args.storm)}
            players[f"ismcts {args.iterations}"] = ismcts_player(args.iterations)
            if args.ppo and game == args.ppo_game:
                players["ppo"] = ppo_player(args.ppo, game)
            for name, player in players.items():
                started = time.perf_counter()
                won = wins(game, player, bot_player(RIVAL), args.games, args.seed)
                low, high = wilson(won, args.games)
                between = f"{low:.1%} to {high:.1%}"
                spent = time.perf_counter() - started
                print(f"{game:12}{name:22}{won / args.games:9.1%}{between:>18}{spent:10.0f}", flush=True)
    except WelliesError as error:
        print(f"baselines: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
