"""A fresh machine: `make play` serves the page and opens it, and two clicks later a game against a bot is on; whoever
is new is offered a guide."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

from page_server import ROOT, Opener
from page_tables import make_move, wait_for_turn
from playwright.sync_api import Page, expect

COUNT_CLICKS = "addEventListener('click', () => { window.clicks = (window.clicks ?? 0) + 1; }, true);"


def test_make_play_opens_the_page_and_two_clicks_start_a_game(visit: Opener, tmp_path: Path) -> None:
    # What `make play` runs once it has set up and built what was missing.
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    told = subprocess.run(
        ["make", "-n", "play"], cwd=ROOT, env=plain, capture_output=True, text=True, check=True
    ).stdout
    assert re.search(r"bin/wellies serve --open$", told.strip()), told
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\necho \"$1\" > '{opened}.part' && mv '{opened}.part' '{opened}'\n", encoding="utf-8")
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": str(browser), "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "wellies", "serve", "--open", "--port", str(port)]
    serving = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 300
        while not opened.exists():
            assert time.monotonic() < end, "no browser was opened"
            assert serving.poll() is None, "the server has ended"
            time.sleep(0.05)
        page: Page = visit("/", url=opened.read_text(encoding="utf-8").strip())
        page.evaluate(COUNT_CLICKS)
        page.locator(".box", has_text="Guppies").get_by_role("button", name="Play now").click()
        wait_for_turn(page)
        expect(page.locator(".players")).to_contain_text("Bot")
        assert page.evaluate("() => window.clicks") <= 2
        page.close()
    finally:
        serving.terminate()
        serving.wait(300)


def test_a_guide_is_offered_at_a_first_game_and_never_in_the_way(visit: Opener) -> None:
    page = visit("/")

    def play_now(title: str) -> None:
        page.goto("/")
        page.get_by_role("button", name=f"Play now: {title}").click()
        wait_for_turn(page)

    offer = page.get_by_role("complementary", name="New here?")
    guide = page.get_by_role("complementary", name="Guide")
    play_now("Guppies")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(offer).to_contain_text("New to Guppies?")
    make_move(page)
    expect(offer).to_have_count(0)
    play_now("Guppies")
    expect(offer).to_have_count(0)

    play_now("Umbradeco")
    offer.get_by_role("button", name="Show me").click()
    expect(guide).to_contain_text("1/")
    expect(offer).to_have_count(0)

    play_now("Marram")
    offer.get_by_role("button", name="Don't ask again").click()
    expect(offer).to_have_count(0)
    play_now("Umbradeco")
    expect(offer).to_have_count(0)

    page.goto("/")
    page.get_by_role("button", name="New here? Five minutes: Marram").click()
    expect(guide).to_contain_text("1/")
