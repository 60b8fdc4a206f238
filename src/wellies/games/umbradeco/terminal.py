"""Umbradeco for a terminal: a honeycomb of umbrellas, each space with its coordinates, then the table beside it.

Every colour also has an emblem, so that the mat can be read without colours. `♥ on ◆` is a stack.
"""

from __future__ import annotations

from typing import Any, Final

from wellies.core.canvas import Canvas, Panes, seat_names
from wellies.core.events import Json
from wellies.core.types import View
from wellies.games.umbradeco.mat_geometry import COORDINATES, GEOMETRIES
from wellies.games.umbradeco.material import COLOUR_NUMBER, COLOURS, EMBLEMS

WIDTH: Final = 8
NARROW: Final = 7
SMALL: Final = 5
"""A space is eight columns by two rows, seven columns on the large mat, five on a small screen; the spaces to the right
of it lie half a space lower, with one column between."""

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


def panes(view: View, marks: dict[Any, str], width: int, small: bool) -> Panes:
    """The mat, and beside it the market, the hands and the scores."""
    mat = Canvas()
    position = view["position"]
    _draw_mat(mat, position, marks, small)
    board = Canvas()
    board.paste(0, 0 if small else 1, mat)
    table = Canvas()
    if small:
        _draw_narrow_table(table, view)
    else:
        _draw_table(table, view)
    notes = Canvas()
    row = notes.text(0, 2, "♥ on ◆ is a stack: the umbrella that was named first is on top.", width, "grey50")
    if small:
        notes.text(row, 2, ", ".join(f"{_emblem(name)} {name}" for name in COLOURS), width, "grey50")
    return Panes(board, table=table, notes=notes, scored=True)


def _draw_mat(canvas: Canvas, position: Json, marks: dict[Any, str], small: bool) -> None:
    laid: dict[tuple[int, int], list[str]] = {(each["at"][0], each["at"][1]): each["tiles"] for each in position["mat"]}
    geometry = GEOMETRIES[position["options"]["mat"]]
    width = SMALL if small else WIDTH if geometry.side < 5 else NARROW
    for q, r in COORDINATES[: geometry.spaces]:
        # Spaces lie flat side up: a step east goes half a space down.
        row, column = 2 * r + q, (width + 1) * q
        tiles = laid.get((q, r), [])
        name = f"{q},{r}"
        if tiles:
            style = _PAPER[tiles[-1]]
            words = _tile_words(tiles, width)
            canvas.put(row, column, name.center(width), style)
            canvas.put(row + 1, column, words.center(width), f"bold {style}")
        else:
            canvas.put(row, column, name.center(width), f"grey54 {_GROUND[r % 2]}")
            canvas.put(row + 1, column, "·".center(width), f"grey42 {_GROUND[r % 2]}")
        if (q, r) in marks:
            canvas.put(row + 1, column, marks[(q, r)][:width].center(width), "bold black on white")


def _tile_words(tiles: list[str], width: int) -> str:
    """A tile or a stack in so many columns: the emblems always, the colour's name if there is room."""
    top = _emblem(tiles[-1])
    if len(tiles) == 2:
        return f"{top} on {_emblem(tiles[0])}" if width > SMALL else f"{top}on{_emblem(tiles[0])}"
    for words in (f"{top} {tiles[-1]}", f"{top}{tiles[-1]}"):
        if len(words) <= width:
            return words
    return top


def _chip(canvas: Canvas, row: int, column: int, tile: str) -> int:
    """A tile beside the mat; returns the column after it."""
    text, style = ("   ?    ", "grey70 on grey30") if tile == "?" else (f" {_emblem(tile)} {tile} ", _PAPER[tile])
    canvas.put(row, column, text, style)
    return column + len(text) + 1


def _draw_narrow_table(canvas: Canvas, view: View) -> None:
    """The same as `_draw_table` in 24 columns, to stand beside a small mat: emblems without names."""
    position = view["position"]
    tiles = "1 tile" if position["deck"] == 1 else f"{position['deck']} tiles"
    canvas.put(0, 0, f"deck: {tiles}", "grey58")
    canvas.put(1, 0, "market", "grey58")
    _emblems(canvas, 1, 7, position["market"])
    canvas.text(2, 0, _PHASES[position["phase"]], 24, "grey58")
    row = 4
    names = seat_names(view)
    winners = view["outcome"]["winners"] if view["outcome"] else []
    for seat, hand in enumerate(position["hands"]):
        turn = seat == position.get("to_move", -1)
        mark = "▶" if turn else "♛" if seat in winners else " "
        style = "bold" if mark != " " else ""
        canvas.put(row, 0, f"{mark} {names[seat]}", style)
        canvas.put(row, 14, f"{position['scores'][seat]:>3} points", style)
        you = "(you)" if seat == view["seat"] else "hand"
        canvas.put(row + 1, 2, you, "grey58")
        _emblems(canvas, row + 1, 8, hand)
        row += 2
    canvas.put(row, 0, "not seen", "grey58")
    unseen = view["extra"]["unseen"]
    column = 0
    for name in COLOURS:
        text = f"{_emblem(name)} {unseen[name]}"
        canvas.put(row + 1, column, text, "grey70")
        column += 5


def _emblems(canvas: Canvas, row: int, column: int, tiles: list[str]) -> None:
    for tile in tiles:
        text, style = ("? ", "grey70 on grey30") if tile == "?" else (f"{_emblem(tile)} ", _PAPER[tile])
        canvas.put(row, column, f" {text}", style)
        column += 4
    if not tiles:
        canvas.put(row, column, "empty", "grey58")


def _draw_table(canvas: Canvas, view: View) -> None:
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
