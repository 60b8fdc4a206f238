"""Good Puppies in a real browser: whole games, secrets, the guide, and a page that is open to all."""

from __future__ import annotations

import re
from typing import Any

import pytest
from page_server import Opener
from page_tables import (
    BOT,
    ME,
    against_bot,
    choose_by_pointer,
    confirm_button,
    heard_by,
    hold_to_account,
    play_to_the_end,
    set_table,
    wait_for_turn,
)
from playwright.sync_api import Page, expect


def move_once(page: Page) -> None:
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    confirm_button(page).click()
    expect(confirm_button(page)).to_have_count(0)


@pytest.mark.parametrize("how", ["mouse", "touch", "keys"])
def test_a_whole_game(visit: Opener, how: str) -> None:
    page = visit("/", phone=how == "touch", dark=how == "keys")
    against_bot(page, "puppies")
    assert play_to_the_end(page, how) >= 14
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("win")
    expect(result).to_contain_text("Where the points came from")


def test_two_pups_a_round(visit: Opener) -> None:
    page = visit("/", phone=True, dark=True)
    against_bot(page, "puppies", strategic=True)
    wait_for_turn(page)
    hand = page.get_by_role("group", name="My hand").get_by_role("button")
    expect(hand).to_have_count(5)
    expect(page.locator(".says")).to_contain_text("two pups")
    move_once(page)
    expect(page.locator(".says")).to_contain_text("second pup")
    assert play_to_the_end(page, "mouse") >= 14


def test_five_at_the_table(visit: Opener) -> None:
    page = visit("/")
    page.goto(f"/t/{set_table(page, 'puppies', [ME, BOT, BOT, BOT, BOT])}")
    assert play_to_the_end(page, "mouse") >= 14


def test_choices_and_hands_are_secret(visit: Opener) -> None:
    host = visit("/")
    table = set_table(host, "puppies", [ME, {"kind": "open"}], start=False)
    friend = visit("/")
    friend.request.post("/api/v1/me", data={"name": "Bea"})
    assert friend.request.post(f"/api/v1/tables/{table}/join", data={"seat": None, "invite": ""}).ok
    watcher = visit("/")
    heard: dict[int | None, list[dict[str, Any]]] = {0: heard_by(host), 1: heard_by(friend), None: heard_by(watcher)}
    assert host.request.post(f"/api/v1/tables/{table}/start").ok
    for page in (host, friend, watcher):
        page.goto(f"/t/{table}")
        expect(page.locator(".space").first).to_be_visible()

    move_once(host)
    expect(host.locator(".says")).to_have_text("You have chosen. Waiting for Bea.")
    expect(friend.get_by_role("gridcell", name=re.compile("has chosen$"))).to_have_count(1)
    held = {page: page.locator(".pup .number").all_inner_texts() for page in (host, friend)}
    for page, other in ((friend, host), (watcher, host), (host, friend), (watcher, friend)):
        text = page.content()
        for number in held[other]:
            assert not re.search(rf'aria-label="{number} [A-Z]', text), number

    move_once(friend)
    for _ in range(8):
        mover = host if host.locator(".table.due").count() else friend
        move_once(mover)
    for seat, messages in heard.items():
        views = [message["view"] for message in messages if message.get("view")]
        assert views
        for view in views:
            assert view["seat"] == seat
            for owner, place in enumerate(view["position"]["seats"]):
                if owner == seat:
                    continue
                assert all(card == "?" or card in place["open"] for card in place["hand"]), place
                assert place["chosen"] in (None, "?"), place
        for entry in (entry for message in messages for entry in message.get("entries", [])):
            for event in entry["events"]:
                if event["kind"] in ("deal", "choose") and event["seat"] != seat:
                    assert "card" not in event["data"], event
                    assert not re.search(r"\d\d", event["text"]), event
    expect(watcher.get_by_role("group", name="My hand")).to_have_count(0)


def test_why_not_and_undo(visit: Opener) -> None:
    page = visit("/")
    against_bot(page, "puppies")
    wait_for_turn(page)
    page.locator("[data-space^='park:']").first.click()
    expect(page.locator(".toast", has_text="choose a card from your hand first")).to_be_visible()


def test_the_guide_leads_through_a_first_game(visit: Opener) -> None:
    page = visit("/learn/puppies")
    page.get_by_role("button", name="Play a guided first game").click()
    expect(page.get_by_text("This is your yard.")).to_be_visible()
    for _ in range(2):
        page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name=re.compile("^41 Proud Husky, in hand")).click()
    confirm_button(page).click()
    group = page.locator("[data-space='huskies']")
    for _ in range(3):
        expect(page.locator("[data-space='huskies'].legal")).to_be_visible()
        group.click(position={"x": 20, "y": 20})
        expect(confirm_button(page)).to_be_visible()
        group.click(position={"x": 20, "y": 20})
        expect(confirm_button(page)).to_have_count(0)
    expect(page.get_by_text("The Brave Husky, 42,")).to_be_visible()
    page.locator("[data-space='park:42']").click()
    confirm_button(page).click()
    expect(page.get_by_text("A new round.")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_table_and_learn_page_are_open_to_all(visit: Opener, dark: bool) -> None:
    page = visit("/learn/puppies", dark=dark)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Good Puppies")
    page.wait_for_load_state("networkidle")
    hold_to_account(page)
    against_bot(page, "puppies")
    for _ in range(5):
        move_once(page)
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    hold_to_account(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("^All tricks and bonuses")).click()
    expect(page.get_by_role("heading", name="What pups do")).to_be_visible()
    hold_to_account(page)


def test_corrected_cards_say_what_they_do(visit: Opener) -> None:
    page = visit("/")
    haughty = {"name": "Haughty", "does": [{"do": "bury", "bones": 3, "where": "here"}], "source": "reconstructed"}
    cards = {"tricks": [{"digit": digit, **haughty} for digit in range(10)]}
    against_bot(page, "puppies", cards=cards)
    wait_for_turn(page)
    pup = page.get_by_role("group", name="My hand").get_by_role("button", name=re.compile("Haughty")).first
    expect(pup).to_contain_text("Bury 3 bones here.")
    pup.click()
    expect(page.locator(".says")).to_contain_text("Haughty")
    expect(page.locator(".says")).to_contain_text("Bury 3 bones here.")
    expect(page.locator(".bar")).not_to_contain_text("No points")
