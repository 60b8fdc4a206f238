"""How often each card is taken when strong players are offered it: `python bench/balance.py aquarium --games 200`.

Storm bots play the game among themselves at two, three and four seats, as many games at each. "Taken" is the share of
the times that a player had the card on offer, had to decide, and took it:

- Ultimate Aquarium: on offer is every card in the store when a player takes a card, or restocks and takes none.
- Good Puppies: on offer is every card in the hand when a player chooses which one to play. The share of the times that
  a card in the park was drawn is a column of its own.

Several copies on offer at once count as one. A bonus of Good Puppies is not taken; it is measured by the points that it
brings to a group at the end of the game, on average over all groups of the breed, with those that it brings nothing.

A reconstructed card should be taken between 8 and 60 % of the time, and the best bonus should bring at most four times
as much as the poorest. Cards that the rulebook prints are measured too, and never changed. The column "error" is the
half width of the 95 % interval.

Each finished game is one line in the results file (`--results`); a run that was stopped goes on from there. Game number
`k` at `s` seats depends on the seed, `s` and `k` alone. `--cards` names a set of cards or a card file to try. Prints a
Markdown table, for docs/balance.md. The compiled engine is several times faster (see docs/compiled.md).
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any, Final, Protocol, cast

import wellies
from wellies import Stream
from wellies.core.engine import engine_words

HERE: Final = Path(__file__).parent
SEATS: Final = (2, 3, 4)
LOW: Final = 0.08
HIGH: Final = 0.60
SPREAD: Final = 4.0

Counts = dict[str, list[int]]
"""By card, trick or bonus, what was counted; what each number is, the game's module knows."""
Row = dict[str, str]


class Report(Protocol):
    """What a module `bench/balance_<game>.py` has."""

    def play(self, seats: int, options: dict[str, Any], bot: str, rng: Stream) -> Counts:
        """One game, counted."""

    def rows(self, counts: Counts, options: dict[str, Any]) -> list[Row]:
        """A row of the table for each card; the column "bounds" says whether it is where it should be."""


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def error(part: int, whole: int) -> str:
    """Half the width of the 95 % interval of a share, in points of a hundred."""
    if not whole:
        return "-"
    rate = (part + 2) / (whole + 4)
    return f"{196 * (rate * (1 - rate) / (whole + 4)) ** 0.5:.1f}"


def bounds(part: int, whole: int, source: str) -> str:
    """Whether a card is taken too seldom or too often, for a card that we may change."""
    if source.startswith("rulebook"):
        return "printed"
    rate = part / max(whole, 1)
    return "too seldom" if rate < LOW else "too often" if rate > HIGH else "within"


def games_with_a_report() -> list[str]:
    return sorted(path.stem.removeprefix("balance_") for path in HERE.glob("balance_*.py"))


def markdown(rows: list[Row]) -> str:
    """Rows as a Markdown table."""
    head = list(rows[0])
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row[name] for name in head) + " |" for row in rows]
    return "\n".join(lines)


def total(games: list[Counts]) -> Counts:
    """All games added up."""
    result: Counts = {}
    for counts in games:
        for name, numbers in counts.items():
            known = result.setdefault(name, [0] * len(numbers))
            for index, number in enumerate(numbers):
                known[index] += number
    return result


def read_results(path: Path, head: dict[str, Any]) -> dict[tuple[int, int], Counts]:
    """The games of a results file by seats and number; a new file is begun with a line that says what was played."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(head) + "\n", encoding="utf-8")
        return {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if not lines or json.loads(lines[0]) != head:
        sys.exit(f"{path} is of other games (other cards, bots or seed). Name another file with --results.")
    done: dict[tuple[int, int], Counts] = {}
    for line in lines[1:]:
        if line.endswith("\n"):  # a run that was stopped may leave half a line
            entry = json.loads(line)
            done[entry["seats"], entry["number"]] = entry["counts"]
    if not lines[-1].endswith("\n"):
        path.write_text("".join(lines[:-1]), encoding="utf-8")
    return done


def measure(report: Report, args: argparse.Namespace, options: dict[str, Any]) -> list[Counts]:
    """Play what is not yet in the results file."""
    head = {"game": args.game, "bot": args.bot, "seed": args.seed, "options": options}
    done = read_results(args.results, head)
    wanted = [(seats, number) for number in range(args.games) for seats in SEATS]
    missing = [one for one in wanted if one not in done]
    begun = time.monotonic()
    with args.results.open("a", encoding="utf-8") as file:
        for count, (seats, number) in enumerate(missing, 1):
            counts = report.play(seats, options, args.bot, Stream(f"balance {args.seed} {seats} {number}"))
            done[seats, number] = counts
            file.write(json.dumps({"seats": seats, "number": number, "counts": counts}) + "\n")
            file.flush()
            if count % 15 == 0 or count == len(missing):
                spent = time.monotonic() - begun
                left = spent / count * (len(missing) - count)
                print(f"{count} of {len(missing)} games, {spent:.0f} s; {left:.0f} s to go", file=sys.stderr)
    return [done[one] for one in wanted]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("game", choices=games_with_a_report())
    parser.add_argument("--games", type=int, default=200, help="games to play at each number of seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="storm:ms=0", help="who plays, in all seats")
    parser.add_argument("--cards", default="", help="a set of cards by name, or a card file; the usual one if left out")
    parser.add_argument("--results", type=Path, help="where to keep the games (build/balance/GAME-SEED.jsonl)")
    args = parser.parse_args()
    if args.games < 1:
        parser.error("--games must be at least 1")
    args.results = args.results or Path("build", "balance", f"{args.game}-{args.seed}.jsonl")
    try:
        options = wellies.game(args.game).start(2, {"cards": args.cards} if args.cards else {}).options
        wellies.bot(args.bot)
    except wellies.WelliesError as problem:
        parser.error(str(problem))
    print(f"{engine_words()}, {args.bot}, results in {args.results}", file=sys.stderr)
    sys.path.insert(0, str(HERE))
    report = cast(Report, importlib.import_module(f"balance_{args.game}"))
    print(markdown(report.rows(total(measure(report, args, options)), options)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
