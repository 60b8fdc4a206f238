"""What can be known of a database without changing it, for `wellies doctor`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from wellies.core.sources import monotonic, now_millis
from wellies.server.storage.database import CLOCK, TIMEOUT, foreign_tables, known_revisions
from wellies.server.storage.schema import kept_secrets, tables
from wellies.server.storage.snapshot import has_file, revision_of
from wellies.server.storage.store import Storage
from wellies.table.errors import StorageTrouble


@dataclass(slots=True)
class DatabaseFacts:
    """A database as it was found."""

    exists: bool
    revision: str | None = None
    """The revision of its schema; None if it has no tables yet."""
    newest: str = ""
    """The newest revision that this version knows."""
    is_known: bool = True
    size: int = 0
    """Bytes."""
    free: int | None = None
    """Free bytes on the disk of an SQLite file."""
    read_seconds: float = 0.0
    clock_difference: float | None = None
    """How many seconds the clock of PostgreSQL is ahead of ours."""
    tables: int = 0
    foreign: list[str] = field(default_factory=list)
    """Tables of another program."""
    may_create: bool = True
    """Whether what is missing can be made: the file, or tables in PostgreSQL."""
    readable_by_others: bool = False
    """Whether other people on this machine may read an SQLite file."""


async def inspect(storage: Storage) -> DatabaseFacts:
    """Look at a database. StorageTrouble if it does not answer."""
    try:
        if not has_file(storage):
            return DatabaseFacts(
                exists=False, free=_free(storage), may_create=os.access(_folder(storage), os.W_OK | os.X_OK)
            )
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StorageTrouble(f"{storage.where} cannot be looked at ({why}); check its name and its rights") from error
    facts = DatabaseFacts(exists=True, newest=known_revisions()[-1], free=_free(storage))
    try:
        async with asyncio.timeout(2 * TIMEOUT), storage.engine.connect() as connection:
            began = monotonic()
            await connection.execute(sa.text("SELECT 1"))
            facts.read_seconds = monotonic() - began
            facts.foreign = await connection.run_sync(foreign_tables)
            if facts.foreign:
                return facts
            facts.revision = await connection.run_sync(revision_of)
            facts.is_known = facts.revision is None or facts.revision in known_revisions()
            if facts.revision is not None and facts.is_known:
                counted = await connection.execute(sa.select(sa.func.count()).select_from(tables))
                facts.tables = int(counted.scalar_one())
            if not storage.is_sqlite:
                await _ask_postgres(connection, facts)
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise storage.unusable(error) from error
    if storage.is_sqlite:
        facts.size = sum(file.stat().st_size for file in _files(storage))
        facts.readable_by_others = any(file.stat().st_mode & 0o044 for file in _files(storage))
    return facts


async def _ask_postgres(connection: AsyncConnection, facts: DatabaseFacts) -> None:
    may_create = sa.text("SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)")
    facts.may_create = bool((await connection.execute(may_create)).scalar_one())
    facts.size = int((await connection.execute(sa.text("SELECT pg_database_size(current_database())"))).scalar_one())
    before = now_millis()
    there = int((await connection.execute(CLOCK)).scalar_one())
    facts.clock_difference = (there - (before + now_millis()) / 2) / 1000


async def commit_seconds(storage: Storage) -> float:
    """How long a commit takes: the key of cookies is stored again as it is. StorageTrouble if nothing can be stored."""
    same = kept_secrets.update().values(value=kept_secrets.c.value)
    began = monotonic()
    async with storage.writing() as connection:
        await connection.execute(same)
    return monotonic() - began


async def newest_tables(storage: Storage, limit: int | None) -> list[tuple[str, int]]:
    """The ids and versions of the newest tables, or of all."""
    rows = await storage.rows(sa.select(tables.c.id, tables.c.version).order_by(tables.c.created.desc()).limit(limit))
    return [(row["id"], row["version"]) for row in rows]


def _files(storage: Storage) -> list[Path]:
    names = [f"{storage.url.database}{ending}" for ending in ("", "-wal", "-shm")]
    return [Path(name) for name in names if Path(name).exists()]


def _folder(storage: Storage) -> Path:
    """The folder of an SQLite file; if it is missing, the nearest one above it."""
    folder = Path(str(storage.url.database)).absolute().parent
    while not folder.exists():
        folder = folder.parent
    return folder


def _free(storage: Storage) -> int | None:
    if not storage.is_sqlite:
        return None
    with contextlib.suppress(OSError):
        return shutil.disk_usage(_folder(storage)).free
    return None
