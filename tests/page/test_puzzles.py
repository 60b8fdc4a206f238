"""The puzzle of the day in a browser: solved with a mouse, missed on a phone, streak, calendar, sharing."""

from __future__ import annotations

import json
import re

from page_server import Opener
from page_tables import (
    check_accessibility,
    check_accessibility_in_both_themes,
    confirm_button,
    wait_for_turn,
)
from playwright.sync_api import Page, expect

from wellies.puzzles.puzzle import EPOCH, game_of_day, puzzle_on

DAY = EPOCH.isoformat()
CARDS = puzzle_on("puppies", EPOCH)


def press_card(page: Page, move: str) -> None:
    """Choose the card that a move of Good Puppies names, in the hand or in the park."""
    page.locator(f"button[data-inspect='card:{int(move.split()[1])}']").first.click()


def test_a_puzzle_is_solved_with_a_mouse_and_shared(visit: Opener) -> None:
    page = visit(f"/puzzle/puppies/{DAY}")
    page.add_init_script("delete Navigator.prototype.share")
    page.reload()
    wait_for_turn(page)
    told: list[str] = []
    page.on("response", lambda answer: told.append(answer.url))
    panel = page.get_by_role("complementary", name="Puzzle")
    expect(panel).to_contain_text("The first try counts")
    expect(panel.get_by_role("button", name="Share")).to_have_count(0)
    press_card(page, CARDS.best.move)
    assert not any("/try" in url for url in told), "nothing is asked before the answer"
    confirm_button(page).click()
    expect(panel.get_by_role("heading", name="That is the best move")).to_be_focused()
    expect(panel.get_by_role("img", name="3 of 3 boots")).to_be_visible()
    check_accessibility_in_both_themes(page)

    panel.get_by_role("button", name="Share the result").click()
    expect(page.get_by_text("Result copied")).to_be_visible()
    shared = page.evaluate("() => navigator.clipboard.readText()")
    assert shared == f"Wellies puzzle 1 · Good Puppies · {DAY}\n👢👢👢"

    obvious = next(row for row in CARDS.rows if row.move in CARDS.obvious)
    panel.get_by_role("button", name=re.compile("the obvious move")).first.click()
    expect(confirm_button(page)).to_be_visible()
    confirm_button(page).click()
    expect(panel.get_by_role("heading", name="There is better")).to_be_visible()
    expect(panel).to_contain_text(f"loses {obvious.lost:.1f} points")
    expect(panel.get_by_role("img", name="3 of 3 boots")).to_be_visible()
    page.reload()
    wait_for_turn(page)
    expect(panel.get_by_role("img", name="3 of 3 boots")).to_be_visible()


def test_a_puzzle_is_missed_on_a_phone_with_a_finger(visit: Opener) -> None:
    page = visit("/puzzle/puppies/" + DAY, phone=True, dark=True)
    wait_for_turn(page)
    expect(page.get_by_role("heading", level=2, name=re.compile("^Puzzle"))).to_be_hidden()
    press_card(page, CARDS.obvious[0])
    confirm_button(page).tap()
    panel = page.get_by_role("complementary", name="Puzzle")
    expect(panel.get_by_role("heading", name="There is better")).to_be_focused()
    expect(panel.get_by_role("img", name=re.compile("^[01] of 3 boots"))).to_be_visible()
    check_accessibility(page)
    panel.get_by_role("button", name=re.compile("^best")).tap()
    expect(panel).to_be_hidden()
    confirm_button(page).tap()
    expect(panel.get_by_role("heading", name="That is the best move")).to_be_visible()
    wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


def test_the_shelf_the_calendar_and_the_streak(visit: Opener) -> None:
    page = visit(None)
    page.clock.set_fixed_time(f"{EPOCH.replace(day=20).isoformat()}T12:00:00Z")
    tries = {
        f"{game_of_day(day)} {day.isoformat()}": {"move": "x", "boots": 3, "tried": day.isoformat()}
        for day in (EPOCH.replace(day=18), EPOCH.replace(day=19))
    }
    page.add_init_script(f"localStorage.setItem('wellies.puzzles', {json.dumps(json.dumps(tries))})")
    page.goto("/")
    card = page.get_by_role("link", name=re.compile("Puzzle of the day"))
    today = game_of_day(EPOCH.replace(day=20))
    expect(card).to_have_attribute("href", f"/puzzle/{today}/2026-11-20")
    page.goto("/puzzle")
    expect(page.locator("[data-streak='2']")).to_contain_text("2 days in a row")
    calendar = page.get_by_role("table", name="Your first tries by day and game")
    expect(calendar.get_by_role("row")).to_have_count(4)
    expect(calendar.get_by_role("link", name=re.compile("puzzle of the day: 3 of 3 boots"))).to_have_count(2)
    expect(calendar.get_by_role("link", name=re.compile("2026-11-20.*: not tried"))).to_have_count(5)
    check_accessibility_in_both_themes(page)


def test_a_day_that_has_not_come_is_refused_in_words(visit: Opener) -> None:
    page = visit("/puzzle/umbradeco/9999-01-01", errors=["404"])
    expect(page.get_by_role("heading", name="No such puzzle")).to_be_visible()
    expect(page.get_by_text("That day has not come yet")).to_be_visible()
