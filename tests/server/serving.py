"""A server for tests: in a thread of this process, or as processes of their own. Each has its own database and port."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import IO, Any

import asyncpg
import uvicorn
from services import postgres_url

from wellies.server.app import create_app
from wellies.server.hub import Hub
from wellies.server.run import address_of, config_for, listen
from wellies.server.settings import Settings, load
from wellies.server.storage import Storage

LONGEST = 300.0
"""Seconds that anything may take before a test fails: far above what a busy machine needs."""
SOAK = int(os.environ.get("WELLIES_SOAK", "0"))
EASY: dict[str, Any] = {
    "port": 0,
    "log": "error",
    "requests_per_second": 0,
    "records_per_second": 0,
    "guests_per_minute": 0,
    "logins_per_minute": 0,
    "people_per_minute": 0,
    "mails_per_hour": 0,
    "messages_per_second": 0,
    "sockets_each": 0,
    "bot_processes": 1,
    "bot_tables_each": 0,
    "stand_in_seconds": 0,
}
"""Tests ask a lot from one address."""


def settings_for(database: str, **more: Any) -> Settings:
    return load({**EASY, "database": database, **more}, environment={}).settings


def play(scenario: Coroutine[Any, Any, object]) -> None:
    """Run a scenario to its end."""
    asyncio.run(asyncio.wait_for(scenario, LONGEST))


async def until(happened: Callable[[], object]) -> None:
    """Wait for something to become true."""
    async with asyncio.timeout(LONGEST):
        while not happened():
            await asyncio.sleep(0.01)


class Running:
    """A server in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        listening = listen(settings)
        self.url = address_of(listening)
        self.guard = create_app(settings)
        self._server = uvicorn.Server(config_for(self.guard, settings))
        self.loop: asyncio.AbstractEventLoop
        self._thread = threading.Thread(target=self._run, args=(listening,), daemon=True)
        self._thread.start()
        end = time.monotonic() + LONGEST
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            assert time.monotonic() < end, "the server takes too long to start"
            time.sleep(0.01)

    def _run(self, listening: socket.socket) -> None:
        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            await self._server.serve(sockets=[listening])

        with asyncio.Runner(loop_factory=self._server.config.get_loop_factory()) as runner:
            runner.run(serve())

    @property
    def hub(self) -> Hub:
        hub: Hub = self.guard.app.state.hub
        return hub

    @property
    def storage(self) -> Storage:
        storage = self.hub.storage
        assert isinstance(storage, Storage)
        return storage

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(LONGEST)
        assert not self._thread.is_alive(), "the server does not stop"


@contextlib.contextmanager
def running(database: str, **more: Any) -> Iterator[Running]:
    server = Running(settings_for(database, **more))
    try:
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def sqlite_file() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="wellies-test-") as folder:
        yield str(Path(folder) / "wellies.db")


@contextlib.contextmanager
def postgres_database() -> Iterator[str]:
    """A database of its own on the PostgreSQL of this run."""
    name = f"wellies_test_{uuid.uuid4().hex[:12]}"
    asyncio.run(_administer(f"CREATE DATABASE {name}"))
    try:
        yield f"{postgres_url()}/{name}"
    finally:
        asyncio.run(_administer(f"DROP DATABASE {name} WITH (FORCE)"))


async def _administer(command: str) -> None:
    connection = await asyncpg.connect(f"{postgres_url()}/postgres")
    try:
        await connection.execute(command)
    finally:
        await connection.close()


class Worker:
    """A server process of its own, which can be killed."""

    def __init__(self, database: str, *, port: int = 0, errors: IO[bytes] | None = None, **more: Any) -> None:
        environment = {**os.environ}
        for name, value in {**EASY, "database": database, "port": port, **more}.items():
            environment[f"WELLIES_{name.upper()}"] = str(value)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from wellies.cli.serve import serve; serve()"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert "http://" in line, f"the worker did not start: {line!r}"
        self.url = line.split()[3]
        self.port = int(self.url.rsplit(":", 1)[1])

    def wait_ready(self) -> Worker:
        import httpx

        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/health", timeout=10, trust_env=False).status_code == 200:
                    return self
            time.sleep(0.05)
        raise AssertionError("the worker does not answer")

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """kill -9, bots' processes too."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(LONGEST)
            except subprocess.TimeoutExpired:
                self.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()
