"""Shell completion of commands, options, games and bots."""

from __future__ import annotations

import os
from typing import Annotated, Final

import typer

from wellies.cli.output import make_console
from wellies.core.errors import BadOption

SHELLS: Final = ("bash", "zsh", "fish")
VARIABLE: Final = "_WELLIES_COMPLETE"
"""A shell sets this environment variable when it asks for completions."""


def games(incomplete: str) -> list[str]:
    """The games whose names begin with this."""
    from wellies.games import list_games

    return [name for name in list_games() if name.startswith(incomplete)]


def shells(incomplete: str) -> list[str]:
    """The shells whose names begin with this."""
    return [name for name in SHELLS if name.startswith(incomplete)]


def bots(incomplete: str) -> list[str]:
    """The bots whose names begin with this."""
    from wellies.bots import list_bots

    return [name for name in list_bots() if name.startswith(incomplete)]


def players(incomplete: str) -> list[str]:
    """The bots in the form of `--player`: `bot:storm`."""
    return [f"bot:{name}" for name in bots(incomplete.removeprefix("bot:")) if f"bot:{name}".startswith(incomplete)]


def several_bots(incomplete: str) -> list[str]:
    """Bots with commas between them: the last one is completed."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in bots(last)]


def prepare() -> None:
    """Register the completion classes of typer if a shell asks for completions."""
    if VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()


def completion(
    shell: Annotated[
        str,
        typer.Argument(
            help="bash, zsh or fish.",
            metavar="SHELL",
            autocompletion=shells,
        ),
    ],
    install: Annotated[bool, typer.Option("--install", help="Install it for the shell.")] = False,
) -> None:
    """Shell completion: print the script for a shell, or install it."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]
    from typer.completion import install as install_script  # type: ignore[attr-defined]

    if shell not in SHELLS:
        raise BadOption(f"there is no completion for the shell {shell!r}; give bash, zsh or fish.")
    out = make_console(soft_wrap=True)
    if not install:
        out.print(get_completion_script(prog_name="wellies", complete_var=VARIABLE, shell=shell))
        return
    _, path = install_script(shell, "wellies", VARIABLE)
    out.print(f"Completion is installed in {path}; it works in every new shell.")


def register(app: typer.Typer) -> None:
    """Add the command to `wellies`."""
    app.command()(completion)
