"""Output of `wellies analyse`: a progress bar while it runs, then tables or JSON."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from wellies.bots.analysis import Finding, analyse, summary
from wellies.core.events import Json
from wellies.core.texts import default_names
from wellies.match import Record


def run(record: Record, nodes: int, deep: bool, seat: int, errors: Console) -> list[Finding]:
    """Analyse every decision, with a progress bar on stderr if that is a terminal."""
    findings: list[Finding] = []
    judged = analyse(record.spec(), record.start(), record.moves, nodes, seat=seat, deep=deep)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task(record.game, total=len(record.moves))
        for finding in judged:
            if finding is not None:
                findings.append(finding)
            progress.advance(task)
    return findings


def report(record: Record, findings: list[Finding]) -> Json:
    """All findings, for programs."""
    return {
        "game": record.game,
        "seats": record.seats,
        "players": record.players,
        "by_seat": summary(findings, record.seats),
        "decisions": [finding.to_json() for finding in findings],
    }


def print_tables(record: Record, findings: list[Finding], top: int, console: Console) -> None:
    """The costliest moves, in the order of play, and the sums by seat."""
    names = default_names(record.seats)
    for seat, player in enumerate((record.players or [])[: record.seats]):
        names[seat] = player
    console.print(Text(f"{record.spec().title}: {len(findings)} decisions", style="bold"))
    costliest = sorted([each for each in findings if each.lost > 0], key=_lost, reverse=True)[:top]
    if costliest:
        console.print(_moves(sorted(costliest, key=_number), names))
    else:
        console.print("No better move was found anywhere.")
    console.print(_sums(summary(findings, record.seats), names))
    console.print(
        Text(
            "Points lost: expected, against the best move found, from what the player could see. "
            "* is a clear mistake; the others may be chance, unless they are proved.",
            style="dim",
        )
    )


def _lost(finding: Finding) -> float:
    return finding.lost


def _number(finding: Finding) -> int:
    return finding.number


def _moves(findings: list[Finding], names: list[str]) -> Table:
    table = Table(title="better moves", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("move", justify="right", no_wrap=True)
    table.add_column("player", no_wrap=True)
    table.add_column("played")
    table.add_column("better")
    table.add_column("points lost", justify="right", no_wrap=True)
    for each in findings:
        table.add_row(
            str(each.number),
            Text(names[each.seat]),
            Text(each.played),
            Text(each.best, style="bold"),
            Text(_lost_words(each)),
        )
    return table


def _lost_words(finding: Finding) -> str:
    exact = "proved" if finding.proved else f"± {finding.error:.1f}"
    return f"{finding.lost:.1f} {exact}" + (" *" if finding.sure else "  ")


def _sums(rows: list[Json], names: list[str]) -> Table:
    table = Table(title="by player", title_justify="left", title_style="italic", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in ("decisions", "best found", "mistakes", "points lost", "each"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            Text(names[row["seat"]], style="bold"),
            str(row["decisions"]),
            str(row["best"]),
            str(row["mistakes"]),
            f"{row['lost']:.1f}",
            f"{row['lost_each']:.2f}",
        )
    return table
