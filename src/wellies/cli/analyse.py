"""Output of `wellies analyse`: a progress bar while it runs, then tables or JSON."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from wellies.bots.analysis import Finding, analyse, summary
from wellies.bots.review import chances_line, percent, review
from wellies.core.events import Json
from wellies.core.texts import default_names, with_notation
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
        "review": review(findings, record.seats),
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
    _print_chances(findings, names, console)
    _print_review(findings, names, console)
    console.print(
        Text(
            "Points lost: expected, against the best move found, from what the player could see. "
            "* is a clear mistake; the others may be chance, unless they are proved.",
            style="dim",
        )
    )


def _print_chances(findings: list[Finding], names: list[str], console: Console) -> None:
    """The winning chance after each decision, a line of characters for each seat, with both ends in percent."""
    rows = [
        (seat, [each.chance for each in findings if each.seat == seat and each.chance is not None])
        for seat in range(len(names))
    ]
    rows = [row for row in rows if row[1]]
    if not rows:
        return
    # An encoding that lacks the blocks would make them all alike.
    steps = "▁▂▃▄▅▆▇█" if console.encoding.lower().startswith("utf") else "0123456789"
    table = Table(title="winning chance", title_justify="left", title_style="italic", box=None, pad_edge=False)
    for _ in range(4):
        table.add_column(no_wrap=True)
    for seat, chances in rows:
        line = chances_line(chances, steps)
        table.add_row(
            Text(names[seat], style="bold"),
            percent(chances[0]).rjust(5),
            Text(line, style="cyan"),
            percent(chances[-1]),
        )
    console.print(table)
    console.print()


def _print_review(findings: list[Finding], names: list[str], console: Console) -> None:
    """What a coach would say to each player."""
    for told in review(findings, len(names)):
        console.print(Text(f"{names[told['seat']]}'s game", style="bold"))
        lines = Table.grid(padding=(0, 1))
        for sentence in told["sentences"]:
            lines.add_row(Text("·", style="dim"), Text(with_notation(sentence, names)))
        console.print(lines)
        console.print()


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
            _better(each, names),
            Text(_lost_words(each)),
        )
    return table


def _better(finding: Finding, names: list[str]) -> Text:
    """The better move, and why."""
    text = Text(finding.best, style="bold")
    for reason in finding.why.reasons:
        text.append(f"\n{with_notation(reason, names)}", style="not bold dim")
    return text


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
