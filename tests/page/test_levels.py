"""The levels of bots, hints, and where the points went when it is over."""

from __future__ import annotations

import re

from page_server import Opener
from page_tables import check_accessibility, confirm_button, finished_game, make_move, set_table, wait_for_turn
from playwright.sync_api import expect

ME = {"kind": "me"}
LEVELS = ["Drizzle", "Shower", "Storm", "Monsoon"]


def test_a_level_is_chosen_on_the_shelf_and_plays(visit: Opener) -> None:
    page = visit("/")
    choice = page.get_by_role("group", name="Bots for Play now")
    expect(choice.get_by_role("radio")).to_have_count(4)
    for level in LEVELS:
        expect(choice.get_by_role("radio", name=level)).to_be_visible()
    expect(choice.get_by_role("radio", name="Shower")).to_be_checked()
    expect(choice).to_contain_text("moves at once")
    choice.get_by_role("radio", name="Monsoon").check()
    expect(choice).to_contain_text("The strongest; up to 6 seconds a move")
    page.locator(".box", has_text="Guppies").get_by_role("button", name="Play now").click()
    expect(page.locator(".players li", has_text="Monsoon")).to_be_visible()
    make_move(page)
    expect(page.locator(".says", has_text="Monsoon is thinking…")).to_be_visible()
    wait_for_turn(page)
    page.goto("/settings")
    expect(page.get_by_role("radio", name="Monsoon")).to_be_checked()


def test_wherever_a_bot_is_chosen_strength_and_time_are_told(visit: Opener) -> None:
    page = visit("/new/umbradeco")
    chair = page.get_by_label("Chair 2")
    expect(chair).to_have_value("bot:shower")
    words = [text for text in chair.locator("option").all_inner_texts() if text.startswith("Bot, ")]
    assert [text.removeprefix("Bot, ").split(":")[0] for text in words] == LEVELS
    assert words[2] == "Bot, Storm: strong; about a second a move"
    chair.select_option("bot:storm")
    expect(page.locator(".chair", has_text="Chair 2").locator(".strength")).to_have_text(
        "strong; about a second a move"
    )

    page.goto(f"/t/{set_table(page, 'umbradeco', [ME, {'kind': 'open'}], start=False)}")
    page.get_by_label("Bot for chair 2").select_option("storm")
    expect(page.get_by_role("listitem").filter(has_text="(bot, strong; about a second a move)")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for_turn(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Bot that plays for me").select_option("drizzle")
    expect(page.locator(".menu")).to_contain_text("for a first game; moves at once")
    page.get_by_role("button", name="Hand my seat to a bot").click()
    expect(page.locator(".says", has_text="A bot plays for you")).to_be_visible()
    told = page.evaluate("async () => (await fetch('/api/v1' + location.pathname.replace('/t/', '/tables/'))).json()")
    assert told["seats"][0]["bot"] == "drizzle"


def test_a_level_for_research_that_was_liked_once_is_not_offered_any_more(visit: Opener) -> None:
    page = visit("/")
    page.evaluate("""() => localStorage.setItem('wellies.likes', '{"level": "greedy"}')""")
    page.reload()
    expect(page.get_by_role("radio", name="Shower")).to_be_checked()


def test_a_hint_says_the_move_and_shows_it(visit: Opener) -> None:
    page = visit(None)
    page.goto(f"/t/{set_table(page, 'guppies', [ME, {'kind': 'bot', 'level': 'storm'}], options={'tiles': 64})}")
    make_move(page)
    wait_for_turn(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".toast", has_text=re.compile("Perhaps: .*Lay"))).to_be_visible()
    expect(confirm_button(page)).to_be_visible()

    # Why: reasons in points, what else, and what is expected; nothing of it after the move.
    page.get_by_role("button", name="Why this move?").click()
    why = page.get_by_role("dialog", name="Why this move?")
    expect(why.locator(".reasons li").first).to_contain_text(re.compile(r"point|\d"))
    expect(
        why.get_by_text(re.compile(r"Expected lead: [+−][\d.]+ ± [\d.]+ points\. Winning chance: \d+ %"))
    ).to_be_visible()
    expect(why.locator(".others li").first).to_contain_text(re.compile(r"less|as good"))
    expect(why.locator("ol li").first).to_contain_text("Storm: ")
    assert not re.search(r"[\[\]{}]", why.inner_text())
    check_accessibility(page)
    page.keyboard.press("Escape")
    expect(why).to_have_count(0)
    confirm_button(page).click()
    expect(page.get_by_role("button", name="Why this move?")).to_have_count(0)


def test_where_the_points_went(visit: Opener) -> None:
    page = visit(None)
    table = finished_game(page)
    page.goto(f"/t/{table}")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Look for better moves").click()
    expect(dialog.get_by_role("progressbar")).to_be_visible()
    expect(dialog.get_by_text(re.compile(r"Thinking about move \d+ of \d+"))).to_be_visible()
    moves = dialog.locator(".dear button")
    expect(moves.first).to_be_visible()
    expect(dialog.locator(".sums")).to_contain_text(re.compile(r"Bea: \d+ choices, \d+ of them the best we found"))
    first = moves.first.inner_text()
    assert re.search(r"−[\d.]+ points?", first)
    assert "Better:" in first
    number = int(re.search(r"at (\d+):", first).group(1))  # type: ignore[union-attr]
    moves.first.click()

    page.wait_for_url(re.compile(rf"/replay\?at={number - 1}&better={number}"))
    told = page.locator(".told")
    expect(told).to_contain_text(re.compile(r"played: .+ About [\d.]+ points? better: "))
    expect(page.get_by_label("Moment")).to_have_value(str(number - 1))
    expect(page.get_by_role("img", name=re.compile("Points lost by move"))).to_be_visible()

    # What a coach would say, the winning chance as a chart and a table, and why the better moves were better.
    expect(page.locator(".review").last).to_contain_text(
        re.compile(r"Bea found the best move in .+To try next: ", re.DOTALL)
    )
    chart = page.get_by_role("img", name=re.compile(r"Winning chance by move: .*Bea from \d+ % to \d+ %"))
    expect(chart).to_be_visible()
    page.get_by_text("The chances as a table").click()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(page.locator(".dot").count())
    expect(rows.first).to_contain_text(re.compile(r"(Ann|Bea)\s*\d+ %"))
    page.get_by_text("Why the other was better").first.click()
    expect(page.locator(".dear .why .reasons li").first).to_be_visible()
    check_accessibility(page)
    rows.last.get_by_role("button").click()
    page.wait_for_url(re.compile("at="))
    page.locator(".dear button").first.click()

    # Another one, then on from there: the verdict goes, the game goes on.
    page.locator(".dear button").nth(1).click()
    expect(page.locator(".dear button").nth(1)).to_have_class(re.compile("shown"))
    expect(told).to_contain_text("better: ")
    second = page.url
    page.get_by_role("button", name="One step on").click()
    expect(told).not_to_contain_text("better: ")
    page.wait_for_url(re.compile(r"/replay\?at=\d+$"))

    # A bar of the chart leads to its move, and a link to a better move can be sent.
    page.locator(".bar").first.click(position={"x": 2, "y": 30})
    page.wait_for_url(re.compile("better="))
    friend = visit(second)
    expect(friend.locator(".told")).to_contain_text("better: ")


def test_a_better_move_is_a_ghost_on_the_board(visit: Opener) -> None:
    page = visit(None, phone=True, dark=True)
    table = finished_game(page)
    page.goto(f"/t/{table}/replay")
    page.get_by_role("button", name="Look for better moves").click()
    on_board = page.locator(".dear button", has_text=re.compile(r"Better:\s+(put|stack)")).first
    expect(on_board).to_be_visible()
    expect(page.locator(".ghost")).to_have_count(0)
    on_board.click()
    expect(page.locator(".ghost").first).to_be_visible()
    expect(page.locator(".board")).to_be_in_viewport()
    check_accessibility(page)
