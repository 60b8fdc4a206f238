"""The Python code of docs/research.md runs as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "research.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
SMALLER = {"num_envs=1024": "num_envs=8", "range(200)": "range(60)"}
"""What the tutorial does with a thousand games takes too long without the compiled engine."""


def test_each_block_runs_by_itself() -> None:
    ran = 0
    for code in BLOCKS:
        if "puppies.parquet" in code:
            continue  # it reads a file of 1,000 games; test_data.py makes such files and reads them in each way
        if "pyspiel" in code:
            pytest.importorskip("pyspiel")
        for printed, smaller in SMALLER.items():
            code = code.replace(printed, smaller)
        exec(compile(code, str(PAGE), "exec"), {})
        ran += 1
    assert ran == len(BLOCKS) - 1 >= 6
