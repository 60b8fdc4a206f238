"""Every guided first game: it starts from the Learn page, its record holds, and what it advises is legal."""

from __future__ import annotations

import pytest
from page_server import Opener
from page_tables import make_move
from playwright.sync_api import expect


@pytest.mark.parametrize(("game", "space"), [("guppies", "3,-1"), ("umbradeco", "1,-1")])
def test_a_guide_leads_to_its_first_move(visit: Opener, game: str, space: str) -> None:
    page = visit(f"/learn/{game}")
    page.get_by_role("button", name="Play a guided first game").click()
    guide = page.get_by_role("complementary", name="Guide")
    for number in (1, 2):
        expect(guide).to_contain_text(f"{number}/7")
        guide.get_by_role("button", name="Next").click()
    expect(page.locator(f"[data-space='{space}'].lit.legal")).to_be_attached()
    page.locator(f"[data-space='{space}']").click()
    page.get_by_role("button", name="Confirm", exact=True).click()
    expect(guide).to_contain_text("4/7")
    expect(guide).not_to_contain_text("another way")
    make_move(page)
    guide.get_by_role("button", name="Stop").click()
    expect(guide).to_have_count(0)
