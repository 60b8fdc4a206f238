"""Fingers, wheel and keys on the board: it follows them, and nothing is played by mistake."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from page_server import Opener
from page_tables import ME, against_bot, api_post, confirm_button, set_table_at, wait_for_turn
from playwright.sync_api import Locator, Page, expect

Point = tuple[float, float]

SQUID_ALONE: dict[str, Any] = {
    "game": "guppies",
    "options": {"table": "endless", "tiles": 128},
    "to_move": 0,
    "seats": [{"colour": "orange", "score": 0}, {"colour": "green", "score": 0}],
    "laid": [{"at": [0, 0], "face": "SQUID"}],
    "tile": ["G.o.P.", "gO.p.."],
    "bag": "full",
    "check": False,
}
"""Water all around: every neighbouring space takes each face in as many ways as it has water."""


def middle_of(page: Page, space: str) -> tuple[float, float, float]:
    """Where a space is on the screen, and how wide it is."""
    # Its box without the line around it, which is thicker when it has the focus.
    x, y, wide = page.locator(f"[data-space='{space}'] > path").evaluate(
        """path => {
          const box = path.getBBox(), to = path.getScreenCTM();
          const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(to);
          return [middle.x, middle.y, box.width * to.a];
        }"""
    )
    return x, y, wide


FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def at_rest(page: Page, space: str = "0,0") -> tuple[float, float, float]:
    """The same, once the board has followed what was done and has come to rest."""
    page.evaluate(FRAME)
    page.wait_for_function("() => !document.querySelector('.world.gliding')")
    page.evaluate(FRAME)
    return middle_of(page, space)


class Fingers:
    """Fingers on the glass, as the device reports them."""

    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)

    def _send(self, kind: str, points: list[Point]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def glide(self, starts: list[Point], ends: list[Point], steps: int = 12) -> None:
        self._send("touchStart", starts)
        for step in range(1, steps + 1):
            part = step / steps
            self._send(
                "touchMove",
                [(a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in zip(starts, ends, strict=True)],
            )
        self._send("touchEnd", [])


def test_two_fingers_zoom_and_one_pans(visit: Opener) -> None:
    page = visit(None, phone=True)
    page.goto(f"/t/{set_table_at(page, 'guppies', SQUID_ALONE)}")
    wait_for_turn(page)
    fingers = Fingers(page)
    x, y, wide = at_rest(page)
    fingers.glide([(x - 30, y), (x + 30, y)], [(x - 60, y), (x + 60, y)])
    nearer = at_rest(page)
    assert nearer[2] == pytest.approx(2 * wide, rel=0.1)
    assert nearer[:2] == pytest.approx((x, y), abs=8)

    fingers.glide([(x, y)], [(x + 50, y - 70)])
    moved = at_rest(page)
    assert moved[2] == pytest.approx(nearer[2], rel=0.01)
    assert moved[:2] == pytest.approx((nearer[0] + 50, nearer[1] - 70), abs=9)
    expect(confirm_button(page)).to_have_count(0)

    fingers.glide([(x - 60, y), (x + 60, y)], [(x - 30, y), (x + 30, y)])
    assert at_rest(page)[2] == pytest.approx(wide, rel=0.1)
    page.get_by_role("button", name="Fit the board").tap()
    assert at_rest(page) == pytest.approx((x, y, wide), abs=1.5)
    # The page itself is never zoomed or scrolled by what is meant for the board.
    assert page.evaluate("() => [visualViewport.scale, scrollX, scrollY]") == [1, 0, 0]


def test_wheel_drag_and_keys_move_the_board_too(visit: Opener) -> None:
    page = visit(None)
    page.goto(f"/t/{set_table_at(page, 'guppies', SQUID_ALONE)}")
    wait_for_turn(page)
    x, y, wide = at_rest(page)
    page.mouse.move(x, y)
    page.mouse.wheel(0, 300)
    smaller = at_rest(page)
    assert smaller[2] < 0.8 * wide
    assert smaller[:2] == pytest.approx((x, y), abs=2)
    page.mouse.down()
    page.mouse.move(x + 90, y + 40, steps=8)
    page.mouse.up()
    assert at_rest(page)[:2] == pytest.approx((x + 90, y + 40), abs=2)
    expect(confirm_button(page)).to_have_count(0)
    # Keys reach the board from wherever one is at the table.
    page.evaluate("() => document.querySelector('main').focus()")
    page.keyboard.press("0")
    assert at_rest(page) == pytest.approx((x, y, wide), abs=1.5)
    page.keyboard.press("+")
    assert at_rest(page)[2] == pytest.approx(1.25 * wide, rel=0.02)
    page.keyboard.press("Shift+ArrowRight")
    assert at_rest(page)[0] == pytest.approx(x - 80, abs=25)


def test_r_turns_f_flips_and_what_is_shown_is_what_is_laid(visit: Opener) -> None:
    page = visit(None)
    page.goto(f"/t/{set_table_at(page, 'guppies', SQUID_ALONE)}")
    wait_for_turn(page)
    held = page.locator(".face[aria-pressed=true]")
    page.locator("[data-space='1,0']").click()
    expect(confirm_button(page)).to_be_visible()
    side = held.get_attribute("data-piece")

    def shown() -> str:
        return (held.get_attribute("aria-label") or "").split(": ")[1]

    def press(key: str) -> str:
        before = held.get_attribute("aria-label") or ""
        page.keyboard.press(key)
        expect(held).not_to_have_attribute("aria-label", before)
        return shown()

    turns = [shown()]
    for _ in range(3):
        turns.append(press("r"))
    assert len(set(turns[:3])) == 3, turns
    assert turns[3] == turns[0]
    assert press("Shift+R") == turns[2]
    assert all("water west" in turn for turn in turns), "the west edge lies against the squid's water"

    page.keyboard.press("f")
    expect(held).not_to_have_attribute("data-piece", side or "")
    expect(page.locator("[data-space='1,0'].chosen")).to_be_attached()
    flipped = shown()
    assert "water west" in flipped
    page.keyboard.press("f")
    expect(held).to_have_attribute("data-piece", side or "")
    page.keyboard.press("f")
    press("r")
    # Handles beside the tile turn it, and so does the right button of a mouse.
    left, right = (page.get_by_role("button", name=f"Turn {way}") for way in ("left", "right"))
    place = page.locator("[data-space='1,0']")
    ways: list[tuple[Locator, Literal["left", "right"]]] = [(left, "left"), (right, "left"), (place, "right")]
    for pressed, button in ways:
        before = held.get_attribute("aria-label") or ""
        pressed.click(button=button)
        expect(held).not_to_have_attribute("aria-label", before)
    # As in every game, pointing at it once more confirms.
    wanted = shown()
    page.locator("[data-space='1,0']").click()
    expect(page.locator("[data-space='1,0']")).to_have_attribute("aria-label", f"Tile at E1: {wanted}")


def test_a_move_out_of_sight_is_pointed_at_and_shown_on_request(visit: Opener) -> None:
    page = visit(None)
    record = f"Game: guppies\nRules: 1\nSeats: 2\nPosition: {json.dumps(SQUID_ALONE)}\n\n"
    table = api_post(page, "/tables", {"record": record, "seats": [ME, ME], "start": True})["id"]
    page.goto(f"/t/{table}")
    wait_for_turn(page)
    watcher = visit(f"/t/{table}")
    x, y, _ = at_rest(watcher, "-1,0")
    watcher.mouse.move(x, y)
    for _ in range(6):
        watcher.mouse.wheel(0, -400)
    at_rest(watcher)
    arrow = watcher.get_by_role("button", name="Show the last move")
    expect(arrow).to_have_count(0)
    page.locator("[data-space='1,0']").click()
    confirm_button(page).click()
    expect(arrow).to_be_visible()
    edge = watcher.locator("section.board").bounding_box()
    mark = arrow.bounding_box()
    assert edge is not None
    assert mark is not None
    assert edge["x"] + edge["width"] - mark["x"] - mark["width"] < 40, "it stands at the side where the tile is"
    arrow.click()
    expect(arrow).to_have_count(0)
    x, y, _ = at_rest(watcher, "1,0")
    assert (x, y) == pytest.approx((edge["x"] + edge["width"] / 2, edge["y"] + edge["height"] / 2), abs=3)


def test_escape_puts_back_what_was_chosen(visit: Opener) -> None:
    page = visit(None)
    against_bot(page, "guppies", tiles=64)
    wait_for_turn(page)
    page.locator(".space.legal").first.click()
    expect(confirm_button(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(confirm_button(page)).to_have_count(0)
