"""Ctrl-C, a polite kill and a closed terminal end every long command at any moment with the code that is documented.

On the compiled engine this once aborted the process: arithmetic on integers over 62 bits that is interrupted looks to
compiled code like a lack of memory. `WELLIES_INTERRUPTS=500` tries so many times; usually it is a few.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from helpers import HERE

TRIES = int(os.environ.get("WELLIES_INTERRUPTS", "6"))
PROC = Path("/proc/self/status")
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
GAMES = ["guppies", "umbradeco", "aquarium", "puppies", "marram"]
RECORDS = {
    "guppies": "three-greedy",
    "umbradeco": "umbradeco-greedy-2",
    "aquarium": "two-greedy",
    "puppies": "two-greedy",
    "marram": "classic-short-greedy-2",
}
COMMANDS = [
    "play GAME -p bot:storm -p bot:storm",
    "play GAME -p bot:monsoon -p bot:greedy",
    "simulate GAME --bots storm --games 1000",
    "simulate GAME --bots greedy,random --games 100000",
    "simulate GAME --bots storm --games 1000 --jobs 2",
    "arena GAME --bots storm,greedy --games 1000",
    "arena GAME --bots storm,shower --games 1000 --jobs 2",
    "analyse RECORD",
    "analyse RECORD --level monsoon --json",
]


def listens(process: subprocess.Popen[bytes]) -> bool:
    """Whether the program is at its work: from then on it has a handler for SIGTERM."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    caught = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def interrupt(command: str, game: str, number: signal.Signals, chance: random.Random, folder: Path) -> tuple[int, str]:
    """Start a command, interrupt it at some moment, and return its exit code and what it said on stderr."""
    record = HERE / "golden" / game / f"{RECORDS[game]}.wellies"
    words = [{"GAME": game, "RECORD": str(record)}.get(word, word) for word in command.split()]
    process = subprocess.Popen(
        [sys.executable, "-m", "wellies", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
        start_new_session=True,
    )
    try:
        while process.poll() is None and not listens(process):
            time.sleep(0.01)
        time.sleep(chance.random() ** 2 * 1.5)
        assert process.poll() is None, "It ended by itself: give it more to do."
        if number == signal.SIGTERM:
            os.kill(process.pid, number)
        else:
            os.killpg(process.pid, number)
        try:
            said = process.communicate(timeout=300)[1].decode()
        except subprocess.TimeoutExpired as late:
            return 0, f"It did not end; it said {late.stderr!r}."
        for _ in range(6000):  # no process is left behind
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                break
            time.sleep(0.01)
        else:
            said += "\nwellies left a process behind"
        return process.returncode, said
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.skipif(not PROC.exists(), reason="Without /proc nobody knows when a program is at its work.")
def test_signals_end_long_commands_in_good_order(tmp_path: Path) -> None:
    chance = random.Random(os.environ.get("WELLIES_INTERRUPTS_SEED", "1"))
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for turn in range(TRIES):
        command = COMMANDS[turn % len(COMMANDS)] if len(COMMANDS) < TRIES else chance.choice(COMMANDS)
        game, number = chance.choice(GAMES), chance.choice(list(CODES))
        code, said = interrupt(command, game, number, chance, tmp_path)
        counts[f"{number.name} {code}"] += 1
        if code != CODES[number] or "Traceback" in said or "left a process" in said:
            wrong.append(f"{command} ({game}), {number.name}: exit {code}\n{said}")
            print(wrong[-1], flush=True)
    print(f"{TRIES} interrupts: {dict(sorted(counts.items()))}")
    assert not wrong, "\n".join(wrong)
