"""Texts and sheets are measured as a terminal shows them."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.text import Text

from wellies.cli.screen import cut_text
from wellies.core.canvas import Canvas, cells, clip, seat_names, width, wrap

TEXTS = [
    "plain",
    "Grüße",
    "e\u0301tude",  # an accent of its own
    "한국 팀",
    "日本の雨",
    "ｆｕｌｌ",
    "नमस्ते",
    "☂ ▶ ═ ·",
    "rain ☔ cat 🐈",
    "❤\ufe0f",
    "👩\u200d🚀 up",
    "👋🏽",
    "🇩🇪 🇯🇵",
    "zero\u200bwidth",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_engine_measures_a_text_as_the_terminal_does(text: str) -> None:
    assert width(text) == cell_len(text) == sum(columns for _, columns in cells(text))
    assert "".join(piece for piece, _ in cells(text)) == text


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("columns", [2, 3, 5])
def test_no_line_is_wider_than_it_may_be_and_nothing_is_lost(text: str, columns: int) -> None:
    assert width(clip(text, columns)) <= columns
    assert text.startswith(clip(text, columns))
    lines = wrap(text, columns)
    assert all(width(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_sheet_keeps_accents_with_their_letters_and_columns_in_line() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "e\u0301日x")
    canvas.put(1, 3, "|")
    assert canvas.plain() == "e\u0301日x\n   |"
    assert canvas.width == 4


def test_long_names_are_cut_by_columns() -> None:
    assert seat_names({"seats": 2, "names": ["日本の雨の日々", "Ann"]}, 8) == ["日本の…", "Ann"]
    assert seat_names({"seats": 2}) == ["seat 0", "seat 1"]


@pytest.mark.parametrize(
    ("start", "columns", "seen"), [(0, 3, "a日"), (1, 2, "日"), (2, 2, " b"), (0, 2, "a"), (3, 9, "bc"), (9, 3, "")]
)
def test_a_wide_sign_that_is_cut_in_two_becomes_a_blank(start: int, columns: int, seen: str) -> None:
    assert cut_text(Text("a日bc"), start, columns).plain == seen
