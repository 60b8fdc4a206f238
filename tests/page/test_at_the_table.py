"""What happens at a table: friends, spectators, secrets, second thoughts, lost connections."""

from __future__ import annotations

import base64
import re

import pytest
from page_server import Opener
from page_tables import (
    BOT,
    ME,
    OPEN,
    against_bot,
    api_post,
    at_rest,
    check_accessibility,
    choose_by_pointer,
    confirm_button,
    invite_friends,
    make_move,
    messages_to,
    next_step,
    pass_and_play,
    press_at,
    set_table,
    sit_down,
    wait_for_turn,
    whose_turn,
)
from playwright.sync_api import Page, expect

import wellies
from wellies import Match, Stream


def test_friends_are_invited_in_a_few_clicks_and_play_against_each_other(visit: Opener) -> None:
    host = visit("/")
    invite_friends(host, "Umbradeco")
    host.get_by_role("button", name="Copy link").click()
    link = host.evaluate("() => navigator.clipboard.readText()")
    assert "/t/" in link

    friend = visit(link, phone=True)
    friend.get_by_label("Your name").fill("Bea")
    friend.get_by_role("button", name="Take a chair").click()
    expect(host.get_by_role("listitem").filter(has_text="Bea")).to_be_visible()
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
    invite_friends(host, "Guppies")
    host.get_by_role("radio", name="64").check()
    host.get_by_label("Bot for chair 2").select_option("drizzle")
    expect(host.get_by_role("listitem").filter(has_text="Drizzle")).to_be_visible()
    host.get_by_role("button", name="Start", exact=True).click()
    expect(host.locator(".bag")).to_have_attribute("aria-label", re.compile("6[0-4] tiles"))


def test_hands_of_others_are_neither_on_the_page_nor_on_the_wire(visit: Opener) -> None:
    host = visit(None)
    table = set_table(host, "umbradeco", [ME, OPEN], start=False)
    friend = visit(None)
    api_post(friend, "/me", {"name": "Bea"})
    api_post(friend, f"/tables/{table}/join", {"seat": None, "invite": ""})
    watcher = visit(None)
    heard = {0: messages_to(host), 1: messages_to(friend), None: messages_to(watcher)}
    api_post(host, f"/tables/{table}/start", {})
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
    pass_and_play(page, "Umbradeco")
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
    pass_and_play(page, "Guppies")
    for seat in (0, 1, 0):
        expect(page.locator(f".players li.turn.me[data-seat='{seat}']")).to_be_visible()
        wait_for_turn(page)
        choose_by_pointer(page, touch=False)
        confirm_button(page).click()


def test_undo_hint_and_why_not(visit: Opener) -> None:
    page = visit(None)
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
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.locator(".space.legal").first).to_be_visible()


def test_undo_goes_back_over_the_answers_of_bots_to_where_the_game_began(visit: Opener) -> None:
    page = visit(None)
    page.goto(f"/t/{set_table(page, 'guppies', [ME, BOT])}")
    tiles = page.locator("[aria-label^='Tile at']")
    wait_for_turn(page)
    laid = tiles.count()
    undo = page.get_by_role("button", name=re.compile("^(Undo|Take back)"))
    for _ in range(2):
        make_move(page)
        wait_for_turn(page)
    expect(tiles).to_have_count(laid + 4)
    page.get_by_role("button", name="Menu").click()
    expect(undo).to_contain_text("Take back (same draws again)")
    undo.click()
    expect(tiles).to_have_count(laid + 2)
    page.keyboard.press("u")
    expect(tiles).to_have_count(laid)
    page.get_by_role("button", name="Menu").click()
    expect(undo).to_be_disabled()
    expect(undo).to_contain_text("There is nothing of yours to take back.")


def test_between_people_a_takeback_is_asked_for_and_hints_are_what_the_host_allows(visit: Opener) -> None:
    page = visit("/new/guppies")
    page.get_by_label("Chair 2").select_option("open")
    expect(page.get_by_label("Hints")).to_have_value("off")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    page.get_by_label("Points before a move").select_option("off")
    expect(page.get_by_text("What a move scores is seen when it is played.")).to_be_visible()
    table = page.url.rsplit("/", 1)[1]
    friend = visit(None)
    sit_down(friend, table, "Bea")
    friend.goto(f"/t/{table}")
    expect(friend.get_by_label("Points before a move")).to_have_value("off")
    expect(friend.get_by_label("Points before a move")).to_be_disabled()
    page.get_by_role("button", name="Start", exact=True).click()
    first = whose_turn(page, friend)
    other = friend if first is page else page
    tiles = first.locator("[aria-label^='Tile at']")
    wait_for_turn(first)
    laid = tiles.count()
    make_move(first)
    expect(tiles).to_have_count(laid + 1)
    expect(first.locator(".badge")).to_have_count(0)
    first.get_by_role("button", name="Menu").click()
    expect(first.get_by_role("button", name="Hint")).to_be_disabled()
    expect(first.get_by_role("button", name="Hint")).to_contain_text("Hints are off at this table.")
    ask = first.get_by_role("button", name="Ask to take back")
    ask.click()
    expect(first.get_by_text("You asked to take your move back.")).to_be_visible()
    other.reload()
    expect(other.get_by_text("asks to take the last move back.").first).to_be_visible()
    check_accessibility(other)
    other.get_by_role("button", name="Decline").click()
    expect(first.get_by_text("You asked to take your move back.")).to_have_count(0)
    make_move(other)
    make_move(first)
    first.keyboard.press("u")
    other.get_by_role("button", name="Accept").click()
    expect(tiles).to_have_count(laid + 2)
    expect(first.locator(".table.due")).to_be_visible()


def test_what_is_left_in_the_bag_is_one_tap_away(visit: Opener) -> None:
    page = visit(None, phone=True)
    heard = messages_to(page)
    against_bot(page, "guppies")
    wait_for_turn(page)
    page.get_by_role("button", name="tiles in the bag").tap()
    told = next(message["view"]["extra"] for message in reversed(heard) if message.get("view"))
    rows = page.locator("#bag-info tbody tr")
    expect(rows).to_have_count(3)
    for row, letters in zip(rows.all(), ("Gg", "Oo", "Pp"), strict=True):
        assert row.locator("td").all_inner_texts() == [str(told["halves"][letter]) for letter in letters]
    check_accessibility(page)
    page.locator("#bag-info").get_by_role("button", name="Close").tap()
    expect(rows.first).not_to_be_visible()


# --- seeing -----------------------------------------------------------------------------------------------------------

CLOTH = """keys => keys.map(key => {
  const path = document.querySelector(`[data-space="${key}"] > path`), to = path.getScreenCTM();
  const spots = [[0, -24], [-24, 0], [-17, -17], [17, -17], [-17, 17]];
  return spots.map(([x, y]) => { const at = new DOMPoint(x, y).matrixTransform(to); return [at.x, at.y]; });
})"""
"""Where the cloth of an umbrella is on the screen, at five spots beside its emblem, away from the points."""

AT_REST = """async () => {
  const ends = each => each.effect.getComputedTiming().endTime !== Infinity;
  await Promise.all(document.getAnimations().filter(ends).map(each => each.finished.catch(() => null)));
}"""
"""Once everything that moves has come to rest."""

READ = """async ([data, spots]) => {
  const picture = new Image();
  picture.src = `data:image/png;base64,${data}`;
  await picture.decode();
  const paper = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight).getContext('2d');
  paper.drawImage(picture, 0, 0);
  return spots.map(around => {
    const all = around.map(([x, y]) => [...paper.getImageData(x - 3, y - 3, 7, 7).data]).flat();
    return [0, 1, 2].map(part => all.filter((_, i) => i % 4 === part).reduce((a, b) => a + b) / (all.length / 4));
  });
}"""
"""The mean colour of a screenshot around each list of spots."""


def cloth_of(page: Page, keys: list[str]) -> list[list[float]]:
    """The colours in which the umbrellas on these spaces are really on the screen."""
    picture = base64.b64encode(page.screenshot()).decode()
    colours: list[list[float]] = page.evaluate(READ, [picture, page.evaluate(CLOTH, keys)])
    return colours


def record_after(game: str, moves: int, seed: int = 1) -> str:
    """A game between bots, up to a decision of seat 0 after so many moves."""
    match, bot, rng = Match(game, seats=2, seed=seed), wellies.bot("greedy"), Stream(seed)
    made = 0
    while made < moves or 0 not in match.state.due():
        seat = match.state.due()[0]
        match.play_move(seat, bot.choose(match.state, seat, rng))
        made += 1
    return str(match.record(reveal=True))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_umbrellas_keep_their_colours_where_one_can_play(visit: Opener, dark: bool) -> None:
    page = visit(None, dark=dark)
    body = {"record": record_after("umbradeco", 30), "seats": [ME, {"kind": "bot", "level": "greedy"}], "start": True}
    table = api_post(page, "/tables", body)["id"]
    page.goto(f"/t/{table}")
    wait_for_turn(page)
    watcher = visit(f"/t/{table}", dark=dark)
    expect(watcher.locator(".space").first).to_be_visible()
    taken: list[str] = page.locator(".space.legal").evaluate_all(
        "all => all.filter(each => !/empty/.test(each.ariaLabel)).map(each => each.dataset.space)"
    )
    assert len(taken) >= 3, "umbrellas that can be pushed or stacked upon"
    page.evaluate(AT_REST)
    watcher.evaluate(AT_REST)
    for mine, theirs, key in zip(cloth_of(page, taken), cloth_of(watcher, taken), taken, strict=True):
        assert mine == pytest.approx(theirs, abs=9), key


SMALL = """() => [...document.querySelectorAll('.board *, .bottom *')].flatMap(node => {
  const words = [...node.childNodes].filter(each => each.nodeType === 3).map(each => each.data.trim()).join('');
  const box = node.getBoundingClientRect();
  if (!words || !box.width || getComputedStyle(node).visibility === 'hidden' || node.closest('.hidden')) return [];
  const scale = node instanceof SVGElement ? Math.hypot(node.getScreenCTM().a, node.getScreenCTM().b) : 1;
  const size = parseFloat(getComputedStyle(node).fontSize) * scale;
  return size < 10.99 ? [`${words}: ${size.toFixed(1)}`] : [];
})"""
"""Texts on the board, in the tray and in the action bar that are smaller than eleven pixels on the screen."""


def test_a_place_glows_also_where_the_last_move_was_made(visit: Opener) -> None:
    page = visit(None)
    against_bot(page, "umbradeco")
    wait_for_turn(page)
    strokes: list[str] = page.locator(".space.legal").evaluate_all(
        """all => {
          all[0].classList.add('recent');
          return all.slice(0, 2).map(each => getComputedStyle(each.querySelector(':scope > path')).stroke);
        }"""
    )
    assert strokes[0] == strokes[1]


@pytest.mark.parametrize("game", ["guppies", "umbradeco", "aquarium", "puppies", "marram"])
def test_a_phone_on_its_side_has_room_for_the_board(visit: Opener, game: str) -> None:
    page = visit(None, phone=True, viewport={"width": 844, "height": 390})
    against_bot(page, game)
    wait_for_turn(page)
    at_rest(page)
    box = page.locator("section.board").bounding_box()
    assert box is not None
    assert box["height"] > 340
    assert box["width"] > 400
    choose_by_pointer(page, touch=True)
    if not confirm_button(page).count():
        choose_by_pointer(page, touch=True)
    expect(confirm_button(page)).to_be_in_viewport(ratio=1)
    wide: list[float] = page.locator(".bottom").evaluate("pane => [pane.scrollWidth, pane.clientWidth]")
    assert wide[0] <= wide[1], "words and buttons never slide sideways"


@pytest.mark.parametrize("game", ["guppies", "umbradeco", "aquarium", "marram"])
def test_nothing_on_a_phone_is_too_small_to_read(visit: Opener, game: str) -> None:
    page = visit(None, phone=True)
    body = {
        "record": record_after(game, 20 if game == "aquarium" else 40),
        "seats": [ME, {"kind": "bot", "level": "greedy"}],
        "start": True,
    }
    page.goto(f"/t/{api_post(page, '/tables', body)['id']}")
    wait_for_turn(page)
    page.keyboard.press("c")
    expect(page.locator(".stage .name").first).to_be_attached()
    assert page.evaluate(SMALL) == []
    choose_by_pointer(page, touch=True)
    if game == "aquarium":  # a card, then its place
        choose_by_pointer(page, touch=True)
    expect(confirm_button(page)).to_be_visible()
    assert page.evaluate(SMALL) == []


WATCH_CONFIRM = """() => {
  window.moved = [];
  let first = null;
  const look = () => {
    const button = [...document.querySelectorAll('.bar button.main')].find((each) => each.textContent === 'Confirm');
    const box = button?.getBoundingClientRect();
    if (box && first) window.moved.push(Math.abs(box.y + box.height / 2 - first));
    first = box ? (first ?? box.y + box.height / 2) : null;
    requestAnimationFrame(look);
  };
  look();
}"""
"""Note in every frame how far the middle of Confirm is from where it first appeared."""


@pytest.mark.parametrize("phone", [False, True])
def test_confirm_stays_under_the_finger_when_the_points_arrive(visit: Opener, phone: bool) -> None:
    page = visit(None, phone=phone)
    against_bot(page, "aquarium")
    page.evaluate(WATCH_CONFIRM)
    last, confirmed = "", 0
    while confirmed < 6:
        step = next_step(page, last)
        last = step["sign"]
        if step["step"] == "confirm":
            expect(page.locator(".bar .lines")).to_be_attached()
            confirmed += 1
        press_at(page, step["at"], touch=phone)
    moved = page.evaluate("() => window.moved")
    assert moved
    assert max(moved) < 3, "whoever presses at once presses beside it"


def test_keys_are_explained_where_they_are_used_and_focus_is_at_the_table(visit: Opener) -> None:
    page = visit("/")
    page.locator(".box", has_text="Umbradeco").get_by_role("button", name="Play now").click()
    wait_for_turn(page)
    assert page.evaluate("() => document.activeElement?.closest('main.table') !== null"), (
        "whoever sits down is at the table"
    )
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keys at the table")
    expect(help).to_contain_text("Show the last move")
    check_accessibility(page)
    page.keyboard.press("Escape")
    expect(help).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Keys").click()
    help.get_by_role("button", name="Close").click()
    expect(help).to_have_count(0)
    # Places are called by name on the board when one asks for it.
    expect(page.locator(".stage .name")).to_have_count(0)
    page.keyboard.press("c")
    expect(page.locator(".stage .name", has_text="d4")).to_be_visible()
    page.get_by_role("button", name="Names of the places").click()
    expect(page.locator(".stage .name")).to_have_count(0)
