"""What belongs to a person: preferences that follow, a plan for the next turn, phrases, mute and block."""

from __future__ import annotations

import json
import re
import secrets

from page_server import Opener
from page_tables import (
    api_post,
    check_accessibility,
    check_accessibility_in_both_themes,
    set_table,
    sit_down,
)
from playwright.sync_api import Page, expect

PASSWORD = "rain on the roof"


def settings_saved(page: Page) -> None:
    """Wait until nothing that was changed here is still to be sent."""
    page.wait_for_function("() => (localStorage.getItem('wellies.likes.unsent') ?? '{}') === '{}'")


def test_preferences_follow_from_one_browser_to_another(visit: Opener) -> None:
    name = f"Ann {secrets.token_hex(3)}"
    home = visit("/settings")
    home.locator("#name").fill(name)
    home.get_by_role("button", name="Save").click()
    home.get_by_label("Keep this name with a password").fill(PASSWORD)
    home.get_by_role("button", name="Keep").click()
    expect(home.get_by_text("Another password")).to_be_visible()
    check_accessibility_in_both_themes(home)

    home.get_by_label("Dark").check()
    home.get_by_label("Volume").fill("20")
    home.get_by_label("Numbers and dates").select_option("de-DE")
    home.get_by_label("Ask before each move").uncheck()
    expect(home.get_by_text("12.345,5")).to_be_visible()
    settings_saved(home)

    # Another browser had likes of its own: those of the account count.
    away = visit("/settings", phone=True)
    away.get_by_label("Light", exact=True).check()
    away.get_by_text("I have a name already").tap()
    away.locator("#login-name").fill(name)
    away.locator("form:has(#login-name) input[type=password]").fill(PASSWORD)
    away.get_by_role("button", name="Log in").tap()
    expect(away.get_by_label("Dark")).to_be_checked()
    expect(away.get_by_label("Ask before each move")).not_to_be_checked()
    expect(away.get_by_label("Volume")).to_have_value("20")
    expect(away.locator("html")).to_have_attribute("data-theme", "dark")
    check_accessibility(away)

    # Another tab of the same browser follows at once.
    tab = away.context.new_page()
    tab.goto("/settings")
    expect(tab.get_by_label("Sounds")).to_be_checked()
    away.get_by_label("Sounds").uncheck()
    expect(tab.get_by_label("Sounds")).not_to_be_checked()


POSITION = {
    "game": "umbradeco",
    "phase": "place",
    "to_move": 0,
    "scores": [0, 0],
    "mat": [{"at": [0, 0], "tiles": ["violet"]}, {"at": [0, 1], "tiles": ["yellow"]}],
    "hands": [["red", "red"], ["green", "blue"]],
    "market": ["red", "green"],
}
"""Whatever Ann lays on an empty space, Ben's tiles still fit on the others."""


def two_at_umbradeco(visit: Opener) -> tuple[Page, Page]:
    """Ann and Ben in a game of Umbradeco that begins at `POSITION`: Ann is to move, Ben waits."""
    ann, ben = visit("/settings"), visit("/settings")
    record = f"Game: umbradeco\nRules: 1\nSeats: 2\nPosition: {json.dumps(POSITION)}\n\n"
    wish = {"record": record, "seats": [{"kind": "me"}, {"kind": "open"}], "name": "Ann"}
    table = api_post(ann, "/tables", wish)["id"]
    sit_down(ben, table, "Ben")
    api_post(ann, f"/tables/{table}/start", {})
    for page in (ann, ben):
        page.goto(f"/t/{table}")
    expect(ann.locator(".table.due")).to_have_count(1)
    return ann, ben


EMPTY = """() => [...document.querySelectorAll('.space.legal')]
  .filter((space) => space.getAttribute('aria-label').includes('empty')).map((space) => space.dataset.space)"""
"""The empty spaces on which the tile in hand can be laid."""


def choose(page: Page, space: str, button: str) -> None:
    """Choose a space for the tile in hand, and press a button."""
    page.locator(f'.space.legal[data-space="{space}"]').focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=button, exact=True).click()


def begin_plan(page: Page) -> list[str]:
    """Begin to plan; returns the empty spaces on which it can be."""
    page.get_by_role("button", name="Plan ahead").click()
    expect(page.locator(".says")).to_contain_text("Planning ahead")
    expect(page.locator(".space.legal").first).to_be_attached()
    found: list[str] = page.evaluate(EMPTY)
    return found


def lay(page: Page, space: str) -> None:
    """Lay a tile in my turn, and take one from the market."""
    choose(page, space, "Confirm")
    take(page)


def take(page: Page) -> None:
    expect(page.locator(".says")).to_contain_text("market")
    page.get_by_role("button", name=re.compile("in the market")).first.click()
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.locator(".table.due")).to_have_count(0)


def test_a_plan_is_kept_played_and_dropped_with_a_word(visit: Opener) -> None:
    ann, ben = two_at_umbradeco(visit)
    heard: list[str] = []
    ann.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    ann.reload()
    expect(ann.locator(".table.due")).to_have_count(1)
    says = ben.locator(".says")

    # Ben plans. The plan is a ghost, is kept over a reload, and Ann's page hears nothing of it.
    planned = begin_plan(ben)[0]
    choose(ben, planned, "Keep as plan")
    expect(says).to_contain_text("Planned: open")
    check_accessibility(ben)
    ben.reload()
    expect(says).to_contain_text("Planned: open")
    assert not [each for each in heard if '"type":"update"' in each or "plan" in each.replace('"plan":', "")]

    # Ann lays elsewhere: the plan is offered as what is selected, and played with one press.
    lay(ann, next(space for space in ann.evaluate(EMPTY) if space != planned))
    expect(says).to_contain_text("As planned: Open")
    ben.get_by_role("button", name="Confirm", exact=True).click()
    expect(says).to_contain_text("market")

    # Meanwhile Ann plans a space that Ben's next tile takes: her plan is dropped, with the rule.
    take(ben)
    expect(ann.locator(".table.due")).to_have_count(1)
    wanted = begin_plan(ben)
    taken = next(space for space in ann.evaluate(EMPTY) if space in wanted)
    choose(ben, taken, "Keep as plan")
    lay(ann, taken)
    expect(ben.locator(".toast")).to_contain_text("Your plan no longer fits: ")
    expect(says).to_contain_text("Your turn")


def test_a_plan_plays_itself_if_the_person_likes_that(visit: Opener) -> None:
    ann, ben = two_at_umbradeco(visit)
    ben.evaluate(
        """() => localStorage.setItem('wellies.likes', JSON.stringify({ speed: 'fastest', play_plans: true }))"""
    )
    ben.reload()
    planned = begin_plan(ben)[0]
    choose(ben, planned, "Keep as plan")
    lay(ann, next(space for space in ann.evaluate(EMPTY) if space != planned))
    expect(ben.locator(".says")).to_contain_text("market")


def test_phrases_are_said_and_whoever_is_muted_is_not_heard(visit: Opener) -> None:
    ann, ben = two_at_umbradeco(visit)
    for page in (ann, ben):
        page.get_by_role("button", name="Chat").click()
    ben.get_by_role("button", name="Quick phrases").click()
    check_accessibility(ben)
    ben.get_by_role("button", name="Good luck!").click()
    chat = ann.get_by_role("log", name="Chat")
    expect(chat).to_contain_text("Good luck!")
    ben.get_by_role("button", name="Quick phrases").click()
    ben.get_by_role("button", name="A rainbow").click()
    expect(chat).to_contain_text("A rainbow")
    expect(chat.locator("svg[width='44']")).to_have_count(1)

    other = ann.get_by_role("list", name="Players").get_by_role("button", name="Ben")
    other.click()
    ann.get_by_role("button", name=re.compile("^Mute ")).click()
    expect(chat).not_to_contain_text("Good luck!")
    expect(chat).to_contain_text("2 lines of people whom you mute are not shown.")
    check_accessibility(ann)
    ben.get_by_label("Say something").fill("Can you hear me?")
    ben.get_by_role("button", name="Say", exact=True).click()
    expect(ben.get_by_role("log", name="Chat")).to_contain_text("Can you hear me?")
    expect(chat).to_contain_text("3 lines")
    expect(chat).not_to_contain_text("hear me")

    ann.goto("/settings")
    ann.get_by_role("button", name=re.compile("^Unmute ")).click()
    expect(ann.get_by_role("heading", name="Muted and blocked")).to_have_count(0)


def test_points_large_board_and_buttons_are_as_the_person_likes_them(visit: Opener) -> None:
    page = visit("/")
    likes = {"speed": "fastest", "points": False, "shortcuts": True, "board": "large"}
    page.evaluate("(likes) => localStorage.setItem('wellies.likes', JSON.stringify(likes))", likes)
    page.goto("/settings")
    table = set_table(page, "umbradeco", [{"kind": "me"}, {"kind": "bot", "level": "greedy"}])
    page.goto(f"/t/{table}")
    expect(page.locator(".table.due .space.legal").first).to_be_attached()
    expect(page.locator(".badge")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_enabled()
    expect(page.locator("aside")).not_to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Log and chat").click()
    expect(page.locator("aside")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Show points on places").click()
    expect(page.locator(".badge").first).to_be_attached()
