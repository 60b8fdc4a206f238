"""`wellies backup`, `restore` and `doctor`, for the person who runs a server. The server is imported only when one of
them runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wellies.cli.output import make_console, print_json
from wellies.cli.serve import SERVER_MODULES, Config, DatabaseAddress, DataFolder, RedisAddress
from wellies.core.extras import require

if TYPE_CHECKING:
    from wellies.server.backup_file import Manifest

BackupFile = Annotated[Path, typer.Argument(help="The backup.", metavar="FILE")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def backup(
    file: BackupFile,
    database: DatabaseAddress = None,
    data: DataFolder = None,
    config: Config = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only check a backup that is there; needs no database.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the database of a server to one file, also while it runs.

    The file has everything, also password hashes and the key that signs cookies: keep it private. Only its owner may
    read it.
    """
    require("server", *SERVER_MODULES, needs="`wellies backup`")

    import asyncio

    from wellies.cli.signals import raise_on_signals
    from wellies.server import backup as backups
    from wellies.server.settings import load

    with raise_on_signals(), _progress() as progress:
        if check:
            manifest = backups.check(file, progress)
        else:
            settings = load({"database": database, "data": data}, config).settings
            manifest = asyncio.run(backups.back_up(settings.database, file, progress))
    _print_manifest(manifest, as_json)
    if not as_json:
        say = make_console(soft_wrap=True).print
        if check:
            say(f"{file} is complete and undamaged.")
        else:
            say(f"{file} has {file.stat().st_size:,} bytes. It contains password hashes and keys: keep it private.")


def restore(
    file: BackupFile,
    database: DatabaseAddress = None,
    data: DataFolder = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Write a backup into a new, empty database: all of it, or nothing.

    The kind of database does not matter: a backup of SQLite can be restored into PostgreSQL, and the other way round.
    """
    require("server", *SERVER_MODULES, needs="`wellies restore`")

    import asyncio

    from wellies.cli.signals import raise_on_signals
    from wellies.server import backup as backups
    from wellies.server.settings import load, mask

    settings = load({"database": database, "data": data}, config).settings
    with raise_on_signals(), _progress() as progress:
        manifest = asyncio.run(backups.restore(settings.database, file, progress))
    _print_manifest(manifest, as_json)
    if not as_json:
        where = mask(settings.database).removeprefix("sqlite+aiosqlite:///")
        make_console(soft_wrap=True).print(f"{file} is restored, and {where} agrees with it.")


def doctor(
    database: DatabaseAddress = None,
    redis: RedisAddress = None,
    data: DataFolder = None,
    config: Config = None,
    port: Annotated[int | None, typer.Option(help="Port of the server. [default: 8000]")] = None,
    deep: Annotated[bool, typer.Option("--deep", help="Replay every table, not only the newest.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check everything that a server needs, and say what to do about what is wrong. Nothing is changed.

    The exit code is 1 if there is a problem.
    """
    require("server", *SERVER_MODULES, needs="`wellies doctor`")

    import asyncio

    import msgspec

    from wellies.cli.signals import raise_on_signals
    from wellies.server.doctor import Finding, examine, problem
    from wellies.server.settings import BadSetting, load

    out = make_console(soft_wrap=True)
    try:
        settings = load({"database": database, "redis": redis, "data": data, "port": port}, config).settings
    except BadSetting as error:
        if not as_json:
            raise
        print_json(msgspec.to_builtins([problem("settings", str(error))]), out)
        raise typer.Exit(1) from None

    async def run() -> list[Finding]:
        findings = []
        async for finding in examine(settings, deep=deep):
            findings.append(finding)
            if not as_json:
                out.print(f"{finding.level:8} {finding.check:10} {finding.text}")
        return findings

    with raise_on_signals():
        findings = asyncio.run(run())
    if as_json:
        print_json(msgspec.to_builtins(findings), out)
    if any(finding.level == "problem" for finding in findings):
        raise typer.Exit(1)


def rebuild(
    database: DatabaseAddress = None,
    data: DataFolder = None,
    config: Config = None,
    check: Annotated[bool, typer.Option("--check", help="Only say what is wrong; change nothing.")] = False,
) -> None:
    """Compute all ratings again from the results of the rated games, in the order in which they were counted.

    Servers may run meanwhile. The exit code of --check is 1 if something is wrong.
    """
    require("server", *SERVER_MODULES, needs="`wellies ratings`")

    import asyncio

    from wellies.cli.signals import raise_on_signals
    from wellies.server.settings import load
    from wellies.server.storage import Storage
    from wellies.server.storage.ratings import Rebuilt

    settings = load({"database": database, "data": data}, config).settings

    async def run() -> Rebuilt:
        storage = Storage(settings.database, statement_seconds=None)
        try:
            await storage.migrate()
            return await storage.ratings.rebuild(store=not check)
        finally:
            await storage.close()

    with raise_on_signals():
        found = asyncio.run(run())
    say = make_console(soft_wrap=True).print
    wrong = found.wrong_changes + found.wrong_ratings
    say(f"{found.games} rated games; {found.wrong_changes} changes and {found.wrong_ratings} ratings were wrong.")
    if wrong:
        say("Run it without --check to correct them." if check else "They are corrected.")
    if check and wrong:
        raise typer.Exit(1)


def _print_manifest(manifest: Manifest, as_json: bool) -> None:
    import msgspec
    from rich.table import Table

    out = make_console(soft_wrap=True)
    if as_json:
        print_json(msgspec.to_builtins(manifest), out)
        return
    out.print(f"Backup of {manifest.made}: Wellies {manifest.wellies}, schema {manifest.revision}")
    table = Table("table", "rows", "checksum", box=None, pad_edge=False)
    table.columns[1].justify = "right"
    for name, found in manifest.tables.items():
        table.add_row(name, f"{found.rows:,}", found.checksum[:16])
    out.print(table)


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on stderr, if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    errors = make_console(to_errors=True)
    if not errors.is_terminal:
        yield lambda _what, _done, _total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("rows"))
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task("")
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total or None)


def register(app: typer.Typer) -> None:
    """Add these commands to the `wellies` command."""
    app.command()(backup)
    app.command()(restore)
    app.command()(doctor)
    ratings = typer.Typer(help="The ratings of a server's players.", no_args_is_help=True)
    ratings.command()(rebuild)
    ratings.callback()(_ratings)
    app.add_typer(ratings, name="ratings")


def _ratings() -> None:
    """The ratings of a server's players."""
