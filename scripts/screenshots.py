"""Makes the pictures of the page in docs/pictures from the running program: `make pictures`.

    python scripts/screenshots.py                  the pictures that the documents show, as WebP
    python scripts/screenshots.py --all --raw DIR  every scene as PNG: wide and phone, light and dark
    python scripts/screenshots.py marram           only scenes whose name contains this word

Scenes are moments of real games: bots play up to that moment, and then a person takes a seat.
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, sync_playwright

import wellies
from wellies import Match, Stream, View

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from page_server import BROWSER_FLAGS, PHONE, ServerProcess, find_browser  # noqa: E402
from page_tables import BOT, LEGAL, ME, api_post, choose_by_pointer, set_table, wait_for_turn  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
DESK: Any = {"width": 1440, "height": 900}
LARGEST = 190_000
"""The largest size in bytes of a picture in the documents."""

LOOKS = {"wide": (False, False), "phone": (True, False), "wide-dark": (False, True), "phone-dark": (True, True)}


@dataclass
class Moment:
    """A moment of a game between bots. `record` gives it as a record that a table can start from."""

    game: str
    when: Callable[[View], bool]
    seats: int = 2
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 1

    def record(self) -> str:
        for seed in range(self.seed, self.seed + 200):
            match = Match(self.game, seats=self.seats, seed=seed, options=self.options)
            bot, rng = wellies.bot("greedy"), Stream(seed)
            while match.state.outcome() is None:
                if 0 in match.state.due() and self.when(match.view_for(0)):
                    return str(match.record(reveal=True))
                seat = match.state.due()[0]
                match.play_move(seat, bot.choose(match.state, seat, rng))
        raise SystemExit(f"{self.game}: no game reached this moment")


@dataclass
class Scene:
    """What a picture shows: a page or a moment at a table, and what the person does there."""

    name: str
    path: str = ""
    moment: Moment | None = None
    act: Callable[[Page], None] = lambda _: None
    shown: tuple[str, ...] = ()
    """The looks that the documents use."""


# --- what the person at the table does ----------------------------------------------------------------------------


def choose(page: Page) -> None:
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)


def take_a_card(page: Page) -> None:
    """Aquarium: select the card and the space that score the most."""
    wait_for_turn_of_any_kind(page)
    best: tuple[int, Locator | None] = (-99, None)
    for card in page.locator("[data-card]:not([aria-disabled='true'])").all():
        card.click()
        places = page.evaluate(LEGAL)
        if places and places[0]["points"] > best[0]:
            best = (places[0]["points"], card)
        page.keyboard.press("Escape")
    if best[1] is not None:
        best[1].click()
        place = page.evaluate(LEGAL)[0]
        page.mouse.click(place["x"], place["y"])


def wait_for_turn_of_any_kind(page: Page) -> None:
    page.locator(".table.due").wait_for()


def pass_the_device(page: Page) -> None:
    page.goto(f"/t/{set_table(page, 'umbradeco', [ME, ME])}")
    page.get_by_role("button", name="show my hand").wait_for()


def wait_in_the_lobby(page: Page) -> None:
    page.goto(f"/t/{set_table(page, 'marram', [ME, BOT, {'kind': 'open'}], start=False)}")
    page.get_by_role("button", name="Copy link").wait_for()


def open_by_name(name: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        wait_for_turn_of_any_kind(page)
        page.get_by_role("button", name=name).click()

    return act


def play_out(page: Page) -> None:
    """Resign, and let the bots finish the game."""
    wait_for_turn_of_any_kind(page)
    api_post(page, f"/tables/{page.url.rsplit('/', 1)[1]}/resign", {"seat": 0})
    page.get_by_role("dialog").wait_for()


def look_back(page: Page) -> None:
    play_out(page)
    page.get_by_role("dialog").get_by_role("link", name="Replay", exact=True).click()
    slider = page.get_by_label("Moment")
    slider.wait_for()
    page.locator(".space").first.wait_for()
    slider.fill(str(int(slider.get_attribute("max") or 0) * 2 // 3))
    page.get_by_role("button", name="Play from here").and_(page.locator(":enabled")).wait_for()


# --- the scenes ---------------------------------------------------------------------------------------------------


def laid(number: int) -> Callable[[View], bool]:
    return lambda view: len(view["position"]["laid"]) >= number


def in_phase(name: str, at_round: int = 0) -> Callable[[View], bool]:
    return lambda view: view["position"]["phase"] == name and view["position"].get("round", 0) >= at_round


def on_the_mat(number: int) -> Callable[[View], bool]:
    return lambda view: len(view["position"]["mat"]) >= number and view["position"]["phase"] == "place"


def dunes(variant: str, number: int, seats: int = 2, phase: str = "move") -> Moment:
    options = {"variant": variant, "length": "long"}
    return Moment(
        "marram",
        lambda view: len(view["position"]["laid"]) >= number and view["position"]["phase"] == phase,
        seats,
        options,
    )


EVERY = tuple(LOOKS)
BOTH = ("wide", "phone")
SCENES = [
    Scene("shelf", "/", shown=("wide", "phone", "wide-dark")),
    Scene("guppies", moment=Moment("guppies", laid(30)), act=choose, shown=EVERY),
    Scene("guppies-full", moment=Moment("guppies", laid(126)), act=choose, shown=("wide",)),
    Scene("guppies-bag", moment=Moment("guppies", laid(30)), act=open_by_name("tiles in the bag")),
    Scene("umbradeco", moment=Moment("umbradeco", on_the_mat(15)), act=choose, shown=EVERY),
    Scene("umbradeco-four", moment=Moment("umbradeco", on_the_mat(17), 4), act=choose),
    Scene("aquarium-set-up", moment=Moment("aquarium", in_phase("setup")), act=take_a_card, shown=BOTH),
    Scene("aquarium", moment=Moment("aquarium", in_phase("turn", 6)), act=take_a_card, shown=EVERY),
    Scene("aquarium-four", moment=Moment("aquarium", in_phase("turn", 5), 4), act=take_a_card),
    Scene("puppies", moment=Moment("puppies", in_phase("choose", 6)), act=choose, shown=BOTH),
    Scene("puppies-trick", moment=Moment("puppies", in_phase("trick", 6)), act=choose, shown=EVERY),
    Scene("puppies-four", moment=Moment("puppies", in_phase("trick", 6), 4), act=choose),
    Scene("marram-classic", moment=dunes("classic", 26), act=choose, shown=EVERY),
    Scene("marram-claim", moment=dunes("classic", 20, phase="claim"), act=choose),
    Scene("marram-pitchfork", moment=dunes("pitchfork", 26), act=choose, shown=BOTH),
    Scene("marram-animals", moment=dunes("animals", 24), act=choose, shown=BOTH),
    Scene("marram-fly", moment=dunes("animals", 8, phase="fly guess")),
    Scene("marram-four", moment=dunes("classic", 24, 4), act=choose),
    Scene("result", moment=Moment("umbradeco", on_the_mat(18)), act=play_out, shown=("wide", "phone")),
    Scene("result-aquarium", moment=Moment("aquarium", in_phase("turn", 8), 3), act=play_out),
    Scene("replay", moment=dunes("classic", 50), act=look_back, shown=("wide",)),
    *[
        Scene(f"learn-{game}", f"/learn/{game}", shown=("wide",) if game == "guppies" else ())
        for game in ("guppies", "umbradeco", "aquarium", "puppies", "marram")
    ],
    Scene("new", "/new/marram", shown=("wide",)),
    Scene("lobby", "/", act=wait_in_the_lobby, shown=("wide",)),
    Scene("pass", "/", act=pass_the_device),
    Scene("games", "/games"),
    Scene("settings", "/settings"),
    Scene("lost", "/nowhere"),
]


# --- taking them --------------------------------------------------------------------------------------------------


def person(browser: Browser, url: str, *, phone: bool, dark: bool) -> Page:
    context = browser.new_context(
        base_url=url,
        viewport=PHONE if phone else DESK,
        has_touch=phone,
        is_mobile=phone,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        device_scale_factor=1.5 if phone else 1,
    )
    page = context.new_page()
    page.goto("/")
    api_post(page, "/me", {"name": "Ann"})
    return page


def stage(page: Page, scene: Scene, record: str) -> None:
    if scene.moment is not None:
        seats = [ME, *[BOT] * (scene.moment.seats - 1)]
        table = api_post(page, "/tables", {"record": record, "seats": seats, "start": True})["id"]
        page.goto(f"/t/{table}")
        page.locator(".space").first.wait_for()
    else:
        page.goto(scene.path)
        page.wait_for_load_state("networkidle")
    scene.act(page)
    page.wait_for_timeout(900)


def as_webp(page: Page, picture: bytes) -> bytes:
    """Let the browser write WebP, in the best quality that is small enough."""
    encoded = base64.b64encode(picture).decode()
    made = b""
    for quality in (0.9, 0.85, 0.8, 0.7, 0.6):
        told: str = page.evaluate(
            """async ([data, quality]) => {
              const picture = new Image();
              picture.src = `data:image/png;base64,${data}`;
              await picture.decode();
              const canvas = document.createElement('canvas');
              canvas.width = picture.naturalWidth;
              canvas.height = picture.naturalHeight;
              canvas.getContext('2d').drawImage(picture, 0, 0);
              return canvas.toDataURL('image/webp', quality);
            }""",
            [encoded, quality],
        )
        made = base64.b64decode(told.split(",", 1)[1])
        if len(made) <= LARGEST:
            break
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only scenes whose name contains one of these")
    parser.add_argument("--all", action="store_true", help="all looks of all scenes, not only those in the documents")
    parser.add_argument("--look", choices=list(LOOKS), action="append", help="only this look")
    parser.add_argument("--raw", type=Path, metavar="DIR", help="write PNG files there instead")
    given = parser.parse_args()
    target: Path = given.raw or PICTURES
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_browser(), args=BROWSER_FLAGS)
        try:
            for scene in SCENES:
                looks = [look for look in (LOOKS if given.all else scene.shown) if look in (given.look or LOOKS)]
                if not looks or (given.words and not any(word in scene.name for word in given.words)):
                    continue
                record = scene.moment.record() if scene.moment else ""
                for look in looks:
                    phone, dark = LOOKS[look]
                    page = person(browser, server.url, phone=phone, dark=dark)
                    stage(page, scene, record)
                    picture = page.screenshot()
                    if given.raw:
                        (target / f"{scene.name}-{look}.png").write_bytes(picture)
                    else:
                        (target / f"page-{scene.name}-{look}.webp").write_bytes(as_webp(page, picture))
                    print(f"{scene.name}-{look}", flush=True)
                    page.context.close()
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
