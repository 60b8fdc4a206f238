"""Who looks at which table: told to its viewers and to the other workers."""

from __future__ import annotations

import asyncio
from typing import Final

from wellies.core.sources import monotonic
from wellies.server.channels import Channels
from wellies.server.live_table import LiveTable, Viewer
from wellies.server.messages import PresenceChanged, WorkerMessage, encode

PRESENCE_HOLDS: Final = 60.0
"""Seconds for which another worker's message about who is there counts."""
PRESENCE_DELAY: Final = 0.1
"""Seconds within which changes are sent as one message."""
ANSWER_SECONDS: Final = 10.0
"""Seconds in which other workers that look at a table may answer who does; on a busy machine that takes a while."""
SETTLED_SECONDS: Final = 1.0
"""So long after somebody here began to look at a table, all other workers that look at it have usually said so."""
GUESS_SECONDS: Final = 0.6
"""The same if it is not known how many workers will answer."""


class PresenceTracker:
    """Keeps count of viewers, here and through other workers."""

    def __init__(self, channels: Channels, worker: str) -> None:
        self._channels = channels
        self._worker = worker

    def enter(self, live: LiveTable, viewer: Viewer) -> None:
        """Somebody looks at the table from now on."""
        first = not live.viewers
        live.viewers[viewer] = None
        if first:
            live.followed = monotonic()
            self._channels.follow(live.table.id)
        self.announce(live, ask=first)

    def leave(self, live: LiveTable, viewer: Viewer) -> None:
        """Somebody no longer looks at the table."""
        live.viewers.pop(viewer, None)
        if not live.viewers:
            self._channels.leave(live.table.id)
        self.announce(live, ask=False)

    def announce(self, live: LiveTable, *, ask: bool) -> None:
        """Tell viewers and other workers who is here; with `ask`, the others answer the same."""
        live.presence_ask = bool(live.presence_ask) or ask
        self._schedule(live)

    def on_worker_message(self, live: LiveTable, message: WorkerMessage) -> None:
        """Another worker says who looks at the table through it."""
        if message.seats is None:
            return
        until = monotonic() + PRESENCE_HOLDS
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
            version = live.table.version
            self._publish(
                live, WorkerMessage(self._worker, seats=here.seats, watching=here.watching, ask=ask, version=version)
            )

    def _publish(self, live: LiveTable, message: WorkerMessage) -> None:
        self._channels.publish(live.table.id, encode(message))

    def nobody_else_looks(self, live: LiveTable) -> bool:
        """Whether the table is looked at through this worker alone, so that no other one need be told what happens.
        One that has just begun to look, and has not been heard yet, asks: it is answered with our version."""
        now = monotonic()
        settled = now - live.followed > SETTLED_SECONDS or self._channels.alone(live.table.id)
        if not (self._channels.healthy and live.viewers and settled):
            return False
        return not any(until > now and (seats or watching) for until, seats, watching in live.other_workers.values())

    async def connected_seats(self, live: LiveTable, wanted: list[int], *, if_unknown: bool = True) -> list[int]:
        """The seats whose owners look at the table through any worker. If nobody looks at it here, the other workers
        are asked about the `wanted` seats; if they cannot be asked or do not answer, all of these count as connected:
        that costs others a little time, and nobody a game. With `if_unknown` false they do not."""
        if not self._channels.shared or live.viewers:
            return live.presence().seats
        if not self._channels.healthy:
            return wanted if if_unknown else []
        live.other_workers.clear()
        workers = await self._channels.followers(live.table.id)
        self._channels.follow(live.table.id)
        end = monotonic() + (GUESS_SECONDS if workers is None else ANSWER_SECONDS)
        pause = 0.05
        while not (answered := self._has_answer(live, wanted, workers)) and monotonic() < end:
            # Asked repeatedly, for the channel may take a moment to open.
            self._publish(live, WorkerMessage(self._worker, seats=[], ask=True))
            await asyncio.sleep(pause)
            pause = min(1.0, 1.5 * pause)
        if not live.viewers:
            self._channels.leave(live.table.id)
        unknown = not answered and workers is not None
        return wanted if unknown and if_unknown else live.presence().seats

    def _has_answer(self, live: LiveTable, wanted: list[int], workers: int | None) -> bool:
        """Whether all that is asked for is known: all owners are there, or every other worker has answered."""
        answers = len(live.other_workers.keys() - {self._worker})
        return set(wanted) <= set(live.presence().seats) or (workers is not None and answers >= workers)
