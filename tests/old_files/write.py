"""Writes records, positions and a database as the installed version of Wellies writes them.

    python tests/old_files/write.py tests/old_files

makes a folder named after the version. `tests/match/test_old_files.py` and `tests/server/test_old_database.py` read
every such folder. Run it before a release, and never change what an earlier version wrote.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import wellies
from wellies import CHANCE, GameState, Match, Stream
from wellies.client import Client

Json = dict[str, Any]

GAMES: dict[str, list[tuple[int, Json, float]]] = {
    "aquarium": [(2, {}, 1), (3, {"cards": "standard"}, 1), (4, {}, 0.6)],
    "guppies": [(2, {}, 1), (4, {"table": "one", "tiles": 64}, 1), (3, {}, 0.3)],
    "marram": [
        (2, {"length": "short"}, 1),
        (3, {"variant": "animals", "length": "short"}, 1),
        (2, {"variant": "pitchfork"}, 0.3),
    ],
    "puppies": [(2, {}, 1), (2, {"strategic": True, "cards": "standard"}, 1), (4, {"extended": True}, 0.5)],
    "umbradeco": [(2, {}, 1), (3, {"mat": "large", "rows": "unbroken"}, 1), (4, {"mat": "small"}, 0.5)],
}
"""For each record of a game: seats, options, and how much of the game is played."""


def digest(value: Any) -> str:
    """A short hash of some JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def legal_texts(state: GameState) -> list[str]:
    """All legal moves of all seats, as records write them."""
    return sorted(
        f"{seat} {state.spec.move_text(state, seat, move)}" for seat in state.active() for move in state.legal(seat)
    )


def facts(state: GameState) -> Json:
    """What must still be so when the state is loaded by a later version."""
    outcome = state.outcome()
    return {
        "scores": state.scores(),
        "active": state.active(),
        "due": state.due(),
        "winners": None if outcome is None else outcome.winners,
        "reason": None if outcome is None else outcome.reason,
        "legal": digest(legal_texts(state)),
    }


def play(game: str, seats: int, options: Json, share: float, seed: int) -> tuple[Match, list[GameState]]:
    """A game between bots, and some of its states. The first seat plays by greedy, the others at random."""
    bots = [wellies.bot("greedy" if seat == 0 else "random") for seat in range(seats)]
    rng = Stream(f"old files {game} {seed}")
    players = [f"bot:{bot.name}" for bot in bots]
    match = Match(game, seats, options, seed=seed, players=players, date="2026-01-31")
    states = [match.state.clone()]
    while match.state.due():
        seat = match.state.due()[0]
        match.play_move(seat, bots[seat].choose(match.state, seat, rng))
        states.append(match.state.clone())
    if share < 1:
        begun = Match(game, seats, options, seed=seed, players=players, date="2026-01-31")
        for entry in match.log[: int(len(match.log) * share)]:
            if entry.seat != CHANCE:
                begun.play(entry.seat, entry.text)
        match, states = begun, states[: int(len(states) * share)]
    return match, states


def write_game(folder: Path, game: str) -> None:
    """The records of one game, and in a file beside them its positions and what is true of all of them."""
    told: Json = {"records": {}, "positions": []}
    for number, (seats, options, share) in enumerate(GAMES[game], 1):
        match, states = play(game, seats, options, share, number)
        name = f"{game}-{number}.wellies"
        (folder / name).write_text(str(match.record(reveal=number == 3)), encoding="utf-8")
        told["records"][name] = {**facts(match.state), "position": digest(match.state.position())}
        for at in range(1, 4):
            state = states[len(states) * at // 4]
            told["positions"].append({"viewer": "all", "position": state.position(), **facts(state)})
        state = states[len(states) // 2]
        told["positions"].append({"viewer": 0, "position": state.position(0), "scores": state.scores()})
    lines = [f' "records": {json.dumps(told["records"], separators=(",", ":"))},', ' "positions": [']
    lines.append(",\n".join(json.dumps(each, separators=(",", ":")) for each in told["positions"]))
    (folder / f"{game}.json").write_text("\n".join(["{", *lines, "]}"]) + "\n", encoding="utf-8")


# --- a database ---------------------------------------------------------------------------------------------------


PASSWORD = "rain on the roof"


async def play_tables(url: str) -> Json:
    """One finished table, one that is being played and one in the lobby, each with the same two people."""
    async with Client(url) as ann, Client(url) as ben:
        for client, name in ((ann, "Ann"), (ben, "Ben")):
            await client.guest(name)
            await client.request("POST", "/me/password", {"password": PASSWORD})
        told: Json = {"people": ["Ann", "Ben"], "password": PASSWORD, "tables": {}}
        for state, game, moves in (("finished", "aquarium", None), ("playing", "guppies", 7), ("open", "marram", 0)):
            table = await ann.create_table(game, ["me", "open"], private=False)
            id = table["id"]
            if moves != 0:
                await ben.join(id)
                await ann.act(id, "start")
                await play_table(ann, ben, id, moves)
            found = await ann.get_table(id)
            told["tables"][id] = {"state": state, "game": game, "version": found["version"], "scores": found["scores"]}
        return told


async def play_table(ann: Client, ben: Client, id: str, moves: int | None) -> None:
    """Play the first legal move of whoever is due, so many times or to the end."""
    async with ann.table(id, seat=0, legal="text") as first, ben.table(id, seat=1, legal="text") as second:
        views = (first, second)
        made = 0
        while made != moves:
            await first.until(lambda _: first.finished or any(view.decision and view.decision["due"] for view in views))
            if first.finished:
                break
            view = next(view for view in views if view.decision and view.decision["due"])
            version = (await view.play(view.legal[made % len(view.legal)]))["version"]
            for each in views:
                await each.until(lambda now, version=version: now.version >= version)
            made += 1
        await first.say("Good game!")


def write_database(folder: Path) -> None:
    """The file of a small SQLite server, and in a file beside it what is in it."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "wellies.db"
        wishes = {"WELLIES_DATABASE": str(file), "WELLIES_PORT": "0", "WELLIES_LOG": "error"}
        command = [sys.executable, "-c", "from wellies.cli.serve import serve; serve()"]
        server = subprocess.Popen(command, env={**os.environ, **wishes}, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            told = asyncio.run(play_tables(server.stdout.readline().split()[3]))
        finally:
            server.terminate()
            server.wait(30)
        with sqlite3.connect(file) as database, sqlite3.connect(folder / "tables.db") as copy:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("VACUUM")
        copy.close()
    (folder / "tables.json").write_text(json.dumps(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    folder = Path(sys.argv[1]) / wellies.__version__
    folder.mkdir()
    for name in GAMES:
        write_game(folder, name)
    write_database(folder)
