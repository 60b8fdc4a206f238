"""Marram in a real browser: claims lit up, flips, and nothing of the stock's order told."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from page_server import Opener
from page_tables import (
    BOT,
    ME,
    api_post,
    at_rest,
    check_accessibility,
    choose_by_pointer,
    confirm_button,
    make_move,
    messages_to,
    set_table,
    wait_for_turn,
)
from playwright.sync_api import Page, expect

import wellies
from wellies import Match, Stream

START: dict[str, Any] = {"at": [0, 0], "tile": 0}
SNAKE: dict[str, Any] = {
    "at": [0, -1],
    "bridge": "sand",
    "segments": ["blue body NS"],
    "claim": {"seat": 1, "piece": "boot", "on": "N"},
}


def table_at(page: Page, position: dict[str, Any]) -> None:
    """A table that begins at this position."""
    seats = len(position["seats"])
    record = f"Game: marram\nRules: 1\nSeats: {seats}\nPosition: {json.dumps(position)}\n\n"
    page.goto(f"/t/{api_post(page, '/tables', {'record': record, 'seats': [ME, BOT], 'start': True})['id']}")


def position(*laid: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "options": {"variant": "classic", "length": "long"},
        "seats": [{"hand": [14, 31, 62]}, {"hand": [47, 58, 36]}],
        "laid": [START, *laid],
        **more,
    }


def test_both_sides_are_shown_and_the_chosen_one_says_where_it_fits(visit: Opener) -> None:
    page = visit(None)
    table_at(page, position(SNAKE))
    wait_for_turn(page)
    expect(page.locator(".side")).to_have_count(6)
    page.get_by_role("button", name=re.compile("Tile 14, back")).click()
    back = page.locator(".space.legal").count()
    assert back > 0
    choose_by_pointer(page, touch=False)
    expect(confirm_button(page)).to_be_visible()
    confirm_button(page).click()
    expect(page.locator(".says")).to_contain_text("Claim something")
    page.get_by_role("button", name=re.compile("^Boot on the sand bridge")).click()
    expect(page.locator(".feature").first).to_be_attached()
    confirm_button(page).click()
    expect(page.locator(".says")).to_contain_text("Your second move")


@pytest.mark.parametrize(
    ("width", "height", "least"), [(1440, 900, 96), (1280, 800, 70), (1024, 768, 70)], ids=["1440", "1280", "1024"]
)
def test_a_hand_is_as_large_as_the_room_allows_and_no_line_of_points_is_cut_off(
    visit: Opener, width: int, height: int, least: int
) -> None:
    page = visit(None)
    page.set_viewport_size({"width": width, "height": height})
    table_at(page, position(SNAKE))
    wait_for_turn(page)
    sides = page.locator(".side svg").all()
    assert len(sides) == 6
    for side in sides:
        box = side.bounding_box()
        assert box is not None
        assert box["width"] >= least - 8, box
    bottom = page.locator(".bottom")
    before = bottom.bounding_box()
    choose_by_pointer(page, touch=False)
    expect(page.locator(".bar .lines")).to_be_visible()
    assert bottom.bounding_box() == before, "nothing moves when the points are told"
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.bar li, .bar button, .bar .says')].filter(each => {
          const box = each.getBoundingClientRect();
          const hit = document.elementFromPoint(box.x + box.width / 2, box.bottom - 3);
          return box.right > innerWidth || box.bottom > innerHeight || !each.parentElement.contains(hit);
        }).map(each => each.textContent)"""
    )
    assert cut == []


def test_claims_are_listed_with_who_leads_and_light_up(visit: Opener) -> None:
    page = visit(None)
    table_at(page, position(SNAKE))
    wait_for_turn(page)
    page.get_by_role("button", name="1 claimed features").click()
    line = page.locator("#claims-info button.feature")
    expect(line).to_contain_text("blue snake of 2 segments")
    line.hover()
    expect(page.locator("svg .label")).to_contain_text("leads, 2 points now")
    page.get_by_label("Light them all up").check()
    page.keyboard.press("Escape")
    expect(page.locator("svg .label")).to_contain_text("2 points now")


def test_a_flip_costs_a_card_and_a_tile_without_a_spade_says_why_not(visit: Opener) -> None:
    page = visit(None, speed="normal")
    table_at(page, position({"at": [1, 0], "tile": 12, "turn": 0}, {"at": [-1, 0], "tile": 45, "turn": 0}))
    wait_for_turn(page)
    page.get_by_role("button", name=re.compile("Flip a laid tile: 4")).click()
    expect(page.locator(".space.legal")).to_have_count(1)
    page.locator('[data-space="-1,0"]').click()
    expect(page.locator(".toast").first).to_contain_text("no spade")
    below, toast = page.locator(".bottom").bounding_box(), page.locator(".toast").first.bounding_box()
    assert below is not None
    assert toast is not None
    assert toast["y"] + toast["height"] <= below["y"], "what is said covers neither words nor buttons"
    page.locator('[data-space="1,0"]').click()
    expect(page.locator(".says")).to_contain_text("spade card")
    confirm_button(page).click()
    expect(page.locator('[data-space="on bridge"]')).to_be_attached()
    page.get_by_role("button", name="No claim").click()
    confirm_button(page).click()
    expect(page.locator('[data-space="1,0"]')).to_have_attribute("aria-label", re.compile("2 flips left"))


def test_a_completed_beast_leaves_in_pitchfork(visit: Opener) -> None:
    page = visit("/", speed="normal")
    ends = [
        {"at": [1, 0], "bridge": "sand", "segments": ["orange end S"]},
        {"at": [0, 1], "bridge": "sand", "segments": ["blue head S"]},
    ]
    table_at(
        page,
        position(*ends, options={"variant": "pitchfork", "length": "long"}, seats=[{"hand": [47, 14]}, {"hand": [58]}]),
    )
    wait_for_turn(page)
    page.get_by_role("button", name=re.compile("Tile 47, (front|back)")).and_(page.locator(":enabled")).first.click()
    place = page.locator('[data-space="1,1"]')
    if not place.evaluate("node => node.matches('.legal')"):
        page.keyboard.press("f")
    place.click()
    if "orange end north" not in (page.locator(".side.on").get_attribute("aria-label") or ""):
        page.get_by_role("button", name="Turn").click()
    confirm_button(page).click()
    page.get_by_role("button", name=re.compile("^Fork on the orange end")).click()
    expect(page.locator(".bar .lines")).to_contain_text("orange snake of 2 segments")
    confirm_button(page).click()
    expect(page.locator('[data-space="1,0"]')).not_to_have_attribute("aria-label", re.compile("orange"))
    expect(page.get_by_text("leaves the tiles").first).to_be_visible()


def test_the_order_of_the_stock_is_never_told(visit: Opener) -> None:
    page = visit(None)
    heard = messages_to(page)
    page.goto(f"/t/{set_table(page, 'marram', [ME, BOT])}")
    for _ in range(3):
        make_move(page)
    views = [message["view"] for message in heard if message.get("view")]
    assert views
    for view in views:
        stock = view["position"]["stock"]
        assert isinstance(stock, int) or stock == sorted(stock)
    assert '"seed": "' not in json.dumps(heard)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_table_is_open_to_all(visit: Opener, dark: bool) -> None:
    page = visit(None, dark=dark, phone=dark)
    table_at(page, position(SNAKE, {"at": [1, 0], "tile": 12, "turn": 0}))
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    expect(confirm_button(page)).to_be_visible()
    check_accessibility(page)
    confirm_button(page).click()
    expect(page.get_by_role("button", name="No claim")).to_be_visible()
    check_accessibility(page)
    fly = {"at": [0, -1], "from": None, "hops": 0, "guesses": [None, None]}
    played = {"at": [0, -1], "how": "lay"}
    table_at(
        page,
        position(
            SNAKE | {"claim": {"seat": 1, "piece": "fork", "on": "N"}},
            options={"variant": "animals", "length": "long"},
            phase="fly guess",
            fly=fly,
            played=played,
        ),
    )
    page.get_by_role("button", name="12 hops").click()
    check_accessibility(page)
    confirm_button(page).click()
    expect(page.locator('[title="guess for the fly"]').first).to_contain_text("12")


def at_a_claim(moves: int) -> str:
    """A game between bots, up to a claim of seat 0 on a board that has grown large."""
    match = Match("marram", seats=2, seed=3, options={"variant": "pitchfork"})
    bot, rng, made = wellies.bot("greedy"), Stream(3), 0
    while made < moves or 0 not in match.state.due() or match.view_for(0)["position"]["phase"] != "claim":
        seat = match.state.due()[0]
        match.play_move(seat, bot.choose(match.state, seat, rng))
        made += 1
    return str(match.record(reveal=True))


def test_a_finger_finds_a_claim_on_a_large_board(visit: Opener) -> None:
    """Spots on one tile are a few pixels wide when the whole board is shown: one looks at them from near, and whoever
    presses beside a small one means it."""
    page = visit(None, phone=True)
    page.goto(f"/t/{api_post(page, '/tables', {'record': at_a_claim(120), 'seats': [ME, BOT], 'start': True})['id']}")
    wait_for_turn(page)
    at_rest(page)
    spots = page.locator(".space.legal")
    boxes = [spot.locator("> path").bounding_box() for spot in spots.all()]
    assert boxes
    assert all(box is not None and box["width"] >= 24 for box in boxes), boxes
    # The whole board is there for whoever asks for it.
    page.keyboard.press("0")
    at_rest(page)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    box = spots.first.locator("> path").bounding_box()
    assert box is not None
    assert box["width"] < 24, "so far that all of it is seen"
    page.touchscreen.tap(box["x"] + box["width"] / 2 + 11, box["y"] + box["height"] / 2)
    expect(confirm_button(page)).to_be_visible()
