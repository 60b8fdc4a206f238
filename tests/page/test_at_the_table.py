"""What happens at a table: friends, spectators, secrets, second thoughts, lost connections."""

from __future__ import annotations

import re

from page_server import Opener
from page_tables import (
    ME,
    OPEN,
    against_bot,
    ask,
    choose_by_pointer,
    confirm_button,
    heard_by,
    hold_to_account,
    make_move,
    set_table,
    wait_for_turn,
    whose_turn,
)
from playwright.sync_api import expect


def test_friends_are_invited_in_two_clicks_and_play_against_each_other(visit: Opener) -> None:
    host = visit("/")
    host.locator(".box", has_text="Umbradeco").get_by_role("button", name="Invite friends").click()
    host.get_by_role("button", name="Copy link").click()
    link = host.evaluate("() => navigator.clipboard.readText()")
    assert "/t/" in link

    friend = visit(link, phone=True)
    friend.get_by_label("Your name").fill("Bea")
    friend.get_by_role("button", name="Take a chair").click()
    expect(host.get_by_text("Bea")).to_be_visible()
    host.get_by_role("button", name="Start", exact=True).click()

    for page in (host, friend):
        expect(page.locator(".space").first).to_be_visible()
    first = whose_turn(host, friend)
    second = friend if first is host else host
    make_move(first)
    make_move(first)
    expect(second.locator(".table.due")).to_be_visible()

    host.get_by_role("button", name="Chat").click()
    host.get_by_label("Say something").fill("Lovely weather.")
    host.get_by_role("button", name="Say", exact=True).click()
    friend.get_by_role("button", name="Log and chat").click()
    friend.get_by_role("button", name=re.compile("^Chat")).click()
    expect(friend.get_by_text("Lovely weather.")).to_be_visible()


def test_a_host_fills_empty_chairs_with_bots(visit: Opener) -> None:
    host = visit("/")
    host.locator(".box", has_text="Guppies").get_by_role("button", name="Invite friends").click()
    host.get_by_role("radio", name="64").check()
    host.get_by_label("Bot for chair 2").select_option("drizzle")
    expect(host.get_by_role("listitem").filter(has_text="Drizzle")).to_be_visible()
    host.get_by_role("button", name="Start", exact=True).click()
    expect(host.locator(".bag")).to_have_attribute("aria-label", re.compile("6[0-4] tiles"))


def test_hands_of_others_are_neither_on_the_page_nor_on_the_wire(visit: Opener) -> None:
    host = visit("/")
    table = set_table(host, "umbradeco", [ME, OPEN], start=False)
    friend = visit("/")
    ask(friend, "/me", {"name": "Bea"})
    ask(friend, f"/tables/{table}/join", {"seat": None, "invite": ""})
    watcher = visit("/")
    heard = {0: heard_by(host), 1: heard_by(friend), None: heard_by(watcher)}
    ask(host, f"/tables/{table}/start", {})
    pages = {0: host, 1: friend, None: watcher}
    for page in pages.values():
        page.goto(f"/t/{table}")
        expect(page.locator(".space").first).to_be_visible()
    for _ in range(4):
        make_move(whose_turn(host, friend))

    for seat, messages in heard.items():
        views = [message["view"] for message in messages if message.get("view")]
        assert views
        for view in views:
            assert view["seat"] == seat
            for other, hand in enumerate(view["position"]["hands"]):
                known = view["position"]["shown"][other]
                assert other == seat or all(tile == "?" for tile in hand[known:]), (seat, other, hand)
        for entry in (entry for message in messages for entry in message.get("entries", [])):
            for event in entry["events"]:
                if event["kind"] == "draw" and event["seat"] != seat:
                    assert "colour" not in event["data"], event
    expect(watcher.get_by_role("group", name="My hand")).to_have_count(0)
    expect(watcher.get_by_role("img", name="a hidden tile").first).to_be_visible()


def test_passing_the_device_covers_the_hands(visit: Opener) -> None:
    page = visit("/")
    page.locator(".box", has_text="Umbradeco").get_by_role("button", name="Pass and play").click()
    expect(page.get_by_text("Pass the device to")).to_be_visible()
    hand = page.get_by_role("group", name="My hand")
    expect(hand).to_have_count(0)
    page.get_by_role("button", name="show my hand").click()
    expect(hand.get_by_role("button")).to_have_count(2)
    for _ in range(2):
        make_move(page)
    page.get_by_role("button", name=re.compile("^Pass to")).click()
    expect(page.get_by_text("Pass the device to")).to_be_visible()
    expect(hand).to_have_count(0)


def test_pass_and_play_without_secrets_needs_no_cover(visit: Opener) -> None:
    page = visit("/")
    page.locator(".box", has_text="Guppies").get_by_role("button", name="Pass and play").click()
    for seat in (0, 1, 0):
        expect(page.locator(f".players li.turn.me[data-seat='{seat}']")).to_be_visible()
        wait_for_turn(page)
        choose_by_pointer(page, touch=False)
        confirm_button(page).click()


def test_undo_hint_and_why_not(visit: Opener) -> None:
    page = visit("/")
    page.goto(f"/t/{set_table(page, 'umbradeco', [ME, {'kind': 'bot', 'level': 'random'}])}")
    wait_for_turn(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_text("Perhaps:")).to_be_visible()
    expect(confirm_button(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(confirm_button(page)).to_have_count(0)

    corner = page.locator("[data-space='3,-3']")
    corner.click()
    expect(page.locator(".toast", has_text="touch")).to_be_visible()

    choose_by_pointer(page, touch=False)
    confirm_button(page).click()
    expect(page.locator(".tile.can").first).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Undo my last move").click()
    expect(page.locator(".space.legal").first).to_be_visible()


def test_what_is_left_in_the_bag_is_one_tap_away(visit: Opener) -> None:
    page = visit("/", phone=True)
    heard = heard_by(page)
    against_bot(page, "guppies")
    wait_for_turn(page)
    page.get_by_role("button", name="tiles in the bag").tap()
    told = next(message["view"]["extra"] for message in reversed(heard) if message.get("view"))
    rows = page.locator("#bag-info tbody tr")
    expect(rows).to_have_count(3)
    for row, letters in zip(rows.all(), ("Gg", "Oo", "Pp"), strict=True):
        assert row.locator("td").all_inner_texts() == [str(told["halves"][letter]) for letter in letters]
    hold_to_account(page)
    page.locator("#bag-info").get_by_role("button", name="Close").tap()
    expect(rows.first).not_to_be_visible()
