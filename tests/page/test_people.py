"""Names: of hosts, guests and people at one device; kept with a password, found again on another."""

from __future__ import annotations

import re
import secrets

from page_server import Opener
from page_tables import against_bot, check_accessibility, invite_friends, make_move, pass_and_play, wait_for_turn
from playwright.sync_api import Page, expect


def test_host_and_guest_meet_in_the_lobby(visit: Opener) -> None:
    host = visit("/")
    invite_friends(host, "Guppies", "Ann")
    chairs = host.get_by_role("region", name="Chairs").get_by_role("listitem")
    expect(chairs).to_have_text([re.compile("Ann"), re.compile("Free")])
    expect(host.get_by_role("heading", level=1)).to_be_focused()

    # Chairs come and go, and the options follow.
    for count in (3, 4):
        host.get_by_role("button", name="One more chair").click()
        expect(chairs).to_have_count(count)
    expect(host.get_by_label("Colours")).to_have_value("green, orange, purple, green")
    host.get_by_label("Bot for chair 2").select_option("drizzle")
    expect(chairs.nth(1)).to_contain_text("Drizzle")

    # A guest sees whose table it is and picks a name; the host sees them come.
    guest = visit(host.get_by_label("Invite link").input_value(), phone=True)
    expect(guest.get_by_text("Ann invites you to a game of Guppies.")).to_be_visible()
    expect(host.get_by_text("Somebody is at the door.")).to_be_visible()
    expect(guest.get_by_label("Say something")).to_have_count(0)
    guest.get_by_label("Your name").fill("Bea")
    guest.get_by_role("button", name="Take a chair").tap()
    expect(host.locator(".toast", has_text="Bea joins the table.")).to_be_visible()
    expect(chairs.nth(2)).to_contain_text("Bea")
    expect(guest.get_by_text("You sit at Ann's table.")).to_be_visible()

    # They talk; on a phone a mark tells of what is new below.
    host.get_by_label("Say something").fill("Biscuits?")
    host.get_by_role("button", name="Say", exact=True).click()
    guest.get_by_role("button", name="Chat 1 new").tap()
    expect(guest.get_by_label("Say something")).to_be_focused()
    guest.get_by_label("Say something").fill("Two, please.")
    guest.get_by_role("button", name="Say", exact=True).tap()
    expect(host.get_by_role("log", name="Chat")).to_contain_text("Bea Two, please.")
    check_accessibility(guest)

    # A chair that goes moves those behind it up; a name is changed where one sits.
    for chair in (4, 2):
        host.get_by_role("button", name=f"Take chair {chair} away").click()
    expect(chairs).to_have_text([re.compile("Ann"), re.compile("Bea")])
    expect(host.get_by_role("button", name=re.compile("Take chair"))).to_have_count(0)
    guest.get_by_role("button", name="Change name").tap()
    guest.get_by_role("dialog").get_by_label("Your name").fill("Beatrix")
    guest.get_by_role("button", name="Save").tap()
    expect(chairs.nth(1)).to_contain_text("Beatrix")
    expect(host.get_by_role("heading", level=1)).to_have_text("Guppies: everyone is here")
    check_accessibility(host)
    host.get_by_role("button", name="Start", exact=True).click()
    # What was read before the game is not new in it.
    expect(host.get_by_role("button", name="Chat", exact=True)).to_be_visible()
    for page in (host, guest):
        expect(page.locator(".players")).to_contain_text("Beatrix")
        expect(page.locator(".players .dot.here")).to_have_count(2)
    expect(host.locator("main.table:focus-within, main.table:focus")).to_be_visible()
    make_move(host)
    make_move(guest)


def test_people_at_one_device_go_by_name(visit: Opener) -> None:
    page = visit("/")
    pass_and_play(page, "Guppies", "Ann", "Ben", "Cleo")
    for name in ("Ann", "Ben", "Cleo", "Ann"):
        expect(page.locator(".players li.turn")).to_contain_text(name)
        expect(page.locator(".says")).to_contain_text(f"{name}'s turn")
        expect(page).to_have_title(f"● {name}'s turn · Guppies")
        expect(page.locator(".players .dot.here")).to_have_count(3)
        assert "Your turn" not in page.locator("main").inner_text()
        make_move(page)
    page.goto("/")
    mine = page.get_by_role("region", name="My games")
    expect(mine).to_contain_text("Ben's turn")
    page.get_by_role("button", name="Pass and play: Umbradeco").click()
    names = page.get_by_role("dialog").get_by_role("textbox")
    assert [field.input_value() for field in names.all()] == ["Ann", "Ben", "Cleo"], "they are remembered"
    check_accessibility(page)
    page.goto("/new/umbradeco")
    page.get_by_label("Chair 2", exact=True).select_option("me")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Start the game").click()
    cover = page.get_by_role("region", name="Pass the device")
    expect(cover.get_by_role("heading")).to_have_text(re.compile("^(Ann|Player 2)'s turn$"))
    expect(cover.get_by_role("heading")).to_be_focused()


def log_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name", exact=True).last.fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in").click()


def test_a_name_is_kept_with_a_password_and_its_games_are_found_on_another_device(visit: Opener) -> None:
    name = f"Ann {secrets.token_hex(4)}"
    page = visit("/settings", errors=["400"])
    page.get_by_label("Name", exact=True).first.fill(name)
    page.get_by_role("button", name="Save").click()
    password = page.get_by_label("Keep this name with a password")
    password.fill("short")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator(".toast", has_text="at least 8 characters")).to_be_visible()
    password.fill("galoshes and puddles")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator(".toast", has_text="Kept.")).to_be_visible()
    expect(page.get_by_role("button", name="Log out", exact=True)).to_be_visible()
    against_bot(page, "guppies", tiles=64)
    make_move(page)

    other = visit("/settings", phone=True, errors=["403"])
    other.get_by_text("I have a name already").click()
    log_in(other, name, "puddles and galoshes")
    expect(other.locator(".toast", has_text="do not belong together")).to_be_visible()
    log_in(other, name.upper(), "galoshes and puddles")
    expect(other.get_by_role("button", name="Log out", exact=True)).to_be_visible()
    expect(other.get_by_label("Name", exact=True)).to_have_value(name)
    other.goto("/")
    other.get_by_role("region", name="My games").get_by_role("link").first.click()
    wait_for_turn(other)
    make_move(other)
    wait_for_turn(other)
    expect(page.locator("[aria-label^='Tile at']")).to_have_count(other.locator("[aria-label^='Tile at']").count())

    other.goto("/settings")
    other.get_by_role("button", name="Log out", exact=True).click()
    expect(other.get_by_text("I have a name already")).to_be_visible()
    other.goto("/")
    expect(other.get_by_role("heading", name="Open tables")).to_be_visible()
    expect(other.get_by_role("region", name="My games")).to_have_count(0)


def test_a_name_that_somebody_keeps_is_taken(visit: Opener) -> None:
    name = f"Puddle {secrets.token_hex(4)}"
    page = visit("/settings")
    page.get_by_label("Name", exact=True).first.fill(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_label("Keep this name with a password").fill("umbrella number one")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator(".toast", has_text="Kept.")).to_be_visible()
    other = visit("/settings", errors=["409", "name_taken"])
    other.get_by_label("Name", exact=True).first.fill(name)
    other.get_by_role("button", name="Save").click()
    expect(other.locator(".toast", has_text="an account of that name already")).to_be_visible()


def test_a_password_is_changed_and_other_devices_must_log_in_again(visit: Opener) -> None:
    name = f"Drip {secrets.token_hex(4)}"
    page = visit("/settings", errors=["403"])
    page.get_by_label("Name", exact=True).first.fill(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_label("Keep this name with a password").fill("galoshes and puddles")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator(".toast", has_text="Kept.")).to_be_visible()
    other = visit("/settings", phone=True, errors=["401", "403"])
    other.get_by_text("I have a name already").click()
    log_in(other, name, "galoshes and puddles")
    expect(other.get_by_role("button", name="Log out", exact=True)).to_be_visible()

    page.get_by_text("Another password").click()
    change = page.get_by_role("button", name="Change")
    expect(change).to_be_disabled()
    page.get_by_label("Password until now").fill("not this one")
    page.get_by_label("New password").fill("umbrellas and thunder")
    change.click()
    expect(page.locator(".toast", has_text="old password is wrong")).to_be_visible()
    page.get_by_label("Password until now").fill("galoshes and puddles")
    change.click()
    expect(page.locator(".toast", has_text="The new password holds")).to_be_visible()

    other.reload()
    other.get_by_text("I have a name already").click()
    log_in(other, name, "galoshes and puddles")
    expect(other.locator(".toast", has_text="do not belong together")).to_be_visible()
    log_in(other, name, "umbrellas and thunder")
    expect(other.get_by_role("button", name="Log out", exact=True)).to_be_visible()

    page.get_by_role("button", name="Log out everywhere").click()
    expect(page.get_by_text("I have a name already")).to_be_visible()
    other.reload()
    expect(other.get_by_text("I have a name already")).to_be_visible()
