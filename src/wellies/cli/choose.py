"""`wellies` without a command asks what to play and with whom."""

from __future__ import annotations

from pathlib import Path

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from wellies.bots import list_bots
from wellies.cli import files
from wellies.cli.console_io import ConsoleIO
from wellies.cli.lists import bots_list, option_text, seats_text
from wellies.cli.seating import BOT, check_name, usual_seats
from wellies.core.errors import WelliesError
from wellies.core.events import Json
from wellies.core.options import Option
from wellies.core.spec import GameSpec
from wellies.games import load_games


class Selection:
    """What was chosen: a new game, or a saved game to resume."""

    def __init__(self, spec: GameSpec | None, players: list[str], options: Json, resume: Path | None = None) -> None:
        self.spec = spec
        self.players = players
        self.options = options
        self.resume = resume


def choose(io: ConsoleIO) -> Selection | None:
    """Ask what to play; None to quit."""
    specs = load_games()
    saved = files.unfinished(3)
    io.show(Rule("Wellies: games for a rainy day", style="cyan"), Text())
    table = Table(box=None, show_header=False, padding=(0, 2))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for number, spec in enumerate(specs, 1):
        table.add_row(str(number), spec.title, f"{seats_text(spec)} seats", Text(spec.summary))
    for number, path in enumerate(saved, len(specs) + 1):
        table.add_row(str(number), "resume", "saved game", Text(path.stem))
    io.show(table, Text())
    picked = _pick(io, specs, saved)
    if picked is None:
        return None
    if isinstance(picked, Path):
        return Selection(None, [], {}, picked)
    seats = _seats(io, picked)
    options = _options(io, picked, seats)
    return Selection(picked, _players(io, seats), options)


def _pick(io: ConsoleIO, specs: list[GameSpec], saved: list[Path]) -> GameSpec | Path | None:
    while True:
        line = io.ask("Which game? (number or name; Enter for 1, q to quit): ").strip().lower() or "1"
        if line in ("q", "quit", "exit"):
            return None
        found: list[GameSpec | Path] = [*specs, *saved]
        if line.isascii() and line.isdigit() and 1 <= int(line[:4]) <= len(found):
            return found[int(line) - 1]
        named = [spec for spec in specs if spec.name.startswith(line) or spec.title.lower().startswith(line)]
        if len(named) == 1:
            return named[0]
        io.show(Text(f"Type a number from 1 to {len(found)}, or the name of a game.", style="red"))


def _seats(io: ConsoleIO, spec: GameSpec) -> int:
    usual = usual_seats(spec)
    if spec.min_seats == spec.max_seats:
        return usual
    while True:
        line = io.ask(f"How many players, you and bots included? ({seats_text(spec)}; Enter for {usual}): ").strip()
        if not line:
            return usual
        if line.isascii() and line.isdigit() and spec.min_seats <= int(line[:4]) <= spec.max_seats:
            return int(line)
        io.show(Text(f"{spec.title} is for {seats_text(spec)} players.", style="red"))


def _options(io: ConsoleIO, spec: GameSpec, seats: int) -> Json:
    """The options, all on one line; most people keep the defaults."""
    plain = [option for option in spec.options if type(option) is Option]
    if not plain:
        return {}
    shown = "   ".join(f"{option.name}={option_text(option)}" for option in plain)
    io.show(Text(f"Options (default first): {shown}", style="dim"))
    while True:
        words = io.ask("Change any? (name=value; Enter for no): ").split()
        options: Json = {}
        for word in words:
            name, _, value = word.partition("=")
            options[name] = value
        try:
            spec.start(seats, options)
            return options
        except WelliesError as error:
            io.show(Text(str(error), style="red"))


def _players(io: ConsoleIO, seats: int) -> list[str]:
    io.show(Text("Who plays? Type a person's name, or one of these bots:", style="dim"))
    io.show(bots_list())
    players: list[str] = []
    while len(players) < seats:
        shown = "your name; Enter for Player" if not players else "a name or a bot; Enter for the greedy bot"
        line = io.ask(f"Player {len(players) + 1}? ({shown}): ").strip()
        if not line:
            line = "greedy" if players else "Player"
        name = line[len(BOT) :] if line.lower().startswith(BOT) else line
        if name.lower() in list_bots():
            players.append(BOT + name.lower())
            continue
        try:
            name = check_name(line)
        except WelliesError as error:
            io.show(Text(str(error), style="red"))
            continue
        if name.casefold() in [other.casefold() for other in players]:
            io.show(Text(f"{name} is taken already; choose another name.", style="red"))
            continue
        players.append(name)
    return players
