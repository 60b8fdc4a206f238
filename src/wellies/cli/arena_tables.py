"""The report of an arena as tables, for the terminal and as Markdown."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wellies.core.events import Json
from wellies.core.options import show

Rows = list[list[str]]
RATINGS = ["", "rating", "95 %", "played", "win rate", "95 %", "score"]
PAIRS = ["", "against", "games", "won", "shared", "lost", "rate", "95 %", "points"]
THINK = ["", "choices", "p50", "p95", "max", "processor a game"]
WORDS = 2
"""This many columns of PAIRS are words, the others numbers."""


def rating_rows(report: Json) -> Rows:
    rows = []
    for side in report["ratings"]:
        low, high = side["win_rate_95"]
        rows.append(
            [
                side["bot"],
                f"{side['rating']:+.0f}" if side["rating_95"] is not None else "-",
                _between(side["rating_95"]),
                str(side["played"]),
                f"{100 * side['win_rate']:.1f} %",
                f"{100 * low:.1f} to {100 * high:.1f}",
                f"{side['score']['mean']:.2f}",
            ]
        )
    return rows


def _between(ends: list[float] | None) -> str:
    return "unknown" if ends is None else f"{ends[0]:+.0f} to {ends[1]:+.0f}"


def pair_rows(report: Json) -> Rows:
    return [
        [
            pair["bot"],
            pair["against"],
            *(str(pair[name]) for name in ("games", "won", "shared", "lost")),
            f"{100 * pair['rate']:.1f} %",
            f"{100 * pair['rate_95'][0]:.1f} to {100 * pair['rate_95'][1]:.1f}",
            f"{pair['margin']:+.2f}",
        ]
        for pair in report["pairs"]
    ]


def think_rows(think: list[Json]) -> Rows:
    return [
        [
            each["bot"],
            str(each["choices"]),
            *(milliseconds(each[name]) for name in ("p50", "p95", "max")),
            milliseconds(each["processor"]) if each["processor"] else "-",
        ]
        for each in think
    ]


def milliseconds(value: float) -> str:
    """A time in milliseconds or seconds."""
    if value >= 1000:
        return f"{value / 1000:.2f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.2f} ms"


def heading(report: Json, title: str) -> tuple[str, str]:
    """The title, and the settings below it."""
    options = ", ".join(f"{name} {show(value)}" for name, value in report["options"].items())
    games = f"{report['games']} game" + ("" if report["games"] == 1 else "s")
    if report["games"] < report["planned"]:
        games += f" of {report['planned']}"
    return f"{title}: {games}, {report['seats']} seats", f"seed {report['seed']}" + (f" ({options})" if options else "")


def notes(report: Json) -> list[str]:
    """Notes that the ratings need to be understood."""
    found = []
    if any(side["imagined_draws"] for side in report["ratings"]):
        found.append(
            "A participant won or lost every game, so its rating would be infinite: one draw is added for every pair."
        )
    if len({side["group"] for side in report["ratings"]}) > 1:
        found.append("Not all have played each other, not even through others: compare ratings within a group only.")
    if report["seats"] > 2:
        found.append("Pair by pair: who was placed higher at the end of a game; a shared place counts half.")
    return found


def print_tables(report: Json, think: list[Json], title: str, out: Console) -> None:
    """Print the report."""
    head, small = heading(report, title)
    out.print(Text(head, style="bold").append(f", {small}", style="not bold"))
    out.print(_table("ratings (Elo)", RATINGS, rating_rows(report)))
    out.print(_table("pair by pair", PAIRS, pair_rows(report), WORDS))
    out.print(_table("think time per decision (wall clock)", THINK, think_rows(think)))
    for note in notes(report):
        out.print(Text(f"\n{note}", style="dim"))


def _table(title: str, names: list[str], rows: Rows, words: int = 1) -> Table:
    table = Table(
        title=f"\n{title}",
        title_justify="left",
        title_style="italic",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 0, 0, 1),
    )
    for place, name in enumerate(names):
        # On a narrow screen names are folded, so that every number stays whole.
        table.add_column(name, justify="left" if place < words else "right", no_wrap=place >= words, overflow="fold")
    for row in rows:
        table.add_row(Text(row[0], style="bold"), *(Text(cell) for cell in row[1:]))
    return table


def markdown(report: Json, think: list[Json], title: str) -> str:
    """The report as Markdown."""
    head, small = heading(report, title)
    times = {row[0]: row[2:] for row in think_rows(think)}
    ratings = [[*row, *times.get(row[0], ["-"] * 4)] for row in rating_rows(report)]
    parts = [
        f"**{head}**, {small}\n",
        _markdown_table(["bot", *RATINGS[1:], "think p50", "p95", "max", "processor a game"], ratings),
        _markdown_table(["bot", *PAIRS[1:]], pair_rows(report), WORDS),
        *(f"{note}\n" for note in notes(report)),
    ]
    return "\n".join(parts)


def _markdown_table(names: list[str], rows: Rows, words: int = 1) -> str:
    lines = [names, ["---" if place < words else "--:" for place in range(len(names))], *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)
