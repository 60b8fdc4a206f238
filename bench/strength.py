"""How strong the levels are, as the tables of docs/bots.md: each level against the one below, against the sparring
partners at equal processor time, and at tables of three and four.

    python bench/strength.py                                  # all games, all tables, 400 games for each line
    python bench/strength.py umbradeco --table sparring --games 100

Each line is printed as Markdown, with the command that plays the same games. The bots have no time limit, so the games
do not depend on the machine; only the `nodes` of a sparring partner are fitted to the processor time that storm uses
here, in a few games before. All games are kept in `build/strength`: the same call goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import wellies
from wellies.bots.simulate import wilson

KEPT = Path(__file__).parent.parent / "build" / "strength"
TABLES = ("levels", "sparring", "seats")
PARTNERS = {"margin": 96, "flat": 450, "ismcts": 400}
"""The usual nodes, with which the fitting begins."""

FITTING_GAMES = 8
CLOSE = 1.15
"""The processor times of two bots are equal enough if they differ by no more than this factor."""


class Line:
    """One meeting: the first bot against the others."""

    def __init__(self, game: str, bots: list[str], games: int, seats: int, seed: int) -> None:
        self.game = game
        self.bots = bots
        self.words = [game, "--bots", ",".join(bots), "--games", str(games), "--seed", str(seed)]
        if seats > 2:
            self.words += ["--seats", str(seats), "--pairs", ":".join([bot.partition("=")[0] for bot in bots])]

    def play(self, jobs: int, budget: float) -> dict[str, Any]:
        """The report of the arena, with its times."""
        KEPT.mkdir(parents=True, exist_ok=True)
        name = "".join(letter if letter.isalnum() else "-" for letter in " ".join(self.words)).strip("-")
        command = [sys.executable, "-m", "wellies", "arena", *self.words, "--jobs", str(jobs)]
        command += ["--results", str(KEPT / f"{name}.jsonl"), "--budget", f"{budget:.0f}", "--json", "-", "--timing"]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        if told.returncode:
            raise SystemExit(f"strength: {told.stderr.strip().splitlines()[-1]}")
        report: dict[str, Any] = json.loads(told.stdout)
        return report

    def row(self, report: dict[str, Any]) -> str:
        """A line of Markdown."""
        side = next(each for each in report["ratings"] if each["plays"] == self.bots[0].partition("=")[2])
        games = side["played"]
        low, high = wilson(side["wins"], games)
        pairs = [each for each in report["pairs"] if side["bot"] in (each["bot"], each["against"])]
        leads = [each["margin"] if each["bot"] == side["bot"] else -each["margin"] for each in pairs]
        used = {each["bot"]: each["processor"] / 1000 for each in report["think_ms"]}
        rival = next(name for name in used if name != side["bot"])
        return (
            f"| {self.game} | {side['wins']:g} of {games} | {100 * side['wins'] / games:.1f} % "
            f"| {100 * low:.1f} to {100 * high:.1f} % | {sum(leads) / len(leads):+.1f} "
            f"| {used[side['bot']]:.2f} s, {used[rival]:.2f} s | `wellies arena {' '.join(self.words)}` |"
        )


def fitted(game: str, partner: str, jobs: int) -> int:
    """The nodes with which this partner takes as long as storm for a game, about."""
    nodes = PARTNERS[partner]
    for attempt in range(4):
        line = Line(game, ["storm=storm:ms=0", f"partner={partner}:nodes={nodes}"], FITTING_GAMES, 2, 1000 + attempt)
        used = {each["bot"]: each["processor"] for each in line.play(jobs, 100_000)["think_ms"]}
        factor = used["storm"] / used["partner"]
        if 1 / CLOSE <= factor <= CLOSE:
            break
        nodes = max(1, round(nodes * factor))
    return nodes


def lines(game: str, table: str, args: argparse.Namespace) -> list[Line]:
    if table == "levels":
        pairs = [["storm=storm:ms=0", "shower=shower"], ["monsoon=monsoon:ms=0", "storm=storm:ms=0"]]
        return [Line(game, pair, args.games, 2, args.seed) for pair in pairs]
    if table == "sparring":
        nodes = {partner: fitted(game, partner, args.jobs) for partner in PARTNERS}
        return [
            Line(game, ["storm=storm:ms=0", f"{partner}={partner}:nodes={count}"], args.games, 2, args.seed)
            for partner, count in nodes.items()
        ]
    found = []
    for seats in (3, 4):
        if seats <= wellies.game(game).max_seats:
            rivals = [f"{letter}=shower" for letter in "abc"[: seats - 1]]
            found.append(Line(game, ["storm=storm:ms=0", *rivals], args.games, seats, args.seed))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="*", help="which games; all if left out")
    parser.add_argument("--table", action="append", choices=TABLES, help="which tables; all if left out")
    parser.add_argument("--games", type=int, default=400, help="for each line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="games at the same time")
    parser.add_argument("--budget", type=float, default=100_000, help="seconds for each line; what is played counts")
    args = parser.parse_args()
    started = time.monotonic()
    for table in args.table or TABLES:
        print(f"\n{table}\n\n| game | won | rate | 95 % interval | lead | processor a game | command |")
        print("|---|---|---|---|---|---|---|")
        for game in args.game or wellies.list_games():
            for line in lines(game, table, args):
                print(line.row(line.play(args.jobs, args.budget)), flush=True)
    print(f"\n{time.monotonic() - started:.0f} seconds in all")


if __name__ == "__main__":
    main()
