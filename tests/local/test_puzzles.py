"""Puzzles on a device: the same as at a server, from the engine that the browser has."""

from __future__ import annotations

from local.hosts import Disk, Tab, run

from wellies.puzzles.puzzle import EPOCH, ROTATION, puzzle_on


def test_a_device_gives_and_judges_the_puzzle_that_everybody_has() -> None:
    async def scenario(disk: Disk) -> None:
        tab = Tab(disk)
        assert (await tab.done("GET", "/puzzles"))["games"] == list(ROTATION)
        for game in ROTATION:
            puzzle = puzzle_on(game, EPOCH)
            about = f"?date={EPOCH.isoformat()}"
            shown = await tab.done("GET", f"/puzzles/{game}{about}")
            assert shown["view"]["position"] == puzzle.position
            verdict = await tab.done("POST", f"/puzzles/{game}/try{about}", {"move": puzzle.best.move})
            assert verdict["best"]
            worse = await tab.done("POST", f"/puzzles/{game}/try{about}", {"move": puzzle.obvious[0]})
            assert worse["boots"] < 3
            assert worse["moves"] == verdict["moves"]

    run(scenario)
