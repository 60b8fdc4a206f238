"""What the server says that a move would score is what the terminal says, and what Python says."""

from __future__ import annotations

import asyncio

import pytest
from server.serving import Running

import wellies
from wellies import Match, Stream
from wellies.cli.picker import Picker
from wellies.client import Client
from wellies.core.events import lines_json

MOVES = 12
"""How many decisions of each game are looked at."""


@pytest.mark.parametrize("game", wellies.list_games())
def test_the_server_previews_as_the_terminal_does(server: Running, game: str) -> None:
    """The terminal is given the position that the page got: nothing else can make them differ."""
    asyncio.run(asyncio.wait_for(_compare(server, game), 120))


async def _compare(server: Running, game: str) -> None:
    rng = Stream(f"server previews {game}")
    async with Client(server.url) as client:
        seats = wellies.game(game).min_seats
        table = await client.create_table(game, ["me"] * seats, start=True, name="Ann")
        for _ in range(MOVES):
            info = await client.get_table(table["id"])
            for number in range(seats):
                async with client.table(table["id"], seat=number) as seat:
                    if seat.decision is None or not seat.decision["due"]:
                        continue
                    assert seat.view is not None
                    match = Match(game, position=seat.view["position"], rolls=False)
                    picker = Picker(match.spec, match.state, number)
                    by_text = {choice.text: picker.points(choice) for choice in picker.choices}
                    assert by_text == {each["move"]: each["points"] for each in seat.legal}
                    picked = [seat.legal[rng.randrange(len(seat.legal))] for _ in range(3)]
                    for each in picked:
                        found = match.preview(number, each["move"])
                        told = await seat.preview(each["move"])
                        assert told["gains"] == found.gains
                        assert told["gains"][number] == each["points"]
                        assert told["certain"] == found.certain
                        assert told["lines"] == lines_json(found.lines)
                        assert told["events"] == [event.seen_by(number) for event in found.events]
                        assert [offer["move"] for offer in told["offers"]] == [offer.text for offer in found.offers]
                        assert each.get("offer", 0) == found.best_offer
                    best = max(seat.legal, key=lambda each: each["points"])
                    await seat.play(best["move"])
            if info["state"] == "finished":
                break
