"""What a worker must not leave behind when its clients have gone, and when it has stopped."""

from __future__ import annotations

import asyncio
from math import inf
from typing import TYPE_CHECKING, Any, Final

from simulation.failures import SimulationFailure
from simulation.worker import Worker

if TYPE_CHECKING:
    from simulation.world import World

LONGEST: Final = 45.0
"""Seconds until a server has noticed that a client has vanished."""


async def check(world: World) -> None:
    """All clients go; then the workers stop. SimulationFailure if anything of them is left."""
    world.over = True
    for opened in world.connections:
        opened.socket.drop()
    end = world.loop.now + LONGEST
    while left := [what for worker in _workers(world) for what in _of_clients(worker)]:
        await asyncio.sleep(0.5)
        if world.failures:
            raise world.failures[0]
        if world.loop.now > end:
            raise SimulationFailure("left behind", "; ".join(left))
    for worker in _workers(world):
        await worker.stop()
        check_stopped(worker)
    await asyncio.sleep(1.0)
    for worker in _workers(world):
        _check_tasks(world, worker)
    if world.failures:
        raise world.failures[0]


def _workers(world: World) -> list[Worker]:
    return [machine.worker for machine in world.machines if machine.worker is not None]


def _of_clients(worker: Worker) -> list[str]:
    """What there still is of clients that have gone."""
    hub: Any = worker.hub
    channels = worker.channels
    found = {
        "sockets": len(worker.sockets),
        "counted sockets": worker.limits._places,
        "sockets in the metrics": hub.metrics.sockets,
        "viewers": [live.table.id for live in hub.tables.values() if live.viewers],
        "followed channels": list(channels.followed) if channels is not None else [],
        "tables being loaded": hub._loading,
        "requests": len(worker.requests),
    }
    return [f"worker {worker.number}: {name}: {what}" for name, what in found.items() if what]


def check_stopped(worker: Worker) -> None:
    """SimulationFailure if a worker that has stopped, and did not die, left something undone."""
    if not worker._stopped.done():
        return
    hub: Any = worker.hub
    pool: Any = worker.pool
    lives = list(hub.tables.values())
    found = {
        "tasks": [task.get_name() for task in hub._tasks],
        "changes": [task.get_name() for task in hub._changes],
        "changes to be stored": len(hub.committer._queue),
        "locked tables": [live.table.id for live in lives if live.lock.locked()],
        "tasks of bots": [live.table.id for live in lives if live.bot_task is not None],
        "taken bots": [queue._taken for queue in (pool._slow, pool._hints, pool._instant) if queue._taken],
        "waiting for bots": [queue.waiting for queue in (pool._slow, pool._hints, pool._instant) if queue.waiting],
    }
    left = [f"worker {worker.number}: {name}: {what}" for name, what in found.items() if what]
    hub.evict(-inf)
    left += [f"worker {worker.number}: tables in memory: {list(hub.tables)}"] * bool(hub.tables)
    if left:
        raise SimulationFailure("left behind", "; ".join(left))


def _check_tasks(world: World, worker: Worker) -> None:
    if not worker._stopped.done():
        return
    left = [task.get_name() for task, owner in world.loop.open_tasks() if owner is worker]
    if left:
        raise SimulationFailure("left behind", f"worker {worker.number}: tasks: {', '.join(left)}")
