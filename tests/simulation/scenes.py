"""Short scenes in a simulated worker, for tests of one thing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from simulation.history import History
from simulation.loop import collect_quietly
from simulation.worker import Worker
from simulation.world import World, installed
from wellies.table import Clock, Seat, Table, new_table
from wellies.table.create import new_setup

EMPTY = History(seed=1, workers=1, shared=False, tight=False, skews=(0,), tables=(), clients=(), faults=(), seconds=1.0)


def play_scene(scene: Callable[[Worker], Awaitable[None]], *, tight: bool = False) -> World:
    """Run something in a worker of an otherwise empty world."""
    world = World(replace(EMPTY, tight=tight))

    async def main() -> None:
        machine = world.machines[0]
        await machine.start()
        worker = machine.worker
        assert worker is not None

        async def in_worker() -> None:
            await scene(worker)

        await worker.run(in_worker(), "scene")

    with installed(world):
        try:
            world.loop.run_until_complete(main())
        finally:
            world.end()
            collect_quietly()
    for failure in world.failures:
        raise failure
    return world


def table_for(*people: str, clock: Clock | None = None, **more: Any) -> Table:
    """A table of Umbradeco for these people, the first of whom hosts it; the game has begun."""
    setup = replace(
        new_setup("umbradeco", {"mat": "small"}, len(people)),
        seats=[Seat("person", person, person) for person in people],
        host=people[0],
        host_name=people[0],
        clock=clock or Clock(),
        **more,
    )
    table = new_table(setup)
    table.start(people[0], table.created)
    return table
