"""How workers tell each other what happened at a table: one alone need not, several do it through Redis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from wellies.core.errors import WelliesError

Hear = Callable[[str, bytes], Awaitable[None]]
Again = Callable[[], Awaitable[None]]
Turned = Callable[[], None]


class ChannelTrouble(WelliesError):
    """Other workers cannot be told."""


class Channels:
    """The interface, and its simplest form: one worker alone, where nobody else needs to hear anything."""

    shared = False
    well = True

    async def start(self, hear: Hear, again: Again, turned: Turned) -> None:
        """Begin to listen. `hear(table, message)` is called for each message, `again` after a time of deafness, and
        `turned` whenever `well` has changed."""

    async def stop(self) -> None: ...

    def publish(self, table_id: str, message: bytes) -> None:
        """Tell the other workers, without waiting; they look into the store if they miss it."""

    def follow(self, table_id: str) -> None:
        """Somebody here looks at this table now."""

    def leave(self, table_id: str) -> None:
        """Nobody here looks at this table any more."""

    async def ping(self) -> None:
        """ChannelTrouble if the channels do not work."""


def open_channels(address: str) -> Channels:
    """The channels for a Redis address; with none, those of one worker alone. Redis is imported only if it is used."""
    if not address:
        return Channels()
    from wellies.server.channels_redis import RedisChannels

    return RedisChannels(address)
