"""Whole games against a bot, in a real browser, by everything a person has to play with."""

from __future__ import annotations

from typing import Any

import pytest
from page_server import Opener
from page_tables import against_bot, play_to_the_end
from playwright.sync_api import expect

GAMES: dict[str, dict[str, Any]] = {"guppies": {"tiles": 64}, "umbradeco": {"mat": "standard"}}


@pytest.mark.parametrize("how", ["mouse", "touch", "keys"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(visit: Opener, game: str, how: str) -> None:
    page = visit("/", phone=how == "touch", dark=how == "keys")
    against_bot(page, game, **GAMES[game])
    moves = play_to_the_end(page, how)
    assert moves >= 20
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("win")
    expect(result.get_by_role("img", name="Scores by turn")).to_be_visible()
    expect(result).to_contain_text("Where the points came from")


def test_play_now_is_one_click(visit: Opener) -> None:
    page = visit("/")
    page.locator(".box", has_text="Guppies").get_by_role("button", name="Play now").click()
    expect(page.locator(".space").first).to_be_visible()
    expect(page.locator(".says")).not_to_be_empty()
