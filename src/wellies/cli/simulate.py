"""Output of `wellies simulate`: a progress bar while it runs, then tables."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from wellies.bots import simulate
from wellies.core.events import Json
from wellies.core.options import show
from wellies.core.spec import GameSpec


def run(plan: simulate.Plan, jobs: int, errors: Console) -> tuple[list[simulate.Result], Json]:
    """Play, with a progress bar on stderr if that is a terminal."""
    if not errors.is_terminal:
        return simulate.timed(plan, jobs)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task(f"{plan.game}", total=plan.games)
        return simulate.timed(plan, jobs, lambda more: progress.advance(task, more))


def print_tables(spec: GameSpec, report: Json, timing: Json, console: Console) -> None:
    """The report for people."""
    options = ", ".join(f"{name} {show(value)}" for name, value in report["options"].items())
    head = Text(f"{spec.title}: {_count(report['games'], 'game')}, {_count(report['seats'], 'seat')}", style="bold")
    head.append(f", seed {report['seed']}" + (f" ({options})" if options else ""), style="not bold")
    console.print(head)
    console.print(_sides("by bot", [(side["bot"], side) for side in report["by_bot"]]))
    console.print(_sides("by seat", [(f"seat {side['seat']}", side) for side in report["by_seat"]]))
    length = report["decisions"]
    console.print(
        f"Length: {length['mean']:.1f} decisions a game (sd {length['sd']:.1f}, {length['min']} to {length['max']}), "
        f"and {report['chance_moves']['mean']:.1f} draws.",
    )
    for ending in report["endings"]:
        console.print(Text(f"Ended {_count(ending['games'], 'time')}: {ending['reason']}"))
    console.print(
        f"{timing['decisions_per_second']:,} decisions a second, {timing['seconds']:.1f} s in all, "
        f"{_count(timing['jobs'], 'process', 'processes')}.",
        style="dim",
    )


def _sides(title: str, sides: list[tuple[str, Json]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="italic", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for name in ("played", "mean", "sd", "min", "max", "wins", "win rate", "95 %"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, side in sides:
        score = side["score"]
        low, high = side["win_rate_95"]
        table.add_row(
            Text(name.ljust(6), style="bold"),
            str(side["played"]),
            f"{score['mean']:.2f}",
            f"{score['sd']:.2f}",
            str(score["min"]),
            str(score["max"]),
            f"{side['wins']:g}",
            f"{100 * side['win_rate']:.1f} %",
            f"{100 * low:.1f} to {100 * high:.1f}",
        )
    return table


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
