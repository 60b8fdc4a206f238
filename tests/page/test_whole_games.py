"""Whole games against bots, in a real browser, by everything a person has to play with. Pieces move as they do for
players; under reduced motion nothing moves, and the game is the same."""

from __future__ import annotations

import os
from typing import Any

import pytest
from page_server import Opener
from page_tables import BOT, ME, api_post, check_result, play_to_the_end, set_table
from playwright.sync_api import Page, expect

from wellies import Match, Stream

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

QUICK = {"kind": "bot", "level": "random"}
"""In Marram the greedy bot would take most of the time."""

SEATS = {"mouse": 2, "touch": 4, "keys": 3}
"""At larger tables the bots make more of the moves."""

SOAK = bool(os.environ.get("WELLIES_SOAK"))
ALL = [(case, how) for case in GAMES for how in SEATS]
FEW = [
    ("guppies", "touch"),
    ("umbradeco", "keys"),
    ("puppies", "touch"),
]
"""In the ordinary tests; every game in every way in `make soak`. Aquarium is played whole by mouse in
`test_aquarium.py`, at the usual speed, and Marram, on the device, in `test_on_device.py`."""
ENDS = [("marram-pitchfork", "touch"), ("marram-animals", "keys")]
"""The other variants are played here from shortly before their end, and whole in `make soak`."""
STILL = ["umbradeco", *(["guppies", "puppies"] if SOAK else [])]


def play_whole_game(page: Page, case: str, how: str, seats: int) -> None:
    game, options, least = GAMES[case]
    bot = QUICK if game == "marram" else BOT
    page.goto(f"/t/{set_table(page, game, [ME] + [bot] * (seats - 1), options=options)}")
    assert play_to_the_end(page, how) >= least
    check_result(page)


@pytest.mark.parametrize(("case", "how"), ALL if SOAK else FEW)
def test_a_whole_game(visit: Opener, case: str, how: str) -> None:
    seats = {("puppies", "touch"): 5, ("marram-classic", "mouse"): 4}.get((case, how), SEATS[how])
    page = visit(None, phone=how == "touch", dark=how == "keys")
    play_whole_game(page, case, how, seats)
    assert page.locator("html").get_attribute("data-motion") == "full"


@pytest.mark.parametrize(("case", "how"), ENDS)
def test_the_last_turns_of_a_game(visit: Opener, case: str, how: str) -> None:
    game, options, _ = GAMES[case]
    page = visit(None, phone=how == "touch", dark=how == "keys")
    record = record_before_the_end(game, options)
    table = api_post(page, "/tables", {"record": record, "seats": [ME, BOT], "start": True})["id"]
    page.goto(f"/t/{table}")
    assert play_to_the_end(page, how) >= 1
    check_result(page)


def record_before_the_end(game: str, options: dict[str, Any]) -> str:
    """A game at random, up to the last turns of seat 0."""
    whole = random_match(game, options, None)
    return str(random_match(game, options, len(whole.log) - 24).record(reveal=True))


def random_match(game: str, options: dict[str, Any], moves: int | None) -> Match:
    """A game of two at random: whole, or up to the first decision of seat 0 after so many entries of its log."""
    match, rng = Match(game, 2, options, seed=1), Stream(1)
    while due := match.state.due():
        if moves is not None and len(match.log) >= moves and due[0] == 0:
            break
        choices = match.choices(due[0])
        match.play_move(due[0], choices[rng.randrange(len(choices))])
    return match


@pytest.mark.parametrize("case", STILL)
def test_a_whole_game_where_nothing_moves(visit: Opener, case: str) -> None:
    page = visit(None, still=True)
    play_whole_game(page, case, "mouse", 4)
    assert page.locator("html").get_attribute("data-motion") == "none"


def test_play_now_is_one_click(visit: Opener) -> None:
    page = visit("/")
    page.locator(".box", has_text="Guppies").get_by_role("button", name="Play now").click()
    expect(page.locator(".space").first).to_be_visible()
    expect(page.locator(".says")).not_to_be_empty()
