"""How games end, and what comes after: results, giving up, once more, replays, proofs."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import pytest
from page_server import Opener
from page_tables import (
    ME,
    NEXT,
    OPEN,
    against_bot,
    api_post,
    is_over,
    make_move,
    press_at,
    record_up_to,
    set_table,
    sit_down,
    whose_turn,
)
from playwright.sync_api import Locator, Page, expect

SMALL = {"mat": "small"}


def scores(page: Page) -> list[str]:
    return page.locator(".players .score").all_inner_texts()


def finish_together(pages: list[Page]) -> None:
    """Play a game to its end, each in a browser of their own."""
    last = [""] * len(pages)
    for _ in range(1000):
        if all(is_over(page) for page in pages):
            return
        due = [number for number, page in enumerate(pages) if not is_over(page) and page.locator(".table.due").count()]
        for number in due:
            step = pages[number].evaluate(NEXT, [last[number], 500])
            if not step["late"] and step["step"] != "over":
                last[number] = step["sign"]
                press_at(pages[number], step["at"], touch=False)
        if not due:
            pages[0].wait_for_timeout(30)
    raise AssertionError("the game does not end")


def the_board_is_in_view_beside_the_result(page: Page) -> None:
    apart = """() => {
      const board = document.querySelector('.stage').getBoundingClientRect();
      const result = document.querySelector('dialog[open]').getBoundingClientRect();
      return board.height > 150 && (result.left >= board.right - 1 || result.top >= board.bottom - 1);
    }"""
    page.wait_for_function(apart)


def pull_the_sheet_up_and_down(page: Page) -> None:
    """On a phone the result is a sheet: it steps up at a press of its handle, and goes down when it is pulled."""
    result = page.get_by_role("dialog")
    tall = """([least, most]) => {
      const part = document.querySelector('dialog[open]').getBoundingClientRect().height / innerHeight;
      return part > least && part < most;
    }"""
    page.wait_for_function(tall, arg=[0.4, 0.6])
    result.get_by_role("button", name="Show more of the result").click()
    page.wait_for_function(tall, arg=[0.8, 0.95])
    handle = result.get_by_role("button", name="Show less of the result").bounding_box()
    assert handle is not None
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 200, steps=4)
    page.mouse.move(x, y + 560, steps=4)
    page.mouse.up()
    page.wait_for_function(tall, arg=[0.1, 0.25])
    the_board_is_in_view_beside_the_result(page)
    result.get_by_role("button", name="Chat").click()
    expect(page.get_by_label("Say something")).to_be_visible()
    expect(result).to_have_count(0)


def told_by_turns(page: Page) -> list[list[str]]:
    """Whose turns the log tells of, and their numbers."""
    page.get_by_role("dialog").get_by_role("button", name="Log", exact=True).click()
    expect(page.locator(".turn .line .pics svg").first).to_be_attached()
    told: list[list[str]] = page.locator(".turn .head").evaluate_all(
        "heads => heads.map(head => [head.querySelector('.who').textContent, head.querySelector('.no').textContent])"
    )
    return told


SOAK = bool(os.environ.get("WELLIES_SOAK"))
TWO_PEOPLE: list[tuple[str, dict[str, str]]] = [("puppies", {})]
"""Where both choose at the same time: the last two rounds. `make soak` plays the whole game, and one more, where they
take turns."""
if SOAK:
    TWO_PEOPLE.append(("umbradeco", SMALL))


@pytest.mark.parametrize(("game", "options"), TWO_PEOPLE)
def test_two_people_in_two_browsers_play_to_the_end_and_once_more(
    visit: Opener, game: str, options: dict[str, str]
) -> None:
    host, friend = visit("/"), visit("/", phone=True, dark=True)
    api_post(host, "/me", {"name": "Ann"})
    if SOAK:
        table = set_table(host, game, [ME, OPEN], start=False, options=options)
    else:
        record = record_up_to(game, lambda view: view["position"]["round"] == 7)
        table = api_post(host, "/tables", {"record": record, "seats": [ME, OPEN], "start": False})["id"]
    sit_down(friend, table, "Bea")
    for page in (host, friend):
        page.goto(f"/t/{table}")
    host.get_by_role("button", name="Start", exact=True).click()
    finish_together([host, friend])
    for page in (host, friend):
        expect(page.get_by_role("dialog").get_by_role("row")).to_have_count(6)
        the_board_is_in_view_beside_the_result(page)
    pull_the_sheet_up_and_down(friend)
    turns = told_by_turns(host)
    assert {name for name, _ in turns} == {"Ann", "Bea"}
    assert [number for _, number in turns] == [f"turn {number}" for number in range(1, len(turns) + 1)]
    for page in (host, friend):
        page.get_by_role("button", name="Result", exact=True).click()
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
    page = visit(None)
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


def walk_by_turns(page: Page, slider: Locator, last: int) -> None:
    """The log follows, leads to any turn, and the end tells the result."""
    heads = page.locator(".turn button.head")
    expect(heads.first).to_be_attached()
    heads.filter(has_text="turn 5").click()
    fifth = int(slider.input_value())
    now = page.locator(".line.now")
    expect(now).to_have_count(1)
    expect(now).to_have_attribute("data-line", re.compile(rf"^{fifth}\."))
    page.get_by_role("button", name="Next turn").click()
    sixth = int(slider.input_value())
    assert sixth > fifth
    page.get_by_role("button", name="Previous turn").click()
    expect(slider).to_have_value(str(fifth))
    page.keyboard.press("Shift+ArrowRight")
    expect(slider).to_have_value(str(sixth))
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(sixth - 1))
    expect(page.get_by_role("heading", level=2, name=re.compile("wins?$"))).to_have_count(0)
    page.keyboard.press("End")
    expect(slider).to_have_value(str(last))
    expect(page.get_by_role("heading", level=2, name=re.compile("wins?$"))).to_be_visible()
    expect(page.get_by_role("heading", name="Where the points came from")).to_be_visible()
    expect(page.get_by_role("button", name="To the end")).to_be_disabled()
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Back to the beginning")).to_be_disabled()


def test_what_came_while_i_was_away_is_marked_in_the_log(visit: Opener) -> None:
    host, friend = visit("/"), visit("/")
    api_post(host, "/me", {"name": "Ann"})
    table = set_table(host, "umbradeco", [ME, OPEN], start=False, options=SMALL)
    sit_down(friend, table, "Bea")
    api_post(host, f"/tables/{table}/start", {})
    for page in (host, friend):
        page.goto(f"/t/{table}")
    first = whose_turn(host, friend)
    second = friend if first is host else host
    expect(second.locator(".turn .line").first).to_be_attached()
    mark = second.get_by_text("Since you last looked")
    hide = """hidden => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }"""
    second.evaluate(hide, True)
    make_move(first)
    expect(mark).to_have_count(1)
    second.evaluate(hide, False)
    make_move(first)
    expect(second.locator(".table.due")).to_be_visible()
    expect(mark).to_have_count(1)
    make_move(second)
    expect(mark).to_have_count(0)

    first.goto("/")
    make_move(second)
    first.goto(f"/t/{table}")
    expect(first.get_by_text("Since you last looked")).to_be_visible()
    first.reload()
    expect(first.locator(".turn .line").first).to_be_attached()
    expect(first.get_by_text("Since you last looked")).to_have_count(0)


def test_a_replay_goes_back_and_forth_and_can_be_played_from(visit: Opener) -> None:
    page = visit(None)
    table = set_table(page, "umbradeco", [ME, {"kind": "bot", "level": "greedy"}], options=SMALL)
    before = page.request.get(f"/api/v1/tables/{table}").json()
    assert before["seed"] is None, "the seed is secret while the game goes on"
    api_post(page, f"/tables/{table}/resign", {"seat": 0})  # a bot finishes the game
    page.goto(f"/t/{table}")
    page.get_by_role("dialog").get_by_role("link", name="Replay", exact=True).click()
    slider = page.get_by_label("Moment")
    expect(slider).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(slider).to_have_value("3")
    page.get_by_role("button", name="Pause").click()
    last = int(slider.get_attribute("max") or 0)
    walk_by_turns(page, slider, last)
    # A moment at which it is my turn: then nobody moves before I do.
    moments = page.request.get(f"/api/v1/tables/{table}/replay?from=0&to={last - 8}").json()["moments"]
    moment = max(each["number"] for each in moments if each["view"] and each["view"]["active"] == [0])
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
    assert published == before["seed_hash"]
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
