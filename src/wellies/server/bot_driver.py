"""Lets bots move in worker processes where it is their turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from msgspec import Raw

from wellies.server.fair_queue import Purpose
from wellies.server.live_table import LiveTable
from wellies.table.bot_driver import TableBots

if TYPE_CHECKING:
    from wellies.server.hub import Hub

log = structlog.get_logger("wellies.bots")


class BotDriver(TableBots[LiveTable]):
    """Moves the bots of the tables of one hub."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(hub, hub.settings.stand_in_seconds)
        self._hub = hub

    async def _ask(self, live: LiveTable, level: str, view: Raw, seat: int) -> str:
        purpose = Purpose(live.table.setup.host, watched=live.table.only_bots())
        text, _ = await self._hub.pool.choose(level, bytes(view), seat, purpose)
        return text

    def _on_late_move(self, live: LiveTable, seat: int, error: Exception) -> None:
        log.info("a bot's move came too late", table=live.table.id, seat=seat, reason=str(error))
