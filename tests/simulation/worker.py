"""One simulated worker process: the real application, which can be started, stopped and killed."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from simulation.channels import SimulatedChannels
from simulation.failures import SimulationFailure
from simulation.loop import WORKER
from simulation.network import Request, Socket
from simulation.processes import SimulatedProcesses
from simulation.storage import SimulatedStorage
from wellies.server.app import Parts, create_app
from wellies.server.botpool import BotPool
from wellies.server.channels import Channels
from wellies.server.guard import Guard
from wellies.server.hub import Hub
from wellies.server.limits import Limits
from wellies.server.metrics import Metrics
from wellies.server.settings import Settings
from wellies.server.storage import Store

if TYPE_CHECKING:
    from simulation.world import World


GRACE_SECONDS: Final = 5.0
"""Seconds that requests have to end when a worker stops, as uvicorn is told."""
STOP_SECONDS: Final = 60.0
"""A worker that stops takes no longer than this."""


TIGHT: Final = {"tables_in_memory": 1, "messages_per_second": 20.0, "messages_burst": 30}
"""Settings of a server that has little room."""


def _storage(_address: str) -> Store:
    worker: Worker = WORKER.get()
    worker.storage = SimulatedStorage(worker)
    return worker.storage


def _channels(_address: str) -> Channels:
    worker: Worker = WORKER.get()
    return SimulatedChannels(worker) if worker.world.history.shared else Channels()


def _pool(settings: Settings, metrics: Metrics) -> BotPool:
    worker: Worker = WORKER.get()
    worker.pool = BotPool(2, settings.bot_seconds, metrics, SimulatedProcesses(worker))
    return worker.pool


async def _no_gc() -> None:
    """The collector is the test's own."""


PARTS = Parts(_storage, _channels, _pool, tune_gc=_no_gc)


@cache
def _application(_number: int) -> Guard:
    """The application of a worker. Building one takes long, so it is kept for the next history and started anew."""
    settings = Settings(
        alert_seconds=0.0,
        database="simulated",
        secret="simulated",
        bot_processes=2,
        bot_tables_each=0,
        rescue_seconds=3.0,
        stand_in_seconds=0.5,
        stand_in_level="random",
        hint_level="random",
        requests_per_second=0,
        guests_per_minute=0,
        records_per_second=0,
        messages_per_second=0,
        sockets_each=6,
    )
    return create_app(settings, PARTS)


class Worker:
    """A worker process: from its start until it stops or dies."""

    def __init__(self, machine: Machine, life: int) -> None:
        self.world = machine.world
        self.machine = machine
        self.number = machine.number
        self.life = life
        """Which process of this machine it is."""
        self.app = machine.app
        self.alive = True
        self.serving = False
        """Whether it takes requests."""
        self.crash_in: int | None = None
        """After so many steps it dies."""
        self.requests: dict[Request, asyncio.Task[None]] = {}
        self.sockets: dict[Socket, asyncio.Task[None]] = {}
        self.channels: SimulatedChannels | None = None
        self.storage: SimulatedStorage | None = None
        self.pool: BotPool
        self.hub: Hub
        self.limits: Limits
        self.random: Random = self.world.random(f"worker {self.number} {life}")
        self.monotonic_base = self.random.uniform(1_000.0, 900_000.0)
        self._context = contextvars.copy_context()
        self._context.run(WORKER.set, self)
        self._stop: asyncio.Future[None] = self.world.loop.create_future()
        self._started: asyncio.Future[bool] = self.world.loop.create_future()
        self._stopped: asyncio.Future[None] = self.world.loop.create_future()

    @property
    def skew_millis(self) -> int:
        return self.machine.skew_millis

    def on_step(self) -> None:
        if self.crash_in is not None and self.alive:
            self.crash_in -= 1
            if self.crash_in < 0:
                self.crash()

    def run(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Run something in this process."""
        return self.world.loop.create_task(work, name=name, context=self._context.copy())

    async def start(self) -> bool:
        """Whether it could start."""
        self.world.trace("starts", self.number, self.life)
        self.run(self._live(), "lifespan")
        self.serving = self.alive = await self._started
        if self.serving:
            self.hub = self.app.app.state.hub
            if self.world.history.tight:
                self.hub.settings = msgspec.structs.replace(self.hub.settings, **TIGHT)
            self.limits = self.app.app.state.limits
        return self.serving

    async def _live(self) -> None:
        events = [{"type": "lifespan.startup"}]

        async def receive() -> Any:
            if events:
                return events.pop()
            await self._stop
            return {"type": "lifespan.shutdown"}

        async def send(event: Any) -> None:
            if event["type"] == "lifespan.startup.complete":
                self._started.set_result(True)
            elif event["type"] == "lifespan.startup.failed" and not self.world.faults.storage_failed:
                self.world.fail("start", event["message"])
            elif event["type"] == "lifespan.shutdown.failed":
                self.world.fail("stop", event["message"])

        try:
            await self.app({"type": "lifespan", "asgi": {}, "state": {}}, receive, send)  # type: ignore[arg-type]
        except Exception:
            if not self._started.done():
                self._started.set_result(False)
        self._stopped.set_result(None)

    def crash(self) -> None:
        """Die at once."""
        self.world.trace("crash", self.number)
        self.world.faults.count("worker killed")
        self.alive = self.serving = False
        self.channels = None
        self.world.loop.expect_loss(self)
        if not self._started.done():
            self._started.set_result(False)
        if self.storage is not None:
            self.storage.lose_some()
        for request in list(self.requests):
            request.lose()
        for socket in list(self.sockets):
            socket.lose()

    async def stop(self) -> None:
        """Stop as a server does on a signal: close the sockets, let requests end or cancel them after a while, then
        stop the application."""
        self.world.trace("stop", self.number)
        self.serving = False
        for socket in list(self.sockets):
            socket.shut_down()
        self.world.call_later(GRACE_SECONDS, self._cancel_all)
        await self._until(lambda: not self.sockets and not self.requests, "sockets or requests do not end")
        if self.alive and not self._stop.done():  # a second signal may come while it stops
            self._stop.set_result(None)
        await self._until(self._stopped.done, "its application does not end")
        self.alive = False

    def _cancel_all(self) -> None:
        if self.alive:
            for task in (*self.requests.values(), *self.sockets.values()):
                task.cancel()

    async def _until(self, done: Callable[[], bool], what: str) -> None:
        end = self.world.loop.now + STOP_SECONDS
        while self.alive and not done():
            if self.world.loop.now > end:
                raise SimulationFailure("stop", f"worker {self.number} does not stop: {what}")
            await asyncio.sleep(0.02)


class Machine:
    """Where a worker runs: its clock, and the process that runs there now."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.skew_millis = world.history.skews[number]
        """How far its clock is off."""
        self.app = _application(number)
        self.worker: Worker | None = None
        self._lives = 0
        self._starting = False

    @property
    def serving(self) -> bool:
        return self.worker is not None and self.worker.serving

    async def start(self) -> None:
        """Start a process, as often as it takes: the store may be out of reach."""
        if self._starting:
            return
        self._starting = True
        while not self.serving:
            self._lives += 1
            self.worker = Worker(self, self._lives)
            if not await self.worker.start():
                await asyncio.sleep(0.3)
        self._starting = False
