"""Games, options, cards, bots and positions as tables or JSON."""

from __future__ import annotations

import json

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from wellies.bots import bot, list_bots
from wellies.bots.base import think_time
from wellies.cli import screen
from wellies.cli.seating import Seating
from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.core.options import Option, show
from wellies.core.spec import GameSpec
from wellies.core.state import CHANCE, GameState
from wellies.core.texts import capital, default_names

LISTED = 40
"""At most this many legal moves of a position are printed."""


def seats_text(spec: GameSpec) -> str:
    return str(spec.min_seats) if spec.min_seats == spec.max_seats else f"{spec.min_seats}-{spec.max_seats}"


def games_table(specs: list[GameSpec]) -> RenderableType:
    """All games with their options."""
    table = Table()
    table.add_column("game", style="bold", no_wrap=True)
    table.add_column("seats", no_wrap=True)
    table.add_column("minutes", no_wrap=True)
    table.add_column("about")
    for spec in specs:
        about = Text(spec.summary)
        for option in spec.options:
            about.append(f"\n--option {option.name}=", style="dim")
            about.append(option_text(option), style="dim")
        table.add_row(spec.name, seats_text(spec), str(spec.minutes), about)
    return Group(table, Text("Play one: wellies play GAME. Its rules: wellies rules GAME.", style="dim"))


def option_text(option: Option) -> str:
    """An option's values as one would type them, the default first."""
    values = [show(value) for value in option.values]
    if type(option) is not Option or not values:  # for example colours by seat, or a file
        return f"...  ({option.allowed()})"
    default = show(option.default)
    return "|".join([default, *(value for value in values if value != default)] if default in values else values)


def bots_table() -> Table:
    table = Table()
    table.add_column("bot", style="bold")
    table.add_column("strength")
    table.add_column("thinks", no_wrap=True)
    table.add_column("about")
    for name in list_bots():
        each = bot(name)
        table.add_row(name, each.strength or "for research", think_time(each), each.summary)
    return table


def bots_list() -> Table:
    """The bots in a few lines: name, strength, how long they think."""
    table = Table(box=None, show_header=False, padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(style="dim")
    for name in list_bots():
        each = bot(name)
        table.add_row(name, f"{each.strength or 'for research'}; thinks {think_time(each)}")
    return table


# --- cards ------------------------------------------------------------------------------------------------------


def card_rows(spec: GameSpec, cards: str | None) -> list[Json]:
    """The cards of a game, from its own file or a corrected one. BadOption if the game has none."""
    rows = spec.card_table(cards)
    if not rows:
        raise BadOption(
            f"{spec.title} has no cards or tiles to list; games with them have an option cards (see wellies games)."
        )
    return rows


def card_file_text(spec: GameSpec, cards: str | None) -> str:
    """The complete card or tile file of a game, usual or corrected, as text."""
    data = spec.card_file()
    if cards is not None:
        option = next(each for each in spec.options if each.name == "cards")
        data = option.check(cards, spec.min_seats)
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def cards_table(spec: GameSpec, rows: list[Json]) -> Table:
    """A table with a column for each field."""
    names: list[str] = []
    for row in rows:
        names += [name for name in row if name not in names]
    table = Table(title=f"{spec.title}: {len(rows)} entries", title_justify="left")
    for name in names:
        numbers = all(isinstance(row.get(name, 0), int) for row in rows)
        table.add_column(name, justify="right" if numbers else "left")
    for row in rows:
        style = "italic yellow" if row.get("source") == "reconstructed" else ""
        cells = [Text(str(row.get(name, "")), style=style) for name in names]
        table.add_row(*cells)
    return table


# --- positions --------------------------------------------------------------------------------------------------


def position_json(spec: GameSpec, state: GameState, viewer: int | None) -> Json:
    """A position with its scores, legal moves and outcome. As one seat sees it, only that seat's moves are listed."""
    outcome = state.outcome()
    shown = [seat for seat in state.active() if viewer is None or seat == viewer]
    return {
        "game": spec.name,
        "seat": viewer,
        "scores": state.scores(),
        "active": state.active(),
        "due": state.due(),
        "legal": {
            "*" if seat == CHANCE else str(seat): [spec.move_text(state, seat, move) for move in state.legal(seat)]
            for seat in shown
        },
        "outcome": None if outcome is None else outcome.to_json(),
        "position": state.view(viewer)["position"] if viewer is not None else state.position(),
    }


def in_lines(texts: list[str], width: int) -> list[RenderableType]:
    """Texts side by side in lines of this width; none is broken."""
    lines: list[RenderableType] = []
    line = ""
    for text in texts:
        if line and len(line) + 3 + len(text) > width:
            lines.append(Text(line))
            line = ""
        line += ("   " if line else "  ") + text
    return [*lines, Text(line)]


def position_page(spec: GameSpec, state: GameState, viewer: int | None, file: str, width: int | None) -> RenderableType:
    """The drawn position, its scores, who is to move, and the legal moves."""
    seating = Seating([capital(name) for name in default_names(state.seats)])
    seen = "all may see" if viewer is None else f"seat {viewer} sees"
    parts: list[RenderableType] = [
        screen.title_rule(spec.title, f"a position, as {seen} it"),
        screen.whole_board(screen.table(spec, state.view(viewer), seating), width),
        Text(),
        screen.score_bar(state, seating),
    ]
    outcome = state.outcome()
    if outcome is not None:
        parts += [Text(), screen.ending(outcome, seating)]
        return Group(*parts)
    active = state.active()
    due = state.due()
    for seat in active:
        if viewer is not None and seat not in (viewer, CHANCE):
            parts.append(Text(f"Seat {seat} is to move." if seat in due else f"Seat {seat} may act."))
            continue
        moves = state.legal(seat)
        who = "Chance" if seat == CHANCE else f"Seat {seat}"
        does = "is to move" if seat in due else "may act, but need not"
        parts.append(Text(f"{who} {does}: {len(moves)} legal move{'' if len(moves) == 1 else 's'}.", style="bold"))
        parts += in_lines([spec.move_text(state, seat, move) for move in moves[:LISTED]], width or 80)
        if len(moves) > LISTED:
            parts.append(Text(f"  ... and {len(moves) - LISTED} more (--json lists all)", style="dim"))
    hint = f"Play on from here: wellies play {spec.name} --position {file}"
    parts += [Text(), Text(hint, style="dim", no_wrap=True, overflow="ignore")]
    return Group(*parts)
