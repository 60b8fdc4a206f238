"""A table of this device in memory."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from wellies.core.events import Json
from wellies.table import Table
from wellies.table.live_table import ShownTable, TableViewer


class LocalViewer(TableViewer, Protocol):
    """A page that looks at a table."""

    def on_message(self, message: str) -> None:
        """A notice."""

    def on_presence(self, message: str) -> None:
        """Who looks at the table."""

    def close(self, code: int, reason: str) -> None:
        """The table is gone."""


class LocalTable(ShownTable[LocalViewer]):
    """A table, its viewers, and its timers."""

    def __init__(self, table: Table, row: Json) -> None:
        super().__init__(table)
        self.row = row
        """As it is stored, with the analysis, if there is one."""
        self.gone = False
        """Whether the table was removed."""
        self.clock_timer: asyncio.TimerHandle | None = None
        """Set while a clock runs: it ends then."""
        self.rescue_timer: asyncio.TimerHandle | None = None
        """Set while another tab should move the bots."""
        self.doubt_task: asyncio.Task[None] | None = None
        """Asks the store until it says how the table stands, after it has failed."""

    def presence(self) -> Json:
        seats, watching = self.watched_here()
        return {"seats": seats, "watching": watching}

    def stop_timers(self) -> None:
        for timer in (self.clock_timer, self.rescue_timer):
            if timer is not None:
                timer.cancel()
        self.clock_timer = self.rescue_timer = None

    def tell(self, message: Any) -> None:
        """Send a message to all viewers."""
        for viewer in list(self.viewers):
            viewer.on_message(message)
