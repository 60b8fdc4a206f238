"""One database: connections, transactions, errors in words, and migrations."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from wellies.server.settings import mask
from wellies.server.storage.errors import RowRefused, StorageTrouble
from wellies.server.storage.schema import kept_secrets

MIGRATION_LOCK: Final = 0x3E11_1E5
MIGRATION_SECONDS: Final = 60.0
TIMEOUT: Final = 5.0
"""Seconds to wait for a database that does not answer."""
SQLITE_PRAGMAS: Final = (
    f"PRAGMA busy_timeout = {int(TIMEOUT * 1000)}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
)
"""FULL, so that what was acknowledged survives a power cut too, not only the end of the process."""

Row = dict[str, Any]
Answer = TypeVar("Answer")


class Database:
    """SQLite or PostgreSQL, by its address."""

    def __init__(self, address: str) -> None:
        try:
            self.url: URL = make_url(address)
        except (ArgumentError, ValueError) as error:
            raise StorageTrouble(f"cannot use the database {mask(address)}: this is not an address.") from error
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.write_lock = asyncio.Lock()
        """SQLite has one writer at a time, and its own way of waiting is not fair: writers queue here."""
        self.engine: AsyncEngine = _sqlite_engine(self.url) if self.is_sqlite else _postgres_engine(self.url)

    @property
    def where(self) -> str:
        """The database in words, without its password."""
        return str(self.url.database) if self.is_sqlite else mask(self.url.render_as_string(hide_password=False))

    async def close(self) -> None:
        await self.engine.dispose()

    # --- reading and writing ---------------------------------------------------------------------------------------

    async def read(self, query: Callable[[AsyncConnection], Awaitable[Answer]]) -> Answer:
        """Run a query that changes nothing. If the connection was lost meanwhile, it is run once more on a new one."""
        try:
            async with self.errors_in_words(), self.engine.connect() as connection:
                return await query(connection)
        except StorageTrouble as error:
            if not _lost_connection(error):
                raise
        async with self.errors_in_words(), self.engine.connect() as connection:
            return await query(connection)

    async def rows(self, statement: sa.Select[Any]) -> list[Row]:
        async def query(connection: AsyncConnection) -> list[Row]:
            return [dict(row) for row in (await connection.execute(statement)).mappings()]

        return await self.read(query)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is committed at the end, or not at all."""
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(self.errors_in_words())
            if self.is_sqlite:
                await stack.enter_async_context(self.write_lock)
            plain = await stack.enter_async_context(self.engine.connect())
            connection = await plain.execution_options(wellies_writes=True)
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def errors_in_words(self) -> AsyncIterator[None]:
        """Turns every error of the database into `StorageTrouble`, except that a key exists already."""
        try:
            yield
        except IntegrityError:
            raise
        except (DBAPIError, OSError, TimeoutError, SQLAlchemyError, sqlite3.Error) as error:
            if _refuses_row(error):
                raise RowRefused("The database will not store this; something in it cannot be written.") from error
            raise StorageTrouble(_error_words(error)) from error

    async def ping(self) -> None:
        """StorageTrouble if the database does not answer."""

        async def query(connection: AsyncConnection) -> None:
            await connection.execute(sa.text("SELECT 1"))

        try:
            await asyncio.wait_for(self.read(query), TIMEOUT)
        except TimeoutError as error:
            raise StorageTrouble(f"{self.where} did not answer within {TIMEOUT:g} seconds.") from error

    # --- migrations ------------------------------------------------------------------------------------------------

    async def migrate(self) -> None:
        """Bring the database to the newest schema. Several workers may start at once: one migrates, the others wait."""
        if self.is_sqlite:
            folder = Path(str(self.url.database)).parent
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StorageTrouble(f"cannot make the folder {folder}: {error.strerror}.") from error
        end = time.monotonic() + MIGRATION_SECONDS
        while True:
            try:
                await self._migrate()
            except CommandError as error:
                raise StorageTrouble(
                    f"the database {self.where} was made by a newer version of Wellies ({error}); "
                    "start that version, or use a backup from before."
                ) from error
            except (DBAPIError, OSError, sqlite3.Error) as error:
                cause = getattr(error, "orig", None) or error
                # Changing the journal of a new SQLite file does not wait for others: it fails as locked.
                if "locked" not in str(cause) or time.monotonic() > end:
                    raise StorageTrouble(f"cannot use the database {self.where}: {cause}") from error
                await asyncio.sleep(0.1)
            else:
                return

    async def _migrate(self) -> None:
        async with self.engine.connect() as plain:
            connection = await plain.execution_options(wellies_writes=True)
            async with connection.begin():
                if not self.is_sqlite:
                    await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
                await connection.run_sync(_upgrade)
                await _make_secret(connection)


def _error_words(error: BaseException) -> str:
    cause = getattr(error, "orig", None) or error
    text = str(cause).lower()
    if "readonly" in text or "read-only" in text:
        return "The database is read-only, so nothing can be stored; its owner must make it writable."
    if "disk is full" in text or "no space" in text or "database or disk is full" in text:
        return "The disk is full, so nothing can be stored; its owner must make room."
    if "locked" in text:
        return "The database is busy with something else; nothing was stored, try again."
    return "The database cannot be reached just now; nothing was stored, try again in a moment."


def _refuses_row(error: BaseException) -> bool:
    """Whether the database says that the data is wrong, not that it cannot work."""
    if isinstance(error, sqlite3.IntegrityError | sqlite3.DataError | DataError):
        return True
    # PostgreSQL's driver has no class for these errors; the first two characters of the state are the class.
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return isinstance(state, str) and state[:2] in ("21", "22", "23", "44", "54")


def _lost_connection(error: StorageTrouble) -> bool:
    cause = error.__cause__
    return isinstance(cause, DBAPIError) and cause.connection_invalidated


def _postgres_engine(url: URL) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_size=4,
        max_overflow=8,
        pool_timeout=TIMEOUT,
        connect_args={"timeout": TIMEOUT, "command_timeout": 2 * TIMEOUT, "server_settings": {"jit": "off"}},
    )


def _sqlite_engine(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url, connect_args={"timeout": TIMEOUT}, pool_size=4, max_overflow=4, pool_timeout=TIMEOUT
    )

    @sa.event.listens_for(engine.sync_engine, "connect")
    def on_connect(dbapi_connection: Any, _record: Any) -> None:
        # Transactions begin in `on_begin`: the driver itself would commit before DDL and lock late.
        dbapi_connection.isolation_level = None
        cursor = dbapi_connection.cursor()
        for pragma in SQLITE_PRAGMAS:
            cursor.execute(pragma)
        cursor.close()

    @sa.event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("wellies_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = Path(__file__).parent.parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def _make_secret(connection: AsyncConnection) -> None:
    """Make the key that cookies are signed with, once."""
    found = await connection.execute(sa.select(kept_secrets.c.value).where(kept_secrets.c.name == "cookies"))
    if found.first() is None:
        await connection.execute(kept_secrets.insert(), [{"name": "cookies", "value": secrets.token_hex(32)}])
