"""Cards explain themselves where they lie: whoever has read only the first page of the rules can play.

At real tables of the two card games the cards in sight are read by pointer, by keyboard and by a long press, and say
what the game's own data says; what the cards of a tank or a yard make sums to its score.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from page_server import Opener
from page_tables import BOT, ME, api_post, check_accessibility, record_up_to, set_table
from playwright.sync_api import Page, expect

from wellies import View

SEEN = """() => {
  const found = new Map();
  for (const element of document.querySelectorAll('[data-space], .tray [data-inspect]')) {
    const key = element.dataset.inspect ?? element.dataset.space;
    const box = (element.dataset.space ? element.querySelector('path') : element).getBoundingClientRect();
    const area = element.closest('.tray') ? 'tray' : 'board';
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const free = element.contains(document.elementFromPoint(x, y));
    if (box.width) found.set(`${area} ${key}`, { key, area, x, y, free });
  }
  return [...found.values()];
}"""
"""Everything that may be a card, where it is, and whether one can point at it there."""

READ = """() => {
  const panel = document.querySelector('.inspector:popover-open');
  const text = (element) => element?.textContent.trim().replaceAll('\u2212', '-') ?? null;
  const all = (selector) => [...panel.querySelectorAll(selector)];
  return {
    key: panel.dataset.reads,
    title: text(panel.querySelector('#inspect-title')),
    kind: text(panel.querySelector('.kind')),
    text: all('#inspect-text p').map(text),
    parts: all('.parts p').map(text),
    lines: all('.score li:not(.later) b').map((line) => Number(text(line))),
    total: panel.querySelector('.total') && Number(text(panel.querySelector('.total b'))),
  };
}"""
"""What the panel says that a card is read on."""

Card = dict[str, Any]


MOMENTS: dict[str, Callable[[View], bool]] = {
    "aquarium": lambda view: view["position"]["phase"] == "turn" and view["position"]["round"] >= 5,
    "puppies": lambda view: view["position"]["phase"] == "choose" and view["position"]["round"] >= 6,
}


def the_last_net(view: View) -> bool:
    return bool(view["position"]["phase"] == "nets")


def sit_down_at(page: Page, game: str, when: Callable[[View], bool] | None = None) -> str:
    record = record_up_to(game, when or MOMENTS[game])
    table = str(api_post(page, "/tables", {"record": record, "seats": [ME, BOT], "start": True})["id"])
    page.goto(f"/t/{table}")
    expect(page.locator(".table.due")).to_be_visible()
    expect(page.locator(".world.gliding")).to_have_count(0)
    return table


def panel_of(page: Page, key: str) -> Card:
    expect(page.locator(f".inspector.placed[data-reads='{key}']")).to_be_visible()
    told: Card = page.evaluate(READ)
    return told


def point_at(page: Page, spot: Card) -> Card:
    page.mouse.move(spot["x"], spot["y"], steps=2)
    return panel_of(page, spot["key"])


def read_by_key(page: Page, spot: Card) -> Card:
    kind = "data-inspect" if spot["area"] == "tray" else "data-space"
    card = page.locator(f":is(button, [tabindex])[{kind}='{spot['key']}']").last
    card.focus()
    page.keyboard.press("i")
    told = panel_of(page, spot["key"])
    expect(page.get_by_role("dialog", name=told["title"])).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".inspector:popover-open")).to_have_count(0)
    expect(card).to_be_focused()
    return told


@contextmanager
def finger_on(page: Page, spot: Card) -> Iterator[None]:
    devtools = page.context.new_cdp_session(page)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": spot["x"], "y": spot["y"]}]})
    yield
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    devtools.detach()


def press_long(page: Page, spot: Card) -> Card:
    with finger_on(page, spot):
        return panel_of(page, spot["key"])


def push_on(page: Page) -> None:
    """Push the hand to its end and the board up by a finger, to see what is further on."""
    page.locator(".tray [data-inspect]").last.scroll_into_view_if_needed()
    devtools = page.context.new_cdp_session(page)
    for kind, y in (("touchStart", 420), ("touchMove", 300), ("touchMove", 170)):
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": 195, "y": y}]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    devtools.detach()


class Aquarium:
    """What the game's data says of its cards."""

    def __init__(self, box: list[Card]) -> None:
        self.texts = {card["name"]: card["text"] for card in box}

    def is_card(self, spot: Card) -> bool:
        return True

    def hold_to(self, told: Card) -> None:
        text = self.texts[told["title"]]
        assert told["text"] == [text or "No bonus, wherever it lies."], told

    def owner(self, told: Card) -> str | None:
        """In whose tank it lies."""
        found = re.fullmatch(r"\w+ in (.*) tank", told["kind"])
        return found[1] if found else None


class Puppies:
    def __init__(self, box: list[Card]) -> None:
        self.rows = {row["card"]: row for row in box}
        self.breeds = {row["name"]: row for row in box if row["kind"] == "breed"}

    def is_card(self, spot: Card) -> bool:
        """All but the deck, empty yards, cards face down, and single bones."""
        return not re.match(r"deck$|yard:|round:\d+\.|\w+:\d+$", spot["key"]) or spot["key"].startswith(
            ("park:", "card:")
        )

    def trick(self, card: int) -> str:
        return str(self.rows[str(card) if card >= 90 else f"x{card % 10}"]["text"])

    def hold_to(self, told: Card) -> None:
        number = re.search(r"number (\d\d)", told["kind"])
        if number:
            card = int(number[1])
            assert told["text"][0] == self.trick(card), told
            if card < 90:
                assert self.rows[f"{card // 10}x"]["text"] in told["text"][-1], told
            return
        assert self.breeds[told["title"]]["text"] in told["text"][0], told
        assert told["parts"], told
        for part in told["parts"]:
            assert part.endswith(self.trick(int(part[:2]))), part

    def owner(self, told: Card) -> str | None:
        found = re.fullmatch(r"\d+ pups? in (.*) yard", told["kind"])
        return found[1] if found else None


SOAK = bool(os.environ.get("WELLIES_SOAK"))
"""Here every card is read by pointer, and a third of them by keyboard and by a long press; in `make soak` all."""
GAMES: dict[str, Any] = {"aquarium": Aquarium, "puppies": Puppies}


def known_cards(page: Page, game: str) -> Any:
    return GAMES[game](page.request.get(f"/api/v1/games/{game}").json()["box"])


def scores(page: Page) -> dict[str, int]:
    """Each player's score, by the words with which a card says whose it is."""
    rows = page.locator(".players li[data-seat]")
    names = ["your", f"{rows.nth(1).locator('.who').inner_text()}'s"]
    return {name: int(rows.nth(i).locator(".score").inner_text().split()[0]) for i, name in enumerate(names)}


@pytest.mark.parametrize("game", GAMES)
def test_every_card_in_sight_explains_itself(visit: Opener, game: str) -> None:
    page = visit(None)
    sit_down_at(page, game)
    known = known_cards(page, game)
    cards = [spot for spot in page.evaluate(SEEN) if known.is_card(spot)]
    assert {spot["area"] for spot in cards} == {"tray", "board"}
    made: dict[str, int] = {}
    for spot in cards:
        told = point_at(page, spot)
        known.hold_to(told)
        if told["total"] is not None:
            assert sum(told["lines"]) == told["total"], told
        owner = known.owner(told)
        if owner is not None:
            made[owner] = made.get(owner, 0) + told["total"]
    assert made == scores(page)
    page.mouse.move(1, 1)
    expect(page.locator(".inspector:popover-open")).to_have_count(0)

    for spot in cards if SOAK else cards[::6]:
        known.hold_to(read_by_key(page, spot))
    page.keyboard.press("i")
    check_accessibility(page)


@pytest.mark.parametrize("game", GAMES)
def test_a_long_press_reads_a_card_and_does_not_choose_it(visit: Opener, game: str) -> None:
    page = visit(None, phone=True)
    sit_down_at(page, game)
    known = known_cards(page, game)
    cards = [spot for spot in page.evaluate(SEEN) if known.is_card(spot)]
    assert len(cards) >= 9
    left = {(spot["area"], spot["key"]) for spot in (cards if SOAK else cards[::6])}
    for _ in range(3):
        for spot in cards:
            if not spot["free"] or (spot["area"], spot["key"]) not in left:
                continue
            known.hold_to(press_long(page, spot))
            left.remove((spot["area"], spot["key"]))
            panel = page.locator(".inspector").bounding_box()
            assert panel is not None
            beside = spot["y"] < panel["y"] or spot["y"] > panel["y"] + panel["height"]
            assert beside, f"the sheet covers the card that it speaks of: {spot}, {panel}"
            page.touchscreen.tap(195, 300 if panel["y"] > 350 else 700)
            expect(page.locator(".inspector:popover-open")).to_have_count(0)
        if not left:
            break
        push_on(page)
        cards = page.evaluate(SEEN)
    assert not left
    assert page.locator(".tray [aria-pressed='true']").count() == 0
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_have_count(0)


def test_those_who_watch_read_cards_as_well(visit: Opener) -> None:
    host = visit(None)
    table = sit_down_at(host, "aquarium")
    watcher = visit(f"/t/{table}")
    expect(watcher.locator(".says")).to_contain_text("You are watching")
    spots = [spot for spot in watcher.evaluate(SEEN) if spot["area"] == "tray"]
    assert len(spots) == 5
    known = known_cards(watcher, "aquarium")
    known.hold_to(point_at(watcher, spots[0]))
    watcher.mouse.move(1, 1)
    known.hold_to(read_by_key(watcher, spots[1]))
    watcher.mouse.click(spots[2]["x"], spots[2]["y"])
    known.hold_to(panel_of(watcher, spots[2]["key"]))
    watcher.keyboard.press("Escape")
    expect(watcher.locator(".inspector:popover-open")).to_have_count(0)


def test_cards_are_read_after_the_game_and_in_the_replay(visit: Opener) -> None:
    page = visit(None)
    table = sit_down_at(page, "aquarium", the_last_net)
    known = known_cards(page, "aquarium")
    page.get_by_role("button", name="Keep net").click()
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(page.locator(".says")).to_contain_text("points.")
    known.hold_to(read_by_key(page, {"key": "1.b2", "area": "board"}))
    page.goto(f"/t/{table}/replay")
    expect(page.locator("[data-space='b2']")).to_be_visible()
    known.hold_to(read_by_key(page, {"key": "b2", "area": "board"}))


def test_in_the_set_up_it_is_nobodys_turn(visit: Opener) -> None:
    host = visit(None)
    table = set_table(host, "aquarium", [ME, {"kind": "open"}], start=False)
    friend = visit(None)
    api_post(friend, "/me", {"name": "Bea"})
    api_post(friend, f"/tables/{table}/join", {"seat": None, "invite": ""})
    api_post(host, f"/tables/{table}/start", {})
    watcher = visit(f"/t/{table}")
    says = watcher.locator(".says")
    expect(says).to_have_text(re.compile(r"You are watching\. Everybody chooses three cards; waiting for .* and Bea\."))


def test_the_encyclopaedia_has_every_card_and_finds_them_by_their_words(visit: Opener) -> None:
    page = visit("/learn/aquarium")
    book = page.locator(".encyclopaedia")
    box = page.request.get("/api/v1/games/aquarium").json()["box"]
    expect(book.locator("[data-entry]")).to_have_count(len(box))
    for card in box:
        entry = book.locator(f"[data-entry='{card['type']} {card['base']} {card['name']}']".replace("'s ", "\\'s "))
        expect(entry).to_contain_text(re.sub(r"^-(?=\d)", "\u2212", card["text"]) or "No bonus")
        expect(entry).to_contain_text(f"{card['copies']} in the box")
    book.get_by_label("Find cards").fill("moray eel")
    expect(book.locator("[data-entry]")).to_have_count(2)
    expect(book.get_by_role("status")).to_have_text(f"2 of {len(box)}")
    check_accessibility(page)


def test_a_long_list_is_folded_and_drawn_when_it_is_unfolded(visit: Opener) -> None:
    page = visit("/learn/guppies")
    book = page.locator(".encyclopaedia")
    expect(book).to_be_visible()
    folded = page.locator("*").count()
    assert folded < 8000, "a folded list costs a phone nothing"
    entries = book.locator("[data-entry]").count()
    book.locator("details:not([open]) summary").first.click()
    expect(book.locator("[data-entry]").nth(entries + 20)).to_be_attached()
    book.locator("details[open] summary").last.click()
    expect(book.locator("[data-entry]")).to_have_count(entries)


def test_corrected_cards_are_read_as_the_table_has_them(visit: Opener) -> None:
    page = visit(None)
    bonuses = [{"points": 7, "if": "in a corner"}]
    water = {"name": "Water", "copies": 20, "type": "water", "base": 1, "starter": True, "bonuses": bonuses}
    cards = {"extends": "standard", "cards": [water]}
    page.goto(f"/t/{set_table(page, 'aquarium', [ME, BOT], options={'cards': cards})}")
    expect(page.locator(".table.due")).to_be_visible()
    told = read_by_key(page, {"key": "a1", "area": "board"})
    assert (told["text"], told["lines"], told["total"]) == (["+7 if in a corner"], [1, 7], 8)
    page.get_by_role("button", name="All cards").click()
    entry = page.get_by_role("dialog").locator("[data-entry='water 1 Water']")
    expect(entry).to_contain_text("+7 if in a corner")
    page.get_by_role("button", name="Close the list").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
