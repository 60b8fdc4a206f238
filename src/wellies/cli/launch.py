"""Starts, resumes and ends a game at the terminal. Whatever happens, the game is saved and the player is told where."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from wellies.cli import files
from wellies.cli.console_io import ConsoleIO
from wellies.cli.files import FileTrouble
from wellies.cli.play import Leave, Session
from wellies.cli.seating import Seating, seat_players
from wellies.cli.signals import Terminated, ignore_signals, raise_on_signals
from wellies.core.errors import BadOption, BadRecord, WelliesError
from wellies.core.events import Json
from wellies.core.spec import GameSpec
from wellies.match import Match, Record

CTRL_C = 130


def start(
    spec: GameSpec,
    players: list[str],
    seats: int | None,
    options: Json,
    seed: int | bytes | None,
    position: Path | None,
    save: Path | None,
    io: ConsoleIO,
    console: Console,
) -> int:
    """A new game, from the start or from a position. Returns the exit code."""
    now = datetime.now()
    if save is not None:
        check_new(save)
        files.check_writable(save)
    set_up: Json | None = None
    if position is not None:
        if options:
            raise BadOption("a position brings its options with it; leave --option and --cards out, or edit the file.")
        set_up = read_position(position)
        with naming_errors(position):
            state = spec.from_position(set_up)
        if seats is not None and seats != state.seats:
            raise BadOption(f"the position is of {state.seats} seats, not {seats}; leave --seats out.")
        seats = state.seats
    seating = seat_players(spec, players, seats)
    match = Match(
        spec,
        len(seating.names),
        options,
        seed,
        position=set_up,
        players=seating.players,
        date=f"{now:%Y-%m-%d}",
    )
    path = files.new_save(spec.name, now) if save is None else save
    files.check_writable(path)
    return run_session(match, seating, path, io, console)


def resume(path: Path, players: list[str], save: Path | None, io: ConsoleIO, console: Console) -> int:
    """Continue a saved game, in the same file unless another is named. A file that cannot be read is not changed."""
    record = read_record(path)
    if save is not None and save != path:
        check_new(save)
    with naming_errors(path):
        match = Match.from_record(record)
        seats = match.state.seats
        named = players or record.players or []
        if named and len(named) != seats:
            raise BadRecord(f"{len(named)} players for {seats} seats; name all of them with --player.")
        seating = Seating(named) if named else seat_players(match.spec, [], seats)
    match.players = seating.players
    target = path if save is None else save
    files.check_writable(target)
    if not record.seed:
        console.print(Text("This record has no seed: new dice are rolled from here on, and they cannot be verified."))
    return run_session(match, seating, target, io, console)


def run_session(match: Match, seating: Seating, path: Path, io: ConsoleIO, console: Console) -> int:
    """Play until the end, or until the player leaves. The game is saved after every move."""
    over = match.state.outcome() is not None

    def save() -> None:
        if not over:
            files.write_text(path, str(match.record(reveal=True)))

    def copy(name: str) -> str:
        target = Path(name).expanduser()
        if target != path:
            check_new(target)
        files.check_writable(target)
        files.write_text(target, str(match.record(reveal=True)))
        return files.show_path(target)

    session = Session(match, seating, io, save, copy, files.show_path(path))
    code = 0
    try:
        with raise_on_signals():
            session.run()
    except (Leave, EOFError):
        pass
    except KeyboardInterrupt:
        code = CTRL_C
    except Terminated as terminated:
        code = 128 + terminated.number
    with ignore_signals():
        end_session(match, path, save, console)
    return code


def end_session(match: Match, path: Path, save: Callable[[], None], console: Console) -> None:
    """Save once more and print where. If the terminal is closed, the message is dropped."""
    trouble = ""
    try:
        save()
    except FileTrouble as error:
        trouble = str(error)
    with contextlib.suppress(OSError, ValueError):
        name = shlex.quote(str(path))
        lines = [""]
        if trouble:
            lines.append(f"The game could not be saved: {trouble}")
        elif match.state.outcome() is not None:
            lines += ["The game is saved. To go through it move by move:", f"  wellies replay {name}"]
        else:
            lines += ["The game is saved. To go on:", f"  wellies play --resume {name}"]
        for line in lines:
            console.print(Text(line), soft_wrap=True)


# --- reading ----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def naming_errors(path: Path) -> Iterator[None]:
    """Put the file's name in front of error messages about its content."""
    try:
        yield
    except FileTrouble:
        raise
    except WelliesError as error:
        raise FileTrouble(f"{path}: {error}") from error


def read_record(path: Path) -> Record:
    """The record in a file."""
    text = files.read_text(path, "record (.wellies)")
    with naming_errors(path):
        return Record.parse(text)


def read_position(path: Path) -> Json:
    """The position in a file, not yet checked by its game."""
    value = files.read_json(path, "position (JSON)")
    if not isinstance(value, dict):
        raise FileTrouble(f'{path}: a position is a JSON object {{...}}, such as {{"game": "guppies"}}.')
    return value


def check_new(path: Path) -> None:
    """FileTrouble if there is a file already, so that none is overwritten."""
    if path.exists() and not path.is_dir():
        raise FileTrouble(f"{path} exists already; choose another name, or go on with it: wellies play --resume {path}")
