"""`wellies research`: what learning programs want to know of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from wellies.cli import completion
from wellies.cli.output import make_console
from wellies.core.errors import BadGame
from wellies.games import game

group = typer.Typer(
    name="research",
    help="Games as environments for learning programs: what their actions and observations are.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@group.callback()
def main() -> None:
    """Games as environments for learning programs: what their actions and observations are."""


@group.command()
def describe(
    name: Annotated[
        str,
        typer.Argument(help="The game; `wellies games` lists them.", metavar="GAME", autocompletion=completion.games),
    ],
    seats: Annotated[int | None, typer.Option(help="How many seats.", metavar="N")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A game option; may be given again.", metavar="NAME=VALUE"),
    ] = None,
) -> None:
    """Print the actions and the cells of an observation of a game, as Markdown."""
    from wellies.cli.app import parse_options
    from wellies.research.layouts import layout

    spec = game(name)
    encoding = spec.encoding(seats, parse_options(option, None))
    if encoding is None:
        raise BadGame(f"the game {name!r} brings no encoding, so it has no actions and observations of fixed size.")
    make_console(soft_wrap=True).print(layout(encoding), end="", markup=False, highlight=False)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(group)
