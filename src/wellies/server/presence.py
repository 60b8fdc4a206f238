"""Who looks at which table: told to its viewers and to the other workers."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from wellies.server.channels import Channels
from wellies.server.live_table import LiveTable, Viewer
from wellies.server.messages import PresenceChanged, WorkerMessage, encode

PRESENCE_HOLDS: Final = 60.0
"""Seconds for which another worker's message about who is there counts."""
PRESENCE_DELAY: Final = 0.1
"""Seconds within which changes are sent as one message."""
QUERY_SECONDS: Final = 0.6
"""Seconds in which other workers may answer who looks at a table."""
QUERY_REPEATS: Final = 6


class PresenceTracker:
    """Keeps count of viewers, here and through other workers."""

    def __init__(self, channels: Channels, worker: str) -> None:
        self._channels = channels
        self._worker = worker

    def enter(self, live: LiveTable, viewer: Viewer) -> None:
        """Somebody looks at the table from now on."""
        first = not live.viewers
        live.viewers.add(viewer)
        if first:
            self._channels.follow(live.table.id)
        self.announce(live, ask=first)

    def leave(self, live: LiveTable, viewer: Viewer) -> None:
        """Somebody no longer looks at the table."""
        live.viewers.discard(viewer)
        if not live.viewers:
            self._channels.leave(live.table.id)
            if self._channels.shared:
                # Chat through other workers does not arrive here from now on.
                live.chat = None
        self.announce(live, ask=False)

    def announce(self, live: LiveTable, *, ask: bool) -> None:
        """Tell viewers and other workers who is here; with `ask`, the others answer the same."""
        live.presence_ask = bool(live.presence_ask) or ask
        self._schedule(live)

    def on_worker_message(self, live: LiveTable, message: WorkerMessage) -> None:
        """Another worker says who looks at the table through it."""
        if message.seats is None:
            return
        until = time.monotonic() + PRESENCE_HOLDS
        live.other_workers[message.worker] = (until, message.seats, message.watching)
        self._schedule(live)
        if message.ask and live.viewers:
            self.announce(live, ask=False)

    def _schedule(self, live: LiveTable) -> None:
        if live.presence_timer is None:
            live.presence_timer = asyncio.get_running_loop().call_later(PRESENCE_DELAY, self._send, live)

    def _send(self, live: LiveTable) -> None:
        ask, live.presence_ask, live.presence_timer = live.presence_ask, None, None
        if live.viewers:
            message = encode(PresenceChanged(live.presence()))
            for viewer in list(live.viewers):
                viewer.on_presence(message)
        if ask is not None and self._channels.shared:
            here = live.presence_here()
            self._publish(live, WorkerMessage(self._worker, seats=here.seats, watching=here.watching, ask=ask))

    def _publish(self, live: LiveTable, message: WorkerMessage) -> None:
        self._channels.publish(live.table.id, encode(message))

    async def connected_seats(self, live: LiveTable, wanted: list[int]) -> list[int]:
        """The seats whose owners look at the table through any worker. If nobody looks at it here, the other workers
        are asked about the `wanted` seats; if they cannot be asked, all of these count as connected: that costs others
        a little time, and nobody a game."""
        if not self._channels.shared or live.viewers:
            return live.presence().seats
        if not self._channels.healthy:
            return wanted
        live.other_workers.clear()
        self._channels.follow(live.table.id)
        end = time.monotonic() + QUERY_SECONDS
        while time.monotonic() < end and not set(wanted) <= set(live.presence().seats):
            # Asked repeatedly, for the channel may take a moment to open.
            self._publish(live, WorkerMessage(self._worker, seats=[], ask=True))
            await asyncio.sleep(QUERY_SECONDS / QUERY_REPEATS)
        if not live.viewers:
            self._channels.leave(live.table.id)
        return live.presence().seats
