"""All rows of a database: read as of one moment, and written into an empty database. Both for backups."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from wellies.server.storage.database import (
    MIGRATION_LOCK,
    REVISION_TABLE,
    Database,
    foreign_tables,
    known_revisions,
    upgrade,
)
from wellies.server.storage.schema import META, kept_secrets
from wellies.table.errors import StorageTrouble

ROWS_AT_ONCE: Final = 1_000

Values = Sequence[Any]


class Snapshot:
    """The rows of all tables, within one transaction."""

    def __init__(self, connection: AsyncConnection, revision: str, meta: sa.MetaData) -> None:
        self._connection = connection
        self._meta = meta
        self.revision = revision
        """The revision of the schema."""

    @property
    def columns(self) -> dict[str, list[str]]:
        """The columns of each table."""
        tables = sorted(self._meta.tables.items())
        return {str(name): [str(column.name) for column in table.columns] for name, table in tables}

    async def count(self, table: str) -> int:
        found = await self._connection.execute(sa.select(sa.func.count()).select_from(self._meta.tables[table]))
        return int(found.scalar_one())

    async def rows(self, table: str, columns: list[str]) -> AsyncIterator[Sequence[Values]]:
        """All rows, some at a time, in no particular order."""
        wanted = [self._meta.tables[table].columns[column] for column in columns]
        statement = sa.select(*wanted).execution_options(yield_per=ROWS_AT_ONCE)
        async with self._connection.stream(statement) as found:
            async for some in found.partitions():
                yield some


class Loader(Snapshot):
    """Writes rows into new, empty tables, within one transaction."""

    async def insert(self, table: str, columns: list[str], rows: Sequence[Values]) -> None:
        if rows:
            values = [dict(zip(columns, row, strict=True)) for row in rows]
            await self._connection.execute(self._meta.tables[table].insert(), values)

    async def finish(self) -> None:
        """Let numbers that the database gives go on after those there are, and bring the schema to the newest form."""
        await self.set_sequences()
        if self._connection.dialect.name == "postgresql":
            # What `rows` read stays open in the transaction, and PostgreSQL alters no table that is being read.
            await self._connection.execute(sa.text("CLOSE ALL"))
        await self._connection.run_sync(upgrade)

    async def set_sequences(self) -> None:
        """Let numbers that the database gives go on after those there are."""
        if self._connection.dialect.name == "postgresql":
            for table in self._meta.tables.values():
                for column in table.primary_key.columns:
                    if isinstance(column.type, sa.Integer):
                        await self._set_sequence(table, column)

    async def _set_sequence(self, table: sa.Table, column: sa.Column[Any]) -> None:
        names = {"table": table.name, "column": column.name}
        found = await self._connection.execute(sa.text("SELECT pg_get_serial_sequence(:table, :column)"), names)
        sequence = found.scalar_one()
        if sequence is not None:
            highest = f'max("{column.name}")'
            command = f'SELECT setval(CAST(:sequence AS text)::regclass, {highest}) FROM "{table.name}"'
            await self._connection.execute(sa.text(f"{command} HAVING {highest} IS NOT NULL"), {"sequence": sequence})


@asynccontextmanager
async def open_snapshot(address: str) -> AsyncIterator[Snapshot]:
    """A database as it is at this moment, while others go on writing to it. StorageTrouble if there is none."""
    database = Database(address, statement_seconds=None)
    try:
        if not has_file(database):
            raise StorageTrouble(f"there is no database {database.where}; check the settings database and data.")
        async with _naming_errors(database), database.engine.connect() as plain:
            connection = plain
            if not database.is_sqlite:
                connection = await plain.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            async with connection.begin():
                revision = await connection.run_sync(revision_of)
                if revision is None:
                    raise StorageTrouble(f"{database.where} has no tables of Wellies; check the setting database.")
                if revision not in known_revisions():
                    raise database.too_new(f"schema {revision}")
                yield Snapshot(connection, revision, await connection.run_sync(_reflect))
    finally:
        await database.close()


@asynccontextmanager
async def open_empty(address: str, revision: str) -> AsyncIterator[Loader]:
    """An empty database with the tables of a known revision. All that is written is stored at the end, or nothing is.
    StorageTrouble if the database is not empty."""
    database = Database(address, statement_seconds=None)
    is_new = database.is_sqlite and not Path(str(database.url.database)).exists()
    database.make_file()
    try:
        async with _naming_errors(database), database.engine.connect() as plain:
            connection = await plain.execution_options(wellies_writes=True)
            async with connection.begin():
                if not database.is_sqlite:
                    await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
                await _drop_empty_tables(database, connection)
                await connection.run_sync(upgrade, revision)
                yield Loader(connection, revision, await connection.run_sync(_reflect))
    except BaseException:
        await database.close()
        if is_new:
            for ending in ("", "-wal", "-shm"):
                Path(f"{database.url.database}{ending}").unlink(missing_ok=True)
        raise
    await database.close()


async def _drop_empty_tables(database: Database, connection: AsyncConnection) -> None:
    """Drop the tables that a server makes when it starts. The key that it makes is not worth keeping."""
    database.refuse_foreign(await connection.run_sync(foreign_tables))
    revision = await connection.run_sync(revision_of)
    if revision is not None and revision not in known_revisions():
        raise database.too_new(f"schema {revision}")
    meta = await connection.run_sync(_reflect)
    there = Snapshot(connection, revision or "", meta)
    for name in there.columns:
        if name != kept_secrets.name and await there.count(name):
            raise StorageTrouble(
                f"{database.where} is not empty ({await there.count(name)} rows in {name}), and restoring never "
                "overwrites; give a new file or a new database with --database."
            )
    await connection.run_sync(meta.drop_all)
    if revision is not None:
        await connection.run_sync(sa.Table(REVISION_TABLE, sa.MetaData()).drop)


def has_file(database: Database) -> bool:
    """False for an SQLite file that is not there: opening it would create it."""
    return not database.is_sqlite or Path(str(database.url.database)).is_file()


def revision_of(connection: Connection) -> str | None:
    """The revision of the schema; None if there is none yet."""
    if not sa.inspect(connection).has_table(REVISION_TABLE):
        return None
    version = sa.table(REVISION_TABLE, sa.column("version_num"))
    found = connection.execute(sa.select(version.c.version_num)).scalar()
    return None if found is None else str(found)


def _reflect(connection: Connection) -> sa.MetaData:
    """Our tables as they are in this database, which may be of an older revision."""
    meta = sa.MetaData()
    there = set(sa.inspect(connection).get_table_names())
    meta.reflect(connection, only=sorted(there & set(META.tables)), resolve_fks=False)
    return meta


@asynccontextmanager
async def _naming_errors(database: Database) -> AsyncIterator[None]:
    try:
        yield
    except (SQLAlchemyError, OSError, TimeoutError, sqlite3.Error) as error:
        raise database.unusable(error) from error
