"""A tab that plays game after game does not grow without end."""

from __future__ import annotations

import gc
import random

from local.hosts import Disk, Tab, play_out, run

from wellies.local.hub import KEPT
from wellies.local.live_table import LocalTable
from wellies.match import Match
from wellies.table import Table

GAMES = 10


def count(kind: type) -> int:
    gc.collect()
    return sum(isinstance(each, kind) for each in gc.get_objects())


def test_games_that_are_over_leave_the_memory() -> None:
    async def scenario(disk: Disk) -> None:
        before = {kind: count(kind) for kind in (LocalTable, Table, Match)}
        tab = Tab(disk)
        for number in range(GAMES):
            made = await tab.table("umbradeco", "me", "bot:drizzle", options={"mat": "small"})
            page = await tab.open(made["id"], 0)
            await play_out(page, random.Random(number).choice)
            page.leave()
        assert len((await tab.done("GET", "/tables"))["tables"]) == GAMES
        for kind, known in before.items():
            # One more than are kept: the last one was used when the others were counted.
            assert count(kind) - known <= KEPT + 1, kind
        await tab.stop()

    run(scenario)
