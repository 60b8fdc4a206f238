"""Simulated channels between workers: messages take time, and may be lost, late, doubled or cut off.

They behave as those through Redis do: a worker hears of the tables it follows, its own messages included; it notices
after a while that it is cut off, and is told when messages arrive again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from random import Random
from typing import TYPE_CHECKING, Final

from simulation.history import CHANNEL_FAULTS
from wellies.server.channels import Channels, ChannelTrouble, OnHealth, OnMessage, OnReconnect

if TYPE_CHECKING:
    from simulation.worker import Machine, Worker

NOTICED_AFTER: Final = 1.0
"""Seconds after which a worker notices that it is cut off."""
ECHO_SECONDS: Final = 0.25


class SimulatedChannels(Channels):
    """One worker's end of the channels."""

    shared = True

    def __init__(self, worker: Worker) -> None:
        self.healthy = True
        self._worker = worker
        self._world = worker.world
        self._random: Random = worker.world.random(f"channels {worker.number} {worker.life}")
        self.followed: dict[str, None] = {}
        self._alone: set[str] = set()
        self._heard: deque[tuple[str, bytes]] = deque()
        self._arrived = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._on_health: OnHealth = lambda: None

    async def start(self, on_message: OnMessage, on_reconnect: OnReconnect, on_health: OnHealth) -> None:
        self._on_health = on_health
        self._worker.channels = self
        self._tasks = [
            asyncio.create_task(self._listen(on_message), name="channel listener"),
            asyncio.create_task(self._watch(on_reconnect), name="channel watch"),
        ]

    async def stop(self) -> None:
        self._worker.channels = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def follow(self, table_id: str) -> None:
        self.followed[table_id] = None

    def leave(self, table_id: str) -> None:
        self.followed.pop(table_id, None)
        self._alone.discard(table_id)

    def alone(self, table_id: str) -> bool:
        return table_id in self._alone

    async def ping(self) -> None:
        if self._cut_off():
            raise ChannelTrouble("The simulated channels do not answer.")

    def _cut_off(self) -> bool:
        return self._world.faults.strikes(("partition",), self._worker.number, self._random) is not None

    # --- sending ---------------------------------------------------------------------------------------------------

    def publish(self, table_id: str, message: bytes) -> None:
        world, random = self._world, self._random
        fault = world.faults.strikes(CHANNEL_FAULTS, self._worker.number, random)
        if fault is not None:
            world.faults.count(f"channel {fault}")
        if fault in ("lost", "partition"):
            return
        delay = random.uniform(0.0003, 0.005) + (random.uniform(0.05, 4.0) if fault == "late" else 0.0)
        world.trace("publish", self._worker.number, table_id, message)
        world.call_later(delay, self._count_receivers, table_id)
        for _ in range(2 if fault == "doubled" else 1):
            for machine in world.machines:
                world.call_later(delay + random.uniform(0.0, 0.002), _deliver, machine, table_id, message)

    def _count_receivers(self, table_id: str) -> None:
        """As Redis does when a message arrives there."""
        workers = [machine.worker for machine in self._world.machines if machine.worker is not None]
        ends = [worker.channels for worker in workers if worker.alive and worker.channels is not None]
        following = [end for end in ends if table_id in end.followed]
        if following == [self]:
            self._alone.add(table_id)
        else:
            self._alone.discard(table_id)

    def hear(self, table_id: str, message: bytes) -> None:
        """A message has arrived at this worker."""
        if table_id in self.followed and not self._cut_off():
            self._heard.append((table_id, message))
            self._arrived.set()

    # --- hearing ---------------------------------------------------------------------------------------------------

    async def _listen(self, on_message: OnMessage) -> None:
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._heard:
                await on_message(*self._heard.popleft())

    async def _watch(self, on_reconnect: OnReconnect) -> None:
        """Notice when messages do not arrive, and when they do again."""
        silent = 0.0
        first = True
        while first or not self.healthy or self._world.faults.may_strike(("partition",), self._worker.number):
            await asyncio.sleep(ECHO_SECONDS)
            if self._cut_off():
                silent += ECHO_SECONDS
                if silent >= NOTICED_AFTER and self.healthy:
                    self.healthy = False
                    self._on_health()
            elif first or not self.healthy:
                first, silent = False, 0.0
                if not self.healthy:
                    self.healthy = True
                    self._on_health()
                await on_reconnect()
            else:
                silent = 0.0


def _deliver(machine: Machine, table_id: str, message: bytes) -> None:
    worker = machine.worker
    if worker is not None and worker.alive and worker.channels is not None:
        worker.channels.hear(table_id, message)
