"""Channels between workers through a real Redis, seen without servers around them."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import pytest
from server.faults import Cable
from server.serving import SOAK, until
from services import redis_url

from wellies.server.channels_redis import RedisChannels

CUTS = max(3, SOAK)
TABLES = [f"table{number}" for number in range(40)]


class Listener:
    """Channels of one worker, with what they have told it."""

    def __init__(self, url: str) -> None:
        self.channels = RedisChannels(url)
        self.heard: list[tuple[str, bytes]] = []
        self.reconnected = 0

    async def on_message(self, table: str, message: bytes) -> None:
        self.heard.append((table, message))
        if message == b"bug":
            raise RuntimeError("a bug of the listener")

    async def on_reconnect(self) -> None:
        self.reconnected += 1

    async def start(self) -> None:
        await self.channels.start(self.on_message, self.on_reconnect, lambda: None)
        await until(lambda: self.reconnected)


def play(scenario: Any) -> None:
    parts = urlsplit(redis_url())
    cable = Cable(parts.hostname or "", parts.port or 0)

    async def run() -> None:
        one, two = (Listener(f"redis://127.0.0.1:{cable.port}{parts.path}") for _ in range(2))
        await asyncio.gather(one.start(), two.start())
        try:
            await scenario(one, two, cable)
        finally:
            await asyncio.gather(one.channels.stop(), two.channels.stop())

    try:
        asyncio.run(run())
    finally:
        cable.close()


async def arrives(sender: Listener, receiver: Listener, table: str, message: bytes) -> None:
    """Messages are sent until one arrives: the subscription may be on its way."""
    while (table, message) not in receiver.heard:
        sender.channels.publish(table, message)
        await asyncio.sleep(0.05)


def test_following_many_tables_at_once_is_not_taken_for_silence() -> None:
    async def scenario(one: Listener, two: Listener, _cable: Cable) -> None:
        for table in TABLES:
            one.channels.follow(table)
        for table in TABLES:
            await arrives(two, one, table, b"1")
        assert one.reconnected == 1, "the connection was never given up"

    play(scenario)


def test_many_followed_tables_are_heard_of_again_after_redis_was_gone() -> None:
    async def scenario(one: Listener, two: Listener, cable: Cable) -> None:
        for table in TABLES:
            one.channels.follow(table)
        await arrives(two, one, TABLES[-1], b"before")
        for cut in range(CUTS):
            # Subscriptions change while the connection breaks and comes back.
            cable.cut()
            for table in TABLES[:20]:
                (one.channels.leave if cut % 2 else one.channels.follow)(table)
            await until(lambda: not one.channels.healthy and not two.channels.healthy)
            two.channels.follow(f"other{cut}")
            cable.mend()
            one.channels.follow(f"more{cut}")
            await until(lambda: one.channels.healthy and two.channels.healthy)
            for table in TABLES[20:]:
                await arrives(two, one, table, b"after %d" % cut)

    play(scenario)


def test_a_bug_in_a_listener_does_not_end_listening(capfd: pytest.CaptureFixture[str]) -> None:
    async def scenario(one: Listener, two: Listener, _cable: Cable) -> None:
        one.channels.follow("table")
        await arrives(two, one, "table", b"bug")
        await arrives(two, one, "table", b"good")

    play(scenario)
    assert "a task for redis failed" in "".join(capfd.readouterr())


def test_a_bug_in_the_client_of_redis_does_not_end_sending(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def scenario(one: Listener, two: Listener, _cable: Cable) -> None:
        def broken(*_: object, **__: object) -> None:
            raise RuntimeError("a bug of redis-py")

        one.channels.follow("table")
        with monkeypatch.context() as patch:
            for name in ("publish", "pipeline"):
                patch.setattr(two.channels._redis, name, broken)
            two.channels.publish("table", b"lost")
            await until(lambda: not two.channels.healthy and two.channels._out.empty())
        await until(lambda: two.channels.healthy)
        await arrives(two, one, "table", b"good")

    play(scenario)
    assert "a bug of redis-py" in "".join(capfd.readouterr())


def test_a_worker_knows_whether_it_alone_follows_a_table() -> None:
    async def sends_until(sender: Listener, alone: bool) -> None:
        while sender.channels.alone("table") != alone:
            sender.channels.publish("table", b"")
            await asyncio.sleep(0.02)

    async def scenario(one: Listener, two: Listener, cable: Cable) -> None:
        two.channels.follow("table")
        await arrives(one, two, "table", b"there")
        assert not one.channels.alone("table"), "the one that follows it is another"
        one.channels.follow("table")
        await arrives(two, one, "table", b"both")
        assert not one.channels.alone("table")
        two.channels.leave("table")
        await sends_until(one, True)
        two.channels.follow("table")
        await sends_until(one, False)
        two.channels.leave("table")
        await sends_until(one, True)
        cable.cut()
        await until(lambda: not one.channels.healthy)
        cable.mend()
        await until(lambda: one.channels.healthy)
        assert not one.channels.alone("table"), "what was known before does not count"
        await sends_until(one, True)
        one.channels.leave("table")
        assert not one.channels.alone("table")

    play(scenario)
