"""Simulations: reproducible whatever the number of processes, and right in their sums."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from wellies.bots.simulate import make_plan, play_game, run, summary, wilson
from wellies.core.errors import BadOption

Command = Callable[..., tuple[int, str, str]]


def test_the_same_seed_gives_the_same_bytes_whatever_the_jobs(wellies: Command) -> None:
    words = [
        "simulate",
        "guppies",
        "--games",
        "6",
        "--seed",
        "3",
        "--bots",
        "greedy,random",
        "-o",
        "tiles=64",
        "--json",
    ]
    answers = [wellies(*words, "--jobs", jobs)[1] for jobs in ("1", "2", "1")]
    assert answers[0] == answers[1] == answers[2]
    report = json.loads(answers[0])
    assert report["games"] == 6
    assert "timing" not in report
    assert wellies(*words[:5], "4", *words[6:])[1] != answers[0]


def test_timing_is_told_only_when_asked_for(wellies: Command) -> None:
    _, out, _ = wellies("simulate", "toy", "--games", "3", "--seed", "3", "--json", "--timing")
    assert json.loads(out)["timing"]["jobs"] == 1


def test_the_tables(wellies: Command) -> None:
    code, out, err = wellies("simulate", "toy", "--games", "20", "--seed", "3", "--seats", "3")
    assert code == 0
    assert err == ""
    for word in ("greedy", "random", "win rate", "95 %", "seat 2", "decisions a game", "decisions a second", "seed 3"):
        assert word in out


def test_seats_rotate_and_wins_add_up() -> None:
    plan = make_plan("toy", ["greedy", "random"], games=20, seed=1)
    assert plan.seated(0) == [0, 1]
    assert plan.seated(1) == [1, 0]
    report = summary(plan, run(plan))
    assert sum(side["wins"] for side in report["by_bot"]) == pytest.approx(20)
    assert sum(side["wins"] for side in report["by_seat"]) == pytest.approx(20)
    assert report["by_bot"][0]["played"] == 20
    fixed = make_plan("toy", ["greedy", "random"], games=4, seed=1, rotate=False)
    assert [fixed.seated(number) for number in range(4)] == [[0, 1]] * 4


def test_a_single_game_can_be_played_again() -> None:
    plan = make_plan("toy", ["greedy", "random"], seats=3, games=5, seed=1)
    assert plan.bots == ["greedy", "random", "greedy"]
    again = play_game(plan, 3)
    first = run(plan)[3]
    assert (first.scores, first.decisions, first.reason) == (again.scores, again.decisions, again.reason)


def test_intervals_after_wilson() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == pytest.approx(1)
    assert wilson(0, 0) == (0.0, 1.0)


def test_bad_plans() -> None:
    with pytest.raises(BadOption):
        make_plan("toy", [], games=5)
    with pytest.raises(BadOption):
        make_plan("toy", ["random"], games=0)


LONGEST = 120.0
"""Seconds that a program may take to start or to end, however busy the machine."""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Only /proc tells when it listens to signals.")
@pytest.mark.parametrize(
    ("jobs", "number", "code"),
    [("1", signal.SIGINT, 130), ("2", signal.SIGINT, 130), ("2", signal.SIGTERM, 143), ("2", signal.SIGKILL, -9)],
)
def test_it_ends_cleanly_and_leaves_no_process_behind(jobs: str, number: signal.Signals, code: int) -> None:
    command = [sys.executable, "-m", "wellies", "simulate", "guppies", "--games", "100000", "--jobs", jobs]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        _wait_until_it_plays(process, int(jobs))
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as the terminal does
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=LONGEST)
        assert process.returncode == code
        assert "Traceback" not in out + err
        assert err in ("", "wellies: stopped.\n")
        assert not _alive(process.pid)
    finally:
        # A hundred thousand games would go on for hours if the test fails.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _wait_until_it_plays(process: subprocess.Popen[str], jobs: int) -> None:
    """Until the program has a handler for signals, which it sets when it begins to play, and its workers run."""
    proc = Path(f"/proc/{process.pid}")
    end = time.monotonic() + LONGEST
    while process.poll() is None and time.monotonic() < end:
        caught = re.search(r"SigCgt:\s*([0-9a-f]+)", (proc / "status").read_text(encoding="ascii"))
        listens = caught is not None and int(caught.group(1), 16) >> (signal.SIGTERM - 1) & 1
        workers = (proc / "task" / str(process.pid) / "children").read_text(encoding="ascii").split()
        if listens and (jobs == 1 or len(workers) >= jobs):
            return
        time.sleep(0.01)
    raise AssertionError("it does not play")


def _alive(group: int) -> bool:
    """Whether a process of this group still runs after a moment."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True
