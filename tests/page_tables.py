"""A person at a table, who knows nothing but what is on the page; and what a test asks of every page."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from page_server import LONGEST
from playwright.sync_api import Page, WebSocket, expect

import wellies

ME: dict[str, Any] = {"kind": "me"}
BOT: dict[str, Any] = {"kind": "bot", "level": "greedy"}
OPEN: dict[str, Any] = {"kind": "open"}

LEGAL = """() => [...document.querySelectorAll('.space.legal')].map(space => {
  const box = space.querySelector('path').getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  const hit = document.elementFromPoint(x, y);
  return {
    key: space.dataset.space, x, y,
    points: Number(space.dataset.points ?? 0),
    free: hit?.closest('[data-space]') === space,
  };
}).filter(space => space.free).sort((a, b) => b.points - a.points)"""

TAKEABLE = ".tray button:not([disabled], [aria-disabled=true], [popovertarget], [popover] *, .tool)"
"""What lies beside the board and can be taken now."""

READY = f"""() => document.querySelector('.space.legal') || document.querySelector('dialog[open]')
  || (document.querySelector('.table.due') && document.querySelector('{TAKEABLE}'))"""

AT_REST = "() => !document.querySelector('.world.gliding')"

NEXT = """([last, patience]) => new Promise((done) => {
  const until = performance.now() + patience;
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  /** The element's middle, if one can press it there. */
  const pressable = (element) => {
    if (!element) return null;
    const at = middle(element.matches('.space') ? element.querySelector('path') : element);
    const hit = document.elementFromPoint(at.x, at.y);
    return element.contains(hit) ? at : null;
  };
  const points = (space) => Number(space.querySelector('.badge text')?.textContent ?? 0);
  const text = (selector) => document.querySelector(selector)?.textContent ?? '';
  /** What lies before the person now: nothing yet, or the next thing to press. */
  const look = () => {
    if (document.querySelector('dialog[open]')) return { step: 'over' };
    const table = document.querySelector('.table.due');
    if (!table || document.querySelector('.world.gliding')) return null;
    // On a slow machine a tap may last so long that it reads the card: put it away, as a person would.
    const away = document.querySelector('.inspector.kept:popover-open .away');
    if (away) return { step: 'away', sign: 'away', at: pressable(away) };
    const confirm = [...document.querySelectorAll('.bar button')].find(
      (each) => each.firstChild?.textContent.trim() === 'Confirm',
    );
    if (confirm?.disabled) return null;
    const spaces = [...document.querySelectorAll('.space.legal')].sort((a, b) => points(b) - points(a));
    const pieces = [...document.querySelectorAll("TAKEABLE")];
    const pressed = pieces.filter((each) => each.getAttribute('aria-pressed') === 'true');
    const sign = [
      table.dataset.decision, Boolean(confirm), text('.bar .says'), spaces.length,
      pressed.map((each) => each.ariaLabel),
    ].join('|');
    if (sign === last) return { step: 'none', sign };
    if (confirm) return { step: 'confirm', sign, at: pressable(confirm) };
    for (const space of spaces) {
      const at = pressable(space);
      if (at) return { step: 'place', sign, at, key: space.dataset.space };
    }
    // Something that was said lies over the board: it goes away by itself.
    if (spaces.length && document.querySelector('.toast')) return null;
    const piece = pieces.find((each) => !pressed.includes(each)) ?? pieces[0];
    if (!piece) return null;
    piece.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    return { step: 'piece', sign, at: pressable(piece) };
  };
  let before = null;
  const watch = () => {
    const now = look();
    const late = performance.now() > until;
    const settled = now && before && JSON.stringify(now) === JSON.stringify(before);
    if (settled && (now.step === 'over' || now.at) || late) done({ ...now, late });
    else {
      before = now;
      // A look at each picture would keep the browser at work as long as others think.
      setTimeout(watch, now?.at ? 20 : 60);
    }
  };
  watch();
})""".replace("TAKEABLE", TAKEABLE)
"""The next thing to press in this person's turn, once the board rests and what was pressed last has had its effect."""


KEYS_FOR = {"confirm": "Enter", "away": "Escape"}

SETTLED = """() => Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished)
)"""
"""Colours change over a moment: no half-way colour is judged."""


def api_post(page: Page, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """A request by this person's browser, without the clicks."""
    answer = page.request.post(f"/api/v1{path}", data=body)
    told: dict[str, Any] = answer.json()
    assert answer.ok, told
    return told


def set_table(page: Page, game: str, seats: list[dict[str, Any]], **more: Any) -> str:
    """A table made by this person's browser."""
    return str(api_post(page, "/tables", {"game": game, "seats": seats, "start": True, **more})["id"])


def set_table_at(page: Page, game: str, position: dict[str, Any]) -> str:
    """A table that begins at this position: I have the first seat, bots have the others."""
    seats = [ME, *[BOT] * (len(position["seats"]) - 1)]
    record = f"Game: {game}\nRules: 1\nSeats: {len(seats)}\nPosition: {json.dumps(position)}\n\n"
    return str(api_post(page, "/tables", {"record": record, "seats": seats, "start": True})["id"])


def record_up_to(game: str, when: Callable[[wellies.View], bool]) -> str:
    """A record of bots that have come to a moment of this kind, where the first seat has to decide."""
    for seed in range(3, 60):
        match = wellies.Match(game, seats=2, seed=seed)
        bot, rng = wellies.bot("greedy"), wellies.Stream(seed)
        while match.state.outcome() is None:
            if 0 in match.state.due() and when(match.view_for(0)):
                return str(match.record(reveal=True))
            seat = match.state.due()[0]
            match.play_move(seat, bot.choose(match.state, seat, rng))
    raise AssertionError("there is no such moment")


def finished_game(page: Page) -> str:
    """A short game that two people played at random elsewhere, brought here by this person."""
    match = wellies.Match("umbradeco", 2, {"mat": "small"}, 5, players=["Ann", "Bea"])
    rng = wellies.Stream(5)
    while match.state.outcome() is None:
        moves = match.choices(match.state.due()[0])
        match.play_move(match.state.due()[0], moves[rng.randrange(len(moves))])
    api_post(page, "/me", {"name": "Ann"})
    return str(api_post(page, "/import", {"record": str(match.record())})["id"])


def sit_down(page: Page, table: str, name: str) -> None:
    """Take the free chair of a table under this name, without the clicks."""
    api_post(page, "/me", {"name": name})
    api_post(page, f"/tables/{table}/join", {"seat": None, "invite": ""})


def invite_friends(page: Page, title: str, name: str = "Ann") -> None:
    """From the shelf to a table with free chairs, as a host who is asked for a name first."""
    page.get_by_role("button", name=f"Invite friends: {title}").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Your name").fill(name)
    dialog.get_by_role("button", name="Open the table").click()
    expect(dialog).to_have_count(0)


def pass_and_play(page: Page, title: str, *names: str) -> None:
    """From the shelf to a game on one device, with these names for those who play."""
    page.get_by_role("button", name=f"Pass and play: {title}").click()
    dialog = page.get_by_role("dialog")
    fields = dialog.get_by_role("textbox")
    while fields.count() < len(names):
        dialog.get_by_role("button", name="One more player").click()
    for number, name in enumerate(names):
        fields.nth(number).fill(name)
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(dialog).to_have_count(0)


def messages_to(page: Page) -> list[dict[str, Any]]:
    """Everything the server says to this page from now on."""
    heard: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    page.on("websocket", listen)
    return heard


STILL = """async () => {
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  const moving = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime !== Infinity);
  await Promise.all(moving.map((each) => each.finished.catch(() => undefined)));
}"""
"""Wait for every movement and change of colour that has an end."""


def check_accessibility(page: Page, rules: list[str] | None = None) -> None:
    """No violation of what axe knows, or of these rules alone, once all colours are as they will stay."""
    page.evaluate(STILL)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = AxeResults(page.evaluate("(options) => axe.run(document, options)", options))
    assert found.violations_count == 0, found.generate_report()


def check_accessibility_in_both_themes(page: Page) -> None:
    """No violation in the light, and none in the dark, where all is the same but the colours."""
    page.emulate_media(color_scheme="light")
    page.evaluate(SETTLED)
    check_accessibility(page)
    page.emulate_media(color_scheme="dark")
    page.evaluate(SETTLED)
    check_accessibility(page, COLOUR_RULES)


COLOUR_RULES = ["color-contrast", "link-in-text-block"]
"""The rules of axe that look at colours."""


def against_bot(page: Page, game: str, **options: Any) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "level": "greedy"}]
    page.goto(f"/t/{set_table(page, game, seats, options=options)}")


def is_over(page: Page) -> bool:
    return page.locator("dialog[open]").count() > 0


def make_move(page: Page) -> None:
    """One move by mouse, whatever it may be."""
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    confirm_button(page).click()
    expect(confirm_button(page)).to_have_count(0)


def whose_turn(*pages: Page) -> Page:
    """The one of several people at a table whose turn it is."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        for page in pages:
            if page.locator(".table.due").count():
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("it is nobody's turn")


def wait_for_turn(page: Page) -> None:
    page.wait_for_function(READY, polling=60)


def at_rest(page: Page) -> None:
    """Wait until the board has come to rest: what is read from it now is still there when it is pressed."""
    page.wait_for_function(AT_REST, polling=60)


def press_at(page: Page, at: dict[str, float], *, touch: bool) -> None:
    if touch:
        page.touchscreen.tap(at["x"], at["y"])
    else:
        page.mouse.click(at["x"], at["y"])


def next_step(page: Page, last: str = "", patience: float = LONGEST) -> dict[str, Any]:
    """What to press next in this person's turn, once what was pressed before has had its effect."""
    step: dict[str, Any] = page.evaluate(NEXT, [last, patience * 1000])
    assert not step["late"], f"nothing can be pressed that has not been: {step}; {what_is_shown(page)}"
    return step


def what_is_shown(page: Page) -> str:
    return " / ".join(page.locator(".says, .toast, .banner").all_inner_texts())


def choose_by_pointer(page: Page, *, touch: bool) -> None:
    """Point at the best place, or take the first tile that can be taken; unless something is chosen already."""
    step = next_step(page)
    assert step["step"] != "over", "the game is over"
    if step["step"] != "confirm":
        press_at(page, step["at"], touch=touch)


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
    """Play until the result is shown; returns how many moves I made. A move may take several steps: a card, then its
    place, then yes; or be made at once, where there is nothing to choose."""
    moves, steps, last = 0, 0, ""
    while True:
        step = next_step(page, last)
        if step["step"] == "over":
            return moves
        last = step["sign"]
        if how != "keys":
            press_at(page, step["at"], touch=how == "touch")
        elif step["step"] in KEYS_FOR:
            page.keyboard.press(KEYS_FOR[step["step"]])
        else:
            choose_by_keys(page)
        moves += step["step"] == "confirm"
        steps += 1
        assert steps < 600, "the game does not end"


def check_result(page: Page) -> None:
    """The result tells who won, and where the points came from."""
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("win")
    expect(result.get_by_role("img", name="Scores by turn")).to_be_visible()
    expect(result).to_contain_text("Where the points came from")
