"""What each card is worth in play: `python bench/balance.py aquarium --games 400 --seed 1`.

Prints a Markdown table for docs/balance.md. A game joins by a module `bench/balance_<game>.py` with a function
`table(games, seed) -> list[dict[str, str]]`: one row for each card (or trick, or bonus), columns in order.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent


def games_with_a_report() -> list[str]:
    return sorted(path.stem.removeprefix("balance_") for path in HERE.glob("balance_*.py"))


def markdown(rows: list[dict[str, str]]) -> str:
    """Rows as a Markdown table."""
    head = list(rows[0])
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row[name] for name in head) + " |" for row in rows]
    return "\n".join(lines)


def main() -> int:
    known = games_with_a_report()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("game", choices=known)
    parser.add_argument("--games", type=int, default=400, help="games to play at each number of seats")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.games < 1:
        parser.error("--games must be at least 1")
    sys.path.insert(0, str(HERE))
    report = importlib.import_module(f"balance_{args.game}")
    print(markdown(report.table(args.games, args.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
