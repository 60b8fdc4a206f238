"""What documents and the command say of actions and observations is what the encodings say."""

from __future__ import annotations

import pytest
from helpers import HERE, Case
from research_cases import CASES
from typer.testing import CliRunner

from wellies.cli.app import app
from wellies.research.layouts import layout


def test_the_page_of_layouts_is_current() -> None:
    import sys

    sys.path.insert(0, str(HERE.parent / "scripts"))
    from research_layouts import FILE, page

    assert FILE.read_text(encoding="utf-8") == page(), "run `make layouts`"


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_every_part_is_described(case: Case) -> None:
    encoding = case.spec.encoding(case.seats, case.options)
    assert encoding is not None
    text = layout(encoding)
    for part in [*encoding.action_groups, *encoding.fields]:
        assert f"| {part.offset} | `{part.name}` |" in text
        assert part.words in text
    assert f"{encoding.actions:,} actions" in text
    assert f"{encoding.size:,} cells" in text


def test_the_command_describes_a_game() -> None:
    done = CliRunner().invoke(app, ["research", "describe", "umbradeco", "--option", "mat=small"])
    assert done.exit_code == 0
    assert "770 actions" in done.output
