"""The server's interface as files: OpenAPI for HTTP, JSON Schema for socket messages and for every game's views.

The page's types are generated from these files, so the page does not compile if it relies on something else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict, get_args

import msgspec
from litestar import Litestar

from wellies.core.events import Json
from wellies.core.outcome import Ending
from wellies.core.plain_board import PlainBoard
from wellies.core.spec import GameSpec, Shapes
from wellies.games import load_games
from wellies.server import messages
from wellies.server.app import create_app
from wellies.server.preferences import preferences_schema
from wellies.server.settings import load

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class ScoreLineShape(TypedDict):
    """One reason for some points; `where` lists the places to light up."""

    seat: int
    rule: str
    points: int
    where: list[Any]
    why: str


class EventShape(TypedDict):
    """One event, as the viewer may know it."""

    kind: str
    seat: int
    text: str
    data: Json
    lines: list[ScoreLineShape]


class OutcomeShape(TypedDict):
    """How the game ended: `reason` in words, `ending` for programs. `resigned` are the seats that gave up."""

    scores: list[int]
    ranks: list[int]
    winners: list[int]
    reason: str
    ending: Ending
    resigned: list[int]


class AnyMove(TypedDict):
    """A move as fields, of a game that declares no shapes."""

    kind: str


ANY_SHAPES: Final = Shapes(dict, dict, [AnyMove])
"""For a game that declares no shapes."""


def openapi() -> Json:
    """The HTTP interface."""
    app: Litestar = create_app(load({"database": "unused.db"}, environment={}).settings).app
    schema: Json = app.openapi_schema.to_schema()
    return schema


def _union(title: str, union: Any) -> Json:
    kinds = list(get_args(union))
    found, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {"$schema": DIALECT, "title": title, "oneOf": list(found), "$defs": parts}


def client_messages() -> Json:
    """All messages that a client may send over a socket."""
    return _union("ClientMessage", messages.FromClient)


def server_messages() -> Json:
    """All messages that the server sends over a socket."""
    return _union("ServerMessage", messages.FromServer)


def plain_board() -> Json:
    """What a game gives the page to draw, if it has no board drawn by hand."""
    (found,), parts = msgspec.json.schema_components([PlainBoard], ref_template="#/$defs/{name}")
    return {"$schema": DIALECT, "title": "Plain board", **found, "$defs": parts}


def view_shape(spec: GameSpec) -> Any:
    """The type of a view of this game."""
    shapes = spec.shapes()
    if shapes is None:
        shapes = ANY_SHAPES
    fields: Json = {
        "game": str,
        "seat": int | None,
        "seats": int,
        "active": list[int],
        "due": list[int],
        "scores": list[int],
        "outcome": OutcomeShape | None,
        "position": shapes.position,
        "extra": shapes.extra,
    }
    if shapes is ANY_SHAPES:
        fields["plain_board"] = NotRequired[PlainBoard]
    return TypedDict(f"{spec.name.title()}View", fields)  # type: ignore[operator]


def view_schema(spec: GameSpec) -> Json:
    """A game's views, its moves as fields (a legal move has `move` and `words` besides), events and its box."""
    shapes = spec.shapes()
    if shapes is None:
        shapes = ANY_SHAPES
    kinds = shapes.moves
    types = [view_shape(spec), *kinds, EventShape, *([] if shapes.box is None else [shapes.box])]
    found, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": f"{spec.title}: views and moves",
        **found[0],
        "$defs": {**parts, "MoveFields": {"anyOf": list(found[1 : 1 + len(kinds)])}},
    }


def all_schemas() -> dict[str, Json]:
    """Every file by its name. A game that declares no shapes has no file: nothing is made from it."""
    files = {
        "openapi.json": openapi(),
        "client-messages.json": client_messages(),
        "server-messages.json": server_messages(),
        "plain-board.json": plain_board(),
        "preferences.json": preferences_schema(),
    }
    for spec in load_games():
        if spec.shapes() is not None:
            files[f"view-{spec.name}.json"] = view_schema(spec)
    return files


def write_schemas(folder: Path) -> list[Path]:
    """Write them all; the paths written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, schema in all_schemas().items():
        path = folder / name
        path.write_text(json.dumps(schema, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        written.append(path)
    return written
