"""PPO in one file: an agent learns Good Puppies by playing against itself, and is measured against the bot `greedy`.

    pip install "wellies[research]" torch
    python examples/ppo.py --minutes 30 --save puppies.pt

It first imitates some games of `greedy` (`--imitate 0` leaves that out), then improves by self-play with
`wellies.research.vector`. Every few minutes it plays 200 games against `greedy` and prints the win rate with its 95 %
interval. It uses one processor. All of it is short, so that you can change it: the network, the reward, the game.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("ppo: this example needs PyTorch; pip install torch")

import wellies
from wellies import CHANCE, Stream
from wellies.bots.simulate import wilson
from wellies.core.encoding import Encoding
from wellies.research.vector import VectorEnv

LEVELS = 16
"""Numbers up to this are inputs of their own, one for each value; larger ones count as this, and as a fraction."""
HIDDEN = 256
POINTS = 10.0
"""So many points of difference are worth as much as the win."""


class Agent:
    """A network from observations to logits of all actions and the value for the seat that looks."""

    def __init__(self, encoding: Encoding) -> None:
        # Each cell of an observation is a code or a number. Each value of a cell has a vector; the first layer is the
        # sum of the vectors of all cells that are not 0. That is the same as a one-hot input, and much quicker.
        tops = [field.channel(cell).top for field in encoding.fields for cell in span(field)]
        is_code = [bool(field.channel(cell).codes) for field in encoding.fields for cell in span(field)]
        sizes = [top if coded else min(top, LEVELS) for top, coded in zip(tops, is_code, strict=True)]
        self.sizes = torch.tensor(sizes)
        self.offsets = torch.tensor([0, *np.cumsum(sizes)[:-1]])
        self.scale = torch.tensor([0.0 if coded else 1 / top for top, coded in zip(tops, is_code, strict=True)])
        self.net = nn.ModuleDict(
            {
                "cells": nn.EmbeddingBag(1 + sum(sizes), HIDDEN, mode="sum", padding_idx=0),
                "numbers": nn.Linear(encoding.size, HIDDEN),
                "body": nn.Sequential(nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU()),
                "policy": nn.Linear(HIDDEN, encoding.actions),
                "value": nn.Linear(HIDDEN, 1),
            }
        )
        nn.init.normal_(self.net["cells"].weight, std=0.05)
        nn.init.normal_(self.net["policy"].weight, std=0.01)
        with torch.no_grad():
            self.net["cells"].weight[0] = 0

    def __call__(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        """Log-probabilities of the legal actions, and values."""
        cells = torch.tensor(observations).long()
        # 0 is padding; otherwise the vector of this value of this cell.
        index = torch.where(cells > 0, self.offsets + torch.minimum(cells, self.sizes), 0)
        first = self.net["cells"](index) + self.net["numbers"](cells * self.scale)
        hidden = self.net["body"](first)
        logits = self.net["policy"](hidden).masked_fill(torch.tensor(masks) == 0, -1e9)
        return torch.log_softmax(logits, 1), self.net["value"](hidden).squeeze(1)


def span(part: Any) -> range:
    return range(part.offset, part.offset + part.size)


def imitate(agent: Agent, encoding: Encoding, optimiser: Any, games: int, seed: int) -> None:
    """Learn to choose as `greedy` does. One move in ten is made at random, so that the agent sees odd positions too."""
    spec = wellies.game(encoding.game)
    greedy, rng = wellies.bot("greedy"), Stream(f"imitate {seed}")
    seen, allowed, chosen = [], [], []
    cells, mask = bytearray(encoding.size), bytearray(encoding.actions)
    start = time.time()
    for _ in range(games):
        state = spec.start(encoding.seats, encoding.options)
        while due := state.due():
            seat = due[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(rng))
                continue
            legal = state.legal(seat)
            move = legal[0]
            if len(legal) > 1:
                move = greedy.choose(state, seat, rng)
                encoding.observe(state, seat, cells)
                encoding.write_mask(state, seat, mask)
                seen.append(bytes(cells))
                allowed.append(bytes(mask))
                chosen.append(encoding.action_of(state, seat, move))
                if rng.randrange(10) == 0:
                    move = legal[rng.randrange(len(legal))]
            state.step(seat, move)
    observations = np.frombuffer(b"".join(seen), np.uint8).reshape(len(seen), -1)
    masks = np.frombuffer(b"".join(allowed), np.uint8).reshape(len(seen), -1)
    targets = torch.tensor(chosen)
    print(f"{games} games of greedy, {len(seen)} decisions, in {time.time() - start:.0f} s", flush=True)
    random = np.random.default_rng(seed)
    for epoch in range(8):
        right = 0
        order = random.permutation(len(seen))
        for at in range(0, len(order), 256):
            batch = order[at : at + 256]
            logs, _ = agent(observations[batch], masks[batch])
            right += int((logs.argmax(1) == targets[batch]).sum())
            loss = nn.functional.nll_loss(logs, targets[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        print(f"  round {epoch + 1}: chooses as greedy in {right / len(seen):.1%}", flush=True)


def improve(agent: Agent, env: VectorEnv, optimiser: Any, steps: int, args: argparse.Namespace) -> dict[str, float]:
    """One round of PPO: play `steps` decisions in each row against itself, then learn from them."""
    rows = env.num_envs
    seen = np.empty((steps, rows, env.encoding.size), np.uint8)
    allowed = np.empty((steps, rows, env.encoding.actions), np.uint8)
    chosen, logs = np.empty((steps, rows), np.int64), np.empty((steps, rows), np.float32)
    # All values and rewards are for seat 0. What is good for one of two seats is as bad for the other.
    values, rewards = np.empty((steps + 1, rows), np.float32), np.empty((steps, rows), np.float32)
    ends, signs = np.empty((steps, rows), np.float32), np.empty((steps + 1, rows), np.float32)
    for t in range(steps):
        signs[t] = 1 - 2 * env.infos["seat"]
        seen[t], allowed[t] = env.observations, env.masks
        with torch.no_grad():
            log, value = agent(env.observations, env.masks)
        # The largest of log-probability plus Gumbel noise is a sample of the distribution.
        action = (log - torch.empty_like(log).exponential_().log()).argmax(1)
        chosen[t], logs[t] = action.numpy(), log.gather(1, action[:, None])[:, 0].numpy()
        values[t] = value.numpy() * signs[t]
        _, _, gained, dones, infos = env.step(chosen[t])
        lead = infos["final_scores"][:, 0] - infos["final_scores"][:, 1]
        rewards[t] = (gained[:, 0] - gained[:, 1]) / POINTS + dones * np.sign(lead)
        ends[t] = dones
    signs[steps] = 1 - 2 * env.infos["seat"]
    with torch.no_grad():
        values[steps] = agent(env.observations, env.masks)[1].numpy() * signs[steps]
    advantages = np.zeros_like(rewards)
    last = np.zeros(rows, np.float32)
    for t in reversed(range(steps)):
        going = 1 - ends[t]
        surprise = rewards[t] + going * values[t + 1] - values[t]
        last = surprise + args.gae * going * last
        advantages[t] = last
    returns = ((advantages + values[:-1]) * signs[:-1]).reshape(-1)
    gains = (advantages * signs[:-1]).reshape(-1)
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    flat_seen, flat_allowed = seen.reshape(steps * rows, -1), allowed.reshape(steps * rows, -1)
    flat_chosen, flat_logs = chosen.reshape(-1), logs.reshape(-1)
    matters = np.flatnonzero(flat_allowed.sum(1, dtype=np.int32) > 1)  # there is nothing to learn from a forced move
    entropies, moved = [], []
    for _ in range(args.epochs):
        np.random.shuffle(matters)
        for at in range(0, len(matters), args.minibatch):
            batch = matters[at : at + args.minibatch]
            log, value = agent(flat_seen[batch], flat_allowed[batch])
            picked = log.gather(1, torch.as_tensor(flat_chosen[batch])[:, None])[:, 0]
            ratio = (picked - torch.as_tensor(flat_logs[batch])).exp()
            gain = torch.as_tensor(gains[batch])
            policy_loss = -torch.minimum(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain).mean()
            value_loss = (value - torch.as_tensor(returns[batch])).square().mean()
            entropy = -(log.exp() * log).sum(1).mean()
            loss = policy_loss + 0.25 * value_loss - args.entropy * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.net.parameters(), 1.0)
            optimiser.step()
            entropies.append(float(entropy.detach()))
            moved.append(float((ratio.detach() - 1).abs().mean()))
    explained = 1 - (returns - values[:-1].reshape(-1) * signs[:-1].reshape(-1)).var() / returns.var()
    return {"entropy": float(np.mean(entropies)), "moved": float(np.mean(moved)), "explained": float(explained)}


def choose(agent: Agent, encoding: Encoding, state: wellies.GameState, seat: int) -> int:
    """The agent's best move."""
    cells, mask = bytearray(encoding.size), bytearray(encoding.actions)
    encoding.observe(state, seat, cells)
    encoding.write_mask(state, seat, mask)
    with torch.no_grad():
        log, _ = agent(np.frombuffer(cells, np.uint8)[None], np.frombuffer(mask, np.uint8)[None])
    return encoding.move_of(state, seat, int(log.argmax()))


def match(agent: Agent, encoding: Encoding, rival: str, games: int, seed: int) -> tuple[float, float]:
    """Games against a bot, changing seats: wins (a shared win counts half), and the mean lead in points."""
    spec, bot = wellies.game(encoding.game), wellies.bot(rival)
    wins = lead = 0.0
    for number in range(games):
        rng = Stream(f"match {seed} {number}")
        state = spec.start(2, encoding.options)
        mine = number % 2
        while due := state.due():
            seat = due[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(rng))
            elif seat == mine:
                state.step(seat, choose(agent, encoding, state, seat))
            else:
                state.step(seat, bot.choose(state, seat, rng))
        scores = state.scores()
        wins += 0.5 + 0.5 * np.sign(scores[mine] - scores[1 - mine])
        lead += (scores[mine] - scores[1 - mine]) / games
    return wins, lead


def load(path: str, game: str = "puppies") -> tuple[Agent, Encoding]:
    """An agent that was saved."""
    encoding = wellies.game(game).encoding(2)
    assert encoding is not None
    agent = Agent(encoding)
    agent.net.load_state_dict(torch.load(path, weights_only=True))
    return agent, encoding


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="puppies")
    parser.add_argument("--minutes", type=float, default=30.0, help="how long to learn by self-play")
    parser.add_argument("--imitate", type=int, default=1500, metavar="GAMES", help="games of greedy to imitate first")
    parser.add_argument("--rows", type=int, default=128, help="games at once")
    parser.add_argument("--steps", type=int, default=64, help="decisions in each of them before each round of learning")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--minibatch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=5e-4, help="learning rate; falls to a tenth")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--gae", type=float, default=0.95)
    parser.add_argument("--entropy", type=float, default=0.005)
    parser.add_argument("--measure", type=float, default=5.0, help="minutes between two matches with greedy")
    parser.add_argument("--games", type=int, default=200, help="games of a match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", metavar="FILE", help="where to keep the agent")
    parser.add_argument("--load", metavar="FILE", help="go on with an agent that was saved")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    with VectorEnv(args.game, args.rows, 2, seed=args.seed, rewards="points") as env:
        env.reset()
        agent = load(args.load, args.game)[0] if args.load else Agent(env.encoding)
        optimiser = torch.optim.Adam(agent.net.parameters(), lr=1e-3)
        if args.imitate and not args.load:
            imitate(agent, env.encoding, optimiser, args.imitate, args.seed)

        def measure() -> None:
            wins, lead = match(agent, env.encoding, "greedy", args.games, args.seed)
            low, high = wilson(wins, args.games)
            print(
                f"  against greedy: {wins / args.games:.1%} of {args.games} games ({low:.1%} to {high:.1%}), "
                f"lead {lead:+.1f} points",
                flush=True,
            )
            if args.save:
                torch.save(agent.net.state_dict(), args.save)

        measure()
        optimiser = torch.optim.Adam(agent.net.parameters(), lr=args.rate, eps=1e-5)
        start = measured = time.time()
        processor = time.process_time()
        rounds = 0
        while (spent := (time.time() - start) / 60) < args.minutes:
            for group in optimiser.param_groups:
                group["lr"] = args.rate * (1 - 0.9 * spent / args.minutes)
            report = improve(agent, env, optimiser, args.steps, args)
            rounds += 1
            if rounds % 10 == 0:
                print(
                    f"{spent:5.1f} min ({(time.process_time() - processor) / 60:.1f} of one processor), "
                    f"{rounds * args.rows * args.steps:9,} decisions, "
                    + ", ".join(f"{name} {value:.3f}" for name, value in report.items()),
                    flush=True,
                )
            if time.time() - measured > 60 * args.measure:
                measure()
                measured = time.time()
        measure()


if __name__ == "__main__":
    main()
