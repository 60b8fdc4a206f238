"""How things look: boards, logs, scores and lists as rich renderables. Nothing is read or decided here."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from wellies.bots.reasons import Explanation, Other, step_words
from wellies.bots.review import percent
from wellies.cli.seating import Seating
from wellies.core.canvas import Canvas, cells
from wellies.core.canvas import width as columns
from wellies.core.events import Json, ScoreLine
from wellies.core.outcome import Outcome
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState
from wellies.core.texts import with_notation
from wellies.core.types import View

SEAT_STYLES = ("bold cyan", "bold magenta", "bold yellow", "bold green", "bold red", "bold blue")
"""A colour for each seat's name; the name itself is the second cue."""


def seat_style(seat: int) -> str:
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


def seat_name(seating: Seating, seat: int) -> Text:
    return Text(seating.names[seat], style=seat_style(seat))


# --- the board --------------------------------------------------------------------------------------------------


def table(spec: GameSpec, view: View, seating: Seating, marks: dict[Any, str] | None = None) -> Canvas:
    """The table as drawn by its game, which is told the players' names beside the view."""
    return spec.draw({**view, "names": seating.names}, marks)


def whole_board(canvas: Canvas, width: int | None) -> RenderableType:
    """All of a canvas, for output that is only read: on a terminal in strips that fit, one below the other; with no
    width, as broad as it is."""
    lines = [to_text(runs) for runs in canvas.lines()]
    widest = max((columns(line.plain) for line in lines), default=0)
    if width is None or widest <= width:
        return Group(*lines)
    parts: list[RenderableType] = []
    for start in range(0, widest, width):
        if start:
            parts.append(Text(f"columns {start + 1} to {min(widest, start + width)}:", style="dim italic"))
        parts += [cut_text(line, start, width) for line in lines]
    return Group(*parts)


def to_text(runs: list[tuple[str, str]]) -> Text:
    """One line of a canvas. A style that rich does not know is left out rather than failing."""
    text = Text(no_wrap=True, overflow="ignore", end="")
    for part, style in runs:
        text.append(part, style=known_style(style))
    text.end = "\n"
    return text


def known_style(style: str) -> Style | str:
    if not style:
        return ""
    try:
        return Style.parse(style)
    except Exception:  # rich raises errors of several kinds here, and a colour is never worth a game
        return ""


def cut_text(line: Text, start: int, width: int) -> Text:
    """The part of a line between two columns; a wide sign that is cut in two becomes a blank."""
    column = index = last = 0
    first: int | None = None
    blank = ""
    for piece, taken in cells(line.plain):
        if first is None and column >= start:
            first = index
        elif column < start < column + taken:
            blank = " "
        index += len(piece)
        column += taken
        if column <= start + width:
            last = index
    found = Text(blank, no_wrap=True, overflow="ignore")
    if first is not None and first < last:
        found.append_text(line[first:last])
    return found


# --- what happened ----------------------------------------------------------------------------------------------


def log_lines(events: list[Json], seating: Seating, most: int) -> list[RenderableType]:
    """The last of some events as lines; names are coloured, what chance does is dimmed, long lines hang."""
    told = [event for event in events if event["text"]]
    lines: list[RenderableType] = []
    if len(told) > most:
        lines.append(Text(f"  ... {len(told) - most} earlier; `log` shows all", style="dim"))
        told = told[-most:] if most else []
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=3, justify="right")
    grid.add_column()
    for event in told:
        by_chance = event["seat"] == CHANCE
        text = named(event["text"], seating)
        if by_chance:
            text.stylize("dim")
        grid.add_row(Text("·" if by_chance else "▸", style="dim" if by_chance else ""), text)
    if told:
        lines.append(grid)
    return lines


def named(text: str, seating: Seating) -> Text:
    """A text of the game as it is read where moves are typed, with names put in and coloured."""
    result = Text()
    rest = with_notation(text)
    while rest:
        start = rest.find("{")
        end = rest.find("}", start)
        if start < 0 or end < 0:
            break
        mark = rest[start + 1 : end]
        result.append(rest[:start])
        if mark.isascii() and mark.isdigit() and int(mark) < len(seating.names):
            result.append_text(seat_name(seating, int(mark)))
        else:
            result.append(rest[start : end + 1])
        rest = rest[end + 1 :]
    result.append(rest)
    return result


# --- scores -----------------------------------------------------------------------------------------------------


def score_bar(state: GameState, seating: Seating) -> Text:
    """All scores on one line; a mark at those the game waits for."""
    due = state.due()
    bar = Text("  ")
    for seat, score in enumerate(state.scores()):
        if seat:
            bar.append("   ")
        bar.append("▶ " if seat in due else "  ", style="bold")
        bar.append_text(seat_name(seating, seat))
        bar.append(f": {score}", style="bold")
    return bar


def score_table(state: GameState, seating: Seating) -> Table:
    """Where the points come from: one row for each rule, one column for each seat."""
    rules: list[str] = []
    sums: list[dict[str, int]] = []
    counts: list[dict[str, int]] = []
    for seat in range(state.seats):
        points: dict[str, int] = {}
        times: dict[str, int] = {}
        for line in state.score_lines(seat):
            if line.rule not in rules:
                rules.append(line.rule)
            points[line.rule] = points.get(line.rule, 0) + line.points
            times[line.rule] = times.get(line.rule, 0) + 1
        sums.append(points)
        counts.append(times)
    table = Table(title="Scores", title_justify="left", show_footer=True)
    table.add_column("for", footer="in all")
    for seat, total in enumerate(state.scores()):
        table.add_column(seat_name(seating, seat), justify="right", footer=str(total))
    for rule in rules:
        cells: list[RenderableType] = [rule]
        for seat in range(state.seats):
            if rule not in sums[seat]:
                cells.append(Text("-", style="dim"))
                continue
            times_scored = counts[seat][rule]
            cell = Text(str(sums[seat][rule]))
            if times_scored > 1:
                cell.append(f" ({times_scored}x)", style="dim")
            cells.append(cell)
        table.add_row(*cells)
    return table


def line_texts(lines: list[ScoreLine], seating: Seating) -> list[Text]:
    """Every reason for points, one a line."""
    result: list[Text] = []
    for line in lines:
        text = Text("  ")
        text.append(f"{line.points:+d}".rjust(4), style="bold green" if line.points >= 0 else "bold red")
        text.append(f"  {line.rule}", style="bold")
        if line.why:
            text.append("  ")
            text.append_text(named(line.why, seating))
        result.append(text)
    return result


def explanation(why: Explanation, seating: Seating) -> list[Text]:
    """The reasons for a move, what the other candidates would give, the winning chance, and what is expected next."""
    found: list[Text] = []
    for sentence in why.reasons:
        found.append(Text("  · ", style="dim").append_text(named(sentence, seating)))
    for number, other in enumerate(why.others[1:]):
        text = Text("  Instead " if number == 0 else "          ", style="dim")
        text.append(other.move, style="bold")
        text.append(f": {other_words(other, why.proved)}.")
        found.append(text)
    if why.others:
        text = Text("  ", style="")
        best = why.others[0]
        error = "" if why.proved else f" ± {best.lead_error:.1f}"
        text.append(f"Expected lead: {best.lead:+.1f}{error}.")
        if why.chance is not None:
            text.append(f" Winning chance: {'' if why.proved else 'about '}{percent(why.chance)}.")
        found.append(text)
    if len(why.line) > 1:
        text = Text("  Then: ", style="dim")
        for number, step in enumerate(why.line[1:]):
            text.append("; " if number else "")
            text.append_text(named(step_words(step.to_json()), seating))
        found.append(text.append("."))
    return found


def other_words(other: Other, proved: bool) -> str:
    """How far a candidate is behind the best one."""
    error = "" if proved else f" ± {other.error:.1f}"
    return "as good" if other.behind < 0.05 else f"{other.behind:.1f}{error} points less"


def points_text(points: int | None) -> Text:
    if points is None:
        return Text("")
    if points == 0:
        return Text("0", style="dim")
    return Text(f"{points:+d}", style="bold green" if points > 0 else "bold red")


def ending(outcome: Outcome, seating: Seating) -> RenderableType:
    """Who won, with all ranks and why the game ended."""
    winners = [seating.names[seat] for seat in outcome.winners]
    if len(seating.names) == 1:
        head = f"{seating.names[0]} ends with {outcome.scores[0]} points."
    elif len(winners) == 1:
        head = f"{winners[0]} wins!"
    elif len(winners) == len(seating.names):
        head = "A draw: all share the win."
    else:
        head = " and ".join([", ".join(winners[:-1]), winners[-1]]) + " share the win!"
    table = Table(show_header=False, box=None, padding=(0, 2))
    for seat in sorted(range(len(outcome.scores)), key=lambda each: (outcome.ranks[each], each)):
        table.add_row(f"{outcome.ranks[seat]}.", seat_name(seating, seat), Text(str(outcome.scores[seat]), "bold"))
    return Group(Rule(Text(head, style="bold"), style="green"), Text(outcome.reason, style="italic"), table)


def title_rule(title: str, what: str, style: str = "") -> Rule:
    text = Text(title, style="bold")
    text.append("  ·  ", style="dim")
    text.append(what, style=style)
    return Rule(text, style="dim", align="left")
