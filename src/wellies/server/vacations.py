"""Vacations: a person's clocks of days stand still for some days a year.

The vacation is a row; each table gets an entry in its log. The rows are looked at again and again, so that a table
that begins meanwhile, or that a dying worker has left out, gets its entry too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from wellies.core.errors import WelliesError
from wellies.core.sources import random_hex
from wellies.server.identity import Identity
from wellies.server.storage import Row, StorageTrouble
from wellies.server.storage.alerting import vacation_used
from wellies.table import Refused, Summary
from wellies.table.codec import decode

if TYPE_CHECKING:
    from wellies.server.hub import Hub

log = structlog.get_logger("wellies.vacations")

DAY: Final = 86_400_000
YEAR: Final = 365 * DAY


class Vacation(msgspec.Struct):
    """`until`: the end of the vacation that goes on now, null if there is none. `left`: the whole days of vacation that
    this person still has within a year, of `most`."""

    until: int | None
    left: int
    most: int


class Vacations:
    """The vacations of everybody, as one worker sees to them."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def of(self, identity: Identity) -> Vacation:
        now, most = self._hub.clock.now(), self._hub.settings.vacation_days
        rows = await self._hub.storage.vacations(identity.id, now - YEAR)
        until = next((row["ends"] for row in rows if row["ends"] > now), None)
        left = max(0, most * DAY - vacation_used(rows, now - YEAR)) // DAY
        return Vacation(until, left, most)

    async def begin(self, identity: Identity, days: int) -> None:
        """Go on vacation for so many days. Refused if that is too long, or one is on vacation."""
        now, most = self._hub.clock.now(), self._hub.settings.vacation_days
        row: Row = {
            "id": random_hex(12),
            "identity_id": identity.id,
            "begins": now,
            "ends": now + days * DAY,
            "settled": False,
        }
        if not await self._hub.storage.begin_vacation(row, now - YEAR, most * DAY):
            found = await self.of(identity)
            if found.until is not None:
                raise Refused("on_vacation", "You are on vacation already.")
            raise Refused("no_vacation", f"You have {found.left} of {found.most} days a year left.")
        await self._settle(row)

    async def end(self, identity: Identity) -> None:
        """Come back before the vacation is over."""
        now = self._hub.clock.now()
        await self._hub.storage.end_vacation(identity.id, now)
        for row in await self._hub.storage.vacations(identity.id, now - DAY):
            if not row["settled"]:
                await self._settle(row)

    async def settle(self) -> None:
        """Tell all tables of everybody's vacations."""
        for row in await self._hub.storage.unsettled_vacations():
            await self._settle(row)

    async def _settle(self, vacation: Row) -> None:
        hub, person = self._hub, vacation["identity_id"]
        all_know = True
        for row in await hub.storage.tables_of(person):
            summary = Summary.from_json(decode(row["summary"]))
            away = [seat.away for seat in summary.seats if seat.identity == person]
            if summary.clock.kind != "days" or all(each == vacation["ends"] for each in away):
                continue
            try:
                live = await hub.get(row["id"], catch_up=True)
                await hub.change(live, lambda table: table.go_on_vacation(person, vacation["ends"], hub.clock.now()))
            except StorageTrouble:
                raise
            except WelliesError as error:
                all_know = False
                log.error("a table was not told of a vacation", table=row["id"], reason=str(error))
        if all_know and vacation["ends"] <= hub.clock.now():
            await hub.storage.settle_vacation(vacation["id"], vacation["ends"])
