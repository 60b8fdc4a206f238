"""How games end, and what comes after: results, giving up, once more, replays, proofs."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from page_server import Opener
from page_tables import (
    ME,
    OPEN,
    against_bot,
    ask,
    choose_by_pointer,
    confirm_button,
    make_move,
    over,
    play_to_the_end,
    set_table,
    sit_down,
)
from playwright.sync_api import Page, expect

SMALL = {"mat": "small"}


def scores(page: Page) -> list[str]:
    return page.locator(".players .score").all_inner_texts()


def finish_together(pages: list[Page]) -> None:
    """Play a game to its end, each in a browser of their own."""
    for _ in range(400):
        if all(over(page) for page in pages):
            return
        for page in pages:
            if page.locator(".table.due").count() and not over(page):
                choose_by_pointer(page, touch=False)
                confirm_button(page).click()
                expect(confirm_button(page)).to_have_count(0)
                break
        else:
            pages[0].wait_for_timeout(30)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("game", "options"), [("umbradeco", SMALL), ("puppies", {})])
def test_two_people_in_two_browsers_play_a_whole_game_and_another(
    visit: Opener, game: str, options: dict[str, str]
) -> None:
    host, friend = visit("/"), visit("/", phone=True, dark=True)
    ask(host, "/me", {"name": "Ann"})
    table = set_table(host, game, [ME, OPEN], start=False, options=options)
    sit_down(friend, table, "Bea")
    for page in (host, friend):
        page.goto(f"/t/{table}")
    host.get_by_role("button", name="Start", exact=True).click()
    finish_together([host, friend])
    for page in (host, friend):
        expect(page.get_by_role("dialog").get_by_role("row")).to_have_count(6)
    results = [page.get_by_role("dialog").locator("table").first.inner_text() for page in (host, friend)]
    assert results[0] == results[1]
    assert "Ann" in results[0]
    assert "Bea" in results[0]

    host.get_by_role("button", name="Once more").click()
    expect(host.get_by_role("heading", level=1)).to_contain_text("waiting for players")
    friend.get_by_role("dialog").get_by_role("button", name="To the next game").click()
    expect(friend.get_by_text("Ann starts the game.")).to_be_visible()
    host.get_by_role("button", name="Start", exact=True).click()
    for page in (host, friend):
        expect(page.locator(".space").first).to_be_visible()
        assert page.locator(".players .who").all_inner_texts() == ["Bea", "Ann"], "another seat begins"


def test_giving_up_is_asked_twice_and_a_bot_finishes_the_game(visit: Opener) -> None:
    page = visit("/")
    against_bot(page, "umbradeco", **SMALL)
    make_move(page)
    menu = page.get_by_role("button", name="Menu")
    menu.click()
    page.get_by_role("button", name="Resign…").click()
    expect(page.get_by_role("button", name="Yes, resign")).to_be_visible()
    page.keyboard.press("Escape")
    menu.click()
    expect(page.get_by_role("button", name="Resign…")).to_be_visible()
    page.get_by_role("button", name="Resign…").click()
    page.get_by_role("button", name="Yes, resign").click()
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("(resigned)")
    expect(page.get_by_role("button", name="Play on myself")).to_have_count(0)

    result.get_by_role("button", name="Once more").click()
    expect(page.locator(".space").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    make_move(page)


def test_a_replay_goes_back_and_forth_and_can_be_played_from(visit: Opener) -> None:
    page = visit("/")
    table = set_table(page, "umbradeco", [ME, {"kind": "bot", "level": "greedy"}], options=SMALL)
    promised = page.request.get(f"/api/v1/tables/{table}").json()
    assert promised["seed"] is None, "the seed is secret while the game goes on"
    page.goto(f"/t/{table}")
    play_to_the_end(page, "mouse")
    page.get_by_role("dialog").get_by_role("link", name="Replay", exact=True).click()
    slider = page.get_by_label("Moment")
    expect(slider).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(slider).to_have_value("3")
    page.get_by_role("button", name="Pause").click()
    last = int(slider.get_attribute("max") or 0)
    moment = last - 12
    slider.fill(str(moment))
    page.wait_for_url(re.compile(rf"at={moment}"))
    page.reload()
    expect(slider).to_have_value(str(moment))
    page.get_by_role("button", name="Copy link to this moment").click()
    assert f"at={moment}" in page.evaluate("() => navigator.clipboard.readText()")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the record").click()
    assert "umbradeco" in Path(download.value.path()).read_text(encoding="utf-8")

    page.get_by_text("Proof of the shuffle").click()
    published, seed = page.locator("details code").all_inner_texts()
    assert published == promised["seed_hash"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == published
    page.get_by_role("button", name="Check every draw").click()
    verdict = page.locator("details .good")
    expect(verdict).to_contain_text("✓")
    assert int(re.search(r"\((\d+) draws\)", verdict.inner_text())[1]) > 5  # type: ignore[index]
    expect(page.get_by_text("This browser computed the same hash from the seed.")).to_be_visible()

    then = page.locator(".scores b").all_inner_texts()
    umbrellas = page.get_by_role("gridcell").evaluate_all("cells => cells.map(cell => cell.ariaLabel).sort()")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url(re.compile(r"/t/[^/]+$"))
    expect(page.locator(".space").first).to_be_visible()
    assert page.url.rsplit("/", 1)[1] != table
    assert [text.split()[0] for text in scores(page)] == then
    now = page.get_by_role("gridcell").evaluate_all(
        "cells => cells.map(cell => cell.ariaLabel.replace(/. You can play here.*/, '')).sort()"
    )
    assert now == umbrellas
    make_move(page)
