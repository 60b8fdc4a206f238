"""Umbradeco for a terminal: a honeycomb of umbrellas, each space with its coordinates, then the table beside it.

Every colour also has an emblem, so that the mat can be read without colours. `♥ on ◆` is a stack.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.canvas import Canvas, seat_names
from wellies.core.events import Json
from wellies.games.umbradeco.ground import COORDINATES, GROUNDS
from wellies.games.umbradeco.material import COLOUR_NUMBER, COLOURS, EMBLEMS

WIDTH: Final = 8
NARROW: Final = 7
"""A space is eight columns by two rows, seven columns on the large mat; the spaces to the right of it lie half a space
lower, with one column between."""

_PAPER: Final = {
    "red": "white on red3",
    "yellow": "black on gold1",
    "green": "white on green4",
    "blue": "white on dodger_blue3",
    "violet": "white on dark_violet",
}
_GROUND: Final = ("on grey15", "on grey19")
"""Empty spaces take turns in each column, so that one is told from the next."""

_PHASES: Final = {
    "setup": "setting up",
    "place": "to place a tile",
    "take": "to take a tile from the market",
    "refill": "the market is refilled",
    "over": "the game is over",
}


def _emblem(name: str) -> str:
    return EMBLEMS[COLOUR_NUMBER[name]]


def draw(view: Json, marks: dict[Any, str]) -> Canvas:
    """The mat, and under it the market, the hands and the scores."""
    mat = Canvas()
    _draw_mat(mat, view["position"], marks)
    page = Canvas()
    page.paste(0, 1, mat)
    _, _, bottom, _ = page.bounds()
    side = Canvas()
    _draw_table(side, view)
    page.paste(bottom + 2, 0, side)
    return page


def _draw_mat(canvas: Canvas, position: Json, marks: dict[Any, str]) -> None:
    laid: dict[tuple[int, int], list[str]] = {(each["at"][0], each["at"][1]): each["tiles"] for each in position["mat"]}
    ground = GROUNDS[position["options"]["mat"]]
    width = WIDTH if ground.side < 5 else NARROW
    for q, r in COORDINATES[: ground.spaces]:
        # Spaces lie flat side up: a step east goes half a space down.
        row, column = 2 * r + q, (width + 1) * q
        tiles = laid.get((q, r), [])
        name = f"{q},{r}"
        if tiles:
            style = _PAPER[tiles[-1]]
            words = f"{_emblem(tiles[-1])} {tiles[-1]}"
            if len(tiles) == 2:
                words = f"{_emblem(tiles[-1])} on {_emblem(tiles[0])}"
            elif len(words) > width:
                words = words.replace(" ", "")
            canvas.put(row, column, name.center(width), style)
            canvas.put(row + 1, column, words.center(width), f"bold {style}")
        else:
            canvas.put(row, column, name.center(width), f"grey54 {_GROUND[r % 2]}")
            canvas.put(row + 1, column, "·".center(width), f"grey42 {_GROUND[r % 2]}")
        if (q, r) in marks:
            canvas.put(row + 1, column, marks[(q, r)][:width].center(width), "bold black on white")


def _chip(canvas: Canvas, row: int, column: int, tile: str) -> int:
    """A tile beside the mat; returns the column after it."""
    text, style = ("   ?    ", "grey70 on grey30") if tile == "?" else (f" {_emblem(tile)} {tile} ", _PAPER[tile])
    canvas.put(row, column, text, style)
    return column + len(text) + 1


def _draw_table(canvas: Canvas, view: Json) -> None:
    position = view["position"]
    canvas.put(0, 2, "market", "grey58")
    column = 10
    for tile in position["market"]:
        column = _chip(canvas, 0, column, tile)
    if not position["market"]:
        canvas.put(0, column, "empty", "grey58")
        column += 6
    tiles = "1 tile" if position["deck"] == 1 else f"{position['deck']} tiles"
    canvas.put(0, max(column, 29) + 1, f"deck: {tiles}   {_PHASES[position['phase']]}", "grey58")
    row = 2
    names = seat_names(view)
    winners = view["outcome"]["winners"] if view["outcome"] else []
    for seat, hand in enumerate(position["hands"]):
        turn = seat == position.get("to_move", -1)
        mark = "▶" if turn else "♛" if seat in winners else " "
        you = " (you)" if seat == view["seat"] else ""
        canvas.put(row, 0, f"{mark} {names[seat]}{you}", "bold" if mark != " " else "")
        canvas.put(row, 21, f"{position['scores'][seat]:>3} points", "bold" if mark != " " else "")
        column = 35
        for tile in hand:
            column = _chip(canvas, row, column, tile)
        row += 1
    unseen = view["extra"]["unseen"]
    canvas.put(row + 1, 2, "not seen:", "grey58")
    column = 12
    for name in COLOURS:
        text = f"{_emblem(name)} {name} {unseen[name]}"
        canvas.put(row + 1, column, text, "grey70")
        column += len(text) + 3
