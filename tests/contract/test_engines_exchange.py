"""States travel between the compiled engine and plain Python; run by `make agree`, which tests the compiled one."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from engine_facts import engine_facts
from helpers import HERE, cases, some_states

from wellies import GameState

SOURCES = Path(__file__).parents[2] / "src"

PLAIN = """
import pickle, sys
from wellies.core.engine import compiled
assert not compiled(), "this should be the plain engine"
states = pickle.load(sys.stdin.buffer)
from engine_facts import engine_facts
pickle.dump([(state, engine_facts(state)) for state in states], sys.stdout.buffer)
"""


@pytest.mark.skipif(os.environ.get("WELLIES_ENGINE") != "compiled", reason="needs the compiled engine: make agree")
def test_pickles_of_one_engine_are_read_by_the_other() -> None:
    states: list[GameState] = [state for case in cases() for state in list(some_states(case, "exchanged", 60))[:4]]
    answer = subprocess.run(
        [sys.executable, "-c", PLAIN],
        input=pickle.dumps(states),
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCES), str(HERE)])},
        capture_output=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr.decode()
    back = pickle.loads(answer.stdout)
    assert len(back) == len(states)
    for state, (other, facts) in zip(states, back, strict=True):
        assert other == state
        assert engine_facts(other) == engine_facts(state) == facts
