"""How workers tell each other what happened at a table. One worker alone need not; several do it through Redis."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from wellies.core.errors import WelliesError

OnMessage = Callable[[str, bytes], Awaitable[None]]
OnReconnect = Callable[[], Awaitable[None]]
OnHealth = Callable[[], None]


class ChannelTrouble(WelliesError):
    """Other workers cannot be told."""


class Channels:
    """The interface, and its simplest form: one worker alone, where no message is sent."""

    shared = False
    healthy = True

    async def start(self, on_message: OnMessage, on_reconnect: OnReconnect, on_health: OnHealth) -> None:
        """Begin to listen. `on_message(table, message)` is called for each message, `on_reconnect` once messages arrive
        and after a time in which they were lost, `on_health` whenever `healthy` has changed."""

    async def stop(self) -> None: ...

    def publish(self, table_id: str, message: bytes) -> None:
        """Send a message to the other workers, without waiting. One that misses it finds the change in the store."""

    def follow(self, table_id: str) -> None:
        """Somebody here looks at this table now."""

    def leave(self, table_id: str) -> None:
        """Nobody here looks at this table any more."""

    def alone(self, table_id: str) -> bool:
        """Whether this worker, and no other one, followed this table when it last sent a message about it."""
        return False

    async def followers(self, table_id: str) -> int | None:
        """How many other workers have people who look at this table; None if that is not known."""
        return None

    async def ping(self) -> None:
        """ChannelTrouble if the channels do not work."""


def open_channels(address: str) -> Channels:
    """The channels for a Redis address; with none, those of one worker alone. Redis is imported only if it is used."""
    if not address:
        return Channels()
    from wellies.server.channels_redis import RedisChannels

    return RedisChannels(address)
