"""The programs of a deployment, each of which can be killed with kill -9 and started again on the same port."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import services
from server.serving import EASY, LONGEST


def free_port(host: str = "127.0.0.1") -> int:
    with socket.socket() as free:
        free.bind((host, 0))
        port: int = free.getsockname()[1]
        return port


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that still run, with those that they have started."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for tasks in Path(f"/proc/{pid}/task").iterdir():
            for child in (tasks / "children").read_text(encoding="ascii").split():
                found += [int(child), *children_of(int(child))]
    return found


def is_python_worker(pid: int) -> bool:
    """Whether this is a worker that Python's multiprocessing has started, and not its resource tracker."""
    with contextlib.suppress(OSError):
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def kill(*pids: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Part:
    """A program. `prefix` is put before its command, to run it elsewhere."""

    def __init__(self, command: list[str], answers: Callable[[], bool], **more: Any) -> None:
        self.command = command
        self._answers = answers
        self._more = more
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, **self._more)
        end = time.monotonic() + LONGEST
        while not self._answers():
            assert self._process.poll() is None, f"{self.command[0]} has ended"
            assert time.monotonic() < end, f"{self.command[0]} does not answer"
            time.sleep(0.02)

    def kill(self) -> None:
        """kill -9 of the process alone; what it has started is left to itself."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """End it, with all that it has started."""
        if self._process is not None and self._process.poll() is None:
            started = children_of(self.pid)
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
            self.kill()
            kill(*started)


class Redis(Part):
    """A Redis that stores nothing: killed and started again, it is empty."""

    def __init__(self, host: str = "127.0.0.1", prefix: list[str] | None = None) -> None:
        if services.find_redis() is None:
            services.skip_without("Redis")
        port = 6379 if prefix else free_port()
        command = [*(prefix or []), *services.redis_command(port, host)]
        super().__init__(command, lambda: services.redis_answers(port, host), stdout=subprocess.DEVNULL)
        self.url = f"redis://{host}:{port}/0"


class Postgres(Part):
    """A PostgreSQL of its own, with the settings that it has by default: what it has confirmed is on disk (`fsync` and
    `synchronous_commit`). A kill is not a power cut: what the operating system has not written yet is not lost."""

    def __init__(
        self,
        host: str = "127.0.0.1",
        prefix: list[str] | None = None,
        folder: str | None = None,
        settings: tuple[str, ...] = (),
    ) -> None:
        if services.find_postgres() is None:
            services.skip_without("PostgreSQL")
        self._folder = tempfile.mkdtemp(prefix="wellies-test-postgres-", dir=folder)
        port = 5432 if prefix else free_port()
        lower = services.make_postgres_data(self._folder)
        if prefix:
            self._open_to_all()
            prefix = [*prefix, *_as_user(lower)]
            lower = {"cwd": lower["cwd"]}
        command = [*(prefix or []), *services.postgres_command(self._folder, port, *settings, host=host)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        super().__init__(command, lambda: services.postgres_answers(port, host), **quiet, **lower)
        self.url = f"postgresql://postgres@{host}:{port}/postgres"

    def _open_to_all(self) -> None:
        """Let other hosts connect."""
        with Path(self._folder, "pg_hba.conf").open("a", encoding="ascii") as file:
            file.write("host all all 0.0.0.0/0 trust\n")

    def kill(self) -> None:
        """kill -9 of the first process and of all others."""
        started = children_of(self.pid) if not self.ended else []
        super().kill()
        kill(*started)
        end = time.monotonic() + LONGEST
        while any(Path(f"/proc/{pid}").exists() for pid in started):
            assert time.monotonic() < end, "processes of PostgreSQL do not end"
            time.sleep(0.01)

    def kill_backend(self, choose: Callable[[list[int]], int]) -> None:
        """kill -9 of one process that serves a connection: PostgreSQL ends all others and recovers."""
        serving = [pid for pid in children_of(self.pid) if b"127.0.0.1(" in _command_line(pid)]
        if serving:
            kill(choose(serving))

    def stop(self) -> None:
        if not self.ended:
            os.kill(self.pid, signal.SIGQUIT)
        super().stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def _as_user(lower: dict[str, Any]) -> list[str]:
    if "user" not in lower:
        return []
    return ["setpriv", f"--reuid={lower['user']}", f"--regid={lower['group']}", "--clear-groups"]


def _command_line(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


class Server(Part):
    """`wellies serve`, with these settings."""

    def __init__(
        self,
        database: str,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        prefix: list[str] | None = None,
        environment: dict[str, str] | None = None,
        output: Any = None,
        **more: Any,
    ) -> None:
        port = port or (8000 if prefix else free_port())
        self.url = f"http://{host}:{port}"
        settings = {**EASY, "database": database, "host": host, "port": port, **more}
        given = {f"WELLIES_{name.upper()}": str(value) for name, value in settings.items()}
        super().__init__(
            [*(prefix or []), sys.executable, "-c", "from wellies.cli.serve import serve; serve()"],
            self._is_healthy,
            env={**os.environ, **given, **(environment or {})},
            stdout=subprocess.DEVNULL,
            stderr=output,
        )

    def _is_healthy(self) -> bool:
        with contextlib.suppress(urllib.error.URLError, OSError):
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(f"{self.url}/health", timeout=10) as answer:
                return bool(answer.status == 200)
        return False

    def workers(self) -> list[int]:
        """The processes that serve, if there are several."""
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
            return [int(pid) for pid in text.split() if is_python_worker(int(pid))]
        return []

    def bot_processes(self) -> list[int]:
        """The processes in which bots think."""
        return [pid for pid in children_of(self.pid) if is_python_worker(pid) and pid not in self.workers()]
