"""Names and passwords: kept on one device, found again on another."""

from __future__ import annotations

import secrets

from page_server import Opener
from page_tables import against_bot, make_move, wait_for_turn
from playwright.sync_api import Page, expect


def log_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name", exact=True).last.fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in").click()


def test_a_name_is_kept_with_a_password_and_its_games_are_found_on_another_device(visit: Opener) -> None:
    name = f"Ann {secrets.token_hex(4)}"
    page = visit("/settings", refusals=["400"])
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

    other = visit("/settings", phone=True, refusals=["403"])
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
    for first, page in enumerate((visit("/settings"), visit("/settings", refusals=["409", "name_taken"]))):
        page.get_by_label("Name", exact=True).first.fill(name)
        page.get_by_role("button", name="Save").click()
        page.get_by_label("Keep this name with a password").fill(f"umbrella number {first}")
        page.get_by_role("button", name="Keep", exact=True).click()
        words = "an account of that name already" if first else "Kept."
        expect(page.locator(".toast", has_text=words)).to_be_visible()


def test_a_password_is_changed_and_other_devices_must_log_in_again(visit: Opener) -> None:
    name = f"Drip {secrets.token_hex(4)}"
    page = visit("/settings", refusals=["403"])
    page.get_by_label("Name", exact=True).first.fill(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_label("Keep this name with a password").fill("galoshes and puddles")
    page.get_by_role("button", name="Keep", exact=True).click()
    other = visit("/settings", phone=True, refusals=["401", "403"])
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
