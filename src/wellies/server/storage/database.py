"""One database: connections, transactions, errors in words, and migrations."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from wellies.core.sources import monotonic, random_hex
from wellies.server.settings import mask
from wellies.server.storage.schema import META, kept_secrets, tables
from wellies.table.errors import RowRefused, StorageTrouble

if TYPE_CHECKING:
    from alembic.config import Config

REVISION_TABLE: Final = "alembic_version"
"""Where the revision of the schema is kept."""
MIGRATION_LOCK: Final = 0x3E11_1E5
MIGRATION_SECONDS: Final = 60.0
TIMEOUT: Final = 5.0
"""Seconds to wait for a database that does not answer."""
FULL_WORDS: Final = "The disk is full, so nothing can be stored; its owner must make room."
LEAST_ROOM: Final = 65_536
"""Free bytes on a disk below which SQLite cannot make the files that it needs."""
SQLITE_PRAGMAS: Final = (
    f"PRAGMA busy_timeout = {int(TIMEOUT * 1000)}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
)
"""FULL, so that what was acknowledged survives a power cut too, not only the end of the process."""
ASK_AGAIN: Final = "PRAGMA busy_timeout = 20"
ASK_SELDOM: Final = SQLITE_PRAGMAS[0]
"""SQLite asks ever more seldom whether another process has ended its writing, ten times a second in the end. Beside
processes that write all the time it could miss each moment in which the file was free. `begin_writing` begins anew
after 20 milliseconds."""

POSTGRES_SETTINGS: Final = {
    "jit": "off",
    "idle_in_transaction_session_timeout": str(int(3 * TIMEOUT * 1000)),
    "tcp_keepalives_idle": "20",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""A worker that is suddenly cut off closes no connection: PostgreSQL must find out by itself, and not keep the locks of
its transaction, for which others wait, any longer."""
CLOCK: Final = sa.text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
"""The time by PostgreSQL's clock, in milliseconds."""

Row = dict[str, Any]
Answer = TypeVar("Answer")


class Database:
    """SQLite or PostgreSQL, by its address."""

    def __init__(self, address: str, *, statement_seconds: float | None = 2 * TIMEOUT) -> None:
        """PostgreSQL may take `statement_seconds` for one statement. With None it may take any time, and so may we
        between two statements of a transaction."""
        try:
            self.url: URL = make_url(address)
        except (ArgumentError, ValueError) as error:
            raise StorageTrouble(f"cannot use the database {mask(address)}: this is not an address.") from error
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.write_lock = asyncio.Lock()
        """SQLite has one writer at a time, and its own way of waiting is not fair: writers queue here."""
        self.engine: AsyncEngine = (
            _sqlite_engine(self.url) if self.is_sqlite else _postgres_engine(self.url, statement_seconds)
        )
        # A transaction around a query would mean three round trips to PostgreSQL in place of one.
        self._reading = self.engine if self.is_sqlite else self.engine.execution_options(isolation_level="AUTOCOMMIT")

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
            async with self.errors_in_words(), self._connected(self._reading) as connection:
                return await query(connection)
        except StorageTrouble as error:
            if not _lost_connection(error):
                raise
        async with self.errors_in_words(), self._connected(self._reading) as connection:
            return await query(connection)

    @asynccontextmanager
    async def _connected(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """A connection. If it does not answer in time, or is no longer waited for, it is closed at once: to roll back
        and to give it back would mean to wait for it again."""
        async with engine.connect() as connection:
            try:
                yield connection
            except (TimeoutError, asyncio.CancelledError):
                if not self.is_sqlite:
                    await _close_at_once(connection)
                raise

    async def rows(self, statement: sa.Select[Any], **values: object) -> list[Row]:
        """The rows of a query, with values for its parameters."""

        async def query(connection: AsyncConnection) -> list[Row]:
            return [dict(row) for row in (await connection.execute(statement, values)).mappings()]

        return await self.read(query)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is committed at the end, or not at all."""
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(self.errors_in_words())
            if self.is_sqlite:
                await stack.enter_async_context(self.write_lock)
            plain = await stack.enter_async_context(self._connected(self.engine))
            connection = await plain.execution_options(wellies_writes=True)
            transaction = await connection.begin()
            yield connection
            await transaction.commit()

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
            raise StorageTrouble(FULL_WORDS if self._disk_is_full(error) else _error_words(error)) from error

    def _disk_is_full(self, error: BaseException) -> bool:
        """Whether this error means that. SQLite calls it an I/O error if it cannot make a file that it needs."""
        text = str(getattr(error, "orig", None) or error).lower()
        if "disk is full" in text or "no space" in text:
            return True
        if not self.is_sqlite or "disk i/o error" not in text:
            return False
        with contextlib.suppress(OSError):
            return shutil.disk_usage(Path(str(self.url.database)).parent).free < LEAST_ROOM
        return False

    async def ping(self) -> int | None:
        """The time by the clock of the database when this returns, in milliseconds; None if it has none of its own.
        StorageTrouble if the database does not answer."""

        async def query(connection: AsyncConnection) -> int | None:
            if self.is_sqlite:
                await connection.execute(sa.text("SELECT 1"))
                return None
            sent = monotonic()
            read = (await connection.execute(CLOCK)).scalar_one()
            return int(read + (monotonic() - sent) * 500)  # it was read halfway between question and answer

        try:
            return await asyncio.wait_for(self.read(query), TIMEOUT)
        except TimeoutError as error:
            raise StorageTrouble(f"{self.where} did not answer within {TIMEOUT:g} seconds.") from error

    # --- migrations ------------------------------------------------------------------------------------------------

    async def migrate(self) -> None:
        """Bring the database to the newest schema. Several workers may start at once: one migrates, the others wait."""
        self.make_file()
        end = monotonic() + MIGRATION_SECONDS
        while True:
            try:
                await self._migrate()
            except CommandError as error:
                raise self.too_new(str(error)) from error
            except (DBAPIError, OSError, sqlite3.Error) as error:
                # Changing the journal of a new SQLite file does not wait for others: it fails as locked.
                if "locked" not in str(error) or monotonic() > end:
                    raise self.unusable(error) from error
                await asyncio.sleep(0.1)
            else:
                return

    async def _migrate(self) -> None:
        async with self.engine.connect() as plain:
            connection = await plain.execution_options(wellies_writes=True)
            async with connection.begin():
                if not self.is_sqlite:
                    await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
                self.refuse_foreign(await connection.run_sync(foreign_tables))
                await connection.run_sync(upgrade)
                await _make_secret(connection)
                # Changes nothing, and fails where nothing can be changed.
                await connection.execute(sa.text("UPDATE kept_secrets SET value = value WHERE 1 = 0"))

    def make_file(self) -> None:
        """Make an SQLite file and its folder, if they are missing. Nobody else on the machine may read them: the file
        holds the key of the cookies."""
        if not self.is_sqlite:
            return
        file = Path(str(self.url.database))
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StorageTrouble(f"cannot make the folder {file.parent}: {error.strerror}.") from error
        # If this fails, SQLite says why.
        with contextlib.suppress(OSError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def refuse_foreign(self, names: list[str]) -> None:
        """StorageTrouble if there are tables of another program, which have these names."""
        if names:
            raise StorageTrouble(
                f"the database {self.where} holds tables of another program ({', '.join(names)}); "
                "give Wellies a database of its own."
            )

    def too_new(self, why: str) -> StorageTrouble:
        return StorageTrouble(
            f"the database {self.where} was made by a newer version of Wellies ({why}); "
            "start that version, or use a backup from before."
        )

    def unusable(self, error: BaseException) -> StorageTrouble:
        """What the database itself says, for the person who runs the server."""
        if self._disk_is_full(error):
            return StorageTrouble(f"cannot use the database {self.where}: the disk is full; make room and start again.")
        cause = getattr(error, "orig", None) or error
        if _is_read_only(cause):
            return StorageTrouble(
                f"cannot use the database {self.where}: it is read-only; its owner must make it writable."
            )
        # PostgreSQL's driver puts the name of a class first.
        words = re.sub(r"^<class '[^']*'>: ", "", str(cause))
        return StorageTrouble(f"cannot use the database {self.where}: {words or type(cause).__name__}")


def _is_read_only(error: BaseException) -> bool:
    text = str(error).lower()
    return "readonly" in text or "read-only" in text


def _error_words(error: BaseException) -> str:
    cause = getattr(error, "orig", None) or error
    text = str(cause).lower()
    if _is_read_only(cause):
        return "The database is read-only, so nothing can be stored; its owner must make it writable."
    if "locked" in text:
        return "The database is busy with something else; nothing was stored, try again."
    return "The database cannot be reached just now, so this may not have been stored; look again in a moment."


def _refuses_row(error: BaseException) -> bool:
    """Whether the database says that the data is wrong, not that it cannot work."""
    if isinstance(error, sqlite3.IntegrityError | sqlite3.DataError | DataError):
        return True
    # PostgreSQL's driver has no class for these errors; the first two characters of the state are the class.
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return isinstance(state, str) and state[:2] in ("21", "22", "23", "44", "54")


def _lost_connection(error: StorageTrouble) -> bool:
    """The driver calls it an internal error if it is asked for something in the moment in which it loses PostgreSQL."""
    cause = error.__cause__
    return isinstance(cause, DBAPIError) and (cause.connection_invalidated or isinstance(cause, InternalError))


async def _close_at_once(connection: AsyncConnection) -> None:
    if not connection.invalidated:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        driver.terminate()
        await connection.invalidate()


def _postgres_engine(url: URL, statement_seconds: float | None) -> AsyncEngine:
    settings = POSTGRES_SETTINGS
    if statement_seconds is None:
        settings = {**settings, "idle_in_transaction_session_timeout": "0"}
    return create_async_engine(
        url,
        pool_size=4,
        max_overflow=8,
        pool_timeout=TIMEOUT,
        connect_args={"timeout": TIMEOUT, "command_timeout": statement_seconds, "server_settings": settings},
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
        if not connection.get_execution_options().get("wellies_writes"):
            connection.exec_driver_sql("BEGIN")
            return
        connection.exec_driver_sql(ASK_AGAIN)
        try:
            begin_writing(connection.exec_driver_sql)
        finally:
            connection.exec_driver_sql(ASK_SELDOM)

    return engine


def begin_writing(execute: Callable[[str], object]) -> None:
    """Begin a transaction that writes, on a connection of SQLite that was told to `ASK_AGAIN`."""
    end = monotonic() + TIMEOUT
    while True:
        try:
            execute("BEGIN IMMEDIATE")
        except (sqlite3.OperationalError, OperationalError) as error:
            if "locked" not in str(error) or monotonic() > end:
                raise
        else:
            return


def _alembic_config() -> Config:
    from alembic.config import Config

    config = Config()
    folder = Path(__file__).parent.parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config


def foreign_tables(connection: Connection) -> list[str]:
    """The tables of another program that are in the way of ours."""
    there = set(sa.inspect(connection).get_table_names())
    if REVISION_TABLE not in there:
        return sorted(there & set(META.tables))
    return [] if tables.name in there or not there - {REVISION_TABLE} else [REVISION_TABLE]


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the schema to a revision, in the transaction of the connection."""
    from alembic import command

    config = _alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def known_revisions() -> list[str]:
    """The revisions of the schema that this version knows, oldest first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(_alembic_config())
    return [script.revision for script in scripts.walk_revisions()][::-1]


async def _make_secret(connection: AsyncConnection) -> None:
    """Make the key that cookies are signed with, once."""
    found = await connection.execute(sa.select(kept_secrets.c.value).where(kept_secrets.c.name == "cookies"))
    if found.first() is None:
        await connection.execute(kept_secrets.insert(), [{"name": "cookies", "value": random_hex(32)}])
