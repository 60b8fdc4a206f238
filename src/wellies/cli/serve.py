"""`wellies serve`, `think` and `schemas`. The server is imported only when one of them runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wellies.cli.output import make_console
from wellies.core.extras import require

SERVER_MODULES = (
    "litestar",
    "uvicorn",
    "sqlalchemy",
    "aiosqlite",
    "alembic",
    "argon2",
    "prometheus_client",
    "structlog",
)
"""The packages whose absence means that the extra `server` is not installed."""

DatabaseAddress = Annotated[
    str | None,
    typer.Option(
        "--database", help="postgresql+asyncpg://user@host/name, or a file. [default: a file in the data folder]"
    ),
]
RedisAddress = Annotated[str | None, typer.Option("--redis", help="redis://host:6379/0, for several workers.")]
DataFolder = Annotated[str | None, typer.Option("--data", help="Folder for the database.")]
Config = Annotated[Path | None, typer.Option("--config", help="A TOML file with settings.", metavar="FILE")]


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; 0.0.0.0 for all. [default: 127.0.0.1]")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 for any free one. [default: 8000]")] = None,
    database: DatabaseAddress = None,
    redis: RedisAddress = None,
    workers: Annotated[int | None, typer.Option(help="Processes that serve. [default: 1]")] = None,
    config: Config = None,
    data: DataFolder = None,
    log: Annotated[str | None, typer.Option(help="debug, info, warning or error. [default: info]")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    bots: Annotated[
        str | None,
        typer.Option(help="here, or queue: let `wellies think` do it, through Redis. [default: here]"),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Explain the settings, try the connections, and stop.")
    ] = False,
) -> None:
    """Play over the network: serve the page, tables and bots."""
    require("server", *SERVER_MODULES, needs="the server")

    import asyncio

    from wellies.core.engine import engine_words
    from wellies.server import run
    from wellies.server.settings import load

    flags = {
        "host": host,
        "port": port,
        "database": database,
        "redis": redis,
        "workers": workers,
        "data": data,
        "log": log,
        "bots": bots,
    }
    effective = load(flags, config)
    out = make_console(soft_wrap=True)
    if not check:
        run.serve(effective.settings, say=out.print, open_page=open_page)
        return
    for name, value, origin, help_text in effective.explain():
        out.print(f"{name} = {value}  ({origin}: {help_text})")
    out.print(f"engine: {engine_words()}")
    for name, state in asyncio.run(run.check_connections(effective.settings)):
        out.print(f"{name}: {state}")
    run.listen(effective.settings).close()
    out.print(f"port: {effective.settings.port} is free")


def think(
    redis: Annotated[str | None, typer.Option(help="redis://host:6379/0, where the servers' queue is.")] = None,
    processes: Annotated[
        int | None, typer.Option(help="Bots that think at the same time. [default: one per processor]", min=1)
    ] = None,
    config: Config = None,
    log: Annotated[str | None, typer.Option(help="debug, info, warning or error. [default: info]")] = None,
) -> None:
    """Run the bots of servers that are started with `--bots queue`, on this machine."""
    require("scale", *SERVER_MODULES, "redis", "saq", needs="`wellies think`")

    import asyncio

    from wellies.server import queue_worker
    from wellies.server.settings import load

    effective = load({"redis": redis, "bot_processes": processes, "log": log}, config)
    out = make_console(soft_wrap=True)
    asyncio.run(queue_worker.run(effective.settings, out.print))


def schemas(
    folder: Annotated[Path, typer.Argument(help="Where to put the files.", metavar="DIR")],
) -> None:
    """Write the server's interface as files: OpenAPI, socket messages, and the views of every game."""
    require("server", *SERVER_MODULES, needs="writing the schemas")

    from wellies.server.schemas import write_schemas

    out = make_console(soft_wrap=True)
    for path in write_schemas(folder):
        out.print(str(path))


def register(app: typer.Typer) -> None:
    """Add these commands to the `wellies` command."""
    app.command()(serve)
    app.command()(think)
    app.command()(schemas)
