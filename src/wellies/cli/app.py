"""The `wellies` command. Each command checks its arguments, does its work in another module, and prints.

`run` is the entry point. An error becomes one line on stderr, `wellies: ...`, and an exit code; code 2 is for errors
that the user can correct.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from wellies import __version__
from wellies.cli import completion, output
from wellies.cli.arena import register as register_arena
from wellies.cli.dataset import register as register_dataset
from wellies.cli.operate import register as register_operating
from wellies.cli.puzzles import register as register_puzzles
from wellies.cli.research import register as register_research
from wellies.cli.serve import register as register_serving
from wellies.cli.signals import Terminated
from wellies.core.engine import engine_words
from wellies.core.errors import BadOption, BadPosition, WelliesError
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.games import game, list_games, load_games
from wellies.match import Record

app = typer.Typer(
    name="wellies",
    help="Rainy-day board games in the terminal: play, replay, simulate.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

SETTINGS = {"color": True}
USER_ERROR = 2
INTERRUPTED = 130

LATEST = "latest"
"""`--resume` alone, or with this word, continues the game that was played last."""

Game = Annotated[
    str,
    typer.Argument(help="The game; `wellies games` lists them.", metavar="GAME", autocompletion=completion.games),
]
File = Annotated[Path, typer.Argument(help="A record (.wellies).", metavar="FILE")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A game option; may be given again.", metavar="NAME=VALUE")
]
Cards = Annotated[Path | None, typer.Option("--cards", help="A corrected card file.", metavar="FILE")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def console() -> Console:
    """The console for standard output."""
    return make_console(to_errors=False)


def make_console(*, to_errors: bool) -> Console:
    """A console that respects `--no-color`."""
    return output.make_console(to_errors=to_errors, color=SETTINGS["color"])


def parse_options(given: list[str] | None, cards: Path | None) -> Json:
    """`name=value` pairs as options; their values are checked by the game."""
    options: Json = {}
    for pair in given or []:
        name, equals, value = pair.partition("=")
        name = name.strip()
        if not equals or not name:
            raise BadOption(f"--option {pair!r} is not of the form name=value, such as --option table=one.")
        if name in options:
            raise BadOption(f"option {name} is given twice; keep one.")
        options[name] = value.strip()
    if cards is not None:
        if "cards" in options:
            raise BadOption("the cards are given twice, by --cards and --option; keep one.")
        from wellies.cli.files import read_text

        read_text(cards, "card file")
        options["cards"] = str(cards.absolute())
    return options


def parse_seed(text: str | None) -> int | bytes | None:
    """A whole number, or the 64 hexadecimal digits of a record's seed."""
    if text is None:
        return None
    if len(text) == 64 and all(char in "0123456789abcdefABCDEF" for char in text):
        return bytes.fromhex(text)
    try:
        if len(text) > 40:
            raise ValueError
        return int(text)
    except ValueError:
        raise BadOption(f"--seed {text[:40]!r} is not a whole number; give one such as --seed 7.") from None


def version(wanted: bool) -> None:
    if wanted:
        console().print(f"wellies {__version__} ({engine_words()})")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print version and engine, and stop.")
    ] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="Plain text, as with NO_COLOR set.")] = False,
) -> None:
    """Rainy-day board games in the terminal. Without a command: a chooser."""
    if no_color:
        SETTINGS["color"] = False
    if context.invoked_subcommand is not None:
        return
    out = console()
    if not (sys.stdin is not None and sys.stdin.isatty() and out.is_terminal):
        out.print(context.get_help())
        return
    from wellies.cli import launch
    from wellies.cli.choose import choose
    from wellies.cli.console_io import Terminal

    io = Terminal(out)
    try:
        chosen = choose(io)
    except EOFError:
        out.print()
        return
    except KeyboardInterrupt:
        out.print()
        raise typer.Exit(INTERRUPTED) from None
    if chosen is None:
        return
    if chosen.resume is not None:
        raise typer.Exit(launch.resume(chosen.resume, [], None, io, out))
    assert chosen.spec is not None
    seats = len(chosen.players)
    raise typer.Exit(launch.start(chosen.spec, chosen.players, seats, chosen.options, None, None, None, io, out))


@app.command("games")
def games_command(as_json: AsJson = False) -> None:
    """The games, how many can play, and their options."""
    from wellies.cli import lists

    specs = load_games()
    if as_json:
        output.print_json([spec.describe() for spec in specs], console())
    else:
        console().print(lists.games_table(specs))


@app.command()
def rules(name: Game) -> None:
    """The rules of a game, in our own words."""
    from rich.markdown import Markdown

    from wellies.cli.console_io import Terminal

    Terminal(console()).page(Markdown(game(name).rules()))


@app.command()
def cards(
    name: Game,
    file: Cards = None,
    as_json: AsJson = False,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the complete file that --cards reads.", metavar="FILE")
    ] = None,
) -> None:
    """Every card or tile of a game; those that were reconstructed are marked."""
    from wellies.cli import lists
    from wellies.cli.files import read_text

    spec = game(name)
    if file is not None:
        read_text(file, "card file")
    rows = lists.card_rows(spec, None if file is None else str(file))
    if export is not None:
        from wellies.cli.files import FileTrouble, check_folder, write_text

        check_folder(export, "--export")
        if export.exists():
            raise FileTrouble(f"{export} exists already; choose another name with --export FILE.")
        write_text(export, lists.card_file_text(spec, None if file is None else str(file)), "--export")
        console().print(f"{len(rows)} entries are in {export}; change them there and play with --cards {export}.")
        return
    if as_json:
        output.print_json(rows, console())
    else:
        console().print(lists.cards_table(spec, rows))


@app.command()
def bots() -> None:
    """The bots that can be seated."""
    from wellies.cli import lists

    console().print(lists.bots_table())


@app.command()
def play(
    name: Annotated[
        str | None,
        typer.Argument(help="The game; not needed with --resume.", metavar="GAME", autocompletion=completion.games),
    ] = None,
    seats: Annotated[int | None, typer.Option(help="How many sit at the table.", metavar="N")] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            "-p",
            help="A person's name or bot:LEVEL, seat by seat: drizzle, shower, storm, monsoon.",
            metavar="NAME|bot:BOT",
            autocompletion=completion.players,
        ),
    ] = None,
    option: Options = None,
    cards: Cards = None,
    seed: Annotated[str | None, typer.Option(help="A number that repeats the same draws.", metavar="S")] = None,
    position: Annotated[Path | None, typer.Option(help="Begin from a position (JSON).", metavar="FILE")] = None,
    save: Annotated[Path | None, typer.Option(help="Save the game in this file.", metavar="FILE")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Continue a saved game; without a file, the latest.", metavar="[FILE]")
    ] = None,
) -> None:
    """Play in the terminal: you against bots, or several people at one screen.

    The game is saved after every move. Type ? at any time for help.
    """
    from wellies.cli import launch
    from wellies.cli.console_io import Terminal

    out = console()
    io = Terminal(out)
    players = player or []
    if resume is not None:
        clash = [
            given
            for given, value in (
                ("--seats", seats),
                ("--option", option),
                ("--cards", cards),
                ("--seed", seed),
                ("--position", position),
            )
            if value
        ]
        if clash:
            raise BadOption(f"a saved game has its own settings; leave {' and '.join(clash)} out.")
        if str(resume) == LATEST and not resume.exists():
            resume = latest(name)
        elif name is not None and launch.read_record(resume).game != game(name).name:
            raise BadOption(f"{resume} is not a game of {name}; leave the game's name out.")
        raise typer.Exit(launch.resume(resume, players, save, io, out))
    if name is None:
        if position is None:
            raise BadOption(
                f"which game? Give one of: {', '.join(list_games())}; such as wellies play {list_games()[0]}."
            )
        spec = game_of(launch.read_position(position), position)
    else:
        spec = game(name)
    code = launch.start(spec, players, seats, parse_options(option, cards), parse_seed(seed), position, save, io, out)
    raise typer.Exit(code)


def latest(name: str | None) -> Path:
    """The game that was played last and has not ended."""
    from wellies.cli.files import FileTrouble, unfinished

    found = unfinished(1, None if name is None else game(name).name)
    if not found:
        which = "" if name is None else f" of {game(name).title}"
        raise FileTrouble(f"there is no unfinished game{which} to resume; start one: wellies play {name or 'GAME'}.")
    return found[0]


@app.command()
def replay(
    file: File,
    at: Annotated[int | None, typer.Option(help="Print the position after N moves.", metavar="N")] = None,
    seat: Annotated[int | None, typer.Option(help="As this seat saw it.", metavar="N")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Check the dice first.")] = False,
) -> None:
    """Go through a record: next, back, jump. Without a terminal, or with --at, print one position."""
    from wellies.cli import launch
    from wellies.cli.console_io import Terminal
    from wellies.cli.replay import Replay

    record = launch.read_record(file)
    out = console()
    io = Terminal(out)
    with launch.naming_errors(file):
        checked = verified(record) if verify else ""
        session = Replay(record, seat, io)
    if at is not None and not 0 <= at <= session.last:
        raise BadOption(f"--at {at}: the record has {session.last} moves; give 0 to {session.last}.")
    if at is not None or not io.live:
        session.show(session.last if at is None else at)
        if checked:
            out.print(checked, soft_wrap=True)
        return
    try:
        session.run(checked)
    except EOFError:
        out.print()


@app.command()
def verify(file: File) -> None:
    """Check that every draw of a finished record came from its seed."""
    from wellies.cli import launch

    record = launch.read_record(file)
    with launch.naming_errors(file):
        console().print(verified(record), soft_wrap=True)


def verified(record: Record) -> str:
    """The message after a successful check of all draws."""
    draws = record.verify()
    return f"{draws} draws checked: every one came from the seed whose hash is {record.seed_hash[:16]}..."


@app.command()
def simulate(
    name: Game,
    bots: Annotated[
        str,
        typer.Option(help="Who plays, by seat, with commas.", metavar="A,B", autocompletion=completion.several_bots),
    ] = "greedy,random",
    number: Annotated[int, typer.Option("--games", "-n", help="How many games.", metavar="N")] = 100,
    seats: Annotated[int | None, typer.Option(help="How many sit at the table.", metavar="N")] = None,
    option: Options = None,
    cards: Cards = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same result.", metavar="S")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="How many processes.", metavar="N")] = 1,
    rotate: Annotated[bool, typer.Option(help="Change seats from game to game.")] = True,
    as_json: AsJson = False,
    timing: Annotated[bool, typer.Option("--timing", help="Put the time taken into the JSON too.")] = False,
) -> None:
    """Let bots play many games: scores, win rates with 95 % intervals, lengths of games."""
    import secrets

    from wellies.bots.simulate import make_plan, summary
    from wellies.cli import simulate as simulate_output
    from wellies.cli.signals import raise_on_signals

    if not 1 <= jobs <= 256:
        raise BadOption(f"--jobs {jobs}: give a number of processes from 1 to 256.")
    if not 1 <= number <= 10_000_000:
        raise BadOption(f"--games {number}: give a number of games from 1 to 10000000.")
    spec = game(name)
    named = [each.strip() for each in bots.split(",")]
    named = [each.removeprefix("bot:") for each in named if each]
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    plan = make_plan(spec.name, named, seats, parse_options(option, cards), number, chosen, rotate)
    with raise_on_signals():
        results, taken = simulate_output.run(plan, jobs, make_console(to_errors=True))
    report = summary(plan, results)
    if not as_json:
        simulate_output.print_tables(spec, report, taken, console())
        return
    if timing:
        report["timing"] = taken
    output.print_json(report, console())


@app.command()
def analyse(
    file: File,
    seat: Annotated[int | None, typer.Option(help="Only the moves of this seat.", metavar="N")] = None,
    level: Annotated[
        str, typer.Option(help="How deeply: storm or monsoon.", metavar="BOT", autocompletion=completion.bots)
    ] = "storm",
    nodes: Annotated[int | None, typer.Option(help="Simulated games for each move.", metavar="N")] = None,
    top: Annotated[int, typer.Option(help="How many of the costliest moves are shown.", metavar="N")] = 20,
    as_json: AsJson = False,
) -> None:
    """Analyse a finished game: points lost with each move, and better moves."""
    from wellies.bots import bot
    from wellies.bots.search.bot import SearchBot
    from wellies.cli import analyse as analyse_output
    from wellies.cli import launch
    from wellies.cli.signals import raise_on_signals

    record = launch.read_record(file)
    if seat is not None and not 0 <= seat < record.seats:
        raise BadOption(f"--seat {seat}: the record is of {record.seats} seats; give 0 to {record.seats - 1}.")
    if top < 1:
        raise BadOption(f"--top {top}: give a number of moves to show from 1 up.")
    searcher = bot(level)
    if not isinstance(searcher, SearchBot):
        raise BadOption(f"--level {level}: this bot does not search; give storm or monsoon.")
    if nodes is not None and not 1 <= nodes <= 1_000_000:
        raise BadOption(f"--nodes {nodes}: give a number from 1 to 1000000.")
    with launch.naming_errors(file), raise_on_signals():
        record.replay()
        wanted = searcher.budget(record.game).nodes if nodes is None else nodes
        findings = analyse_output.run(
            record, wanted, searcher.deep, -1 if seat is None else seat, make_console(to_errors=True)
        )
    if as_json:
        output.print_json(analyse_output.report(record, findings), console())
    else:
        analyse_output.print_tables(record, findings, top, console())


@app.command()
def position(
    file: Annotated[Path, typer.Argument(help="A position (JSON).", metavar="FILE")],
    seat: Annotated[int | None, typer.Option(help="As this seat sees it.", metavar="N")] = None,
    as_json: AsJson = False,
) -> None:
    """Read a position, check it, draw it, and list its legal moves."""
    import shlex

    from wellies.cli import launch, lists

    value = launch.read_position(file)
    spec = game_of(value, file)
    with launch.naming_errors(file):
        state = spec.from_position(value)
    if seat is not None and not 0 <= seat < state.seats:
        raise BadOption(f"--seat {seat}: the position has seats 0 to {state.seats - 1}.")
    out = console()
    if as_json:
        output.print_json(lists.position_json(spec, state, seat), out)
    else:
        out.print(
            lists.position_page(spec, state, seat, shlex.quote(str(file)), out.width if out.is_terminal else None)
        )


def game_of(value: Json, file: Path) -> GameSpec:
    """The game that a position names."""
    from wellies.cli.launch import naming_errors

    name = value.get("game")
    with naming_errors(file):
        if not isinstance(name, str):
            raise BadPosition(
                f'the position does not say which game it is of; add "game": "{list_games()[0]}" or another.'
            )
        return game(name)


register_arena(app)
register_research(app)
register_dataset(app)
register_puzzles(app)
register_serving(app)
register_operating(app)
completion.register(app)

# --- entry point --------------------------------------------------------------------------------------------------


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit. No traceback reaches the person, unless WELLIES_DEBUG is set."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "--no-color" in given:  # it may be anywhere on the line
        stop = given.index("--") if "--" in given else len(given)
        given = [word for place, word in enumerate(given) if word != "--no-color" or place > stop]
        SETTINGS["color"] = False
    given = with_latest(given)
    output.prepare_streams()
    completion.prepare()
    try:
        code = run_command(given)
        if sys.stdout is not None:  # it may have been closed
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe (`wellies rules guppies | head`).
        output.discard_output()
        code = 0
    sys.exit(code)


def with_latest(given: list[str]) -> list[str]:
    """`--resume` without a file means the latest game."""
    result: list[str] = []
    for place, word in enumerate(given):
        result.append(word)
        if word == "--resume" and (place + 1 == len(given) or given[place + 1].startswith("-")):
            result.append(LATEST)
    return result


def run_command(given: list[str]) -> int:
    """The exit code of a command line."""
    try:
        code = app(given, prog_name="wellies", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except BrokenPipeError:
        raise
    except SystemExit as stopped:
        # typer and rich turn a broken pipe into SystemExit.
        if isinstance(stopped.__context__, BrokenPipeError):
            raise stopped.__context__ from None
        raise
    except WelliesError as error:
        return report_error(str(error), USER_ERROR)
    except (KeyboardInterrupt, typer.Abort):
        return report_error("stopped.", INTERRUPTED)
    except Terminated as terminated:
        return 128 + terminated.number
    except Exception as error:
        if os.environ.get("WELLIES_DEBUG"):
            raise
        message = usage_message(error)
        if message is not None:
            return report_error(message, USER_ERROR)
        if isinstance(error, OSError):
            from wellies.cli.files import refusal

            return report_error(refusal(error), USER_ERROR)
        what = f"{type(error).__name__}: {error}"
        return report_error(f"internal error ({what}). This is a bug in Wellies; please report it.", 1)


def usage_message(error: Exception) -> str | None:
    """The message of a usage error of the command-line library, with the cure; None for any other error."""
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        return None
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", None) or "wellies"
    return f"{str(format_message()).rstrip('.')}; see {path} --help."


def report_error(message: str, code: int) -> int:
    """One line on stderr."""
    line = "".join(char if char.isprintable() else " " for char in " ".join(message.split()))
    try:
        sys.stderr.write(f"wellies: {line}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass
    return code
