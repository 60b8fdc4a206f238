"""A world: machines with workers, a disk, people and faults, from the beginning of a history to its end."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import structlog

from simulation import leftovers
from simulation.checks import check_disk
from simulation.disk import Disk
from simulation.failures import SimulationFailure
from simulation.faults import Faults
from simulation.history import Fault, History
from simulation.loop import SimulatedLoop, collect_quietly
from simulation.people import Person
from simulation.screens import Opened, Sent
from simulation.sources import SimulatedSources
from simulation.worker import Machine
from wellies.core.sources import replace_sources
from wellies.table import Table

PLAY_ON: Final = 3.0
"""Seconds for which people play on after the last fault."""
SETTLE: Final = 10.0
"""Seconds from then on until everybody must know everything."""
LOGGED_OUT: Final = 22.0
"""The same if somebody has logged out: only then must every worker have noticed it."""
PATIENCE: Final = 40.0
"""Seconds for what must happen, when nothing goes wrong any more."""


@dataclass
class Outcome:
    """What came of a history."""

    failures: list[SimulationFailure]
    digest: str
    """A hash of all that has happened, if it was noted."""
    struck: Counter[str]
    acknowledged: int
    entries: int
    steps: int
    seconds: float
    trace: list[str] = field(default_factory=list)


class World:
    """All that is simulated."""

    def __init__(self, history: History, *, keep_trace: bool = False, noted: bool = True) -> None:
        self.history = history
        self.loop = SimulatedLoop()
        self.loop.set_exception_handler(self._on_loop_error)
        self._context = contextvars.copy_context()
        self._noted = noted
        self._hash = hashlib.blake2b(digest_size=16)
        self._trace: list[str] | None = [] if keep_trace else None
        self.failures: list[SimulationFailure] = []
        self.faults = Faults(self.loop, history.faults)
        self.disk = Disk("simulated")
        self.machines = [Machine(self, number) for number in range(history.workers)]
        self.table_ids = [""] * len(history.tables)
        self.invites: dict[int, str] = {}
        self.connections: list[Opened] = []
        self.sent: list[Sent] = []
        self.logs_read: list[tuple[Person, str, str, int | None, Any]] = []
        self.lists_read: list[tuple[str, Any]] = []
        self.in_place: set[int] = set()
        self.acknowledged = 0
        """Plays that were confirmed."""
        self.playing = True
        self.healed = False
        self.over = False
        self.settled_at = 0.0
        """When everybody knew everything, and before the workers were stopped."""
        self._ended = False
        self.people = [Person(self, plan) for plan in history.clients]

    def random(self, name: str) -> Random:
        """A source of random numbers for one part of the world, which depends on the seed and the part alone."""
        return Random(f"{name} of {self.history.seed}")

    # --- doing things outside all workers --------------------------------------------------------------------------

    def call_at(self, at: float, call: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
        return self.loop.call_at(at, call, *args, context=self._context)

    def call_later(self, delay: float, call: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
        return self.loop.call_at(self.loop.now + delay, call, *args, context=self._context)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self.loop.create_task(work, name=name, context=self._context.copy())
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, SimulationFailure):
                self.failures.append(error)
            else:
                self.fail("simulation", "".join(traceback.format_exception(error)))

    # --- what is noted ---------------------------------------------------------------------------------------------

    def trace(self, *what: object) -> None:
        """Note something that has happened, for the hash and for people."""
        if not self._noted:
            return
        words = [each if type(each) is str else _plain(each) for each in what]
        line = f"{self.loop.now:.6f} {' '.join(words)}"
        self._hash.update(line.encode("utf-8", "replace"))
        if self._trace is not None:
            self._trace.append(line)

    def fail(self, kind: str, what: str) -> None:
        if self._ended:
            return
        self.trace("FAILURE", kind, what)
        self.failures.append(SimulationFailure(kind, what))

    def on_log(self, _logger: Any, level: str, event: MutableMapping[str, Any]) -> str:
        """A line of a worker's log: an error must have been caused by a fault."""
        what = event.get("event")
        self.trace("log", level, what)
        if level in ("error", "critical", "exception"):
            expected = (what == "a commit failed" and self.faults.storage_failed) or (
                what == "an error in a bot process" and self.faults.struck["bot mistaken"]
            )
            if not expected:
                error = event.get("exc_info")
                details = "".join(traceback.format_exception(error)) if isinstance(error, BaseException) else ""
                if error is True:
                    details = traceback.format_exc()
                self.fail("logged error", f"{what} {event} {details}")
        raise structlog.DropEvent

    def _on_loop_error(self, _loop: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        details = "".join(traceback.format_exception(error)) if error is not None else ""
        self.fail("unhandled error", f"{context.get('message')} {details}")

    # --- the history -----------------------------------------------------------------------------------------------

    async def main(self) -> None:
        for machine in self.machines:
            self.spawn(machine.start(), "start")
        for fault in self.history.faults:
            if fault.kind in ("crash", "stop", "clock jump"):
                self.call_at(fault.at, self._strike, fault)
        for person in self.people:
            self.spawn(person.live(), person.name)
        await self._pass(self.history.seconds)
        self._heal()
        await self._pass(PLAY_ON)
        self.playing = False
        await self._pass(LOGGED_OUT if any(person.leaving for person in self.people) else SETTLE)
        await self._until(self._all_know, "stale client", self._who_is_behind)
        self.settled_at = self.loop.now
        await leftovers.check(self)
        check_disk(self)

    def end(self) -> None:
        """Nothing that happens from now on counts."""
        self.over = self._ended = True
        self.loop.close_down()

    def _strike(self, fault: Fault) -> None:
        machine = self.machines[fault.worker]
        worker = machine.worker
        if self.healed:
            return
        if fault.kind == "clock jump":
            machine.skew_millis += int(fault.seconds * 1000)
            self.faults.count("clock jump")
        elif worker is not None and worker.alive and fault.kind == "crash":
            worker.crash_in = self.random(f"crash at {fault.at}").randrange(80)
            self.call_later(fault.seconds, self._restart, machine)
        elif worker is not None and worker.serving and fault.kind == "stop":
            self.faults.count("worker stopped")
            self.spawn(self._stop_and_start(machine, fault.seconds), "stop")

    def _restart(self, machine: Machine) -> None:
        worker = machine.worker
        if worker is not None and worker.crash_in is not None and worker.alive:
            worker.crash()
        self.spawn(machine.start(), "start")

    async def _stop_and_start(self, machine: Machine, pause: float) -> None:
        worker = machine.worker
        assert worker is not None
        await worker.stop()
        leftovers.check_stopped(worker)
        await asyncio.sleep(pause)
        await machine.start()

    def _heal(self) -> None:
        """From now on nothing goes wrong."""
        self.trace("healed")
        self.healed = self.faults.healed = True
        for machine in self.machines:
            if machine.worker is not None and machine.worker.crash_in is not None and machine.worker.alive:
                machine.worker.crash()
                self.spawn(machine.start(), "start")

    async def _pass(self, seconds: float) -> None:
        """Let time pass, unless something has been found already."""
        end = self.loop.now + seconds
        while self.loop.now < end:
            await asyncio.sleep(min(0.5, max(0.001, end - self.loop.now)))
            if self.failures:
                raise self.failures[0]

    async def _until(self, done: Callable[[], bool], kind: str, what: Callable[[], str]) -> None:
        end = self.loop.now + PATIENCE
        while not done():
            await self._pass(0.2)
            if self.loop.now > end:
                raise SimulationFailure(kind, what())

    def _all_know(self) -> bool:
        return not self._who_is_behind()

    def _who_is_behind(self) -> str:
        """Who of those that may look at a table does not see it as it is stored."""
        behind = []
        for person in self.people:
            if person.plan.number not in self.in_place:
                behind.append(f"{person.name} has no place")
                continue
            row = self.disk.tables.get(person.table_id)
            for screen in person.screens:
                opened = screen.opened
                if opened is None or row is None:
                    behind.append(f"{person.name} has not connected")
                elif opened.socket.close_code is not None or opened.version is None:
                    if person.may_look(row, screen.seat):
                        behind.append(f"{person.name}, seat {screen.seat}: closed with {opened.socket.close_code}")
                elif opened.version < row["version"]:
                    behind.append(f"{person.name}, seat {screen.seat}: at {opened.version} of {row['version']}")
        return "; ".join(behind)


@contextmanager
def installed(world: World) -> Iterator[None]:
    """The simulation's time, randomness and log in place of those of the system."""
    before = replace_sources(SimulatedSources(world.loop, world.random("world")))
    config = structlog.get_config()
    structlog.configure(
        processors=[world.on_log],
        wrapper_class=structlog.make_filtering_bound_logger(0),
        cache_logger_on_first_use=False,
    )
    try:
        yield
    finally:
        replace_sources(before)
        structlog.configure(**config)


def run(history: History, *, keep_trace: bool = False, noted: bool = True) -> Outcome:
    """Let a history happen, and see whether all promises were kept. What happens need not be `noted` if nobody looks at
    the trace or its hash."""
    # What is forgotten, and when, must not depend on when garbage happens to be collected.
    collects = gc.isenabled()
    gc.disable()
    try:
        return _run(World(history, keep_trace=keep_trace, noted=noted))
    finally:
        collect_quietly()
        if collects:
            gc.enable()


def _run(world: World) -> Outcome:
    with installed(world):
        try:
            world.loop.run_until_complete(world.main())
        except SimulationFailure as failure:
            if failure not in world.failures:
                world.failures.append(failure)
        finally:
            world.end()
    return Outcome(
        world.failures,
        world._hash.hexdigest(),
        world.faults.struck,
        world.acknowledged,
        sum(len(log) for log in world.disk.logs.values()),
        world.loop.steps,
        world.loop.now,
        world._trace or [],
    )


def _plain(value: object) -> str:
    """A value as text that is the same in every run."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, set):
        return repr(sorted(value))
    if isinstance(value, Table):
        return f"table {value.id}"
    return repr(value)
