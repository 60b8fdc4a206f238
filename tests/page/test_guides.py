"""Every guided first game, played through: what it speaks of is there, what it advises can be played, bots wait."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from page_server import Opener
from page_tables import check_accessibility, confirm_button, make_move
from playwright.sync_api import Locator, Page, expect

GAMES = Path(__file__).parents[2] / "web" / "src" / "games"
GUIDES = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in GAMES.glob("*/guide.json")}
WAITS = "press Next to go on"


TRUE_SCORES = """(both) => {
  const said = document.querySelector('[aria-label="Guide"]')?.innerText ?? '';
  const points = [...document.querySelectorAll('.players .score')].map((each) => parseInt(each.innerText));
  const says = (who, score) => new RegExp(`${who} ${score}(?!\\\\d)`, 'i').test(said);
  return says('you have', points[0]) && (!both || says('Shower has', points[1]));
}"""


def start(visit: Opener, game: str, **how: Any) -> tuple[Page, Locator]:
    page = visit(f"/learn/{game}", **how)
    page.get_by_role("button", name="Play a guided first game").click()
    return page, page.get_by_role("complementary", name="Guide")


def scores(page: Page) -> list[str]:
    return [text.split()[0] for text in page.locator(".players .score").all_inner_texts()]


def check_what_it_speaks_of(page: Page, guide: Locator, step: dict[str, Any]) -> None:
    """Names and scores are those of the table; what is lit or pointed at is there to be seen."""
    said = guide.inner_text()
    assert not re.search(r"[{}]|undefined|NaN", said)
    if "{bot}" in step["say"]:
        assert "Shower" in said
    if "{score}" in step["say"]:
        # Read in one go: a move that is still being shown changes both.
        page.wait_for_function(TRUE_SCORES, arg="{bot score}" in step["say"])
    for space in step.get("light", []):
        expect(page.locator(f'[data-space="{space}"].lit')).to_be_visible()
    for thing in step.get("point", []):
        expect(page.locator(thing).first).to_be_visible()
    if step.get("point"):
        expect(page.locator(".ring").first).to_be_visible()


def take_the_advice(page: Page, guide: Locator) -> None:
    guide.get_by_role("button", name="Show me").click()
    expect(guide.get_by_text("Now press Confirm.")).to_be_visible()
    expect(guide.get_by_role("button", name="Show me")).to_have_count(0)
    confirm_button(page).click()


@pytest.mark.parametrize("game", sorted(GUIDES))
def test_a_guide_is_true_from_its_first_word_to_its_last(visit: Opener, game: str) -> None:
    page, guide = start(visit, game)
    steps = GUIDES[game]["steps"]
    for number, step in enumerate(steps, 1):
        expect(guide).to_contain_text(f"{number}/{len(steps)}")
        if step["until"] == "move":
            # The guide speaks of the person's own turn, once others have had theirs.
            expect(page.locator(".table.due")).to_be_visible()
        check_what_it_speaks_of(page, guide, step)
        if number == len(steps):
            expect(guide).to_contain_text("You know how it goes!")
            assert guide.get_by_role("link", name="Read more").get_attribute("href")
            guide.get_by_role("button", name="Play on").click()
        elif step["until"] == "next":
            guide.get_by_role("button", name="Next").click()
        elif "expect" in step:
            take_the_advice(page, guide)
            expect(guide).not_to_contain_text("another way")
        else:
            make_move(page)
    expect(guide).to_have_count(0)


def test_bots_wait_while_the_guide_speaks_and_go_on_waiting_after_a_reload(visit: Opener) -> None:
    page, guide = start(visit, "guppies", phone=True)
    guide.get_by_role("button", name="Next").click()
    guide.get_by_role("button", name="Next").click()
    take_the_advice(page, guide)
    expect(guide).to_contain_text("Nine points!")
    expect(page.get_by_text(WAITS)).to_be_visible()
    tiles = page.locator("[data-space]:not([aria-label^='Open space'])")
    laid = tiles.count()
    assert laid > 1
    assert scores(page)[0] == "21"
    before = scores(page)
    page.reload()
    expect(guide).to_contain_text("Nine points!")
    expect(page.get_by_text(WAITS)).to_be_visible()
    assert scores(page) == before
    expect(tiles).to_have_count(laid)
    page.locator("[data-space]").first.click()  # even an impatient tap does not make the bot run ahead
    expect(page.get_by_text(WAITS)).to_be_visible()
    check_accessibility(page)
    guide.get_by_role("button", name="Next").click()
    expect(page.locator(".table.due")).to_be_visible()
    expect(tiles).to_have_count(laid + 1)
    guide.get_by_role("button", name="Stop").click()
    expect(guide).to_have_count(0)


def test_another_way_is_remarked_on_and_what_would_not_be_true_is_not_said(visit: Opener) -> None:
    page, guide = start(visit, "guppies")
    guide.get_by_role("button", name="Next").click()
    guide.get_by_role("button", name="Next").click()
    page.locator(".space.legal:not(.lit)").first.click()
    confirm_button(page).click()
    expect(guide).to_contain_text("another way")
    expect(guide).to_contain_text("5/7")
    expect(guide).not_to_contain_text("Nine points!")


def test_toasts_do_not_cover_the_guide(visit: Opener) -> None:
    page, guide = start(visit, "umbradeco", phone=True)
    guide.get_by_role("button", name="Next").click()
    page.locator("[data-space]:not(.legal)").first.click()
    page.wait_for_function(
        """() => document.querySelector('.toast')?.getBoundingClientRect().top
             >= document.querySelector('.guide').getBoundingClientRect().bottom"""
    )
