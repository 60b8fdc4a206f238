"""The queries of the server. Tables are rows, and their games are append-only logs."""

from __future__ import annotations

import contextlib
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from wellies.server.storage.accounts import Accounts
from wellies.server.storage.alerting import AlertQueries
from wellies.server.storage.batch import TableChange
from wellies.server.storage.database import TIMEOUT, Row
from wellies.server.storage.errors import NameTaken, NoIdentity
from wellies.server.storage.finding import FindingQueries
from wellies.server.storage.history import History
from wellies.server.storage.personal import PersonalQueries
from wellies.server.storage.postgres import MoveWriter, only_moves, store_batch
from wellies.server.storage.ratings import Ratings
from wellies.server.storage.schema import (
    analyses,
    chat,
    ended_sessions,
    entries,
    held,
    identities,
    kept_secrets,
    tables,
)
from wellies.server.storage.sqlite import SqliteWriter
from wellies.table import LogEntry, Summary, Table, TableInfo
from wellies.table.codec import decode
from wellies.table.ids import public_id
from wellies.table.rows import info_from_row, table_from_row
from wellies.table.settings import State

# Queries that every worker asks again and again, and for every socket: to build one costs more than to run it.
_ID: Final[sa.BindParameter[str]] = sa.bindparam("table_id")
_TABLE: Final = sa.select(tables).where(tables.c.id == _ID)
_ENTRIES: Final = (
    sa.select(entries)
    .where(entries.c.table_id == _ID, entries.c.number > sa.bindparam("after"))
    .order_by(entries.c.number)
)
_VERSIONS: Final = sa.select(tables.c.id, tables.c.version).where(
    tables.c.id.in_(sa.bindparam("table_ids", expanding=True))
)
_UPDATED: Final = (
    sa.select(entries.c.at)
    .where(entries.c.table_id == tables.c.id, entries.c.number == tables.c.version)
    .scalar_subquery()
    .label("updated")
)
"""The time of a table's last entry."""
_DUE: Final = (
    sa.select(tables.c.id, tables.c.wake_at)
    .where(tables.c.wake_at <= sa.bindparam("now"))
    .order_by(tables.c.wake_at)
    .limit(sa.bindparam("most"))
)
_CHAT: Final = sa.select(chat).where(chat.c.table_id == _ID).order_by(chat.c.id.desc()).limit(sa.bindparam("most"))


class Storage(FindingQueries, AlertQueries, PersonalQueries):
    """All that the server reads and writes. Errors are `StorageTrouble` with a sentence for people."""

    def __init__(self, address: str, *, statement_seconds: float | None = 2 * TIMEOUT) -> None:
        super().__init__(address, statement_seconds=statement_seconds)
        self.writer = SqliteWriter(str(self.url.database)) if self.is_sqlite else None
        self._moves = MoveWriter(self.engine)
        self.history = History(self)
        self.ratings = Ratings(self)
        self.accounts = Accounts(self)

    async def close(self) -> None:
        if self.writer is not None:
            await self.writer.close()
        await self._moves.close()
        await super().close()

    async def secret(self) -> str:
        """The key that cookies are signed with."""
        rows = await self.rows(sa.select(kept_secrets.c.value).where(kept_secrets.c.name == "cookies"))
        return str(rows[0]["value"])

    # --- tables ----------------------------------------------------------------------------------------------------

    async def store(self, batch: list[TableChange]) -> set[str]:
        """Store changes of tables in one transaction; returns the tables to which another worker appended first, of
        which nothing is stored."""
        if self.writer is not None:
            async with self.errors_in_words(), self.write_lock:
                return await self.writer.store(batch)
        if only_moves(batch):
            async with self.errors_in_words():
                if await self._moves.store(batch):
                    return set()
        async with self.writing() as connection:
            return await store_batch(connection, batch)

    async def table(self, table_id: str) -> Table | None:
        """A table before the first entry of its log."""
        rows = await self.rows(_TABLE, table_id=table_id)
        return table_from_row(rows[0]) if rows else None

    async def entries(self, table_id: str, after: int) -> list[LogEntry]:
        """The log of a table after a number."""
        rows = await self.rows(_ENTRIES, table_id=table_id, after=after)
        return [LogEntry(row["number"], row["kind"], row["seat"], row["text"], row["at"]) for row in rows]

    async def versions(self, table_ids: list[str]) -> dict[str, int]:
        """How long the log of each of these tables is."""
        rows = await self.rows(_VERSIONS, table_ids=table_ids)
        return {row["id"]: row["version"] for row in rows}

    async def list_tables(
        self,
        owner: str,
        *,
        mine: bool = False,
        state: State | None = None,
        game: str | None = None,
        player: str | None = None,
        before: int | None = None,
        limit: int = 20,
    ) -> list[TableInfo]:
        """Tables, newest first, as this person may know them: private ones only if they belong to them."""
        held_by_owner = sa.select(held.c.table_id).where(held.c.identity_id == owner)
        belongs = sa.or_(tables.c.id.in_(held_by_owner), tables.c.host == owner)
        wanted = sa.select(tables, _UPDATED).where(belongs if mine else sa.or_(tables.c.private == sa.false(), belongs))
        if state is not None:
            wanted = wanted.where(tables.c.state == state)
        if game is not None:
            wanted = wanted.where(tables.c.game == _without_null(game))
        if player is not None:
            wanted = wanted.where(tables.c.names.contains(_without_null(player).casefold(), autoescape=True))
        if before is not None:
            wanted = wanted.where(tables.c.created < before)
        rows = await self.rows(wanted.order_by(tables.c.created.desc(), tables.c.id).limit(limit))
        return [info_from_row(row, owner, row["updated"]) for row in rows]

    async def due_tables(self, now: int, limit: int) -> list[tuple[str, int]]:
        """Tables that somebody should look after, each with its `wake_at`: a clock has run out, or a bot's worker has
        died."""
        rows = await self.rows(_DUE, now=now, most=limit)
        return [(row["id"], row["wake_at"]) for row in rows]

    async def claim(self, table_id: str, wake_at: int, until: int) -> bool:
        """Look after a due table for a while; False if another worker was first."""
        async with self.writing() as connection:
            done = await connection.execute(
                tables.update().where(tables.c.id == table_id, tables.c.wake_at == wake_at).values(wake_at=until)
            )
            return done.rowcount == 1

    async def bot_tables(self, host: str) -> int:
        """How many tables of this host are played by bots alone at present, in all workers."""
        query = sa.select(tables.c.summary).where(
            tables.c.host == host, tables.c.state == "playing", tables.c.wake_at.is_not(None)
        )
        found = [Summary.from_json(decode(row["summary"])) for row in await self.rows(query)]
        return sum(1 for each in found if all(seat.bot is not None for seat in each.seats))

    async def games_finished(self, identity_id: str, game: str) -> int:
        """How many games of a game a person has finished."""
        mine = sa.select(held.c.table_id).where(held.c.identity_id == identity_id)
        query = sa.select(sa.func.count().label("games")).where(
            tables.c.id.in_(mine), tables.c.game == game, tables.c.state == "finished"
        )
        return int((await self.rows(query))[0]["games"])

    # --- people ----------------------------------------------------------------------------------------------------

    async def identity(self, identity_id: str) -> Row | None:
        rows = await self.rows(sa.select(identities).where(identities.c.id == identity_id))
        return rows[0] if rows else None

    async def account(self, login: str) -> Row | None:
        """The account that logs in with this name."""
        rows = await self.rows(sa.select(identities).where(identities.c.login == login))
        return rows[0] if rows else None

    async def add_identity(self, row: Row) -> None:
        async with self.writing() as connection:
            await connection.execute(identities.insert(), [{**row, "public_id": public_id(row["id"])}])

    async def change_identity(self, identity_id: str, values: Row) -> Row:
        """Change some columns; returns the row. NameTaken if another account has the login."""
        values = {**values, "public_id": public_id(identity_id)}
        try:
            async with self.writing() as connection:
                await connection.execute(identities.update().where(identities.c.id == identity_id).values(**values))
        except IntegrityError as error:
            raise NameTaken from error
        rows = await self.rows(sa.select(identities).where(identities.c.id == identity_id))
        if not rows:
            raise NoIdentity
        return rows[0]

    async def epochs(self, identity_ids: list[str]) -> dict[str, int]:
        """How often each of these people has ended all their cookies."""
        query = sa.select(identities.c.id, identities.c.epoch).where(identities.c.id.in_(identity_ids))
        return {row["id"]: row["epoch"] for row in await self.rows(query)}

    async def ended(self, identity_ids: list[str]) -> set[str]:
        """The sessions of these people that were ended by logging out."""
        query = sa.select(ended_sessions.c.session).where(ended_sessions.c.identity_id.in_(identity_ids))
        return {row["session"] for row in await self.rows(query)}

    async def end_session(self, session: str, identity_id: str, now: int, forget: int) -> None:
        """Note that a session is over, and forget those from before `forget`, whose cookies are too old by now."""
        row = {"session": session, "identity_id": identity_id, "at": now}
        # Whoever ends it at the same moment may be first.
        with contextlib.suppress(IntegrityError):
            async with self.writing() as connection:
                await connection.execute(ended_sessions.delete().where(ended_sessions.c.at < forget))
                await connection.execute(ended_sessions.delete().where(ended_sessions.c.session == session))
                await connection.execute(ended_sessions.insert(), [row])

    # --- chat ------------------------------------------------------------------------------------------------------

    async def add_chat(self, row: Row) -> int:
        """Store a line of chat; returns its id."""
        async with self.writing() as connection:
            done = await connection.execute(chat.insert().returning(chat.c.id), [row])
            return int(done.scalar_one())

    async def chat_lines(self, table_id: str, limit: int) -> list[Row]:
        """The newest lines of chat, oldest first."""
        return (await self.rows(_CHAT, table_id=table_id, most=limit))[::-1]

    # --- analyses --------------------------------------------------------------------------------------------------

    async def analysis(self, table_id: str) -> Row | None:
        rows = await self.rows(sa.select(analyses).where(analyses.c.table_id == table_id))
        return rows[0] if rows else None

    async def claim_analysis(self, table_id: str, worker: str, now: int, stale: int) -> bool:
        """Note that this worker analyses a game; False if another does. An analysis that failed, or whose worker has
        not been heard of since `stale`, is taken over."""
        row: dict[str, Any] = {"worker": worker, "state": "waiting", "done": 0, "total": 0, "at": now, "found": ""}
        free = sa.or_(analyses.c.state == "failed", sa.and_(analyses.c.state != "done", analyses.c.at < stale))
        try:
            async with self.writing() as connection:
                done = await connection.execute(
                    analyses.update().where(analyses.c.table_id == table_id, free).values(**row)
                )
                if done.rowcount != 1:
                    await connection.execute(analyses.insert(), [{"table_id": table_id, **row}])
        except IntegrityError:
            return False
        return True

    async def update_analysis(self, table_id: str, worker: str, values: Row) -> None:
        """Change an analysis of this worker."""
        mine = (analyses.c.table_id == table_id, analyses.c.worker == worker)
        async with self.writing() as connection:
            await connection.execute(analyses.update().where(*mine).values(**values))

    async def drop_analysis(self, table_id: str, worker: str) -> None:
        """Forget an analysis of this worker, as if nobody had asked for it."""
        mine = (analyses.c.table_id == table_id, analyses.c.worker == worker)
        async with self.writing() as connection:
            await connection.execute(analyses.delete().where(*mine))


def _without_null(text: str) -> str:
    """PostgreSQL refuses the null character."""
    return text.replace("\x00", "")
