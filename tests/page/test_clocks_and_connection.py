"""Clocks and cables: time is shown and kept, and a broken connection or server loses nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from page_server import Opener, ServerProcess
from page_tables import (
    ME,
    OPEN,
    against_bot,
    choose_by_pointer,
    confirm_button,
    make_move,
    set_table,
    sit_down,
    wait_for_turn,
    whose_turn,
)
from playwright.sync_api import Page, expect
from server.faults import Cable

TILES = "[aria-label^='Tile at']"
LOST = "The connection is lost"
CUT = ["failed: Error in connection establishment: net::ERR_", "failed: Error during WebSocket handshake: net::ERR_"]
"""What a browser notes of a socket that finds no server."""


def laid(page: Page) -> int:
    return page.locator(TILES).count()


def log_of(page: Page) -> list[str]:
    return page.locator("[aria-label='Log'] li").all_inner_texts()


# --- clocks ----------------------------------------------------------------------------------------------------------


def test_days_for_each_move_are_set_up_and_shown(visit: Opener) -> None:
    page = visit("/new/guppies")
    page.get_by_label("Days for each move").check()
    page.get_by_label("Days", exact=True).fill("3")
    page.get_by_role("button", name="Start the game").click()
    wait_for_turn(page)
    expect(page.locator(".players .me").get_by_role("timer")).to_have_text(re.compile(r"3 d 0 h|2 d 23 h"))
    make_move(page)
    wait_for_turn(page)
    expect(page.locator(".players .me").get_by_role("timer")).to_have_text(re.compile(r"3 d 0 h|2 d 23 h"))


def test_a_chess_clock_runs_for_whoever_is_to_move(visit: Opener) -> None:
    page = visit(None)
    clock = {"kind": "game", "seconds": 600, "increment": 5}
    table = set_table(page, "guppies", [ME, OPEN], start=False, clock=clock)
    friend = visit(None)
    sit_down(friend, table, "Bea")
    page.goto(f"/t/{table}")
    expect(page.get_by_text("10 minutes each, plus 5 seconds a move.")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    friend.goto(f"/t/{table}")
    for each in (page, friend):
        expect(each.get_by_role("timer").first).to_have_text(re.compile(r"^\s*(10:0\d|9:[345]\d)\s*$"))
    first = whose_turn(page, friend)
    running = first.locator(".players .me").get_by_role("timer")
    before = running.inner_text()
    expect(running).not_to_have_text(before)
    expect(first.locator(".players li:not(.me)").get_by_role("timer")).to_have_text(re.compile("10:00"))


def test_a_missed_move_is_made_by_a_bot_and_the_next_one_is_mine(visit: Opener) -> None:
    page = visit(None)
    page.goto(f"/t/{set_table(page, 'guppies', [ME, OPEN], start=False, clock={'kind': 'move', 'seconds': 5})}")
    table = page.url.rsplit("/", 1)[1]
    friend = visit(None)
    sit_down(friend, table, "Bea")
    page.get_by_role("button", name="Start", exact=True).click()
    friend.goto(f"/t/{table}")
    first = whose_turn(page, friend)
    second = friend if first is page else page
    expect(first.locator(".says")).to_contain_text(
        "Time ran out for you: a bot makes this move. The next one is yours."
    )
    expect(second.locator(".table.due")).to_be_visible()
    expect(first.locator(".says")).not_to_contain_text("a bot makes this move")
    for each in (first, second):
        expect(each.locator("[aria-label='Log']")).to_contain_text("'s time ran out; a bot makes this move.")
        expect(each.locator(".players")).not_to_contain_text("Bot plays")


def test_a_seat_goes_to_a_bot_and_back(visit: Opener) -> None:
    page = visit(None)
    table = set_table(page, "guppies", [ME, OPEN], start=False)
    friend = visit(None)
    sit_down(friend, table, "Bea")
    page.goto(f"/t/{table}")
    page.get_by_role("button", name="Start", exact=True).click()
    friend.goto(f"/t/{table}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Hand my seat to a bot").click()
    expect(page.locator(".says", has_text="A bot plays for you")).to_be_visible()
    expect(friend.locator(".players")).to_contain_text("Bot plays")
    make_move(friend)
    page.locator(".bar").get_by_role("button", name="Play on myself").click()
    expect(page.locator(".says", has_text="A bot plays for you")).to_have_count(0)
    expect(friend.locator(".players")).not_to_contain_text("Bot plays")


# --- the cable -------------------------------------------------------------------------------------------------------


def test_what_happens_while_the_cable_is_cut_is_seen_when_it_is_mended(visit: Opener, cable: Cable) -> None:
    page = visit(None, url=cable.url, errors=CUT)
    table = set_table(page, "guppies", [ME, OPEN], start=False)
    friend = visit(None)
    sit_down(friend, table, "Bea")
    page.goto(f"/t/{table}")
    page.get_by_role("button", name="Start", exact=True).click()
    friend.goto(f"/t/{table}")
    if whose_turn(page, friend) is page:
        make_move(page)
    expect(friend.locator(".table.due")).to_be_visible()
    before = laid(page)
    cable.cut()
    expect(page.get_by_text(LOST)).to_be_visible()
    make_move(friend)
    friend.get_by_role("button", name="Chat").click()
    friend.get_by_label("Say something").fill("Are you still there?")
    friend.get_by_role("button", name="Say", exact=True).click()
    assert laid(page) == before
    cable.mend()
    expect(page.get_by_text(LOST)).to_have_count(0)
    expect(page.locator(TILES)).to_have_count(before + 1)
    page.get_by_role("button", name=re.compile("^Chat")).click()
    expect(page.get_by_text("Are you still there?")).to_have_count(1)
    for each in (page, friend):
        each.get_by_role("button", name="Log", exact=True).click()
    make_move(page)
    expect(friend.locator(TILES)).to_have_count(before + 2)
    assert log_of(page) == log_of(friend)


def test_a_move_that_the_cable_swallowed_is_played_once(visit: Opener, cable: Cable) -> None:
    page = visit(None, url=cable.url, errors=CUT)
    table = set_table(page, "guppies", [ME, ME])
    page.goto(f"/t/{table}")
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    expect(page.locator(".lines li").first).to_be_attached()
    cable.hang()
    confirm_button(page).click()
    while not cable.held:  # the move is on its way
        page.wait_for_timeout(10)
    cable.cut()
    expect(page.get_by_text(LOST)).to_be_visible()
    assert laid(page) == 0
    cable.mend()
    expect(page.locator(TILES)).to_have_count(1)
    make_move(page)
    expect(page.locator(TILES)).to_have_count(2)


@pytest.mark.parametrize("hard", [False, True], ids=["stopped", "killed"])
def test_a_server_that_comes_back_finds_the_game_as_it_was(visit: Opener, tmp_path: Path, hard: bool) -> None:
    own = ServerProcess(tmp_path)
    own.start()
    try:
        page = visit(None, url=own.url, errors=CUT)
        against_bot(page, "guppies", tiles=64)
        make_move(page)
        wait_for_turn(page)
        before, log = laid(page), log_of(page)
        own.stop(hard=hard)
        expect(page.get_by_text(LOST)).to_be_visible()
        own.start()
        expect(page.get_by_text(LOST)).to_have_count(0)
        assert laid(page) == before
        assert log_of(page) == log
        make_move(page)
        expect(page.locator(TILES).nth(before)).to_be_attached()
        page.reload()
        wait_for_turn(page)
        assert log_of(page)[: len(log)] == log
        page.close()
    finally:
        own.stop()
    assert not own.new_errors()
