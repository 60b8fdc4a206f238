"""Which bot thinks next: slots for thinking are shared fairly between people.

Each person has a queue of their own, and the queues take turns. So a person who asks for a hundred moves waits for
their own hundred, and delays everybody else by one at most. Tables where only bots play come after all others, and
never take all slots.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from wellies.bots import bot


class Purpose(msgspec.Struct, frozen=True):
    """For whom a bot thinks: `who` is the person who caused it, `watched` says that only bots play at the table, `hint`
    that somebody has asked for a hint and waits for it."""

    who: str = ""
    watched: bool = False
    hint: bool = False


ANYONE: Final = Purpose()


def is_instant(level: str) -> bool:
    """Whether a bot takes next to no time."""
    return bot(level).seconds <= 0


class FairQueue:
    """A number of slots, and a queue for each person who waits for one."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._taken = 0
        self._watched = 0
        """The slots that are taken by tables where only bots play."""
        self._queues: tuple[OrderedDict[str, deque[asyncio.Future[None]]], ...] = (OrderedDict(), OrderedDict())
        """By person: first for tables where people play, then for tables of bots. The next person comes first."""

    @property
    def free(self) -> int:
        return max(0, self._slots - self._taken)

    @property
    def waiting(self) -> int:
        return sum(len(queue) for queues in self._queues for queue in queues.values())

    def resize(self, slots: int) -> None:
        self._slots = max(1, slots)
        self._assign()

    @asynccontextmanager
    async def slot(self, purpose: Purpose) -> AsyncIterator[None]:
        """Wait for a slot, and hold it."""
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queues = self._queues[purpose.watched]
        queues.setdefault(purpose.who, deque()).append(ready)
        self._assign()
        try:
            await ready
        except asyncio.CancelledError:
            if ready.done() and not ready.cancelled():
                self._release(purpose.watched)
            else:
                self._remove(purpose, ready)
            raise
        try:
            yield
        finally:
            self._release(purpose.watched)

    def _release(self, watched: bool) -> None:
        self._taken -= 1
        self._watched -= watched
        self._assign()

    def _remove(self, purpose: Purpose, ready: asyncio.Future[None]) -> None:
        """Remove a request that was cancelled."""
        queues = self._queues[purpose.watched]
        queue = queues.get(purpose.who)
        if queue is not None and ready in queue:
            queue.remove(ready)
            if not queue:
                del queues[purpose.who]

    def _assign(self) -> None:
        """Give away the free slots."""
        while self._taken < self._slots:
            watched = not self._queues[0]
            queues = self._queues[watched]
            if not queues or (watched and self._watched >= max(1, self._slots // 2)):
                return
            who, queue = queues.popitem(last=False)
            ready = queue.popleft()
            if queue:
                queues[who] = queue
            if not ready.done():
                self._taken += 1
                self._watched += watched
                ready.set_result(None)
