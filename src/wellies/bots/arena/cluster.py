"""Arena games on a Ray cluster of several machines. Ray is an optional extra, `wellies[cluster]`.

Every machine needs exactly the same code of Wellies: each task carries its hash, and a machine with other code refuses
the task. A lost worker or machine loses no games: they are played again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from typing import Any, Final

from wellies.bots.arena.executors import Batch
from wellies.bots.arena.plan import Plan, own_code
from wellies.bots.arena.playing import Result, play_some
from wellies.core.errors import WelliesError
from wellies.core.events import Json
from wellies.core.extras import require

LOCAL: Final = "local"
AUTO: Final = "auto"
_OWN_CODE: list[str] = []
"""The hash of this machine's code, once it is known."""


class ClusterTrouble(WelliesError):
    """The cluster cannot be used; the message says why, and the cure."""


def check_installed() -> None:
    """MissingExtra if Ray is not there."""
    require("cluster", "ray", needs="a cluster")


def _check_reachable(address: str) -> None:
    """ClusterTrouble if nothing listens at HOST:PORT. Ray itself would try for minutes before it failed."""
    if address in (LOCAL, AUTO):
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 65_536:
        raise ClusterTrouble(f"--cluster {address!r} is not an address; write HOST:PORT, auto or local.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ClusterTrouble(f"there is no Ray cluster at {address} ({reason}); is it started?") from error


def play_there(plan: Json, rounds: int, numbers: list[int], until: float | None) -> list[Json]:
    """Runs in a worker of the cluster. It gets and returns plain JSON, so that no class has to be pickled."""
    wanted = plan["code"][""]
    if not _OWN_CODE:
        _OWN_CODE.append(own_code())
    if _OWN_CODE[0] != wanted:
        raise ClusterTrouble(
            f"a machine of the cluster has another Wellies (its code is {_OWN_CODE[0]}, ours {wanted}); "
            "install the same one on all of them."
        )
    return [result.to_json() for result in play_some(Plan.from_json(plan, rounds), numbers, until)]


class ClusterExecutor:
    """Plays on a Ray cluster. The address `local` starts one on this machine, with `width` workers."""

    def __init__(self, plan: Plan, address: str, width: int | None) -> None:
        check_installed()
        _check_reachable(address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns of graphics cards we never use
        import ray

        self._ray: Any = ray
        self._plan = plan.to_json()
        self._rounds = plan.rounds
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if address == LOCAL:
            settings |= {"num_cpus": width or os.cpu_count() or 1, "include_dashboard": False}
        try:
            ray.init(address=address, **settings)
        except Exception as error:
            first = (str(error).strip() or type(error).__name__).split("\n")[0].rstrip(".")
            raise ClusterTrouble(f"there is no Ray cluster at {address} ({first}); is it started?") from error
        cpus = int(self._ray.cluster_resources().get("CPU", 1)) or 1
        self.width = min(width, cpus) if width else cpus
        self._task: Any = ray.remote(num_cpus=1, max_retries=0)(play_there)
        self._tasks: dict[Any, list[int]] = {}

    def submit(self, numbers: list[int], until: float | None) -> None:
        self._tasks[self._task.remote(self._plan, self._rounds, numbers, until)] = numbers

    def collect(self) -> list[Batch]:
        done, _ = self._ray.wait(list(self._tasks), num_returns=1)
        return [self._batch(task) for task in done]

    def _batch(self, task: Any) -> Batch:
        numbers = self._tasks.pop(task)
        errors = self._ray.exceptions
        try:
            return numbers, [Result.from_json(value) for value in self._ray.get(task)]
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, WelliesError):
                raise cause from None
            if isinstance(cause, ImportError):
                raise ClusterTrouble(f"Wellies is not on every machine of the cluster ({cause}); install it.") from None
            raise
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError, errors.OutOfMemoryError):
            return numbers, None

    def close(self) -> None:
        for task in self._tasks:
            with contextlib.suppress(Exception):
                self._ray.cancel(task, force=True)
        self._ray.shutdown()
