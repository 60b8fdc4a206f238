"""Work on finished games and deleted people that was left undone: games that an earlier version finished become part of
their players' histories, and deletions that were cut off are brought to their end.

It is done in small pieces, and can be stopped and begun again at any moment; several workers may do the same.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from wellies.core.errors import WelliesError
from wellies.core.sources import monotonic
from wellies.server.finished import finished_game
from wellies.server.storage import StorageTrouble
from wellies.table.analysis import Analysis, SeatSum
from wellies.table.codec import decode

if TYPE_CHECKING:
    from wellies.server.hub import Hub

log = structlog.get_logger("wellies.history")

GAMES_AT_ONCE: Final = 20
PAUSE_SECONDS: Final = 3600.0
"""How often it is looked for. During an upgrade an old worker may finish games."""


class GameRecorder:
    """Records what is missing, for a hub."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._storage = hub.storage
        self._unreadable: set[str] = set()
        """Tables that cannot be replayed here: their game is not installed, or their log is damaged."""
        self.passes = 0
        """How often everything that was missing has been recorded."""

    async def run(self) -> None:
        """Do what is missing, again and again, until the hub stops."""
        stopping = self._hub.stopping
        while not stopping.is_set():
            try:
                await self.record_all()
                for identity_id in await self._storage.accounts.deletions():
                    await self._hub.delete_person(identity_id)
            except StorageTrouble as error:
                log.warning("finished games could not be recorded; tried again later", reason=str(error))
            else:
                self.passes += 1
            try:
                await asyncio.wait_for(stopping.wait(), PAUSE_SECONDS)
            except TimeoutError:
                continue

    async def record_all(self) -> int:
        """Record all games that are missing; returns how many."""
        count, after = 0, ""
        while not self._hub.stopping.is_set():
            found = await self._storage.history.unrecorded(after, GAMES_AT_ONCE)
            if not found:
                break
            after = found[-1]
            for table_id in found:
                if table_id not in self._unreadable and not self._hub.stopping.is_set():
                    count += await self._record(table_id)
        if count:
            log.info("finished games were added to their players' histories", games=count)
        return count

    async def _record(self, table_id: str) -> bool:
        began = monotonic()
        try:
            table = await self._hub.read_table(table_id)
            game = finished_game(table)
        except StorageTrouble:
            raise
        except Exception as error:
            self._unreadable.add(table_id)
            reason = str(error) if isinstance(error, WelliesError) else repr(error)
            log.warning("a finished game cannot be added to its players' histories", table=table_id, reason=reason)
            return False
        if game is None:
            self._unreadable.add(table_id)
            return False
        await self._storage.history.record(game)
        row = await self._storage.analysis(table_id)
        if row is not None and row["state"] == "done":
            sums = [SeatSum(**seat) for seat in decode(row["found"])["seats"]]
            await self._storage.history.note_losses(table_id, losses(sums))
        # Players come first: no more than half of the time is used.
        await asyncio.sleep(monotonic() - began)
        return True


def losses(sums: list[SeatSum]) -> dict[int, tuple[float, int]]:
    """The points lost and the decisions that were judged, by seat."""
    return {each.seat: (each.lost, each.decisions) for each in sums}


def losses_of(found: Analysis | None) -> dict[int, tuple[float, int]]:
    """The same of an analysis that is done."""
    return {} if found is None or found.state != "done" else losses(found.seats)
