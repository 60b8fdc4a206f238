"""Runs many seeds: `python -m simulation --seeds 1000` in the folder `tests`. Exit code 1 if one of them fails."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from typing import Final

from simulation.history import make_history
from simulation.seeds import Total, run_seeds
from simulation.shrink import as_test, shrink
from simulation.world import run

CHUNK: Final = 20
"""Seeds that a process takes at a time."""
CHUNKS_OF_A_PROCESS: Final = 50
"""Then a new process takes over: anyio keeps the tasks of a worker that was killed in the middle, and so its memory."""
PROGRESS_SECONDS: Final = 30.0


def _report(total: Total, elapsed: float) -> None:
    faults = sum(count for kind, count in total.struck.items() if not kind.startswith("client"))
    print(
        f"{total.seeds} seeds, {total.seeds / max(elapsed, 0.001):.1f} a second; {total.seconds / 3600:.1f} hours of "
        f"simulated time, {total.steps} steps; {total.acknowledged} moves acknowledged, {total.entries} entries; "
        f"{faults} faults; {len(total.failed)} seeds failed",
        flush=True,
    )


def _show(seed: int) -> int:
    """One seed with all that happens."""
    outcome = run(make_history(seed), keep_trace=True)
    print("\n".join(outcome.trace))
    print(f"hash {outcome.digest}")
    for failure in outcome.failures:
        print(f"FAILED: {failure}")
    return 1 if outcome.failures else 0


def _shrink_and_print(seed: int, failure: str) -> None:
    print(
        f"\nseed {seed} fails: {failure[:2000]}\nThe smallest history that fails in the same way, as a test:\n",
        flush=True,
    )
    print(as_test(shrink(make_history(seed)), failure), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=300, help="how many seeds")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=0, help="processes; 0: one for each core")
    parser.add_argument("--trace", type=int, default=None, metavar="SEED", help="print all that happens in one seed")
    parser.add_argument("--keep-on", action="store_true", help="do not stop at the first failures")
    given = parser.parse_args()
    if given.seeds < 1 or given.first < 0 or given.processes < 0:
        parser.error("--seeds must be 1 or more, --first and --processes 0 or more")
    if given.trace is not None:
        return _show(given.trace)
    stop = given.first + given.seeds
    chunks = [range(first, min(first + CHUNK, stop)) for first in range(given.first, stop, CHUNK)]
    total = Total()
    started = told = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(
        given.processes or os.cpu_count() or 1, maxtasksperchild=CHUNKS_OF_A_PROCESS
    ) as pool:
        for part in pool.imap_unordered(run_seeds, chunks):
            total.add(part)
            for seed, failure in part.failed:
                print(f"seed {seed} fails: {failure[:300]}", flush=True)
            if time.monotonic() - told > PROGRESS_SECONDS:
                told = time.monotonic()
                _report(total, told - started)
            if total.failed and not given.keep_on:
                break
    _report(total, time.monotonic() - started)
    for kind, count in sorted(total.struck.items()):
        print(f"  {kind}: {count}")
    for seed, failure in sorted(total.failed)[:20]:
        print(f"seed {seed}: {failure[:300]}")
    for seed, failure in sorted(total.failed)[:3]:
        _shrink_and_print(seed, failure)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
