"""One worker among several of one parent: how uvicorn starts it, and what it does beside serving.

The parent gives each worker its configuration, and the worker builds the application from it. A worker takes sockets
over from the others (see `hand_over`), and it stops when its parent is gone: otherwise nobody would stop or restart it,
and it would keep the port.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog
from uvicorn.config import STARTUP_FAILURE
from uvicorn.lifespan.on import LifespanOn
from uvicorn.server import ServerState
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from wellies.server import logs
from wellies.server.hand_over import HandOver
from wellies.server.settings import Settings
from wellies.server.wire import LimitedConfig, LimitedHttp

if TYPE_CHECKING:
    from wellies.server.guard import Guard

SWITCH_INTERVAL: Final = 0.0005
"""Seconds after which a thread lets another one run."""
HEALTH_SECONDS: Final = 30
"""How long a worker may take to tell its parent that it lives. On a busy machine it starts slowly."""
STOP_SECONDS: Final = 5.0
"""How long received sockets may take to close when the worker stops."""
RESTART_SECONDS: Final = 1.0
"""The shortest time between two tries to replace a worker that cannot start."""

log = structlog.get_logger("wellies.run")


def set_up_process(settings: Settings) -> None:
    """Begin to log, and let threads switch often: while one replays a record, the event loop still answers all
    others."""
    logs.set_up(settings.log, settings.log_format)
    sys.setswitchinterval(SWITCH_INTERVAL)


def has_started(process: Process, patience: float) -> bool | None:
    """Whether a worker has started; None if it has ended, or does not answer within `patience` seconds.

    One that ends while it is asked is noticed at once: `Process.is_alive` would wait for its answer.
    """
    ended = process.process.sentinel
    try:
        process.parent_conn.send(b"ping")
        ready = wait([process.parent_conn, ended], patience)
        return None if ended in ready or not ready else bool(process.parent_conn.recv())
    except (OSError, EOFError, pickle.UnpicklingError):
        return None


class Workers(Multiprocess):
    """The parent of the workers: it replaces those that have ended.

    A new worker cannot start while the database is away. For uvicorn that is a reason to stop all the others. Here it
    is one only if no worker has ever served: after that a new one is started again and again, until it serves.
    """

    def __init__(self, config: WorkerConfig, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self._have_served = False
        self._next_try = 0.0

    def keep_subprocess_alive(self) -> None:
        for index, process in enumerate(self.processes):
            if self.should_exit.is_set():
                return
            serves = has_started(process, self.config.timeout_worker_healthcheck)
            if serves is not None:
                self._have_served = self._have_served or serves
                continue
            process.kill()  # it may hang
            process.join()
            if process.exitcode == STARTUP_FAILURE and not self._have_served:
                log.error("a worker could not start, so the server stops", process=process.pid)
                self.should_exit.set()
            elif process.exitcode != STARTUP_FAILURE or time.monotonic() >= self._next_try:
                self._next_try = time.monotonic() + RESTART_SECONDS
                log.warning("a worker has ended; a new one starts", process=process.pid, exit_code=process.exitcode)
                self.processes[index] = Process(self.config, self.sockets)
                self.processes[index].start()


class WorkerConfig(LimitedConfig):
    """The configuration of all workers of one parent. `folder` is where they hand sockets over; None: they do not."""

    def __init__(self, settings: Settings, folder: Path | None, **more: Any) -> None:
        super().__init__(
            "wellies.server.app:create_app",
            settings,
            factory=True,
            workers=settings.workers,
            timeout_worker_healthcheck=HEALTH_SECONDS,
            **more,
        )
        self.folder = folder
        self._guard: Guard | None = None

    def load_app(self) -> Callable[[], Any]:
        return self._make_app

    def _make_app(self) -> Guard:
        # Imported here, for that takes a while: the worker first tells its parent that it lives.
        from wellies.server.app import create_app

        set_up_process(self.settings)
        threading.Thread(target=_stop_with_parent, daemon=True).start()
        self._guard = create_app(self.settings)
        return self._guard

    def open_hand_over(self) -> HandOver | None:
        """What hands sockets over, counted by the application, which has started; None with one worker."""
        if self.folder is not None and self._guard is not None:
            self.hand_over = HandOver(self.folder, self._guard.app.state.metrics)
        return self.hand_over

    def load(self) -> None:
        super().load()
        self.lifespan_class = WorkerLifespan


class WorkerLifespan(LifespanOn):
    """Starts and stops what a worker does beside serving. Sockets from other workers are served like its own, but
    uvicorn does not know of them; so they are closed here when the worker stops."""

    config: WorkerConfig

    def __init__(self, config: WorkerConfig) -> None:
        super().__init__(config)
        self._received = ServerState()

    async def startup(self) -> None:
        await super().startup()
        hand_over = None if self.should_exit else self.config.open_hand_over()
        if hand_over is not None:
            hand_over.start(self._serve_received)

    async def shutdown(self) -> None:
        if self.config.hand_over is not None:
            await self.config.hand_over.stop()
        await self._close_received()
        await super().shutdown()

    async def _serve_received(self, client: socket.socket, data: bytes) -> None:
        """Serve a client whose connection another worker has handed over."""
        protocol = LimitedHttp(self.config, self._received, self.state, received=data)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, client)
        except OSError:
            client.close()
        else:
            protocol.read_received()

    async def _close_received(self) -> None:
        received = self._received
        for connection in list(received.connections):
            connection.shutdown()
        end = asyncio.get_running_loop().time() + STOP_SECONDS
        while (received.connections or received.tasks) and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.05)
        for task in received.tasks:
            task.cancel()


def _stop_with_parent() -> None:
    """Stop this worker when its parent is gone, for then nobody looks after it and the port stays in use."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
