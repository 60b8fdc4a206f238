"""A person at a table, who knows nothing but what is on the page; and what a test asks of every page."""

from __future__ import annotations

import json
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, WebSocket, expect

ME: dict[str, Any] = {"kind": "me"}
BOT: dict[str, Any] = {"kind": "bot", "level": "greedy"}
OPEN: dict[str, Any] = {"kind": "open"}

LEGAL = """() => [...document.querySelectorAll('.space.legal')].map(space => {
  const box = space.querySelector('path').getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  const hit = document.elementFromPoint(x, y);
  return {
    key: space.dataset.space, x, y,
    points: Number(space.querySelector('.badge text')?.textContent ?? 0),
    free: hit?.closest('[data-space]') === space,
  };
}).filter(space => space.free).sort((a, b) => b.points - a.points)"""

READY = """() => document.querySelector('.space.legal, .tile.can') || document.querySelector('dialog[open]')"""


def ask(page: Page, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """A request by this person's browser, without the clicks."""
    told: dict[str, Any] = page.evaluate(
        """async ([path, body]) => {
          const headers = { 'content-type': 'application/json' };
          const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
          return await answer.json();
        }""",
        [f"/api/v1{path}", body],
    )
    assert "code" not in told, told
    return told


def set_table(page: Page, game: str, seats: list[dict[str, Any]], **more: Any) -> str:
    """A table made by this person's browser."""
    return str(ask(page, "/tables", {"game": game, "seats": seats, "start": True, **more})["id"])


def set_table_at(page: Page, game: str, position: dict[str, Any]) -> str:
    """A table that begins at this position: I have the first seat, bots have the others."""
    seats = [ME, *[BOT] * (len(position["seats"]) - 1)]
    record = f"Game: {game}\nRules: 1\nSeats: {len(seats)}\nPosition: {json.dumps(position)}\n\n"
    return str(ask(page, "/tables", {"record": record, "seats": seats, "start": True})["id"])


def sit_down(page: Page, table: str, name: str) -> None:
    """Take the free chair of a table under this name, without the clicks."""
    ask(page, "/me", {"name": name})
    ask(page, f"/tables/{table}/join", {"seat": None, "invite": ""})


def heard_by(page: Page) -> list[dict[str, Any]]:
    """Everything the server says to this page from now on."""
    heard: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    page.on("websocket", listen)
    return heard


def hold_to_account(page: Page) -> None:
    """No violation of what axe knows."""
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


def hold_to_account_by_day_and_night(page: Page) -> None:
    """No violation, in the light or in the dark."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        hold_to_account(page)


def against_bot(page: Page, game: str, **options: Any) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "level": "greedy"}]
    page.goto(f"/t/{set_table(page, game, seats, options=options)}")


def over(page: Page) -> bool:
    return page.locator("dialog[open]").count() > 0


def make_move(page: Page) -> None:
    """One move by mouse, whatever it may be."""
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    confirm_button(page).click()
    expect(confirm_button(page)).to_have_count(0)


def whose_turn(*pages: Page) -> Page:
    """The one of several people at a table whose turn it is."""
    for _ in range(300):
        for page in pages:
            if page.locator(".table.due").count():
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("it is nobody's turn")


def wait_for_turn(page: Page) -> None:
    page.wait_for_function(READY)


def choose_by_pointer(page: Page, *, touch: bool) -> None:
    """Point at the best place, or take the first tile that can be taken."""

    def press(x: float, y: float) -> None:
        if touch:
            page.touchscreen.tap(x, y)
        else:
            page.mouse.move(x, y)
            page.mouse.click(x, y)

    places = page.evaluate(LEGAL)
    if places:
        press(places[0]["x"], places[0]["y"])
        return
    takeable = page.locator(".tray button:not([disabled]):not(.deck):not(.bag)").first
    box = takeable.bounding_box()
    assert box is not None
    press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def choose_by_keys(page: Page) -> None:
    if page.locator(".space.legal").count():
        page.keyboard.press("b")
        page.wait_for_function("() => document.activeElement?.matches('[data-space]')")
        if not page.evaluate("() => document.activeElement.matches('.legal')"):
            page.keyboard.press("n")
            page.wait_for_function("() => document.activeElement?.matches('.legal')")
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("1")


def confirm_button(page: Page) -> Any:
    return page.get_by_role("button", name="Confirm", exact=True)


def play_to_the_end(page: Page, how: str) -> int:
    """Play until the result is shown; returns how many moves I made."""
    moves = 0
    while True:
        wait_for_turn(page)
        if over(page):
            return moves
        if how == "keys":
            choose_by_keys(page)
            expect(confirm_button(page)).to_be_visible()
            page.keyboard.press("Enter")
        else:
            choose_by_pointer(page, touch=how == "touch")
            button = confirm_button(page)
            if how == "touch":
                button.tap()
            else:
                button.click()
        expect(confirm_button(page)).to_have_count(0)
        moves += 1
        assert moves < 200, "the game does not end"
