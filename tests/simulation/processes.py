"""Simulated processes in which bots think: real bots, whose moves come after simulated time, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from random import Random
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple, Unpack

from simulation.history import BOT_FAULTS
from wellies.bots.process_pool import WorkerLost

if TYPE_CHECKING:
    from simulation.worker import Worker

Answer = TypeVar("Answer")
Args = TypeVarTuple("Args")


class SimulatedProcesses:
    """The processes of one worker."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._world = worker.world
        self._random: Random = worker.world.random(f"bots {worker.number} {worker.life}")

    def submit(
        self, function: Callable[[Unpack[Args]], Answer], *args: *Args, timeout: float | None = None
    ) -> Future[Answer]:
        future: Future[Answer] = Future()
        fault = self._world.faults.strikes(BOT_FAULTS, self._worker.number, self._random)
        if fault is not None:
            self._world.faults.count(fault)

        def finish() -> None:
            if future.cancelled():
                return
            if fault == "bot lost":
                future.set_exception(WorkerLost("The simulated process has ended."))
            elif fault == "bot mistaken":
                future.set_exception(ValueError("a simulated mistake of a bot"))
            else:
                future.set_result(function(*args))

        slow = self._random.random() < 0.1
        self._world.call_later(self._random.uniform(0.001, 2.0 if slow else 0.3), finish)
        return future

    def close(self) -> None: ...
