"""Regular checks of one worker: whether the store answers, which tables need care, and what was not heard of."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import structlog

from wellies.core.errors import WelliesError
from wellies.core.sources import monotonic, random_below
from wellies.server.live_table import Viewer
from wellies.server.storage import StorageTrouble

if TYPE_CHECKING:
    from wellies.server.hub import Hub

log = structlog.get_logger("wellies.health")

CHECK_SECONDS: Final = 1.0
"""How often the store is pinged and asked whether tables have changed without our hearing of it."""
IDENTITY_CHECKS: Final = 10
PRESENCE_CHECKS: Final = 20
EVICTION_CHECKS: Final = 30
"""Other work is done at every so many of these checks."""
CARE_SECONDS: Final = 0.5
"""How often the store is asked for tables that need care; varied by a quarter, so that workers take turns."""
CARE_LIMIT: Final = 50
UNUSED_SECONDS: Final = 600.0
"""After this time without viewers a table is dropped from memory."""
ROWS_AT_ONCE: Final = 500


class Health:
    """Runs the checks of a hub until it stops."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._storage = hub.storage
        self._storage_well = True
        self._tasks: list[asyncio.Task[Any]] = []
        self._stopping: asyncio.Task[Any]

    def start(self) -> None:
        self._stopping = self._hub.spawn(self._hub.stopping.wait(), "wait for the end")
        self._tasks = [self._hub.spawn(self._care(), "care for tables"), self._hub.spawn(self._check(), "checks")]

    async def stop(self) -> None:
        """Wait until the queries under way have ended: one that is cut off leaves its connection in doubt."""
        await asyncio.wait(self._tasks, timeout=2.0)

    async def _stops_within(self, seconds: float) -> bool:
        """Wait so long, or until the hub stops; whether it does."""
        ended, _ = await asyncio.wait((self._stopping,), timeout=seconds)
        return bool(ended)

    # --- tables that need care -------------------------------------------------------------------------------------

    async def _care(self) -> None:
        """Look after tables whose clock has run out or whose bot's worker has died."""
        while not await self._stops_within(CARE_SECONDS * (0.75 + random_below(500) / 1000)):
            try:
                now = self._hub.clock.now()
                due = await self._storage.due_tables(now, CARE_LIMIT)
                if not due:
                    continue
                # Together, for one of them may wait for answers of other workers.
                care = [self._care_for(table_id, wake_at, now) for table_id, wake_at in due]
                for outcome in await asyncio.gather(*care, return_exceptions=True):
                    if isinstance(outcome, BaseException):
                        raise outcome
            except StorageTrouble:
                await self._stops_within(1.0)

    async def _care_for(self, table_id: str, wake_at: int, now: int) -> None:
        hub = self._hub
        if not await self._storage.claim(table_id, wake_at, now + hub.rescue_millis):
            return
        try:
            live = await hub.get(table_id, catch_up=True)
            late = live.table.run_out(hub.clock.now())
            if late:
                connected = await hub.presence.connected_seats(live, late)
                level = hub.settings.stand_in_level
                await hub.change(live, lambda trial: trial.time_out(level, hub.clock.now(), connected))
        except StorageTrouble:
            raise
        except WelliesError as error:
            log.error("a table could not be looked after", table=table_id, reason=str(error))
        except Exception:
            # A bug, or a log that cannot be read: the other tables are looked after all the same.
            log.exception("a table could not be looked after", table=table_id)
        else:
            hub.bots.wake(live)

    # --- regular checks --------------------------------------------------------------------------------------------

    async def _check(self) -> None:
        count = 0
        while not await self._stops_within(CHECK_SECONDS):
            count += 1
            self._drop_stuck_viewers()
            await self._check_storage()
            if self._storage_well:
                try:
                    await self._find_missed_changes()
                    if count % IDENTITY_CHECKS == 0:
                        await self.check_identities()
                except StorageTrouble:
                    pass  # the next check finds out
                except Exception:
                    # A bug: it must not end the checks.
                    log.exception("a check failed")
            if count % EVICTION_CHECKS == 0:
                self._hub.evict(UNUSED_SECONDS)
            if self._hub.channels.shared and count % PRESENCE_CHECKS == 0:
                for live in self._hub.watched():
                    self._hub.presence.announce(live, ask=False)

    def _drop_stuck_viewers(self) -> None:
        now = monotonic()
        for live in self._hub.watched():
            for viewer in list(live.viewers):
                viewer.drop_if_stuck(now)

    async def _check_storage(self) -> None:
        """Ping the store, read its clock, and tell the tables when it goes away or comes back."""
        asked = monotonic()
        try:
            reference = await self._storage.ping()
            self._hub.clock.follow(reference, monotonic() - asked)
            well = True
        except StorageTrouble:
            well = False
        if well == self._storage_well:
            return
        self._storage_well = well
        log.warning("the store is back" if well else "the store is out of reach")
        if well:
            self._notice_all("all_well", "The store is back; go on.")
        else:
            self._notice_all("storage_trouble", "The store is out of reach; moves wait until it is back.")

    async def _find_missed_changes(self) -> None:
        """Catch up where another worker has stored something and its message was lost, or where a commit that failed
        has happened after all."""
        hub, now = self._hub, monotonic()
        watched = {
            live.table.id: live
            for live in hub.watched()
            if hub.channels.shared or live.may_be_stale or live.in_doubt_until > now
        }
        ids = list(watched)
        for start in range(0, len(ids), ROWS_AT_ONCE):
            for table_id, version in (await self._storage.versions(ids[start : start + ROWS_AT_ONCE])).items():
                live = watched[table_id]
                if version > live.table.version or live.may_be_stale:
                    async with live.lock:
                        await hub.catch_up(live)

    async def check_identities(self) -> None:
        """End the connections of people who have logged out since, here or through another worker."""
        people: dict[str, list[Viewer]] = {}
        for live in self._hub.watched():
            for viewer in live.viewers:
                if viewer.identity is not None:
                    people.setdefault(viewer.identity.id, []).append(viewer)
        ids = list(people)
        for start in range(0, len(ids), ROWS_AT_ONCE):
            some = ids[start : start + ROWS_AT_ONCE]
            epochs = await self._storage.epochs(some)
            ended = await self._storage.ended(some)
            for identity_id in some:
                for viewer in people[identity_id]:
                    seen = viewer.identity
                    if seen is not None and (seen.epoch != epochs.get(identity_id) or seen.session in ended):
                        viewer.end_session()

    def on_channels(self) -> None:
        """The channels between workers have failed or work again."""
        if self._hub.channels.healthy:
            self._notice_all("all_well", "Live updates work again.")
        else:
            self._notice_all("channel_trouble", "Live updates are slow for the moment; nothing is lost.")

    def _notice_all(self, code: str, text: str) -> None:
        for live in self._hub.watched():
            self._hub.notice(live, code, text, everywhere=False)
