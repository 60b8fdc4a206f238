"""One table in memory, with the connections that look at it."""

from __future__ import annotations

import asyncio
from typing import Protocol

from msgspec import Raw

from wellies.core.sources import monotonic
from wellies.server.identity import Identity
from wellies.server.messages import NOTHING, Presence, encode
from wellies.table import Table
from wellies.table.live_table import ShownTable, TableViewer
from wellies.table.view import LegalMode


class Viewer(TableViewer, Protocol):
    """A connection, as the table knows it."""

    identity: Identity | None

    def on_message(self, message: bytes) -> None:
        """Chat or a notice. A slow client keeps the newest only."""

    def on_presence(self, message: bytes) -> None:
        """Who looks at the table; only the newest counts."""

    def drop_if_stuck(self, now: float) -> None:
        """Give up if the client has taken nothing for long."""

    def end_session(self) -> None:
        """The person has logged out everywhere or has a new password: the connection must identify itself again."""


class LiveTable(ShownTable[Viewer]):
    """A table, its viewers, and what was encoded for them."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.used = monotonic()
        """When somebody last asked for it."""
        self.in_doubt_until = 0.0
        """Until when a commit without an answer, of this server or of one before it, may still happen."""
        self.checked = monotonic()
        """When this was last known to be as new as the store."""
        self.followed = monotonic()
        """When somebody here began to look at it, after a time in which nobody did."""
        self.other_workers: dict[str, tuple[float, list[int], int]] = {}
        """Who looks at the table through other workers: (until when that holds, seats, spectators) by worker."""
        self.presence_timer: asyncio.TimerHandle | None = None
        """Set while a message about who is there is about to be sent."""
        self.presence_ask: bool | None = None
        """Whether that message asks the other workers too; None: it is not sent to them."""
        self._views: dict[int | None, Raw] = {}
        self._legal: dict[tuple[int, LegalMode], Raw] = {}
        self._encoded_for: Table | None = None

    # --- encoded once for all who may see the same -----------------------------------------------------------------

    def _drop_outdated(self) -> None:
        if self._encoded_for is not self.table:
            self._views.clear()
            self._legal.clear()
            self._encoded_for = self.table

    def view(self, seat: int | None) -> Raw | None:
        """The view of a seat or of spectators, encoded; None before the game."""
        self._drop_outdated()
        encoded = self._views.get(seat)
        if encoded is None:
            view = super().view(seat)
            if view is None:
                return None
            encoded = self._views[seat] = Raw(encode(view))
        return encoded

    def legal(self, seat: int | None, mode: LegalMode) -> Raw:
        """The legal moves of a seat's open decision, encoded."""
        if seat is None or mode == "none":
            return NOTHING
        self._drop_outdated()
        encoded = self._legal.get((seat, mode))
        if encoded is None:
            encoded = self._legal[(seat, mode)] = Raw(encode(super().legal(seat, mode)))
        return encoded

    # --- who looks at it -------------------------------------------------------------------------------------------

    def presence_here(self) -> Presence:
        """Who looks at the table through this worker."""
        return Presence(*self.watched_here())

    def presence(self) -> Presence:
        """Who looks at the table through any worker."""
        now = monotonic()
        here = self.presence_here()
        seats, watching = set(here.seats), here.watching
        for until, others, spectators in self.other_workers.values():
            if until > now:
                seats.update(others)
                watching += spectators
        return Presence(sorted(seats), watching)
