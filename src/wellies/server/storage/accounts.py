"""The queries that concern all that belongs to one person: to export it, and to delete it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from wellies.core.sources import random_hex
from wellies.server.finished import GONE
from wellies.server.forgetting import SEAT_KINDS, forget_in_entries, forget_in_row
from wellies.server.storage.database import Database, Row
from wellies.server.storage.finishing import LOCK
from wellies.server.storage.schema import (
    alert_settings,
    avoided_people,
    chat,
    deletions,
    ended_sessions,
    entries,
    finished_seats,
    friend_codes,
    friendships,
    game_requests,
    held,
    identities,
    invitations,
    last_seen,
    preferences,
    push_subscriptions,
    rating_changes,
    ratings,
    sent_alerts,
    tables,
    vacations,
)
from wellies.table import LogEntry
from wellies.table.seats import SOMEONE

TABLES_AT_ONCE: Final = 100
"""Tables that are rewritten in one transaction, so that nobody waits long for it."""
ROWS_AT_ONCE: Final = 500
PERSONAL: Final = (
    (game_requests, "identity_id"),
    (friendships, "identity_id"),
    (friendships, "friend_id"),
    (preferences, "identity_id"),
    (avoided_people, "identity_id"),
    (avoided_people, "other_id"),
    (friend_codes, "identity_id"),
    (invitations, "identity_id"),
    (invitations, "from_id"),
    (last_seen, "identity_id"),
    (alert_settings, "identity_id"),
    (push_subscriptions, "identity_id"),
    (sent_alerts, "identity_id"),
    (vacations, "identity_id"),
)
"""Rows that are deleted with a person, by the column that names them."""
REWRITTEN: Final = (
    (chat, "identity_id"),
    (deletions, "identity_id"),
    (ended_sessions, "identity_id"),
    (finished_seats, "identity_id"),
    (held, "identity_id"),
    (rating_changes, "player"),
    (ratings, "player"),
    (tables, "host"),
)
"""The other columns that name people; what becomes of them is said below."""
EXPORTED: Final = (preferences, alert_settings, push_subscriptions, vacations, friendships, avoided_people)
"""What else an export has of a person."""
NOT_EXPORTED: Final = ("identity_id", "friend_id", "other_id", "id", "code", "auth", "p256dh")
"""Ids of people, and what gives access to something."""


@dataclass(frozen=True, slots=True)
class Deletion:
    """A person who is being deleted: what stands in the place of the id, and the tables that are still to be done."""

    identity_id: str
    gone: str
    tables: list[str]


class Accounts:
    """Everything of one person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- export ----------------------------------------------------------------------------------------------------

    async def chat_of(self, identity_id: str) -> AsyncIterator[list[Row]]:
        """All lines of chat that a person has written, some at a time."""
        last = 0
        columns = (chat.c.id, chat.c.table_id, chat.c.seat, chat.c.name, chat.c.text, chat.c.at)
        while True:
            query = sa.select(*columns).where(chat.c.identity_id == identity_id, chat.c.id > last)
            rows = await self._database.rows(query.order_by(chat.c.id).limit(ROWS_AT_ONCE))
            if not rows:
                return
            yield rows
            last = rows[-1]["id"]

    async def settings_of(self, identity_id: str) -> dict[str, list[Row]]:
        """What a person has set, and whom they know, by table."""
        found = {}
        for table in EXPORTED:
            wanted = [column for column in table.columns if column.name not in NOT_EXPORTED]
            query = sa.select(*wanted).where(table.c.identity_id == identity_id)
            found[str(table.name)] = await self._database.rows(query)
        return found

    async def tables_of(self, identity_id: str) -> list[Row]:
        """The tables that a person holds a seat at or hosts, with their games and states, the oldest first."""
        mine = sa.select(held.c.table_id).where(held.c.identity_id == identity_id)
        query = (
            sa.select(tables.c.id, tables.c.game, tables.c.state, tables.c.created)
            .where(sa.or_(tables.c.id.in_(mine), tables.c.host == identity_id))
            .order_by(tables.c.created, tables.c.id)
        )
        return await self._database.rows(query)

    # --- deletion --------------------------------------------------------------------------------------------------

    async def begin_deletion(self, identity_id: str, now: int) -> None:
        """From now on nobody can log in as this person, their sessions are over, and they have no ratings."""
        async with self._database.writing() as connection:
            known = await connection.execute(sa.select(deletions.c.gone).where(deletions.c.identity_id == identity_id))
            if known.first() is None:
                row = {"identity_id": identity_id, "gone": f"{GONE}{random_hex(8)}", "tables": "", "at": now}
                await connection.execute(deletions.insert(), [row])
            await connection.execute(
                identities.update()
                .where(identities.c.id == identity_id)
                .values(name=SOMEONE, login=None, password=None, public_id=None, epoch=identities.c.epoch + 1)
            )
            # At once, so that nobody is written to any more.
            await _delete_personal(connection, identity_id)

    async def deletions(self) -> list[str]:
        """The people whose deletion has begun."""
        return [row["identity_id"] for row in await self._database.rows(sa.select(deletions.c.identity_id))]

    async def deletion(self, identity_id: str) -> Deletion | None:
        """How far a deletion is; tables that the person has come to since are added."""
        rows = await self._database.rows(sa.select(deletions).where(deletions.c.identity_id == identity_id))
        if not rows:
            return None
        listed = rows[0]["tables"].split()
        found = {row["id"] for row in await self.tables_of(identity_id)}
        wanted = [*listed, *sorted(found - set(listed))]
        if wanted != listed:
            async with self._database.writing() as connection:
                await _set_tables(connection, identity_id, wanted)
        return Deletion(identity_id, rows[0]["gone"], wanted)

    async def unfinished(self, table_ids: list[str]) -> list[str]:
        """Those of these tables whose games are not over."""
        found: list[str] = []
        for start in range(0, len(table_ids), ROWS_AT_ONCE):
            some = table_ids[start : start + ROWS_AT_ONCE]
            query = sa.select(tables.c.id).where(tables.c.id.in_(some), tables.c.state != "finished")
            found += [row["id"] for row in await self._database.rows(query)]
        return found

    async def forget_tables(self, deletion: Deletion) -> Deletion:
        """Take the person out of the next tables; returns what is left to be done."""
        some, rest = deletion.tables[:TABLES_AT_ONCE], deletion.tables[TABLES_AT_ONCE:]
        who, gone = deletion.identity_id, deletion.gone
        async with self._database.writing() as connection:
            # All workers lock the rows of tables in this order.
            found = await connection.execute(sa.select(tables).where(tables.c.id.in_(some)).order_by(tables.c.id))
            rows = [dict(row) for row in found.mappings()]
            logs: dict[str, list[LogEntry]] = {}
            wanted = sa.select(entries).where(entries.c.table_id.in_(some), entries.c.kind.in_(SEAT_KINDS))
            for entry in await connection.execute(wanted.order_by(entries.c.table_id, entries.c.number)):
                one = LogEntry(entry.number, entry.kind, entry.seat, entry.text, entry.at)
                logs.setdefault(entry.table_id, []).append(one)
            texts: list[dict[str, Any]] = []
            for row in rows:
                changed = forget_in_entries(row["setup"], logs.get(row["id"], []), who)
                texts += [{"which": row["id"], "place": number, "new": text} for number, text in changed.items()]
                values = forget_in_row(row, who)
                await connection.execute(tables.update().where(tables.c.id == row["id"]).values(**values))
            if texts:
                await connection.execute(
                    entries.update()
                    .where(entries.c.table_id == sa.bindparam("which"), entries.c.number == sa.bindparam("place"))
                    .values(text=sa.bindparam("new")),
                    texts,
                )
            await connection.execute(held.delete().where(held.c.identity_id == who, held.c.table_id.in_(some)))
            await connection.execute(
                finished_seats.update()
                .where(finished_seats.c.identity_id == who, finished_seats.c.table_id.in_(some))
                .values(identity_id=gone, name=SOMEONE, folded=SOMEONE.casefold())
            )
            await _set_tables(connection, who, rest)
        return Deletion(who, gone, rest)

    async def end_deletion(self, deletion: Deletion) -> None:
        """Delete what is left of the person."""
        who, gone = deletion.identity_id, deletion.gone
        async with self._database.writing() as connection:
            await connection.execute(chat.delete().where(chat.c.identity_id == who))
            await connection.execute(ended_sessions.delete().where(ended_sessions.c.identity_id == who))
            await _delete_personal(connection, who)
            await connection.execute(identities.delete().where(identities.c.id == who))
            await connection.execute(
                finished_seats.update()
                .where(finished_seats.c.identity_id == who)
                .values(identity_id=gone, name=SOMEONE, folded=SOMEONE.casefold())
            )
            if connection.dialect.name == "postgresql":
                await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            await connection.execute(ratings.delete().where(ratings.c.player == who))
            await connection.execute(rating_changes.update().where(rating_changes.c.player == who).values(player=gone))
            await connection.execute(deletions.delete().where(deletions.c.identity_id == who))


async def _delete_personal(connection: AsyncConnection, identity_id: str) -> None:
    for table, column in PERSONAL:
        await connection.execute(table.delete().where(table.c[column] == identity_id))
    await connection.execute(game_requests.delete().where(game_requests.c.people.contains(identity_id)))


async def _set_tables(connection: AsyncConnection, identity_id: str, table_ids: list[str]) -> None:
    await connection.execute(
        deletions.update().where(deletions.c.identity_id == identity_id).values(tables=" ".join(table_ids))
    )
