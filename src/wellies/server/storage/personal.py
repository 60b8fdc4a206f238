"""What each person likes, and whom they avoid: the queries."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from wellies.server.storage.database import Database, Row
from wellies.server.storage.schema import avoided_people, preferences

_PREFERENCES: Final = (
    sa.select(preferences).where(preferences.c.identity_id == sa.bindparam("identity_id")).order_by(preferences.c.name)
)
_AVOIDED: Final = (
    sa.select(avoided_people)
    .where(avoided_people.c.identity_id == sa.bindparam("identity_id"))
    .order_by(avoided_people.c.at, avoided_people.c.other_id)
)
_BLOCKED: Final = sa.select(avoided_people.c.other_id).where(
    avoided_people.c.identity_id == sa.bindparam("identity_id"),
    avoided_people.c.other_id == sa.bindparam("other_id"),
    avoided_people.c.kind == "block",
)

_APART: Final = sa.select(avoided_people.c.identity_id, avoided_people.c.other_id).where(
    sa.or_(
        avoided_people.c.identity_id == sa.bindparam("identity_id"),
        avoided_people.c.other_id == sa.bindparam("identity_id"),
    ),
    avoided_people.c.kind == "block",
)


class PersonalQueries(Database):
    """A part of `Storage`."""

    async def preferences(self, identity_id: str) -> list[Row]:
        """What a person has chosen: `name`, `value` as JSON, and when (`at`)."""
        return await self.rows(_PREFERENCES, identity_id=identity_id)

    async def set_preferences(self, identity_id: str, rows: list[Row]) -> None:
        """Store some preferences, each only if nothing later is stored under its name."""
        if not rows:
            return
        new: Any = self._insert(preferences).values([{"identity_id": identity_id, **row} for row in rows])
        statement = new.on_conflict_do_update(
            index_elements=["identity_id", "name"],
            set_={"value": new.excluded.value, "at": new.excluded.at},
            where=new.excluded.at >= preferences.c.at,
        )
        async with self.writing() as connection:
            await connection.execute(statement)

    async def avoided(self, identity_id: str) -> list[Row]:
        """Whom a person mutes or blocks, in the order in which they chose it."""
        return await self.rows(_AVOIDED, identity_id=identity_id)

    async def avoid(self, row: Row) -> None:
        """Mute or block somebody, in place of what was chosen for them before."""
        new: Any = self._insert(avoided_people).values(row)
        changed = {name: new.excluded[name] for name in ("kind", "name", "at")}
        statement = new.on_conflict_do_update(index_elements=["identity_id", "other_id"], set_=changed)
        async with self.writing() as connection:
            await connection.execute(statement)

    async def stop_avoiding(self, identity_id: str, other_id: str) -> None:
        mine = (avoided_people.c.identity_id == identity_id, avoided_people.c.other_id == other_id)
        async with self.writing() as connection:
            await connection.execute(avoided_people.delete().where(*mine))

    async def has_blocked(self, identity_id: str, other_id: str) -> bool:
        """Whether the first person blocks the second."""
        return bool(await self.rows(_BLOCKED, identity_id=identity_id, other_id=other_id))

    async def kept_apart(self, identity_id: str) -> set[str]:
        """The people whom this person blocks, and those who block this person."""
        found = await self.rows(_APART, identity_id=identity_id)
        return {row["identity_id"] if row["other_id"] == identity_id else row["other_id"] for row in found}

    def _insert(self, table: sa.Table) -> Any:
        """An insert that can update what is there."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)
