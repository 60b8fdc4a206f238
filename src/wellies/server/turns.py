"""Who may think next: time to think is shared between people, not between thoughts.

Each person has a line of their own, and the lines take turns: whoever asks for a hundred thoughts waits for their own
ninety-nine, and everybody else for one of them at most. Thoughts that nobody plays for (at tables of bots alone) come
behind all others, and never take every place.
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
    """For whom something is thought about: `who` is the person who caused it, `watched` whether nobody plays there,
    `hint` whether somebody asked for advice and waits for it."""

    who: str = ""
    watched: bool = False
    hint: bool = False


SOMEBODY: Final = Purpose()


def is_instant(level: str) -> bool:
    """Whether a bot takes no time worth speaking of."""
    return bot(level).seconds <= 0


class Turns:
    """So many places to think, and the lines of those who wait for one."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._taken = 0
        self._watched = 0
        self._lines: tuple[OrderedDict[str, deque[asyncio.Future[None]]], ...] = (OrderedDict(), OrderedDict())
        """Those of people who play, then those of tables of bots alone; the person whose turn is next stands first."""

    @property
    def free(self) -> int:
        return max(0, self._places - self._taken)

    @property
    def waiting(self) -> int:
        return sum(len(line) for lines in self._lines for line in lines.values())

    def resize(self, places: int) -> None:
        self._places = max(1, places)
        self._call()

    @asynccontextmanager
    async def turn(self, purpose: Purpose) -> AsyncIterator[None]:
        """Wait for a place, and have it until the end."""
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lines = self._lines[purpose.watched]
        lines.setdefault(purpose.who, deque()).append(ready)
        self._call()
        try:
            await ready
        except asyncio.CancelledError:
            if ready.done() and not ready.cancelled():
                self._leave(purpose.watched)
            else:
                self._drop(purpose, ready)
            raise
        try:
            yield
        finally:
            self._leave(purpose.watched)

    def _leave(self, watched: bool) -> None:
        self._taken -= 1
        self._watched -= watched
        self._call()

    def _drop(self, purpose: Purpose, ready: asyncio.Future[None]) -> None:
        """Somebody no longer waits."""
        lines = self._lines[purpose.watched]
        line = lines.get(purpose.who)
        if line is not None and ready in line:
            line.remove(ready)
            if not line:
                del lines[purpose.who]

    def _call(self) -> None:
        """Give away the places that are free."""
        while self._taken < self._places:
            watched = not self._lines[0]
            lines = self._lines[watched]
            if not lines or (watched and self._watched >= max(1, self._places // 2)):
                return
            who, line = lines.popitem(last=False)
            ready = line.popleft()
            if line:
                lines[who] = line
            if not ready.done():
                self._taken += 1
                self._watched += watched
                ready.set_result(None)
