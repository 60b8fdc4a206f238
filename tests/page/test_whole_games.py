"""Whole games against bots, in a real browser, by everything a person has to play with. Pieces move as they do for
players; under reduced motion nothing moves, and the game is the same."""

from __future__ import annotations

import os
from typing import Any

import pytest
from page_server import Opener
from page_tables import BOT, ME, play_to_the_end, set_table
from playwright.sync_api import Page, expect

GAMES: dict[str, tuple[str, dict[str, Any], int]] = {
    "guppies": ("guppies", {"tiles": 64}, 16),
    "umbradeco": ("umbradeco", {"mat": "standard"}, 16),
    "aquarium": ("aquarium", {}, 11),
    "puppies": ("puppies", {}, 14),
    "marram-classic": ("marram", {"variant": "classic", "length": "short"}, 10),
    "marram-pitchfork": ("marram", {"variant": "pitchfork", "length": "short"}, 10),
    "marram-animals": ("marram", {"variant": "animals", "length": "long"}, 30),
}
"""The game, its options, and the least number of choices that one of several players has in it."""

SEATS = {"mouse": 2, "touch": 4, "keys": 3}
"""At larger tables the bots make more of the moves."""

ALL = [(case, how) for case in GAMES for how in SEATS]
FEW = [
    ("guppies", "touch"),
    ("umbradeco", "keys"),
    ("aquarium", "mouse"),
    ("aquarium", "touch"),
    ("puppies", "touch"),
    ("puppies", "keys"),
    ("marram-classic", "mouse"),
    ("marram-pitchfork", "touch"),
    ("marram-animals", "keys"),
]
"""Every game, and every way to play it, in the ordinary tests; every game in every way in `make soak`."""
PLAYED = ALL if os.environ.get("WELLIES_SOAK") else FEW


def hold_whole_game(page: Page, case: str, how: str, seats: int) -> None:
    game, options, least = GAMES[case]
    page.goto(f"/t/{set_table(page, game, [ME] + [BOT] * (seats - 1), options=options)}")
    assert play_to_the_end(page, how) >= least
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("win")
    expect(result.get_by_role("img", name="Scores by turn")).to_be_visible()
    expect(result).to_contain_text("Where the points came from")


@pytest.mark.parametrize(("case", "how"), PLAYED)
def test_a_whole_game(visit: Opener, case: str, how: str) -> None:
    seats = 5 if (case, how) == ("puppies", "touch") else SEATS[how]
    hold_whole_game(visit("/", phone=how == "touch", dark=how == "keys"), case, how, seats)


@pytest.mark.parametrize("case", ["guppies", "umbradeco", "puppies"])
def test_a_whole_game_where_nothing_moves(visit: Opener, case: str) -> None:
    page = visit("/", still=True)
    hold_whole_game(page, case, "mouse", 4)
    assert page.locator("html").get_attribute("data-motion") == "none"


def test_the_shortest_game_at_the_usual_speed(visit: Opener) -> None:
    page = visit("/", speed="normal")
    hold_whole_game(page, "aquarium", "mouse", 2)
    assert page.locator("html").get_attribute("data-motion") == "full"


def test_play_now_is_one_click(visit: Opener) -> None:
    page = visit("/")
    page.locator(".box", has_text="Guppies").get_by_role("button", name="Play now").click()
    expect(page.locator(".space").first).to_be_visible()
    expect(page.locator(".says")).not_to_be_empty()
