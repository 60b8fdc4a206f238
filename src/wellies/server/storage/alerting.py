"""The queries for alerts (who wants which, where they go, which were sent) and for vacations."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from wellies.server.storage.database import Database, Row
from wellies.server.storage.schema import (
    alert_settings,
    game_requests,
    held,
    invitations,
    kept_secrets,
    push_subscriptions,
    sent_alerts,
    tables,
    vacations,
)
from wellies.server.storage.upsert import insert_new, lock, upsert

MOST_SUBSCRIPTIONS: Final = 10
"""Browsers of one person that get push messages; the oldest one makes room."""


class AlertQueries(Database):
    """Alerts and vacations."""

    # --- what people want ------------------------------------------------------------------------------------------

    async def kept_secret(self, name: str, new: str) -> str:
        """A secret of the server that is made once: `new`, unless there is one of this name."""
        query = sa.select(kept_secrets.c.value).where(kept_secrets.c.name == name)
        rows = await self.rows(query)
        if not rows:
            async with self.writing() as connection:
                await insert_new(connection, kept_secrets, {"name": name, "value": new})
            rows = await self.rows(query)
        return str(rows[0]["value"])

    async def alert_settings(self, identity_id: str) -> Row | None:
        rows = await self.rows(sa.select(alert_settings).where(alert_settings.c.identity_id == identity_id))
        return rows[0] if rows else None

    async def alert_settings_by_code(self, code: str) -> Row | None:
        query = sa.select(alert_settings).where(alert_settings.c.code == code.replace("\x00", ""))
        rows = await self.rows(query)
        return rows[0] if rows else None

    async def set_alert_settings(self, row: Row) -> None:
        async with self.writing() as connection:
            await upsert(connection, alert_settings, row)

    async def push_subscriptions(self, identity_id: str) -> list[Row]:
        query = (
            sa.select(push_subscriptions)
            .where(push_subscriptions.c.identity_id == identity_id)
            .order_by(push_subscriptions.c.at, push_subscriptions.c.id)
        )
        return await self.rows(query)

    async def add_push_subscription(self, row: Row) -> None:
        """Store a subscription. An endpoint belongs to whoever used that browser last."""
        mine = push_subscriptions.c.identity_id == row["identity_id"]
        async with self.writing() as connection:
            await upsert(connection, push_subscriptions, row)
            newest = (
                sa.select(push_subscriptions.c.id)
                .where(mine)
                .order_by(push_subscriptions.c.at.desc(), push_subscriptions.c.id.desc())
                .limit(MOST_SUBSCRIPTIONS)
            )
            keep = [str(each) for each in (await connection.execute(newest)).scalars()]
            await connection.execute(push_subscriptions.delete().where(mine, push_subscriptions.c.id.not_in(keep)))

    async def drop_push_subscription(self, subscription_id: str) -> None:
        async with self.writing() as connection:
            await connection.execute(push_subscriptions.delete().where(push_subscriptions.c.id == subscription_id))

    # --- what is to be told ----------------------------------------------------------------------------------------

    async def waiting_tables(self) -> list[Row]:
        """The running tables of people who want alerts, where somebody is waited for: one row for each person."""
        query = (
            sa.select(held.c.identity_id, tables.c.id, tables.c.version, tables.c.waiting, tables.c.summary)
            .join(alert_settings, alert_settings.c.identity_id == held.c.identity_id)
            .join(tables, tables.c.id == held.c.table_id)
            .where(alert_settings.c.active == sa.true(), tables.c.state == "playing", tables.c.waiting != "")
            .order_by(tables.c.id, held.c.identity_id)
        )
        return await self.rows(query)

    async def calls(self, since: int, now: int) -> list[Row]:
        """Invitations since a time, and games found lately, of people who want alerts: person, table, kind, name."""
        wants = alert_settings.c.active == sa.true()
        asked = (
            sa.select(
                invitations.c.identity_id,
                invitations.c.table_id,
                sa.literal("invitation").label("kind"),
                invitations.c.from_name.label("name"),
                tables.c.game,
            )
            .join(alert_settings, alert_settings.c.identity_id == invitations.c.identity_id)
            .join(tables, tables.c.id == invitations.c.table_id)
            .where(wants, tables.c.state == "open", invitations.c.at > since)
        )
        found = (
            sa.select(
                game_requests.c.identity_id,
                game_requests.c.table_id,
                sa.literal("found").label("kind"),
                sa.literal("").label("name"),
                game_requests.c.game,
            )
            .join(alert_settings, alert_settings.c.identity_id == game_requests.c.identity_id)
            .where(wants, game_requests.c.table_id.is_not(None), game_requests.c.expires > now)
        )
        rows = await self.rows(asked) + await self.rows(found)
        return sorted(rows, key=lambda row: (row["table_id"], row["identity_id"]))

    async def claim_alert(self, identity_id: str, table_id: str, about: str, at: int) -> bool:
        """Note that a person is alerted about something at a table; False if they were already, by any worker."""
        row = {"identity_id": identity_id, "table_id": table_id, "about": about, "at": at}
        async with self.writing() as connection:
            return await insert_new(connection, sent_alerts, row)

    async def forget_alerts(self, before: int) -> None:
        """Forget the alerts from before a time."""
        async with self.writing() as connection:
            await connection.execute(sent_alerts.delete().where(sent_alerts.c.at < before))

    # --- vacations -------------------------------------------------------------------------------------------------

    async def begin_vacation(self, row: Row, since: int, most: int) -> bool:
        """Store a vacation, unless the person would have more than `most` milliseconds of it since a time, or has one
        now."""
        async with self.writing() as connection:
            await lock(connection, f"vacations {row['identity_id']}")
            query = sa.select(vacations).where(vacations.c.identity_id == row["identity_id"], vacations.c.ends > since)
            there = [dict(each) for each in (await connection.execute(query)).mappings()]
            if any(each["ends"] > row["begins"] for each in there):
                return False
            if vacation_used(there, since) + row["ends"] - row["begins"] > most:
                return False
            await connection.execute(vacations.insert(), [row])
            return True

    async def vacations(self, identity_id: str, since: int) -> list[Row]:
        """A person's vacations that ended after a time, the oldest first."""
        query = (
            sa.select(vacations)
            .where(vacations.c.identity_id == identity_id, vacations.c.ends > since)
            .order_by(vacations.c.begins)
        )
        return await self.rows(query)

    async def end_vacation(self, identity_id: str, now: int) -> None:
        """End a person's vacation before its time."""
        query = (vacations.c.identity_id == identity_id, vacations.c.ends > now)
        async with self.writing() as connection:
            await connection.execute(vacations.update().where(*query).values(ends=now, settled=False))

    async def unsettled_vacations(self) -> list[Row]:
        """Vacations of which tables may not know yet, or not yet that they are over."""
        return await self.rows(sa.select(vacations).where(vacations.c.settled == sa.false()).order_by(vacations.c.id))

    async def settle_vacation(self, vacation_id: str, ends: int) -> None:
        """All tables know the end of a vacation, which has passed."""
        query = (vacations.c.id == vacation_id, vacations.c.ends == ends)
        async with self.writing() as connection:
            await connection.execute(vacations.update().where(*query).values(settled=True))

    async def tables_of(self, identity_id: str) -> list[Row]:
        """The running tables at which a person holds a seat, without their logs."""
        query = (
            sa.select(tables.c.id, tables.c.game, tables.c.summary, tables.c.waiting, tables.c.wake_at)
            .join(held, held.c.table_id == tables.c.id)
            .where(held.c.identity_id == identity_id, tables.c.state == "playing")
            .order_by(tables.c.id)
        )
        return await self.rows(query)


def vacation_used(rows: list[Row], since: int) -> int:
    """The milliseconds of vacation after a time."""
    return sum(max(0, row["ends"] - max(since, row["begins"])) for row in rows)
