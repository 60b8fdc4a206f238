"""The published schemas describe what a server really sends, over sockets and in replays."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from server.serving import Running, running, sqlite_file

import wellies
from wellies.client import Client, ServerRefused
from wellies.server import schemas

SHORT: dict[str, dict[str, Any]] = {"guppies": {"tiles": 64}, "umbradeco": {"mat": "small"}}
"""Options that make a game short, where there are any."""
OWN_MOVES = 8
"""Moves after which the person resigns and bots play on."""


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """A bot that thinks would take a long time for the rest of a game."""
    with sqlite_file() as database, running(database, stand_in_level="random") as server:
        yield server


class GameSchema:
    """The published shapes of one game's views, moves and events."""

    def __init__(self, name: str) -> None:
        schema = schemas.view_schema(wellies.game(name))
        self.view = jsonschema_rs.validator_for(schema)
        self._parts = {
            part: jsonschema_rs.validator_for({"$defs": schema["$defs"], "$ref": f"#/$defs/{part}"})
            for part in ("MoveFields", "EventShape", "OutcomeShape")
        }
        self.views = self.moves = self.events = self.outcomes = 0

    def check_view(self, view: Any) -> None:
        if view is not None:
            self.view.validate(view)
            self.views += 1

    def check_moves(self, moves: list[Any]) -> None:
        for move in moves:
            self._parts["MoveFields"].validate(move)
            self.moves += 1

    def check_entries(self, entries: list[Any]) -> None:
        for event in (event for entry in entries for event in entry["events"]):
            self._parts["EventShape"].validate(event)
            self.events += 1

    def check_outcome(self, outcome: Any) -> None:
        if outcome is not None:
            self._parts["OutcomeShape"].validate(outcome)
            self.outcomes += 1


@pytest.mark.parametrize("game", wellies.list_games())
def test_views_fit_their_published_schema(server: Running, game: str) -> None:
    """A person plays and resigns, bots play on to the end; then the whole game is replayed."""
    asyncio.run(asyncio.wait_for(_traffic(server, game), 300))


async def _traffic(server: Running, game: str) -> None:
    messages = jsonschema_rs.validator_for(schemas.server_messages())
    shapes = GameSchema(game)
    rng = random.Random(game)
    seats = ["me"] + ["random"] * (max(2, wellies.game(game).min_seats) - 1)
    async with Client(server.url) as client:
        table = (await client.create_table(game, seats, options=SHORT.get(game, {}), start=True))["id"]
        async with client.table(table, seat=0) as own, client.table(table) as spectator:
            for _ in range(OWN_MOVES):
                await own.until(lambda now: now.decision is not None or now.finished)
                if own.finished:
                    break
                try:
                    await own.play(rng.choice(own.legal)["move"])
                except ServerRefused as refused:
                    # All choose at once in Aquarium: the others may have come first.
                    assert refused.code == "stale", refused
            if not own.finished:
                await client.act(table, "resign")
            for viewer in (own, spectator):
                await viewer.until(lambda now: now.table["state"] == "finished" and now.view["outcome"])
                _check_messages(viewer, messages, shapes)
        live = own.view
        assert live is not None
        assert live["outcome"]["resigned"] in ([0], [])
        first = 1
        last: dict[str, Any] = {}
        while True:
            replay = await client.request("GET", f"/tables/{table}/replay", seat=0, **{"from": first})
            for moment in replay["moments"]:
                shapes.check_view(moment["view"])
                shapes.check_entries([moment["entry"]])
                shapes.check_outcome(moment["outcome"])
                last = moment
            if last["number"] == replay["version"]:
                break
            first = last["number"] + 1
        assert last["view"] == live, "a replay ends with the view that was live"
        assert last["outcome"] == live["outcome"] == (await client.get_table(table))["outcome"]
    assert min(shapes.views, shapes.moves, shapes.events, shapes.outcomes) > 0, "all shapes were seen"


def _check_messages(viewer: Any, messages: Any, shapes: GameSchema) -> None:
    """All messages that a connection has received."""
    while not viewer._heard.empty():
        message = viewer._heard.get_nowait()
        messages.validate(message)
        if message["type"] in ("hello", "update"):
            shapes.check_view(message["view"])
            shapes.check_moves(message["legal"])
            shapes.check_entries(message["entries"])


def test_schemas_are_written_for_everything(tmp_path: Path) -> None:
    written = {path.name for path in schemas.write_schemas(tmp_path)}
    assert {"openapi.json", "client-messages.json", "server-messages.json"} < written
    assert {f"view-{name}.json" for name in wellies.list_games()} < written
    kinds = json.loads((tmp_path / "client-messages.json").read_text())["$defs"]
    assert {"Play", "Preview", "AskPlan", "AskWhy", "Undo", "AskUndo", "AnswerUndo", "AskHint", "Say", "Ping"} == set(
        kinds
    )
    answers = json.loads((tmp_path / "server-messages.json").read_text())["$defs"]
    assert {"Hello", "Update", "TableInfo", "Failed"} < set(answers)
