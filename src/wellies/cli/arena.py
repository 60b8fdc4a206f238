"""`wellies arena`: checks its options, runs the games and writes the reports. Heavy imports wait until it runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wellies.cli import completion
from wellies.core.errors import BadOption, WelliesError

if TYPE_CHECKING:
    from rich.console import Console

    from wellies.bots.arena.executors import Executor
    from wellies.bots.arena.plan import Plan
    from wellies.bots.arena.playing import Result
    from wellies.bots.arena.results import ResultsFile, SavedResults
    from wellies.core.events import Json

GAMES = 100
INTERRUPTED = 130


class ArenaRequest:
    """The options that say what to play."""

    def __init__(
        self,
        game: str | None,
        bots: list[str],
        pairs: list[str],
        seats: int | None,
        options: Json,
        seed: int | None,
        rounds: int | None,
    ) -> None:
        self.game = game
        self.bots = bots
        self.pairs = pairs
        self.seats = seats
        self.options = options
        self.seed = seed
        self.rounds = rounds


def arena(
    name: Annotated[
        str | None,
        typer.Argument(
            help="The game; not needed to continue --results.", metavar="GAME", autocompletion=completion.games
        ),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            help="Who takes part, with commas: greedy, quick=greedy:looks=60, old=greedy@PATH.",
            metavar="A,B,...",
            autocompletion=completion.several_bots,
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", help="Games for each table. [default: 100]", metavar="N")
    ] = None,
    pairs: Annotated[
        list[str] | None, typer.Option(help="Only these play each other. [default: all]", metavar="A:B,C:D,...")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="Seats at a table.", metavar="N")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A game option; may be given again.", metavar="NAME=VALUE"),
    ] = None,
    cards: Annotated[Path | None, typer.Option("--cards", help="A corrected card file.", metavar="FILE")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same games.", metavar="S")] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="How many games at the same time. [default: 1]", metavar="N")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Play on a Ray cluster; local starts one here.", metavar="ADDRESS|local")
    ] = None,
    budget: Annotated[
        float | None, typer.Option(help="Begin no game after so many seconds.", metavar="SECONDS")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(help="Save the games here; continue if the file exists.", metavar="FILE")
    ] = None,
    anchor: Annotated[str | None, typer.Option(help="Whose rating is 0. [default: the mean]", metavar="BOT")] = None,
    json_file: Annotated[
        str | None, typer.Option("--json", help="Write the report as JSON; - prints it.", metavar="FILE|-")
    ] = None,
    timing: Annotated[bool, typer.Option("--timing", help="Put the think times into the JSON too.")] = False,
    markdown: Annotated[Path | None, typer.Option(help="Write the tables as Markdown.", metavar="FILE")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the ratings.", metavar="FILE.svg|.png")] = None,
) -> None:
    """Let bots and versions of bots play round robins: ratings with 95 % intervals, pair by pair, and think times.

    Every game is saved as soon as it is played: run the same command again to continue.
    """
    from wellies.cli.app import console, make_console, parse_options

    if jobs is not None and not 1 <= jobs <= 10_000:
        raise BadOption(f"--jobs {jobs}: give a number of games at the same time from 1 to 10000.")
    if games is not None and not 1 <= games <= 1_000_000:
        raise BadOption(f"--games {games}: give a number of games from 1 to 1000000.")
    if budget is not None and not 0 <= budget < 1e9:
        raise BadOption(f"--budget {budget:g}: give a number of seconds, 0 or more.")
    check_outputs(json_file, markdown, plot, cluster)
    request = ArenaRequest(name, bots or [], pairs or [], seats, parse_options(option, cards), seed, games)
    plan, played = run(request, results, anchor, jobs, cluster, budget, make_console(to_errors=True))
    write_reports(plan, played, anchor, json_file, timing, markdown, plot, console())


def check_outputs(json_file: str | None, markdown: Path | None, plot: Path | None, cluster: str | None) -> None:
    """Check before the first game that all outputs can be written."""
    from wellies.cli.files import check_folder

    if json_file is not None and json_file != "-":
        check_folder(Path(json_file), "--json")
    if markdown is not None:
        check_folder(markdown, "--markdown")
    if plot is not None:
        from wellies.cli.arena_plot import check_plot

        check_folder(plot, "--plot")
        check_plot(plot)
    if cluster is not None:
        from wellies.bots.arena.cluster import check_installed

        check_installed()


def run(
    request: ArenaRequest,
    path: Path | None,
    anchor: str | None,
    jobs: int | None,
    cluster: str | None,
    budget: float | None,
    errors: Console,
) -> tuple[Plan, list[Result]]:
    """Play the games that are missing. When stopped, it says how many games are saved and how to continue."""
    from wellies.bots.arena.report import find_anchor
    from wellies.bots.arena.results import ResultsFile
    from wellies.cli.files import FileTrouble, check_folder
    from wellies.cli.signals import Terminated, ignore_signals

    if path is None:
        if request.game is None:
            raise BadOption(
                "which game? Name it: wellies arena guppies --bots greedy,random; or continue with --results."
            )
        # A command with an error must not leave a file behind.
        find_anchor(anchor, make_plan(request, None).labels)
        path = new_results(request.game)
    elif request.game is None and not path.exists():
        raise FileTrouble(f"there is no file {path}; name the game and the bots to start a new one.")
    check_folder(path, "--results")
    file = ResultsFile(path)
    done: dict[int, Result] = {}
    plan: Plan | None = None
    try:
        plan = make_plan(request, file.saved)
        find_anchor(anchor, plan.labels)
        done = file.begin(plan)
        play(plan, done, file, jobs, cluster, budget, errors)
    except (KeyboardInterrupt, Terminated) as stopped:
        if plan is None:
            raise
        with ignore_signals():
            errors.print(f"wellies: stopped. {how_to_continue(plan, file)}", soft_wrap=True, highlight=False)
        code = 128 + stopped.number if isinstance(stopped, Terminated) else INTERRUPTED
        raise typer.Exit(code) from None
    except WelliesError as error:
        if not done or plan is None:
            raise
        raise WelliesError(f"{error} {how_to_continue(plan, file)}") from error
    else:
        if len(done) < plan.games:
            errors.print(f"The time is up. {how_to_continue(plan, file)}", soft_wrap=True, highlight=False)
    finally:
        file.close()
    if not done:
        raise BadOption("no game was played, so there is nothing to report; give it more --budget.")
    return plan, [done[number] for number in sorted(done)]


def how_to_continue(plan: Plan, file: ResultsFile) -> str:
    """How many games are saved, and the command that plays the rest."""
    import shlex

    games = "1 game" if plan.games == 1 else f"{plan.games} games"
    more = "" if file.saved is None or plan.rounds == file.saved.rounds else f" --games {plan.rounds}"
    path = shlex.quote(str(file.path))
    return f"{file.count(plan)} of {games} are saved; continue with: wellies arena --results {path}{more}"


def new_results(game: str) -> Path:
    """A new file in the folder of arenas."""
    from datetime import datetime

    from wellies.cli.files import arena_folder, new_file

    return new_file(arena_folder(), f"{game}-{datetime.now():%Y-%m-%d-%H%M}", ".jsonl", "results", "--results")


def make_plan(request: ArenaRequest, saved: SavedResults | None) -> Plan:
    """The plan: from the options, or from the file if no game is named."""
    import secrets

    from wellies.bots.arena import plan as plans
    from wellies.bots.arena.participants import parse_matchups, parse_participants
    from wellies.bots.arena.results import check_readable

    if request.game is None:
        if saved is None:
            raise BadOption("the results file is empty; name the game and the bots to begin.")
        given = [
            ("--bots", request.bots),
            ("--pairs", request.pairs),
            ("--seats", request.seats),
            ("--option", request.options),
            ("--seed", request.seed),
        ]
        clash = [name for name, value in given if value]
        if clash:
            raise BadOption(f"a results file has its own settings; leave {' and '.join(clash)} out, or name the game.")
        old = check_readable(saved, request.rounds or saved.rounds)
        old.code = plans.check_code(old.game, old.participants)
        return old
    participants = parse_participants(request.bots or ["greedy,random"])
    matchups = parse_matchups(request.pairs, participants)
    seed = request.seed
    if seed is None:
        found = None if saved is None else saved.plan.get("seed")
        seed = found if isinstance(found, int) else secrets.randbelow(1_000_000)
    return plans.make_plan(
        request.game, participants, matchups, request.seats, request.options, request.rounds or GAMES, seed
    )


def play(
    plan: Plan,
    done: dict[int, Result],
    file: ResultsFile,
    jobs: int | None,
    cluster: str | None,
    budget: float | None,
    errors: Console,
) -> None:
    """Play the games that are not done yet, with a progress bar on stderr if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from wellies.bots.arena import runner
    from wellies.cli.signals import raise_on_signals

    todo = [number for number in range(plan.games) if number not in done]
    if not todo or budget == 0:
        return
    executor = make_executor(plan, len(todo), jobs, cluster)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with (
            raise_on_signals(),
            Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress,
        ):
            task = progress.add_task(plan.game, total=plan.games, completed=len(done))

            def on_results(results: list[Result]) -> None:
                file.add(results)
                done.update((result.number, result) for result in results)
                progress.advance(task, len(results))

            runner.run(todo, executor, on_results, budget)
    finally:
        executor.close()


def make_executor(plan: Plan, games: int, jobs: int | None, cluster: str | None) -> Executor:
    """The executor that the options ask for."""
    from wellies.bots.arena import executors

    if cluster is not None:
        from wellies.bots.arena.cluster import ClusterExecutor

        return ClusterExecutor(plan, cluster, jobs)
    width = min(jobs or 1, games)
    return executors.SerialExecutor(plan) if width == 1 else executors.ProcessExecutor(plan, width)


def write_reports(
    plan: Plan,
    played: list[Result],
    anchor: str | None,
    json_file: str | None,
    timing: bool,
    markdown: Path | None,
    plot: Path | None,
    out: Console,
) -> None:
    """Write the report in all forms that the options ask for."""
    import json

    from wellies.bots.arena.report import report, think_times
    from wellies.cli import arena_tables
    from wellies.cli.files import write_bytes, write_text
    from wellies.cli.output import print_json
    from wellies.games import game

    found = report(plan, played, anchor)
    think = think_times(plan, played)
    title = game(plan.game).title
    if plot is not None:
        from wellies.cli.arena_plot import draw

        write_bytes(plot, draw(found, title, plot.suffix.lower()), "--plot")
    if markdown is not None:
        write_text(markdown, arena_tables.markdown(found, think, title), "--markdown")
    if json_file is not None:
        value = {**found, "think_ms": think} if timing else found
        if json_file == "-":
            print_json(value, out)
            return
        write_text(Path(json_file), json.dumps(value, indent=2, ensure_ascii=False) + "\n", "--json")
    arena_tables.print_tables(found, think, title, out)


def register(app: typer.Typer) -> None:
    """Add the command to `wellies`."""
    app.command()(arena)
