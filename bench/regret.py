"""How much each level's moves lose against the best move of a much longer look, and what is to blame.

    python bench/regret.py                                    # all games, with all bots that choose with care
    python bench/regret.py umbradeco --bot storm --blame      # what storm would lose if it had other parts
    python bench/regret.py umbradeco --renew                  # choose the positions and judge their moves again

`bench/positions/GAME.json` keeps the positions: decisions from games between bots on which bots disagree, eight each
from the first, middle and last third of games. Beside each are the values of its moves by the long look: the margin at
the very end of the game on average, when all seats play on by quick replies. All moves are judged on the same deals and
the same luck; those that stay near the best get many more games. The regret of a bot is what its move loses by these
values, in points. A move that has no value yet is judged when it is met, in the same way. The file is written after
each position that has been judged, so judging can be stopped and continued.

`--blame` asks the search of a bot again with one part changed at a time. Where a change takes regret away, that part
was to blame: `candidates` (the best move was not among those compared), `allocation` (too few rollouts), `horizon`
(too short a look), `replies` (poor replies within it), `evaluation` (the value of the end of a rollout).
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import wellies
from wellies.bots import make_bot
from wellies.bots.search.beam import beam_search
from wellies.bots.search.bot import SearchBot
from wellies.bots.search.root import Budget, heuristics_of, search
from wellies.core.dice import Stream
from wellies.core.heuristics import TO_THE_END, Heuristics, sample_moves
from wellies.core.state import CHANCE, GameState

FOLDER = Path(__file__).parent / "positions"
PARTS = ("first", "middle", "last")
EACH = 8
"""Positions of each part."""

PLAYERS = ("shower", "storm:ms=0:nodes=100", "margin:nodes=40")
"""The bots whose games the positions are from, and who have to disagree about them."""

FIRST_LOOK, LONG_LOOK = 16, 160
"""Games for each move: at first, and for those near the best."""

SHORTLIST = 6
"""So many moves get the long look at most, beside those that were asked for."""

BOTS = ("shower", "storm:ms=0", "monsoon:ms=0", "margin", "flat", "ismcts")
REPLY_SAMPLE = 12

TRIES = 3
"""How often a bot is asked about a position, with other random numbers each time."""


# --- the long look --------------------------------------------------------------------------------------------------


def sampled_reply(heuristics: Heuristics, state: GameState, seat: int, rng: Any) -> int:
    """The best of some moves by the margin after it."""
    moves = state.legal(seat)
    if len(moves) > REPLY_SAMPLE:
        moves = sample_moves(moves, REPLY_SAMPLE, rng)
    best, best_margin = moves[0], -1_000_000_000
    if len(moves) > 1:
        for move in moves:
            after = state.clone()
            after.step(seat, move)
            margin = heuristics.margin(after, seat)
            if margin > best_margin:
                best, best_margin = move, margin
    return best


def final_margin(state: GameState, seat: int, moves: list[int], seed: str) -> int:
    """The margin at the end of a game that begins with these moves of the seat, in hundredths of a point."""
    heuristics = heuristics_of(state.spec)
    dice, rng = Stream(f"{seed} deal"), Stream(f"{seed} replies")
    game = state.resample(seat, dice)
    heuristics.forget_choices(game, seat)
    draws = heuristics.plan_draws(game, dice)
    game.step(seat, moves[0])
    plan = moves[1:]
    while due := game.due():
        if due[0] == CHANCE:
            game.step(CHANCE, heuristics.next_draw(game, draws, dice))
            plan = []
        elif plan and due == [seat]:
            game.step(seat, plan.pop(0))
        else:
            plan = []
            taken = [heuristics.reply(game, each, rng) for each in due]
            for each, move in zip(due, taken, strict=True):
                game.step(each, move)
    scores = game.scores()
    return 100 * (scores[seat] - max(score for other, score in enumerate(scores) if other != seat))


class LongLook:
    """The values of the moves of one position."""

    def __init__(self, state: GameState, seat: int, name: str) -> None:
        self.state = state
        self.seat = seat
        self.name = name
        heuristics = heuristics_of(state.spec)
        self.plans = {
            each.move: [each.move, *each.follow]
            for each in beam_search(state, seat, heuristics.margin, heuristics.beam_budget)
        }
        self.margins: dict[int, list[int]] = {move: [] for move in self.plans}

    def look(self, moves: list[int], games: int) -> None:
        """Give each of these moves so many games in all."""
        for move in moves:
            margins = self.margins[move]
            while len(margins) < games:
                seed = f"{self.name} {len(margins)}"
                margins.append(final_margin(self.state, self.seat, self.plans[move], seed))

    def judge(self, asked: list[int]) -> dict[int, tuple[float, float]]:
        """How far each move of the long look is behind the best, in points, and the standard error of that."""
        ranked = list(self.plans)
        if len(ranked) > SHORTLIST:
            likely = ranked[: 3 * SHORTLIST] + [move for move in asked if move not in ranked[: 3 * SHORTLIST]]
            self.look(likely, FIRST_LOOK)
            likely.sort(key=lambda move: -sum(self.margins[move]))
            ranked = likely[:SHORTLIST] + [move for move in asked if move not in likely[:SHORTLIST]]
        self.look(ranked, LONG_LOOK // 4)
        best = max(ranked, key=lambda move: sum(self.margins[move]))
        near = [move for move in ranked if self._gap(best, move)[0] < 3 * self._gap(best, move)[1] or move in asked]
        near.append(best)
        self.look(list(dict.fromkeys(near)), LONG_LOOK)
        best = max(near, key=lambda move: sum(self.margins[move]))
        return {move: self._gap(best, move) for move in ranked}

    def _gap(self, best: int, move: int) -> tuple[float, float]:
        one, two = self.margins[best], self.margins[move]
        count = min(len(one), len(two))
        gaps = [one[index] - two[index] for index in range(count)]
        mean = sum(gaps) / count
        spread = sum([(gap - mean) ** 2 for gap in gaps]) / max(1, count - 1)
        return mean / 100, math.sqrt(spread / count) / 100


# --- the positions --------------------------------------------------------------------------------------------------


def choose_positions(game: str, seed: int) -> list[dict[str, Any]]:
    """Decisions on which the players disagree, one from each third of game after game, until there are enough."""
    spec = wellies.game(game)
    found: dict[str, list[dict[str, Any]]] = {part: [] for part in PARTS}
    number = 0
    while any(len(each) < EACH for each in found.values()):
        number += 1
        state, rng = spec.start(2, {}), Stream(f"regret {seed} {game} {number}")
        players = [make_bot(PLAYERS[(number + seat) % 2]) for seat in range(2)]
        decisions: list[tuple[GameState, int]] = []
        while due := state.due():
            seat = due[0]
            if seat == CHANCE:
                state.step(CHANCE, state.chance(rng))
                continue
            if len(state.legal(seat)) > 1:
                decisions.append((state.clone(), seat))
            state.step(seat, players[seat].choose(state, seat, rng))
        for third, part in enumerate(PARTS):
            span = decisions[third * len(decisions) // 3 : (third + 1) * len(decisions) // 3]
            for _ in range(12):
                before, seat = span[rng.randrange(len(span))]
                if len(found[part]) < EACH and len({make_bot(name).choose(before, seat, rng) for name in PLAYERS}) > 1:
                    found[part].append({"part": part, "seat": seat, "position": before.position(seat)})
                    break
    return [found[part][number] for number in range(EACH) for part in PARTS]


def read(game: str) -> list[dict[str, Any]]:
    text = (FOLDER / f"{game}.json").read_text(encoding="utf-8")
    positions: list[dict[str, Any]] = json.loads(text)["positions"]
    return positions


def write(game: str, positions: list[dict[str, Any]]) -> None:
    FOLDER.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in positions)
    rules = wellies.game(game).rules_version
    text = f'{{"game":"{game}","rules_version":{rules},"positions":[\n{lines}\n]}}\n'
    (FOLDER / f"{game}.json").write_text(text, encoding="utf-8")


class Judged:
    """A position of the file with the values of its moves."""

    def __init__(self, game: str, number: int, entry: dict[str, Any]) -> None:
        self.entry = entry
        self.seat: int = entry["seat"]
        self.spec = wellies.game(game)
        self.name = f"{game} {number}"
        self.state = self.spec.from_position(entry["position"]).resample(self.seat, Stream(self.name))
        self.values: dict[str, list[float]] = entry.setdefault("lost", {})
        self.met = False
        """Whether a move was judged that had no value."""

    def judge(self, asked: list[int]) -> None:
        """Judge the moves of this position, those asked for among them."""
        known = [self.spec.parse_move(self.state, self.seat, text) for text in self.values]
        lost = LongLook(self.state, self.seat, self.name).judge(list(dict.fromkeys([*known, *asked])))
        self.values.clear()
        for move, (gap, error) in sorted(lost.items(), key=lambda each: each[1]):
            self.values[self.spec.move_text(self.state, self.seat, move)] = [round(gap, 2), round(error, 2)]
        self.met = True

    def regret(self, move: int) -> float:
        text = self.spec.move_text(self.state, self.seat, move)
        if text not in self.values:
            self.judge([move])
        return self.values[text][0]

    def best(self) -> int:
        return self.spec.parse_move(self.state, self.seat, next(iter(self.values)))


# --- regret, and what is to blame -----------------------------------------------------------------------------------


class OtherReplies(Heuristics):
    """The heuristics of a game, but its replies are the best of some moves by the margin after them."""

    def __init__(self, game: Heuristics) -> None:
        super().__init__()
        for name in ("width", "horizon", "scale", "beam_budget", "widening", "prior_weight", "reuse_tree", "nodes"):
            setattr(self, name, getattr(game, name))
        self.game = game

    def margins(self, state: GameState) -> list[int]:
        return self.game.margins(state)

    def estimate(self, state: GameState, seat: int) -> int:
        return self.game.estimate(state, seat)

    def priors(self, state: GameState, seat: int, moves: list[int]) -> list[int]:
        return self.game.priors(state, seat, moves)

    def reply(self, state: GameState, seat: int, rng: Any) -> int:
        return sampled_reply(self.game, state, seat, rng)

    def budget_share(self, state: GameState) -> int:
        return self.game.budget_share(state)

    def forget_choices(self, state: GameState, seat: int) -> None:
        self.game.forget_choices(state, seat)

    def plan_draws(self, state: GameState, dice: Any) -> list[int]:
        return self.game.plan_draws(state, dice)

    def next_draw(self, state: GameState, planned: list[int], dice: Any) -> int:
        return self.game.next_draw(state, planned, dice)


class OtherValues(OtherReplies):
    """The heuristics of a game, but the end of a rollout is valued by the estimate of the game alone."""

    def margins(self, state: GameState) -> list[int]:
        return Heuristics.margins(self, state)

    def estimate(self, state: GameState, seat: int) -> int:
        return state.estimate(seat)

    def reply(self, state: GameState, seat: int, rng: Any) -> int:
        return self.game.reply(state, seat, rng)


def changed(game: str, bot: SearchBot) -> dict[str, tuple[Heuristics, int]]:
    """The heuristics of a bot with one part changed at a time, and how many rollouts they get."""

    def own() -> Heuristics:
        return wellies.game(game).heuristics(bot.deep)

    nodes = bot.nodes or own().nodes
    wide, far, both = own(), own(), own()
    wide.width *= 3
    far.horizon = both.horizon = TO_THE_END
    return {
        "as it is": (own(), nodes),
        "candidates: 3 times as many": (wide, 3 * nodes),
        "allocation: 8 times the rollouts": (own(), 8 * nodes),
        "horizon: to the end": (far, nodes),
        "horizon and allocation": (both, 8 * nodes),
        "replies: best of 12": (OtherReplies(own()), nodes),
        "evaluation: the game's": (OtherValues(own()), nodes),
    }


class Row:
    """The regrets of one bot or one change in one game, by part."""

    def __init__(self) -> None:
        self.lost: dict[str, list[float]] = {part: [] for part in PARTS}
        self.seconds = 0.0

    def line(self, name: str) -> str:
        every = [one for part in PARTS for one in self.lost[part]]
        mean = sum(every) / len(every)
        error = math.sqrt(sum([(one - mean) ** 2 for one in every]) / max(1, len(every) - 1) / len(every))
        parts = "".join(f"{sum(self.lost[part]) / max(1, len(self.lost[part])):8.2f}" for part in PARTS)
        best = 100 * sum([one == 0 for one in every]) / len(every)
        return f"{name:34}{mean:7.2f} ± {error:4.2f} {parts}{best:8.0f} %{1000 * self.seconds / len(every):9.0f} ms"


HEAD = f"{'points lost by a move':34}{'all':>14} {'first':>8}{'middle':>8}{'last':>8}{'best':>10}{'processor':>12}"


def ask_bot(positions: list[Judged], text: str) -> Row:
    row = Row()
    for judged in positions:
        for number in range(TRIES):
            started = time.process_time()
            move = make_bot(text).choose(judged.state, judged.seat, Stream(f"{judged.name} {number}"))
            row.seconds += time.process_time() - started
            row.lost[judged.entry["part"]].append(judged.regret(move))
    return row


def ask_search(positions: list[Judged], heuristics: Heuristics, nodes: int) -> Row:
    row = Row()
    for judged in positions:
        for number in range(TRIES):
            started = time.process_time()
            found = search(judged.state, judged.seat, heuristics, Budget(nodes), 1000 + number)
            row.seconds += time.process_time() - started
            row.lost[judged.entry["part"]].append(judged.regret(found.best.move))
    return row


def blame(game: str, positions: list[Judged], text: str) -> None:
    bot = make_bot(text)
    if not isinstance(bot, SearchBot):
        raise SystemExit(f"regret: {text} is no bot that searches with heuristics; name storm or monsoon.")
    known = bot.heuristics(game)
    missed = 0
    for judged in positions:
        kept = beam_search(judged.state, judged.seat, known.margin, known.beam_budget)[: known.width]
        missed += judged.best() not in [each.move for each in kept]
    print(f"{text}: the best move is not among the {known.width} candidates in {missed} of {len(positions)} positions")
    for name, (heuristics, nodes) in changed(game, bot).items():
        print(ask_search(positions, heuristics, nodes).line(name), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="*", help="which games; all if left out")
    parser.add_argument("--bot", action="append", metavar="BOT", help="whose regret; may be repeated")
    parser.add_argument("--blame", action="store_true", help="which part of the search is to blame")
    parser.add_argument("--renew", action="store_true", help="choose the positions again and judge all their moves")
    parser.add_argument("--seed", type=int, default=1, help="of the games that --renew takes positions from")
    args = parser.parse_args()
    for game in args.game or wellies.list_games():
        if args.renew or not (FOLDER / f"{game}.json").exists():
            write(game, choose_positions(game, args.seed))
        entries = read(game)
        positions = [Judged(game, number, entry) for number, entry in enumerate(entries)]
        for judged in positions:
            if not judged.values:
                judged.judge([])
                write(game, entries)
        print(f"{game}: {len(positions)} positions, {TRIES} tries each\n{HEAD}", flush=True)
        for text in args.bot or BOTS:
            if args.blame:
                blame(game, positions, text)
            else:
                print(ask_bot(positions, text).line(text), flush=True)
        if any(judged.met for judged in positions):
            write(game, entries)


if __name__ == "__main__":
    main()
