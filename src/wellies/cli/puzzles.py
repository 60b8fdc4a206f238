"""`wellies puzzle` and `wellies puzzles make`: the puzzle of the day, and finding new ones."""

from __future__ import annotations

import shlex
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wellies.cli import completion
from wellies.cli.files import check_folder, read_json, show_path, write_text
from wellies.cli.signals import raise_on_signals
from wellies.core.errors import BadOption
from wellies.core.sources import now_millis
from wellies.core.texts import some

puzzles = typer.Typer(name="puzzles", help="Find new puzzles with the search.")


def today() -> date:
    """The day (UTC)."""
    from wellies.puzzles.puzzle import day_of

    return day_of(now_millis())


def puzzle(
    name: Annotated[
        str | None,
        typer.Argument(
            help="The game; without it, that of the puzzle of the day.",
            metavar="GAME",
            autocompletion=completion.games,
        ),
    ] = None,
    day: Annotated[
        str | None, typer.Option("--date", help="The day (UTC), such as 2026-11-18; without it, today.", metavar="DAY")
    ] = None,
    as_list: Annotated[bool, typer.Option("--list", help="List the last days with your results.")] = False,
) -> None:
    """The puzzle of the day: find the best move. Everybody gets the same puzzle on the same day."""
    from wellies.cli.app import console
    from wellies.cli.console_io import Terminal
    from wellies.cli.puzzle import list_days, run_puzzle
    from wellies.puzzles.puzzle import game_of_day, read_day

    now = today()
    io = Terminal(console())
    if as_list:
        list_days(now, io)
        return
    shown = read_day(day, now)
    raise typer.Exit(run_puzzle(name or game_of_day(shown), shown, now, io))


@puzzles.command()
def make(
    name: Annotated[
        str,
        typer.Argument(help="The game; `wellies games` lists them.", metavar="GAME", autocompletion=completion.games),
    ],
    out: Annotated[Path, typer.Option(help="The file of puzzles; new ones are appended.", metavar="FILE")],
    count: Annotated[int, typer.Option(help="How many puzzles to add.", metavar="N")] = 60,
    games: Annotated[int, typer.Option(help="How many games to play, at most.", metavar="N")] = 400,
    rollouts: Annotated[
        int, typer.Option(help="How many rollouts the best moves get in the check.", metavar="N")
    ] = 2000,
    seats: Annotated[int, typer.Option(help="How many sit at the table.", metavar="N")] = 2,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A game option; may be given again.", metavar="NAME=VALUE"),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same puzzles.", metavar="S")] = 1,
    begin: Annotated[
        str | None,
        typer.Option("--from", help="The first day of the new puzzles; without it, tomorrow.", metavar="DAY"),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="How many processes.", metavar="N")] = 1,
) -> None:
    """Find positions where one move is clearly the best and the obvious one is not. It can be stopped at any time, and
    goes on there when it is started again."""
    from wellies import __version__
    from wellies.cli.app import console, make_console, parse_options
    from wellies.core.engine import engine_words
    from wellies.games import game
    from wellies.puzzles.collect import Plan, Progress, appended, collect, journal_of, position_key, set_text

    for value, option_name, most in ((count, "count", 10_000), (games, "games", 1_000_000), (jobs, "jobs", 256)):
        if not 1 <= value <= most:
            raise BadOption(f"--{option_name} {value}: give a number from 1 to {most}.")
    if not 20 <= rollouts <= 1_000_000:
        raise BadOption(f"--rollouts {rollouts}: give a number from 20 to 1000000.")
    spec = game(name)
    options = spec.start(seats, parse_options(option, None)).options
    check_folder(out, "--out")
    old = read_json(out, "file of puzzles") if out.exists() else None
    if old is not None and old.get("game") != name:
        raise BadOption(f"{out} has puzzles of another game ({old.get('game')}); give another --out.")
    try:
        first_day = today() + timedelta(days=1) if begin is None else date.fromisoformat(begin)
    except ValueError:
        raise BadOption(f"--from {begin!r} is not a date; write one such as {today().isoformat()}.") from None
    errors = make_console(to_errors=True)

    def tell(progress: Progress) -> None:
        errors.print(
            Text(f"{name}: {progress.games} games, {progress.found} puzzles found, {progress.usable} of {count} taken"),
            soft_wrap=True,
        )

    known = {position_key(each) for each in (old or {}).get("puzzles", [])}
    plan = Plan(name, seats, options if option else {}, count, games, rollouts, seed)
    with raise_on_signals():
        found = collect(plan, out, jobs, known, tell)
    # Where the file was is nobody's business.
    command = "wellies " + shlex.join(word.replace(str(out), out.name) for word in sys.argv[1:])
    made = {
        "date": today().isoformat(),
        "version": __version__,
        "engine": engine_words(),
        "command": command,
        "puzzles": len(found),
    }
    if not found:
        raise BadOption(f"no puzzle was found in {games} games; play more with --games.")
    content = appended(old, name, found, made, first_day)
    write_text(out, set_text(content), "--out")
    journal_of(out).unlink(missing_ok=True)
    fewer = "" if len(found) == count else f" ({count} were wanted; play more games for more)"
    console().print(
        Text(f"{show_path(out)}: {some(len(found), 'new puzzle')}{fewer}, {len(content['puzzles'])} in all.")
    )


def register(app: typer.Typer) -> None:
    """Add the commands to `wellies`."""
    app.command()(puzzle)
    app.add_typer(puzzles)
