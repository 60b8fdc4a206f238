"""Good Puppies in a real browser: two pups a round, secrets, the guide, and a page that is open to all."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import pytest
from page_server import Opener
from page_tables import (
    ME,
    against_bot,
    check_accessibility,
    choose_by_pointer,
    confirm_button,
    make_move,
    messages_to,
    play_to_the_end,
    set_table,
    set_table_at,
    wait_for_turn,
    whose_turn,
)
from playwright.sync_api import Locator, Page, WebSocketRoute, expect


def test_two_pups_a_round(visit: Opener) -> None:
    page = visit(None, phone=True, dark=True)
    against_bot(page, "puppies", strategic=True)
    wait_for_turn(page)
    hand = page.get_by_role("group", name="My hand").get_by_role("button")
    expect(hand).to_have_count(5)
    expect(page.locator(".says")).to_contain_text("two pups")
    make_move(page)
    expect(page.locator(".says")).to_contain_text("second pup")
    assert play_to_the_end(page, "mouse") >= 14


def test_choices_and_hands_are_secret(visit: Opener) -> None:
    host = visit(None)
    table = set_table(host, "puppies", [ME, {"kind": "open"}], start=False)
    friend = visit(None)
    friend.request.post("/api/v1/me", data={"name": "Bea"})
    assert friend.request.post(f"/api/v1/tables/{table}/join", data={"seat": None, "invite": ""}).ok
    watcher = visit(None)
    heard: dict[int | None, list[dict[str, Any]]] = {
        0: messages_to(host),
        1: messages_to(friend),
        None: messages_to(watcher),
    }
    assert host.request.post(f"/api/v1/tables/{table}/start").ok
    for page in (host, friend, watcher):
        page.goto(f"/t/{table}")
        expect(page.locator(".space").first).to_be_visible()

    make_move(host)
    expect(host.locator(".says")).to_have_text("You have chosen. Waiting for Bea.")
    expect(friend.get_by_role("gridcell", name=re.compile("has chosen$"))).to_have_count(1)
    held = {page: page.locator(".pup .number").all_inner_texts() for page in (host, friend)}
    for page, other in ((friend, host), (watcher, host), (host, friend), (watcher, friend)):
        text = page.content()
        for number in held[other]:
            assert not re.search(rf'aria-label="{number} [A-Z]', text), number

    make_move(friend)
    for _ in range(8):
        make_move(whose_turn(host, friend))
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


def at_a_trick(page: Page, card: int, *, players: int = 2) -> str:
    """A table where it is my turn, in the middle of the trick of this Husky, the third of its group."""
    yard = [
        {"breed": "huskies", "pups": [40, 46, card], "bones": [1, 1, 2, 5]},
        {"breed": "pugs", "pups": [1], "bones": [1, 2]},
        {"breed": "corgis", "pups": [13], "bones": []},
    ]
    others: list[dict[str, Any]] = [
        {"hand": [], "open": [], "groups": [{"breed": "shibas", "pups": [70 + i], "bones": [1]}]}
        for i in range(players)
    ]
    position = {
        "game": "puppies",
        "options": {"extended": False, "strategic": False, "cards": "standard"},
        "round": 4,
        "final": False,
        "phase": "trick",
        "park": [16, 62, 83, 28, 35, 59][: players + 1],
        "deck": 24,
        "turns": [{"seat": 0, "card": card}, *[{"seat": seat, "card": 25 - seat} for seat in range(1, players)]],
        "tricks": [{"card": card, "here": "huskies", "n": 3, "part": 0, "done": 0}],
        "seats": [{"hand": [26, 95], "open": [], "groups": yard}, *others[1:]],
    }
    for seat in others[1:]:
        seat["hand"] = ["?"] * 2
    return set_table_at(page, "puppies", position)


def sent_by(page: Page) -> list[dict[str, Any]]:
    """Everything this page says to the server from now on."""
    sent: list[dict[str, Any]] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))
    return sent


def bone(page: Page, key: str) -> Locator:
    return page.locator(f"[data-space='{key}']")


def test_several_bones_are_chosen_in_one_go(visit: Opener) -> None:
    page = visit(None)
    table = at_a_trick(page, 42)
    sent = sent_by(page)
    page.goto(f"/t/{table}")
    bone(page, "huskies:1").click()
    bone(page, "huskies:1:1").click()
    bone(page, "huskies:2").click()
    expect(page.locator(".tally")).to_contain_text("3 of 3 chosen, +5")
    bone(page, "huskies:5").click()
    expect(page.locator(".toast")).to_contain_text("Take one back")
    bone(page, "huskies:1:1").click()
    expect(page.locator(".tally")).to_contain_text("2 of 3 chosen, +4")
    bone(page, "huskies:5").click()
    expect(page.locator(".tally")).to_contain_text("3 of 3 chosen, +9")
    confirm_button(page).click()
    expect(page.locator(".says")).to_contain_text("Take a card from the park")
    plays = [message["move"] for message in sent if message["type"] == "play"]
    assert plays == ["up 1 huskies", "up 2 huskies", "up 5 huskies"], plays
    expect(page.locator(".me .score")).to_contain_text("21")


def test_several_bones_by_keys_alone(visit: Opener) -> None:
    page = visit(None)
    page.goto(f"/t/{at_a_trick(page, 42)}")
    wait_for_turn(page)
    page.keyboard.press("b")
    for chosen in ("1 of 3", "2 of 3"):
        page.keyboard.press("n")
        page.wait_for_function("() => document.activeElement?.matches('.legal:not(.chosen)')")
        page.keyboard.press(" ")
        expect(page.locator(".tally")).to_contain_text(chosen)
    page.keyboard.press(" ")
    expect(page.locator(".tally")).to_contain_text("1 of 3")
    page.keyboard.press(" ")
    expect(page.locator(".tally")).to_contain_text("2 of 3")
    page.keyboard.press("Enter")
    expect(page.locator(".says")).to_contain_text("2 done")


def test_a_refusal_in_the_middle_stops_the_rest(visit: Opener) -> None:
    page = visit(None)
    table = at_a_trick(page, 42)
    plays: list[str] = []

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "play":
                plays.append(message["move"])
                if len(plays) == 2:
                    said = {"type": "error", "id": message["id"], "code": "refused", "message": "Not today."}
                    route.send(json.dumps(said))
                    return
            server.send(text)

        route.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/v1/"), between)
    page.goto(f"/t/{table}")
    for key in ("huskies:5", "huskies:2", "huskies:1"):
        bone(page, key).click()
    confirm_button(page).click()
    expect(page.locator(".toast")).to_contain_text("Not today.")
    expect(page.locator(".says")).to_contain_text("1 done")
    expect(confirm_button(page)).to_have_count(0)
    expect(page.locator("[data-space='huskies:2'].legal")).to_be_visible()
    assert plays == ["up 5 huskies", "up 2 huskies"]


def test_what_leaves_nothing_to_choose_is_done_at_once_and_can_be_taken_back(visit: Opener) -> None:
    page = visit(None)
    page.goto(f"/t/{at_a_trick(page, 41)}")
    expect(page.locator(".toast")).to_contain_text("nothing to choose: bury a bone with the Huskies, 3 times.")
    expect(page.locator(".says")).to_contain_text("Take a card from the park")
    expect(page.locator(".me .score")).to_contain_text("15")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name=re.compile("^Undo")).or_(
        page.get_by_role("menuitem", name=re.compile("^Undo"))
    ).click()
    expect(page.locator(".me .score")).to_contain_text("14")
    # Taken back by hand, it is not done again by itself.
    expect(page.locator("[data-space='huskies'].legal")).to_be_visible()
    page.reload()
    expect(page.locator("[data-space='huskies'].legal")).to_be_visible()
    page.get_by_role("button", name="Enough").click()
    confirm_button(page).click()
    expect(page.locator(".says")).to_contain_text("Take a card from the park")
    expect(page.locator(".me .score")).to_contain_text("14")


def test_one_can_ask_to_choose_what_would_be_done_at_once(visit: Opener) -> None:
    page = visit(None, speed="slow")
    page.goto(f"/t/{at_a_trick(page, 41)}")
    page.get_by_role("button", name="Let me choose").click()
    page.locator("[data-space='huskies'].legal").click(position={"x": 20, "y": 20})
    expect(confirm_button(page)).to_be_visible()


def test_what_cannot_be_chosen_now_says_what_it_is(visit: Opener) -> None:
    page = visit(None)
    against_bot(page, "puppies")
    wait_for_turn(page)
    park = page.locator("[data-space^='park:']").first
    label = str(park.get_attribute("aria-label"))
    assert re.match(r"In the park: \d\d [A-Z]\w+ [A-Z].*\. [A-Z].*\.$", label), label
    park.click()
    card = page.get_by_role("dialog", name=label.split(": ", 1)[1].split(".")[0][3:])
    expect(card).to_contain_text(label.split(". ", 1)[1])
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    page.locator("[data-space='deck']").click()
    expect(page.locator(".toast", has_text="The deck: ")).to_be_visible()
    make_move(page)
    hand = page.get_by_role("group", name="My hand").get_by_role("button", name=re.compile("in hand"))
    expect(hand.first).to_have_attribute("data-inspect", re.compile("^card:"))
    hand.first.focus()
    expect(hand.first).to_be_focused()


SMALL = """() => [...document.querySelectorAll('.stage text, .tray *, .players *')].flatMap(node => {
  const text = [...node.childNodes].filter(child => child.nodeType === 3).map(child => child.data.trim()).join('');
  const box = node.getBoundingClientRect();
  if (!text || !box.width || node.closest('[popover], .hidden')) return [];
  const scale = node.getScreenCTM ? Math.abs(node.getScreenCTM().a) : 1;
  const size = parseFloat(getComputedStyle(node).fontSize) * scale;
  return size < 10.9 ? [`${text}: ${size.toFixed(1)}`] : [];
})"""


def check_nothing_is_too_small(page: Page) -> None:
    """No text is too small to read, once the board has its size and rests."""
    page.wait_for_function(f"() => !document.querySelector('.gliding') && ({SMALL})().length === 0")


@pytest.mark.parametrize("players", [2, 5])
def test_nothing_is_too_small_to_read_on_a_phone(visit: Opener, players: int) -> None:
    page = visit(None, phone=True)
    page.goto(f"/t/{at_a_trick(page, 42, players=players)}")
    expect(page.locator(".space.legal").first).to_be_visible()
    check_nothing_is_too_small(page)
    bone(page, "huskies:5").tap()
    confirm_button(page).tap()
    expect(page.locator(".says")).to_contain_text("1 done")
    page.get_by_role("button", name="Enough").tap()
    confirm_button(page).tap()
    expect(page.locator(".says")).to_contain_text("Take a card")
    check_nothing_is_too_small(page)


FLIGHTS = """{
  window.flights = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const card = this.querySelector?.('[data-inspect]')?.dataset.inspect;
    if (this.matches('.piece') && card) window.flights.push(card);
    return animate.apply(this, given);
  };
}"""


MOTION_SIZES = [(1440, 900), (390, 844), *([(1280, 800), (768, 1024)] if os.environ.get("WELLIES_SOAK") else [])]
"""All four in `make soak`."""


@pytest.mark.parametrize(("width", "height"), MOTION_SIZES)
def test_it_is_played_with_motion_at_every_size(visit: Opener, width: int, height: int) -> None:
    """Any error of the page fails this test; with motion on there was one before the first view."""
    page = visit(None, speed="normal")
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(FLIGHTS)
    park = page.locator(".piece:has(> [data-inspect])")
    page.goto("/learn/puppies")
    page.get_by_role("button", name="Play a guided first game").click()
    expect(page.get_by_text("This is your yard.")).to_be_visible()
    page.goto(f"/t/{set_table(page, 'puppies', [ME, ME])}")
    page.get_by_role("button", name="show my hand").click()
    expect(page.locator(".tile.can")).to_have_count(3)
    against_bot(page, "puppies")
    expect(page.locator(".tile.can")).to_have_count(3)
    page.reload()
    expect(park).to_have_count(3)
    # What lies there already does not come from the deck; what comes later does.
    assert page.evaluate("window.flights") == []
    table = page.url
    watcher = visit(None, speed="normal")
    watcher.set_viewport_size({"width": width, "height": height})
    watcher.goto(table)
    expect(watcher.locator(".piece:has(> [data-inspect])").first).to_be_visible()
    first = page.locator(".piece > [data-inspect]").first.get_attribute("data-inspect")
    while not page.locator(".head", has_text="round 2").count():
        make_move(page)
        page.wait_for_function(
            "() => document.querySelector('.space.legal, .tile.can') && !document.querySelector('.buttons .main')"
        )
    now = page.locator("[data-space^='park:']").evaluate_all("all => all.map(each => each.dataset.space.slice(5))")
    flights = page.evaluate("window.flights")
    assert {f"card:{card}" for card in now} <= set(flights), (now, flights)
    assert first not in flights or first in {f"card:{card}" for card in now}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_table_is_open_to_all(visit: Opener, dark: bool) -> None:
    page = visit(None, dark=dark, phone=dark)
    against_bot(page, "puppies")
    for _ in range(5):
        make_move(page)
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    check_accessibility(page)


def test_corrected_cards_say_what_they_do(visit: Opener) -> None:
    page = visit(None)
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
