"""The process pool: workers that die, hang or are cancelled cost their own task only, and no process is left behind."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import as_completed
from pathlib import Path

import pytest
from pool_tasks import (
    announce_and_sleep,
    die,
    die_unless,
    fail,
    interrupt_oneself,
    not_picklable,
    through_another_pool,
)

from wellies.bots.process_pool import ProcessPool, WorkerLost

METHODS = [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()]


@pytest.fixture(params=METHODS)
def pool(request: pytest.FixtureRequest) -> Iterator[ProcessPool]:
    with ProcessPool(2, request.param) as pool:
        yield pool


def announced(path: Path) -> int:
    """The process that has announced itself."""
    end = time.monotonic() + 300
    while not path.exists() or not path.read_text(encoding="ascii"):
        assert time.monotonic() < end, "no worker has announced itself"
        time.sleep(0.01)
    return int(path.read_text(encoding="ascii"))


def wait_until_gone(pid: int) -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError(f"process {pid} still runs")


def test_results_come_in_order_or_as_they_are_done(pool: ProcessPool) -> None:
    tasks = [pool.submit(abs, -number) for number in range(20)]
    assert [task.result() for task in tasks] == list(range(20))
    assert sorted(task.result() for task in as_completed(tasks)) == list(range(20))


def test_workers_start_once_and_are_bounded_in_number(pool: ProcessPool) -> None:
    used = {task.result() for task in [pool.submit(os.getpid) for _ in range(50)]}
    assert 1 <= len(used) <= 2
    assert os.getpid() not in used


def test_a_killed_worker_fails_its_own_task_only(pool: ProcessPool) -> None:
    tasks = [pool.submit(die) if number % 5 == 2 else pool.submit(abs, -number) for number in range(20)]
    for number, task in enumerate(tasks):
        if number % 5 == 2:
            assert isinstance(task.exception(), WorkerLost)
        else:
            assert task.result() == number


def test_a_task_is_retried_if_it_may_be(pool: ProcessPool, tmp_path: Path) -> None:
    assert isinstance(pool.submit(die_unless, tmp_path / "never").exception(), WorkerLost)
    assert pool.submit(die_unless, tmp_path / "once", retries=1).result() != os.getpid()
    assert isinstance(pool.submit(die, retries=2).exception(), WorkerLost)


def test_errors_come_back_with_their_traceback(pool: ProcessPool) -> None:
    error = pool.submit(fail, "by nought").exception()
    assert isinstance(error, ZeroDivisionError)
    assert str(error) == "by nought"
    assert "raise ZeroDivisionError(text)" in "".join(error.__notes__)
    assert pool.submit(not_picklable).exception() is not None
    assert pool.submit(abs, -1).result() == 1


def test_a_task_that_takes_too_long_is_ended(pool: ProcessPool, tmp_path: Path) -> None:
    task = pool.submit(announce_and_sleep, tmp_path / "pid", timeout=1.0)
    assert isinstance(task.exception(), TimeoutError)
    wait_until_gone(announced(tmp_path / "pid"))
    assert pool.submit(abs, -1).result() == 1


def test_cancelling_kills_the_worker(pool: ProcessPool, tmp_path: Path) -> None:
    task = pool.submit(announce_and_sleep, tmp_path / "pid")
    pid = announced(tmp_path / "pid")
    assert task.cancel()
    wait_until_gone(pid)
    assert pool.submit(abs, -1).result() == 1


def test_a_cancelled_coroutine_kills_the_worker(pool: ProcessPool, tmp_path: Path) -> None:
    async def scenario() -> None:
        waiting = asyncio.create_task(asyncio.to_thread(announced, tmp_path / "pid"))
        thinking = asyncio.ensure_future(asyncio.wrap_future(pool.submit(announce_and_sleep, tmp_path / "pid")))
        pid = await waiting
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        await asyncio.to_thread(wait_until_gone, pid)
        assert await asyncio.wrap_future(pool.submit(abs, -1)) == 1

    asyncio.run(scenario())


def test_closing_ends_workers_that_work(pool: ProcessPool, tmp_path: Path) -> None:
    tasks = [pool.submit(announce_and_sleep, tmp_path / str(number)) for number in range(3)]
    pids = [announced(tmp_path / str(number)) for number in range(2)]
    pool.close()
    for task in tasks:
        assert isinstance(task.exception(), WorkerLost)
    for pid in pids:
        wait_until_gone(pid)
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(abs, -1)


def test_signals_of_the_terminal_are_for_the_parent(pool: ProcessPool) -> None:
    pid = pool.submit(interrupt_oneself).result()
    assert pid != os.getpid()


def test_a_worker_may_have_workers_of_its_own(pool: ProcessPool) -> None:
    assert [task.result() for task in [pool.submit(through_another_pool, -number) for number in range(4)]] == [
        0,
        1,
        2,
        3,
    ]


@pytest.mark.skipif("spawn" not in METHODS, reason="this system cannot spawn processes")
def test_idle_workers_end_and_others_start_when_they_are_needed() -> None:
    with ProcessPool(2, "spawn", idle_seconds=0.2) as pool:
        first = pool.submit(os.getpid).result()
        wait_until_gone(first)
        assert pool.submit(os.getpid).result() != first


@pytest.mark.skipif("spawn" not in METHODS, reason="this system cannot spawn processes")
def test_workers_that_do_not_start_fail_the_task_and_do_not_hang() -> None:
    with ProcessPool(1, "spawn", initializer=die, idle_seconds=60) as pool:
        error = pool.submit(abs, -1).exception(timeout=120)
    assert isinstance(error, WorkerLost)
    assert "do not start" in str(error)


PARENT = """
import os, sys, time
from pathlib import Path
from wellies.bots.process_pool import ProcessPool, shared_pool
pool = shared_pool(2) if sys.argv[1] == "exits" else ProcessPool(2)
for number in range(2):
    pool.submit(os.getppid).result()
pids = {pool.submit(os.getpid).result() for _ in range(100)}
if sys.argv[1] != "exits":
    pool.submit(time.sleep, 600)
print(*pids, flush=True)
if sys.argv[1] != "exits":
    time.sleep(600)
"""


@pytest.mark.parametrize("how", ["exits", "killed"])
def test_workers_end_with_their_parent(how: str) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, how], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert pids
    if how == "killed":
        parent.kill()
    assert parent.wait(60) == (0 if how == "exits" else -signal.SIGKILL)
    parent.stdout.close()
    for pid in pids:
        wait_until_gone(pid)
