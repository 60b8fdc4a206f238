"""Games from outside on the page: every game of `examples/`, and one with cards and buttons, on the plain board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from example_games import announce, example_games, install
from helpers import HERE
from page_server import Opener, ServerProcess
from page_tables import (
    BOT,
    ME,
    check_accessibility_in_both_themes,
    choose_by_pointer,
    confirm_button,
    make_move,
    pass_and_play,
    play_to_the_end,
    set_table,
    wait_for_turn,
)
from playwright.sync_api import Page, expect

PLAYED = [(name, how) for name in sorted(example_games()) for how in ("mouse", "touch", "keys")]


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server where the examples are installed, and the toy game of the tests."""
    work = tmp_path_factory.mktemp("outside")
    path = install(sorted(set(example_games().values())), work)["PYTHONPATH"]
    announce(work / "installed", "toy", "toy:ToySpec")
    served = ServerProcess(tmp_path_factory.mktemp("served"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{path}:{HERE}")
        served.start()
    yield served
    served.stop()
    assert not served.new_errors()


def title_of(page: Page, name: str) -> str:
    told: str = page.evaluate("async (name) => (await (await fetch(`/api/v1/games/${name}`)).json()).title", name)
    return told


@pytest.mark.parametrize(("name", "how"), PLAYED)
def test_a_whole_game_from_the_shelf(visit: Opener, outside: ServerProcess, name: str, how: str) -> None:
    page = visit("/", url=outside.url, phone=how == "touch", dark=how == "keys")
    page.get_by_role("button", name=f"Play now: {title_of(page, name)}").click()
    wait_for_turn(page)
    assert play_to_the_end(page, how) >= 2
    result = page.get_by_role("dialog")
    expect(result).to_contain_text("win")
    expect(result.get_by_role("img", name="Scores by turn")).to_be_visible()
    assert not outside.new_errors()


@pytest.mark.parametrize("name", sorted(example_games()))
def test_moves_are_chosen_previewed_refused_and_taken_back_like_all_others(
    visit: Opener, outside: ServerProcess, name: str
) -> None:
    page = visit("/", url=outside.url)
    page.goto(f"/t/{set_table(page, name, [ME, ME])}")
    wait_for_turn(page)
    choose_by_pointer(page, touch=False)
    expect(confirm_button(page)).to_be_visible()
    expect(page.locator(".says")).to_contain_text("?")
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.get_by_role("list", name="Points")).to_contain_text("No points")
    place = page.locator(".space.chosen").get_attribute("data-space")
    page.keyboard.press("Escape")
    expect(page.locator(".ghost")).to_have_count(0)
    page.locator(f"[data-space='{place}']").click()
    confirm_button(page).click()
    taken = page.locator(f"[data-space='{place}']:not(.legal)")
    expect(taken).to_have_count(1)
    expect(page.locator(".space.recent")).to_have_count(1)
    wait_for_turn(page)  # before it, a press only says what is there
    taken.click()
    expect(page.locator(".toast")).to_contain_text("already")
    check_accessibility_in_both_themes(page)
    page.keyboard.press("u")
    expect(page.locator(f"[data-space='{place}'].legal")).to_have_count(1)


@pytest.mark.parametrize("name", sorted(example_games()))
def test_rules_replay_and_one_device(visit: Opener, outside: ServerProcess, name: str) -> None:
    page = visit("/", url=outside.url)
    title = title_of(page, name)
    page.goto(f"/learn/{name}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    expect(page.get_by_role("heading", name="The game")).to_be_visible()
    check_accessibility_in_both_themes(page)
    page.goto("/")
    pass_and_play(page, title, "Ann", "Ben")
    wait_for_turn(page)
    expect(page.locator(".says")).to_contain_text("Ann's turn")
    make_move(page)
    expect(page.locator(".says")).to_contain_text("Ben's turn")  # nothing is hidden, so nothing is covered
    page.goto(f"{page.url.partition('?')[0]}/replay")
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"{title}: replay")
    expect(page.locator(".space").first).to_be_visible()


@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_cards_and_buttons(visit: Opener, outside: ServerProcess, how: str) -> None:
    page = visit("/", url=outside.url, phone=how == "touch")
    page.goto(f"/t/{set_table(page, 'toy', [ME, BOT])}")
    wait_for_turn(page)
    expect(page.get_by_role("group", name="My hand").get_by_role("button")).to_have_count(2)
    buttons = page.get_by_role("group", name="Other moves")
    expect(buttons.get_by_role("button", name="Make a mark")).to_be_visible()
    check_accessibility_in_both_themes(page)
    buttons.get_by_role("button", name="Make a mark").click()
    expect(page.locator(".says")).to_contain_text("Make a mark for 1 point?")
    confirm_button(page).click()
    expect(buttons.get_by_role("button", name="Make a mark")).to_have_count(0)
    page.get_by_role("group", name="My hand").get_by_role("button").first.click()
    expect(page.locator(".says")).to_contain_text("Play the card")
    confirm_button(page).click()
    play_to_the_end(page, how)
    expect(page.get_by_role("dialog")).to_contain_text("Everyone has had two turns.")


def test_a_game_with_secrets_is_covered_while_the_device_goes_round(visit: Opener, outside: ServerProcess) -> None:
    page = visit("/", url=outside.url)
    pass_and_play(page, "Toy", "Ann", "Ben")
    expect(page.get_by_role("group", name="My hand")).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("Ann")
