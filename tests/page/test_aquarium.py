"""Ultimate Aquarium on the page: whole games by everything a person has to play with, secrets, the net, the guide."""

from __future__ import annotations

import re

import pytest
from page_server import Opener
from page_tables import (
    BOT,
    LEGAL,
    ME,
    against_bot,
    api_post,
    check_accessibility,
    check_result,
    confirm_button,
    is_over,
    messages_to,
    pass_and_play,
    record_up_to,
    set_table,
)
from playwright.sync_api import Locator, Page, expect

from wellies import View

TURN = "() => document.querySelector('.table.due') || document.querySelector('dialog[open]')"


def cards(page: Page) -> Locator:
    """The cards of the store, or of my hand, that I can take now."""
    return page.locator("[data-card]:not([aria-disabled='true'])")


def tool(page: Page, name: str) -> Locator:
    return page.locator(".tools").get_by_role("button", name=name)


def confirm(page: Page, how: str) -> None:
    button = confirm_button(page)
    expect(button).to_be_visible()
    if how == "keys":
        page.keyboard.press("Enter")
    elif how == "touch":
        button.tap()
    else:
        button.click()
    expect(button).to_have_count(0)


def press(how: str, what: Locator) -> None:
    what.tap() if how == "touch" else what.click()


def put_a_card(page: Page, how: str) -> None:
    """Take a card, and put it where the page promises most."""
    expect(cards(page).first).to_be_visible()
    if how == "keys":
        page.keyboard.press("1")
        walk_to_a_legal_place(page)
        page.keyboard.press("Enter")
    else:
        press(how, cards(page).first)
        expect(page.locator(".space.legal").first).to_be_visible()
        best = page.evaluate(LEGAL)[0]
        if how == "touch":
            page.touchscreen.tap(best["x"], best["y"])
        else:
            page.mouse.click(best["x"], best["y"])
    confirm(page, how)


def walk_to_a_legal_place(page: Page) -> None:
    page.keyboard.press("b")
    page.wait_for_function("() => document.activeElement?.matches('[data-space]')")
    if not page.evaluate("() => document.activeElement.matches('.legal')"):
        page.keyboard.press("n")
        page.wait_for_function("() => document.activeElement?.matches('.legal')")


def use_the_net(page: Page, how: str) -> None:
    """Swap two cards: choose the net, one space, then the space with the most to win."""
    if how == "keys":
        walk_to_a_legal_place(page)
        page.keyboard.press("Enter")
        expect(page.locator(".bar .says")).to_contain_text("The net holds")
        page.keyboard.press("n")
        page.wait_for_function("() => document.activeElement?.matches('.legal')")
        page.keyboard.press("Enter")
    else:
        for _ in range(2):
            expect(page.locator(".space.legal").first).to_be_visible()
            best = page.evaluate(LEGAL)[0]
            if how == "touch":
                page.touchscreen.tap(best["x"], best["y"])
            else:
                page.mouse.click(best["x"], best["y"])
    confirm(page, how)


def wait_for_turn(page: Page) -> None:
    page.wait_for_function(TURN)


def test_a_whole_game_has_eight_rounds_even_if_the_store_is_restocked(visit: Opener) -> None:
    """By mouse and at the usual speed."""
    page = visit(None, speed="normal")
    against_bot(page, "aquarium")
    for _ in range(3):
        wait_for_turn(page)
        put_a_card(page, "mouse")
    rounds = 0
    while True:
        wait_for_turn(page)
        if is_over(page):
            break
        if tool(page, "Keep net").count():
            use_the_net(page, "mouse")
            continue
        rounds += 1
        if rounds == 2:
            tool(page, "Restock").click()
            confirm(page, "mouse")
            wait_for_turn(page)
        put_a_card(page, "mouse")
        assert rounds < 10
    assert rounds == 8
    check_result(page)
    assert page.locator("html").get_attribute("data-motion") == "full"


def test_the_net_at_any_time_and_reasons_and_why_not(visit: Opener) -> None:
    page = visit(None)
    against_bot(page, "aquarium")
    for _ in range(3):
        wait_for_turn(page)
        put_a_card(page, "mouse")
    wait_for_turn(page)
    page.locator("[data-space='b2']").click()
    expect(page.locator(".bar .says")).to_contain_text("Here it makes")
    page.keyboard.press("Escape")
    tool(page, "Net").click()
    expect(page.locator(".bar .says")).to_contain_text("Choose the first")
    use_the_net(page, "mouse")
    expect(tool(page, "Your net is used")).to_be_disabled()
    expect(page.locator("[aria-label='Log']")).to_contain_text(re.compile("uses the net", re.IGNORECASE))
    # Every space, of every tank, says what it holds.
    spaces = page.get_by_role("gridcell").all()
    assert len(spaces) == 18
    for space in spaces:
        assert "point" in (space.get_attribute("aria-label") or "")


def doubles(view: View) -> list[str]:
    """The cards of the store that the first seat has already."""
    mine = [card for row in view["position"]["seats"][0]["grid"] for card in row]
    return [card for card in view["position"]["store"] if card in mine]


def test_a_card_on_the_space_that_holds_its_name_is_refused_and_says_why(visit: Opener) -> None:
    page = visit(None)
    heard = messages_to(page)
    record = record_up_to("aquarium", lambda view: view["position"]["phase"] == "turn" and bool(doubles(view)))
    page.goto(f"/t/{api_post(page, '/tables', {'record': record, 'seats': [ME, BOT], 'start': True})['id']}")
    wait_for_turn(page)
    name = doubles(next(message["view"] for message in heard if message.get("view")))[0]
    cards(page).and_(page.locator(f'[data-card="{name}"]')).click()
    page.locator(f'[data-space]:not([data-space*="."])[aria-label*=": {name}, "]').first.click()
    expect(page.locator(".toast", has_text="own name")).to_be_visible()


def test_cards_put_down_in_secret_are_neither_on_the_page_nor_on_the_wire(visit: Opener) -> None:
    host = visit(None)
    table = set_table(host, "aquarium", [ME, {"kind": "open"}], start=False)
    friend = visit(None, phone=True)
    friend.request.post("/api/v1/me", data={"name": "Bea"})
    assert friend.request.post(f"/api/v1/tables/{table}/join", data={"seat": None, "invite": ""}).ok
    watcher = visit(None)
    heard = {0: messages_to(host), 1: messages_to(friend), None: messages_to(watcher)}
    assert host.request.post(f"/api/v1/tables/{table}/start").ok
    for page in (host, friend, watcher):
        page.goto(f"/t/{table}")
        expect(page.locator(".space").first).to_be_visible()
    for _ in range(3):
        put_a_card(host, "mouse")
    for page in (friend, watcher):
        expect(page.locator(".players li").first).to_contain_text("3/3")
    spaces = watcher.get_by_role("gridcell").all()
    assert len(spaces) == 18
    for space in spaces:
        assert any(name in (space.get_attribute("aria-label") or "") for name in ("Water", "Clownfish", "Gravel"))
    assert watcher.locator("[data-card]").count() == 0
    for seat, messages in heard.items():
        views = [message["view"] for message in messages if message.get("view")]
        assert views
        for view in views:
            for other, has in enumerate(view["position"]["seats"]):
                if other == seat:
                    continue
                assert all(card == "?" for card in has.get("hand", []))
                assert not isinstance(has.get("placed", 0), dict)
            if seat is None:
                assert view["extra"]["plan"] is None
                assert set(view["extra"]["cards"]) <= {"Water", "Clownfish", "Gravel"}
        for event in (e for message in messages for entry in message.get("entries", []) for e in entry["events"]):
            if event["kind"] == "put" and event["seat"] != seat:
                assert not {"card", "space"} & set(event["data"]), event
    for _ in range(3):
        put_a_card(friend, "touch")
    expect(host.locator("[aria-label='Log']")).to_contain_text("All turn their cards over")


def test_passing_the_device_covers_the_hand_and_the_net_does_not_hold_the_table_up(visit: Opener) -> None:
    page = visit("/")
    pass_and_play(page, "Ultimate Aquarium")
    for _ in range(2):
        page.get_by_role("button", name="show my hand").click()
        for _ in range(3):
            wait_for_turn(page)
            put_a_card(page, "mouse")
        page.get_by_role("button", name="Pass to").or_(cards(page).first).first.wait_for()
        if page.get_by_role("button", name="Pass to").count():
            page.get_by_role("button", name="Pass to").click()
            expect(page.get_by_text("Pass the device to")).to_be_visible()
            assert page.locator("[data-card]").count() == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_table_is_open_to_all(visit: Opener, dark: bool) -> None:
    page = visit(None, dark=dark, phone=dark)
    against_bot(page, "aquarium")
    wait_for_turn(page)
    check_accessibility(page)
    for _ in range(3):
        wait_for_turn(page)
        put_a_card(page, "mouse")
    wait_for_turn(page)
    cards(page).first.click()
    page.locator(".space.legal").first.click()
    expect(confirm_button(page)).to_be_visible()
    check_accessibility(page)
    page.reload()
    wait_for_turn(page)


def test_a_small_tank_is_held_up_large_on_a_phone(visit: Opener) -> None:
    page = visit(None, phone=True)
    page.goto(f"/t/{set_table(page, 'aquarium', [ME, BOT, BOT, BOT])}")
    wait_for_turn(page)
    small = page.locator("[data-space='2.b2']")
    small.tap()
    large = page.locator(".peek .card")
    expect(large).to_have_count(9)
    wide = large.first.bounding_box()
    tile = small.locator("path").bounding_box()
    assert wide is not None
    assert tile is not None
    assert wide["width"] > 2 * tile["width"]
    page.locator("[data-space='a1']").tap()
    expect(large).to_have_count(0)
