"""The queries for finding a game: requests, friends, invitations, and who was here last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import sqlalchemy as sa

from wellies.server.storage.database import Database, Row
from wellies.server.storage.schema import (
    friend_codes,
    friendships,
    game_requests,
    identities,
    invitations,
    last_seen,
    tables,
)
from wellies.server.storage.upsert import lock, upsert

MOST_WAITING: Final = 500
"""Requests for one game and pace that are looked at, the oldest first."""
_LOCK: Final = "requests"
"""Whoever changes requests holds it, so that nobody is found two games."""

Choose = Callable[[Row, list[Row]], list[Row]]
"""Who plays with somebody who asks, of those who wait; empty if nobody fits. In the order in which they sit."""


class FindingQueries(Database):
    """Requests for games, friends and invitations."""

    # --- requests --------------------------------------------------------------------------------------------------

    async def ask_for_game(self, row: Row, now: int, found: Row, choose: Choose) -> Row:
        """Store a request or renew it, and if others who wait fit, find them a game: all of it in one transaction, and
        one at a time. `choose` names them; `found` is what is then written into the request of each
        (the id of a table, and until when they may be told); returns the request as it is then. A request for which a
        game was found already stays as it is."""
        async with self.writing() as connection:
            await lock(connection, _LOCK)
            mine = game_requests.c.identity_id == row["identity_id"]
            there = (await connection.execute(sa.select(game_requests).where(mine))).mappings().first()
            if there is not None and there["id"] == row["id"]:
                if there["table_id"] is not None:
                    return dict(there)
                row = {**row, "created": there["created"]}
            await upsert(connection, game_requests, row)
            wanted = (
                sa.select(game_requests)
                .where(
                    game_requests.c.game == row["game"],
                    game_requests.c.pace == row["pace"],
                    game_requests.c.table_id.is_(None),
                    game_requests.c.expires > now,
                    game_requests.c.identity_id != row["identity_id"],
                )
                .order_by(game_requests.c.created, game_requests.c.identity_id)
                .limit(MOST_WAITING)
            )
            waiting = [dict(each) for each in (await connection.execute(wanted)).mappings()]
            group = choose(row, waiting)
            if not group:
                return row
            values = {**found, "people": people_text(group)}
            ids = [each["identity_id"] for each in group]
            await connection.execute(
                game_requests.update().where(game_requests.c.identity_id.in_(ids)).values(**values)
            )
            return {**row, **values}

    async def game_request(self, identity_id: str) -> Row | None:
        """What game a person looks for, or was found."""
        rows = await self.rows(sa.select(game_requests).where(game_requests.c.identity_id == identity_id))
        return rows[0] if rows else None

    async def waiting_requests(self, now: int) -> list[Row]:
        """The games, paces and numbers of players that people wait for, with how many do."""
        count = sa.func.count().label("people")
        columns = (game_requests.c.game, game_requests.c.pace, game_requests.c.seats)
        query = (
            sa.select(*columns, count)
            .where(game_requests.c.table_id.is_(None), game_requests.c.expires > now)
            .group_by(*columns)
            .order_by(*columns)
        )
        return await self.rows(query)

    async def end_request(self, identity_id: str, request_id: str, forget: int) -> None:
        """Forget a person's request, and those of others that nobody has renewed since `forget`."""
        async with self.writing() as connection:
            await lock(connection, _LOCK)
            await connection.execute(
                game_requests.delete().where(
                    game_requests.c.identity_id == identity_id, game_requests.c.id == request_id
                )
            )
            await connection.execute(game_requests.delete().where(game_requests.c.expires < forget))

    # --- friends ---------------------------------------------------------------------------------------------------

    async def friends(self, identity_id: str) -> list[Row]:
        """The friends of a person and those who are to become it: each with handle, state, name and when last seen."""
        seen = sa.func.coalesce(last_seen.c.at, 0).label("seen")
        query = (
            sa.select(friendships, identities.c.name, seen)
            .join(identities, identities.c.id == friendships.c.friend_id)
            .join(last_seen, last_seen.c.identity_id == friendships.c.friend_id, isouter=True)
            .where(friendships.c.identity_id == identity_id)
            .order_by(identities.c.name, friendships.c.friend_id)
        )
        return await self.rows(query)

    async def set_friendship(self, rows: list[Row]) -> None:
        """Store how two people stand to each other: a row for each of them. Handles that are there are kept."""
        async with self.writing() as connection:
            for row in sorted(rows, key=lambda each: str(each["identity_id"])):
                pair = (
                    friendships.c.identity_id == row["identity_id"],
                    friendships.c.friend_id == row["friend_id"],
                )
                changed = await connection.execute(
                    friendships.update().where(*pair).values(state=row["state"], at=row["at"])
                )
                if changed.rowcount == 0:
                    await upsert(connection, friendships, row)

    async def end_friendship(self, one: str, other: str) -> None:
        pairs = sa.or_(
            sa.and_(friendships.c.identity_id == one, friendships.c.friend_id == other),
            sa.and_(friendships.c.identity_id == other, friendships.c.friend_id == one),
        )
        async with self.writing() as connection:
            await connection.execute(friendships.delete().where(pairs))

    async def friend_code(self, identity_id: str) -> str | None:
        """The code of a person's friend link, if they have one."""
        rows = await self.rows(sa.select(friend_codes.c.code).where(friend_codes.c.identity_id == identity_id))
        return str(rows[0]["code"]) if rows else None

    async def set_friend_code(self, identity_id: str, code: str) -> None:
        async with self.writing() as connection:
            await upsert(connection, friend_codes, {"identity_id": identity_id, "code": code})

    async def person_of_code(self, code: str) -> Row | None:
        """The person whose friend link has this code."""
        query = (
            sa.select(identities)
            .join(friend_codes, friend_codes.c.identity_id == identities.c.id)
            .where(friend_codes.c.code == code.replace("\x00", ""))
        )
        rows = await self.rows(query)
        return rows[0] if rows else None

    # --- invitations -----------------------------------------------------------------------------------------------

    async def invite(self, rows: list[Row]) -> None:
        async with self.writing() as connection:
            for row in sorted(rows, key=lambda each: str(each["identity_id"])):
                await upsert(connection, invitations, row)

    async def invitations(self, identity_id: str) -> list[Row]:
        """A person's invitations to tables whose game has not begun, with the table's game and link."""
        query = (
            sa.select(invitations, tables.c.game, tables.c.invite)
            .join(tables, tables.c.id == invitations.c.table_id)
            .where(invitations.c.identity_id == identity_id, tables.c.state == "open")
            .order_by(invitations.c.at.desc(), invitations.c.table_id)
        )
        return await self.rows(query)

    async def drop_invitation(self, identity_id: str, table_id: str) -> None:
        query = (invitations.c.identity_id == identity_id, invitations.c.table_id == table_id)
        async with self.writing() as connection:
            await connection.execute(invitations.delete().where(*query))

    # --- who is here, and whose turn it is -------------------------------------------------------------------------

    async def note_seen(self, identity_id: str, at: int) -> None:
        async with self.writing() as connection:
            await upsert(connection, last_seen, {"identity_id": identity_id, "at": at})


def people_text(group: list[Row]) -> str:
    """The people of a new table in the order in which they sit, as a request keeps them."""
    return "\n".join(f"{each['identity_id']} {each['name']}" for each in group)
