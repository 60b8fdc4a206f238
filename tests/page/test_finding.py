"""Finding a game with others, friends, invitations, alerts: from the page, with real servers and browsers."""

from __future__ import annotations

import json
import re
import secrets
import time
from typing import Any

from page_device import wait_until_kept
from page_server import LONGEST, Opener
from page_tables import (
    api_post,
    check_accessibility,
    check_accessibility_in_both_themes,
    make_move,
    wait_for_turn,
    whose_turn,
)
from playwright.sync_api import CDPSession, Page, expect


def find(page: Page, game: str, pace: str = "10 minutes each") -> None:
    """Look for a game of two from the shelf."""
    place = page.get_by_role("region", name="Find a game")
    place.get_by_label("Game", exact=True).select_option(label=game)
    place.get_by_label("Time", exact=True).select_option(label=pace)
    place.get_by_role("button", name="Find a game").click()


def named(page: Page, name: str) -> None:
    api_post(page, "/me", {"name": name})
    page.reload()


def test_two_people_find_each_other_and_are_taken_to_the_table(visit: Opener) -> None:
    ann, ben = visit("/"), visit("/", phone=True)
    named(ann, "Ann")
    named(ben, "Ben")
    # The first game is still above the fold of a phone.
    box = ben.get_by_role("button", name="Play now").first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844
    find(ann, "Marram")
    place = ann.get_by_role("region", name="Find a game")
    expect(place.get_by_role("status")).to_contain_text("Looking for a game of Marram")
    check_accessibility(ann)
    find(ben, "Marram", "30 minutes each")
    expect(ben.get_by_role("region", name="Find a game")).to_contain_text("Nobody else waits")
    ben.get_by_role("button", name="Stop looking").click()
    # Whoever waits is seen, and one press plays with them.
    ben.reload()
    ben.get_by_role("button", name="Play Marram, 10 minutes").tap()
    for page in (ann, ben):
        expect(page).to_have_url(re.compile(r"/t/\w+"))
        expect(page.locator(".players")).to_contain_text("Ann")
        expect(page.locator(".players")).to_contain_text("Ben")
    assert ann.url == ben.url
    expect(ann.locator(".players .clock")).to_have_count(2)


def test_somebody_who_plays_a_bot_is_called_to_the_game_that_was_found(visit: Opener) -> None:
    ann, ben = visit("/"), visit("/")
    named(ann, "Ann")
    named(ben, "Ben")
    find(ann, "Umbradeco", "5 minutes each")
    ann.get_by_role("button", name="Play a bot meanwhile").click()
    expect(ann).to_have_url(re.compile(r"/t/\w+"))
    with_bot = ann.url
    wait_for_turn(ann)
    make_move(ann)
    find(ben, "Umbradeco", "5 minutes each")
    call = ann.get_by_role("complementary", name="A game was found")
    expect(call).to_contain_text("A game of Umbradeco was found.")
    check_accessibility(ann)
    call.get_by_role("button", name="Go there").click()
    expect(ann.locator(".players")).to_contain_text("Ben")
    expect(call).to_have_count(0)
    assert ann.url != with_bot
    ann.goto("/")
    mine = ann.get_by_role("region", name="My games")
    expect(mine.get_by_role("link")).to_have_count(2)


def test_a_friend_is_made_by_a_link_invited_and_comes(visit: Opener) -> None:
    ann, ben = visit("/people"), visit("/", phone=True)
    named(ann, "Ann")
    named(ben, "Ben")
    ann.get_by_role("button", name="Copy my friend link").click()
    link = ann.get_by_label("Whoever opens this link").input_value()
    ben.goto(link)
    expect(ben.get_by_text("Ann would like to be your friend")).to_be_visible()
    ben.get_by_role("button", name="Be friends").tap()
    expect(ben.get_by_role("list", name="Friends")).to_contain_text("Ann")
    check_accessibility(ben)
    ann.reload()
    expect(ann.get_by_role("list", name="Friends")).to_contain_text(re.compile(r"Ben\s*here"))
    check_accessibility_in_both_themes(ann)

    ben.goto("/")
    ann.goto("/")
    ann.get_by_role("button", name="Invite friends: Guppies").click()
    ann.get_by_role("button", name="Invite: Ben").click()
    expect(ann.get_by_role("button", name="Invited: Ben")).to_be_disabled()
    # It is seen without a reload.
    ben.get_by_role("button", name="Come to Guppies with Ann").tap()
    expect(ben.get_by_text("Ann invites you to a game of Guppies.")).to_be_visible()
    ben.get_by_role("button", name="Take a chair").tap()
    ann.get_by_role("button", name="Start", exact=True).click()
    for page in (ann, ben):
        expect(page.locator(".players")).to_contain_text("Ben")
    # Whose turn it is stands in the title and on the icon, wherever one is.
    mover = whose_turn(ann, ben)
    other = ben if mover is ann else ann
    mover.goto("/")
    expect(mover).to_have_title("(1) Wellies: rainy-day games")
    expect(mover.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/png"))
    other.goto("/")
    expect(other).to_have_title("Wellies: rainy-day games")


SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map(({ title, body, data }) => ({ title, text: body, path: data.path }));
}"""


def until_shown(page: Page, wanted: list[dict[str, str]]) -> None:
    """Wait until exactly these notifications are shown."""
    deadline = time.monotonic() + LONGEST
    while (shown := page.evaluate(SHOWN)) != wanted:
        assert time.monotonic() < deadline, shown
        page.wait_for_timeout(50)


def _registration(devtools: CDPSession, page: Page) -> str:
    """The service worker's registration, as the DevTools know it."""
    known: list[dict[str, Any]] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda told: known.extend(told["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    while not known:
        page.evaluate("() => 0")
    return str(known[0]["registrationId"])


def test_a_push_message_reaches_the_service_worker_and_leads_to_the_table(visit: Opener) -> None:
    page = visit("/", service_workers="allow", whole=True)
    page.context.grant_permissions(["notifications", "clipboard-read", "clipboard-write"])
    wait_until_kept(page)
    devtools = page.context.new_cdp_session(page)
    registration = _registration(devtools, page)
    table = api_post(page, "/tables", {"game": "umbradeco", "seats": [{"kind": "me"}, {"kind": "open"}], "name": "Ann"})
    path = f"/t/{table['id']}"
    origin = page.evaluate("location.origin")
    message = {"kind": "turn", "title": "Your turn in Umbradeco", "text": "With Ben.", "path": path, "tag": table["id"]}
    for title in ("Your turn in Umbradeco", "One hour left in Umbradeco"):
        message["title"] = title
        devtools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": origin, "registrationId": registration, "data": json.dumps(message)},
        )
    # A newer message about the same table takes the place of the older one.
    shown = {"title": "One hour left in Umbradeco", "text": "With Ben.", "path": path}
    until_shown(page, [shown])
    # The person clicks it.
    worker = page.context.service_workers[0]
    worker.evaluate(
        """async () => {
          const [notification] = await self.registration.getNotifications();
          self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
        }"""
    )
    expect(page).to_have_url(re.compile(f"{path}$"))
    until_shown(page, [])


def test_alerts_and_vacations_are_set_up_in_the_settings(visit: Opener) -> None:
    page = visit("/settings", errors=["400"])
    page.get_by_role("button", name="Set up alerts").click()
    alerts = page.get_by_role("region", name="Alerts")
    alerts.get_by_text("A chat program").click()
    hook = alerts.get_by_label("Address of its webhook")
    hook.fill("https://127.0.0.1/hook")
    alerts.get_by_role("button", name="Save").last.click()
    expect(page.locator(".toast", has_text="inside the network of the server")).to_be_visible()
    alerts.get_by_label("Nothing is sent at night").check()
    expect(alerts.get_by_label("from")).to_have_value("22:00")
    alerts.get_by_label("Days in which clocks of days stand still").fill("3")
    alerts.get_by_role("button", name="Go", exact=True).click()
    expect(alerts.get_by_text("Your clocks of days stand still until")).to_be_visible()
    check_accessibility_in_both_themes(page)
    alerts.get_by_role("button", name="I am back").click()
    expect(alerts.get_by_label(re.compile("29 left this year"))).to_be_visible()


def test_a_link_that_is_not_ours_says_so(visit: Opener) -> None:
    page = visit(f"/alerts/stop/email.{secrets.token_hex(9)}.{secrets.token_hex(16)}", errors=["404"])
    expect(page.get_by_text("This link is not complete")).to_be_visible()
    page.goto("/friend/nobody")
    expect(page.get_by_role("alert")).to_contain_text("no longer valid")
