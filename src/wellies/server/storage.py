"""The store: SQLite by default, PostgreSQL by an address. Tables are rows, and their games are append-only logs.

Whatever goes wrong underneath comes out as `StorageTrouble` with a sentence that one can show, or as `Conflict`.
"""

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
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from wellies.core.errors import WelliesError
from wellies.server.settings import Settings, mask

META: Final = sa.MetaData()
MIGRATION_LOCK: Final = 0x3E11_1E5
MIGRATION_PATIENCE: Final = 60.0
PATIENCE: Final = 5.0
"""Seconds to wait for a database that does not answer before saying so."""
SQLITE_PRAGMAS: Final = (
    f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
)
"""FULL, so that what was acknowledged survives a power cut too, not only the end of the process."""

identities = sa.Table(
    "identities",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("login", sa.String(80), unique=True),
    sa.Column("password", sa.String(200)),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
ended_sessions = sa.Table(
    "ended_sessions",
    META,
    sa.Column("session", sa.String(32), primary_key=True),
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("ended_by_identity", "identity_id"),
)
kept_secrets = sa.Table(
    "kept_secrets",
    META,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)
tables = sa.Table(
    "tables",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("invite", sa.String(64), nullable=False),
    sa.Column("host", sa.String(32), nullable=False),
    sa.Column("imported", sa.Boolean, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    # What follows can be worked out from the log; it is kept for lists and searches.
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("private", sa.Boolean, nullable=False),
    sa.Column("summary", sa.Text, nullable=False),
    sa.Column("names", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("waiting", sa.String(60), nullable=False),
    sa.Column("wake_at", sa.BigInteger),
    sa.Index("tables_by_state", "state", "created"),
    sa.Index("tables_by_wake", "wake_at"),
)
entries = sa.Table(
    "entries",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
held = sa.Table(
    "held_seats",
    META,
    sa.Column("identity_id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Index("held_by_table", "table_id"),
    sqlite_with_rowid=False,
)
chat = sa.Table(
    "chat",
    META,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("identity_id", sa.String(32), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("text", sa.String(1000), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("chat_by_table", "table_id", "id"),
)
analyses = sa.Table(
    "analyses",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("worker", sa.String(32), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    # What was found, when it is done.
    sa.Column("found", sa.Text, nullable=False),
)

Row = dict[str, Any]
Answer = TypeVar("Answer")


class StorageTrouble(WelliesError):
    """The database did not do what was asked; nothing was acknowledged."""


class RowRefused(StorageTrouble):
    """The database works, and will not take this row; those of others are as good as before."""


class Conflict(Exception):
    """Somebody else appended to the table first: catch up and decide again."""


class Storage:
    """One engine and the questions that are asked of it."""

    def __init__(self, settings: Settings) -> None:
        self.url: URL = make_url(settings.database)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.write_lock = asyncio.Lock()
        """SQLite takes one writer at a time, and its own way of waiting is not fair: here they queue."""
        self.engine: AsyncEngine = _sqlite_engine(self.url) if self.is_sqlite else _postgres_engine(self.url)

    @property
    def where(self) -> str:
        """The database in words, without its password."""
        return str(self.url.database) if self.is_sqlite else mask(self.url.render_as_string(hide_password=False))

    async def close(self) -> None:
        await self.engine.dispose()

    # --- asking ----------------------------------------------------------------------------------------------------

    async def read(self, ask: Callable[[AsyncConnection], Awaitable[Answer]]) -> Answer:
        """Ask something that changes nothing. A connection that has died meanwhile is replaced and asked once more."""
        try:
            async with self.troubles(), self.engine.connect() as connection:
                return await ask(connection)
        except StorageTrouble as error:
            if not _was_cut(error):
                raise
        async with self.troubles(), self.engine.connect() as connection:
            return await ask(connection)

    async def rows(self, statement: sa.Select[Any]) -> list[Row]:
        async def ask(connection: AsyncConnection) -> list[Row]:
            return [dict(row) for row in (await connection.execute(statement)).mappings()]

        return await self.read(ask)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is committed at the end, or not at all."""
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(self.troubles())
            if self.is_sqlite:
                await stack.enter_async_context(self.write_lock)
            plain = await stack.enter_async_context(self.engine.connect())
            connection = await plain.execution_options(wellies_writes=True)
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def troubles(self) -> AsyncIterator[None]:
        """Every failure of the database as `StorageTrouble`, but for keys that exist already."""
        try:
            yield
        except IntegrityError:
            raise
        except (DBAPIError, OSError, TimeoutError, SQLAlchemyError, sqlite3.Error) as error:
            if _refuses_row(error):
                raise RowRefused("The database will not store this; something in it cannot be written.") from error
            raise StorageTrouble(self._words(error)) from error

    def _words(self, error: BaseException) -> str:
        cause = getattr(error, "orig", None) or error
        text = str(cause).lower()
        if "readonly" in text or "read-only" in text:
            return "The database is read-only, so nothing can be stored; its owner must make it writable."
        if "disk is full" in text or "no space" in text or "database or disk is full" in text:
            return "The disk is full, so nothing can be stored; its owner must make room."
        if "locked" in text:
            return "The database is busy with something else; nothing was stored, try again."
        return "The database cannot be reached just now; nothing was stored, try again in a moment."

    async def ping(self) -> None:
        """StorageTrouble if the database does not answer."""

        async def ask(connection: AsyncConnection) -> None:
            await connection.execute(sa.text("SELECT 1"))

        try:
            await asyncio.wait_for(self.read(ask), PATIENCE)
        except TimeoutError as error:
            raise StorageTrouble(f"{self.where} did not answer within {PATIENCE:g} seconds.") from error

    # --- making it ready -------------------------------------------------------------------------------------------

    async def migrate(self) -> None:
        """Bring the database to the newest form. Several workers may start at once: one does it, the others wait."""
        if self.is_sqlite:
            folder = Path(str(self.url.database)).parent
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StorageTrouble(f"cannot make the folder {folder}: {error.strerror}.") from error
        end = time.monotonic() + MIGRATION_PATIENCE
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
                # SQLite does not queue those who want to change a new file's journal: they are told it is locked.
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
                await _keep_secret(connection)

    async def secret(self) -> str:
        """What cookies are signed with, made when the database was."""
        rows = await self.rows(sa.select(kept_secrets.c.value).where(kept_secrets.c.name == "cookies"))
        return str(rows[0]["value"])

    # --- tables ----------------------------------------------------------------------------------------------------

    async def table(self, table_id: str) -> Row | None:
        rows = await self.rows(sa.select(tables).where(tables.c.id == table_id))
        return rows[0] if rows else None

    async def tail(self, table_id: str, after: int) -> list[Row]:
        """The log of a table from a number on."""
        return await self.rows(
            sa.select(entries)
            .where(entries.c.table_id == table_id, entries.c.number > after)
            .order_by(entries.c.number)
        )

    async def versions(self, table_ids: list[str]) -> dict[str, int]:
        """How far each of these tables is."""
        rows = await self.rows(sa.select(tables.c.id, tables.c.version).where(tables.c.id.in_(table_ids)))
        return {row["id"]: row["version"] for row in rows}

    async def due_tables(self, now: int, limit: int) -> list[Row]:
        """Tables that somebody should look at: a clock has run out, or a bot's worker has died."""
        return await self.rows(
            sa.select(tables.c.id, tables.c.wake_at)
            .where(tables.c.wake_at <= now)
            .order_by(tables.c.wake_at)
            .limit(limit)
        )

    async def claim(self, table_id: str, wake_at: int, until: int) -> bool:
        """Take the care for a due table, for a while; False if another worker was first."""
        async with self.writing() as connection:
            done = await connection.execute(
                tables.update().where(tables.c.id == table_id, tables.c.wake_at == wake_at).values(wake_at=until)
            )
            return done.rowcount == 1

    async def epochs(self, identity_ids: list[str]) -> dict[str, int]:
        """How often each of these people has ended all their cookies."""
        asked = sa.select(identities.c.id, identities.c.epoch).where(identities.c.id.in_(identity_ids))
        return {row["id"]: row["epoch"] for row in await self.rows(asked)}

    async def ended(self, identity_ids: list[str]) -> set[str]:
        """The sessions of these people that were ended by logging out."""
        asked = sa.select(ended_sessions.c.session).where(ended_sessions.c.identity_id.in_(identity_ids))
        return {row["session"] for row in await self.rows(asked)}

    async def end_session(self, session: str, identity_id: str, now: int, forget: int) -> None:
        """Note that a session is over, and forget those of before a time, whose cookies are too old by now."""
        async with self.writing() as connection:
            await connection.execute(ended_sessions.delete().where(ended_sessions.c.at < forget))
            await connection.execute(ended_sessions.delete().where(ended_sessions.c.session == session))
            row = {"session": session, "identity_id": identity_id, "at": now}
            await connection.execute(ended_sessions.insert(), [row])

    async def games_finished(self, identity_id: str, game: str) -> int:
        """How many games of a game somebody has sat at to the end."""
        mine = sa.select(held.c.table_id).where(held.c.identity_id == identity_id)
        asked = sa.select(sa.func.count().label("games")).where(
            tables.c.id.in_(mine), tables.c.game == game, tables.c.state == "finished"
        )
        return int((await self.rows(asked))[0]["games"])

    async def add_chat(self, row: Row) -> int:
        async with self.writing() as connection:
            done = await connection.execute(chat.insert().returning(chat.c.id), [row])
            return int(done.scalar_one())

    async def chat_lines(self, table_id: str, limit: int) -> list[Row]:
        rows = await self.rows(
            sa.select(chat).where(chat.c.table_id == table_id).order_by(chat.c.id.desc()).limit(limit)
        )
        return rows[::-1]


def _refuses_row(error: BaseException) -> bool:
    """Whether the database has answered that what it was given is wrong, not that it cannot work."""
    if isinstance(error, sqlite3.IntegrityError | sqlite3.DataError | DataError):
        return True
    # PostgreSQL's driver has no kind of its own for these; the first two characters of the state are the class.
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return isinstance(state, str) and state[:2] in ("21", "22", "23", "44", "54")


def _was_cut(error: StorageTrouble) -> bool:
    cause = error.__cause__
    return isinstance(cause, DBAPIError) and cause.connection_invalidated


def _postgres_engine(url: URL) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_size=4,
        max_overflow=8,
        pool_timeout=PATIENCE,
        connect_args={"timeout": PATIENCE, "command_timeout": 2 * PATIENCE, "server_settings": {"jit": "off"}},
    )


def _sqlite_engine(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url, connect_args={"timeout": PATIENCE}, pool_size=4, max_overflow=4, pool_timeout=PATIENCE
    )

    @sa.event.listens_for(engine.sync_engine, "connect")
    def on_connect(dbapi_connection: Any, _record: Any) -> None:
        # Transactions are begun by us below: the driver's own habit would commit before DDL and lock late.
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
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def _keep_secret(connection: AsyncConnection) -> None:
    found = await connection.execute(sa.select(kept_secrets.c.value).where(kept_secrets.c.name == "cookies"))
    if found.first() is None:
        await connection.execute(kept_secrets.insert(), [{"name": "cookies", "value": secrets.token_hex(32)}])
