"""Whole games on one device, move by move."""

from __future__ import annotations

import random

import pytest
from local.hosts import Disk, Tab, play_out, run

import wellies


@pytest.mark.parametrize("game", wellies.list_games())
def test_a_game_against_a_bot(game: str) -> None:
    async def scenario() -> None:
        tab = Tab(Disk())
        seats = wellies.game(game).min_seats
        made = await tab.table(game, "me", *["bot:drizzle"] * (seats - 1))
        assert made["id"].startswith("local-")
        assert made["state"] == "playing"
        page = await tab.open(made["id"], 0)
        assert page.hello["seat"] == 0
        rng = random.Random(game)
        await play_out(page, rng.choice)
        assert page.state["view"]["outcome"]["resigned"] == []
        found = await tab.done("GET", f"/tables/{made['id']}")
        assert found == page.info
        assert found["seed"] is not None
        again = Tab(tab.disk)
        assert await again.done("GET", f"/tables/{made['id']}") == found, "it is stored"
        await tab.stop()
        await again.stop()

    run(scenario)
