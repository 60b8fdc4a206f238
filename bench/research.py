"""How fast environments play at random, ours beside others, on one core: `python bench/research.py [--seconds 3]`.

A step is one decision: the environment gives its observation and its mask of legal actions, one of these is picked at
random, and the environment goes on, chance included. Prints steps a second of processor time, and how large observation
and mask are. Ours are measured in PettingZoo, in Gymnasium (a step includes the reply of a random bot), in OpenSpiel,
and as the bare encoding that all of them use; `engine` is the engine without observation and mask.

The others need packages that Wellies does not:
`pip install rlcard termcolor pygame shimmy hanabi-learning-environment`. (The last is built from source;
CMAKE_POLICY_VERSION_MINIMUM=3.5 helps with a new CMake.) What is missing is left out and named.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import wellies
from wellies import CHANCE
from wellies.core.engine import engine_words

Steps = Iterator[tuple[int, int]]
"""Yields after every step: the size of the observation, and of the mask."""


def engine(name: str) -> Steps:
    spec = wellies.game(name)
    rng = random.Random(1)
    while True:
        state = spec.start(2)
        while due := state.due():
            if due[0] == CHANCE:
                state.step(CHANCE, state.chance(rng))
                continue
            moves = state.legal(due[0])
            state.step(due[0], moves[int(rng.random() * len(moves))])
            yield 0, 0


def encoded(name: str) -> Steps:
    spec = wellies.game(name)
    encoding = spec.encoding(2)
    assert encoding is not None
    memory, mask = encoding.new_memory(), bytearray(encoding.actions)
    view = np.frombuffer(mask, dtype=np.int8)
    rng = random.Random(1)
    while True:
        state = spec.start(2)
        while due := state.due():
            seat = due[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(rng))
                continue
            encoding.observe_again(state, seat, memory)
            encoding.write_mask(state, seat, mask)
            legal = np.flatnonzero(view)
            state.step(seat, encoding.move_of(state, seat, int(legal[int(rng.random() * len(legal))])))
            yield encoding.size, encoding.actions


def turn_based(environment: Any) -> Steps:
    """An environment of PettingZoo whose observations have a mask beside them."""
    rng = random.Random(1)
    seed = 0
    while True:
        environment.reset(seed=seed)
        seed += 1
        for _ in environment.agent_iter():
            seen, _, over, cut, _ = environment.last()
            if over or cut:
                environment.step(None)
                continue
            legal = np.flatnonzero(seen["action_mask"])
            environment.step(int(legal[int(rng.random() * len(legal))]))
            yield seen["observation"].size, len(seen["action_mask"])


def ours_turn_based(name: str) -> Steps:
    from wellies.research import pettingzoo

    return turn_based(pettingzoo.raw_env(name, 2))


def ours_against_a_bot(name: str) -> Steps:
    from wellies.research.gymnasium import GameEnv

    environment = GameEnv(name, 2, opponents="random")
    rng = random.Random(1)
    while True:
        seen, info = environment.reset(seed=rng.randrange(1 << 30))
        over = False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            seen, _, over, _, info = environment.step(int(legal[int(rng.random() * len(legal))]))
            yield seen.size, len(info["action_mask"])


def spiel(name: str) -> Steps:
    """A game of OpenSpiel."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    observation = make_observation(game)
    rng = random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                weights = [weight for _, weight in outcomes]
                state.apply_action(rng.choices([each for each, _ in outcomes], weights)[0])
                continue
            player = state.current_player()
            observation.set_from(state, player)
            mask = state.legal_actions_mask(player)
            legal = np.flatnonzero(mask)
            state.apply_action(int(legal[int(rng.random() * len(legal))]))
            yield observation.tensor.size, len(mask)


def ours_spiel(name: str) -> Steps:
    from wellies.research import openspiel

    openspiel.register()
    return spiel(f"wellies_{name}(seats=2)")


def connect_four() -> Steps:
    from pettingzoo.classic import connect_four_v3

    return turn_based(connect_four_v3.raw_env())


def hanabi() -> Steps:
    from pettingzoo.classic import hanabi_v5

    return turn_based(hanabi_v5.raw_env(players=2))


def uno() -> Steps:
    """RLCard gives legal actions as a dictionary; the mask is made from it."""
    import rlcard

    environment = rlcard.make("uno", config={"seed": 1})
    rng = random.Random(1)
    while True:
        state, _ = environment.reset()
        while not environment.is_over():
            mask = np.zeros(environment.num_actions, dtype=np.int8)
            mask[list(state["legal_actions"])] = 1
            legal = np.flatnonzero(mask)
            seen = state["obs"]
            state, _ = environment.step(int(legal[int(rng.random() * len(legal))]))
            yield seen.size, environment.num_actions


def measured(make: Callable[[], Steps], seconds: float) -> tuple[float, int, int]:
    """Steps a second of processor time, and the sizes of observation and mask."""
    steps = make()
    for _ in range(200):
        observation, mask = next(steps)
    made = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(100):
            next(steps)
        made += 100
    return made / spent, observation, mask


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    parser.add_argument("--game", action="append", help="only this game of ours; may be given again")
    args = parser.parse_args()
    kinds: list[tuple[str, Callable[[str], Steps]]] = [
        ("engine", engine),
        ("encoding", encoded),
        ("PettingZoo", ours_turn_based),
        ("Gymnasium", ours_against_a_bot),
        ("OpenSpiel", ours_spiel),
    ]
    rows: list[tuple[str, Callable[[], Steps]]] = []
    for name in args.game or wellies.list_games():
        rows += [(f"{wellies.game(name).title}, {kind}", _bound(make, name)) for kind, make in kinds]
    rows += [
        ("PettingZoo connect four", connect_four),
        ("PettingZoo hanabi", hanabi),
        ("OpenSpiel hive", lambda: spiel("hive")),
        ("OpenSpiel gin rummy", lambda: spiel("gin_rummy")),
        ("RLCard Uno", uno),
    ]
    print(f"{engine_words()}, one core, random play\n")
    print("| environment | steps a second | observation | actions |\n|---|---|---|---|")
    for title, make in rows:
        try:
            speed, observation, mask = measured(make, args.seconds)
        except ImportError as error:
            print(f"| {title} | not measured: {error} | | |", flush=True)
            continue
        print(f"| {title} | {speed:,.0f} | {observation or ''} | {mask or ''} |", flush=True)
    return 0


def _bound(make: Callable[[str], Steps], name: str) -> Callable[[], Steps]:
    return lambda: make(name)


if __name__ == "__main__":
    sys.exit(main())
