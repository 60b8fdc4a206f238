"""`wellies dataset`: games between bots as Parquet files for learning programs."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from wellies.cli import completion
from wellies.cli.files import check_folder, show_path
from wellies.cli.signals import raise_on_signals
from wellies.core.errors import BadOption

dataset = typer.Typer(name="dataset", help="Data sets for learning programs: games between bots as Parquet files.")


@dataset.command()
def make(
    name: Annotated[
        str,
        typer.Argument(help="The game; `wellies games` lists them.", metavar="GAME", autocompletion=completion.games),
    ],
    out: Annotated[Path, typer.Option(help="The file to make; it ends in .parquet.", metavar="FILE")],
    bots: Annotated[
        str,
        typer.Option(help="Who plays, by seat, with commas.", metavar="A,B", autocompletion=completion.several_bots),
    ] = "storm:ms=0,shower",
    number: Annotated[int, typer.Option("--games", "-n", help="How many games.", metavar="N")] = 100,
    seats: Annotated[int | None, typer.Option(help="How many sit at the table.", metavar="N")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A game option; may be given again.", metavar="NAME=VALUE"),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same games.", metavar="S")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="How many processes.", metavar="N")] = 1,
) -> None:
    """Let bots play, and write all their decisions: observations, legal actions, choices, search values, results."""
    from wellies.cli.app import console, make_console, parse_options
    from wellies.research.data import make as make_dataset

    if not 1 <= jobs <= 256:
        raise BadOption(f"--jobs {jobs}: give a number of processes from 1 to 256.")
    if not 1 <= number <= 10_000_000:
        raise BadOption(f"--games {number}: give a number of games from 1 to 10000000.")
    check_folder(out, "--out")
    named = [each.strip().removeprefix("bot:") for each in bots.split(",") if each.strip()]
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    errors = make_console(to_errors=True)
    with raise_on_signals(), Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(name, total=number)
        card = make_dataset(
            out,
            name,
            named,
            number,
            seats,
            parse_options(option, None),
            chosen,
            jobs,
            lambda more: bar.advance(task, more),
        )
    console().print(
        f"{show_path(out)}: {card['decisions']:,} decisions of {card['games']:,} games, seed {chosen}. "
        f"{show_path(out.with_suffix('.md'))} describes it.",
        soft_wrap=True,
        markup=False,
        highlight=False,
    )


@dataset.command()
def show(file: Annotated[Path, typer.Argument(help="A data set (.parquet).", metavar="FILE")]) -> None:
    """Print the card of a data set: how it was made, and what its cells and actions mean."""
    from wellies.cli.app import console
    from wellies.research.data import Dataset, card_text

    console().print(card_text(file.name, Dataset(file).card), soft_wrap=True, markup=False, highlight=False)


def register(app: typer.Typer) -> None:
    """Add the commands to `wellies`."""
    app.add_typer(dataset)
