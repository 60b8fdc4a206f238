"""Which processes a server under test consists of, and how much processor time each of them has used.

The processes are found through /proc, so this measures on Linux only. `wellies serve --workers N` is a parent, and the
workers are its children. PostgreSQL counts as a whole, with all that it does for anybody: nobody else should use it
meanwhile. So does Redis, which tells its own processor time.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

import asyncpg
import redis.asyncio

WORKER = b"multiprocessing.spawn"
"""What is in the command line of a worker, and not in that of multiprocessing's other processes."""


class Stat(NamedTuple):
    """What /proc says of one process."""

    parent: int
    seconds: float
    seconds_of_ended_children: float


def read_stat(process_id: int) -> Stat | None:
    """None if there is no such process, or the system does not tell."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    tick = os.sysconf("SC_CLK_TCK")
    return Stat(int(fields[1]), (int(fields[11]) + int(fields[12])) / tick, (int(fields[13]) + int(fields[14])) / tick)


def processor_time(process_id: int) -> float:
    """Seconds of processor time that a process has used; 0 where the system does not tell."""
    found = read_stat(process_id)
    return found.seconds if found is not None else 0.0


def children_of(process_id: int) -> list[int]:
    """The processes that were started by this one and still run, in the order of their numbers."""
    numbers = sorted(int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit())
    return [number for number in numbers if (stat := read_stat(number)) is not None and stat.parent == process_id]


def workers_of(parent: int) -> list[int]:
    """The workers of a server with several; if it has one only, that is the process itself."""
    found = []
    for child in children_of(parent):
        try:
            command = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        if WORKER in command:
            found.append(child)
    return found or [parent]


def have_started(workers: list[int]) -> bool:
    """Whether all of them are idle: one that starts is busy."""
    before = [processor_time(worker) for worker in workers]
    time.sleep(0.5)
    return all(processor_time(worker) - used < 0.1 for worker, used in zip(workers, before, strict=True))


class ServerProcesses:
    """The processes of one server: parent, workers, PostgreSQL and Redis. SQLite has no process of its own."""

    def __init__(self, parent: int, postgres: str = "", redis_address: str = "") -> None:
        self._parent = parent
        self._workers = workers_of(parent)
        self._postgres = postgres
        self._redis = redis_address

    async def read(self) -> dict[str, float]:
        """Seconds of processor time used so far, by process."""
        assert all(read_stat(worker) is not None for worker in self._workers), "a worker has ended"
        found = {f"worker {number}": processor_time(pid) for number, pid in enumerate(self._workers, 1)}
        if self._workers != [self._parent]:
            found["parent"] = processor_time(self._parent)
        if self._postgres:
            found["PostgreSQL"] = await self._postgres_time()
        if self._redis:
            found["Redis"] = await self._redis_time()
        return found

    async def _postgres_time(self) -> float:
        """Of its main process, all others, and those that have ended."""
        connection = await asyncpg.connect(self._postgres)
        backend = read_stat(connection.get_server_pid())
        await connection.close()
        assert backend is not None, "PostgreSQL must run on this machine"
        main = read_stat(backend.parent)
        assert main is not None
        others = sum(processor_time(child) for child in children_of(backend.parent))
        return main.seconds + main.seconds_of_ended_children + others

    async def _redis_time(self) -> float:
        client = redis.asyncio.from_url(self._redis)
        try:
            said = await client.info("cpu")
        finally:
            await client.aclose()
        return float(said["used_cpu_user"]) + float(said["used_cpu_sys"])


def of_workers(used: dict[str, float]) -> float:
    """The processor time of all workers and their parent."""
    return sum(seconds for name, seconds in used.items() if name == "parent" or name.startswith("worker "))
